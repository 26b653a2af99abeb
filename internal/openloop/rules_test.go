package openloop

import "testing"

// TestSound: a percentile is shown with 100 requests beyond it and not with 99.
func TestSound(t *testing.T) {
	for _, c := range []struct {
		n    uint64
		q    float64
		want bool
	}{
		{0, 0.5, false}, {199, 0.5, false}, {200, 0.5, true}, {9_999, 0.99, false}, {10_000, 0.99, true},
		{99_999, 0.999, false}, {100_000, 0.999, true}, {1 << 40, 1, false},
	} {
		if got := Sound(c.n, c.q); got != c.want {
			t.Errorf("P%g of %d requests: shown %t", 100*c.q, c.n, got)
		}
	}
}

func TestName(t *testing.T) {
	for q, want := range map[float64]string{0.5: "P50", 0.95: "P95", 0.99: "P99", 0.999: "P99.9", 0.9999: "P99.99"} {
		if got := Name(q); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestPunctual: a generator that is late now and then voids the percentiles of which its lateness
// is a large part, and leaves the median.
func TestPunctual(t *testing.T) {
	var late, response Histogram
	for i := range 10_000 {
		response.Record(1e6)
		if i%50 == 0 { // 2%
			late.Record(120_000)
		} else {
			late.Record(90_000)
		}
	}
	for q, want := range map[float64]bool{0.5: true, 0.95: true, 0.99: false} {
		if Punctual(&late, &response, q) != want {
			t.Errorf("P%g: punctual %t", 100*q, !want)
		}
	}
}

// TestOverloaded: requests that wait when the last one is due have piled up.
func TestOverloaded(t *testing.T) {
	for _, c := range []struct {
		n, behind, left, loads int
		want                   bool
	}{{1000, 0, 0, 3, false}, {1000, 20, 0, 3, false}, {1000, 21, 0, 3, true}, {1000, 0, 1, 3, true}, {50, 3, 0, 3, false},
		{149, 49, 0, 1, true}, {10, 1, 0, 1, false}} {
		if got := (Served{c.n, c.behind, c.left}).Overloaded(c.loads); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
}
