package openloop

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestHistogram compares with the sorted values, after a half of them has travelled as JSON and was
// merged.
func TestHistogram(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, draw := range map[string]func() int64{
		"uniform":     func() int64 { return r.Int64N(1e6) },
		"small":       func() int64 { return r.Int64N(200) },
		"exponential": func() int64 { return int64(r.ExpFloat64() * 5e4) },
		"log-normal":  func() int64 { return int64(math.Exp(10 + 2*r.NormFloat64())) },
		"two modes": func() int64 {
			if r.IntN(100) == 0 {
				return 5e9 + r.Int64N(1e9)
			}
			return 100 + r.Int64N(50)
		},
		"one value": func() int64 { return 123_456_789 },
	} {
		var a, b Histogram
		b.Reserve()
		exact := make([]int64, 50_000)
		sum := 0.0
		for i := range exact {
			exact[i] = draw()
			sum += float64(exact[i])
			[]*Histogram{&a, &b}[i%2].Record(exact[i])
		}
		text, err := json.Marshal(&b)
		if err != nil {
			t.Fatal(err)
		}
		var h Histogram
		if err := json.Unmarshal(text, &h); err != nil {
			t.Fatal(err)
		}
		h.Add(&a)
		slices.Sort(exact)
		for _, q := range []float64{0, 0.01, 0.25, 0.5, 0.9, 0.95, 0.99, 0.999, 1} {
			want := float64(exact[max(int(math.Ceil(q*float64(len(exact))))-1, 0)])
			if got := h.Quantile(q); math.Abs(got-want) > want/256 {
				t.Errorf("%s: quantile %g is %g, exactly %g: off by more than 1/256", name, q, got, want)
			}
		}
		if h.N() != uint64(len(exact)) || h.Max() != float64(exact[len(exact)-1]) || math.Abs(h.Mean()*float64(h.N())-sum) > 1e-6*sum {
			t.Errorf("%s: n %d, maximum %g, mean %g of %d values up to %d", name, h.N(), h.Max(), h.Mean(), len(exact), exact[len(exact)-1])
		}
		if got := h.Beyond(0.999); got != 50 {
			t.Errorf("%s: %d values beyond P99.9, want 50", name, got)
		}
	}
}

// TestBuckets: every bucket's middle falls into the bucket, and buckets follow on one another.
func TestBuckets(t *testing.T) {
	for i := range buckets {
		if got := bucket(int64(middle(i))); got != i {
			t.Fatalf("the middle %g of bucket %d lies in bucket %d", middle(i), i, got)
		}
	}
	for _, v := range []int64{-5, 0, 255, 256, 257, 1 << 40, math.MaxInt64} {
		var h Histogram
		h.Record(v)
		if got := h.Quantile(0.5); got != float64(max(v, 0)) && v >= 0 {
			t.Errorf("one value %d: median %g", v, got)
		}
	}
	var empty Histogram
	if empty.Quantile(0.5) != 0 || empty.Mean() != 0 || empty.Beyond(0.5) != 0 {
		t.Error("an empty histogram has quantiles")
	}
}

func TestHistogramRefuses(t *testing.T) {
	for _, counts := range []string{"/w==", "AQ==", "AQH/", "////////////", "gIB/AQ=="} {
		var h Histogram
		if err := json.Unmarshal([]byte(`{"counts":"`+counts+`"}`), &h); err == nil {
			t.Errorf("counts %s were read", counts)
		}
	}
}

// TestReset: nothing is left of what was recorded before, and no memory is taken anew.
func TestReset(t *testing.T) {
	var h Histogram
	h.Record(1e9)
	h.Reset()
	if h.N() != 0 || h.Max() != 0 || h.Mean() != 0 || h.Quantile(1) != 0 {
		t.Errorf("%d values up to %g are left", h.N(), h.Max())
	}
	if n := testing.AllocsPerRun(100, func() { h.Record(1e9) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
	if h.Quantile(0.5) != 1e9 || h.N() != 101 {
		t.Errorf("median %g of %d values", h.Quantile(0.5), h.N())
	}
}

// FuzzHistogram: any JSON is read or refused, and what was read has the same quantiles after it was
// written.
func FuzzHistogram(f *testing.F) {
	var h Histogram
	for _, v := range []int64{0, 1, 255, 256, 1e6, math.MaxInt64} {
		h.Record(v)
		text, err := json.Marshal(&h)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(`{"sum":1,"max":-1,"counts":"AQH/"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var a, b Histogram
		if json.Unmarshal(text, &a) != nil {
			return
		}
		text, err := json.Marshal(&a)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &b); err != nil {
			t.Fatal(err)
		}
		for _, q := range []float64{0, 0.5, 0.999, 1} {
			if x, y := a.Quantile(q), b.Quantile(q); x != y || math.IsNaN(x) {
				t.Errorf("quantile %g is %g, and then %g", q, x, y)
			}
		}
		if a.N() != b.N() || a.Max() != b.Max() {
			t.Errorf("%d values up to %g, and then %d up to %g", a.N(), a.Max(), b.N(), b.Max())
		}
	})
}
