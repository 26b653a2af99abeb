package goals

import (
	"fmt"
	"hash/fnv"
	"math"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// The verdicts.
const (
	Pass        = "PASS"        // the interval's worse bound meets it
	Near        = "NEAR"        // only the point estimate does
	Fail        = "FAIL"        // not even that
	Accepted    = "ACCEPTED"    // missed, and the goal says why that is accepted
	Pending     = "PENDING"     // something it needs is not built or not measured yet
	Unavailable = "UNAVAILABLE" // a contender cannot be had here
)

// Verdicts in the order of the summary.
var Verdicts = []string{Pass, Near, Fail, Accepted, Pending, Unavailable}

// Outcome is a goal judged.
type Outcome struct {
	Goal    *Goal
	Verdict string
	// Figure is what was measured, in the goal's own direction: Than ÷ Ours for
	// least, Ours ÷ Than for most, Ours − Minus, the metric itself for an absolute bound.
	// Zero when nothing was measured.
	Figure run.Interval
	Why    string // what is missing, failed or accepted
}

// firstCallMargin is asked of first-call figures: they are few and come
// without an interval, so only a wide pass is a pass.
const firstCallMargin = 2

// Judge judges a goal by a run of its subject, variant and env. The run must
// have been filled by package stats.
func Judge(g *Goal, r *run.Run) Outcome {
	o := Outcome{Goal: g, Verdict: Pending}
	if !Metrics[g.Metric] {
		o.Why = "metric " + g.Metric + " is not measured yet"
		return o
	}
	ours, verdict, why := find(r, g, g.Ours)
	if ours == nil {
		o.Verdict, o.Why = verdict, why
		return o
	}
	var than *run.Cell
	if side, relative := g.other(); relative {
		than, verdict, why = find(r, g, side)
		if than == nil {
			o.Verdict, o.Why = verdict, why
			return o
		}
	}
	if c := stats.Contender(r, ours.Codec); c != nil && (c.Contract.Grade == run.Broken || c.Value.Grade == run.Fails) {
		return o.miss("not counted, " + c.Name + " does not keep its promise: " + c.Rankless)
	}
	var ok bool
	if o.Figure, ok = figure(g, r, ours, than); !ok {
		o.Why = "no " + g.Metric + " was measured"
		return o
	}
	return o.decide()
}

// decide gives the verdict on the figure.
func (o Outcome) decide() Outcome {
	switch good, near := meets(o.Goal, o.Figure); {
	case good:
		o.Verdict = Pass
	case near:
		o.Verdict = Near
		if o.Goal.Metric == "first-call" {
			o.Why = fmt.Sprintf("without an interval it must be met %d times over", firstCallMargin)
		}
	default:
		return o.miss("")
	}
	return o
}

func (o Outcome) miss(why string) Outcome {
	o.Verdict, o.Why = Fail, why
	if o.Goal.Accepted != "" {
		o.Verdict, o.Why = Accepted, o.Goal.Accepted
	}
	return o
}

// other is what the goal compares with. A floor is taken in the same mode, so
// that both write into the same kind of destination.
func (g *Goal) other() (Side, bool) {
	if g.Floor != "" {
		return Side{Codec: "floor-" + g.Floor, Mode: g.Ours.Mode}, true
	}
	return g.Than, g.Than != (Side{})
}

// find returns the cell of one side, or why there is none.
func find(r *run.Run, g *Goal, s Side) (c *run.Cell, verdict, why string) {
	op := g.Op
	if s.Op != "" {
		op = s.Op
	}
	if s.Codec == Fastest {
		for _, k := range r.Cells {
			if k.Op == op && k.Mode == s.Mode && k.Rank && k.Codec != g.Ours.Codec &&
				(c == nil || stats.TimeOf(r, k).Median < stats.TimeOf(r, c).Median) {
				c = k
			}
		}
		return c, Pending, "no other ranked contender was measured in " + op + " " + s.Mode
	}
	if c = stats.Find(r, s.Codec, op, s.Mode); c != nil {
		return c, "", ""
	}
	k := stats.Contender(r, s.Codec)
	switch {
	case k == nil:
		return nil, Pending, s.Codec + " is not in the lab yet"
	case k.Status != run.StatusMeasured && k.Why != nil:
		why = s.Codec + " " + k.Why.What
		if k.Why.Reason != "" {
			why += ": " + k.Why.Reason
		}
		return nil, Unavailable, why
	case k.Status != run.StatusMeasured:
		return nil, Unavailable, s.Codec + " was " + k.Status
	}
	return nil, Pending, fmt.Sprintf("%s has no %s in mode %s yet", s.Codec, op, s.Mode)
}

// figure measures the goal's quantity in the goal's own direction.
func figure(g *Goal, r *run.Run, ours, than *run.Cell) (run.Interval, bool) {
	switch g.Metric {
	case "time":
		return timeFigure(g, r, ours, than)
	case "start-up":
		return estimated(ours.Start)
	case "scaling":
		return estimated(ours.Scaling)
	}
	a := metric(g.Metric, ours)
	if than == nil {
		return run.Interval{Point: a, Lo: a, Hi: a}, g.Metric == "allocs" || g.Metric == "bytes" || a > 0
	}
	b := metric(g.Metric, than)
	switch {
	case a == 0 && b == 0:
		return run.Interval{}, g.Most != nil // nothing of nothing is at most anything
	case g.Least != 0 && a == 0:
		return run.Interval{Point: math.MaxFloat64, Lo: math.MaxFloat64, Hi: math.MaxFloat64}, true
	case g.Least != 0:
		return run.Interval{Point: b / a, Lo: b / a, Hi: b / a}, true
	case b == 0:
		return run.Interval{Point: math.MaxFloat64, Lo: math.MaxFloat64, Hi: math.MaxFloat64}, true
	}
	return run.Interval{Point: a / b, Lo: a / b, Hi: a / b}, true
}

func estimated(e *run.Estimate) (run.Interval, bool) {
	if e == nil || e.N == 0 {
		return run.Interval{}, false
	}
	return run.Interval{Point: e.Median, Lo: e.Lo, Hi: e.Hi}, true
}

func timeFigure(g *Goal, r *run.Run, ours, than *run.Cell) (run.Interval, bool) {
	if than == nil {
		e := stats.TimeOf(r, ours)
		return run.Interval{Point: e.Median, Lo: e.Lo, Hi: e.Hi}, e.N > 0
	}
	h := fnv.New64a()
	h.Write([]byte(g.String()))
	slow, fast := than, ours
	if g.Most != nil { // Ours ÷ Than
		slow, fast = ours, than
	}
	res := stats.Compared(r, slow.Samples, fast.Samples, r.Clock, r.Seed^h.Sum64())
	iv := run.Interval{Point: res.Point, Lo: res.Lo, Hi: res.Hi}
	if res.DF == 0 { // one value proves nothing: no bound at all
		iv.Lo, iv.Hi = 0, math.MaxFloat64
	}
	return iv, res.N > 0
}

func metric(name string, c *run.Cell) float64 {
	switch name {
	case "bytes":
		return c.Bytes
	case "allocs":
		// A pool that the collector empties adds thousandths; go test rounds too.
		if n := math.Round(c.Allocs); math.Abs(c.Allocs-n) < 0.05 {
			return n
		}
		return c.Allocs
	case "wire":
		return c.Wire
	case "first-call":
		return c.First
	}
	return math.NaN()
}

// meets says whether the worse bound meets the goal, and whether the point does.
func meets(g *Goal, f run.Interval) (good, near bool) {
	margin := 1.0
	if g.Metric == "first-call" {
		margin = firstCallMargin
	}
	if g.Least != 0 {
		return f.Lo >= g.Least*margin, f.Point >= g.Least
	}
	return f.Hi*margin <= *g.Most, f.Point <= *g.Most
}
