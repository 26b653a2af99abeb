package gate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/measure"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// Verdicts of a cell.
const (
	Regression   = "regression"   // slower by more than tolerance and noise floor, proven; or more allocations or bytes
	Improved     = "improved"     // faster by more than tolerance and noise floor, proven
	Unchanged    = "unchanged"    // not slower by more than the tolerance, at 95%
	Inconclusive = "inconclusive" // none of these is shown
)

// Cell is one (codec, op, mode) on both sides.
type Cell struct {
	Now, Before *run.Cell
	Was, Is     float64      // medians of the time in ns, or of the instructions of an operation
	Floor       float64      // noise floor
	Ratio       stats.Result // time or instructions before ÷ now: below 1, it became slower
	P           float64      // p-value of Ratio = 1, corrected for the number of cells
	Verdict     string
	Need        float64 // if Inconclusive: about how many times longer a run must be to decide, 0 if unknown
	Counts      []counter
	Grew        []string // counts that grew by more than is accepted: "allocs 2 → 3"
}

// Regressed reports whether the change must be stopped.
func (x *Result) Regressed() bool {
	return x.any(Regression) || len(x.Broken) > 0
}

// Undecided reports whether some cell may hide a regression, or a codec that the user asked for has
// no cell.
func (x *Result) Undecided() bool {
	return x.any(Inconclusive) || len(x.Cells) == 0 || len(x.Unmatched) > 0
}

func (x *Result) any(verdict string) bool {
	return slices.ContainsFunc(x.Cells, func(c Cell) bool { return c.Verdict == verdict })
}

// judge sets clock, floor and cells from the measured cells.
func (x *Result) judge(cells []*run.Cell, seed uint64) {
	all := &run.Run{Cells: cells}
	r := x.noise(cells, seed)
	var p []float64
	for _, c := range cells {
		was := stats.Find(all, c.Codec+old, c.Op, c.Mode)
		if was == nil || c.Codec == run.Twin {
			continue
		}
		ratio := stats.Compared(r, was.Samples, c.Samples, x.Clock, seed+uint64(len(p)))
		x.Cells, p = append(x.Cells, Cell{Now: c, Before: was, Was: x.time(was), Is: x.time(c), Floor: x.Floor, Ratio: ratio,
			Counts: batchCounts(was, c)}), append(p, ratio.P)
	}
	x.conclude(p)
}

// time returns the median time of a cell in ns.
func (x *Result) time(c *run.Cell) float64 { return stats.Location(c.Samples, x.Clock, 1).Point }

// conclude sets the verdicts. p are the p-values of the cells' ratios.
func (x *Result) conclude(p []float64) {
	for i, adjusted := range stats.Holm(p) {
		c := &x.Cells[i]
		c.P = adjusted
		c.Verdict, c.Need = decide(c.Ratio, adjusted, c.Floor, x.Tolerance)
		if c.Grew = x.grew(c); len(c.Grew) > 0 {
			c.Verdict, c.Need = Regression, 0
		}
	}
}

// noise sets clock and floor from the baseline and its twin, as every run of the lab does. It
// returns a run with these two codecs only.
func (x *Result) noise(cells []*run.Cell, seed uint64) *run.Run {
	r := &run.Run{Seed: seed}
	for _, c := range cells {
		if c.Codec == run.Baseline || c.Codec == run.Twin {
			copied := *c
			r.Cells = append(r.Cells, &copied)
		}
	}
	stats.Fill(r)
	x.Clock, x.Floor = r.Clock, r.Noise.Floor
	return r
}

// decide returns the verdict on a ratio of times. A slowdown is a regression if it is proven after
// correction and exceeds both noise floor and tolerance. A cell is unchanged if its interval
// excludes a slowdown beyond the tolerance: it is not enough that no slowdown was proven.
func decide(r stats.Result, p, floor, tolerance float64) (verdict string, need float64) {
	if r.N == 0 || r.DF == 0 {
		return Inconclusive, 0
	}
	effect, accepted := math.Log(r.Point), math.Log1p(tolerance)
	limit := max(math.Log1p(floor), accepted)
	proven := p < 0.05 && (r.Hi < 1 || r.Lo > 1)
	switch {
	case proven && effect < -limit:
		return Regression, 0
	case proven && effect > limit:
		return Improved, 0
	case math.Log(r.Lo) >= -accepted:
		return Unchanged, 0
	}
	// The interval shrinks with the square root of the time. It must become shorter than the
	// distance between the effect and the tolerance.
	room := math.Abs(effect + accepted)
	half := max(math.Log(r.Hi/r.Lo)/2, math.Log1p(floor))
	if room < 0.002 { // the effect equals the tolerance: no run is long enough
		return Inconclusive, 0
	}
	return Inconclusive, max(2, math.Ceil(half*half/room/room))
}

// Counts of a batch vary by this much even if the code is the same. The causes are the runtime's own
// allocations during a pass over the values, and pools that a collection emptied.
const (
	strayAllocs = 0.05
	strayBytes  = 16
)

// counter is a count of a cell on both sides.
type counter struct {
	what    string
	was, is float64
	stray   float64 // growth that proves nothing
	varies  bool    // the count of one program differs from launch to launch
}

// batchCounts returns the counts of cells whose time was measured.
func batchCounts(was, is *run.Cell) []counter {
	return []counter{
		{what: "allocs", was: was.Allocs, is: is.Allocs, stray: strayAllocs},
		{what: "B/op", was: was.Bytes, is: is.Bytes, stray: strayBytes},
		{what: "encoded bytes", was: was.Wire, is: is.Wire},
	}
}

// beyond reports whether a count grew by more than is accepted. A count that varies is accepted to
// grow by the tolerance, too.
func (x *Result) beyond(n counter) bool {
	accepted := x.Growth
	if n.varies {
		accepted = max(accepted, x.Tolerance)
	}
	return n.is > n.was+n.stray && n.is > n.was*(1+accepted)
}

// grew lists the counts of a cell that grew by more than is accepted.
func (x *Result) grew(c *Cell) (out []string) {
	for i, n := range c.Counts {
		if x.beyond(n) && (i < 2 || c.Now.Op == "encode") { // the size of messages is reported once
			out = append(out, fmt.Sprintf("%s %s → %s", n.what, figure(n.was), figure(n.is)))
		}
	}
	return out
}

// figure formats a count: an integer without decimals, other numbers with two.
func figure(x float64) string {
	return strings.TrimSuffix(fmt.Sprintf("%.2f", x), ".00")
}

// dropped records a codec that broke during the rounds.
func (x *Result) dropped(d measure.Dropped) {
	name, wasOld := strings.CutSuffix(d.Name, old)
	text := fmt.Sprintf("%s broke (%s: %v)", name, d.When, d.Err)
	switch {
	case d.Name == run.Twin:
		x.Warnings = append(x.Warnings, "the twin of the baseline broke: the noise floor is unknown")
	case wasOld:
		x.alone(name, text)
	default:
		x.Broken = append(x.Broken, text)
	}
}

// differ warns of differences that make the two sides do different work.
func (x *Result) differ() {
	a, b := x.Before.Subject, x.Now.Subject
	if a.Fields != b.Fields || a.Depth != b.Depth {
		x.Warnings = append(x.Warnings, fmt.Sprintf("the type changed: %d fields, depth %d → %d fields, depth %d; times are of "+
			"different work, and are judged as what the change costs", a.Fields, a.Depth, b.Fields, b.Depth))
	}
	if a.JSONSize != b.JSONSize || a.Source != b.Source || a.Values != b.Values {
		x.Warnings = append(x.Warnings, fmt.Sprintf("the values differ: %d of median %.0f B as JSON (%s) → %d of %.0f B (%s); "+
			"-sample FILE gives both sides the same",
			a.Values, a.JSONSize.Median, a.Source, b.Values, b.JSONSize.Median, b.Source))
	}
	x.Warnings = append(x.Warnings, x.Now.Warnings...)
}
