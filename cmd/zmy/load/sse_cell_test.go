package load

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab/experiment/experimenttest"
	"github.com/zmylab/zmy/lab/run"
)

// TestSSERounds: every round measures every point once, in an order of its own, after a point on
// each server that is no figure.
func TestSSERounds(t *testing.T) {
	t.Parallel()
	s := &SSE{Conns: 2, Rates: []float64{400}, Burst: 1, Sizes: []int{0}, Codecs: []string{"json", "zmy", "cbor"},
		For: 30 * time.Millisecond, Warm: 10 * time.Millisecond, Timeout: time.Minute, Rounds: 3, Seed: 1}
	s.Targets = []*Target{demo(t, "drain"), demo(t, "each")}
	r, err := s.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Warm) != 2 || r.Warm[0].Flush == r.Warm[1].Flush || r.Warm[0].For != s.Warm || len(r.Points) != 3*6 || r.Wrong() != 0 {
		t.Fatalf("%d warm, %d points, %d wrong", len(r.Warm), len(r.Points), r.Wrong())
	}
	var orders []string
	for round := range 3 {
		var names []string
		for _, p := range r.Points[6*round : 6*round+6] {
			if p.Round != round {
				t.Errorf("round %d has a point of %d", round, p.Round)
			}
			names = append(names, p.Codec+" "+p.Flush)
		}
		orders = append(orders, strings.Join(names, ", "))
		slices.Sort(names)
		if len(slices.Compact(names)) != 6 {
			t.Errorf("round %d: %s", round, orders[round])
		}
	}
	if orders[0] == orders[1] && orders[1] == orders[2] || strings.HasPrefix(orders[0], "json drain, json each, zmy drain") {
		t.Errorf("orders %q", orders)
	}
	x, err := s.Experiment(r, run.Host{}, nil, time.Now().Add(-time.Second))
	if err != nil {
		t.Fatal(err)
	}
	experimenttest.Check(t, x)
	if costs := x.Tables[2]; len(costs.Rows) != 6 || costs.Rows[0][2].Lo == nil || !strings.Contains(costs.Note, "3 rounds") {
		t.Errorf("%d rows, %+v, %q", len(costs.Rows), costs.Rows[0][2], costs.Note)
	}
}

// made is a point that was not measured: so many events to ten thousand connections, all of which
// take as long.
func made(round int, codec string, events int, took, late, cpu time.Duration) *SSEPoint {
	p := &SSEPoint{Round: round, Codec: codec, Rate: 1, Published: events, Delivered: 10_000 * int64(events),
		Seconds: 10, Server: Usage{CPU: cpu},
		Latency: new(Histogram), First: new(Histogram), Late: new(Histogram), Decode: new(Histogram)}
	for range events {
		p.Late.Record(int64(late))
		for range 100 { // fewer than there are, which makes no difference to percentiles
			p.Latency.Record(int64(took))
			p.First.Record(int64(took))
		}
	}
	return p
}

func madeView(points ...*SSEPoint) *sseView {
	s := &SSE{Targets: []*Target{{}}, Rates: []float64{1}, Sizes: []int{0}, Codecs: []string{"json", "zmy", "cbor"}, Rounds: 3}
	return &sseView{SSE: s, r: &SSEResult{Points: points}}
}

// TestSSEQuantile: a percentile rests on published events, however many connections each of them
// was delivered to.
func TestSSEQuantile(t *testing.T) {
	for _, c := range []struct {
		events int // in each of two rounds
		q      float64
		mark   string // – where it is not shown
	}{
		{9, 0.5, "–"}, {99, 0.5, "–"}, {100, 0.5, ""}, {499, 0.9, "–"}, {500, 0.9, ""},
		{4999, 0.99, "–"}, {5000, 0.99, ""}, {4000, 0.999, "–"},
	} {
		v := madeView(made(0, "json", c.events, 10*time.Millisecond, 0, time.Second),
			made(1, "json", c.events, 20*time.Millisecond, 0, time.Second))
		it := v.cells()[0].quantile(latencyOf, c.q)
		if c.mark == "–" {
			if it.Value != nil || it.Text != "–" {
				t.Errorf("%d events, %g: %v", c.events, c.q, *it.Value)
			}
			continue
		}
		if it.Value == nil || it.Mark != c.mark || *it.Lo > 10.2e6 || *it.Hi < 19.8e6 || *it.Value < *it.Lo || *it.Value > *it.Hi {
			t.Errorf("%d events, %g: %+v, want mark %q", c.events, c.q, it, c.mark)
		}
	}
}

// TestSSELate: a percentile is judged by how late events were published at the same one. Of a
// hundred events here two were late by as long as their deliveries took, which the median does not
// tell.
func TestSSELate(t *testing.T) {
	p := made(0, "json", 9_800, time.Millisecond, 20*time.Microsecond, time.Second)
	tail := made(0, "json", 200, 50*time.Millisecond, 49*time.Millisecond, time.Second)
	p.Published += tail.Published
	p.Latency.Add(tail.Latency)
	p.Late.Add(tail.Late)
	v := madeView(p)
	c := v.cells()[0]
	for q, mark := range map[float64]string{0.5: "", 0.9: "", 0.99: "doubt"} {
		if it := c.quantile(latencyOf, q); it.Value == nil || it.Mark != mark {
			t.Errorf("%g: %+v, want mark %q", q, it, mark)
		}
	}
	if it := c.most(); it.Mark != "doubt" {
		t.Errorf("most: %+v", it)
	}
	if warnings := v.warnings(); len(warnings) != 1 || !strings.HasPrefix(warnings[0], "at 1 of 1 points events were published late") {
		t.Errorf("%q", warnings)
	}
	p.Late = new(Histogram)
	if it := c.quantile(latencyOf, 0.5); it.Mark != "doubt" {
		t.Errorf("lateness is not known: %+v", it)
	}
}

// TestSSEExtremes: nobody is named the least where rounds differ as much as codecs.
func TestSSEExtremes(t *testing.T) {
	cpu := func(codec string, rounds ...int) (points []*SSEPoint) {
		for i, n := range rounds { // µs for each of 10⁶ deliveries
			points = append(points, made(i, codec, 100, time.Millisecond, 0, time.Duration(n)*time.Second))
		}
		return points
	}
	const what = "processor time for a delivery: "
	for _, c := range []struct {
		points [][]*SSEPoint
		want   string // "" for nothing
	}{
		{[][]*SSEPoint{cpu("json", 7, 8, 9), cpu("zmy", 5, 6, 7)}, what + "6 µs to 8 µs, no more apart than rounds are"},
		{[][]*SSEPoint{cpu("json", 8, 9, 10), cpu("zmy", 5, 6, 7)}, what + "from 6 µs (zmy) to 9 µs (json)"},
		{[][]*SSEPoint{cpu("json", 8, 9, 10), cpu("zmy", 5, 6, 7), cpu("cbor", 7, 7, 8)}, what +
			"from 6 µs (zmy; 1 more within its range) to 9 µs (json; 1 more within its range)"},
		{[][]*SSEPoint{cpu("json", 9), cpu("zmy", 5)}, what + "5 µs to 9 µs, of a single round"},
		{[][]*SSEPoint{cpu("json", 9, 9, 9)}, ""},
	} {
		v := madeView(slices.Concat(c.points...)...)
		if got := v.extremes(); c.want == "" && len(got) > 0 || c.want != "" && (len(got) == 0 || got[0] != c.want) {
			t.Errorf("%s, want %s", fmt.Sprintf("%q", got), c.want)
		}
	}
}
