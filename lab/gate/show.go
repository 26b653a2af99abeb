package gate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// Experiment returns the result in the form that every report draws. command are the arguments that
// repeat the gate.
func (x *Result) Experiment(command []string) *run.Experiment {
	e := &run.Experiment{Name: "gate", Title: fmt.Sprintf("Gate: %s against %s", x.Now.Subject.Name, x.since),
		Question: "Did this change make the type slower, larger or hungrier?",
		Command:  command, Started: x.Now.Started, Host: x.Now.Host, Depth: x.Now.Depth,
		Findings: x.findings(), Warnings: x.Warnings, Absent: x.Apart}
	e.Tables = run.Filled(x.times(), x.counts())
	return e
}

func label(c *run.Cell) string {
	if c.Mode == stats.Fresh {
		return c.Codec + " " + c.Op
	}
	return c.Codec + " " + c.Op + " " + c.Mode
}

// findings returns the result as sentences, the verdict first.
func (x *Result) findings() []string {
	count := map[string]int{}
	for _, c := range x.Cells {
		count[c.Verdict]++
	}
	summary := fmt.Sprintf("%d of %d cells unchanged, %d improved, %d inconclusive; tolerance %s%%, noise floor ±%s.",
		count[Unchanged], len(x.Cells), count[Improved], count[Inconclusive], quantity.Figure(100*x.Tolerance), quantity.Share(x.Floor))
	var out []string
	switch {
	case x.Regressed():
		n := count[Regression] + len(x.Broken)
		out = append(out, fmt.Sprintf("REGRESSION in %d of %d: %s", n, len(x.Cells)+len(x.Broken), summary))
	case x.Undecided():
		out = append(out, "INCONCLUSIVE: "+summary)
	default:
		out = append(out, "OK: "+summary)
	}
	out = append(append(out, x.Broken...), x.Unmatched...)
	for _, c := range x.sorted() {
		switch {
		case c.Verdict == Regression && slower(c):
			out = append(out, fmt.Sprintf("%s takes %s more time than at %s (%s to %s)%s", label(c.Now), quantity.Share(1/c.Ratio.Point-1), x.Ref,
				quantity.Share(1/c.Ratio.Hi-1), quantity.Share(1/c.Ratio.Lo-1), also(c.Grew)))
		case c.Verdict == Regression:
			out = append(out, fmt.Sprintf("%s: %s", label(c.Now), strings.Join(c.Grew, ", ")))
		case c.Verdict == Improved:
			out = append(out, fmt.Sprintf("%s takes %s less time (%s to %s)", label(c.Now), quantity.Share(1-1/c.Ratio.Point),
				quantity.Share(1-1/c.Ratio.Lo), quantity.Share(1-1/c.Ratio.Hi)))
		case c.Verdict == Inconclusive && c.Ratio.N > 0:
			out = append(out, fmt.Sprintf("%s may be slower by up to %s: %s may decide", label(c.Now), quantity.Share(1/c.Ratio.Lo-1),
				longer(c.Need)))
		}
	}
	return out
}

// longer says what may decide an inconclusive cell. It does not suggest a run of hours.
func longer(need float64) string {
	if need == 0 || need > 30 {
		return "a quieter machine"
	}
	return fmt.Sprintf("a run about %.0f× longer (-budget) or a quieter machine", need)
}

// slower reports whether a regression is one of time, not only of counts.
func slower(c Cell) bool { return c.Ratio.N > 0 && c.Ratio.Hi < 1 }

func also(grew []string) string {
	if len(grew) == 0 {
		return ""
	}
	return "; " + strings.Join(grew, ", ")
}

// sorted returns the cells, the most important first.
func (x *Result) sorted() []Cell {
	rank := map[string]int{Regression: 0, Inconclusive: 1, Improved: 2, Unchanged: 3}
	cells := slices.Clone(x.Cells)
	slices.SortStableFunc(cells, func(a, b Cell) int {
		return cmp.Or(cmp.Compare(rank[a.Verdict], rank[b.Verdict]), cmp.Compare(a.Ratio.Point, b.Ratio.Point))
	})
	return cells
}

// times has one row for each cell.
func (x *Result) times() run.Table {
	t := run.Table{Title: "Times", Note: fmt.Sprintf("Medians of %s time over %d launches × %d rounds, both sides in each round. Speed is "+
		"time before over time now: below 1, it became slower.", x.Clock, x.Launches, x.Rounds)}
	for _, c := range x.sorted() {
		speed := run.Text("–")
		if r := c.Ratio; r.N > 0 {
			speed = run.Between(r.Point, r.Lo, r.Hi)
		}
		mark := map[string]string{Regression: "bad", Inconclusive: "doubt", Improved: "good"}[c.Verdict]
		t.Add(append(key(c), x.time(c.Before).Under("before", run.UnitNS), x.time(c.Now).Under("now", run.UnitNS),
			speed.Under("speed", run.UnitTimes).Means("with its 95% interval"), run.Item{Text: c.Verdict, Mark: mark}.Under("verdict", ""))...)
	}
	return t
}

// key returns the columns that name a cell.
func key(c Cell) []run.Figure {
	return []run.Figure{run.Text(c.Now.Codec).Under("codec", ""), run.Text(c.Now.Op).Under("operation", ""),
		run.Text(c.Now.Mode).Under("mode", "")}
}

func (x *Result) time(c *run.Cell) run.Item {
	return run.Num(stats.Location(c.Samples, x.Clock, 1).Point)
}

// counts shows the figures that need no statistics.
func (x *Result) counts() run.Table {
	t := run.Table{Title: "Allocations and bytes", Note: "Counted, not estimated: means over all values."}
	for _, c := range x.sorted() {
		row := key(c)
		for _, n := range counted(c.Before, c.Now) {
			row = append(row, n.item(x.Tolerance).Under(n.what, ""))
		}
		t.Add(row...)
	}
	return t
}

// item returns the figures as text, since the report would round numbers.
func (n counter) item(tolerance float64) run.Item {
	if n.was == n.is {
		return run.Text(figure(n.is))
	}
	return run.Text(figure(n.was)+" → "+figure(n.is)).Marked("bad", n.grew(tolerance))
}
