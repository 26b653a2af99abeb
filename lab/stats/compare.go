package stats

import (
	"cmp"
	"math"
	"slices"

	"github.com/zmylab/zmy/lab/run"
)

// alpha is the accepted probability of any false claim in a whole run.
const alpha = 1 - level

type at struct{ launch, round int }

// series is one cell's time per (launch, round).
type series map[at]float64

// SampleTime returns the function that reads a sample's time on a clock.
func SampleTime(clock string) func(run.Sample) float64 {
	if clock == CPU {
		return func(s run.Sample) float64 { return s.CPU }
	}
	return func(s run.Sample) float64 { return s.Wall }
}

// seriesOf indexes samples by launch and round. Several samples of one round become their mean.
// Times that are not positive and finite are left out.
func seriesOf(samples []run.Sample, time func(run.Sample) float64) series {
	out, n := series{}, map[at]int{}
	for _, s := range samples {
		if t := time(s); t > 0 && !math.IsInf(t, 0) {
			k := at{s.Launch, s.Round}
			out[k] += t
			n[k]++
		}
	}
	for k, c := range n {
		out[k] /= float64(c)
	}
	return out
}

// plus adds two series where both have a value: encode + decode time of one round.
func (s series) plus(o series) series {
	out := series{}
	for k, v := range s {
		if w, ok := o[k]; ok {
			out[k] = v + w
		}
	}
	return out
}

// clusters groups the logs of a series by launch.
func (s series) clusters() Clusters {
	return s.over(nil)
}

// over returns log(s/o) for each round in which both series have a value, grouped by launch. A nil
// o means 1 everywhere.
func (s series) over(o series) Clusters {
	keys := make([]at, 0, len(s))
	for k := range s {
		if _, ok := o[k]; ok || o == nil {
			keys = append(keys, k)
		}
	}
	slices.SortFunc(keys, func(a, b at) int { return cmp.Or(a.launch-b.launch, a.round-b.round) })
	var c Clusters
	for i, k := range keys {
		if i == 0 || keys[i-1].launch != k.launch {
			c = append(c, nil)
		}
		v := math.Log(s[k])
		if o != nil {
			v -= math.Log(o[k])
		}
		c[len(c)-1] = append(c[len(c)-1], v)
	}
	return c
}

// Ratio compares two cells' samples, paired on (launch, round). It returns the time of base over
// the time of x, which is above 1 if x is faster.
func Ratio(base, x []run.Sample, clock string, seed uint64) Result {
	t := SampleTime(clock)
	return Locate(seriesOf(base, t).over(seriesOf(x, t)), seed)
}

// Location estimates one cell's time in ns, for a comparison of two runs.
func Location(samples []run.Sample, clock string, seed uint64) Result {
	return Locate(seriesOf(samples, SampleTime(clock)).clusters(), seed)
}

// Between returns the ratio of two figures of separate runs, a over b. Nothing pairs them, so their
// variances add, and the interval is Student's with Satterthwaite's degrees of freedom (Welch).
func Between(a, b Result) Result {
	if a.N == 0 || b.N == 0 {
		return Result{P: 1}
	}
	theta := math.Log(a.Point) - math.Log(b.Point)
	out := Result{Point: math.Exp(theta), N: min(a.N, b.N), P: 1}
	out.Lo, out.Hi = out.Point, out.Point
	if a.DF == 0 || b.DF == 0 {
		return out
	}
	out.SE = math.Hypot(a.SE, b.SE)
	if out.SE == 0 {
		out.DF = min(a.DF, b.DF)
		if theta != 0 {
			out.P = 0
		}
		return out
	}
	out.DF = math.Pow(out.SE, 4) / (math.Pow(a.SE, 4)/a.DF + math.Pow(b.SE, 4)/b.DF)
	var half float64
	out.P, half = tTest(theta, out.SE, out.DF)
	out.Lo, out.Hi = math.Exp(theta-half), math.Exp(theta+half)
	return out
}

// Judge returns what a ratio proves, given the noise floor (relative) and the p-value after
// correction for the number of comparisons. Faster and Slower need an interval that excludes 1, and
// an effect larger than the floor. Tied needs the whole interval to lie within small of 1; that
// margin is fixed, so that noise makes no ties (two one-sided tests, Schuirmann 1987). Everything
// else is Inconclusive. Then need is about how many times longer a run would have to be to decide,
// or 0 if the samples cannot tell. If r has no values, the verdict is "".
func Judge(r Result, p, floor float64) (verdict string, need float64) {
	if r.N == 0 {
		return "", 0
	}
	effect := math.Log(r.Point)
	limit := math.Log1p(floor)
	proven := r.DF > 0 && p < alpha && (r.Lo > 1 || r.Hi < 1)
	switch {
	case proven && effect > limit:
		return run.Faster, 0
	case proven && effect < -limit:
		return run.Slower, 0
	case r.DF > 0 && reach(r) <= small:
		return run.Tied, 0
	}
	return run.Inconclusive, needs(r, math.Abs(effect), limit)
}

// reach returns how far from 1 the interval reaches, on a log scale.
func reach(r Result) float64 {
	return max(math.Abs(math.Log(r.Lo)), math.Abs(math.Log(r.Hi)))
}

// small is an effect, on a log scale, that is too small for anybody to change a codec.
const small = 0.05

// needs estimates how many times longer a run would have to be to decide, in the nearer of two
// ways: interval and floor become smaller than the effect, or the interval fits into small. The
// interval shrinks with the square root of the number of launches, and faster while these are few:
// Student's quantile is 4.3 for three and 2.2 for twelve.
func needs(r Result, effect, limit float64) float64 {
	if r.DF == 0 {
		return 0
	}
	half, least := math.Log(max(r.Hi/r.Point, r.Point/r.Lo)), math.Inf(1)
	if effect > 0 {
		least = max(half, limit) / effect
	}
	if effect < small {
		least = min(least, half/(small-effect))
	}
	now := StudentQuantile(1-alpha/2, r.DF)
	for k := 2.0; k <= 2*mostLonger; k++ {
		if least*StudentQuantile(1-alpha/2, k*(r.DF+1)-1)/now <= math.Sqrt(k) {
			return k
		}
	}
	return math.Ceil(least * least)
}

// Holm adjusts p-values for their number (Holm 1979). If adjusted values are compared with alpha,
// the probability of any false claim among them is below alpha, whatever their dependence.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	out, running := make([]float64, len(p)), 0.0
	for rank, i := range order {
		running = max(running, min(1, p[i]*float64(len(p)-rank)))
		out[i] = running
	}
	return out
}
