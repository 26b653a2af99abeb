package stats

import (
	"math"

	"github.com/zmylab/zmy/lab/run"
)

// NOTE: rounds of one launch share its memory layout and hash seeds, so they say nothing about how
// far another launch would lie. A run of several launches sees that by itself. One of a single
// launch, for instance one that was stopped early, has only its A/A twin to learn it from.

// luck is the variance of the log ratio of two launches of one program. df is the number of A/A
// comparisons that it rests on, 0 without any.
type luck struct{ variance, df float64 }

func luckOf(r *run.Run) luck {
	var l luck
	for _, t := range r.Noise.Twin {
		if t.Ratio.Point > 0 {
			d := math.Log(t.Ratio.Point)
			l.variance, l.df = l.variance+d*d, l.df+1
		}
	}
	l.variance /= max(1, l.df)
	return l
}

// Compared is the ratio of two cells' times in a run, above 1 if x is faster than base.
func Compared(r *run.Run, base, x []run.Sample, clock string, seed uint64) Result {
	t := timeOf(clock)
	return located(r, seriesOf(base, t).over(seriesOf(x, t)), seed)
}

// Placed is the location of one cell's times in a run, in ns.
func Placed(r *run.Run, samples []run.Sample, clock string, seed uint64) Result {
	return located(r, seriesOf(samples, timeOf(clock)).clusters(), seed)
}

// located is Locate, and counts the luck of a single launch.
func located(r *run.Run, c Clusters, seed uint64) Result {
	x := Locate(c, seed)
	if len(c) != 1 || x.DF == 0 {
		return x
	}
	return x.alone(luckOf(r))
}

// alone adds the luck of its only launch to x. Without an A/A twin no interval can be made.
func (x Result) alone(l luck) Result {
	if l.df == 0 {
		x.DF, x.P = 0, 1
		return x
	}
	within, dfWithin := x.SE*x.SE, x.DF
	v := within + l.variance
	if v == 0 {
		return x
	}
	theta, was := math.Log(x.Point), tQuantile((1+level)/2, dfWithin)*x.SE
	x.SE, x.DF = math.Sqrt(v), v*v/(within*within/dfWithin+l.variance*l.variance/l.df)
	x.P = 2 * tCDF(-math.Abs(theta)/x.SE, x.DF)
	half := tQuantile((1+level)/2, x.DF) * x.SE
	below, above := half, half
	if was > 0 { // its skew stays
		below, above = half/was*(theta-math.Log(x.Lo)), half/was*(math.Log(x.Hi)-theta)
	}
	x.Lo, x.Hi = math.Exp(theta-below), math.Exp(theta+above)
	return x
}
