package report

import (
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/run/runtest"
)

// TestValueStrip: the page shows how large the values are, where they came from, and marks
// a mean that a few of them make.
func TestValueStrip(t *testing.T) {
	r := runtest.Order(runtest.Options{Launches: 3, Rounds: 4})
	if strings.Contains(render(t, r), `class="values`) {
		t.Error("sizes that are not known are drawn")
	}
	s := &r.Subject
	s.Source, s.JSONSize = "field names and types", run.Quartile{Min: 100, P25: 150, Median: 200, P75: 300, Max: 200_000}
	s.JSONMean = 300
	for i := range 21 {
		s.JSONSizes = append(s.JSONSizes, 100+10*float64(i))
	}
	page := render(t, r)
	for _, want := range []string{`<figure class="values">`, `<span class="tag">generated</span>`, "median 200 B, mean 300 B"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if s.JSONMean = 40_000; !strings.Contains(render(t, r), `<figure class="values wide">`) {
		t.Error("a mean that a few values make is not marked")
	}
	v, ok := newValueStrip(s)
	if !ok || strings.Count(v.Dots, "M") != 21 || v.Median >= v.Mean || v.Mean > valuesW {
		t.Errorf("%+v", v)
	}
	s.JSONSize = run.Quartile{Min: 64, P25: 64, Median: 64, P75: 64, Max: 64}
	if v, ok := newValueStrip(s); !ok || v.Median < valuesW/2-1 || v.Median > valuesW/2+1 {
		t.Errorf("values of one size: %+v", v)
	}
}
