// Package instructions counts the instructions of codecs as code of two processors: of amd64 by
// callgrind, of arm64 by qemu. Counts say how much work a compiler and a codec make of an operation, and which functions do it.
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
	"strings"

	"github.com/zmylab/zmy/lab/callgrind"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/plan"
	"github.com/zmylab/zmy/lab/worker"
)

// Task is an operation and its mode, as goals spell them: encode/append. Without a mode it is the
// first one of the codec, fresh.
type Task struct{ Op, Mode string }

func (t Task) String() string {
	if t.Mode == "" {
		return t.Op
	}
	return t.Op + "/" + t.Mode
}

// Tasks parses a list such as "encode/append,decode".
func Tasks(list string) (out []Task, err error) {
	for s := range strings.SplitSeq(list, ",") {
		op, mode, _ := strings.Cut(s, "/")
		if op != "encode" && op != "decode" {
			return nil, fmt.Errorf("%q: write encode or decode, and a mode as in encode/append", s)
		}
		out = append(out, Task{op, mode})
	}
	return out, nil
}

// request is the task as workers know it.
func (t Task) request() worker.Task {
	if t.Op == "encode" {
		return worker.Task{Op: t.Op, Encode: t.Mode}
	}
	return worker.Task{Op: t.Op, Decode: t.Mode}
}

// Plan says what is counted.
type Plan struct {
	Root    string // folder of the repository
	Subject string // folder of examples
	Type    string
	Codecs  []contender.Info
	Tasks   []Task
	Arch    string // GOARCH of the workers
	Caches  bool   // simulate caches and a branch predictor too; amd64 only
	Doing   func(string)
}

// Count holds the instructions of one operation, the mean over values.
type Count struct {
	Codec string
	Task  Task
	Ir    float64
	L1    float64 // misses of the simulated first-level caches, if they were asked for
	Bm    float64 // branches that the simulated predictor gets wrong, if they were asked for
	Parts []callgrind.Part
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
	tool.Caches = p.Caches && !tool.Emulates()
	tool.Branches = tool.Caches
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
		for _, t := range p.Tasks {
			c, parts, err := tool.CountTask(ctx, built, worker.Request{Cmd: worker.CmdValues, Seed: 1, N: callgrind.Values}, t.request())
			if err != nil {
				return out, fmt.Errorf("%s %s: %w", info.Name, t, err)
			}
			out = append(out, Count{info.Name, t, c.Ir, c.L1, c.Bm, parts})
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
		i := slices.IndexFunc(b, func(y Count) bool { return y.Codec == x.Codec && y.Task == x.Task })
		if i < 0 || x.Ir == 0 {
			continue
		}
		fmt.Fprintf(w, "| %s | %s | %.0f | %.0f | %.2f |\n", x.Codec, x.Task, x.Ir, b[i].Ir, b[i].Ir/x.Ir)
	}
}

// List writes the counts of one subject, each with its n largest parts.
func List(w io.Writer, counts []Count, n int) {
	for _, x := range counts {
		fmt.Fprintf(w, "%9.0f  %s %s", x.Ir, x.Codec, x.Task)
		if x.L1 > 0 {
			fmt.Fprintf(w, ", %.1f misses of the simulated first-level caches, %.1f mispredicted branches", x.L1, x.Bm)
		}
		fmt.Fprintln(w)
		rest := x.Ir
		for _, p := range x.Parts[:min(n, len(x.Parts))] {
			fmt.Fprintf(w, "%9.0f    %s", p.Ir, brief(p.Name))
			if p.L1 > 0.05 || p.Bm > 0.05 {
				fmt.Fprintf(w, ", %.1f, %.1f", p.L1, p.Bm)
			}
			fmt.Fprintln(w)
			rest -= p.Ir
		}
		if n > 0 && rest >= 1 {
			fmt.Fprintf(w, "%9.0f    other functions\n", rest)
		}
	}
}

// brief shortens the name of a function: type arguments become […], and the path of a package of
// this project is relative to its root.
func brief(name string) string {
	var b strings.Builder
	depth := 0
	for _, r := range name {
		switch r {
		case '[':
			if depth++; depth == 1 {
				b.WriteString("[…]")
			}
		case ']':
			depth--
		default:
			if depth == 0 {
				b.WriteRune(r)
			}
		}
	}
	return strings.TrimPrefix(b.String(), "github.com/zmylab/zmy/")
}
