// Package callgrind counts the instructions of one operation of a worker. It uses valgrind's tool
// callgrind, which simulates a processor, so the counts do not depend on how busy the machine is.
//
// NOTE, the map: callgrind.go counts one operation with the events of the simulated caches, by the
// difference of two processes; parts.go tells which functions execute them; rounds.go counts several
// operations of one process many times, for comparisons; qemu.go counts in programs of another
// processor.
package callgrind

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/worker"
)

// Counts are the costs of one operation in callgrind. The numbers of instructions are exact; cache
// misses are those of a simulated cache.
type Counts struct {
	N  int     `json:"n"`            // operations in the shorter run
	Ir float64 `json:"ir"`           // instructions
	Dr float64 `json:"dr,omitempty"` // data reads
	Dw float64 `json:"dw,omitempty"` // data writes
	L1 float64 `json:"l1,omitempty"` // misses of the simulated first-level caches, instructions and data
	LL float64 `json:"ll,omitempty"` // misses of the simulated last level
	Bm float64 `json:"bm,omitempty"` // branches that the simulated predictor gets wrong, indirect ones too
}

// Tool is an installed valgrind, or an emulator of qemu.
type Tool struct {
	Path     string // of the program
	Caches   bool   // simulate caches too; valgrind only
	Branches bool   // simulate a branch predictor too; valgrind only
	plugin   string // for qemu: path of the plugin that counts
}

// Find returns the installed valgrind. The error says how to install it if it is missing.
func Find() (*Tool, error) {
	path, err := exec.LookPath("valgrind")
	if err != nil {
		return nil, errors.New("valgrind is not installed (Debian: apt install valgrind)")
	}
	return &Tool{Path: path}, nil
}

// Values is the number of values that the operations use.
const Values = 16

// The shorter run has as many operations as take about this long without callgrind, within the
// bounds. The runtime's own threads do background work by the clock. Under callgrind, which is tens
// of times slower, they do more of it per operation. The run is so short that this work does not
// matter.
const (
	native = 20 * time.Millisecond
	fewest = 128
	most   = 1 << 16
)

// slow is how long a command may take under callgrind, which is tens of times slower than usual.
const slow = 4 * time.Minute

// Count runs 2N and N operations and divides the difference of their counts by N, so that what
// happens before and after the operations cancels out. The collector is off and the program has one
// processor, so that every run executes the same instructions. Code that a codec generates at run
// time is counted too.
//
// values is the request that makes the worker's values.
func (g *Tool) Count(ctx context.Context, w *harness.Worker, values worker.Request, op string) (*Counts, error) {
	c, _, err := g.CountTask(ctx, w, values, worker.Task{Op: op})
	return c, err
}

// CountTask is like Count, for an operation in any mode. It also returns the instructions of each
// part of the program, or nil if the tool is an emulator.
func (g *Tool) CountTask(ctx context.Context, w *harness.Worker, values worker.Request, t worker.Task) (*Counts, []Part, error) {
	n, err := operations(ctx, w, values, t)
	if err != nil {
		return nil, nil, err
	}
	one, of, err := g.total(ctx, w, values, t, n)
	if err != nil {
		return nil, nil, err
	}
	two, both, err := g.total(ctx, w, values, t, 2*n)
	if err != nil {
		return nil, nil, err
	}
	per := func(names ...string) float64 {
		sum := 0.0
		for _, n := range names {
			sum += two[n] - one[n]
		}
		return max(0, sum/float64(n))
	}
	return &Counts{N: n, Ir: per("Ir"), Dr: per("Dr"), Dw: per("Dw"), L1: per("I1mr", "D1mr", "D1mw"), LL: per("ILmr", "DLmr", "DLmw"),
			Bm: per("Bcm", "Bim")},
		more(both, of, n), nil
}

// operations returns the number of operations in the shorter run.
func operations(ctx context.Context, w *harness.Worker, values worker.Request, t worker.Task) (int, error) {
	values.N = min(values.N, Values)
	p, err := w.Open(ctx, harness.Opening{Values: values})
	if err != nil {
		return 0, err
	}
	defer p.Close()
	ns := 1.0
	for range 2 { // the first repetition warms up
		d, err := repeat(ctx, p, t, fewest)
		if err != nil {
			return 0, err
		}
		ns = d.Wall / fewest
	}
	return min(max(int(float64(native)/max(ns, 1)), fewest), most), nil
}

func repeat(ctx context.Context, p *harness.Session, t worker.Task, n int) (*worker.Done, error) {
	return harness.Ask[worker.Done](ctx, p, worker.CmdRepeat, worker.Repeat{Task: t, N: n}, slow)
}

// total runs n operations, and returns the totals of all events and the instructions by part.
func (g *Tool) total(ctx context.Context, w *harness.Worker, values worker.Request, t worker.Task, n int) (
	all map[string]float64, parts map[string]Part, err error) {
	out := w.Scratch(fmt.Sprintf("callgrind.%s.%d", t.Op, n))
	program, env := g.program(out)
	values.N = min(values.N, Values)
	p, err := w.Under(program, append(env, exact...)).Open(ctx,
		harness.Opening{Values: values, Extra: slow})
	if err != nil {
		return nil, nil, err
	}
	defer p.Close()
	if _, err := repeat(ctx, p, t, n); err != nil {
		return nil, nil, err
	}
	if err := p.End(ctx, slow); err != nil {
		return nil, nil, err
	}
	text, err := os.ReadFile(out)
	if err != nil {
		return nil, nil, fmt.Errorf("%s wrote no counts: %w; it printed: %s", filepath.Base(g.Path), err, p.Printed())
	}
	if all, err = totals(bytes.NewReader(text)); err != nil || g.Emulates() {
		return all, nil, err
	}
	parts, err = byPart(bytes.NewReader(text))
	return all, parts, err
}

// program returns the program that runs a worker and writes its counts to out, and what is added to
// its environment.
func (g *Tool) program(out string) (program, env []string) {
	if g.plugin != "" {
		return []string{g.Path, "-plugin", g.plugin}, []string{countsTo + "=" + out}
	}
	program = []string{g.Path, "--tool=callgrind", "--quiet", "--smc-check=all", "--callgrind-out-file=" + out}
	if g.Caches {
		program = append(program, "--cache-sim=yes")
	}
	if g.Branches {
		program = append(program, "--branch-sim=yes")
	}
	return program, nil
}

// totals reads the totals of all events from callgrind's output.
func totals(r io.Reader) (map[string]float64, error) {
	var events []string
	out := map[string]float64{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		key, rest, ok := strings.Cut(lines.Text(), ":")
		if !ok {
			continue
		}
		switch key {
		case "events":
			events = strings.Fields(rest)
		case "totals", "summary":
			for i, f := range strings.Fields(rest) {
				v, err := strconv.ParseFloat(f, 64)
				if err != nil || i >= len(events) {
					return nil, fmt.Errorf("callgrind's output: %q", lines.Text())
				}
				out[events[i]] = v
			}
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if out["Ir"] == 0 {
		return nil, errors.New("callgrind's output holds no total: the program did not end by itself")
	}
	return out, nil
}
