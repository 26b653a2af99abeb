package profile

import "math"

// Weight is the sum of some samples' values.
type Weight struct {
	Sum     float64 `json:"sum"`     // nanoseconds or bytes
	Squares float64 `json:"squares"` // sum of the squares of the single samples' values
}

// add adds n samples that stand for value together.
func (w *Weight) add(n, value float64) {
	w.Sum += value
	w.Squares += value * value / n
}

// Add adds the samples of o.
func (w *Weight) Add(o Weight) { w.Sum, w.Squares = w.Sum+o.Sum, w.Squares+o.Squares }

// Count returns the number of samples. If their values differ, it is the number of samples of equal
// value whose sum is as uncertain.
func (w Weight) Count() float64 {
	if w.Squares <= 0 {
		return 0
	}
	return w.Sum * w.Sum / w.Squares
}

// sampled returns how many samples an estimate of n objects with together so many bytes rests on.
func sampled(n, bytes, rate float64) float64 {
	if n < 1 {
		n = 1
	}
	return math.Max(1, n*-math.Expm1(-bytes/n/rate))
}
