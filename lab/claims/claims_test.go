package claims

import (
	"flag"
	"math"
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

var update = flag.Bool("update", false, "write the table of docs/results/README.md anew")

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
			if !strings.Contains(err.Error(), "of 2 figures 1 hold and 1 fail, which is conditional, not "+verdict) {
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

// TestQuantities: what a figure can compare besides times, and how far a quotient's interval reaches.
func TestQuantities(t *testing.T) {
	const data = `{"schema":1,"clock":"wall","cells":[
 {"codec":"std-json","op":"encode","mode":"fresh","wall":{"median":300},"wire":100,"allocs":4,"bytes":200},
 {"codec":"one","op":"encode","mode":"fresh","wall":{"median":100},"wire":50,"allocs":1,"ratio":{"point":3.2,"lo":2.5,"hi":4}}],
 "experiments":[{"name":"x","tables":[{"title":"T","columns":[{"name":"codec"},{"name":"model"},{"name":"small"},{"name":"large"}],"rows":[
  [{"text":"one"},{"text":"linear"},{"value":10,"lo":8,"hi":12.5},{"value":20,"lo":15,"hi":25}],
  [{"text":"two"},{"text":"linear"},{"value":5},{"value":40,"lo":20,"hi":50}],
  [{"text":"five"},{"text":"a"},{"value":6,"lo":-6,"hi":16},{"value":24,"lo":20,"hi":33}],
  [{"text":"six"},{"text":"a"},{"value":-2,"lo":-6,"hi":4},{"value":8,"lo":-16,"hi":28}],
  [{"value":1000},{"text":"four"},{"value":7}],[{"value":10000},{"text":"four"},{"value":8}],
  [{"text":"three"},{"text":"a"},{"value":1}],[{"text":"three"},{"text":"b"},{"value":1}]]}]}]}`
	from := &runs{dir: fstest.MapFS{"r/run.json": {Data: []byte(data)}}}
	cell := Figure{Cell: "one/encode/fresh", Than: "std-json/encode/fresh"}
	table := Figure{Experiment: "x", Table: "T", Line: "one", Column: "small"}
	for _, c := range []struct {
		name   string
		figure Figure
		change func(*Figure)
		want   [3]float64
	}{
		{"time", cell, func(f *Figure) { f.Unit = "times" }, [3]float64{3.2, 2.5, 4}},
		{"share of the time", cell, func(f *Figure) { f.Unit = "share" }, [3]float64{1 / 3.2, 0.25, 0.4}},
		{"size", cell, func(f *Figure) { f.Unit, f.Of, f.Than = "bytes", "wire", "" }, [3]float64{50}},
		{"share of the size", cell, func(f *Figure) { f.Unit, f.Of = "share", "wire" }, [3]float64{0.5}},
		{"share of the allocations", cell, func(f *Figure) { f.Unit, f.Of = "share", "allocs" }, [3]float64{0.25}},
		{"share of the memory", cell, func(f *Figure) { f.Unit, f.Of = "share", "bytes" }, [3]float64{}},
		{"another column", table, func(f *Figure) { f.OverColumn = "large" }, [3]float64{2, 1.2, 3.125}},
		{"another line", table, func(f *Figure) { f.Over = "two" }, [3]float64{0.5, 0.4, 0.625}},
		{"both", table, func(f *Figure) { f.Over, f.OverColumn = "two", "large" }, [3]float64{4, 1.6, 6.25}},
		{"by what may be 0", table, func(f *Figure) { f.Line, f.OverColumn = "five", "large" }, [3]float64{4, 1.25, math.Inf(1)}},
		{"by what is below 0", table, func(f *Figure) { f.Line, f.OverColumn = "six", "large" },
			[3]float64{math.Inf(1), math.Inf(-1), math.Inf(1)}},
		{"a line with a number first", table, func(f *Figure) { f.Line, f.Unit = "10000 four", "ns" }, [3]float64{8}},
		{"by a number alone", table, func(f *Figure) { f.Line, f.OverColumn = "two linear", "large" }, [3]float64{8, 4, 10}},
	} {
		f := c.figure
		f.What, f.Run, f.Unit = c.name, "r", "times"
		c.change(&f)
		if err := f.check(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		m, err := f.eval(from)
		if got := [3]float64{m.Value, m.Lo, m.Hi}; err != nil || got != c.want {
			t.Errorf("%s: %v, %v, want %v", c.name, got, err, c.want)
		}
	}
	if got, want := spell(math.Inf(1), "times")+spell(math.Inf(-1), "share"), "∞−∞"; got != want {
		t.Errorf("infinite bounds: %s, want %s", got, want)
	}
	for _, c := range []struct {
		figure Figure
		change func(*Figure)
		want   string
	}{
		{table, func(f *Figure) { f.Line = "three" }, `2 lines start with "three"`},
		{table, func(f *Figure) { f.Line = "thr" }, `no line "thr"`},
		{cell, func(f *Figure) { f.Cell, f.Than, f.Of = f.Than, f.Cell, "bytes" }, "has no bytes to divide by"},
	} {
		f := c.figure
		f.What, f.Run, f.Unit = "bad", "r", "share"
		c.change(&f)
		if _, err := f.eval(from); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("have %v, want %s", err, c.want)
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
		{"cell: one/encode/fresh}", "cell: one/encode/fresh, of: colour}", `of "colour"`},
		{"cell: one/encode/fresh}", "cell: one/encode/fresh, over_column: time}", "over_column with an experiment's table"},
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

// TestJudge: four fifths of what was published, of times four fifths of the gain. An interval that
// holds the threshold decides nothing, wherever its middle lies.
func TestJudge(t *testing.T) {
	for _, c := range []struct {
		unit          string
		published     float64
		value, lo, hi float64
		atMost, doubt bool
		want          State
	}{
		{unit: "times", published: 1.21, value: 1.02, want: Fails},
		{unit: "times", published: 1.21, value: 1.17, want: Holds},
		{unit: "times", published: 5, value: 4.2, want: Holds},
		{unit: "times", published: 5, value: 4.1, want: Fails},
		{unit: "times", published: 5, value: 4.3, lo: 4, hi: 4.6, want: Unknown},
		{unit: "times", published: 5, value: 4, lo: 3.8, hi: 4.1, want: Fails},
		{unit: "times", published: 1, value: 1.2, lo: 0.9, hi: 1.5, want: Unknown},
		{unit: "times", published: 1, value: 0.73, lo: 0.04, hi: 3.1, want: Unknown},
		{unit: "times", published: 1, value: 0.7, lo: 0.6, hi: 0.8, want: Fails},
		{unit: "times", published: 1, value: 1.2, lo: 1.1, hi: 1.3, want: Holds},
		{unit: "times", published: 1, value: 1.2, lo: 1.1, hi: 1.3, doubt: true, want: Unknown},
		{unit: "share", published: 0.9, value: 0.75, want: Holds},
		{unit: "share", published: 0.25, value: 0.3, atMost: true, want: Holds},
		{unit: "share", published: 0.25, value: 0.4, atMost: true, want: Fails},
		{unit: "share", published: 0.25, value: 0.4, lo: 0.2, hi: 0.6, atMost: true, want: Unknown},
		{unit: "allocs", published: 3, value: 3.1, atMost: true, want: Fails},
	} {
		m := Measured{Figure: &Figure{Unit: c.unit, Published: &c.published, AtMost: c.atMost}, Value: c.value, Lo: c.lo, Hi: c.hi,
			Doubt: c.doubt}
		if got := m.judge(); got != c.want {
			t.Errorf("%+v: have %d", c, got)
		}
	}
	if got := (&Measured{Figure: &Figure{Unit: "ns"}, Value: 1, Doubt: true}).judge(); got != Unjudged {
		t.Errorf("nothing was published: %d", got)
	}
}

// TestVerdict: what cannot be told does not refute, and the table shows why it cannot.
func TestVerdict(t *testing.T) {
	const claim = `
- id: a
  row: M6
  claim: depth costs
  figures:
    - {what: deep, published: 1, unit: times, run: r, experiment: x, table: T, line: deep, column: times}
    - {what: broad, published: 1, unit: times, run: r, experiment: x, table: T, line: broad, column: times}
  verdict: VERDICT
  why: it was measured
`
	const table = `{"schema":1,"experiments":[{"name":"x","tables":[{"title":"T","columns":[{"name":"what"},{"name":"times"}],"rows":[
  [{"text":"deep"},DEEP],[{"text":"broad"},BROAD]]ROUNDS}]}]}`
	for _, c := range []struct{ name, deep, broad, rounds, verdict, shown string }{
		{"apart", `{"value":0.5,"lo":0.4,"hi":0.6}`, `{"value":0.8,"lo":0.7,"hi":0.9}`, "", Refuted,
			"deep 0.5× [0.4×, 0.6×]; broad 0.8× [0.7×, 0.9×] |"},
		{"straddling", `{"value":0.7,"lo":0.04,"hi":3.1}`, `{"value":1.3,"lo":0.5,"hi":3.9}`, "", Undecided,
			"deep 0.7×? [0.04×, 3.1×]; broad 1.3×? [0.5×, 3.9×] |"},
		{"one straddling", `{"value":0.7,"lo":0.6,"hi":0.8}`, `{"value":1.3,"lo":0.5,"hi":3.9}`, "", Undecided,
			"deep 0.7× [0.6×, 0.8×]; broad 1.3×? [0.5×, 3.9×] |"},
		{"one holds", `{"value":2,"lo":1.5,"hi":3}`, `{"value":1.3,"lo":0.5,"hi":3.9}`, "", Conditional,
			"deep 2× [1.5×, 3×]; broad 1.3×? [0.5×, 3.9×] |"},
		{"in doubt", `{"value":0.5,"mark":"doubt"}`, `{"value":2,"mark":"doubt"}`, "", Undecided, "deep 0.5×?; broad 2×? |"},
		{"two rounds", `{"value":1.1,"lo":0.9,"hi":1.3}`, `{"value":1.2,"lo":0.9,"hi":1.5}`, `,"rounds":2`, Undecided,
			"deep 1.1×?; broad 1.2×? |"},
		{"two rounds that agree", `{"value":1.2,"lo":1.1,"hi":1.3}`, `{"value":2,"lo":1.5,"hi":2.5}`, `,"rounds":2`, Confirmed,
			"deep 1.2×; broad 2× |"},
		{"five rounds", `{"value":1.1,"lo":0.9,"hi":1.3}`, `{"value":1.2,"lo":0.9,"hi":1.5}`, `,"rounds":5`, Undecided,
			"deep 1.1×? [0.9×, 1.3×]; broad 1.2×? [0.9×, 1.5×] |"},
	} {
		dir := fstest.MapFS{"r/run.json": {Data: []byte(strings.NewReplacer("DEEP", c.deep, "BROAD", c.broad, "ROUNDS",
			c.rounds).Replace(table))}}
		for _, verdict := range []string{Confirmed, Refuted, Conditional, Undecided} {
			all, err := Parse([]byte(strings.Replace(claim, "VERDICT", verdict, 1)))
			if err != nil {
				t.Fatal(err)
			}
			got, err := Markdown(all, dir)
			got = strings.ReplaceAll(got, " ([r](r/report.md))", "")
			allowed := verdict == c.verdict || c.verdict == Confirmed && verdict == Conditional // its Why can tell a condition
			if (err == nil) != allowed || err == nil && !strings.Contains(got, c.shown) {
				t.Errorf("%s, %s: %v\n%s", c.name, verdict, err, got)
			}
		}
	}
}

// The published claims all have a verdict that fits the committed runs, and the page that shows
// them says the same.
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
	table, err := Markdown(all, os.DirFS(results))
	if err != nil {
		t.Fatal(err)
	}
	const page = results + "/README.md"
	old, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text, ok := between(string(old), table)
	switch {
	case !ok:
		t.Errorf("%s has no place for the claims between %q and %q", page, begin, end)
	case text == string(old):
	case !*update:
		t.Errorf("%s does not show the claims as they stand: run go test ./lab/claims -update", page)
	default:
		if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
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
