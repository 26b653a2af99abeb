package sensitivity

import (
	"fmt"

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

// A claim about a knee is easy to make from two points and noise. So a bend is proven only if the
// intervals of the costs below and above the knee do not overlap. These intervals include the
// errors of both ends of a side.

// bend is what one more unit of a factor costs below and above a knee, in ns.
type bend struct {
	codec, op    string
	knee         int // index in knees
	below, above run.Estimate
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
				b := bend{l.Codec, op, i, experiment.Slope(at[x.from], at[x.at], float64(x.at-x.from)),
					experiment.Slope(at[x.at], at[x.end], float64(x.end-x.at))}
				if min(b.below.N, b.above.N) > 0 {
					out = append(out, b)
				}
			}
		}
	}
	return out
}

// verdict says whether the cost changes at the knee, if the intervals of both sides prove it.
func (b *bend) verdict() string {
	x := knees[b.knee]
	enough := min(b.below.N, b.above.N) >= leastReadings
	switch {
	case enough && b.above.Lo > b.below.Hi:
		return fmt.Sprintf(x.beyond, "more", x.at)
	case enough && b.above.Hi < b.below.Lo:
		return fmt.Sprintf(x.beyond, "less", x.at)
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
		if b.below.Lo > 0 && b.above.Median > 0 { // otherwise the divisor may be 0, or the sign of the quotient means nothing
			quotient = run.Between(b.above.Median/b.below.Median, max(0, b.above.Lo/b.below.Hi), b.above.Hi/b.below.Lo)
		}
		t.Add(run.Text(b.codec).Under("codec", ""), run.Text(b.op).Under("op", ""), run.Text(knees[b.knee].factor).Under("factor", ""),
			run.Num(float64(knees[b.knee].at)).Under("at", run.UnitCount), run.Est(b.below).Under("before", run.UnitNS),
			run.Est(b.above).Under("beyond", run.UnitNS), quotient.Under("beyond ÷ before", run.UnitTimes),
			run.Text(b.verdict()).Under("judgement", ""))
	}
	return t
}
