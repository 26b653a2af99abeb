package canary

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestBucketIsStable(t *testing.T) {
	// Other values would move users between the arms of running canaries. These were
	// computed by another program, from the two published functions.
	for _, tt := range []struct {
		seed uint64
		key  string
		want uint64
	}{{0, "", 9367}, {0, "user-1", 2563}, {0, "user-2", 6638}, {7, "user-1", 6126}} {
		if got := Bucket(tt.seed, tt.key); got != tt.want {
			t.Errorf("Bucket(%d, %q) = %d, want %d", tt.seed, tt.key, got, tt.want)
		}
	}
}

func TestBucketsAreEven(t *testing.T) {
	const keys, groups = 200_000, 100
	for _, seed := range []uint64{0, 1, 1 << 40} {
		var count [groups]float64
		var both float64 // keys that are among the first tenth here and under another seed
		for i := range keys {
			key := fmt.Sprint("user-", i)
			b := Bucket(seed, key)
			if b >= Buckets {
				t.Fatalf("bucket %d of %d", b, Buckets)
			}
			count[b*groups/Buckets]++
			if b < Buckets/10 && Bucket(seed+1, key) < Buckets/10 {
				both++
			}
		}
		chi := 0.0
		for _, c := range count {
			chi += (c - keys/groups) * (c - keys/groups) / (keys / groups)
		}
		if chi > 160 { // 99 degrees of freedom: beyond once in 10,000
			t.Errorf("seed %d: chi squared %.0f", seed, chi)
		}
		if d := both - keys/100; math.Abs(d) > 6*math.Sqrt(keys/100) {
			t.Errorf("seeds %d and %d share %v keys of a hundredth, want %d", seed, seed+1, both, keys/100)
		}
	}
}

// arm makes the sums of an arm of n operations of exponentially spread durations.
func arm(r *rand.Rand, n int, failures int, mean time.Duration, size int) *sums {
	var rec recorder
	for i := range n {
		if i < failures {
			rec.record(0, 0, 0, ErrTest)
			continue
		}
		rec.record(0, time.Duration(r.ExpFloat64()*float64(mean)), size, nil)
	}
	s := rec.load()
	return &s
}

// ErrTest is any failure.
var ErrTest = fmt.Errorf("test")

func TestJudge(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	const ms = time.Millisecond
	tests := []struct {
		name                string
		incumbent, candiate *sums
		limits              Limits
		want                Cause
	}{
		{"alike", arm(r, 50_000, 50, ms, 100), arm(r, 5000, 5, ms, 100), Limits{}, ""},
		{"nothing served", arm(r, 1000, 0, ms, 100), arm(r, 0, 0, ms, 0), Limits{}, ""},
		{"all fail, at once", arm(r, 1000, 0, ms, 100), arm(r, 5, 5, ms, 100), Limits{}, CauseErrors},
		{"four failures are too few", arm(r, 1000, 0, ms, 100), arm(r, 4, 4, ms, 100), Limits{}, ""},
		{"two in a hundred fail", arm(r, 50_000, 5, ms, 100), arm(r, 3000, 60, ms, 100), Limits{}, CauseErrors},
		{"two in a hundred fail, as of the incumbent", arm(r, 50_000, 1000, ms, 100), arm(r, 3000, 60, ms, 100), Limits{}, ""},
		{"within the margin", arm(r, 50_000, 500, ms, 100), arm(r, 50_000, 700, ms, 100), Limits{}, ""},
		{"beyond a smaller margin", arm(r, 50_000, 500, ms, 100), arm(r, 50_000, 700, ms, 100), Limits{ErrorMargin: 1e-4}, CauseErrors},
		{"fewer failures", arm(r, 5000, 500, ms, 100), arm(r, 5000, 0, ms, 100), Limits{}, ""},
		{"no incumbent, few failures", arm(r, 0, 0, ms, 0), arm(r, 5000, 50, ms, 100), Limits{}, ""},
		{"no incumbent, many failures", arm(r, 0, 0, ms, 0), arm(r, 5000, 500, ms, 100), Limits{}, CauseErrors},
		{"twice as slow", arm(r, 50_000, 0, ms, 100), arm(r, 5000, 0, 2*ms, 100), Limits{}, CauseP99},
		{"twice as slow, too few to say", arm(r, 50_000, 0, ms, 100), arm(r, 400, 0, 2*ms, 100), Limits{}, ""},
		{"twice as slow, which may be", arm(r, 50_000, 0, ms, 100), arm(r, 5000, 0, 2*ms, 100), Limits{P99Ratio: 3}, ""},
		{"twice as slow by microseconds", arm(r, 50_000, 0, time.Microsecond, 100), arm(r, 5000, 0, 2*time.Microsecond, 100), Limits{}, ""},
		{"faster", arm(r, 50_000, 0, ms, 100), arm(r, 5000, 0, ms/2, 100), Limits{}, ""},
		{"larger, not judged", arm(r, 5000, 0, ms, 100), arm(r, 5000, 0, ms, 300), Limits{}, ""},
		{"larger", arm(r, 5000, 0, ms, 100), arm(r, 5000, 0, ms, 300), Limits{SizeRatio: 1.1}, CauseSize},
		{"smaller", arm(r, 5000, 0, ms, 100), arm(r, 5000, 0, ms, 50), Limits{SizeRatio: 1.1}, ""},
	}
	for _, tt := range tests {
		if err := tt.limits.setDefaults(); err != nil {
			t.Fatal(err)
		}
		got, why := tt.limits.judge(tt.incumbent, tt.candiate)
		if got != tt.want || (why != "") != (got != "") {
			t.Errorf("%s: cause %q (%s), want %q", tt.name, got, why, tt.want)
		}
	}
}

// TestFalseAlarms: of canaries whose arms do not differ hardly one is rolled back,
// although it is judged every second. Each row of the window is new traffic here,
// which is more than windows that overlap amount to.
func TestFalseAlarms(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	l := Limits{}
	if err := l.setDefaults(); err != nil {
		t.Fatal(err)
	}
	binomial := func(n int, p float64) (k int) {
		for range n {
			if r.Float64() < p {
				k++
			}
		}
		return k
	}
	alarms := 0
	const windows = 1500
	for range windows {
		const p = 0.02
		in := arm(r, 5000, binomial(5000, p), time.Millisecond, 1)
		ca := arm(r, 1000, binomial(1000, p), time.Millisecond, 1)
		if cause, _ := l.judge(in, ca); cause != "" {
			alarms++
		}
	}
	if alarms > 2 {
		t.Errorf("%d of %d windows without a difference raise an alarm", alarms, windows)
	}
}

func TestWilson(t *testing.T) {
	// The ends are where a test of the share would refuse it: (p-x)² = z² x(1-x)/n.
	for _, tt := range []struct{ k, n uint64 }{{0, 10}, {1, 10}, {5, 10}, {10, 10}, {3, 10_000}} {
		low, high := wilson(tt.k, tt.n)
		p, n := float64(tt.k)/float64(tt.n), float64(tt.n)
		for _, x := range []float64{low, high} {
			if d := (p-x)*(p-x) - z*z*x*(1-x)/n; math.Abs(d) > 1e-12 {
				t.Errorf("%d of %d: %v is no end (off by %v)", tt.k, tt.n, x, d)
			}
		}
		if low > p+1e-12 || high < p-1e-12 {
			t.Errorf("%d of %d: [%v, %v] does not hold %v", tt.k, tt.n, low, high, p)
		}
	}
}

func TestWindowSlides(t *testing.T) {
	start := time.Unix(0, 0)
	c := &Canary{opt: Options{Window: time.Minute}, ring: []mark{{at: start}}}
	var seen []uint64
	for s := range 200 {
		c.totals[0].record(0, 1, 0, nil)
		m := mark{start.Add(time.Duration(s) * time.Second), [arms]sums{c.totals[0].load(), c.totals[1].load()}}
		w := c.window(m)
		seen = append(seen, w[0].samples())
		if len(c.ring) > marks+1 {
			t.Fatalf("%d marks", len(c.ring))
		}
	}
	if low, high := slices.Min(seen[70:]), slices.Max(seen[70:]); low < 50 || high > 60 {
		t.Errorf("a window of a minute has %d to %d of one a second, want 50 to 60", low, high)
	}
}
