package openloop

import (
	"math"
	"slices"
	"testing"
	"time"
)

// TestSchedule: requests come at the rate that was asked for, with the spread of a Poisson process
// or with none, and the same ones for the same seed.
func TestSchedule(t *testing.T) {
	for _, even := range []bool{false, true} {
		s := Schedule{Rate: 5000, Warm: time.Second, For: 9 * time.Second, Even: even, Seed: 3}
		a := slices.Collect(s.All())
		var sum, square float64
		for i := 1; i < len(a); i++ {
			gap := float64(a[i] - a[i-1])
			sum, square = sum+gap, square+gap*gap
		}
		n := float64(len(a) - 1)
		mean := sum / n
		deviation := math.Sqrt(max(0, square/n-mean*mean)) / mean
		want := 1.0 // of exponential gaps
		if even {
			want = 0
		}
		if math.Abs(mean-200_000) > 3000 || math.Abs(deviation-want) > 0.03 {
			t.Errorf("even %t: gaps of %g ns, relative deviation %g", even, mean, deviation)
		}
		if !slices.IsSorted(a) || a[0] < 0 || a[len(a)-1] >= 10*time.Second || a[len(a)-1] < 9900*time.Millisecond {
			t.Errorf("even %t: from %s to %s", even, a[0], a[len(a)-1])
		}
		if !slices.Equal(a, slices.Collect(s.All())) {
			t.Errorf("even %t: the same seed gives other times", even)
		}
		if s.Seed++; !even && slices.Equal(a, slices.Collect(s.All())) {
			t.Error("another seed gives the same times")
		}
	}
}

// TestDraw: numbers are drawn alike, parity and neighbours included, and depend on seed and request
// alone.
func TestDraw(t *testing.T) {
	const n, draws = 6, 60_000
	var count [n]int
	odd, runs := 0, 0
	for i := range draws {
		d := Request{N: i}.Draw(9, n)
		if d != (Request{N: i, At: 5}).Draw(9, n) {
			t.Fatal("the same request draws another number")
		}
		count[d]++
		odd += d % 2
		if d == (Request{N: i + 1}).Draw(9, n) {
			runs++
		}
	}
	near := func(what string, got, want int) {
		if math.Abs(float64(got-want)) > 5*math.Sqrt(float64(want)) {
			t.Errorf("%s: %d of %d, want about %d", what, got, draws, want)
		}
	}
	for d, c := range count {
		near("number "+string(rune('0'+d)), c, draws/n)
	}
	near("odd", odd, draws/2)
	near("the same twice running", runs, draws/n)
	if slices.Equal(first(9), first(10)) {
		t.Error("another seed draws the same numbers")
	}
}

func first(seed uint64) (out []int) {
	for i := range 20 {
		out = append(out, Request{N: i}.Draw(seed, 1000))
	}
	return out
}

func TestRates(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []float64
	}{
		{"100:10000", []float64{100, 320, 1000, 3200, 10000}},
		{"123:4567", []float64{123, 300, 750, 1900, 4567}},
		{"50,500.5, 7", []float64{50, 500.5, 7}},
		{"0.5", []float64{0.5}},
		{"1,100 : 10000", []float64{1, 100, 320, 1000, 3200, 10000}},
		{"0", nil},
		{"", nil},
	} {
		got, err := Rates("-qps", c.in)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v; want %v", c.in, got, err, c.want)
		}
	}
	for _, in := range []string{"x", "100:", ":100", "100:100", "9:3", "-5", "1,,2", "1,0", "1:1e9", "NaN", "NaN:5", "5:NaN", "Inf"} {
		if got, err := Rates("-qps", in); err == nil {
			t.Errorf("%s was taken as %v", in, got)
		}
	}
}

// TestRatesOfNarrowRanges: rates rise, from the one end to the other.
func TestRatesOfNarrowRanges(t *testing.T) {
	for _, in := range []string{"123:130", "99:101", "1:1.5", "9999:10001", "5:1000000"} {
		got, err := Rates("-qps", in)
		if err != nil || len(got) != 5 || !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != 5 {
			t.Errorf("%s: %v, %v", in, got, err)
		}
	}
}
