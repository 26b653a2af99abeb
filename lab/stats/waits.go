package stats

import (
	"fmt"
	"math"
	"strings"

	"github.com/zmylab/zmy/lab/run"
)

// waitsBy bounds a contender's wall time ÷ CPU time, as a multiple of the baseline's. A contender
// beyond that waits, and its CPU time does not show what it costs.
const waitsBy = 2

// waitsText occurs in the reason of a contender that is not ranked because it waits.
const waitsText = " waits: "

// waiting is one cell whose point estimate is beyond waitsBy.
type waiting struct {
	cell   *run.Cell
	by     Result
	proven bool
}

// suspects returns the cells that seem to wait instead of working, if the run uses CPU time. proven
// means that the whole interval lies beyond waitsBy and beyond the noise of the A/A twin, after
// Holm's correction for the number of cells.
func suspects(r *run.Run) []waiting {
	if r.Clock != CPU {
		return nil
	}
	limit := math.Log(waitsBy) + twinWaits(r)
	var (
		all, out []waiting
		p        []float64 // p-value of each element of all
	)
	for _, c := range r.Cells {
		base := BaselineCell(r, c.Op)
		if base == nil || base == c || c.Mode != Fresh {
			continue
		}
		logs := idle(c.Samples).over(idle(base.Samples))
		beyond := Locate(logs.less(limit), seedOf(r, c)).within(part(r))
		all = append(all, waiting{cell: c, by: Locate(logs, seedOf(r, c)).within(part(r)), proven: beyond.DF > 0 && beyond.Lo > 1})
		p = append(p, beyond.P)
	}
	for i, adjusted := range Holm(p) {
		if w := all[i]; w.by.N > 0 && w.by.Point > waitsBy {
			w.proven = w.proven && adjusted < alpha
			out = append(out, w)
		}
	}
	return out
}

// twinWaits returns how far from 1, on a log scale, the twin's wall time ÷ CPU time may be from the
// baseline's. Both are the same program, so that is noise.
func twinWaits(r *run.Run) float64 {
	far := 0.0
	for _, t := range r.Noise.Twin {
		base := Find(r, run.Baseline, t.Op, t.Mode)
		if base == nil || t.Cell == nil {
			continue
		}
		if x := Locate(idle(t.Cell.Samples).over(idle(base.Samples)), seed(r, run.Twin, t.Op, t.Mode)).within(part(r)); x.N > 0 {
			far = max(far, reach(x))
		}
	}
	return far
}

// idle returns wall time ÷ CPU time of each round.
func idle(samples []run.Sample) series {
	return seriesOf(samples, func(s run.Sample) float64 {
		if s.CPU <= 0 {
			return 0
		}
		return s.Wall / s.CPU
	})
}

// less returns the clusters with by subtracted from every value.
func (c Clusters) less(by float64) Clusters {
	out := make(Clusters, len(c))
	for i, l := range c {
		for _, v := range l {
			out[i] = append(out[i], v-by)
		}
	}
	return out
}

// gradeWaits takes contenders out of the ranking if they are proven to wait.
func gradeWaits(r *run.Run, all []waiting) {
	for _, w := range all {
		c := Contender(r, w.cell.Codec)
		if c == nil || !w.proven || c.Rankless != "" || c.Status != run.StatusMeasured {
			continue
		}
		c.Rankless = fmt.Sprintf("%s%s%s more wall time for its CPU time than the baseline %s, and this run stands on CPU time",
			w.cell.Op, waitsText, Times(w.by.Point), Bounds(interval(w.by)))
	}
}

// doubtWaits makes the judgement of a cell inconclusive if its CPU time says faster but it may
// wait.
func doubtWaits(all []waiting) {
	for _, w := range all {
		if w.cell.Against == run.Faster {
			w.cell.Against = run.Inconclusive
		}
	}
}

// mayWait names the ranked cells that seem to wait, but are not proven to.
func mayWait(all []waiting) []string {
	var out []string
	for _, w := range all {
		if w.cell.Rank && !w.proven {
			out = append(out, fmt.Sprintf("%s %s (%s %s)", w.cell.Codec, w.cell.Op, Times(w.by.Point), Bounds(interval(w.by))))
		}
	}
	return out
}

// Bounds spells a 95% interval of a ratio: "[1.3, 2.4]".
func Bounds(i run.Interval) string {
	cut := func(x float64) string { return strings.TrimSuffix(Times(x), "×") }
	return "[" + cut(i.Lo) + ", " + cut(i.Hi) + "]"
}
