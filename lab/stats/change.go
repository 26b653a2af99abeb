package stats

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Constants of ChangePoints.
const (
	changeLevel  = 0.01 // chance of a change point in a series, or part of one, that has none
	permutations = 999
	leastRuns    = 3 // on each side of a change point
)

// ChangePoints returns the indices at which the values begin to have another distribution, in
// ascending order. It needs values in the order in which they were measured, and no model of them.
//
// The method is E-divisive means (Matteson and James 2014, "A Nonparametric Approach for Multiple
// Change Point Analysis of Multivariate Data"), in the form that Hunter uses for performance tests
// (Fleming and others 2023): the series is divided where the energy distance of the two parts is
// largest. The division stands if fewer than 1% of random orders of the same values reach that
// distance. Then each part is divided in the same way. The orders follow from seed.
//
// The time grows with the square of the number of values.
func ChangePoints(xs []float64, seed uint64) []int {
	r := rand.New(rand.NewPCG(seed, 0x6368616e6765)) // "change"
	var out []int
	var divide func(from, to int)
	divide = func(from, to int) {
		part := slices.Clone(xs[from:to])
		at, most := farthest(part)
		if at == 0 || !significant(part, most, r) {
			return
		}
		divide(from, from+at)
		out = append(out, from+at)
		divide(from+at, to)
	}
	divide(0, len(xs))
	return out
}

// significant reports whether few random orders of the values have a division of at least the given
// distance. It shuffles xs, and stops as soon as there are too many.
func significant(xs []float64, distance float64, r *rand.Rand) bool {
	reached := 1 // the order that was measured
	for range permutations {
		r.Shuffle(len(xs), func(i, k int) { xs[i], xs[k] = xs[k], xs[i] })
		if _, q := farthest(xs); q >= distance*(1-1e-9) { // sums of the same numbers in another order
			if reached++; float64(reached) > changeLevel*(permutations+1) {
				return false
			}
		}
	}
	return true
}

// farthest returns the division of xs with the largest energy distance of its parts, weighted by
// their sizes. at is 0 if xs has too few values, or only equal ones.
func farthest(xs []float64) (at int, most float64) {
	n := len(xs)
	left, right := 0.0, 0.0 // sums of the distances within the two parts
	for i := range xs {
		for k := range i {
			right += math.Abs(xs[i] - xs[k])
		}
	}
	total := right
	for i, x := range xs { // moves from right to left
		for _, y := range xs[:i] {
			left += math.Abs(x - y)
		}
		for _, y := range xs[i+1:] {
			right -= math.Abs(x - y)
		}
		l, m := float64(i+1), float64(n-i-1)
		if i+1 < leastRuns || n-i-1 < leastRuns {
			continue
		}
		across := (total - left - right) / (l * m)
		q := l * m / float64(n) * (2*across - 2*left/(l*(l-1)) - 2*right/(m*(m-1)))
		if q > most+1e-12*total {
			at, most = i+1, q
		}
	}
	return at, most
}
