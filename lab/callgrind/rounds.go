package callgrind

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/worker"
)

// Cell is one operation and mode to count.
type Cell struct{ Op, Mode string }

// Round holds the means of one operation in one round.
type Round struct{ Instrs, Allocs, Bytes float64 }

// The operations of a round take about brief of a processor's time without callgrind, but at least
// one pass over the values is made and at most mostPasses.
const (
	brief      = 300 * time.Microsecond
	mostPasses = 256
)

// Plan returns how many operations a round of each cell has: whole passes over the worker's values,
// so that all rounds do the same work. It times the operations, so a second call may return other
// numbers.
//
// values is the request that makes the worker's values.
func Plan(ctx context.Context, w *harness.Worker, values worker.Request, cells []Cell) ([]worker.CountCell, error) {
	p, err := w.Open(ctx, harness.Opening{Values: values})
	if err != nil {
		return nil, err
	}
	defer p.Close()
	pass, out := p.Made.Values.N, make([]worker.CountCell, len(cells))
	for i, c := range cells {
		a, err := p.Do(ctx, worker.Request{Cmd: worker.CmdRun, Op: c.Op, Mode: c.Mode, N: 4 * pass, Block: pass, Warm: true}, 0)
		if err != nil {
			return nil, err
		}
		each := max(a.Run.CPU/float64(a.Run.N), 1)
		out[i] = worker.CountCell{Op: c.Op, Mode: c.Mode, N: pass * min(max(int(float64(brief)/each)/pass, 1), mostPasses)}
	}
	return out, nil
}

// Rounds starts a process of the worker under callgrind and counts rounds of each cell, which Plan
// returned. The results are in the order of the cells. Every count begins and ends at a call of the
// function that [worker.Marks] names, so start, values and warm-up are in none.
//
// The collector is off and the program has one processor. What is left to chance is what Go's
// runtime draws by itself: the order in which maps are iterated, and the seeds of their hashes.
func (g *Tool) Rounds(ctx context.Context, w *harness.Worker, values worker.Request, cells []worker.CountCell,
	rounds int) ([][]Round, error) {
	dir := w.Scratch("rounds")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "counts")
	program := []string{g.Path, "--tool=callgrind", "--quiet", "--smc-check=all-non-file", "--separate-threads=yes",
		"--dump-before=" + worker.Marks, "--callgrind-out-file=" + out}
	p, err := w.Under(program, exact).Open(ctx, harness.Opening{Values: values, Extra: slow})
	if err != nil {
		return nil, err
	}
	defer p.Close()
	a, err := harness.Ask[worker.Counted](ctx, p, worker.CmdCount, worker.Count{Cells: cells, Rounds: rounds}, slow)
	if err != nil {
		return nil, err
	}
	all := make([][]Round, len(cells))
	for i, c := range cells {
		for k := range rounds {
			n := float64(c.N)
			instrs, err := dumped(out, 2*(i*rounds+k)+2) // the mark that ends a round
			if err != nil {
				return nil, fmt.Errorf("%w; it printed: %s", err, p.Printed())
			}
			had := a.Cells[i][k]
			all[i] = append(all[i], Round{Instrs: instrs / n, Allocs: had.Objects / n, Bytes: had.Bytes / n})
		}
	}
	return all, nil
}

// exact is the environment in which two processes of a program execute the same instructions: no
// collector, no preemption by the clock, no samples of the heap.
var exact = []string{"GOGC=off", "GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1,memprofilerate=0"}

// dumped returns the instructions of dump number n, from 1. It has a file for each thread: the
// operations run on one, and Go's runtime watches the clock on others, which do far less.
func dumped(out string, n int) (most float64, err error) {
	threads, err := filepath.Glob(fmt.Sprintf("%s.%d-*", out, n))
	if err != nil {
		return 0, err
	}
	for _, name := range threads {
		text, err := os.ReadFile(name)
		if err != nil {
			return 0, err
		}
		sums, err := totals(bytes.NewReader(text))
		if err == nil { // a thread that did nothing has no total
			most = max(most, sums["Ir"])
		}
	}
	if most == 0 {
		return 0, fmt.Errorf("callgrind wrote no count at call %d of %s", n, worker.Marks)
	}
	return most, nil
}
