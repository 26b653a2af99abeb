package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// Experiment returns the comparison in the form that every report draws. command are the arguments
// that repeat it.
func (x *Result) Experiment(command []string) *run.Experiment {
	e := &run.Experiment{Name: "compare", Title: "Comparison of two runs of " + x.B.Subject.Name,
		Question: "What became faster or slower from A to B, and what else changed?",
		Command:  command, Started: x.B.Started, Host: x.B.Host, Warnings: x.Warnings, Findings: x.findings()}
	e.Tables = run.Filled(x.times(), x.sizes(), x.others())
	if c := x.bars(); c.Categories != nil {
		e.Charts = append(e.Charts, c)
	}
	return e
}

func (x *Result) findings() []string {
	count := map[string]int{}
	var lines []string
	sorted := slices.Clone(x.Cells)
	slices.SortStableFunc(sorted, func(a, b Cell) int { return cmp.Compare(a.best().Point, b.best().Point) })
	for _, c := range sorted {
		if c.Base() {
			continue
		}
		count[c.Verdict]++
		if (c.Verdict == run.Faster || c.Verdict == run.Slower) && len(lines) < 8 {
			r := c.best()
			lines = append(lines, fmt.Sprintf("%s is %s: %.2f× the speed it had (%.2f to %.2f)", label(c.A), c.Verdict, r.Point, r.Lo, r.Hi))
		}
	}
	if !x.Judged {
		return []string{"Two machines: nothing is judged."}
	}
	var parts []string
	for _, v := range []string{run.Faster, run.Slower, run.Tied, run.Inconclusive} {
		if count[v] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count[v], v))
		}
	}
	if parts == nil {
		return []string{"The runs have no cell in common."}
	}
	out := append([]string{fmt.Sprintf("From A to B: %s, at a noise floor of ±%s.", strings.Join(parts, ", "), quantity.Share(x.Floor))},
		lines...)
	for _, c := range x.Cells {
		if !c.Base() {
			continue
		}
		const so = "so much the times moved without the codecs' doing."
		if r := c.Raw; r.Lo > 1 {
			out = append(out, fmt.Sprintf("encoding/json itself ran %s faster on %s: %s", quantity.Share(r.Point-1), c.A.Op, so))
		} else if r.Hi < 1 {
			out = append(out, fmt.Sprintf("encoding/json itself took %s longer on %s: %s", quantity.Share(1/r.Point-1), c.A.Op, so))
		}
	}
	return out
}

// times has one row for each cell, in the order slower, faster, inconclusive, tied, and for the
// same verdict by growing ratio.
func (x *Result) times() run.Table {
	t := run.Table{Title: "Times", Note: "Speed is the time in A over that in B: above 1, B is faster. Judged is the speed against json, " +
		"which relates each run to its own encoding/json, round by round. A and B are medians of " + stats.ClockName(x.Clock) + " time."}
	cells := slices.Clone(x.Cells)
	rank := func(c Cell) int {
		return map[string]int{run.Slower: 0, run.Faster: 1, run.Inconclusive: 2, run.Tied: 3}[c.Verdict]
	}
	slices.SortStableFunc(cells, func(a, b Cell) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.best().Point, b.best().Point))
	})
	for _, c := range cells {
		mark := map[string]string{run.Faster: "good", run.Slower: "bad", run.Inconclusive: "doubt"}[c.Verdict]
		verdict := run.Item{Text: c.Verdict, Mark: mark}
		switch {
		case c.Base():
			verdict.Text = "baseline"
		case !x.Judged:
			verdict.Text = "not judged"
		}
		longer := run.Item{}
		switch {
		case c.Need > 100:
			longer = run.Text("> 100×")
		case c.Need > 0:
			longer = run.Text(fmt.Sprintf("%.0f×", c.Need))
		}
		t.Add(append(key(c), verdict.Under("verdict", ""),
			ratio(c.Rel).Under("against json", run.UnitTimes).Means("the ratio to encoding/json in B over that in A"),
			ratio(c.Raw).Under("speed", run.UnitTimes).Means("time in A over time in B"),
			x.time(c.A).Under("A", run.UnitNS), x.time(c.B).Under("B", run.UnitNS),
			longer.Under("longer", run.UnitTimes).Means("about how many times longer a run may decide"))...)
	}
	return t
}

// key returns the columns that name a cell.
func key(c Cell) []run.Figure {
	return []run.Figure{run.Text(c.A.Codec).Under("codec", ""), run.Text(c.A.Op).Under("op", ""), run.Text(c.A.Mode).Under("mode", "")}
}

func (x *Result) time(c *run.Cell) run.Item { return run.Num(stats.TimeOn(x.Clock, c).Median) }

func ratio(r stats.Result) run.Item {
	if r.N == 0 {
		return run.Item{}
	}
	return run.Between(r.Point, r.Lo, r.Hi)
}

// sizes lists the cells whose bytes or allocations changed. These need no statistics.
func (x *Result) sizes() run.Table {
	t := run.Table{Title: "Bytes and allocations that changed"}
	for _, c := range x.Cells {
		if differ(c.A.Wire, c.B.Wire, 0.001) || differ(c.A.Allocs, c.B.Allocs, 0.05) || differ(c.A.Bytes, c.B.Bytes, 0.05) {
			t.Add(append(key(c), run.Num(c.A.Wire).Under("mean size: A", run.UnitBytes), run.Num(c.B.Wire).Under("B", run.UnitBytes),
				run.Num(c.A.Allocs).Under("allocations: A", run.UnitCount), run.Num(c.B.Allocs).Under("B", run.UnitCount),
				run.Num(c.A.Bytes).Under("allocated: A", run.UnitBytes), run.Num(c.B.Bytes).Under("B", run.UnitBytes))...)
		}
	}
	return t
}

// differ reports whether two counts differ by more than they vary from run to run, for instance
// because a collection emptied a pool.
func differ(a, b, relative float64) bool {
	d := max(a-b, b-a)
	return d > 0.2 && d > relative*max(a, b)
}

// others lists what else changed.
func (x *Result) others() run.Table {
	t := run.Table{Title: "What else changed"}
	add := func(what run.Item, a, b string) {
		t.Add(what.Under("what", ""), run.Text(a).Under("A", ""), run.Text(b).Under("B", ""))
	}
	for _, c := range x.Changes {
		add(run.Item{Text: c.What, Mark: c.Mark}, c.A, c.B)
	}
	for _, s := range x.Lost {
		add(run.Text(s), "measured", "not there")
	}
	for _, s := range x.New {
		add(run.Text(s), "not there", "measured")
	}
	return t
}

// bars draws the changes of the main cells.
func (x *Result) bars() run.Chart {
	c := run.Chart{Kind: run.ChartBars, Title: "Speed of B against A", Note: "Mode fresh; 1 is no change.",
		Y: run.Axis{Name: "speed", Unit: run.UnitTimes, Log: true}}
	s := run.Series{Name: "speed"}
	for _, k := range x.Cells {
		if r := k.best(); k.Main() && r.N > 0 {
			c.Categories = append(c.Categories, k.A.Codec+" "+k.A.Op)
			s.Y, s.Lo, s.Hi = append(s.Y, r.Point), append(s.Lo, r.Lo), append(s.Hi, r.Hi)
		}
	}
	c.Series = []run.Series{s}
	return c
}
