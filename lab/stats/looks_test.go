package stats

import (
	"math"
	"testing"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/run/runtest"
)

// TestLookAfter: there is a look after each launch from the third on, if more than three are planned,
// and the parts of a run's looks sum to 1.
func TestLookAfter(t *testing.T) {
	for planned := range 7 {
		sum, n := 0.0, 0
		for launch := range planned + 2 {
			if l := LookAfter(launch, planned); l != nil {
				sum, n = sum+l.Part, n+1
				if l.Launch != launch || l.Planned != planned || l.Part <= 0 || l.Early() != (launch < planned) {
					t.Errorf("launch %d of %d: %+v", launch, planned, l)
				}
			}
		}
		want := max(0, planned-EarliestLook+1)
		if planned == EarliestLook {
			want = 0 // it is judged once, with all of alpha
		}
		if n != want || n > 0 && math.Abs(sum-1) > 1e-12 {
			t.Errorf("%d launches: %d looks whose parts sum to %g, want %d looks", planned, n, sum, want)
		}
	}
}

// TestWithin: a result at a look is as certain as Student's distribution says for its part of alpha.
func TestWithin(t *testing.T) {
	x := Locate(Clusters{{0.1, 0.12, 0.09}, {0.2, 0.18, 0.21}, {0.14, 0.11, 0.17}}, 1)
	const part = 0.2
	y := x.within(part)
	wider := StudentQuantile(1-alpha*part/2, x.DF) / StudentQuantile(1-alpha/2, x.DF)
	if y.Point != x.Point || wider < 1.3 || !closeTo(math.Log(y.Hi/y.Point), wider*math.Log(x.Hi/x.Point)) ||
		!closeTo(math.Log(y.Point/y.Lo), wider*math.Log(x.Point/x.Lo)) || !closeTo(y.P, min(1, x.P/part)) {
		t.Errorf("within(%g) of %+v is %+v; the interval should be %.2f times as wide", part, x, y, wider)
	}
	if all := x.within(1); all != x {
		t.Errorf("with all of alpha, %+v became %+v", x, all)
	}
	if none := (Result{Point: 2, Lo: 2, Hi: 2, P: 1}); none.within(part) != none {
		t.Errorf("a result without an interval changed: %+v", none.within(part))
	}
}

func closeTo(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// TestLookWidens: a run that is judged at a look has the same figures, with wider intervals and a
// higher noise floor than one that is judged once.
func TestLookWidens(t *testing.T) {
	once := runtest.Order(runtest.Options{Launches: 3, Rounds: 6})
	Fill(once)
	look := runtest.Order(runtest.Options{Launches: 3, Rounds: 6})
	look.Look = LookAfter(3, 5)
	Fill(look)
	if look.Noise.Floor <= once.Noise.Floor {
		t.Errorf("noise floor %g at a look, %g without", look.Noise.Floor, once.Noise.Floor)
	}
	for i, c := range once.Cells {
		x := look.Cells[i]
		if c.Ratio.Point != x.Ratio.Point || c.Wall.Median != x.Wall.Median {
			t.Errorf("%s %s: figures changed", c.Codec, c.Op)
		}
		if c.Codec != run.Baseline && (x.Ratio.Lo >= c.Ratio.Lo || x.Ratio.Hi <= c.Ratio.Hi) {
			t.Errorf("%s %s: ratio %+v at a look, %+v without", c.Codec, c.Op, x.Ratio, c.Ratio)
		}
		if x.Wall.Lo >= c.Wall.Lo || x.Wall.Hi <= c.Wall.Hi {
			t.Errorf("%s %s: time %+v at a look, %+v without", c.Codec, c.Op, x.Wall, c.Wall)
		}
	}
	for i, k := range once.Ranking {
		if x := look.Ranking[i]; x.Total.Lo >= k.Total.Lo {
			t.Errorf("%s: total %+v at a look, %+v without", k.Codec, x.Total, k.Total)
		}
	}
}

// TestSettled: only a run whose picks are separated from all others of their places is settled.
func TestSettled(t *testing.T) {
	calm := runtest.Options{Launches: 4, Rounds: 8, LaunchSD: 0.001, RoundSD: 0.002}
	noisy := runtest.Options{Launches: 4, Rounds: 8, LaunchSD: 0.3, RoundSD: 0.3}
	for _, c := range []struct {
		name string
		o    runtest.Options
		edit func(r *run.Run)
		want bool
	}{
		{"calm", calm, nil, true},
		{"noisy", noisy, nil, false},
		{"nothing ranked", calm, func(r *run.Run) { r.Ranking = nil }, false},
		{"a codec not separated from the pick", calm, func(r *run.Run) {
			r.Ranking[1].Place, r.Ranking[1].Against = 1, run.Inconclusive
		}, false},
		{"a codec far behind that is undecided", calm, func(r *run.Run) {
			r.Ranking[len(r.Ranking)-1].Against = run.Inconclusive
		}, true},
		{"a pick not proven faster on decode", calm, func(r *run.Run) {
			Find(r, r.Verdict.Pick, Decode, Fresh).Against = run.Inconclusive
		}, false},
	} {
		r := runtest.Order(c.o)
		for _, x := range r.Cells { // otherwise the first two JSON codecs are a percent apart
			for i := range x.Samples {
				if x.Codec == "goccy" {
					x.Samples[i].Wall, x.Samples[i].CPU = 1.3*x.Samples[i].Wall, 1.3*x.Samples[i].CPU
				}
			}
		}
		r.Look = LookAfter(4, 5)
		Fill(r)
		if c.edit != nil {
			c.edit(r)
		}
		if got := Settled(r); got != c.want {
			t.Errorf("%s: settled is %v; ranking %+v", c.name, got, r.Ranking)
		}
	}
}
