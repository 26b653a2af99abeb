// Package compare sets two runs of the lab against each other: what became faster or
// slower, what that can be known to, and what else changed between them.
//
// A time of one run says little about a time of another, since the machine's mood moved
// between them. Inside a run every cell was measured in rounds with encoding/json, so
// the change that is judged is the change of a cell's ratio to it; the change of the
// times themselves is shown beside.
//
// NOTE: compare.go matches and judges cells, changes.go lists what else differs,
// show.go makes it an experiment, which package report draws.
package compare

import (
	"fmt"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// Options say what is allowed.
type Options struct {
	Across bool // judge runs of two machines: their difference is then the machines' too
}

// Result is the comparison of two runs.
type Result struct {
	A, B     *run.Run
	Clock    string  // that the figures stand on
	Floor    float64 // the larger noise floor of the two
	Judged   bool    // false: two machines, nothing is called faster or slower
	Cells    []Cell
	Lost     []string // "codec op mode" that only A has
	New      []string // that only B has
	Changes  []Change
	Warnings []string
}

// Cell is one (codec, op, mode) that both runs have.
type Cell struct {
	A, B *run.Cell
	// Raw is the time in A over the time in B: above 1, B is faster.
	Raw stats.Result
	// Rel is the same of the ratios to the baseline of each run; without one N is 0.
	Rel     stats.Result
	Verdict string // of B: faster | slower | tied | inconclusive; "" where nothing is judged
	Need    float64
}

// Base reports whether the cell is what the others are related to.
func (c Cell) Base() bool { return c.A.Codec == run.Baseline && c.A.Mode == stats.Fresh }

// Main reports whether the cell counts for the outcome: ranked in both runs, mode fresh.
func (c Cell) Main() bool { return c.A.Rank && c.B.Rank && c.A.Mode == stats.Fresh && !c.Base() }

// Runs compares A with B. Both must have measured the same type.
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

// clock is the one that both runs stand on, CPU time where they differ and both have it.
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
	out.Raw = stats.Between(stats.Placed(x.A, a.Samples, x.Clock, 1), stats.Placed(x.B, b.Samples, x.Clock, 2))
	baseA, baseB := stats.BaselineCell(x.A, a.Op), stats.BaselineCell(x.B, b.Op)
	if baseA != nil && baseB != nil && a != baseA {
		out.Rel = stats.Between(stats.Compared(x.B, baseB.Samples, b.Samples, x.Clock, 3),
			stats.Compared(x.A, baseA.Samples, a.Samples, x.Clock, 4))
	}
	return out
}

// judge calls every cell, the claims of all together at 95%.
func (x *Result) judge() {
	if !x.Judged {
		return
	}
	var p []float64
	for _, c := range x.Cells {
		if !c.Base() {
			p = append(p, c.best().P)
		}
	}
	p = stats.Holm(p)
	i := 0
	for k := range x.Cells {
		c := &x.Cells[k]
		if !c.Base() {
			c.Verdict, c.Need = stats.Judge(c.best(), p[i], x.Floor)
			i++
		}
	}
}

// best is the ratio that is judged: that of the ratios, or of the times where a run has
// no baseline.
func (c Cell) best() stats.Result {
	if c.Rel.N > 0 {
		return c.Rel
	}
	return c.Raw
}

// Inconclusive reports whether the comparison leaves open what it was asked for: a main
// cell is undecided, or nothing could be judged.
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
