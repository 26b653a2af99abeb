package stats

import (
	"math"
	"math/rand/v2"
	"slices"
)

// draws is the number of bootstrap samples: enough for a 2.5% quantile that moves by a few percent
// of the interval's width from seed to seed.
const draws = 1000

const level = 0.95

// Clusters holds samples: one slice per launch, one value per round. Values are logarithms, except
// for [Difference].
type Clusters [][]float64

// N returns the number of values.
func (c Clusters) N() int {
	n := 0
	for _, l := range c {
		n += len(l)
	}
	return n
}

// Result is a location with its 95% interval on the natural scale, and the result of a test against
// 1. For [Difference] the test is against 0.
type Result struct {
	Point, Lo, Hi float64
	SE            float64 // standard error of log Point; of Difference: of Point
	DF            float64 // degrees of freedom that SE rests on; 0: no interval could be made
	P             float64 // two-sided p-value of Point = 1; of Difference: of Point = 0
	N             int
}

// Locate estimates the location of clustered log values: the geometric mean over launches of the
// median over rounds. A two-level bootstrap (launches with replacement, then rounds within each)
// gives the skew of the interval and the share of rounds in the variance. The width is Student's t
// with Satterthwaite's degrees of freedom, since launches are few: a plain percentile interval of 5
// clusters covers about 85%, not 95% (Hesterberg 2015, "What Teachers Should Know About the
// Bootstrap").
//
// Without any value Point, Lo, Hi and N are 0; from a single value Lo and Hi
// equal Point. In both cases DF is 0 and P is 1: nothing is proven.
func Locate(c Clusters, seed uint64) Result {
	res := Difference(c, seed)
	if res.N > 0 {
		res.Point, res.Lo, res.Hi = math.Exp(res.Point), math.Exp(res.Lo), math.Exp(res.Hi)
	}
	return res
}

// Difference estimates the location of clustered values that are not logarithms, such as
// differences of two figures: the arithmetic mean over launches of the median over rounds.
func Difference(c Clusters, seed uint64) Result {
	c = slices.DeleteFunc(slices.Clone(c), func(l []float64) bool { return len(l) == 0 })
	n := c.N()
	if n == 0 {
		return Result{P: 1}
	}
	medians := make([]float64, len(c))
	for i, l := range c {
		medians[i] = Median(l)
	}
	theta := mean(medians)
	res := Result{Point: theta, N: n, P: 1}
	res.Lo, res.Hi = res.Point, res.Point
	if n == 1 {
		return res
	}

	boot, within := resample(c, medians, seed)
	between, dfBetween := 0.0, 0.0
	if L := float64(len(c)); L > 1 {
		between, dfBetween = variance(medians)/L, L-1
	}
	dfWithin := float64(n - len(c))
	v := between + within
	if v == 0 { // every value is the same
		res.DF = float64(n - 1)
		if theta != 0 {
			res.P = 0
		}
		return res
	}
	den := 0.0
	if dfBetween > 0 {
		den += between * between / dfBetween
	}
	if dfWithin > 0 {
		den += within * within / dfWithin
	}
	res.DF = v * v / den
	res.SE = math.Sqrt(v)
	var half float64
	res.P, half = tTest(theta, res.SE, res.DF)

	// Width from t and SE, skew from the bootstrap: the quantiles of a mean of
	// few clusters are too short-tailed to set the width themselves.
	slices.Sort(boot)
	below := max(0, theta-Quantile(boot, (1-level)/2))
	above := max(0, Quantile(boot, (1+level)/2)-theta)
	if below+above == 0 {
		below, above = 1, 1
	}
	res.Lo = theta - 2*half*below/(below+above)
	res.Hi = theta + 2*half*above/(below+above)
	return res
}

// resample draws the two-level bootstrap distribution of the mean of launch medians. within is the
// part of that mean's variance that comes from rounds alone.
//
// The median of a resampled launch is found by counting how often each of the sorted rounds was
// drawn, which needs no sorting; resampleSlow in the tests is its oracle.
func resample(c Clusters, medians []float64, seed uint64) (boot []float64, within float64) {
	rng := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	sorted, longest := make(Clusters, len(c)), 0
	for i, l := range c {
		sorted[i] = slices.Clone(l)
		slices.Sort(sorted[i])
		longest = max(longest, len(l))
	}
	counts := make([]int, longest)
	boot = make([]float64, draws)
	L := len(c)
	for b := range boot {
		sum, dev := 0.0, 0.0
		for range L {
			i := 0
			if L > 1 {
				i = rng.IntN(L)
			}
			l := sorted[i]
			n := counts[:len(l)]
			clear(n)
			for range l {
				n[rng.IntN(len(l))]++
			}
			m := medianCounted(l, n)
			sum += m
			dev += (m - medians[i]) * (m - medians[i])
		}
		boot[b] = sum / float64(L)
		within += dev
	}
	return boot, within / float64(draws) / float64(L) / float64(L)
}

// medianCounted returns the median of the multiset that holds sorted[i] n[i] times, len(sorted)
// values in all.
func medianCounted(sorted []float64, n []int) float64 {
	total := len(sorted)
	lower, i, seen := (total-1)/2, 0, n[0]
	for seen <= lower {
		i++
		seen += n[i]
	}
	if total%2 == 1 || seen > total/2 {
		return sorted[i]
	}
	j := i + 1
	for n[j] == 0 {
		j++
	}
	return (sorted[i] + sorted[j]) / 2
}

func mean(xs []float64) float64 {
	s := 0.0
	for _, x := range xs {
		s += x
	}
	return s / float64(len(xs))
}

// variance returns the unbiased sample variance.
func variance(xs []float64) float64 {
	m, s := mean(xs), 0.0
	for _, x := range xs {
		s += (x - m) * (x - m)
	}
	return s / float64(len(xs)-1)
}
