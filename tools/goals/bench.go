package goals

import (
	"fmt"
	"hash/fnv"
	"math"
	"strconv"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
	"github.com/zmylab/zmy/tools/gobench"
)

// JudgeBench judges a goal by the results of the benchmarks that it names, Go's or criterion's.
func JudgeBench(g *Goal, r *gobench.Results) Outcome {
	o := Outcome{Goal: g, Verdict: Unavailable}
	ours, why := r.Of(g.Ours.String(), g.Metric)
	var other []float64
	if s := g.beside(); why == "" && s != (Side{}) {
		other, why = r.Of(s.String(), g.Metric)
	}
	if why != "" {
		o.Why = why
		return o
	}
	h := fnv.New64a()
	h.Write([]byte(g.String()))
	res, ok := benchFigure(g, ours, other, h.Sum64())
	if !ok {
		o.Why = "a ratio of " + g.Metric + " that is not positive"
		return o
	}
	o.Figure = run.Interval{Point: res.Point, Lo: res.Lo, Hi: res.Hi}
	if res.DF == 0 { // a single value proves nothing, so there is no bound
		o.Figure.Lo, o.Figure.Hi = -math.MaxFloat64, math.MaxFloat64
	}
	return o.decide()
}

// beside returns the other benchmark of the goal, or the zero Side.
func (g *Goal) beside() Side {
	if g.Minus != (Side{}) {
		return g.Minus
	}
	return g.Than
}

// benchFigure returns the median over the rounds of a ratio, a difference or the figure itself,
// with its interval. Each round is a process of its own, so rounds are independent. The bool is
// false if a value of a ratio is not positive.
func benchFigure(g *Goal, ours, other []float64, seed uint64) (stats.Result, bool) {
	n := len(ours)
	if other != nil {
		n = min(n, len(other))
	}
	values := make([]float64, n)
	for i := range values {
		switch {
		case g.Minus != (Side{}):
			values[i] = ours[i] - other[i]
		case other == nil:
			values[i] = ours[i]
		case ours[i] <= 0 || other[i] <= 0:
			return stats.Result{}, false
		case g.Least != 0:
			values[i] = math.Log(other[i] / ours[i])
		default:
			values[i] = math.Log(ours[i] / other[i])
		}
	}
	if other != nil && g.Minus == (Side{}) {
		return stats.Locate(stats.Clusters{values}, seed), true
	}
	return stats.Difference(stats.Clusters{values}, seed), true
}

// benchmarks returns the benchmarks that goals name, each once. Each runs for as many rounds as the
// most demanding goal asks. If goals give different benchtimes, the last one counts.
func benchmarks(goals []*Goal) (out []gobench.Benchmark) {
	at := map[string]int{}
	for _, g := range goals {
		for _, s := range []Side{g.Ours, g.beside()} {
			if s == (Side{}) {
				continue
			}
			i, known := at[s.Codec]
			if !known {
				i, at[s.Codec] = len(out), len(out)
				out = append(out, gobench.Benchmark{Name: s.Codec})
			}
			b := &out[i]
			b.Rounds, b.Free = max(b.Rounds, g.Rounds), b.Free || g.Free
			if g.Benchtime != "" {
				b.Time = g.Benchtime
			}
		}
	}
	return out
}

// benchString formats a goal by benchmarks: "BenchmarkHandle/nano − BenchmarkHandle/bare ≤ 3
// allocs/op".
func (g *Goal) benchString() string {
	bound := "≤ "
	if g.Least != 0 {
		bound = "≥ " + strconv.FormatFloat(g.Least, 'f', -1, 64)
	} else {
		bound += strconv.FormatFloat(*g.Most, 'f', -1, 64)
	}
	switch {
	case g.Minus != (Side{}):
		return fmt.Sprintf("%s − %s %s %s", g.Ours, g.Minus, bound, g.Metric)
	case g.Than != (Side{}) && g.Least != 0:
		return fmt.Sprintf("%s %s %s× %s", g.Metric, g.Ours, bound, g.Than)
	case g.Than != (Side{}):
		return fmt.Sprintf("%s %s %s of %s", g.Metric, g.Ours, bound, g.Than)
	}
	return fmt.Sprintf("%s %s %s", g.Ours, bound, g.Metric)
}
