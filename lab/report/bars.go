package report

import (
	"math"
	"strings"

	"github.com/zmylab/zmy/lab/run"
)

// barPlot is a table of groups of horizontal bars.
type barPlot struct {
	Aria     string
	Groups   []barGroup
	Unit     string // unit in the head of the figures, "" if each figure has its own
	Series   []string
	Dots     bool // points instead of bars, since a logarithmic axis has no zero
	Axis     string
	Keys     []barKey
	VoidUsed bool
	CI       bool // some bars have whiskers
}

type barKey struct{ Name, Class string }

type barGroup struct {
	Name string
	Bars []barItem
}

type barItem struct {
	Series, Class string
	Left, Width   float64 // percent of the width of the plot
	Lo, Whisker   float64
	Value         float64
	Text, Range   string
	Void          bool
}

// newBarPlot returns a plot of bars, nil if it has none.
func newBarPlot(c run.Chart, colours palette) *barPlot {
	var vs []float64
	for _, s := range c.Series {
		for i := range min(len(s.Y), len(c.Categories)) {
			vs = append(vs, s.Y[i])
			if lo, hi, ok := interval(s, i); ok {
				vs = append(vs, lo, hi)
			}
		}
	}
	if len(vs) == 0 {
		return nil
	}
	a := newAxis(c.Y, vs, 0, 100)
	zero := 0.0
	if !a.log {
		a.lo, a.hi = min(a.lo, 0), max(a.hi, 0)
		most, least := 0.0, 0.0 // the longest bar fills the width, even if it is no round number
		for _, v := range vs {
			if a.shows(v) {
				most, least = max(most, v), min(least, v)
			}
		}
		if most > least {
			a.lo, a.hi = least, most
		}
		zero = a.at(0)
	}
	s := newScale(c.Y.Unit, vs...)
	p := &barPlot{Aria: clean(c.Title), Unit: strings.TrimSpace(s.head("")), Dots: a.log, Axis: axisName(c.Y)}
	classOf := colours.class
	if len(c.Series) == 1 { // one series needs no colours
		classOf = func(run.Series) string { return "s0" }
	}
	for k, name := range c.Categories {
		g := barGroup{Name: clean(name)}
		for _, x := range c.Series {
			if k >= len(x.Y) || math.IsNaN(x.Y[k]) {
				continue
			}
			g.Bars = append(g.Bars, newBarItem(x, k, a, s, zero, classOf(x), p))
		}
		p.Groups = append(p.Groups, g)
	}
	if len(c.Series) > 1 {
		for _, x := range c.Series {
			p.Keys = append(p.Keys, barKey{clean(x.Name), colours.class(x)})
		}
	}
	return p
}

func newBarItem(x run.Series, k int, a axis, s scale, zero float64, class string, p *barPlot) barItem {
	v := x.Y[k]
	b := barItem{Series: clean(x.Name), Class: class, Value: v, Text: s.of(v), Void: void(x, k)}
	p.VoidUsed = p.VoidUsed || b.Void
	if a.shows(v) {
		end := max(0, min(100, a.at(v)))
		b.Left, b.Width = min(zero, end), math.Abs(end-zero)
		if a.log {
			b.Left, b.Width = end, 0
		}
	}
	if lo, hi, ok := interval(x, k); ok && a.shows(lo) && a.shows(hi) {
		l, h := max(0, a.at(lo)), min(100, a.at(hi))
		b.Lo, b.Whisker = l, max(0, h-l)
		b.Range, p.CI = rangeText(s, lo, hi), true
	}
	return b
}
