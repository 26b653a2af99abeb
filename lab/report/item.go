package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/run"
)

// scale spells the numbers of one column or axis: in one unit where they lie near each
// other, so that they compare at a glance, else each in its own.
type scale struct {
	unit string  // one of run's units
	name string  // stands in the column's head; "" where each number carries its own
	one  float64 // of run's unit in one of name
}

// prefixes are the names of a unit's multiples, largest first.
var prefixes = map[string][]unit{
	run.UnitNS:    {{"s", 1e9}, {"ms", 1e6}, {"µs", 1e3}, {"ns", 1}},
	run.UnitBytes: {{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}},
	run.UnitRate:  {{"GiB/s", 1 << 30}, {"MiB/s", 1 << 20}, {"KiB/s", 1 << 10}, {"B/s", 1}},
}

// newScale picks the scale for values; those that are not finite count not.
func newScale(in string, values ...float64) scale {
	s := scale{unit: in, one: 1}
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
	u := prefix(units, least)
	s.name, s.one = u.name, u.ns
	return s
}

// prefix is the largest unit in which v is at least one.
func prefix(units []unit, v float64) unit {
	for _, u := range units {
		if math.Abs(v) >= 0.9995*u.ns {
			return u
		}
	}
	return units[len(units)-1]
}

// head is a column's head with the scale's unit.
func (s scale) head(name string) string {
	switch {
	case s.name != "":
		return name + " " + s.name
	case s.unit == run.UnitOps:
		return name + " op/s"
	case s.unit == run.UnitInstrs:
		return name + " instructions"
	}
	return name
}

// of spells v as it stands below the head.
func (s scale) of(v float64) string {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return "–"
	case v < 0:
		return "-" + s.of(-v)
	case v >= 1e15: // such numbers are somebody's mistake, but must not tear a table
		return fmt.Sprintf("%.2g", v)
	case s.name != "":
		return digits(v / s.one)
	}
	switch s.unit {
	case run.UnitNS, run.UnitBytes, run.UnitRate:
		if v == 0 {
			return "0"
		}
		u := prefix(prefixes[s.unit], v)
		if u.ns == 1 && v == math.Trunc(v) {
			return fmt.Sprintf("%.0f %s", v, u.name)
		}
		return digits(v/u.ns) + " " + u.name
	case run.UnitTimes:
		return ratioDigits(v) + "×"
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

// ratioDigits keeps two digits behind the point where ratios are near 1.
func ratioDigits(v float64) string {
	switch {
	case v < 9.995:
		return fmt.Sprintf("%.2f", v)
	case v < 99.95:
		return fmt.Sprintf("%.1f", v)
	}
	return group(fmt.Sprintf("%.0f", v))
}

// spell is v with its unit, for a text or a tooltip.
func spell(unit string, v float64) string {
	s := scale{unit: unit, one: 1}
	switch unit {
	case run.UnitOps, run.UnitInstrs:
		return s.of(v) + s.head("")
	}
	return s.of(v)
}

// signs are the marks of numbers for forms without colour; words speak for themselves.
var signs = map[string]string{"doubt": "?", "bad": "!"}

// sign is the item's mark where it needs one.
func (x gridItem) sign() string {
	if x.Value == nil {
		return ""
	}
	return signs[x.Mark]
}

// grid is a table whose numbers are spelled.
type grid struct {
	Title, Note string
	Cols        []gridCol
	Rows        [][]gridItem
}

type gridCol struct {
	Head, Name, Unit, Help string
	Text                   bool // holds words: set to the left
}

type gridItem struct {
	Text     string
	Interval string // "1.20–1.34"; empty where none is known
	Half     string // "±0.07": the distance to the further end of Interval, or "(0.1–3)" where that is further than 0
	Value    *float64
	Mark     string
	Num      bool // stands in a column of numbers
}

// newGrid spells a table. Rows shorter than the head are filled up, longer ones cut.
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
		g.Cols = append(g.Cols, gridCol{Head: clean(s.head(c.Name)), Name: clean(c.Name), Unit: strings.TrimSpace(s.head("")), Help: clean(c.Help), Text: words && len(vs) == 0 || len(vs) == 0 && i == 0})
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
	if out.Text == "" || out.Text == "–" { // nothing known is not uncertain
		out.Text, out.Mark = "–", ""
	}
	if x.Value != nil && x.Lo != nil && x.Hi != nil && *x.Lo < *x.Hi {
		own := s
		if s.name == "" && len(prefixes[s.unit]) > 0 { // both ends in the value's unit
			u := prefix(prefixes[s.unit], *x.Value)
			own.name, own.one = u.name, u.ns
		}
		out.Interval = rangeText(own, *x.Lo, *x.Hi)
		reach := max(*x.Hi-*x.Value, *x.Value-*x.Lo)
		if out.Half = "±" + strings.TrimSuffix(own.of(reach), "×"); *x.Lo > 0 && reach >= *x.Value {
			out.Half = "(" + out.Interval + ")"
		}
	}
	return out
}

// rangeText is "1.2–1.4", or "-3 to -1", which a dash would garble.
func rangeText(s scale, lo, hi float64) string {
	if lo < 0 {
		return s.of(lo) + " to " + s.of(hi)
	}
	return s.of(lo) + "–" + s.of(hi)
}

// marked reports which marks a table uses.
func (g grid) marked(mark string) bool {
	return slices.ContainsFunc(g.Rows, func(row []gridItem) bool {
		return slices.ContainsFunc(row, func(x gridItem) bool { return x.Mark == mark })
	})
}
