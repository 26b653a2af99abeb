package stores

import (
	"fmt"
	"iter"
	"math"
	"strings"

	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
	"github.com/zmylab/zmy/lab/worker"
)

// This file compares codecs launch by launch: the figures of two codecs in one launch were taken in
// turn, on the same machine in the same state, so the ratio of the figures is steadier than the
// figures.

// Launch is what one visit measured: one process that filled the store once. Requests of a visit
// are not independent, since a stall delays all requests that follow. Visits are independent, so
// intervals are computed from the differences between visits.
type Launch struct {
	Launch int `json:"launch"` // from 0 on; visits with the same number were made in turn
	openloop.Served
	Write  worker.Part `json:"write"`
	Read   worker.Part `json:"read"`
	Mapped float64     `json:"mapped"` // bytes
}

// full reports whether requests came faster than they were answered.
func (l *Launch) full() bool { return l.Overloaded(1) }

// part returns the requests of an operation, or of both if op is "".
func (l *Launch) part(op string) (sum worker.Part) {
	if op != opRead {
		sum.Add(&l.Write)
	}
	if op != opWrite {
		sum.Add(&l.Read)
	}
	return sum
}

// responses returns the response times of an operation, or of both if op is "".
func (l *Launch) responses(op string) *openloop.Histogram {
	sum := l.part(op)
	return &sum.Response
}

// figure returns a number of a launch, or 0 if the launch does not have it.
type figure func(l *Launch) float64

// quantile returns the figure for a percentile of an operation's responses, or of all if op is "".
// The launch has it if at least one request lies beyond the percentile.
func quantile(op string, q float64) figure {
	return func(l *Launch) float64 {
		h := l.responses(op)
		if h.Beyond(q) == 0 {
			return 0
		}
		return h.Quantile(q)
	}
}

func mapped(l *Launch) float64 { return l.Mapped }

// known returns the logarithms of a figure, for the launches that have it.
func (p *Point) known(f figure) (c stats.Clusters) {
	for i := range p.Launches {
		if x := f(&p.Launches[i]); x > 0 {
			c = append(c, []float64{math.Log(x)})
		}
	}
	return c
}

// located estimates the geometric mean of a figure over the launches, with its interval.
func (p *Point) located(f figure) stats.Result { return stats.Locate(p.known(f), 1) }

// beside pairs each visit of p with the visit of o in the same launch.
func (p *Point) beside(o *Point) iter.Seq2[*Launch, *Launch] {
	return func(yield func(*Launch, *Launch) bool) {
		for i := range p.Launches {
			for k := range o.Launches {
				if p.Launches[i].Launch == o.Launches[k].Launch && !yield(&p.Launches[i], &o.Launches[k]) {
					return
				}
			}
		}
	}
}

// over estimates the ratio of a figure of p to that of o, launch by launch.
func (p *Point) over(o *Point, f figure) stats.Result {
	var c stats.Clusters
	for l, base := range p.beside(o) {
		if x, y := f(l), f(base); x > 0 && y > 0 {
			c = append(c, []float64{math.Log(x / y)})
		}
	}
	return stats.Locate(c, 1)
}

// leastLaunches is the least number of launches for an interval. An interval of two launches would
// extend 13 standard errors to each side.
const leastLaunches = 3

// item formats a figure for a table.
func item(r stats.Result) run.Item {
	switch {
	case r.N == 0:
		return experiment.None("–")
	case r.N < leastLaunches:
		return run.Item{Value: &r.Point, Mark: "doubt"}
	}
	return run.Between(r.Point, r.Lo, r.Hi)
}

// outcome is the result of a comparison with the baseline.
type outcome int

const (
	undecided outcome = iota
	lower
	higher
	alike
)

// nothing is a difference so small that nobody would change the codec for it.
const nothing = 0.05

// judge decides by the interval of a ratio to the baseline. The outcome is alike only if the whole
// interval lies within the margin, because a difference that was not proven may still exist. A
// proven but small difference is alike too, since nobody would act on it.
func judge(r stats.Result) outcome {
	switch {
	case r.N < leastLaunches:
		return undecided
	case r.Lo >= 1-nothing && r.Hi <= 1+nothing:
		return alike
	case r.Hi < 1:
		return lower
	case r.Lo > 1:
		return higher
	}
	return undecided
}

// comparison compares a percentile of a codec's requests with the baseline's, at one rate.
type comparison struct {
	rate  float64
	ratio stats.Result
	out   outcome
}

// compare compares a codec with the baseline at every rate that all codecs keep up with.
func (v *view) compare(codec string, q float64) (out []comparison) {
	for _, r := range v.rates {
		if r > v.top || !v.common(r) {
			continue
		}
		p, base := v.at(codec, r), v.at(run.Baseline, r)
		c := comparison{rate: r, ratio: p.over(base, quantile("", q))}
		if p.sound("", q) && base.sound("", q) && !p.doubtful("", q) && !base.doubtful("", q) {
			c.out = judge(c.ratio)
		}
		out = append(out, c)
	}
	return out
}

// matters says whether the codec matters for a percentile, and for which codecs and rates.
func (v *view) matters(name string, q float64) string {
	var parts []string
	matters, same, decided := false, true, false
	for _, codec := range v.codecs {
		if codec == run.Baseline {
			continue
		}
		cs := v.compare(codec, q)
		for i, c := range cs {
			same = same && c.out == alike
			decided = decided || c.out != undecided
			// One comparison in twenty errs, so two neighbouring rates must agree.
			if c.out == lower || c.out == higher {
				matters = matters || len(cs) == 1 || i > 0 && cs[i-1].out == c.out
			}
		}
		parts = append(parts, codec+" "+told(cs))
	}
	details := strings.Join(parts, "; ")
	switch {
	case len(parts) == 0:
		return ""
	case matters:
		return fmt.Sprintf(" %s: the codec matters. Against %s, %s.", name, run.Baseline, details)
	case same:
		return fmt.Sprintf(" %s: the codec does not matter here. Against %s, %s.", name, run.Baseline, details)
	case !decided:
		return fmt.Sprintf(" %s: not decided, with any codec at any rate; a longer -budget or -depth standard tells more.", name)
	}
	return fmt.Sprintf(" %s: not decided on the whole. Against %s, %s.", name, run.Baseline, details)
}

// told describes comparisons: the rates of each outcome, and the difference at the highest of them.
func told(cs []comparison) string {
	var parts []string
	for _, o := range []outcome{lower, higher, alike, undecided} {
		var rates []string
		var last comparison
		for _, c := range cs {
			if c.out == o {
				rates, last = append(rates, quantity.Count(c.rate)), c
			}
		}
		if len(rates) == 0 {
			continue
		}
		s := map[outcome]string{lower: "is lower", higher: "is higher", alike: "is within ±" + quantity.Share(nothing),
			undecided: "is not decided"}[o] + " at " + experiment.List(rates) + " a second"
		if o == lower || o == higher {
			s += fmt.Sprintf(" (%s times at %s)", ranged(last.ratio.Point, last.ratio.Lo, last.ratio.Hi), quantity.Count(last.rate))
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, ", ")
}

// ranged formats a ratio with its interval.
func ranged(x, lo, hi float64) string {
	return fmt.Sprintf("%s [%s, %s]", quantity.Figure(x), quantity.Figure(lo), quantity.Figure(hi))
}
