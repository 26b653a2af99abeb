package report

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/zmylab/zmy/lab/run"
)

// TestAxis: whatever the values, an axis covers them, its ticks ascend inside of it, are
// few, spelled differently, and places keep the order of the values.
func TestAxis(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	units := []string{run.UnitNone, run.UnitNS, run.UnitBytes, run.UnitRate, run.UnitOps, run.UnitCount, run.UnitTimes,
		run.UnitShare, run.UnitInstrs}
	for trial := range 4000 {
		a := run.Axis{Unit: units[trial%len(units)], Log: trial%2 == 0}
		values := make([]float64, 1+r.IntN(6))
		size := math.Pow(10, 12*r.Float64()-3)
		for i := range values {
			values[i] = size * math.Pow(10, 4*r.Float64()*float64(trial%3))
			if !a.Log && trial%5 == 0 {
				values[i] -= size
			}
		}
		x := newAxis(a, values, 300, 20)
		if n := len(x.ticks); n < 2 || n > 14 {
			t.Errorf("%+v %v: %d ticks", a, values, n)
		}
		seen := map[string]bool{}
		for i, k := range x.spelled() {
			if i > 0 && x.ticks[i] <= x.ticks[i-1] || k.At < 19.9 || k.At > 300.1 || seen[k.Text] {
				t.Fatalf("%+v %v: tick %q at %v among %v", a, values, k.Text, k.At, x.ticks)
			}
			seen[k.Text] = true
		}
		slices.Sort(values)
		before := math.Inf(1)
		for _, v := range values {
			at := x.at(v)
			if at < 19.9 || at > 300.1 || at > before+1e-9 {
				t.Fatalf("%+v %v: %v lies at %v after %v", a, values, v, at, before)
			}
			before = at
		}
	}
}

func TestAxisTicks(t *testing.T) {
	for _, c := range []struct {
		a      run.Axis
		values []float64
		want   []string
	}{
		{run.Axis{Unit: run.UnitNS}, []float64{900, 12700}, []string{"0", "5 µs", "10 µs", "15 µs"}},
		{run.Axis{Unit: run.UnitNS, Log: true}, []float64{900, 91000},
			[]string{"500 ns", "1 µs", "2 µs", "5 µs", "10 µs", "20 µs", "50 µs", "100 µs"}},
		{run.Axis{Unit: run.UnitShare}, []float64{0.1, 0.93}, []string{"0", "20%", "40%", "60%", "80%", "100%"}},
		{run.Axis{Unit: run.UnitBytes, Log: true}, []float64{256, 4 << 20},
			[]string{"256 B", "1 KiB", "4 KiB", "16 KiB", "64 KiB", "256 KiB", "1 MiB", "4 MiB"}},
		{run.Axis{Unit: run.UnitTimes}, []float64{0.97, 1.04}, []string{"0.96×", "0.98×", "1×", "1.02×", "1.04×"}},
		{run.Axis{}, []float64{-3, 4}, []string{"-4", "-2", "0", "2", "4"}},
		{run.Axis{}, nil, []string{"0", "0.2", "0.4", "0.6", "0.8", "1"}},
	} {
		var got []string
		for _, k := range newAxis(c.a, c.values, 0, 100).spelled() {
			got = append(got, k.Text)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v %v: %q, want %q", c.a, c.values, got, c.want)
		}
	}
}

func TestSpelling(t *testing.T) {
	for _, c := range []struct {
		unit string
		v    float64
		want string
	}{
		{run.UnitNS, 900, "900 ns"}, {run.UnitNS, 1250, "1.25 µs"}, {run.UnitNS, 0, "0"}, {run.UnitNS, -2.5e9, "-2.50 s"},
		{run.UnitNS, 0.4, "0.40 ns"},
		{run.UnitBytes, 512, "512 B"}, {run.UnitBytes, 1536, "1.50 KiB"}, {run.UnitRate, 3 << 30, "3.00 GiB/s"},
		{run.UnitOps, 12345, "12,345 op/s"}, {run.UnitTimes, 1.034, "1.03×"}, {run.UnitTimes, 14.23, "14.2×"}, {run.UnitTimes, 0.126, "0.13×"},
		{run.UnitShare, 0.125, "12%"}, {run.UnitShare, 0.0125, "1.2%"}, {run.UnitShare, 0, "0%"}, {run.UnitCount, 3, "3"},
		{run.UnitCount, 2.5, "2.5"},
		{run.UnitInstrs, 123456, "123,456 instructions"}, {run.UnitNone, 0.00123, "0.0012"}, {run.UnitNone, 3, "3"},
		{run.UnitNone, math.NaN(), "–"}, {run.UnitNS, math.Inf(1), "–"},
		{run.UnitCount, 1e300, "1e+300"},
	} {
		if got := spell(c.unit, c.v); got != c.want {
			t.Errorf("%v %s: %q, want %q", c.v, c.unit, got, c.want)
		}
	}
}
