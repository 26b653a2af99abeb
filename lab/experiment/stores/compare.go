package stores

import (
	"fmt"
	"math"
	"strings"

	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
	"github.com/zmylab/zmy/lab/worker"
)

// Launch is what one visit showed: one process, one filling of the store. Requests of a visit
// are not independent, since a stall delays all that wait behind it; visits are, and so
// intervals rest on what differs between them.
type Launch struct {
	Launch int `json:"launch"` // from 0 on; those of one number were measured in turn
	openloop.Served
	Write  worker.Part `json:"write"`
	Read   worker.Part `json:"read"`
	Mapped float64     `json:"mapped"` // bytes
}

// full reports requests that came faster than they were answered.
func (l *Launch) full() bool { return l.Overloaded(1) }

// responses are those of an op, or of both for "".
func (l *Launch) responses(op string) *openloop.Histogram {
	switch op {
	case opWrite:
		return &l.Write.Response
	case opRead:
		return &l.Read.Response
	}
	var all openloop.Histogram
	all.Add(&l.Write.Response)
	all.Add(&l.Read.Response)
	return &all
}

// figure is a number that each launch shows, 0 where it does not tell.
type figure func(l *Launch) float64

// quantile is a percentile of an op's responses, or of all for "". It takes at least one
// request beyond it.
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

// known are the logarithms of a figure, of those launches that show it.
func (p *Point) known(f figure) (c stats.Clusters) {
	for i := range p.Launches {
		if x := f(&p.Launches[i]); x > 0 {
			c = append(c, []float64{math.Log(x)})
		}
	}
	return c
}

// located is the mean of a figure over the launches, geometric, with its interval.
func (p *Point) located(f figure) stats.Result { return stats.Locate(p.known(f), 1) }

// over is a figure over that of another point, launch by launch.
func (p *Point) over(o *Point, f figure) stats.Result {
	var c stats.Clusters
	for i := range p.Launches {
		for k := range o.Launches {
			if p.Launches[i].Launch != o.Launches[k].Launch {
				continue
			}
			if x, y := f(&p.Launches[i]), f(&o.Launches[k]); x > 0 && y > 0 {
				c = append(c, []float64{math.Log(x / y)})
			}
		}
	}
	return stats.Locate(c, 1)
}

// leastLaunches is how many an interval takes: that of two would be as wide as 13 standard
// errors to each side.
const leastLaunches = 3

// item is a figure of launches in a table.
func item(r stats.Result) run.Item {
	switch {
	case r.N == 0:
		return experiment.None("–")
	case r.N < leastLaunches:
		return run.Item{Value: &r.Point, Mark: "doubt"}
	}
	return run.Between(r.Point, r.Lo, r.Hi)
}

// outcome is what a comparison with the baseline says.
type outcome int

const (
	undecided outcome = iota
	lower
	higher
	alike
)

// nothing is the difference that nobody would change a codec for.
const nothing = 0.05

// judge reads the interval of a ratio to the baseline.
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

// comparison is a percentile of a codec's requests against the baseline's.
type comparison struct {
	rate  float64
	ratio stats.Result
	out   outcome
}

// compare does it at every rate that all codecs keep up with.
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

// matters says whether the codec matters for a percentile, and for whom and where.
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
			// One comparison in twenty errs: two rates running that say the same are proof.
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

// told spells what comparisons say: the rates of each outcome, and by how much at the highest.
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
		at := experiment.List(rates) + " a second"
		r := last.ratio
		switch o {
		case lower, higher:
			parts = append(parts, fmt.Sprintf("%s at %s (%s [%s, %s] times at %s)", map[outcome]string{lower: "is lower", higher: "is higher"}[o],
				at, quantity.Figure(r.Point), quantity.Figure(r.Lo), quantity.Figure(r.Hi), quantity.Count(last.rate)))
		case alike:
			parts = append(parts, fmt.Sprintf("is within ±%s at %s", quantity.Share(nothing), at))
		default:
			parts = append(parts, "is not decided at "+at)
		}
	}
	return strings.Join(parts, ", ")
}
