package history

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// Options say what is shown.
type Options struct {
	Least float64 // changes by less are not reported: 0.01
	Last  int     // number of runs, from the last one; 0 is all
}

// line is one figure over all runs that have it.
type line struct {
	of, codec, measure string // of is the type, or "" if there is one type only
	op                 string // with the mode, if that is not fresh
	runs               []int  // indices of the records
	values             []float64
}

// Change is a run at which a figure changed.
type Change struct {
	Record      // of the first run after the change
	Number  int // of that run, from 1
	line    *line
	was, is float64      // medians of the parts before and after, up to the neighbouring changes
	Ratio   stats.Result // after ÷ before; N is 0 if a figure is 0
}

// Experiment returns the history with the changes of every figure. It has one chart for each codec
// and measure.
func Experiment(all []Record, o Options, command []string) (*run.Experiment, []Change) {
	skipped := 0
	if o.Last > 0 && len(all) > o.Last {
		skipped = len(all) - o.Last
		all = all[skipped:]
	}
	e := &run.Experiment{Name: "history", Title: "History", Question: "When did a figure change, and by how much?", Command: command}
	if len(all) == 0 {
		e.Findings = []string{"There are no runs yet."}
		return e, nil
	}
	last := all[len(all)-1]
	e.Started, e.Host = last.Time, run.Host{Go: last.Go, CPU: last.CPU}
	if types := distinct(all, func(x Record) string { return x.Type }); len(types) == 1 {
		e.Title = "History of " + types[0]
	}
	lines := linesOf(all)
	var changes []Change
	for _, l := range lines {
		changes = append(changes, l.changes(all, o.Least)...)
	}
	slices.SortStableFunc(changes, func(a, b Change) int { return b.Number - a.Number })
	e.Findings = findings(all, lines, changes)
	if skipped > 0 {
		e.Warnings = append(e.Warnings, fmt.Sprintf("%d earlier runs are left out (-last)", skipped))
	}
	for what, of := range map[string]func(Record) string{"processors": func(x Record) string { return x.CPU },
		"versions of Go": func(x Record) string { return x.Go }} {
		if found := distinct(all, of); len(found) > 1 {
			e.Warnings = append(e.Warnings, fmt.Sprintf("the runs are from %d %s (%s): a change may be theirs", len(found), what,
				strings.Join(found, ", ")))
		}
	}
	slices.Sort(e.Warnings)
	e.Charts, e.Tables = charts(lines, changes), run.Filled(changeTable(changes), runTable(all))
	return e, changes
}

// distinct returns the different texts of the records, without "".
func distinct(all []Record, of func(Record) string) (out []string) {
	for _, x := range all {
		if s := of(x); s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// linesOf returns the lines in the order of codec and measure.
func linesOf(all []Record) []*line {
	several := len(distinct(all, func(x Record) string { return x.Type })) > 1
	var out []*line
	for i, x := range all {
		for _, c := range x.Cells {
			for _, m := range measures {
				v, ok := c.Figures[m]
				if !ok || math.IsNaN(v) {
					continue
				}
				k := line{codec: c.Codec, measure: m, op: strings.TrimSuffix(c.Op+" "+c.Mode, " "+stats.Fresh)}
				if several {
					k.of = x.Type
				}
				at := slices.IndexFunc(out, func(l *line) bool {
					return l.of == k.of && l.codec == k.codec && l.measure == k.measure && l.op == k.op
				})
				if at < 0 {
					at, out = len(out), append(out, &k)
				}
				out[at].runs, out[at].values = append(out[at].runs, i), append(out[at].values, v)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b *line) int {
		if n := strings.Compare(a.of+"\x00"+a.codec, b.of+"\x00"+b.codec); n != 0 {
			return n
		}
		return slices.Index(measures, a.measure) - slices.Index(measures, b.measure)
	})
	return out
}

// changes returns the changes of a line by at least the least share.
func (l *line) changes(all []Record, least float64) (out []Change) {
	points := stats.ChangePoints(l.values, 1)
	bounds := append(append([]int{0}, points...), len(l.values))
	for i, at := range points {
		before, after := l.values[bounds[i]:at], l.values[at:bounds[i+2]]
		c := Change{Record: all[l.runs[at]], Number: l.runs[at] + 1, line: l, was: stats.Median(before), is: stats.Median(after)}
		if slices.Min(l.values) > 0 {
			c.Ratio = stats.Between(stats.Locate(logs(after), 1), stats.Locate(logs(before), 1))
		}
		if math.Abs(c.is-c.was) >= least*c.was {
			out = append(out, c)
		}
	}
	return out
}

// logs returns the logarithms as samples of one launch.
func logs(xs []float64) stats.Clusters {
	var out []float64
	for _, x := range xs {
		out = append(out, math.Log(x))
	}
	return stats.Clusters{out}
}

// size returns the change as text: "+2.1% (+1.9% to +2.3%)".
func (c Change) size() string {
	signed := func(ratio float64) string {
		share := ratio - 1
		if math.Abs(share) < 5e-5 {
			return "0%"
		}
		return map[bool]string{true: "+", false: "−"}[share > 0] + quantity.Share(math.Abs(share))
	}
	if c.Ratio.N == 0 {
		return ""
	}
	if c.Ratio.Hi/c.Ratio.Lo < 1.0005 {
		return signed(c.Ratio.Point)
	}
	return fmt.Sprintf("%s (%s to %s)", signed(c.Ratio.Point), signed(c.Ratio.Lo), signed(c.Ratio.Hi))
}

// commit returns the commit, or the number of the run if it is unknown.
func (c Change) commit() string {
	if c.Commit == "" {
		return fmt.Sprintf("run %d", c.Number)
	}
	return c.Commit
}

// worse reports whether the figure grew: of all measures less is better.
func (c Change) worse() bool { return c.is > c.was }

func findings(all []Record, lines []*line, changes []Change) []string {
	first, last := all[0].Time.Format("2006-01-02"), all[len(all)-1].Time.Format("2006-01-02")
	out := []string{fmt.Sprintf("%d runs from %s to %s: %s in %d figures.", len(all), first, last, plural(len(changes), "change"), len(lines))}
	for _, c := range changes[:min(len(changes), 8)] {
		size := c.size()
		if size == "" {
			size = quantity.Figure(c.was) + " → " + quantity.Figure(c.is)
		}
		out = append(out, fmt.Sprintf("%s: %s %s of %s since %s", size, c.line.op, c.line.measure, c.line.name(), c.commit()))
	}
	if n := len(changes) - 8; n > 0 {
		out = append(out, fmt.Sprintf("%s before: see the table.", plural(n, "more change")))
	}
	return out
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// name names the codec, and its type if there are several.
func (l *line) name() string { return strings.TrimPrefix(l.of+" "+l.codec, " ") }

// first returns the median of the runs before the first change of the line, or of all.
func (l *line) first(changes []Change) float64 {
	end := len(l.values)
	for _, c := range changes {
		if c.line == l {
			end = min(end, slices.Index(l.runs, c.Number-1))
		}
	}
	return stats.Median(l.values[:end])
}

// charts returns a chart for each codec and measure, with a line for each operation; those with
// changes come first. Lines are relative to their beginning, so that a change of a few percent is
// seen whatever the operations cost. Operations that change in the same run share a mark.
func charts(lines []*line, changes []Change) (out []run.Chart) {
	for _, l := range lines {
		first := l.first(changes)
		if first == 0 { // 0 allocations have no multiple
			continue
		}
		title := l.name() + ": " + l.measure
		i := slices.IndexFunc(out, func(c run.Chart) bool { return c.Title == title })
		if i < 0 {
			i, out = len(out), append(out, run.Chart{Kind: run.ChartLines, Title: title, Note: "100% is", X: run.Axis{Name: "run"},
				Y: run.Axis{Name: "of the first runs", Unit: run.UnitShare}})
		}
		if len(out[i].Series) > 0 {
			out[i].Note += ","
		}
		out[i].Note += fmt.Sprintf(" %s for %s", spell(l, first), l.op)
		s := run.Series{Name: l.op}
		for k, n := range l.runs {
			s.X, s.Y = append(s.X, float64(n+1)), append(s.Y, l.values[k]/first)
		}
		out[i].Series = append(out[i].Series, s)
		for _, c := range changes {
			if c.line != l {
				continue
			}
			text := strings.TrimSpace(l.op + " " + point(c))
			if k := slices.IndexFunc(out[i].Marks, func(m run.Mark) bool { return m.X == float64(c.Number) }); k >= 0 {
				out[i].Marks[k].Text += ", " + text
			} else {
				out[i].Marks = append(out[i].Marks, run.Mark{X: float64(c.Number), Text: c.commit() + " " + text})
			}
		}
		slices.SortFunc(out[i].Marks, func(a, b run.Mark) int { return int(a.X - b.X) })
	}
	slices.SortStableFunc(out, func(a, b run.Chart) int { return min(len(b.Marks), 1) - min(len(a.Marks), 1) })
	return out
}

// point returns the size of a change without its interval.
func point(c Change) string {
	size, _, _ := strings.Cut(c.size(), " (")
	return size
}

func changeTable(changes []Change) run.Table {
	t := run.Table{Title: "Changes", Note: "Medians from the change before to the change after. Fewer than 1% of random orders of the runs divide " +
		"them as clearly (E-divisive means)."}
	for _, c := range changes {
		mark := "good"
		if c.worse() {
			mark = "bad"
		}
		t.Add(run.Text(c.commit()).Under("commit", ""), run.Text(c.Time.Format("2006-01-02")).Under("date", ""),
			run.Num(float64(c.Number)).Under("run", run.UnitCount), run.Text(c.line.name()).Under("codec", ""),
			run.Text(c.line.op).Under("operation", ""), run.Text(c.line.measure).Under("measure", ""),
			run.Text(spell(c.line, c.was)).Under("before", ""), run.Text(spell(c.line, c.is)).Under("after", ""),
			run.Item{Text: c.size(), Mark: mark}.Under("change", "").Means("with its 95% interval"))
	}
	return t
}

// spell formats a figure of a line.
func spell(l *line, v float64) string {
	switch l.measure {
	case Time:
		return quantity.Time(v)
	case AllocBytes, Size:
		return quantity.Bytes(v)
	}
	return quantity.Figure(v)
}

// shownRuns is the number of runs that are listed.
const shownRuns = 20

func runTable(all []Record) run.Table {
	t := run.Table{Title: "Runs", Note: "The last ones."}
	for i, x := range slices.Backward(all) {
		t.Add(run.Num(float64(i+1)).Under("run", run.UnitCount), run.Text(x.Commit).Under("commit", ""),
			run.Text(x.Time.Format("2006-01-02 15:04")).Under("time", "UTC"), run.Text(x.Go).Under("Go", ""), run.Text(x.CPU).Under("processor", ""))
		if len(t.Rows) == shownRuns {
			break
		}
	}
	return t
}
