package gate

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/history"
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
	e.Tables = run.Filled(x.costs(), x.counts())
	return e
}

// Record returns the figures of the present side for a history. commit is what git has checked out.
func (x *Result) Record(commit string) history.Record {
	r := history.Of(x.Now, commit)
	for _, c := range x.Cells {
		ns := c.Is
		if x.Clock == Instructions {
			ns = 0
		}
		r.Add(c.Now, ns)
	}
	return r
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
	summary := fmt.Sprintf("%d of %d cells unchanged, %d improved, %d inconclusive; tolerance %s%%, %s ±%s.",
		count[Unchanged], len(x.Cells), count[Improved], count[Inconclusive], quantity.Figure(100*x.Tolerance), x.floorName(),
		quantity.Share(x.Floor))
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
			out = append(out, fmt.Sprintf("%s takes %s more %s than at %s (%s to %s)%s", label(c.Now), quantity.Share(1/c.Ratio.Point-1), x.what(),
				x.Ref, quantity.Share(1/c.Ratio.Hi-1), quantity.Share(1/c.Ratio.Lo-1), also(c.Grew)))
		case c.Verdict == Regression:
			out = append(out, fmt.Sprintf("%s: %s", label(c.Now), strings.Join(c.Grew, ", ")))
		case c.Verdict == Improved:
			out = append(out, fmt.Sprintf("%s takes %s less %s (%s to %s)", label(c.Now), quantity.Share(1-1/c.Ratio.Point), x.what(),
				quantity.Share(1-1/c.Ratio.Lo), quantity.Share(1-1/c.Ratio.Hi)))
		case c.Verdict == Inconclusive && c.Ratio.N > 0:
			out = append(out, fmt.Sprintf("%s may take up to %s more %s: %s may decide", label(c.Now), quantity.Share(1/c.Ratio.Lo-1),
				x.what(), x.longer(c.Need)))
		}
	}
	return out
}

// longer says what may decide an inconclusive cell. It does not suggest a run of hours.
func (x *Result) longer(need float64) string {
	if x.Clock == Instructions {
		return "more launches (-depth standard, a longer -budget)"
	}
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

// what names what was compared.
func (x *Result) what() string {
	if x.Clock == Instructions {
		return "instructions"
	}
	return "time"
}

// floorName names the noise floor: of times it is measured on the baseline and its twin, of counts
// on the launches of each program.
func (x *Result) floorName() string {
	if x.Clock == Instructions {
		return "launches of one program differ by up to"
	}
	return "noise floor"
}

// costs has one row for each cell.
func (x *Result) costs() run.Table {
	unit := run.UnitNS
	t := run.Table{Title: "Times", Note: fmt.Sprintf("Medians of %s time over %d launches × %d rounds, both sides in each round. A change of "+
		"+100%% takes twice the time.", x.Clock, x.Launches, x.Rounds)}
	if x.Clock == Instructions {
		unit = run.UnitInstrs
		t.Title, t.Note = "Instructions", fmt.Sprintf("Of one operation, counted by valgrind's callgrind: medians over up to %d launches × %d "+
			"rounds, the collector off.", x.Launches, x.Rounds)
	}
	for _, c := range x.sorted() {
		change := run.Text("–")
		if c.Ratio.N > 0 {
			change = run.Text(changed(c.Ratio))
		}
		mark := map[string]string{Regression: "bad", Inconclusive: "doubt", Improved: "good"}[c.Verdict]
		t.Add(append(key(c), run.Num(c.Was).Under("before", unit), run.Num(c.Is).Under("now", unit),
			change.Under("change", "").Means("with its 95% interval"), run.Item{Text: c.Verdict, Mark: mark}.Under("verdict", ""))...)
	}
	return t
}

// changed formats a ratio of before to now as the change: "+2.1% (+1.9% to +2.3%)".
func changed(r stats.Result) string {
	signed := func(ratio float64) string {
		share := 1/ratio - 1
		if math.Abs(share) < 5e-5 {
			return "0%"
		}
		text := quantity.Share(math.Abs(share))
		return map[bool]string{true: "+", false: "−"}[share > 0] + text
	}
	point, lo, hi := signed(r.Point), signed(r.Hi), signed(r.Lo)
	if lo == hi {
		return point
	}
	return fmt.Sprintf("%s (%s to %s)", point, lo, hi)
}

// key returns the columns that name a cell.
func key(c Cell) []run.Figure {
	return []run.Figure{run.Text(c.Now.Codec).Under("codec", ""), run.Text(c.Now.Op).Under("operation", ""),
		run.Text(c.Now.Mode).Under("mode", "")}
}

// counts shows the figures that need no statistics.
func (x *Result) counts() run.Table {
	t := run.Table{Title: "Allocations and bytes", Note: "Counted, not estimated: means over all values."}
	for _, c := range x.sorted() {
		row := key(c)
		for _, n := range c.Counts {
			row = append(row, n.item(x.beyond(n)).Under(n.what, ""))
		}
		t.Add(row...)
	}
	return t
}

// item returns the figures as text, since the report would round numbers.
func (n counter) item(bad bool) run.Item {
	if figure(n.was) == figure(n.is) {
		return run.Text(figure(n.is))
	}
	return run.Text(figure(n.was)+" → "+figure(n.is)).Marked("bad", bad)
}
