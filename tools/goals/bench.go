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

// JudgeBench judges a goal by the results of the benchmarks that it names, Go's or criterion's. Of
// several runs, those count that have all of its benchmarks.
func JudgeBench(g *Goal, runs ...*gobench.Results) Outcome {
	o := Outcome{Goal: g, Verdict: Unavailable}
	var values []float64
	for i, r := range runs {
		of, why := g.values(r)
		if why != "" && i == 0 {
			o.Why = why
			return o
		}
		values = append(values, of...)
	}
	h := fnv.New64a()
	h.Write([]byte(g.String()))
	res := stats.Difference(stats.Clusters{values}, h.Sum64())
	if g.isRatio() {
		res = stats.Locate(stats.Clusters{values}, h.Sum64())
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

// isRatio reports whether the figure is a ratio of two benchmarks.
func (g *Goal) isRatio() bool { return g.Than != (Side{}) }

// values returns one value for each round of a run: the logarithm of a ratio, a difference or the
// figure itself; or the reason why there are none. Each round is a process of its own, so rounds are
// independent.
func (g *Goal) values(r *gobench.Results) (values []float64, why string) {
	ours, why := r.Of(g.Ours.String(), g.Metric)
	if s := g.beside(); why == "" && s != (Side{}) {
		var other []float64
		if other, why = r.Of(s.String(), g.Metric); why != "" {
			return nil, why
		}
		for i := range min(len(ours), len(other)) {
			switch {
			case !g.isRatio():
				values = append(values, ours[i]-other[i])
			case ours[i] <= 0 || other[i] <= 0:
				return nil, "a ratio of " + g.Metric + " that is not positive"
			case g.Least != 0:
				values = append(values, math.Log(other[i]/ours[i]))
			default:
				values = append(values, math.Log(ours[i]/other[i]))
			}
		}
		return values, ""
	}
	return ours, why
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
