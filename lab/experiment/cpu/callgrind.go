package cpu

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/worker"
)

// Counts are what one operation costs by callgrind, a machine in software: instructions
// are exact, cache misses those of a simulated cache.
type Counts struct {
	Codec string  `json:"codec"`
	Op    string  `json:"op"`
	Ir    float64 `json:"ir"`           // instructions
	Dr    float64 `json:"dr,omitempty"` // data reads
	Dw    float64 `json:"dw,omitempty"` // data writes
	L1    float64 `json:"l1,omitempty"` // misses of the simulated first-level caches, instructions and data
	LL    float64 `json:"ll,omitempty"` // misses of the simulated last level
}

// Callgrind counts the instructions of workers' operations.
type Callgrind struct {
	Path   string // of valgrind
	Caches bool   // simulate caches too
}

// FindCallgrind is nil, with the reason, where valgrind is not to be had.
func FindCallgrind() (*Callgrind, error) {
	path, err := exec.LookPath("valgrind")
	if err != nil {
		return nil, errors.New("valgrind is not installed (Debian: apt install valgrind)")
	}
	return &Callgrind{Path: path}, nil
}

// operations are those of the shorter of the two runs, over counted values.
const (
	operations = 128
	counted    = 16
)

// slow is how long a command may take that runs tens of times slower than usual.
const slow = 4 * time.Minute

// Count is the difference between 2N and N operations, divided by N: what comes before and
// after them cancels out. The collector is off and the program on one processor, so that
// the same instructions run each time; code that a codec generates at run time is seen.
func (g *Callgrind) Count(ctx context.Context, b *experiment.Bench, w *harness.Worker, op string) (*Counts, error) {
	one, err := g.total(ctx, b, w, op, operations)
	if err != nil {
		return nil, err
	}
	two, err := g.total(ctx, b, w, op, 2*operations)
	if err != nil {
		return nil, err
	}
	per := func(names ...string) float64 {
		sum := 0.0
		for _, n := range names {
			sum += two[n] - one[n]
		}
		return max(0, sum/operations)
	}
	return &Counts{Codec: w.Name, Op: op, Ir: per("Ir"), Dr: per("Dr"), Dw: per("Dw"), L1: per("I1mr", "D1mr", "D1mw"), LL: per("ILmr", "DLmr", "DLmw")}, nil
}

func (g *Callgrind) total(ctx context.Context, b *experiment.Bench, w *harness.Worker, op string, n int) (map[string]float64, error) {
	out := w.Scratch(fmt.Sprintf("callgrind.%s.%d", op, n))
	args := []string{g.Path, "--tool=callgrind", "--quiet", "--smc-check=all", "--callgrind-out-file=" + out}
	if g.Caches {
		args = append(args, "--cache-sim=yes")
	}
	p, err := w.Under(args, []string{"GOGC=off", "GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1"}).Start(ctx)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	values := b.Values()
	values.N = counted
	if _, err := p.Do(ctx, values, slow); err != nil {
		return nil, err
	}
	if _, err := experiment.Ask[worker.Done](ctx, &experiment.Process{Process: p}, worker.CmdRepeat, worker.Repeat{Task: worker.Task{Op: op}, N: n}, slow); err != nil {
		return nil, err
	}
	if err := p.End(ctx, slow); err != nil {
		return nil, err
	}
	f, err := os.Open(out)
	if err != nil {
		return nil, fmt.Errorf("valgrind wrote no counts: %w; it printed: %s", err, p.Printed())
	}
	defer f.Close()
	return totals(f)
}

// totals reads the sums of all events from callgrind's output.
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
