// Package instructions counts the instructions of codecs as code of two processors: of amd64 by
// callgrind, of arm64 by qemu. Counts say how much work a compiler and a codec make of an operation.
// They are no times: processors take different time for the same instruction.
package instructions

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/zmylab/zmy/lab/callgrind"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/plan"
	"github.com/zmylab/zmy/lab/worker"
)

// Ops are the operations that are counted, in mode fresh.
var Ops = []string{"encode", "decode"}

// Plan says what is counted.
type Plan struct {
	Root    string // folder of the repository
	Subject string // folder of examples
	Type    string
	Codecs  []contender.Info
	Arch    string // GOARCH of the workers
	Doing   func(string)
}

// Count is the number of instructions of one operation, the mean over values.
type Count struct {
	Codec, Op string
	Ir        float64
}

// Run builds a worker for each codec and counts.
func (p *Plan) Run(ctx context.Context) (out []Count, err error) {
	dir, err := os.MkdirTemp("", "instructions-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	tool, err := find(ctx, p.Arch, dir)
	if err != nil {
		return nil, err
	}
	s, err := plan.Resolve(ctx, plan.Options{Dir: filepath.Join(p.Root, "examples", p.Subject), Package: ".", Type: p.Type,
		Env: append(os.Environ(), "GOARCH="+p.Arch, "CGO_ENABLED=0")})
	if err != nil {
		return nil, err
	}
	w, err := harness.New(ctx, harness.Config{Subject: s, Sources: os.DirFS(filepath.Join(p.Root, "lab")), Runtime: p.Root, TempDir: dir})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	target := &contender.Target{IR: s.IR, Root: s.Root, Expr: s.Expr}
	for _, info := range p.Codecs {
		if why := info.Plan(target); why != nil {
			continue
		}
		p.Doing(fmt.Sprintf("%s: %s as %s code", p.Subject, info.Name, p.Arch))
		built, err := w.Build(ctx, info, target)
		if err != nil {
			return out, err
		}
		if tool.Emulates() {
			built = built.Under([]string{tool.Path}, nil)
		}
		for _, op := range Ops {
			c, err := tool.Count(ctx, built, worker.Request{Cmd: worker.CmdValues, Seed: 1, N: callgrind.Values}, op)
			if err != nil {
				return out, fmt.Errorf("%s %s: %w", info.Name, op, err)
			}
			out = append(out, Count{info.Name, op, c.Ir})
		}
	}
	return out, nil
}

// find returns the tool that counts the instructions of a processor.
func find(ctx context.Context, arch, dir string) (*callgrind.Tool, error) {
	if arch == "amd64" {
		return callgrind.Find()
	}
	return callgrind.FindEmulator(ctx, arch, dir)
}

// Table writes the counts of one subject on two processors, and their quotient.
func Table(w io.Writer, a, b []Count) {
	fmt.Fprintln(w, "| codec | op | amd64 | arm64 | arm64 ÷ amd64 |\n|---|---|---|---|---|")
	for _, x := range a {
		i := slices.IndexFunc(b, func(y Count) bool { return y.Codec == x.Codec && y.Op == x.Op })
		if i < 0 || x.Ir == 0 {
			continue
		}
		fmt.Fprintf(w, "| %s | %s | %.0f | %.0f | %.2f |\n", x.Codec, x.Op, x.Ir, b[i].Ir, b[i].Ir/x.Ir)
	}
}
