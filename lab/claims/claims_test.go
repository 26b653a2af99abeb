package claims

import (
	"flag"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

var update = flag.Bool("update", false, "write the tables of docs/results/README.md and README.md anew")

const example = `
- id: a
  row: M2
  claim: one is twice as fast
  figures:
    - {what: encode, published: 2, unit: times, run: r, cell: one/encode/fresh, than: std-json/encode/fresh}
    - {what: rate, unit: MB/s, run: r, cell: one/encode/fresh}
    - {what: handed over, published: 10, unit: times, run: r, experiment: contention, table: Hand-off, line: by view, column: time, over: by value}
  verdict: VERDICT
  why: it was measured
`

const example2 = `{"schema":1,"clock":"wall","cells":[
 {"codec":"std-json","op":"encode","mode":"fresh","wall":{"median":300,"lo":290,"hi":310},"wire":100},
 {"codec":"one","op":"encode","mode":"fresh","wall":{"median":100,"lo":90,"hi":110},"wire":50,"ratio":{"point":3.1,"lo":2.9,"hi":3.3}}],
 "experiments":[{"name":"contention","tables":[{"title":"Hand-off","columns":[{"name":"how"},{"name":"time"}],
  "rows":[[{"text":"by view"},{"value":500}],[{"text":"by value"},{"value":1000}]]}]}]}`

func TestEval(t *testing.T) {
	dir := fstest.MapFS{"r/run.json": {Data: []byte(example2)}}
	for _, verdict := range []string{Confirmed, Refuted, Conditional} {
		all, err := Parse([]byte(strings.Replace(example, "VERDICT", verdict, 1)))
		if err != nil {
			t.Fatal(err)
		}
		got, err := Markdown(all, dir)
		if (err == nil) != (verdict == Conditional) { // 3.1 of 2 holds, 2 of 10 does not
			t.Errorf("%s: %v", verdict, err)
		}
		if err != nil {
			if !strings.Contains(err.Error(), "1 of 2 figures hold, which is conditional, not "+verdict) {
				t.Errorf("%s: %v", verdict, err)
			}
			continue
		}
		for _, want := range []string{"encode 3.1× [2.9×, 3.3×] ([r](r/report.md))", "rate 500 MB/s [455 MB/s, 556 MB/s]", "handed over 2×"} {
			if !strings.Contains(got, want) {
				t.Errorf("the table has no %q:\n%s", want, got)
			}
		}
	}
}

func TestBad(t *testing.T) {
	good := strings.Replace(example, "VERDICT", Conditional, 1)
	for _, c := range []struct{ old, new, want string }{
		{"verdict: conditional", "verdict: perhaps", `verdict "perhaps"`},
		{"verdict: conditional", "verdict: untestable", "figures are for claims that can be tested"},
		{"why: it was measured", "why: ''", "needs its why"},
		{"unit: MB/s", "unit: miles", `unit "miles"`},
		{", than: std-json/encode/fresh", "", "times of what"},
		{"cell: one/encode/fresh}", "cell: one/encode/fresh, experiment: gc}", "either a cell or an experiment"},
		{"row: M2", "rows: M2", "field rows not found"},
	} {
		if _, err := Parse([]byte(strings.Replace(good, c.old, c.new, 1))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: have %v, want %s", c.new, err, c.want)
		}
	}
	for _, c := range []struct{ old, new, want string }{
		{"cell: one/encode/fresh}", "cell: two/encode/fresh}", "no cell two/encode/fresh"},
		{"run: r, cell: one/encode/fresh}", "run: gone, cell: one/encode/fresh}", "gone/run.json"},
		{"experiment: contention", "experiment: gc", "no experiment gc"},
		{"table: Hand-off", "table: Hands", `no table "Hands"`},
		{"line: by view", "line: by gob", `no line "by gob"`},
		{"column: time", "column: bytes", `no column "bytes"`},
	} {
		all, err := Parse([]byte(strings.Replace(good, c.old, c.new, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := all[0].Eval(fstest.MapFS{"r/run.json": {Data: []byte(example2)}}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: have %v, want %s", c.new, err, c.want)
		}
	}
}

// TestHolds: four fifths of what was published, of times four fifths of the gain.
func TestHolds(t *testing.T) {
	for _, c := range []struct {
		unit              string
		published         float64
		value, lo         float64
		atMost, confirmed bool
	}{
		{unit: "times", published: 1.21, value: 1.02},
		{unit: "times", published: 1.21, value: 1.17, confirmed: true},
		{unit: "times", published: 5, value: 4.2, confirmed: true},
		{unit: "times", published: 5, value: 4.1},
		{unit: "times", published: 1, value: 1.2, lo: 0.9},
		{unit: "times", published: 1, value: 1.2, lo: 1.1, confirmed: true},
		{unit: "share", published: 0.9, value: 0.75, confirmed: true},
		{unit: "share", published: 0.25, value: 0.3, atMost: true, confirmed: true},
		{unit: "share", published: 0.25, value: 0.4, atMost: true},
		{unit: "allocs", published: 3, value: 3.1, atMost: true},
	} {
		m := Measured{Figure: &Figure{Unit: c.unit, Published: &c.published, AtMost: c.atMost}, Value: c.value, Lo: c.lo}
		if m.holds() != c.confirmed {
			t.Errorf("%+v: holds %t", c, !c.confirmed)
		}
	}
}

// The published claims all have a verdict that fits the committed runs, and the
// pages that show them say the same.
func TestPublished(t *testing.T) {
	const results = "../../docs/results"
	data, err := os.ReadFile(results + "/claims.yaml")
	if err != nil {
		t.Fatal(err)
	}
	all, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range []struct {
		name string
		draw func([]*Claim, fs.FS) (string, error)
	}{{results + "/README.md", Markdown}, {"../../README.md", Short}, {"../../README.zh-CN.md", Short}} {
		table, err := page.draw(all, os.DirFS(results))
		if err != nil {
			t.Fatal(err)
		}
		old, err := os.ReadFile(page.name)
		if err != nil {
			t.Fatal(err)
		}
		text, ok := between(string(old), table)
		if !ok {
			t.Errorf("%s has no place for the claims between %q and %q", page.name, begin, end)
			continue
		}
		if text == string(old) {
			continue
		}
		if !*update {
			t.Errorf("%s does not show the claims as they stand: run go test ./lab/claims -update", page.name)
			continue
		}
		if err := os.WriteFile(page.name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

const begin, end = "<!-- claims -->\n", "<!-- /claims -->"

// between puts the table between the marks.
func between(text, table string) (string, bool) {
	head, rest, ok := strings.Cut(text, begin)
	_, tail, ok2 := strings.Cut(rest, end)
	return head + begin + table + end + tail, ok && ok2
}
