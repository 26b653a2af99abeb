package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/run/runtest"
	"github.com/zmylab/zmy/lab/stats"
)

// podLike is a run of a type with many places of few types that no value had data in, and
// steps as long as real ones.
func podLike() *run.Run {
	r := runtest.Order(runtest.Options{})
	for _, c := range r.Contenders {
		for i := range 30 {
			c.Value.Except = append(c.Value.Except, fmt.Sprintf("Spec.Containers[].Env[%d].ValueFrom.ResourceFieldRef.Divisor "+
				"(resource.Quantity)", i))
		}
		c.Value.Except = append(c.Value.Except, "Status.At (v1.MicroTime)")
		if a := c.Adopt; a != nil && a.Generate != "" {
			long := *a
			long.Install = contender.RequireClone + "\ngo -C ../zmy install ./cmd/zmy 'a quoted argument that is not to be broken'"
			c.Adopt = &long
		}
	}
	stats.Fill(r)
	return r
}

// printedSteps reads the blocks of code that a table shows, with continued lines joined.
func printedSteps(t *testing.T, text string) []string {
	t.Helper()
	var out []string
	in := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "  next ") {
			in = true
		}
		if strings.HasPrefix(line, "  report ") || strings.HasPrefix(line, "  again: ") {
			break
		}
		if code, ok := strings.CutPrefix(line, "         "); in && ok {
			out = append(out, code)
		} else if in && line == "" {
			out = append(out, "")
		}
	}
	return strings.Split(strings.ReplaceAll(strings.Join(out, "\n"), " \\\n  ", " "), "\n")
}

// TestPrintedSteps: every line of code of the steps can be copied from a terminal of any
// width, and no line of the table is wider than it.
func TestPrintedSteps(t *testing.T) {
	r := podLike()
	var want []string
	for _, s := range r.Verdict.Steps {
		want = append(want, codeLines(s)...)
	}
	if len(want) < 10 {
		t.Fatalf("%d lines of code: %+v", len(want), r.Verdict.Steps)
	}
	for _, width := range []int{72, 80, 100, 140} {
		var b strings.Builder
		if err := Table(&b, r, TableOptions{Width: width, Dir: "zmylab"}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > width {
				t.Errorf("%d columns of %d: %s", n, width, line)
			}
		}
		got := printedSteps(t, b.String())
		for _, w := range want {
			if !slices.Contains(got, w) {
				t.Errorf("at %d columns %q cannot be copied: %q", width, w, got)
			}
		}
		for _, must := range []string{"allocs", "LOSSY", "resource.Quantity (30 places)"} {
			if !strings.Contains(b.String(), must) {
				t.Errorf("at %d columns %q is missing", width, must)
			}
		}
		if strings.Contains(b.String(), "Env[7]") {
			t.Errorf("at %d columns places are listed one by one", width)
		}
	}
}

func TestContinued(t *testing.T) {
	for _, c := range []struct {
		line  string
		width int
		want  string
	}{
		{"short", 20, "short"},
		{"one two three four", 12, `one two \|  three four`},
		{"echo 'a b c d e' f", 12, `echo \|  'a b c d e' \|  f`},
		{"averyveryverylongword x", 10, `averyveryverylongword \|  x`},
		{"averyveryverylongword", 10, "averyveryverylongword"},
	} {
		if got := strings.Join(continued(c.line, c.width), "|"); got != c.want {
			t.Errorf("%q at %d: %s, want %s", c.line, c.width, got, c.want)
		}
	}
}

// TestVerdictPage: intervals on the figures, exceptions by type, bars before steps, doubts
// behind one line, and cards that are grey where nothing is proven.
func TestVerdictPage(t *testing.T) {
	page := render(t, podLike())
	order := []string{`id="ranking"`, `id="next"`, `<ol class="next">`, `<details class="doubts"><summary>`, `id="operations"`}
	at := 0
	for _, part := range order {
		i := strings.Index(page[at:], part)
		if i < 0 {
			t.Fatalf("%s is not behind what precedes it", part)
		}
		at += i
	}
	for _, want := range []string{`<dt>encode × json</dt><dd>14`, `× <span class="int">[1`, "except 2 types",
		"<code>resource.Quantity</code>, 30 places", `class="num h4"`, `<dd class="good">lossless</dd>`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(page, `class="pick open"`) {
		t.Error("a card is grey in a run that proves its pick")
	}
	if n := strings.Count(page, "Env[7]"); n > 40 {
		t.Errorf("a place is named %d times", n)
	}
	wild := runtest.Order(runtest.Options{Launches: 2, Rounds: 3, RoundSD: 3, LaunchSD: 3})
	stats.Fill(wild)
	page = render(t, wild)
	if strings.Contains(page, `class="top"`) {
		t.Error("a row is marked that the run does not prove")
	}
	if n := strings.Count(page, `class="pick open"`); n != strings.Count(page, `class="pick`)-strings.Count(page, `class="picks`) || n == 0 {
		t.Errorf("%d cards are grey", n)
	}
	for _, want := range []string{"Too noisy for a verdict on speed: nothing is proven by this run", "not proven</span>", ", undecided</dt>",
		"zmy lab -depth standard -budget "} {
		if !strings.Contains(page, want) {
			t.Errorf("a hopeless run's page lacks %s", want)
		}
	}
}

func TestBest(t *testing.T) {
	for share, want := range map[float64]string{1: "h4 100%", 0.8: "h3 80%", 0.5: "h2 50%", 0.3: "h1 30%", 0.1: "h0 10%"} {
		if b := newBest(share); b.Class+" "+b.Text != want {
			t.Errorf("%v: %+v", share, b)
		}
	}
}
