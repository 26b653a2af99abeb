package sample

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Discrete is a distribution over the integers Lo … Lo+n-1, drawn in constant
// time by Walker's alias method (A. J. Walker, 1977). It is immutable.
type Discrete struct {
	lo    int
	keep  []float64 // probability of staying in column i
	alias []int     // what column i yields otherwise
	mean  float64
}

// NewDiscrete returns the distribution in which lo+i has a probability
// proportional to weights[i]. It panics unless the weights are finite, not
// negative and of a positive sum.
func NewDiscrete(lo int, weights []float64) *Discrete {
	sum, moment := 0.0, 0.0
	for i, w := range weights {
		if !(w >= 0) || math.IsInf(w, 1) {
			panic(fmt.Sprintf("sample: weight %d is %v", i, w))
		}
		sum += w
		moment += w * float64(i)
	}
	if sum <= 0 {
		panic("sample: no weight is positive")
	}
	n := len(weights)
	d := &Discrete{lo: lo, keep: make([]float64, n), alias: make([]int, n), mean: float64(lo) + moment/sum}
	var small, large []int
	for i, w := range weights {
		d.keep[i], d.alias[i] = w*float64(n)/sum, i
		if d.keep[i] < 1 {
			small = append(small, i)
		} else {
			large = append(large, i)
		}
	}
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		d.alias[s] = l
		d.keep[l] -= 1 - d.keep[s]
		if d.keep[l] < 1 {
			large = large[:len(large)-1]
			small = append(small, l)
		}
	}
	for _, i := range append(small, large...) { // rounding leaves one list non-empty
		d.keep[i] = 1
	}
	return d
}

// Draw returns one integer.
func (d *Discrete) Draw(r *rand.Rand) int {
	i := r.IntN(len(d.keep))
	if r.Float64() >= d.keep[i] {
		i = d.alias[i]
	}
	return d.lo + i
}

// Mean is the exact mean.
func (d *Discrete) Mean() float64 { return d.mean }

// TruncatedPoisson returns a Poisson distribution that is cut to lo … hi. Its mean after the cut is
// mean. It panics unless lo < mean < hi.
func TruncatedPoisson(mean float64, lo, hi int) *Discrete {
	if !(float64(lo) < mean && mean < float64(hi)) {
		panic(fmt.Sprintf("sample: mean %v is not between %d and %d", mean, lo, hi))
	}
	// The mean of the cut distribution grows with the rate, so bisection finds the rate.
	low, high := 1e-9, 1.0
	for poissonCut(high, lo, hi).mean < mean {
		high *= 2
	}
	for range 60 {
		mid := (low + high) / 2
		if poissonCut(mid, lo, hi).mean < mean {
			low = mid
		} else {
			high = mid
		}
	}
	return poissonCut(high, lo, hi)
}

func poissonCut(rate float64, lo, hi int) *Discrete {
	w := make([]float64, hi-lo+1)
	for i := range w {
		lg, _ := math.Lgamma(float64(lo + i + 1))
		w[i] = math.Exp(float64(lo+i)*math.Log(rate) - rate - lg)
	}
	return NewDiscrete(lo, w)
}

// Zipf returns the Zipf–Mandelbrot distribution over ranks 0 … n-1: rank k has
// a weight of 1/(k+shift)^exponent.
func Zipf(n int, exponent, shift float64) *Discrete {
	w := make([]float64, n)
	for i := range w {
		w[i] = math.Pow(float64(i)+shift, -exponent)
	}
	return NewDiscrete(0, w)
}

// LogNormal draws a positive number with the given median; sigma is the standard
// deviation of its natural logarithm.
func LogNormal(r *rand.Rand, median, sigma float64) float64 {
	return median * math.Exp(sigma*r.NormFloat64())
}
