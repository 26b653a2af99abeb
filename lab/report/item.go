package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
)

// scale spells the numbers of one column or axis. Numbers of similar size have one unit, so that
// they compare at a glance; otherwise each has its own.
type scale struct {
	unit string        // one of run's units
	in   quantity.Unit // unit in the column's head; its name is "" if each number has its own
}

// prefixes holds the names of a unit's multiples, largest first.
var prefixes = map[string][]quantity.Unit{
	run.UnitNS:    quantity.Seconds,
	run.UnitBytes: quantity.Binary,
	run.UnitRate:  {{Name: "GiB/s", Size: 1 << 30}, {Name: "MiB/s", Size: 1 << 20}, {Name: "KiB/s", Size: 1 << 10}, {Name: "B/s", Size: 1}},
}

// newScale picks the scale for those of values that are finite. The parameter in is the unit of
// values.
func newScale(in string, values ...float64) scale {
	s := scale{unit: in}
	units, ok := prefixes[in]
	if !ok {
		return s
	}
	least, most := math.Inf(1), 0.0
	for _, v := range values {
		if v = math.Abs(v); v > 0 && !math.IsInf(v, 0) {
			least, most = min(least, v), max(most, v)
		}
	}
	if most == 0 || most > 1e4*least {
		return s
	}
	s.in = quantity.In(units, least)
	return s
}

// head returns a column's head with the scale's unit.
func (s scale) head(name string) string {
	switch {
	case s.in.Name != "":
		return name + " " + s.in.Name
	case s.unit == run.UnitOps:
		return name + " op/s"
	case s.unit == run.UnitInstrs:
		return name + " instructions"
	}
	return name
}

// of spells v for a cell below the head.
func (s scale) of(v float64) string {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return "–"
	case v < 0:
		return "-" + s.of(-v)
	case v >= 1e15: // such a number is a mistake, but must not spoil the table
		return fmt.Sprintf("%.2g", v)
	case s.in.Name != "":
		return digits(v / s.in.Size)
	}
	switch s.unit {
	case run.UnitNS, run.UnitBytes, run.UnitRate:
		if v == 0 {
			return "0"
		}
		u := quantity.In(prefixes[s.unit], v)
		if u.Size == 1 && v == math.Trunc(v) {
			return fmt.Sprintf("%.0f %s", v, u.Name)
		}
		return digits(v/u.Size) + " " + u.Name
	case run.UnitTimes:
		return digits(v) + "×"
	case run.UnitShare:
		if v == 0 {
			return "0%"
		}
		return percent(v)
	case run.UnitCount, run.UnitInstrs:
		return amount(v)
	}
	if v == math.Trunc(v) && v < 1e15 {
		return group(fmt.Sprintf("%.0f", v))
	}
	if v < 0.01 {
		return fmt.Sprintf("%.2g", v)
	}
	return digits(v)
}

// spell returns v with its unit, for a text or a tooltip.
func spell(unit string, v float64) string {
	s := scale{unit: unit}
	switch unit {
	case run.UnitOps, run.UnitInstrs:
		return s.of(v) + s.head("")
	}
	return s.of(v)
}

// signs are the marks of numbers in reports without colour. Texts get none, since they say what is
// meant.
var signs = map[string]string{"doubt": "?", "bad": "!"}

// sign returns the item's mark, if it is a number and has one.
func (x gridItem) sign() string {
	if x.Value == nil {
		return ""
	}
	return signs[x.Mark]
}

// grid is a table with its numbers as text.
type grid struct {
	Title, Note string
	Cols        []gridCol
	Rows        [][]gridItem
}

type gridCol struct {
	Head, Name, Unit, Help string
	Text                   bool // holds words, so it is aligned to the left
}

type gridItem struct {
	Text     string
	Interval string // "1.20–1.34"; empty where none is known
	Half     string // "±0.07": the distance to the farther end of Interval, or "(0.1–3)" if that end is at least as far from Value as 0 is
	Value    *float64
	Mark     string
	Num      bool // is in a column of numbers
}

// newGrid turns the numbers of a table into text. Rows that are shorter than the head are filled
// up, longer ones cut.
func newGrid(t run.Table) grid {
	g := grid{Title: clean(t.Title), Note: clean(t.Note), Rows: make([][]gridItem, len(t.Rows))}
	for i, c := range t.Columns {
		var vs []float64
		words := false
		for _, row := range t.Rows {
			if i < len(row) {
				if row[i].Value != nil {
					vs = append(vs, *row[i].Value)
				}
				words = words || row[i].Text != "" && row[i].Value == nil
			}
		}
		s := newScale(c.Unit, vs...)
		g.Cols = append(g.Cols, gridCol{Head: clean(s.head(c.Name)), Name: clean(c.Name), Unit: strings.TrimSpace(s.head("")),
			Help: clean(c.Help), Text: words && len(vs) == 0 || len(vs) == 0 && i == 0})
		for k, row := range t.Rows {
			x := gridItem{Text: "–"}
			if i < len(row) {
				x = newItem(row[i], s)
			}
			x.Num = !g.Cols[i].Text
			g.Rows[k] = append(g.Rows[k], x)
		}
	}
	return g
}

func newItem(x run.Item, s scale) gridItem {
	out := gridItem{Text: clean(x.Text), Value: x.Value, Mark: x.Mark}
	if x.Value != nil && out.Text == "" {
		out.Text = s.of(*x.Value)
	}
	if out.Text == "" || out.Text == "–" { // an unknown value is not marked as uncertain
		out.Text, out.Mark = "–", ""
	}
	if x.Value != nil && x.Lo != nil && x.Hi != nil && *x.Lo < *x.Hi {
		own := s
		if s.in.Name == "" && len(prefixes[s.unit]) > 0 { // both ends in the value's unit
			own.in = quantity.In(prefixes[s.unit], *x.Value)
		}
		out.Interval = rangeText(own, *x.Lo, *x.Hi)
		reach := max(*x.Hi-*x.Value, *x.Value-*x.Lo)
		if out.Half = "±" + strings.TrimSuffix(own.of(reach), "×"); *x.Lo > 0 && reach >= *x.Value {
			out.Half = "(" + out.Interval + ")"
		}
	}
	return out
}

// rangeText returns an interval: "1.2–1.4", or "-3 to -1", which would be hard to read with a dash.
func rangeText(s scale, lo, hi float64) string {
	if lo < 0 {
		return s.of(lo) + " to " + s.of(hi)
	}
	return s.of(lo) + "–" + s.of(hi)
}

// marked reports whether an item of the table has the mark.
func (g grid) marked(mark string) bool {
	return slices.ContainsFunc(g.Rows, func(row []gridItem) bool {
		return slices.ContainsFunc(row, func(x gridItem) bool { return x.Mark == mark })
	})
}
