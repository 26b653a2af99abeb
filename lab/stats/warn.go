package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
)

// NOTE: doubts exist in three forms. fillWarnings writes full sentences into the run, where the HTML
// report shows them. Doubts says the same in short lines, for report.md and for a terminal that
// shows all. Brief is for a terminal that shows what a reader can act on. Spread doubts the values,
// not the samples, and is part of the verdict.

// own is the prefix of warnings that Fill writes. Fill replaces these when it is called again, and
// leaves other warnings alone.
const own = "statistics: "

// Schedule is the prefix of warnings about the schedule of measuring: what the budget did not
// allow.
const Schedule = "schedule: "

// Doubts returns all warnings of a run. Those of Fill and of the schedule become at most three short
// lines; other warnings are returned as they are.
func Doubts(r *run.Run) []string {
	var plan, out []string
	for _, w := range r.Warnings {
		if text, ok := strings.CutPrefix(w, Schedule); ok {
			plan = append(plan, text)
		} else if !strings.HasPrefix(w, own) {
			out = append(out, w)
		}
	}
	if plan == nil && r.Noise.Launch == 1 {
		plan = append(plan, "one launch only: what differs from process to process was not seen")
	}
	add := func(lead string, parts []string) {
		if parts != nil {
			out = append(out, lead+strings.Join(parts, "; "))
		}
	}
	add("", plan)
	add("", mood(r))
	if cells := unproven(r); cells != nil {
		open := []string{grouped(cells, 3) + longer(mostNeed(cells))}
		if r.Depth == "quick" {
			open = append(open, "-depth standard measures longer")
		}
		add("undecided, neither faster nor slower than encoding/json: ", open)
	}
	return out
}

// Brief returns at most three doubts, each with what to do about it, and how many more Doubts has.
func Brief(r *run.Run) (doubts []string, more int) {
	all := len(Doubts(r))
	for _, w := range r.Warnings {
		if !strings.HasPrefix(w, Schedule) && !strings.HasPrefix(w, own) {
			doubts = append(doubts, w) // it says itself what to do
			break
		}
	}
	if parts := mood(r); parts != nil {
		doubts = append(doubts, strings.Join(parts, "; ")+" → zmy lab doctor says what disturbs this machine")
	}
	if cells := unproven(r); cells != nil {
		next := " → -depth standard measures longer"
		if need := mostNeed(cells); need > mostLonger {
			next = " → measure on a quieter machine"
		} else if r.Depth != "quick" {
			next = " → measure with a longer -budget"
		}
		doubts = append(doubts, "not proven faster or slower than encoding/json: "+grouped(cells, 3)+next)
	}
	return doubts, max(0, all-len(doubts))
}

// mood returns a few words about what disturbed the machine.
func mood(r *run.Run) []string {
	var out []string
	if Busy(r.Host) {
		out = append(out, fmt.Sprintf("load %.1f on %d cores", r.Host.Load1, r.Host.Cores))
	}
	switch {
	case len(r.Noise.Twin) == 0:
		out = append(out, "no A/A twin was measured, the noise floor is unknown")
	case r.Clock == CPU:
		out = append(out, fmt.Sprintf("wall time too noisy: ranked by CPU time, in which two copies of one program may differ by up to %s",
			quantity.Share(r.Noise.Floor)))
	case r.Noise.Floor > 0.05:
		out = append(out, fmt.Sprintf("two copies of one program may differ by up to %s", quantity.Share(r.Noise.Floor)))
	}
	if by := drift(r); math.Abs(by) > 0.05 {
		out = append(out, fmt.Sprintf("the baseline moved by %+.0f%% during the run", 100*by))
	}
	return out
}

// Busy reports whether the load was more than half of the machine's cores when the run began.
func Busy(h run.Host) bool { return h.Cores > 0 && h.Load1 > 0.5*float64(h.Cores) }

// unproven returns the ranked cells whose judgement is inconclusive.
func unproven(r *run.Run) []*run.Cell {
	var out []*run.Cell
	for _, c := range r.Cells {
		if c.Rank && c.Mode == Fresh && c.Against == run.Inconclusive {
			out = append(out, c)
		}
	}
	return out
}

// mostNeed returns how many times longer a run would have to be to decide all cells.
func mostNeed(cells []*run.Cell) float64 {
	most := 0.0
	for _, c := range cells {
		most = max(most, c.Need)
	}
	return most
}

// grouped names cells by codec: "sonic encode", "protobuf encode and decode". Beyond the limit
// most, it only counts the codecs.
func grouped(cells []*run.Cell, most int) string {
	var ops Shared
	for _, c := range cells {
		ops.Add(c.Op, c.Codec)
	}
	var names []string
	for _, g := range ops {
		names = append(names, g.What+" "+strings.Join(g.Who, " and "))
	}
	if more := len(names) - most; more > 0 {
		names = append(names[:most], fmt.Sprintf("%d more (?)", more))
	}
	return strings.Join(names, ", ")
}

// fillWarnings sets the warnings that a reader of the run must know.
func fillWarnings(r *run.Run, waits []waiting) {
	r.Warnings = slices.DeleteFunc(r.Warnings, func(s string) bool { return strings.HasPrefix(s, own) })
	add := func(format string, args ...any) {
		r.Warnings = append(r.Warnings, own+fmt.Sprintf(format, args...))
	}
	if len(r.Cells) == 0 {
		add("nothing was measured")
		return
	}
	if Busy(r.Host) {
		add("the machine was busy when the run began (load %.1f on %d cores, which counts a compilation of the minutes before): intervals may be wider than they need be", r.Host.Load1, r.Host.Cores)
	}
	if r.Clock == CPU {
		_, wall := twins(r, Wall, part(r))
		add("ratios and ranking stand on CPU time, in which two copies of the same program differed by up to %s; in wall time it was %s",
			quantity.Share(r.Noise.Floor), quantity.Share(wall))
	}
	switch l := r.Noise.Launch; {
	case l == 1:
		add("one launch only: what differs from process to process (memory layout, hash seeds) was not seen, and no interval includes it; more " +
			"budget adds launches")
	case l < 5:
		add("%d launches: intervals are stretched for so few; differences near the noise floor need at least 5", l)
	}
	if BaselineCell(r, Encode) == nil && BaselineCell(r, Decode) == nil {
		add("the baseline %s was not measured: there are no ratios", run.Baseline)
	}
	ratios, _ := twins(r, r.Clock, part(r))
	switch {
	case !judged(ratios):
		add("no A/A twin was measured: the noise floor is unknown, ±%s is assumed", quantity.Share(assumedFloor))
	case r.Noise.Floor > 0.05 && r.Clock != CPU:
		add("two copies of the same program differed by up to %s: smaller differences prove nothing here", quantity.Share(r.Noise.Floor))
	}
	if by := drift(r); math.Abs(by) > 0.05 {
		add("the baseline itself moved by %+.0f%% from the first third of the run to the last; ratios are paired by round, absolute times are "+
			"less certain", 100*by)
	}
	if cells := unproven(r); cells != nil {
		add("undecided, neither faster nor slower than encoding/json: %s%s", grouped(cells, len(cells)), longer(mostNeed(cells)))
	}
	if open := mayWait(waits); open != nil {
		add("these may wait, since they take more wall time for their CPU time than the baseline, which is not proven: %s; "+
			"none is called faster by its CPU time", strings.Join(open, ", "))
	}
	var pairs []string
	for _, k := range r.Ranking {
		if k.Need > 0 {
			pairs = append(pairs, k.Codec+" and "+r.Ranking[k.Place-1].Codec+longer(k.Need))
		}
	}
	if pairs != nil {
		add("could not be told apart: %s", strings.Join(pairs, ", "))
	}
}

// longer returns words for how many times longer a run would have to be.
func longer(need float64) string {
	switch {
	case need <= 0:
		return ""
	case need > mostLonger:
		return fmt.Sprintf(" (it takes a quieter machine: more than %d× longer on this one)", mostLonger)
	}
	return fmt.Sprintf(" (about %.0f× longer may decide)", need)
}

// mostLonger is how many times longer a user is asked to run at most.
const mostLonger = 20

// drift returns the relative change of the baseline's median time from the first third of the run
// to the last, such as -0.1 if times became 10% shorter. Of encode and decode, the one that changed
// more counts.
func drift(r *run.Run) float64 {
	worst := 0.0
	time := SampleTime(r.Clock)
	for _, op := range []string{Encode, Decode} {
		c := BaselineCell(r, op)
		if c == nil || len(c.Samples) < 9 {
			continue
		}
		s := slices.Clone(c.Samples)
		slices.SortStableFunc(s, func(a, b run.Sample) int { return cmp.Compare(a.At, b.At) })
		third := len(s) / 3
		of := func(part []run.Sample) float64 {
			var xs []float64
			for _, p := range part {
				xs = append(xs, time(p))
			}
			return Median(xs)
		}
		if by := of(s[len(s)-third:])/of(s[:third]) - 1; math.Abs(by) > math.Abs(worst) {
			worst = by
		}
	}
	return worst
}

// cellWarnings returns warnings about one cell's samples. No sample is dropped.
func cellWarnings(c *run.Cell) []string {
	out := slices.DeleteFunc(c.Warnings, func(s string) bool { return strings.HasPrefix(s, own) })
	s := seriesOf(c.Samples, SampleTime(Wall))
	if n, of := outliers(s), len(s); n > 0 {
		out = append(out, fmt.Sprintf("%s%d of %d rounds lie more than 3 interquartile ranges away; kept", own, n, of))
	}
	if w, u := c.Wall.Median, c.CPU.Median; u > 0 && w > 1.5*u {
		out = append(out, fmt.Sprintf("%swall time is %.1f× CPU time: it waits, or the machine was busy", own, w/u))
	} else if w > 0 && u > 1.5*w {
		out = append(out, fmt.Sprintf("%sCPU time is %.1f× wall time: other cores work for it (garbage collection or goroutines)", own, u/w))
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// outliers returns the number of rounds that lie more than 3 interquartile ranges beyond the
// quartiles of their launch.
func outliers(s series) int {
	n := 0
	for _, l := range s.clusters() {
		v := slices.Clone(l)
		slices.Sort(v)
		q1, q3 := Quantile(v, 0.25), Quantile(v, 0.75)
		far := 3 * max(q3-q1, 1e-3) // the range counts as at least 0.1%, since rounds may be almost equal
		for _, x := range v {
			if x < q1-far || x > q3+far {
				n++
			}
		}
	}
	return n
}

// MadeUp returns a doubt about losses of values that the lab made up, or "" if no codec loses any or
// the values are the user's: a real value may not hold what was lost.
func MadeUp(r *run.Run) string {
	s := &r.Subject
	lossy := func(c *run.Contender) bool { return c.Status == run.StatusMeasured && c.Value.Grade == run.Lossy }
	if s.Source == "" || s.Origin() != run.Generated || !slices.ContainsFunc(r.Contenders, lossy) {
		return ""
	}
	text := "values were made up from " + s.Source
	if base := Contender(r, run.Baseline); base != nil && lossy(base) {
		text += ", and encoding/json loses part of them too: your program may have no such values"
	}
	text += "; give real ones by -sample FILE"
	if s.Sampler != "" {
		text += " or func " + s.Sampler
	}
	return text
}

// A verdict is doubted if the values exceed one of these.
const (
	mostSpread = 5        // mean size over median size: a few large values decide
	mostMedian = 16 << 10 // bytes of the median generated value, as JSON
)

// Spread returns the reason to doubt a verdict on these values, or "". The median of values that
// were captured or made by the user may be of any size; that of generated values may not.
func Spread(s *run.Subject) string {
	median, mean := s.JSONSize.Median, s.JSONMean
	real := "take real ones by -sample FILE"
	if s.Sampler != "" {
		real += " or func " + s.Sampler
	}
	if s.Origin() != run.Generated && s.LeftOut <= s.Values && !s.Alike {
		real = "compare with values of one size"
	}
	switch {
	case s.LeftOut > s.Values:
		return fmt.Sprintf("Doubt the values: encoding/json carries only %d of the %d that were made, and the others were left out; %s.",
			s.Values, s.Values+s.LeftOut, real)
	case s.Alike:
		return fmt.Sprintf("Doubt the values: all %d are the same, so most of the type may not have been measured; %s.", s.Values, real)
	case median > 0 && mean > mostSpread*median:
		return fmt.Sprintf("Doubt the values: their mean size is %.0f times the median (%.0f and %.0f bytes as JSON), so a few "+
			"large ones decide; %s.",
			mean/median, mean, median, real)
	case s.Origin() == run.Generated && median > mostMedian:
		return fmt.Sprintf("Doubt the values: half of them take more than %.0f KB as JSON, which generated values should not; %s.",
			median/1e3, real)
	}
	return ""
}
