package report

import (
	"math"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
)

// tick is a number on an axis.
type tick struct {
	At   float64
	Text string
}

// axis maps the values of one dimension to a drawing.
type axis struct {
	lo, hi   float64 // ends, in the unit of the values
	from, to float64 // positions of the ends in the drawing
	log      bool
	scale    scale
	ticks    []float64
}

// newAxis returns an axis that covers values, drawn between the positions from and to. A linear
// axis begins at zero unless the values are close together and far from zero. A logarithmic axis
// ignores values that are not positive.
func newAxis(a run.Axis, values []float64, from, to float64) axis {
	x := axis{from: from, to: to, log: a.Log, lo: math.Inf(1), hi: math.Inf(-1)}
	for _, v := range values {
		if x.shows(v) {
			x.lo, x.hi = min(x.lo, v), max(x.hi, v)
		}
	}
	if x.lo > x.hi { // nothing to show
		x.lo, x.hi = 0, 1
		if x.log {
			x.lo = 0.1
		}
	}
	if x.log {
		x.logTicks(a.Unit)
	} else {
		x.linearTicks(a.Unit)
	}
	x.scale = scale{unit: a.Unit} // on a logarithmic axis each tick has its own unit, since ticks may be far apart
	if units, ok := prefixes[a.Unit]; ok && !x.log {
		x.scale.in = quantity.In(units, max(math.Abs(x.lo), math.Abs(x.hi)))
	}
	return x
}

// shows reports whether v can be drawn on the axis.
func (x axis) shows(v float64) bool {
	return !math.IsNaN(v) && !math.IsInf(v, 0) && (!x.log || v > 0)
}

// at returns the position of v, which is at most 2% beyond the ends of the axis.
func (x axis) at(v float64) float64 {
	lo, hi := x.lo, x.hi
	if x.log {
		lo, hi, v = math.Log(lo), math.Log(hi), math.Log(v)
	}
	p := (v - lo) / (hi - lo)
	return x.from + max(-0.02, min(1.02, p))*(x.to-x.from)
}

// spelled returns the ticks with their texts.
func (x axis) spelled() []tick {
	out := make([]tick, len(x.ticks))
	for i, v := range x.ticks {
		out[i] = tick{x.at(v), x.spell(v)}
	}
	return out
}

// spell returns a tick's text. Round numbers have no digits after the point.
func (x axis) spell(v float64) string {
	if math.Abs(v) < 1e-9*math.Abs(x.hi-x.lo) {
		return "0"
	}
	if units, ok := prefixes[x.scale.unit]; ok {
		u := x.scale.in
		if u.Name == "" {
			u = quantity.In(units, v)
		}
		return figures6(v/u.Size) + " " + u.Name
	}
	switch x.scale.unit {
	case run.UnitShare:
		return figures6(100*v) + "%"
	case run.UnitTimes:
		return figures6(v) + "×"
	}
	if s := figures6(v); strings.Contains(s, ".") {
		return s
	}
	return group(figures6(v))
}

// figures6 spells v with up to six significant digits, without zeros at the end.
func figures6(v float64) string {
	if v != 0 {
		m := math.Pow(10, 6-math.Ceil(math.Log10(math.Abs(v))))
		v = math.Round(v*m) / m
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// base returns the unit in which ticks near v are round numbers: a power of 1024 for bytes and
// bytes per second, else 1.
func base(unit string, v float64) float64 {
	if unit == run.UnitBytes || unit == run.UnitRate {
		return quantity.In(prefixes[unit], v).Size
	}
	return 1
}

// linearTicks sets ticks at multiples of a step of 1, 2 or 5 times a power of ten, and moves the
// ends outward to ticks. That makes 3 to 6 steps.
func (x *axis) linearTicks(unit string) {
	if x.lo > 0 && x.lo < 0.7*x.hi {
		x.lo = 0
	}
	if x.hi < 0 && x.hi > 0.7*x.lo {
		x.hi = 0
	}
	if x.lo == x.hi {
		pad := max(math.Abs(x.lo)*0.1, 1e-9)
		if x.lo == 0 {
			pad = 1
		}
		x.lo, x.hi = x.lo-pad, x.hi+pad
	}
	in := base(unit, max(math.Abs(x.lo), math.Abs(x.hi)))
	// The 1e-9 below allow for rounding errors: an end that is a tick needs no further step.
	step := niceStep((x.hi-x.lo)/in/5) * in
	x.lo, x.hi = math.Floor(x.lo/step+1e-9)*step, math.Ceil(x.hi/step-1e-9)*step
	for i := 0; float64(i) <= math.Round((x.hi-x.lo)/step); i++ {
		x.ticks = append(x.ticks, x.lo+float64(i)*step)
	}
}

// niceStep returns the least number that is 1, 2 or 5 times a power of ten and not below v.
func niceStep(v float64) float64 {
	p := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 5} {
		if v <= m*p*1.0001 {
			return m * p
		}
	}
	return 10 * p
}

// logTicks sets ticks and moves the ends to ticks. Ticks are 1, 2 and 5 times powers of ten. In a
// wide range they are powers of ten only, and in a narrow range there are more. Ticks for bytes are
// powers of two, in a narrow range with quarters between them.
func (x *axis) logTicks(unit string) {
	radix, steps := 10.0, []float64{1, 2, 5}
	span := x.hi / x.lo
	switch {
	case unit == run.UnitBytes:
		radix, steps = 2, []float64{1}
		if span > 1<<9 {
			radix = 4
		}
		if span > 1<<18 {
			radix = 16
		}
		if span < 4 {
			steps = []float64{1, 1.25, 1.5, 1.75}
		}
	case span < 4:
		steps = []float64{1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8}
	case span > 300:
		steps = []float64{1}
	}
	var marks []float64
	for e := math.Floor(math.Log(x.lo)/math.Log(radix)) - 1; e <= math.Ceil(math.Log(x.hi)/math.Log(radix))+1; e++ {
		for _, s := range steps {
			marks = append(marks, s*math.Pow(radix, e))
		}
	}
	first, last := 0, len(marks)-1
	for first+1 < last && marks[first+1] <= x.lo*1.0001 {
		first++
	}
	for last-1 > first && marks[last-1] >= x.hi*0.9999 {
		last--
	}
	x.ticks = marks[first : last+1]
	x.lo, x.hi = marks[first], marks[last]
}
