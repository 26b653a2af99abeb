package report

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/run/runtest"
	"github.com/zmylab/zmy/lab/stats"
)

// TestMadeUp: losses of made-up values are doubted in every form, those of the user's own in none.
func TestMadeUp(t *testing.T) {
	for _, c := range []struct {
		source, base, want string
	}{
		{"field names and types", run.Lossless, "values were made up from field names and types; give real ones by -sample FILE"},
		{"field names and types", run.Lossy,
			"encoding/json loses part of them too: your program may have no such values; give real ones by -sample FILE"},
		{"func SampleOrder", run.Lossy, ""},
		{"file orders.json", run.Lossy, ""},
	} {
		r := filled(runtest.Options{Launches: 2, Rounds: 3})
		r.Subject.Source = c.source
		stats.Contender(r, run.Baseline).Value.Grade = c.base
		var text, page bytes.Buffer
		if err := errors.Join(Markdown(&text, r), HTML(&page, r)); err != nil {
			t.Fatal(err)
		}
		for _, s := range []string{draw(t, r, TableOptions{Width: 300}), text.String(), page.String()} {
			if c.want != "" && !strings.Contains(s, c.want) || c.want == "" && strings.Contains(s, "made up from") {
				t.Errorf("%+v:\n%.3000s", c, s)
			}
		}
		for _, x := range r.Contenders {
			x.Value.Grade = run.Lossless
		}
		if s := stats.MadeUp(r); s != "" {
			t.Errorf("no codec loses anything: %q", s)
		}
	}
}

// TestNormalised: every form of the report says what a codec normalises, also one that is graded
// lossless, with a field and an example. The terminal leaves out what encoding/json does too.
func TestNormalised(t *testing.T) {
	r := filled(runtest.Options{Launches: 2, Rounds: 3})
	zone := run.Edge{Name: "time zone", Path: "At", Result: run.EdgeNormalised,
		Before: "2024-05-01T12:30:00+05:45", After: "2024-05-01T06:45:00Z"}
	null := run.Edge{Name: "map by string empty, not nil", Path: "Meta", Result: run.EdgeNormalised,
		Before: "map[string]any (0 keys)", After: "nil"}
	for _, c := range r.Contenders {
		c.Value.Diffs, c.Value.Edges = nil, []run.Edge{null}
		switch c.Name {
		case "zmy":
			c.Value.Grade = run.Lossless
			c.Value.Edges = append(c.Value.Edges, run.Edge{Name: "slice empty, not nil", Path: "Items", Result: run.EdgeNormalised,
				Before: "empty", After: "nil"}, zone)
		case "msgp":
			c.Value.Grade = run.Normalised
			c.Value.Diffs = []run.Diff{{Path: "Tags", Before: "nil", After: "empty", Kind: run.EdgeNormalised, Count: 25}}
		case run.Baseline:
			c.Value.Grade = run.Lossless
		}
	}
	table := draw(t, r, TableOptions{Width: 120})
	for _, want := range []string{"  zmy normalises: empty slices to nil, time zones to UTC\n",
		"  msgp normalises: nil slices to empty ones\n"} {
		if !strings.Contains(table, want) {
			t.Errorf("the table lacks %q", want)
		}
	}
	if strings.Contains(table, "empty maps to nil") {
		t.Error("the table tells codecs apart by what encoding/json does too")
	}
	if all := draw(t, r, TableOptions{Width: 120, All: true}); !strings.Contains(all,
		"zmy normalises: empty maps to nil, empty slices to nil, time zones to UTC") {
		t.Errorf("the table with all notes lacks what is common:\n%s", all)
	}
	var text, page bytes.Buffer
	if err := errors.Join(Markdown(&text, r), HTML(&page, r)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"- normalises: zmy: time zones to UTC, such as At: 2024-05-01T12:30:00+05:45 → 2024-05-01T06:45:00Z",
		"- normalises: msgp: nil slices to empty ones, such as Tags: nil → empty (in 25 values)"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("report.md lacks %q", want)
		}
	}
	for _, want := range []string{"normalises time zones to UTC: <code>At</code>",
		"<dt>normalises</dt><dd>empty slices to nil, time zones to UTC</dd>",
		"<code>Tags</code> nil → empty"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("index.html lacks %q", want)
		}
	}
}

// TestMarks: report.md explains the marks that its table has, and no others.
func TestMarks(t *testing.T) {
	r := &run.Run{Ranking: []run.Rank{{Codec: "a", Place: 1}}}
	if got := marksText(r); got != "" {
		t.Errorf("no marks: %q", got)
	}
	r.Ranking = append(r.Ranking, run.Rank{Codec: "b", Place: 1, Against: run.Inconclusive})
	r.Cells = []*run.Cell{{Op: stats.Encode, Mode: stats.Fresh, Against: run.Inconclusive}}
	if got := marksText(r); strings.Contains(got, "letter") || !strings.Contains(got, "? after a place") ||
		!strings.Contains(got, "? after a ratio") {
		t.Errorf("question marks: %q", got)
	}
	r.Ranking[0].Tie, r.Cells[0].Against = "a", run.Tied
	if got := marksText(r); !strings.Contains(got, "A letter after a place") || !strings.Contains(got, "= marks a tie") ||
		strings.Contains(got, "ratio") {
		t.Errorf("ties: %q", got)
	}
}

// TestFields: a type's own fields are counted first, those of nested structs besides.
func TestFields(t *testing.T) {
	for want, s := range map[string]run.Subject{
		"13 fields, 24 with nested ones, depth 2": {Top: 13, Fields: 24, Depth: 2},
		"6 fields, depth 1":                       {Top: 6, Fields: 6, Depth: 1},
		"8 fields, depth 2":                       {Fields: 8, Depth: 2},
	} {
		if got := subjectLine(&run.Run{Subject: s}); !strings.HasPrefix(got, want+" · ") {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
