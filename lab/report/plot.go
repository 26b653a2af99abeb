package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/run"
)

// Size of a plot in user units, and its margins.
const (
	plotW, plotH                         = 560.0, 310.0
	plotL, plotR, plotT, plotB           = 66.0, 30.0, 22.0, 46.0
	plotRight, plotBottom                = plotW - plotR, plotH - plotB
	mostDots                             = 80 // on a line; more dots would hide it, so a longer line has none
	labelSize, labelAdvance, markSpacing = 12.0, 6.4, 14.0
)

// xyPlot is a plot of lines or points.
type xyPlot struct {
	Aria     string
	X, Y     string // names of the axes
	XTicks   []tick
	YTicks   []tick
	Series   []xySeries
	Marks    []xyMark
	Legend   bool
	VoidUsed bool
	BandUsed bool
	Lines    bool
}

type xySeries struct {
	Name, Class string
	Index       int
	Path        string // through valid points
	VoidPath    string // from, to and through points that are not valid
	Band        string // area of the intervals, for lines only
	Dots        []xyDot
}

type xyDot struct {
	X, Y   float64
	Lo, Hi float64 // ends of the whisker, equal if there is none
	Void   bool
	Title  string
}

type xyMark struct {
	X, TextX, TextY float64
	Anchor, Text    string
}

// newXYPlot returns a plot of lines or points, nil if it has no points.
func newXYPlot(c run.Chart, colours palette) *xyPlot {
	var xs, ys []float64
	for _, s := range c.Series {
		for i := range min(len(s.X), len(s.Y)) {
			xs, ys = append(xs, s.X[i]), append(ys, s.Y[i])
			if lo, hi, ok := interval(s, i); ok {
				ys = append(ys, lo, hi)
			}
		}
	}
	if len(xs) == 0 {
		return nil
	}
	for _, m := range c.Marks {
		xs = append(xs, m.X)
	}
	x, y := newAxis(c.X, xs, plotL, plotRight), newAxis(c.Y, ys, plotBottom, plotT)
	p := &xyPlot{XTicks: thin(x.spelled(), plotRight-plotL), YTicks: y.spelled(), Lines: c.Kind == run.ChartLines,
		X: axisName(c.X), Y: axisName(c.Y), Legend: len(c.Series) > 1}
	p.Aria = clean(fmt.Sprintf("%s: %s across, %s up, %s.", c.Title, cmp.Or(c.X.Name, "–"), cmp.Or(c.Y.Name, "–"),
		plural(len(c.Series), "series")))
	for i, s := range c.Series {
		d := xySeries{Name: clean(s.Name), Class: colours.class(s), Index: i}
		d.draw(s, c, x, y, p)
		p.Series = append(p.Series, d)
	}
	p.mark(c.Marks, x)
	return p
}

// draw fills in the paths and dots of one series.
func (d *xySeries) draw(s run.Series, c run.Chart, x, y axis, p *xyPlot) {
	var path, dashed strings.Builder
	var up, down []string
	n := min(len(s.X), len(s.Y))
	started, before := false, false // whether a point was drawn since the last gap, and whether it was void
	for i := range n {
		if !x.shows(s.X[i]) || !y.shows(s.Y[i]) {
			started = false
			continue
		}
		px, py, isVoid := x.at(s.X[i]), y.at(s.Y[i]), void(s, i)
		solid, dotted := "L", "M"
		switch {
		case !started:
			solid = "M"
		case isVoid || before:
			solid, dotted = "M", "L"
		}
		fmt.Fprintf(&path, "%s%.1f %.1f", solid, px, py)
		fmt.Fprintf(&dashed, "%s%.1f %.1f", dotted, px, py)
		started, before = true, isVoid
		p.VoidUsed = p.VoidUsed || isVoid
		dot := xyDot{X: r1(px), Y: r1(py), Void: isVoid, Lo: r1(py), Hi: r1(py), Title: d.title(s, c, i)}
		if lo, hi, ok := interval(s, i); ok && y.shows(lo) {
			dot.Lo, dot.Hi = r1(y.at(lo)), r1(y.at(hi))
			up, down = append(up, fmt.Sprintf("%.1f %.1f", px, dot.Hi)), append(down, fmt.Sprintf("%.1f %.1f", px, dot.Lo))
			p.BandUsed = true
		}
		if !p.Lines || n <= mostDots || isVoid {
			d.Dots = append(d.Dots, dot)
		}
	}
	if !p.Lines {
		return
	}
	d.Path = path.String()
	if p.VoidUsed && strings.Contains(dashed.String(), "L") {
		d.VoidPath = dashed.String()
	}
	if len(up) > 1 {
		slices.Reverse(down)
		d.Band = "M" + strings.Join(append(up, down...), "L") + "Z"
	}
}

func (d *xySeries) title(s run.Series, c run.Chart, i int) string {
	t := fmt.Sprintf("%s: %s at %s", d.Name, spell(c.Y.Unit, s.Y[i]), spell(c.X.Unit, s.X[i]))
	if lo, hi, ok := interval(s, i); ok {
		t += fmt.Sprintf(" (%s to %s)", spell(c.Y.Unit, lo), spell(c.Y.Unit, hi))
	}
	if void(s, i) {
		t += ", not valid"
	}
	return t
}

// mark places the marks. Each text is one row below the text of the mark before, so that texts do
// not overlap. The seventh text is in the first row again.
func (p *xyPlot) mark(marks []run.Mark, x axis) {
	for i, m := range marks {
		if !x.shows(m.X) {
			continue
		}
		k := xyMark{X: r1(x.at(m.X)), Text: cut(clean(m.Text), 44), Anchor: "start", TextY: plotT + 10 + markSpacing*float64(i%6)}
		k.TextX = k.X + 4
		if k.X+labelAdvance*float64(len([]rune(k.Text))) > plotRight {
			k.Anchor, k.TextX = "end", k.X-4
		}
		p.Marks = append(p.Marks, k)
	}
}

// thin leaves out ticks so that texts do not touch.
func thin(ts []tick, width float64) []tick {
	longest := 0
	for _, t := range ts {
		longest = max(longest, len([]rune(t.Text)))
	}
	most := max(2, int(width/(labelAdvance*float64(longest)+12)))
	step := (len(ts) + most - 1) / most
	var out []tick
	for i := 0; i < len(ts); i += max(1, step) {
		out = append(out, ts[i])
	}
	return out
}

func axisName(a run.Axis) string {
	s := clean(a.Name)
	if a.Log {
		s = strings.TrimSpace(s + " (log)")
	}
	return s
}

func r1(v float64) float64 { return math.Round(v*10) / 10 }
