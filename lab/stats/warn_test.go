package stats

import (
	"fmt"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/run/runtest"
)

// TestDoubts: a terminal gets three lines at most, beside the warnings of others.
func TestDoubts(t *testing.T) {
	r := runtest.Order(runtest.Options{Launches: 2, Rounds: 3, RoundSD: 0.3})
	r.Host.Load1 = 9
	r.Warnings = []string{"the user must know this", Schedule + "the budget allows less"}
	Fill(r)
	got := Doubts(r)
	if len(got) > 4 || got[0] != "the user must know this" || got[1] != "the budget allows less" || !strings.Contains(got[2], "load 9.0 on") {
		t.Errorf("%d doubts: %q", len(got), got)
	}
	if len(r.Warnings) < 4 {
		t.Errorf("the run itself lost warnings: %q", r.Warnings)
	}
}

// TestBrief: a terminal gets at most three doubts, each with what to do, and the number of the others.
func TestBrief(t *testing.T) {
	r := runtest.Order(runtest.Options{Launches: 2, Rounds: 3, RoundSD: 0.3})
	r.Host.Load1 = 9
	r.Warnings = []string{"first → do this", "second → do that", Schedule + "the budget allows less"}
	Fill(r)
	got, more := Brief(r)
	if len(got) != 3 || len(got)+more != len(Doubts(r)) || more < 2 {
		t.Errorf("%d doubts and %d more, of %d: %q", len(got), more, len(Doubts(r)), got)
	}
	for _, s := range got {
		if !strings.Contains(s, " → ") {
			t.Errorf("%q does not say what to do", s)
		}
	}
	calm := runtest.Order(runtest.Options{Launches: 5, Rounds: 20, LaunchSD: 0.001, RoundSD: 0.001})
	calm.Host.Load1 = 0
	Fill(calm)
	if got, more := Brief(calm); got != nil || more != 0 {
		t.Errorf("doubts about a calm run: %q and %d more", got, more)
	}
}

// TestSpread: a verdict on values of which a few are huge, or that were generated far too large,
// says so.
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

// TestValuesLeftOut: a verdict on the few values that encoding/json carries says so.
func TestValuesLeftOut(t *testing.T) {
	for left, want := range map[int]bool{0: false, 10: false, 1000: false, 1001: true} {
		r := runtest.Order(runtest.Options{Launches: 3, Rounds: 4})
		r.Subject.Values, r.Subject.LeftOut = 1000, left
		Fill(r)
		text := fmt.Sprintf("encoding/json carries only 1000 of the %d that were made", 1000+left)
		if got := strings.Contains(r.Verdict.Sentence, text) && strings.Contains(r.Verdict.Sentence, "-sample FILE"); got != want {
			t.Errorf("%d left out: %s", left, r.Verdict.Sentence)
		}
	}
}

// TestValuesAlike: a verdict on one value many times says so.
func TestValuesAlike(t *testing.T) {
	r := runtest.Order(runtest.Options{Launches: 3, Rounds: 4})
	r.Subject.Alike = true
	Fill(r)
	if text := fmt.Sprintf("all %d are the same", r.Subject.Values); !strings.Contains(r.Verdict.Sentence, text) ||
		!strings.Contains(r.Verdict.Sentence, "-sample FILE") {
		t.Error(r.Verdict.Sentence)
	}
}

// TestSamplerAdvised: what is advised is a function that Go can declare, and none where the package
// is not the user's.
func TestSamplerAdvised(t *testing.T) {
	r := runtest.Order(runtest.Options{Launches: 3, Rounds: 4})
	r.Subject.Alike = true
	for sampler, want := range map[string]string{
		"SamplePageOrder": "take real ones by -sample FILE or func SamplePageOrder.", "": "take real ones by -sample FILE.",
	} {
		r.Subject.Source, r.Subject.Type, r.Subject.Sampler = "field names and types", "Page[Order]", sampler
		if got := Spread(&r.Subject); !strings.HasSuffix(got, want) {
			t.Errorf("%q: %s, want %s", sampler, got, want)
		}
	}
}
