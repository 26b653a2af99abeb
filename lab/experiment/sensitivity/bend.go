package sensitivity

import (
	"fmt"

	"github.com/zmylab/zmy/lab/run"
)

// knees lists where costs are said to rise: beyond six levels of nesting, and in structs of more
// than 128 fields.
var knees = []struct {
	factor        string
	from, at, end int    // values of the factor
	one           string // the unit of the factor
	span, beyond  string
}{
	{"depth", 1, knee, 16, "a level of nesting", "to depth %d", "nesting costs %s beyond %d"},
	{"fields", 32, kneeFields, mostFields, "a scalar field", "to %d fields", "fields cost %s beyond %d"},
}

// bend is what one more unit of a factor costs below and above a knee, in ns.
type bend struct {
	codec, op     string
	knee          int // index of knees
	below, above  slope
	enough        bool // readings for 95% intervals
	steeper, flat bool // proven
}

// slope is a cost with its bounds.
type slope struct{ lo, point, hi float64 }

func between(a, b run.Estimate, steps int) slope {
	n := float64(steps)
	return slope{(b.Lo - a.Hi) / n, (b.Median - a.Median) / n, (b.Hi - a.Lo) / n}
}

// leastReadings is the number of readings from which on a point has a 95% interval.
const leastReadings = 6

// bends compares what one more unit costs below and above each knee.
func (r *result) bends() (out []bend) {
	for i, x := range knees {
		for _, op := range ops {
			for _, codec := range r.order {
				k := key{codec, op}
				at := map[int]run.Estimate{}
				for n, m := range r.list[k] {
					if m.Type < r.curves && varies(x.factor, &m.Point) {
						at[setting(x.factor, &m.Point)] = r.spread[k][n]
					}
				}
				from, mid, end := at[x.from], at[x.at], at[x.end]
				if from.N == 0 || mid.N == 0 || end.N == 0 {
					continue
				}
				b := bend{codec: codec, op: op, knee: i, below: between(from, mid, x.at-x.from), above: between(mid, end, x.end-x.at)}
				b.enough = min(from.N, mid.N, end.N) >= leastReadings
				b.steeper, b.flat = b.enough && b.above.lo > b.below.hi, b.enough && b.above.hi < b.below.lo
				out = append(out, b)
			}
		}
	}
	return out
}

func setting(factor string, p *Point) int {
	if factor == "depth" {
		return p.Depth
	}
	return p.Fields
}

func (b *bend) verdict() string {
	x := knees[b.knee]
	switch {
	case b.steeper:
		return fmt.Sprintf(x.beyond, "more", x.at)
	case b.flat:
		return fmt.Sprintf(x.beyond, "less", x.at)
	}
	return fmt.Sprintf("no knee at %d that this run can show", x.at)
}

func bendFindings(bends []bend) (out []string) {
	for i := range bends {
		b := &bends[i]
		x := knees[b.knee]
		out = append(out, fmt.Sprintf("%s, %s: %s costs %s %s and %s from there to %d: %s.", b.codec, b.op, x.one,
			shown(b.below.lo, b.below.point, b.below.hi), fmt.Sprintf(x.span, x.at), shown(b.above.lo, b.above.point,
				b.above.hi), x.end, b.verdict()))
	}
	return out
}

func bendTable(bends []bend) run.Table {
	t := run.Table{Title: "Knees that are said to be there", Note: "What one more level of nesting or one more field costs before and " +
		"beyond a place at which others saw costs rise. A quotient whose interval holds 1 shows none."}
	for i := range bends {
		b := &bends[i]
		quotient := run.Text("–")
		if b.below.lo > 0 && b.above.point > 0 { // otherwise the divisor may be 0, or the sign of the quotient means nothing
			quotient = run.Between(b.above.point/b.below.point, max(0, b.above.lo/b.below.hi), b.above.hi/b.below.lo)
		}
		t.Add(run.Text(b.codec).Under("codec", ""), run.Text(b.op).Under("op", ""), run.Text(knees[b.knee].factor).Under("factor", ""),
			run.Num(float64(knees[b.knee].at)).Under("at", run.UnitCount), b.below.item().Under("before", run.UnitNS),
			b.above.item().Under("beyond", run.UnitNS), quotient.Under("beyond ÷ before", run.UnitTimes),
			run.Text(b.verdict()).Under("judgement", ""))
	}
	return t
}

func (s slope) item() run.Item { return run.Between(s.point, s.lo, s.hi) }
