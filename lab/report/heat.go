package report

import (
	"fmt"
	"math"

	"github.com/zmylab/zmy/lab/run"
)

// heatPlot is a matrix of coloured figures.
type heatPlot struct {
	Aria       string
	X, Y, Unit string
	Cols       []string
	Rows       []heatRow
	Scale      string // the least and the largest value in words
}

type heatRow struct {
	Name  string
	Cells []heatCell
}

type heatCell struct {
	Text, Class, Title string
}

// levels is the number of colours of a heatmap.
const levels = 8

// newHeatPlot returns a heatmap of c, nil if it has no values. A colour shows how far a value is
// between the least and the largest, on a log scale if the axis is logarithmic. For ratios it shows
// how far they are above or below 1.
func newHeatPlot(c run.Chart) *heatPlot {
	var vs []float64
	least, most := math.Inf(1), math.Inf(-1)
	for _, s := range c.Series {
		for i, v := range s.Y {
			if i < len(c.Categories) && !math.IsNaN(v) && !math.IsInf(v, 0) && (!c.Y.Log || v > 0) {
				vs = append(vs, v)
				least, most = min(least, v), max(most, v)
			}
		}
	}
	if len(vs) == 0 {
		return nil
	}
	s := newScale(c.Y.Unit, vs...)
	h := &heatPlot{Aria: clean(c.Title), X: clean(c.X.Name), Y: clean(s.head(c.Y.Name)), Unit: s.in.Name,
		Scale: spell(c.Y.Unit, least) + " to " + spell(c.Y.Unit, most)}
	for _, name := range c.Categories {
		h.Cols = append(h.Cols, clean(name))
	}
	for _, x := range c.Series {
		row := heatRow{Name: clean(x.Name)}
		for i, name := range c.Categories {
			cell := heatCell{Text: "–"}
			if i < len(x.Y) && !math.IsNaN(x.Y[i]) && !math.IsInf(x.Y[i], 0) {
				v := x.Y[i]
				cell.Text, cell.Class = s.of(v), heatClass(c.Y, v, least, most)
				cell.Title = clean(fmt.Sprintf("%s, %s: %s", x.Name, name, spell(c.Y.Unit, v)))
				if lo, hi, ok := interval(x, i); ok {
					cell.Title += fmt.Sprintf(" (%s to %s)", spell(c.Y.Unit, lo), spell(c.Y.Unit, hi))
				}
				if void(x, i) {
					cell.Class, cell.Title = "void", cell.Title+", not valid"
				}
			}
			row.Cells = append(row.Cells, cell)
		}
		h.Rows = append(h.Rows, row)
	}
	return h
}

// heatClass returns the class of a value's colour: h0 … h7, or for ratios u1 … u4 above 1, d1 … d4
// below, h0 near 1.
func heatClass(a run.Axis, v, least, most float64) string {
	if a.Unit == run.UnitTimes && least > 0 {
		// Ratios within 10% of 1 never get the deepest colours, however close all of them are.
		far := max(math.Abs(math.Log(least)), math.Abs(math.Log(most)), math.Log(1.1))
		n := int(math.Round(math.Log(v) / far * levels / 2))
		switch {
		case n > 0:
			return "u" + itoa(n)
		case n < 0:
			return "d" + itoa(-n)
		}
		return "h0"
	}
	if most == least {
		return "h0"
	}
	p := (v - least) / (most - least)
	if a.Log && least > 0 {
		p = math.Log(v/least) / math.Log(most/least)
	}
	return "h" + itoa(min(levels-1, max(0, int(p*levels))))
}
