package sensitivity

import (
	"encoding/json"
	"go/parser"
	"go/token"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/run"
)

// readings are points of a design with times by a known law and some noise.
func readings(seed uint64, types int, noise float64, law func(*Point) float64) []Reading {
	r := rand.New(rand.NewPCG(seed, 1))
	curves, drawn := design(r, types)
	var out []Reading
	for t, points := range append(curves, drawn...) {
		own := math.Exp(noise * r.NormFloat64()) // what is the type's own
		for _, p := range points {
			out = append(out, Reading{Point: p, Type: t, Ns: law(&p) * own * math.Exp(noise/3*r.NormFloat64())})
		}
	}
	return out
}

func linear(p *Point) float64 {
	ns := 300 + 40*float64(p.Depth-1) + 25*float64(p.Fields) + 6*float64(p.Array) + 0.4*float64(p.Blob)
	return ns + float64(p.Times)*map[Format]float64{Native: 120, Text: 45, Unix: 20}[p.Format]
}

var truth = map[string]float64{"depth": 40, "fields": 25, "array": 6, "blob": 0.4, "time.Time": 120, "RFC 3339 string": 45,
	"Unix int64": 20}

func TestFitFindsTheLaw(t *testing.T) {
	m, err := Fit(readings(1, 12, 0, linear))
	if err != nil {
		t.Fatal(err)
	}
	if m.Form != Linear || m.Worst > 1e-6 {
		t.Errorf("form %s, error %g", m.Form, m.Worst)
	}
	for name, want := range truth {
		if c := m.of(name); math.Abs(c.Point/want-1) > 1e-6 {
			t.Errorf("%s: %v, want %v", name, c.Point, want)
		}
	}
	p := Point{Depth: 5, Fields: 50, Times: 3, Format: Text, Array: 100, Blob: 5000}
	if got, err := m.Predict(p); err != nil || math.Abs(got/linear(&p)-1) > 1e-6 {
		t.Errorf("predicts %v, %v; it is %v", got, err, linear(&p))
	}
	power := func(p *Point) float64 {
		return 50 * math.Pow(1+float64(p.Fields), 0.8) * math.Pow(1+float64(p.Blob), 0.3)
	}
	if m, err := Fit(readings(2, 12, 0, power)); err != nil || m.Form != Power || math.Abs(m.of("fields").Point-0.8) > 1e-6 {
		t.Errorf("a power law is taken for %+v, %v", m, err)
	}
}

// The intervals hold the truth about as often as they say, and the error of types left
// out is about the noise.
func TestIntervals(t *testing.T) {
	held, asked := 0, 0
	for seed := range uint64(40) {
		m, err := fit(Linear, readings(seed, 12, 0.05, linear))
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range truth {
			asked++
			if c := m.of(name); c.Lo <= want && want <= c.Hi {
				held++
			}
		}
		if m.Median < 0.01 || m.Median > 0.2 {
			t.Errorf("seed %d: an error of %.3f with a noise of 0.05", seed, m.Median)
		}
	}
	if share := float64(held) / float64(asked); share < 0.88 {
		t.Errorf("the 95%% intervals hold the truth in %.0f%% of cases", 100*share)
	}
}

func TestRefusals(t *testing.T) {
	m, err := Fit(readings(1, 12, 0.01, linear))
	if err != nil {
		t.Fatal(err)
	}
	in := Point{Depth: 16, Fields: 256, Times: 8, Format: Unix, Array: 2000, Blob: 1 << 20}
	if _, err := m.Predict(in); err != nil {
		t.Errorf("at the edge: %v", err)
	}
	for want, p := range map[string]Point{
		"depth 17 lies outside of what was tested, 1 to 16":           {Depth: 17, Fields: 20, Array: 1, Blob: 16},
		"fields 257 lies outside of what was tested, 4 to 256":        {Depth: 1, Fields: 257, Array: 1, Blob: 16},
		"blob 2097152 lies outside of what was tested, 16 to 1048576": {Depth: 1, Fields: 20, Array: 1, Blob: 2 << 20},
		"time.Time 9 lies outside of what was tested, 0 to 8":         {Depth: 1, Fields: 20, Array: 1, Blob: 16, Times: 9, Format: Native},
	} {
		if _, err := m.Predict(p); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	few := readings(1, 12, 0, linear)[:5] // the curve of depth alone
	if _, err := Fit(few); err == nil {
		t.Error("a model of points that do not tell the factors apart")
	}
}

func TestLatin(t *testing.T) {
	list := latin(rand.New(rand.NewPCG(1, 2)), 20, 3)
	for j := range 3 {
		var strata []int
		for _, u := range list {
			strata = append(strata, int(u[j]*20))
		}
		slices.Sort(strata)
		for i, s := range strata {
			if s != i {
				t.Fatalf("dimension %d: strata %v", j, strata)
			}
		}
	}
}

// Every type of a design is Go, and its documents have what the point says.
func TestSources(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	curves, drawn := design(r, 6)
	var types []Point
	for _, list := range append(curves, drawn...) {
		types = append(types, list[0])
	}
	src := "package synthetic\n\nimport \"time\"\n\n" + source(types)
	if _, err := parser.ParseFile(token.NewFileSet(), "x.go", src, 0); err != nil {
		t.Fatal(err)
	}
	for _, p := range types {
		var doc map[string]any
		if err := json.Unmarshal(p.Document(r), &doc); err != nil {
			t.Fatal(err)
		}
		depth, scalars, times := 0, 0, 0
		var list, blob int
		for m := doc; m != nil; {
			depth++
			var in map[string]any
			for k, v := range m {
				switch {
				case k == "in":
					in = v.(map[string]any)
				case k == "list":
					list = len(v.([]any))
				case k == "blob":
					blob = len(v.(string)) / 4 * 3
				case strings.HasPrefix(k, "at"):
					times++
				default:
					scalars++
				}
			}
			m = in
		}
		if depth != p.Depth || scalars != p.Fields || times != p.Times || list != p.Array || blob < p.Blob || blob > p.Blob+2 {
			t.Errorf("%+v: depth %d, %d fields, %d times, %d elements, %d bytes", p, depth, scalars, times, list, blob)
		}
	}
}

// What is said of nesting follows from the curve: a knee where there is one, none where
// the line is straight, none of too few readings.
func TestDepthFindings(t *testing.T) {
	at := func(extra float64, n int) *result {
		r := &result{}
		curves, _ := design(rand.New(rand.NewPCG(1, 1)), 4)
		r.curves = len(curves)
		for i, list := range curves {
			p := list[0]
			ns := linear(&p) + extra*float64(max(0, p.Depth-knee))
			l := r.line("c", "encode")
			l.Readings = append(l.Readings, Reading{p, i, ns, run.Estimate{Median: ns, Lo: ns * 0.99, Hi: ns * 1.01, N: n}})
		}
		return r
	}
	const begin = "c, encode: a level of nesting costs 40 ns to depth 6 and "
	for want, r := range map[string]*result{
		"140 ns from there to 16: nesting costs more beyond 6.":                    at(100, 10),
		"40 ns from there to 16: no knee at 6: 0.89 to 1.13 times as much beyond.": at(0, 10),
		"141 ns from there to 16: no knee at 6 that this run can show.":            at(101, 3),
	} {
		if got := bendFindings(r.bends()); len(got) != 2 || got[0] != begin+want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
	many := func(extra float64) *result { // beyond 128 fields
		r := at(0, 10)
		list := r.line("c", "encode").Readings
		for i, x := range list {
			e := &list[i].spread
			more := extra * float64(max(0, x.Point.Fields-kneeFields))
			e.Median, e.Lo, e.Hi = e.Median+more, e.Lo+more, e.Hi+more
		}
		return r
	}
	for extra, want := range map[float64]string{0: "c, encode: a scalar field costs 25 ns to 128 fields and 25 ns from there to " +
		"256: no knee at 128: 0.97 to 1.03 times as much beyond.",
		50: "c, encode: a scalar field costs 25 ns to 128 fields and 75 ns from there to 256: fields cost more beyond 128."} {
		bends := many(extra).bends()
		if got := bendFindings(bends); len(got) != 2 || got[1] != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
		row := bendTable(bends).Rows[1]
		if q := row[6]; q.Value == nil || (*q.Lo > 1) != (extra > 0) || *q.Lo > *q.Value || *q.Hi < *q.Value {
			t.Errorf("quotient %+v", q)
		}
	}
	e, err := at(0, 10).experiment(nil)
	if err != nil {
		t.Fatal(err)
	}
	experiment.Tidy(e)
	if len(e.Charts) != 2 || len(e.Charts[0].Series[0].X) != 5 || len(e.Charts[1].Series[0].X) != 4 {
		t.Errorf("%d charts", len(e.Charts))
	}
}

// The interval of a quotient holds the true one in 95 of 100 draws, whatever the errors of its points
// are, and a divisor that may be 0 has no quotient.
func TestQuotient(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	reading := func(ns, sigma float64) run.Estimate {
		x := ns + sigma*r.NormFloat64()
		return run.Estimate{Median: x, Lo: x - 1.96*sigma, Hi: x + 1.96*sigma, N: 10}
	}
	for _, sigma := range [][3]float64{{5, 5, 5}, {1, 10, 1}, {10, 1, 20}} {
		const draws = 4000
		held := 0
		for range draws { // 20 a unit below, 30 above
			q := quotient(reading(1000, sigma[0]), reading(1100, sigma[1]), reading(1400, sigma[2]), 5, 10)
			if q != nil && q.Lo <= 1.5 && 1.5 <= q.Hi {
				held++
			}
		}
		if share := float64(held) / draws; share < 0.94 || share > 0.96 {
			t.Errorf("errors %v: %.3f of the intervals hold the quotient", sigma, share)
		}
	}
	e := func(ns float64) run.Estimate { return run.Estimate{Median: ns, Lo: ns - 10, Hi: ns + 10, N: 10} }
	if q := quotient(e(100), e(110), e(200), 5, 10); q != nil {
		t.Errorf("a divisor of 2 ± 2.8: %+v", q)
	}
}

// TestBendVerdict: a difference is a knee only from a fifth on, even if it is proven.
func TestBendVerdict(t *testing.T) {
	for want, q := range map[string]*run.Estimate{
		"no knee at 6 that this run can show":             nil,
		"nesting costs more beyond 6":                     {Lo: 1.05, Hi: 1.4, N: 10},
		"nesting costs less beyond 6":                     {Lo: 0.5, Hi: 0.9, N: 10},
		"no knee at 6: 1.02 to 1.10 times as much beyond": {Lo: 1.02, Hi: 1.1, N: 10},
		"no knee at 6: at most 1.15 times as much beyond": {Lo: 0.7, Hi: 1.15, N: 10},
	} {
		b := bend{knee: 0, quotient: q}
		if got := b.verdict(); got != want {
			t.Errorf("%+v: %s, want %s", q, got, want)
		}
	}
	wide := bend{quotient: &run.Estimate{Lo: 0.9, Hi: 1.6, N: 10}}
	few := bend{quotient: &run.Estimate{Lo: 1.5, Hi: 1.6, N: 3}}
	for _, b := range []bend{wide, few} {
		if got := b.verdict(); got != "no knee at 6 that this run can show" {
			t.Errorf("%+v: %s", b.quotient, got)
		}
	}
}
