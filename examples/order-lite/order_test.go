package orderlite

import (
	"math"
	"testing"

	"github.com/zmylab/zmy/examples/internal/sampletest"
)

func TestSample(t *testing.T) {
	sampletest.Check(t, 300, sampletest.Exact, SampleOrder)
}

func TestItemCount(t *testing.T) {
	r := sampletest.Rand(3)
	n, items := 5000, 0
	for range n {
		k := len(SampleOrder(r).Items)
		if k < 1 || k > 15 {
			t.Fatalf("%d items, want 1–15", k)
		}
		items += k
	}
	// Five standard errors of a mean whose variance is below 4.2.
	if mean, tol := float64(items)/float64(n), 5*math.Sqrt(4.2/float64(n)); math.Abs(mean-4.2) > tol {
		t.Errorf("%.3f items on average, want 4.2 within %.3f", mean, tol)
	}
}
