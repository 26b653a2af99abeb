package tally

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

func TestHistogram(t *testing.T) {
	last := -1
	for d := time.Duration(0); d < 80*time.Second; d += 1 + d/50 {
		i := bucketOf(d)
		if i < last || i >= histogram {
			t.Fatalf("%v is in bucket %d, after %d, of %d", d, i, last, histogram)
		}
		last = i
		if got := middle(i); d < 1<<topBits && math.Abs(float64(got-d)) > float64(d)/32 {
			t.Fatalf("%v is counted as %v", d, got)
		}
	}
	if bucketOf(-1) != 0 || bucketOf(math.MaxInt64) != histogram-1 {
		t.Error("values beyond both ends are not in the first and last bucket")
	}
}

// TestQuantileBounds: the interval misses the true quantile about as often as z says.
func TestQuantileBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	const runs = 2000
	truth := time.Duration(float64(time.Millisecond) * -math.Log(0.01)) // P99 of an exponential distribution
	low, high := 0, 0
	for range runs {
		var c Counts
		for range 2000 {
			c.Add(time.Duration(r.ExpFloat64() * 1e6))
		}
		l, h, ok := c.Load().Bounds(0.99, 2)
		if !ok {
			t.Fatal("2000 values are too few")
		}
		// A bucket's width is the price of counting.
		if float64(l) > float64(truth)*33/32 {
			low++
		}
		if float64(h) < float64(truth)*31/32 {
			high++
		}
	}
	if low > runs/20 || high > runs/20 { // 2.3% each side by z = 2
		t.Errorf("of %d intervals %d lie above the quantile, %d below", runs, low, high)
	}
	var few Counts
	few[3].Add(100)
	if _, _, ok := few.Load().Bounds(0.99, 3); ok {
		t.Error("a hundred values have no bound above P99")
	}
}
