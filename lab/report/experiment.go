package report

import (
	"io"
	"math"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// NOTE: head, tables, charts and foot are written in this order. A table that is too wide loses its
// intervals first, then its last columns, then characters of its widest cells. The HTML report has
// everything, so a line says how many columns or rows are missing.

// Experiment writes an experiment for a terminal: its findings, its tables, and its charts as rows
// of small bars.
func Experiment(w io.Writer, e *run.Experiment, o TableOptions) error {
	x := &experimentText{paper: newPaper(o), e: e}
	x.head()
	for _, t := range e.Tables {
		x.table(newGrid(t))
	}
	for _, c := range e.Charts {
		x.chart(c)
	}
	x.foot(o)
	_, err := io.WriteString(w, x.b.String())
	return err
}

type experimentText struct {
	paper
	e *run.Experiment
}

func (t *experimentText) head() {
	e := t.e
	t.line(bold, "%s · %s", clean(subcommand(e)), clean(e.Title))
	if e.Question != "" {
		t.line(dim, "%s", clean(e.Question))
	}
	if s := hostOf(e.Host); s != "" {
		t.line("", "host %s", s)
	}
	if e.Partial {
		t.line(yellow, "⚠ PARTIAL: stopped early, figures stand on less than planned")
	}
	t.b.WriteString("\n")
	for _, f := range e.Findings {
		t.line(bold, "▶ %s", clean(f))
	}
}

// subcommand returns the command that measured e: zmy lab NAME, or zmy load NAME.
func subcommand(e *run.Experiment) string {
	if len(e.Command) > 2 && e.Command[1] == "load" {
		return strings.Join(e.Command[:3], " ")
	}
	return "zmy lab " + e.Name
}

func (t *experimentText) foot(o TableOptions) {
	e := t.e
	if len(e.Warnings)+len(e.Absent) > 0 {
		t.b.WriteString("\n")
	}
	for _, s := range e.Warnings {
		t.line(yellow, "⚠ %s", clean(s))
	}
	for _, s := range e.Absent {
		t.line(dim, "n/a %s", clean(s))
	}
	t.b.WriteString("\n")
	t.paper.foot(o.Dir, FileJSON, e.Command)
}

var markColors = map[string]string{"good": green, "bad": red, "doubt": yellow}

// table prints a grid. If it is too wide, the intervals are left out, and then the last columns.
func (t *experimentText) table(g grid) {
	if len(g.Rows) == 0 || len(g.Cols) == 0 {
		return
	}
	t.b.WriteString("\n")
	t.line(bold, "%s", g.Title)
	cols := gridColumns(g, true)
	if widthOf(cols) > t.width {
		cols = gridColumns(g, false)
	}
	gone := 0
	for widthOf(cols) > t.width && len(cols) > 2 {
		cols = cols[:len(cols)-1]
		gone++
	}
	t.fit(cols)
	t.print(cols, len(g.Rows))
	var notes []string
	if g.Note != "" {
		notes = append(notes, g.Note)
	}
	if g.marked("bad") {
		notes = append(notes, "! stands out")
	}
	if g.marked("doubt") {
		notes = append(notes, "? not certain")
	}
	if gone > 0 {
		notes = append(notes, plural(gone, "more column")+" in the report")
	}
	if notes != nil {
		t.line(dim, "    %s", strings.Join(notes, " · "))
	}
}

// gridColumns returns the columns of a grid, with or without intervals.
func gridColumns(g grid, intervals bool) []*column {
	var out []*column
	for i, c := range g.Cols {
		col := &column{head: c.Head, left: c.Text}
		for _, row := range g.Rows {
			s := row[i].Text
			if intervals && row[i].Half != "" {
				s += " " + row[i].Half
			}
			if i > 0 || !c.Text {
				s = Fit(s, 60)
			} else {
				s = cut(s, 32)
			}
			col.add(s+row[i].sign(), markColors[row[i].Mark])
		}
		out = append(out, col)
	}
	return out
}

// fit cuts the widest columns until all fit the width. No column becomes narrower than eight
// characters.
func (t *experimentText) fit(cols []*column) {
	for range cols {
		over := widthOf(cols) - t.width
		if over <= 0 {
			return
		}
		widest := slices.MaxFunc(cols, func(a, b *column) int { return a.width() - b.width() })
		to := max(8, widest.width()-over)
		widest.head = cut(widest.head, to)
		for i, s := range widest.cells {
			widest.cells[i] = cut(s, to)
		}
	}
}

// widthOf returns the width of columns with two blanks between them.
func widthOf(cols []*column) int {
	n := -2
	for _, c := range cols {
		n += c.width() + 2
	}
	return n
}

// mostRows is the number of rows of a chart in a terminal. The HTML report has all rows.
const mostRows = 14

// chart prints one row for each series, category or frame.
func (t *experimentText) chart(c run.Chart) {
	var cols []*column
	title := clean(c.Title)
	switch c.Kind {
	case run.ChartLines:
		cols = sparkColumns(c)
	case run.ChartHeatmap:
		cols = heatColumns(c)
	case run.ChartBars:
		cols = barColumns(c, max(8, min(28, t.width-60)))
	case run.ChartFlame:
		cols = flameColumns(c)
		title += ", by what functions took themselves"
	} // a scatter chart is left out: its rows would say nothing
	if cols == nil || len(cols[0].cells) == 0 {
		return
	}
	t.b.WriteString("\n")
	t.line(bold, "%s", title)
	t.fit(cols)
	n := len(cols[0].cells)
	t.print(cols, min(n, mostRows))
	if n > mostRows {
		t.line(dim, "    %d more in the report", n-mostRows)
	}
}

func allY(c run.Chart) (all []float64) {
	for _, s := range c.Series {
		all = append(all, s.Y...)
	}
	return all
}

// sparkColumns returns the series of a chart as rows: the name, the points as small bars, the first
// and the last value.
func sparkColumns(c run.Chart) []*column {
	all := allY(c)
	name, line, from, to := &column{left: true}, &column{left: true}, &column{head: "from"}, &column{head: "to"}
	for _, s := range c.Series {
		if len(s.Y) == 0 {
			continue
		}
		name.add(cut(clean(s.Name), 24), "")
		line.add(spark(squeeze(s, 32), newAxis(c.Y, all, 0, 1)), cyan)
		from.add(spell(c.Y.Unit, s.Y[0]), "")
		to.add(spell(c.Y.Unit, s.Y[len(s.Y)-1]), "")
	}
	return []*column{name, line, from, to}
}

// heatColumns is sparkColumns for the rows of a heatmap.
func heatColumns(c run.Chart) []*column {
	cols := sparkColumns(c)
	cols[2].head, cols[3].head = "first", "last"
	if len(c.Categories) > 0 {
		cols[2].head, cols[3].head = cut(clean(c.Categories[0]), 16), cut(clean(c.Categories[len(c.Categories)-1]), 16)
	}
	return cols
}

// barColumns returns one row for each category and series. Negative values have bars of their
// absolute value.
func barColumns(c run.Chart, width int) []*column {
	all := allY(c)
	most := 0.0
	for _, v := range all {
		most = max(most, math.Abs(v))
	}
	in := newScale(c.Y.Unit, all...)
	what, who, bar, value := &column{left: true}, &column{left: true}, &column{left: true}, &column{head: in.head("")}
	for k, name := range c.Categories {
		for _, s := range c.Series {
			if k >= len(s.Y) {
				continue
			}
			what.add(cut(clean(name), 32), "")
			who.add(cut(clean(s.Name), 20), dim)
			bar.add(Bar(math.Abs(s.Y[k]), most, width), cyan)
			text := in.of(s.Y[k])
			if void(s, k) {
				text += "?"
			}
			value.add(text, "")
		}
	}
	value.head = strings.TrimSpace(value.head)
	if len(c.Series) < 2 {
		return []*column{what, bar, value}
	}
	return []*column{what, who, bar, value}
}

// flameColumns returns the functions that took the most time themselves as rows. It allows the plot
// one frame, since the list of frames is not shown.
func flameColumns(c run.Chart) []*column {
	p := newFlamePlot(c, 1)
	if p == nil {
		return nil
	}
	name, bar, own, all, delta := &column{left: true}, &column{left: true}, &column{head: "itself"}, &column{head: "with its calls"},
		&column{head: "change"}
	for _, t := range p.Top {
		name.add(cut(t.Name, 48), "")
		bar.add(Bar(t.Share, 1, 20), cyan)
		own.add(t.Own, "")
		all.add(t.InCall, "")
		delta.add(t.Delta, "")
	}
	cols := []*column{name, bar, own, all}
	if p.Diff {
		cols = append(cols, delta)
	}
	return cols
}

// squeeze reduces a series to at most n values: the largest valid value of each stretch, so that no
// peak is lost, or NaN if a stretch has none.
func squeeze(s run.Series, n int) []float64 {
	step := (len(s.Y) + n - 1) / n
	var out []float64
	for i := 0; i < len(s.Y); i += step {
		v := math.NaN()
		for k := i; k < min(i+step, len(s.Y)); k++ {
			if !void(s, k) && !(s.Y[k] <= v) {
				v = s.Y[k]
			}
		}
		out = append(out, v)
	}
	return out
}

var steps = []rune("▁▂▃▄▅▆▇█")

// spark draws each value as a bar of one to eight eighths of a line's height. The axis a maps
// values to 0 … 1. A value that it cannot show becomes a dot.
func spark(vs []float64, a axis) string {
	var b strings.Builder
	for _, v := range vs {
		if !a.shows(v) {
			b.WriteRune('·')
			continue
		}
		b.WriteRune(steps[min(len(steps)-1, max(0, int(a.at(v)*float64(len(steps)))))])
	}
	return b.String()
}

// hostOf describes in one line where an experiment ran.
func hostOf(h run.Host) string {
	if h.Cores == 0 {
		return ""
	}
	parts := []string{strings.TrimSpace(plural(h.Cores, "core") + " " + h.Virtual)}
	if h.Go != "" {
		parts = append(parts, h.Go)
	}
	if h.Flags != "" {
		parts = append(parts, h.Flags)
	}
	if h.Load1 > 0 {
		parts = append(parts, loadWords(h))
	}
	if h.Pinned {
		parts = append(parts, "pinned")
	}
	return clean(strings.Join(parts, " · "))
}

func loadWords(h run.Host) string {
	s := "load " + short(h.Load1)
	if stats.Busy(h) {
		s += " ⚠ shared"
	}
	return s
}
