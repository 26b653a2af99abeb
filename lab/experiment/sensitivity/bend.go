package sensitivity

import (
	"fmt"
	"math"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/run"
)

// knees lists the values beyond which costs are said to rise: six levels of nesting, and 128
// fields.
var knees = []struct {
	factor        string
	from, at, end int    // values of the factor
	one           string // the unit of the factor
	span, beyond  string
}{
	{"depth", 1, knee, 16, "a level of nesting", "to depth %d", "nesting costs %s beyond %d"},
	{"fields", 32, kneeFields, mostFields, "a scalar field", "to %d fields", "fields cost %s beyond %d"},
}

// A claim about a knee is easy to make from two points and noise. So costs count as different only
// if the interval of their quotient excludes 1, and as alike only if it lies below worthy.

// worthy is the quotient of costs from which on a knee is worth a name.
const worthy = 1.2

// bend is what one more unit of a factor costs below and above a knee, in ns.
type bend struct {
	codec, op    string
	knee         int // index in knees
	below, above run.Estimate
	quotient     *run.Estimate // above ÷ below; nil if below may be 0
}

// leastReadings is the number of readings from which on a point has a 95% interval.
const leastReadings = 6

// bends compares what one more unit costs below and above each knee.
func (r *result) bends() (out []bend) {
	for i, x := range knees {
		for _, op := range experiment.Ops {
			for _, l := range r.of(op) {
				at := map[int]run.Estimate{}
				for _, m := range l.Readings {
					if m.Type < r.curves && varies(x.factor, &m.Point) {
						at[factorOf(x.factor).of(&m.Point)] = m.spread
					}
				}
				below, above := float64(x.at-x.from), float64(x.end-x.at) // units on each side
				b := bend{l.Codec, op, i, experiment.Slope(at[x.from], at[x.at], below), experiment.Slope(at[x.at], at[x.end], above), nil}
				if min(b.below.N, b.above.N) > 0 {
					b.quotient = quotient(at[x.from], at[x.at], at[x.end], below, above)
					out = append(out, b)
				}
			}
		}
	}
	return out
}

// quotient estimates the slope from mid to high divided by that from low to mid, by Fieller's
// theorem (1954): the reading at the knee is part of both slopes, and its error moves them in opposite
// directions. It returns nil if the divisor may be 0.
func quotient(low, mid, high run.Estimate, below, above float64) *run.Estimate {
	square := func(e run.Estimate) float64 { return (e.Hi - e.Lo) * (e.Hi - e.Lo) / 4 }
	num, den := (high.Median-mid.Median)/above, (mid.Median-low.Median)/below
	a := den*den - (square(mid)+square(low))/(below*below)
	b := num*den + square(mid)/(below*above)
	c := num*num - (square(high)+square(mid))/(above*above)
	if a <= 0 || den <= 0 {
		return nil
	}
	half := math.Sqrt(max(0, b*b-a*c))
	return &run.Estimate{Median: num / den, Lo: (b - half) / a, Hi: (b + half) / a, N: min(low.N, mid.N, high.N)}
}

// verdict says whether the cost changes at the knee, if the quotient proves it.
func (b *bend) verdict() string {
	x, q := knees[b.knee], b.quotient
	switch {
	case q == nil || q.N < leastReadings:
	case q.Hi < worthy && q.Lo > 1/worthy:
		return fmt.Sprintf("no knee at %d: %.2f to %.2f times as much beyond", x.at, q.Lo, q.Hi)
	case q.Lo > 1:
		return fmt.Sprintf(x.beyond, "more", x.at)
	case q.Hi < 1:
		return fmt.Sprintf(x.beyond, "less", x.at)
	case q.Hi < worthy:
		return fmt.Sprintf("no knee at %d: at most %.2f times as much beyond", x.at, q.Hi)
	}
	return fmt.Sprintf("no knee at %d that this run can show", x.at)
}

func bendFindings(bends []bend) (out []string) {
	for _, b := range bends {
		x := knees[b.knee]
		out = append(out, fmt.Sprintf("%s, %s: %s costs %s %s and %s from there to %d: %s.", b.codec, b.op, x.one,
			shown(b.below), fmt.Sprintf(x.span, x.at), shown(b.above), x.end, b.verdict()))
	}
	return out
}

func bendTable(bends []bend) run.Table {
	t := run.Table{Title: "Knees that are said to be there", Note: "What one more level of nesting or one more field costs before and " +
		"beyond a place at which others saw costs rise. A quotient whose interval holds 1 shows none."}
	for _, b := range bends {
		quotient := run.Text("–")
		switch {
		case b.quotient != nil:
			quotient = run.Est(*b.quotient)
		case b.below.Median != 0:
			quotient = run.Num(b.above.Median/b.below.Median).Marked("doubt", true)
		}
		t.Add(run.Text(b.codec).Under("codec", ""), run.Text(b.op).Under("op", ""), run.Text(knees[b.knee].factor).Under("factor", ""),
			run.Num(float64(knees[b.knee].at)).Under("at", run.UnitCount), run.Est(b.below).Under("before", run.UnitNS),
			run.Est(b.above).Under("beyond", run.UnitNS), quotient.Under("beyond ÷ before", run.UnitTimes),
			run.Text(b.verdict()).Under("judgement", ""))
	}
	return t
}
