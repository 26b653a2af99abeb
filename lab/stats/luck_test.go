package stats

import (
	"math"
	"testing"

	"github.com/zmylab/zmy/lab/run"
)

// TestRatioBy: of one launch, a ratio is only as certain as the A/A comparisons beside it; several
// launches tell by themselves.
func TestRatioBy(t *testing.T) {
	samples := func(launches int, ns float64) []run.Sample {
		var out []run.Sample
		for i := range 20 {
			at := ns * (1 + 0.001*float64(i%7))
			out = append(out, run.Sample{Launch: i % launches, Round: i / launches, N: 1, Wall: at, CPU: at})
		}
		return out
	}
	twins := func(points ...float64) (out []Result) {
		for _, p := range points {
			out = append(out, Result{Point: p, Lo: p, Hi: p, N: 20})
		}
		return out
	}
	for _, c := range []struct {
		name     string
		launches int
		twins    []Result
		proven   bool
	}{
		{"no twin", 1, nil, false},
		{"twins of one launch apart", 1, twins(1.3, 0.8), false},
		{"twins alike", 1, twins(1.001, 0.999), true},
		{"two launches", 2, twins(1.3, 0.8), true},
	} {
		base, x := samples(c.launches, 1300), samples(c.launches, 1000)
		got, plain := RatioBy(c.twins, base, x, CPU, 1), Ratio(base, x, CPU, 1)
		if proven := got.DF > 0 && got.P < alpha && got.Lo > 1; proven != c.proven {
			t.Errorf("%s: %+v", c.name, got)
		}
		if c.launches > 1 && got != plain {
			t.Errorf("%s: %+v, want %+v", c.name, got, plain)
		}
		if got.Point != plain.Point || got.Lo > plain.Lo || got.Hi < plain.Hi || math.IsInf(got.Hi, 0) {
			t.Errorf("%s: %+v is narrower than %+v", c.name, got, plain)
		}
	}
}
