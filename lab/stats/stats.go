// Package stats turns the samples of a run into estimates, intervals, a noise
// floor, a ranking and a verdict.
//
// A launch of a worker process is a cluster, and a round within it a sub-sample: rounds of one
// process share its memory layout and hash seeds, so they are not independent. Comparisons are
// paired on (launch, round), because all cells of a round are measured under much the same load.
// Everything is seeded: the same run gives the same figures.
//
// NOTE: the map of the package.
//
//	stats.go      medians, quantiles, order-statistic intervals
//	student.go    Student's t, from the incomplete beta function
//	bootstrap.go  the hierarchical bootstrap of clustered samples
//	compare.go    pairing, judgements, Holm's correction
//	fill.go       Fill: estimates, ratios and noise of a run
//	rank.go       who is ranked, places and ties
//	waits.go      contenders that wait instead of working
//	luck.go       intervals of a run with a single launch
//	looks.go      runs that stop once their verdict is proven
//	change.go     the runs at which a series of them changes
//	decide.go     how often each contender comes first when weights are drawn
//	verdict.go    the run in words;  adopt.go, steps.go  next steps;  warn.go  doubts
package stats

import (
	"math"
	"slices"
)

// Median returns the median of xs, which is the mean of the two middle values if their number is
// even, or NaN if xs is empty. It does not change xs.
func Median(xs []float64) float64 {
	s := slices.Clone(xs)
	slices.Sort(s)
	return medianSorted(s)
}

func medianSorted(s []float64) float64 {
	n := len(s)
	switch {
	case n == 0:
		return math.NaN()
	case n%2 == 1:
		return s[n/2]
	}
	return (s[n/2-1] + s[n/2]) / 2
}

// Quantile returns the q-quantile of sorted xs by linear interpolation between
// order statistics (Hyndman and Fan 1996, type 7), or NaN when xs is empty.
func Quantile(sorted []float64, q float64) float64 {
	n := len(sorted)
	if n == 0 {
		return math.NaN()
	}
	h := q * float64(n-1)
	i := int(math.Floor(h))
	if i >= n-1 {
		return sorted[n-1]
	}
	if i < 0 {
		return sorted[0]
	}
	return sorted[i] + (h-float64(i))*(sorted[i+1]-sorted[i])
}

// MedianInterval returns the shortest symmetric pair of order statistics that covers the median of
// the distribution with at least the given confidence, whatever that distribution is: it inverts
// the sign test. If there are too few values for that (fewer than 6 at 95%), it returns the
// extremes. covered is the confidence that the pair really has.
func MedianInterval(xs []float64, confidence float64) (lo, hi, covered float64) {
	n := len(xs)
	if n == 0 {
		return math.NaN(), math.NaN(), 0
	}
	s := slices.Clone(xs)
	slices.Sort(s)
	// P(X(k) < median < X(n+1-k)) = 1 - 2 P(Binomial(n, 1/2) < k).
	tail := 0.0
	p := math.Exp(-float64(n) * math.Ln2) // P(Binomial = 0)
	k := 0
	covered = 1 - 2*p
	for i := 0; i < n/2; i++ {
		tail += p
		if 1-2*tail < confidence && i > 0 {
			break
		}
		k, covered = i, 1-2*tail
		p *= float64(n-i) / float64(i+1)
	}
	return s[k], s[n-1-k], max(covered, 0)
}
