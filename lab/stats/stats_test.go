package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > tol {
		t.Errorf("%s = %v, want %v ± %v", what, got, want, tol)
	}
}

func TestMedianAndQuantile(t *testing.T) {
	near(t, "odd", Median([]float64{9, 1, 5}), 5, 0)
	near(t, "even", Median([]float64{4, 1, 3, 2}), 2.5, 0)
	if !math.IsNaN(Median(nil)) {
		t.Error("median of nothing is not NaN")
	}
	xs := []float64{3, 1, 2}
	Median(xs)
	if !slices.Equal(xs, []float64{3, 1, 2}) {
		t.Error("Median sorted its argument")
	}
	for _, c := range []struct{ q, want float64 }{{0, 1}, {0.25, 2}, {0.5, 3}, {0.9, 4.6}, {1, 5}} {
		near(t, "quantile", Quantile([]float64{1, 2, 3, 4, 5}, c.q), c.want, 1e-12)
	}
}

// Exact binomial sums are the oracle for the coverage of order statistics.
func TestMedianIntervalMatchesBinomial(t *testing.T) {
	choose := func(n, k int) float64 {
		c := 1.0
		for i := range k {
			c = c * float64(n-i) / float64(i+1)
		}
		return c
	}
	for n := 1; n <= 60; n++ {
		xs := make([]float64, n)
		for i := range xs {
			xs[i] = float64(i)
		}
		// The oracle tries every k and keeps the innermost that still covers.
		best, covered := 0, 1-2*math.Pow(0.5, float64(n))
		for k := 0; k < n/2; k++ {
			tail := 0.0
			for i := 0; i <= k; i++ {
				tail += choose(n, i) * math.Pow(0.5, float64(n))
			}
			if 1-2*tail >= 0.95 {
				best, covered = k, 1-2*tail
			}
		}
		lo, hi, got := MedianInterval(xs, 0.95)
		if lo != float64(best) || hi != float64(n-1-best) {
			t.Errorf("n=%d: order statistics %v, %v, want %d, %d", n, lo, hi, best, n-1-best)
		}
		near(t, "coverage", got, max(covered, 0), 1e-9)
	}
}

// Published table values of Student's t at 97.5% and 99.5%.
func TestStudent(t *testing.T) {
	for _, c := range []struct{ df, t975, t995 float64 }{
		{1, 12.706, 63.657}, {2, 4.303, 9.925}, {4, 2.776, 4.604}, {10, 2.228, 3.169}, {30, 2.042, 2.750}, {1e6, 1.960, 2.576},
	} {
		near(t, "t.975", StudentQuantile(0.975, c.df), c.t975, 6e-4)
		near(t, "t.995", StudentQuantile(0.995, c.df), c.t995, 6e-4)
		near(t, "cdf", tCDF(StudentQuantile(0.9, c.df), c.df), 0.9, 1e-9)
		near(t, "symmetry", tCDF(-1.3, c.df)+tCDF(1.3, c.df), 1, 1e-12)
	}
	near(t, "Cauchy", tCDF(1, 1), 0.75, 1e-12)
	near(t, "df 2.5 between", StudentQuantile(0.975, 2.5), 3.57, 0.05)
}

// The oracle multiplies the smallest remaining p by the number that remain,
// literally, one after the other.
func TestHolm(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		p := make([]float64, r.IntN(12))
		for i := range p {
			p[i] = math.Pow(r.Float64(), 3)
			if i > 0 && r.IntN(5) == 0 {
				p[i] = p[i-1]
			}
		}
		want := make([]float64, len(p))
		done := make([]bool, len(p))
		floor := 0.0
		for left := len(p); left > 0; left-- {
			min := -1
			for i := range p {
				if !done[i] && (min < 0 || p[i] < p[min]) {
					min = i
				}
			}
			if v := p[min] * float64(left); v > floor {
				floor = v
			}
			if floor > 1 {
				floor = 1
			}
			want[min], done[min] = floor, true
		}
		if got := Holm(p); !slices.Equal(got, want) {
			t.Fatalf("Holm(%v) = %v, want %v", p, got, want)
		}
	}
}
