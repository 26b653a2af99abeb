// Package compare compares two runs of the lab: what became faster or slower, how certain that is,
// and what else changed between them.
//
// The times of two runs cannot be compared directly, since the machine's speed changes between
// runs. Inside a run every cell was measured in rounds together with encoding/json. So the change
// of a cell's ratio to encoding/json is judged; the change of the times is only shown.
//
// NOTE: compare.go matches and judges cells, changes.go lists what else differs, show.go makes the
// result an experiment, which package report draws.
package compare

import (
	"fmt"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// Options say what the user allows.
type Options struct {
	Across bool // judge runs of two machines, although their difference may be the machines'
}

// Result is the comparison of two runs.
type Result struct {
	A, B     *run.Run
	Clock    string  // clock of the times that are compared: wall or cpu
	Floor    float64 // the larger of the two noise floors
	Judged   bool    // false if the runs are from two machines: then no cell gets a verdict
	Cells    []Cell
	Lost     []string // cells that only A has: "codec op mode"
	New      []string // cells that only B has
	Changes  []Change
	Warnings []string
}

// Cell is one (codec, op, mode) that both runs have.
type Cell struct {
	A, B *run.Cell
	// Raw is the time in A ÷ the time in B: above 1, B is faster.
	Raw stats.Result
	// Rel is the cell's speed relative to the baseline in B ÷ that in A: above 1, B is faster. If a
	// run has no baseline, N is 0.
	Rel     stats.Result
	Verdict string // on B: faster | slower | tied | inconclusive; "" if not judged
	Need    float64
}

// Base reports whether the cell is a baseline's, to which the other cells of the op are related.
func (c Cell) Base() bool { return c.A.Codec == run.Baseline && c.A.Mode == stats.Fresh }

// Main reports whether the cell counts for the outcome: it is ranked in both runs, its mode is
// fresh, and it is not a baseline's, which gets no verdict.
func (c Cell) Main() bool { return c.A.Rank && c.B.Rank && c.A.Mode == stats.Fresh && !c.Base() }

// Runs compares A with B. It returns an error unless both measured the same type.
func Runs(a, b *run.Run, o Options) (*Result, error) {
	if a.Subject.Package != b.Subject.Package || a.Subject.Type != b.Subject.Type {
		return nil, fmt.Errorf("these runs measured two types, %s.%s and %s.%s: nothing can be compared; choose two runs of one type",
			a.Subject.Package, a.Subject.Type, b.Subject.Package, b.Subject.Type)
	}
	x := &Result{A: a, B: b, Clock: clock(a, b), Floor: max(a.Noise.Floor, b.Noise.Floor)}
	x.Judged = sameHost(a.Host, b.Host) || o.Across
	x.match()
	x.judge()
	x.Changes = changes(a, b)
	x.warn(o)
	return x, nil
}

// clock returns the clock of both runs. If the two runs use different clocks, it returns CPU if
// both have CPU times, else Wall.
func clock(a, b *run.Run) string {
	if a.Clock == b.Clock {
		return a.Clock
	}
	for _, r := range []*run.Run{a, b} {
		for _, c := range r.Cells {
			if c.CPU.Median == 0 {
				return stats.Wall
			}
		}
	}
	return stats.CPU
}

// match pairs the cells of the runs and computes their ratios.
func (x *Result) match() {
	for _, c := range x.A.Cells {
		other := stats.Find(x.B, c.Codec, c.Op, c.Mode)
		if other == nil {
			x.Lost = append(x.Lost, label(c))
			continue
		}
		x.Cells = append(x.Cells, x.pair(c, other))
	}
	for _, c := range x.B.Cells {
		if stats.Find(x.A, c.Codec, c.Op, c.Mode) == nil {
			x.New = append(x.New, label(c))
		}
	}
}

func (x *Result) pair(a, b *run.Cell) Cell {
	out := Cell{A: a, B: b}
	// Four seeds, so that no two resamplings draw the same rounds.
	out.Raw = stats.Between(stats.Placed(x.A, a.Samples, x.Clock, 1), stats.Placed(x.B, b.Samples, x.Clock, 2))
	baseA, baseB := stats.BaselineCell(x.A, a.Op), stats.BaselineCell(x.B, b.Op)
	if baseA != nil && baseB != nil && a != baseA {
		out.Rel = stats.Between(stats.Compared(x.B, baseB.Samples, b.Samples, x.Clock, 3),
			stats.Compared(x.A, baseA.Samples, a.Samples, x.Clock, 4))
	}
	return out
}

// judge sets the verdict of every cell. The probability that any proven difference is false is at
// most 5% over all cells.
func (x *Result) judge() {
	if !x.Judged {
		return
	}
	var judged []*Cell
	var p []float64
	for i := range x.Cells {
		if c := &x.Cells[i]; !c.Base() {
			judged, p = append(judged, c), append(p, c.best().P)
		}
	}
	for i, adjusted := range stats.Holm(p) {
		c := judged[i]
		c.Verdict, c.Need = stats.Judge(c.best(), adjusted, x.Floor)
	}
}

// best returns the ratio to judge: Rel, or Raw if a run has no baseline.
func (c Cell) best() stats.Result {
	if c.Rel.N > 0 {
		return c.Rel
	}
	return c.Raw
}

// Inconclusive reports whether the comparison did not answer the question: a main cell is
// undecided, or there was nothing to judge.
func (x *Result) Inconclusive() bool {
	n := 0
	for _, c := range x.Cells {
		if c.Main() {
			n++
			if c.Verdict == "" || c.Verdict == run.Inconclusive {
				return true
			}
		}
	}
	return n == 0
}

func label(c *run.Cell) string { return c.Codec + " " + c.Op + " " + c.Mode }
