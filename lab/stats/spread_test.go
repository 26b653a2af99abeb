package stats

import (
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/run/runtest"
)

// TestSpread: a verdict on values of which a few are huge, or that were generated far too large, says so.
func TestSpread(t *testing.T) {
	const names = "field names and types"
	for _, c := range []struct {
		source       string
		median, mean float64
		want         string
	}{
		{names, 219, 900, ""},
		{names, 219, 41_763, "mean size is 191 times the median"},
		{names, 17_000, 17_500, "half of them take more than 17 KB"},
		{"func SampleOrder", 17_000, 17_500, ""},
		{"func SampleOrder", 100, 5_000, "compare with values of one size"},
		{"file a.json: 3 documents", 98_000, 98_000, ""},
		{names, 0, 0, ""},
	} {
		r := runtest.Order(runtest.Options{Launches: 3, Rounds: 4})
		r.Subject.Source, r.Subject.JSONSize.Median, r.Subject.JSONMean = c.source, c.median, c.mean
		Fill(r)
		got := Spread(&r.Subject)
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s, median %.0f, mean %.0f: %q", c.source, c.median, c.mean, got)
		}
		if said := strings.HasSuffix(r.Verdict.Sentence, got) && got != ""; said != (c.want != "") {
			t.Errorf("%s: the verdict is %q", c.source, r.Verdict.Sentence)
		}
	}
}
