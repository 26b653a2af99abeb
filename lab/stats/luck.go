package stats

import (
	"math"

	"github.com/zmylab/zmy/lab/run"
)

// NOTE: Rounds of one launch share its memory layout and hash seeds, so they do not show how much
// another launch would differ. A run of several launches measures this difference. A run of a
// single launch, for instance one that was stopped early, can learn it from its A/A twin only.

// luck is the variance of the log ratio of two launches of one program. df is the number of A/A
// comparisons that it was computed from, 0 if there are none. part is the part of alpha that the
// run's look has, see looks.go.
type luck struct{ variance, df, part float64 }

// luckOf computes the luck of a launch from the A/A twin of a run.
func luckOf(r *run.Run) luck {
	var points []float64
	for _, t := range r.Noise.Twin {
		points = append(points, t.Ratio.Point)
	}
	l := luckBy(points)
	l.part = part(r)
	return l
}

// luckBy computes the luck from the ratios of A/A comparisons.
func luckBy(points []float64) luck {
	l := luck{part: 1}
	for _, x := range points {
		if x > 0 {
			d := math.Log(x)
			l.variance, l.df = l.variance+d*d, l.df+1
		}
	}
	l.variance /= max(1, l.df)
	return l
}

// Compared returns the ratio of two cells' times in a run, above 1 if x is faster than base. If the
// run has a single launch, the interval includes the luck of a launch.
func Compared(r *run.Run, base, x []run.Sample, clock string, seed uint64) Result {
	return ratioBy(luckOf(r), base, x, clock, seed)
}

// RatioBy is [Ratio], but the interval of a single launch includes the luck of a launch, which is
// computed from twins: the ratios of A/A comparisons in the same launches.
func RatioBy(twins []Result, base, x []run.Sample, clock string, seed uint64) Result {
	var points []float64
	for _, t := range twins {
		points = append(points, t.Point)
	}
	return ratioBy(luckBy(points), base, x, clock, seed)
}

func ratioBy(l luck, base, x []run.Sample, clock string, seed uint64) Result {
	t := SampleTime(clock)
	return l.locate(seriesOf(base, t).over(seriesOf(x, t)), seed)
}

// Placed returns the location of one cell's times in a run, in ns. The interval of a single launch
// includes the luck of a launch.
func Placed(r *run.Run, samples []run.Sample, clock string, seed uint64) Result {
	return luckOf(r).locate(seriesOf(samples, SampleTime(clock)).clusters(), seed)
}

// locate is [Locate] at the level of the run's look, but the interval of a single launch includes l.
func (l luck) locate(c Clusters, seed uint64) Result {
	x := Locate(c, seed)
	if len(c) == 1 && x.DF > 0 {
		x = x.alone(l)
	}
	return x.within(l.part)
}

// alone adds the luck of a launch to the interval of x, which comes from a single launch. Without
// an A/A twin the luck is unknown, and alone sets DF to 0: nothing is proven.
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
	theta := math.Log(x.Point)
	_, was := tTest(theta, x.SE, dfWithin)
	x.SE, x.DF = math.Sqrt(v), v*v/(within*within/dfWithin+l.variance*l.variance/l.df)
	var half float64
	x.P, half = tTest(theta, x.SE, x.DF)
	below, above := half, half
	if was > 0 { // keep the skew
		below, above = half/was*(theta-math.Log(x.Lo)), half/was*(math.Log(x.Hi)-theta)
	}
	x.Lo, x.Hi = math.Exp(theta-below), math.Exp(theta+above)
	return x
}
