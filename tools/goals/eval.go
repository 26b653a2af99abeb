package goals

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// Verdicts on goals.
const (
	Pass        = "PASS"        // the worse bound of the interval meets the goal
	Near        = "NEAR"        // only the point estimate meets it
	Fail        = "FAIL"        // not even the point estimate meets it
	Accepted    = "ACCEPTED"    // missed, and the goal has a reason why that is accepted
	Pending     = "PENDING"     // something that it needs is not built or not measured yet
	Unavailable = "UNAVAILABLE" // a contender is not available here
)

// Verdicts are all verdicts, in the order of the summary.
var Verdicts = []string{Pass, Near, Fail, Accepted, Pending, Unavailable}

// Outcome is the verdict on a goal.
type Outcome struct {
	Goal    *Goal
	Verdict string
	// Figure is what was measured, as the goal compares it: Than ÷ Ours for least, Ours ÷ Than for
	// most, Ours − Minus, or the metric itself for an absolute bound. It is zero if nothing was
	// measured.
	Figure run.Interval
	Why    string // what is missing or failed, or why a miss is accepted
}

// firstCallMargin is the factor by which first-call figures must be better than the goal. They are
// few and have no interval, so a narrow pass could be chance.
const firstCallMargin = 2

// Judge judges a goal by a run of its subject, variant and env. stats.Fill must have been called on
// the run.
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

// decide sets the verdict by the figure.
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

// doubtful reports whether the figure's interval contains the bound, so that more rounds may tell
// more. A miss that is accepted is not doubtful.
func (o Outcome) doubtful() bool {
	if o.Verdict != Fail && o.Verdict != Near || o.Figure.Lo == o.Figure.Hi {
		return false
	}
	bound := o.Goal.Least
	if o.Goal.Most != nil {
		bound = *o.Goal.Most
	}
	return o.Figure.Lo <= bound && bound <= o.Figure.Hi
}

func (o Outcome) miss(why string) Outcome {
	o.Verdict, o.Why = Fail, why
	if o.Goal.Accepted != "" {
		o.Verdict, o.Why = Accepted, o.Goal.Accepted
	}
	return o
}

// other returns the side that the goal compares with, and false if there is none. A floor is taken
// in the mode of ours, so that both write to the same kind of destination.
func (g *Goal) other() (Side, bool) {
	if g.Floor != "" {
		return Side{Codec: "floor-" + g.Floor, Mode: g.Ours.Mode}, true
	}
	return g.Than, g.Than != (Side{})
}

// find returns the cell of one side. If there is none, it returns the verdict and the reason.
func find(r *run.Run, g *Goal, s Side) (c *run.Cell, verdict, why string) {
	op := cmp.Or(s.Op, g.Op)
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

// figure returns the goal's figure, as the goal compares it, and false if it was not measured.
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
		return exact(a), g.Metric == "allocs" || g.Metric == "bytes" || a > 0
	}
	b := metric(g.Metric, than)
	if a == 0 && b == 0 {
		return run.Interval{}, g.Most != nil // 0 of 0 meets any upper bound
	}
	if g.Least != 0 {
		a, b = b, a
	}
	return exact(min(a/b, math.MaxFloat64)), true
}

// exact returns an interval without a width, for figures that are counted and need no statistics.
func exact(x float64) run.Interval { return run.Interval{Point: x, Lo: x, Hi: x} }

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
	if res.DF == 0 { // a single value proves nothing, so there is no bound
		iv.Lo, iv.Hi = 0, math.MaxFloat64
	}
	return iv, res.N > 0
}

func metric(name string, c *run.Cell) float64 {
	switch name {
	case "bytes":
		return c.Bytes
	case "allocs":
		// After the garbage collector has emptied a pool, the mean is a few thousandths higher. go
		// test also rounds these off.
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

// meets reports whether the interval's worse bound meets the goal, and whether the point estimate
// does.
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
