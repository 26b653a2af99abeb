package report

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/run/runtest"
	"github.com/zmylab/zmy/lab/stats"
)

func draw(t *testing.T, r *run.Run, o TableOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := Table(&b, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTableFitsItsWidth(t *testing.T) {
	r := filled(runtest.Options{})
	for _, w := range []int{72, 80, 100, 120, 160, 300} {
		s := draw(t, r, TableOptions{Width: w, Dir: "./zmylab"})
		for _, line := range strings.Split(s, "\n") {
			if n := utf8.RuneCountInString(line); n > w {
				t.Errorf("width %d: a line of %d: %q", w, n, line)
			}
		}
		for _, c := range r.Contenders {
			if !strings.Contains(s, c.Name) {
				t.Errorf("width %d: %s is missing", w, c.Name)
			}
		}
	}
}

// TestReasonsAreSaidOnce looks that codecs which are left out for one reason share its line.
func TestReasonsAreSaidOnce(t *testing.T) {
	r := filled(runtest.Options{})
	var first *run.Contender
	for _, c := range r.Contenders {
		switch {
		case c.Name == "easyjson":
			first = c
		case c.Name == "fory":
			c.Status, c.Why = first.Status, first.Why
		}
	}
	s := draw(t, r, TableOptions{Width: 200})
	if !strings.Contains(s, "✗ easyjson, fory skipped: Order.Metadata") || strings.Count(s, "skipped: Order.Metadata") != 1 {
		t.Errorf("the reason stands in\n%s", s)
	}
}

func TestTableSays(t *testing.T) {
	s := draw(t, filled(runtest.Options{Partial: true}), TableOptions{Width: 200, Dir: "./zmylab"})
	for _, want := range []string{
		"zmy lab · order.Order · 14 fields, depth 3 · 256 values, median 1.9 KiB JSON · seed 42",
		"noise floor ±", "⚠ shared", "counters n/a", "5 launches × 20 rounds",
		"6 lossless · 2 normalised · 7 LOSSY (fxjson", "3 not measured (easyjson, flatbuffers, fory)",
		"PARTIAL: stopped by Ctrl-C", "a, b … = statistically tied", "4a  fxjson", "4a  goccy",
		"nothing: not ranked: contract broken: ID",
		"✗ easyjson skipped: Order.Metadata has type any (order.go:31): it would fall back to encoding/json → -allow-fallback",
		"▶ So far, from a partial run: Both ends Go: zmy", "//go:generate zmy gen -derive -type=Order", "report ./zmylab/index.html",
		"again: zmy lab -type Order -budget 60s -seed 42 ./order",
		"derived from declaration order",
	} {
		if !strings.Contains(s, want) {
			t.Errorf("table lacks %q", want)
		}
	}
	if t.Failed() {
		t.Log("\n" + s)
	}
}

var ansi = regexp.MustCompile("\x1b\\[[0-9;]*m")

func TestTableColour(t *testing.T) {
	r := filled(runtest.Options{Launches: 3, Rounds: 5})
	plainText := draw(t, r, TableOptions{Width: 120})
	if strings.Contains(plainText, "\x1b") {
		t.Error("escape codes without Color")
	}
	coloured := draw(t, r, TableOptions{Width: 120, Color: true})
	if !strings.Contains(coloured, "\x1b[36m") || !strings.Contains(coloured, "\x1b[90m") {
		t.Error("no colours with Color")
	}
	if ansi.ReplaceAllString(coloured, "") != plainText {
		t.Error("colours change the text")
	}
	for _, line := range strings.Split(coloured, "\n") {
		if strings.Count(line, "\x1b[0m")*2 != strings.Count(line, "\x1b[") {
			t.Errorf("colours leak out of the line %q", line)
		}
	}
}

func TestTerminalOfAFileHasNoColour(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	t.Setenv("COLUMNS", "93")
	if o := Terminal(f); o.Color || o.Width != 93 {
		t.Errorf("a plain file: %+v", o)
	}
}

// What a run holds from elsewhere cannot steer a terminal.
func TestTextFormsOfHostileRun(t *testing.T) {
	r := hostile()
	var md, bench, csv bytes.Buffer
	for _, err := range []error{Markdown(&md, r), Bench(&bench, r), CSV(&csv, r)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, s := range map[string]string{"table": draw(t, r, TableOptions{}), "markdown": md.String(), "bench": bench.String()} {
		for _, c := range s {
			if c != '\n' && (unicode.IsControl(c) || c == '\u202e') {
				t.Errorf("%s holds the control character %q", name, c)
				break
			}
		}
	}
	prose := regexp.MustCompile("`[^`]*`").ReplaceAllString(md.String(), "") // code spans are literal
	if strings.Contains(prose, "<script") || strings.Contains(prose, "<img") {
		t.Error("markdown holds markup from the run")
	}
}

func TestTableOfAlmostNothing(t *testing.T) {
	r := &run.Run{}
	stats.Fill(r)
	if s := draw(t, r, TableOptions{}); !strings.Contains(s, "nothing was measured") || !strings.Contains(s, "No contender is ranked") {
		t.Error(s)
	}
}

func TestBar(t *testing.T) {
	for _, c := range []struct {
		v, full float64
		width   int
		want    string
	}{
		{0, 10, 8, ""}, {5, 0, 8, ""}, {5, 10, 0, ""},
		{0.001, 10, 9, "▏"}, {10, 10, 9, "████████"}, {5, 10, 9, "████"}, {5.16, 10, 9, "████▏"},
		{11.1, 10, 9, "████████▉"}, {11.25, 10, 9, "█████████"}, {12, 10, 9, "████████…"},
	} {
		if got := Bar(c.v, c.full, c.width); got != c.want {
			t.Errorf("Bar(%v of %v, %d) = %q, want %q", c.v, c.full, c.width, got, c.want)
		}
		for v := 0.0; v < 30; v += 0.37 {
			if n := utf8.RuneCountInString(Bar(v, 10, 7)); n > 7 {
				t.Fatalf("a bar of %d cells in 7", n)
			}
		}
	}
}

func TestUnits(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{unitFor(177, 41200).Name, "ns"}, {unitFor(17_700, 41_200).Name, "µs"}, {unitFor(1e8, 2e7).Name, "ms"}, {unitFor().Name, "ns"},
		{unitFor(0, -1).Name, "ns"},
		{duration(24), "24.0 ns"}, {duration(1130), "1.13 µs"}, {duration(2.5e6), "2.50 ms"}, {duration(0), "–"}, {duration(3e9), "3.00 s"},
		{size(96), "96 B"}, {size(1930), "1.9 KiB"}, {size(416 * 1024), "416 KiB"}, {size(24 << 30), "24.0 GiB"}, {size(0), "–"},
		{digits(2.034), "2.03"}, {digits(17.34), "17.3"}, {digits(9866), "9866"}, {digits(41234), "41,234"}, {digits(1234567), "1,234,567"},
		{group("-12345"), "-12,345"}, {group("1234"), "1234"},
		{times(14.23), "14.2"}, {times(0.834), "0.83"}, {times(1250), "1250"}, {times(0), "–"},
		{percent(0.019), "1.9%"}, {percent(0.39), "39%"},
		{count(51), "51"}, {count(0.5), "1"}, {count(0.2), "<1"}, {count(40.2), "40"}, {count(0), "0"}, {count(12345), "12,345"},
		{clean("a\nb\x1b[31m\u202e\u0000"), "a b·[31m··"},
		{stats.Quote("it's"), `'it'\''s'`}, {stats.Quote("-type=Order"), "-type=Order"}, {stats.Quote(""), "''"},
		{stats.Quote("Page[Order]"), "'Page[Order]'"},
		{plural(1, "core"), "1 core"}, {plural(256, "value"), "256 values"},
		{strings.Join(wrap("  aaa bbb ccc ddd eee fff", 16), "|"), "  aaa bbb ccc|    ddd eee fff"},
		{strings.Join(wrap("xxxxxxxxxxxxxxxxxxxxxxxxx", 16), "|"), "xxxxxxxxxxxxxxxx|  xxxxxxxxx"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

// TestLossesInShort: who loses the same shares a line, types stand for values.
func TestLossesInShort(t *testing.T) {
	long := strings.Repeat("x", 200)
	diffs := []run.Diff{
		{Path: `Meta["n"]`, Before: "int 35", After: "float64 35", Kind: "lossy"},
		{Path: `Meta["m"]`, Before: "int 2", After: "float64 2", Kind: "lossy"},
		{Path: "Name", Before: `"` + long + `"`, After: `""`, Kind: "lossy"},
		{Path: "At", Before: "nil", After: "empty", Kind: "normalised"},
	}
	r := &run.Run{Ranking: []run.Rank{{Codec: "a"}, {Codec: "b"}, {Codec: "c"}}}
	for _, name := range []string{"a", "b", "c"} {
		r.Contenders = append(r.Contenders, &run.Contender{Name: name, Value: run.Grade{Grade: run.Lossy, Diffs: diffs}})
	}
	r.Contenders[2].Value = run.Grade{Grade: run.Lossless}
	want := `a, b: int → float64 (Meta) · "` + long[:22] + `… → "" (Name)`
	if got := losses(r, 200); len(got) != 1 || got[0] != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestPathsKeepTheirEnd: a long path is cut at its beginning, between fields, and a line of losses
// has one ellipsis for it.
func TestPathsKeepTheirEnd(t *testing.T) {
	long := "Spec.Volumes.VolumeSource.Ephemeral.VolumeClaimTemplate.Spec.Resources.Limits"
	for _, c := range []struct {
		path string
		n    int
		want string
	}{
		{"Spec.Name", 40, "Spec.Name"},
		{long, 40, "…Spec.Resources.Limits"},
		{long, 22, "…Spec.Resources.Limits"},
		{long, 23, "…Spec.Resources.Limits"},
		{strings.Repeat("x", 50), 10, "…" + strings.Repeat("x", 9)},
	} {
		if got := cutPath(c.path, c.n); got != c.want {
			t.Errorf("%d: %q, want %q", c.n, got, c.want)
		}
	}
	r := filled(runtest.Options{Launches: 2, Rounds: 3})
	for _, c := range r.Contenders {
		c.Value = run.Grade{Grade: run.Lossy}
		for _, end := range []string{"A", "B", "C", "D", "E", "F", "G", "H", "I", "J"} {
			c.Value.Diffs = append(c.Value.Diffs, run.Diff{Path: long + "." + end,
				Before: "resource." + end + " 1", After: "string 1", Kind: "lossy"})
		}
	}
	s := draw(t, r, TableOptions{Width: 100})
	i := strings.Index(s, "  loses  ")
	text := strings.Join(strings.Fields(s[i:strings.Index(s, "  next ")]), " ")
	if !strings.Contains(text, "(…Spec.Resources.Limits.A)") || strings.Contains(text, "……") || !strings.Contains(text, "more changes") {
		t.Errorf("%s", text)
	}
}

// TestSizeAgreesWithVerdict: where mean and median point different ways, table and
// verdict speak of the same one.
func TestSizeAgreesWithVerdict(t *testing.T) {
	r := runtest.Order(runtest.Options{Launches: 2, Rounds: 3})
	for _, c := range r.Contenders {
		if c.Name == "zmy" {
			c.Sizes.Raw, c.Sizes.Mean = 5555, 965
		}
	}
	for _, c := range r.Cells {
		if c.Codec == "zmy" {
			c.Wire = 965
		}
	}
	stats.Fill(r)
	if !strings.Contains(r.Verdict.Sentence, "zmy") || !strings.Contains(r.Verdict.Sentence, "50% smaller on average") {
		t.Errorf("verdict %s", r.Verdict.Sentence)
	}
	var table, text strings.Builder
	if err := errors.Join(Table(&table, r, TableOptions{}), Markdown(&text, r)); err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{table.String(), text.String()} {
		if !strings.Contains(s, "965 B") || strings.Contains(s, "5.6 KiB") || !strings.Contains(s, "sizes are means") {
			t.Errorf("the sizes are not the verdict's:\n%s", s)
		}
	}
}

// TestCode: each form says what a codec adds to a program, where the workers' sizes are known.
func TestCode(t *testing.T) {
	r := filled(runtest.Options{})
	for _, c := range r.Contenders {
		switch c.Name {
		case run.Baseline:
			c.Loaded = 2_000_000
		case "zmy":
			c.Loaded = 2_000_000 + 12<<10
		case "goccy":
			c.Loaded = 2_000_000 - 300
		case "fxjson":
			c.Loaded = 0
		}
	}
	forms := func() []string {
		var md, page bytes.Buffer
		if err := errors.Join(Markdown(&md, r), HTML(&page, r)); err != nil {
			t.Fatal(err)
		}
		return []string{draw(t, r, TableOptions{Width: 160}), md.String(), page.String()}
	}
	for i, s := range forms() {
		for _, want := range []string{"code", "+12.0 KiB", "-300 B"} {
			if !strings.Contains(s, want) && !strings.Contains(s, strings.ReplaceAll(want, "+", "&#43;")) {
				t.Errorf("form %d lacks %q:\n%.3000s", i, want, s)
			}
		}
	}
	column := regexp.MustCompile(`allocs +code\b|\| code \||>code</th>`)
	for i, s := range forms() {
		if !column.MatchString(s) {
			t.Errorf("form %d has no column", i)
		}
	}
	if s := draw(t, r, TableOptions{Width: 100}); column.MatchString(s) {
		t.Errorf("no room is left for the code:\n%s", s)
	}
	for _, c := range r.Contenders {
		c.Loaded = 0
	}
	for i, s := range forms() {
		if column.MatchString(s) {
			t.Errorf("form %d has a column of nothing:\n%.3000s", i, s)
		}
	}
}
