package latency

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/run"
)

// filled records n values of an exponential distribution with the given mean.
func filled(n int, mean float64, seed uint64) *openloop.Histogram {
	r, h := rand.New(rand.NewPCG(seed, 0)), new(openloop.Histogram)
	for range n {
		h.Record(int64(mean * r.ExpFloat64()))
	}
	return h
}

// TestItem: a percentile is printed with 100 requests beyond it and not with 99, and is
// that of the distribution.
func TestItem(t *testing.T) {
	const mean = 1e6
	for _, c := range []struct {
		n     int
		q     float64
		shown bool
	}{{199, 0.5, false}, {200, 0.5, true}, {9_999, 0.99, false}, {10_000, 0.99, true}, {99_999, 0.999, false}, {100_000, 0.999, true}} {
		h := filled(c.n, mean, 1)
		x := item(h, nil, c.q)
		if shown := x.Value != nil; shown != c.shown {
			t.Errorf("P%g of %d requests: shown %t", 100*c.q, c.n, shown)
		} else if want := -mean * math.Log(1-c.q); shown && math.Abs(*x.Value-want) > 0.25*want {
			t.Errorf("P%g of %d requests is %g, of the distribution %g", 100*c.q, c.n, *x.Value, want)
		}
	}
	launches := []*openloop.Histogram{filled(1000, mean, 2), filled(1000, 2*mean, 3)}
	if x := item(filled(1000, mean, 4), launches, 0.5); x.Lo == nil || *x.Lo > *x.Hi/1.5 {
		t.Errorf("the range over launches of which one is twice as slow: %+v", x)
	}
}

func TestCurveEndsWhereItIsSound(t *testing.T) {
	xs, ys := curve(filled(10_000, 1e6, 1))
	if last := xs[len(xs)-1]; last > 100 || last < 50 {
		t.Errorf("10,000 requests: the curve goes to one in %g", last)
	}
	if !slices.IsSorted(ys) {
		t.Errorf("latency falls with the percentile: %v", ys)
	}
}

// TestJudge: the generator's median lateness may be a tenth of the median response.
func TestJudge(t *testing.T) {
	for _, c := range []struct {
		late int64
		void bool
	}{{90_000, false}, {120_000, true}} {
		p := &Point{Response: *filled(1000, 1e6/math.Ln2, 1)}
		for range 1000 {
			p.Late.Record(c.late)
		}
		if p.Void = experiment.Late(&p.Late, &p.Response); (p.Void != "") != c.void {
			t.Errorf("%d ns late of a median of 1 ms: %q", c.late, p.Void)
		}
	}
}

// TestPunctual: a generator that is late now and then voids the percentiles of which its
// lateness is the larger part, and leaves the median.
func TestPunctual(t *testing.T) {
	p := &Point{Response: *filled(20_000, 1e6, 1)}
	for i := range 20_000 {
		late := int64(1000)
		if i%50 == 0 { // 2%
			late = 3e6
		}
		p.Late.Record(late)
	}
	if p.Void = experiment.Late(&p.Late, &p.Response); p.Void != "" || !p.valid() {
		t.Errorf("the point is void: %s", p.Void)
	}
	if x := p.percentile(0.5); x.Value == nil {
		t.Errorf("the median is not shown: %q", x.Text)
	}
	if x := p.percentile(0.99); x.Value != nil || x.Text != "late" {
		t.Errorf("P99 is shown, of which 3 ms of %g are the generator's", p.Response.Quantile(0.99))
	}
}

// TestEnds: what a codec did not keep up with, and what is void, is no end of its rates.
func TestEnds(t *testing.T) {
	res := &Result{}
	for i, p := range []*Point{{Void: "late"}, {}, {}, {Served: openloop.Served{Left: 5}}, {Of: 0.5}} {
		p.Codec, p.QPS, p.Response = "c", float64(100*(i+1)), *filled(10_000, 1e6, uint64(i))
		p.Memory.Mapped = 1
		res.Open = append(res.Open, p)
	}
	for name, has := range map[string]func(*Point) bool{"kept": kept, "tailed": tailed} {
		if lo, hi, ok := ends(res, "c", has); !ok || lo.QPS != 200 || hi.QPS != 300 {
			t.Errorf("%s: %+v %+v", name, lo, hi)
		}
	}
}

// loaded makes a result in which codec fast is n times as quick as the baseline.
func loaded(n float64, launches int) *Result {
	res := &Result{Goroutines: 10}
	for i, name := range []string{run.Baseline, "fast"} {
		mean := 1e6
		if i == 1 {
			mean /= n
		}
		k := &Closed{Codec: name, N: 30_000, Rate: run.Estimate{Median: 1e9 / mean}, Capacity: 1e9 / mean}
		for l := range launches {
			h := filled(10_000, mean, uint64(10*i+l))
			k.launches = append(k.launches, h)
			k.Response.Add(h)
		}
		res.Closed = append(res.Closed, k)
	}
	return res
}

func TestFindings(t *testing.T) {
	for _, c := range []struct {
		n          float64
		launches   int
		holds, not string
	}{
		{3, 5, "times lower, and", "decide"},
		{1.001, 5, "not decided", "against"},
		{3, 3, "3 launches do not decide", "lower"},
		{1.001, 3, "not decided", "against"},
	} {
		s := findings(loaded(c.n, c.launches))[0]
		if _, claim, _ := strings.Cut(s, ", 10 callers: "); !strings.Contains(claim, c.holds) ||
			strings.Contains(strings.TrimPrefix(claim, "the lowest"), c.not) {
			t.Errorf("%g times as fast, %d launches: %s", c.n, c.launches, s)
		}
	}
	res := loaded(3, 5)
	for i, left := range []int{500, 0} {
		res.Open = append(res.Open, &Point{Codec: res.Closed[i].Codec, QPS: 10_000, Served: openloop.Served{N: 1000, Left: left},
			Response: *filled(1000, 1e6, 9)})
	}
	if s := findings(res)[1]; !strings.Contains(s, "fast answered all") || !strings.Contains(s, run.Baseline+" could not") {
		t.Errorf("an overloaded baseline: %s", s)
	}
}
