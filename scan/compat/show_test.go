package compat

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// shownResult has one type of each status, with texts that do not fit or do not belong on a terminal.
func shownResult() *Result {
	long := strings.Repeat("a long text ", 30)
	return &Result{Schema: SchemaName, From: "encoding/json", To: "sonic", Seed: 1, Types: []*Type{
		{Name: "shop.Order", Status: Differs, Tried: 1234, Values: 200, Left: 1,
			Pins: []string{"jsontext.EscapeForHTML", "jsonv2.FormatNilSliceAsNull"},
			Differences: []Difference{
				{Op: OpMarshal, Class: "nil slice: null → []", Paths: []string{"a", "b", "c", "d", "e"}, Pins: []string{"jsonv2.FormatNilSliceAsNull"},
					Example: Example{Value: "Order{}", From: "null", To: "[]"}},
				{Op: OpUnmarshal, Class: "one", Paths: []string{"."}, Example: Example{Document: "{\"a\":\"\x1b[31m\x01\"}", From: long, To: ""}},
				{Op: OpUnmarshal, Class: "two", Paths: []string{"."}, Example: Example{Document: long, Into: "{}", From: "x", To: "y"}},
			}},
		{Name: "shop.Item", Status: Same, Tried: 10, Values: 5, Untested: []Untested{{"Shape", long}}},
		{Name: "shop.Clock", Status: NotTried, Failure: &Failure{Side: "sonic", What: "does not build", Reason: long}},
	}}
}

// TestText: no line is wider than the terminal, and no byte is a command to it.
func TestText(t *testing.T) {
	for _, width := range []int{80, 140} {
		var b bytes.Buffer
		if err := shownResult().Text(&b, View{Width: width}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			line = strings.TrimSuffix(line, "\n")
			if utf8.RuneCountInString(line) > width || strings.ContainsFunc(line, func(r rune) bool { return r < ' ' }) {
				t.Errorf("at %d columns: %q", width, line)
			}
		}
		for _, want := range []string{
			"shop.Order DIFFERS: 3 classes of differences on 200 values and 1,034 other calls",
			"nil slice: null → [] at a, b, c and 2 more", "keep  jsonv2.FormatNilSliceAsNull(true)", "no option restores it",
			"into  {}", "new   (left out)", "1 class of differences stays with", "shop.Item same on 5 values", "untested", "sonic does not build:",
			"3 types: 1 DIFFERS, 1 same, 1 untested; seed 1",
		} {
			if !strings.Contains(strings.Join(strings.Fields(b.String()), " "), strings.Join(strings.Fields(want), " ")) {
				t.Errorf("at %d columns nothing says %q:\n%s", width, want, b.String())
			}
		}
	}
}

// TestJSON: the result comes through JSON as it is.
func TestJSON(t *testing.T) {
	var a, b bytes.Buffer
	if err := shownResult().JSON(&a); err != nil {
		t.Fatal(err)
	}
	var r Result
	if err := json.Unmarshal(a.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	if err := r.JSON(&b); err != nil {
		t.Fatal(err)
	}
	if a.String() != b.String() {
		t.Errorf("%s\n\n%s", a.String(), b.String())
	}
	if r.Count(Differs) != 1 || !r.Unsure() {
		t.Errorf("%d differ, unsure %t", r.Count(Differs), r.Unsure())
	}
}
