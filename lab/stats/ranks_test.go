package stats

import (
	"math"
	"testing"
)

// TestQuantileRanks holds the ranks against binomial probabilities that are summed up by
// Pascal's rule.
func TestQuantileRanks(t *testing.T) {
	for _, q := range []float64{0.5, 0.9, 0.99, 0.999} {
		row := []float64{1} // P(X = k) of n values
		for n := 1; n <= 4200; n++ {
			next := make([]float64, n+1)
			for k, p := range row {
				next[k] += p * (1 - q)
				next[k+1] += p * q
			}
			row = next
			if n > 40 && n%97 != 0 && n != 367 && n != 368 && n != 3687 && n != 3688 {
				continue
			}
			below, lo, hi := 0.0, 0, 0 // below is P(X < k)
			for k := range n + 1 {
				if below <= 0.025 {
					lo = k
				}
				if 1-below <= 0.025 && hi == 0 && k > 0 {
					hi = k
				}
				below += row[k]
			}
			gotLo, gotHi, ok := QuantileRanks(n, q, 0.95)
			if want := lo > 0 && hi > 0; ok != want || ok && (gotLo != lo || gotHi != hi) {
				t.Fatalf("%g of %d: ranks %d and %d, %t; want %d and %d, %t", q, n, gotLo, gotHi, ok, lo, hi, want)
			}
		}
	}
	lo, hi, ok := QuantileRanks(1_000_000, 0.99, 0.95)
	if sd := math.Sqrt(1e6 * 0.99 * 0.01); !ok || math.Abs(float64(lo)-(990_000-1.96*sd)) > 2 || math.Abs(float64(hi)-(990_000+1.96*sd)) > 3 {
		t.Errorf("of a million: %d and %d, %t", lo, hi, ok)
	}
	for n, want := range map[int]bool{367: false, 368: true} {
		if _, _, ok := QuantileRanks(n, 0.99, 0.95); ok != want {
			t.Errorf("P99 of %d values: %t", n, ok)
		}
	}
	for n, want := range map[int]bool{3687: false, 3688: true} {
		if _, _, ok := QuantileRanks(n, 0.999, 0.95); ok != want {
			t.Errorf("P99.9 of %d values: %t", n, ok)
		}
	}
}
