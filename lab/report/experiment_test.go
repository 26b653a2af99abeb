package report

import (
	"bytes"
	"encoding/csv"
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/run/runtest"
)

// explored is a run with experiments.
func explored() *run.Run {
	r := filled(runtest.Options{})
	r.Experiments = runtest.Experiments()
	return r
}

// spoilt are experiments whose every string tries to break out, and whose numbers are
// such as nobody expects.
func spoilt() []*run.Experiment {
	es := runtest.Experiments()
	odd := []float64{math.Inf(1), 0, -1, 1e300}
	for _, e := range es {
		e.Name, e.Title, e.Question, e.Depth = evil, evil, evil, evil
		e.Findings, e.Warnings, e.Absent, e.Command = []string{evil}, []string{evil}, []string{evil}, []string{evil}
		for i := range e.Tables {
			t := &e.Tables[i]
			t.Title, t.Note, t.Columns[0] = evil, evil, run.Column{Name: evil, Unit: evil, Help: evil}
			t.Rows = append(t.Rows, []run.Item{{Text: evil, Mark: evil}}, nil,
				[]run.Item{{Value: &odd[0]}, {Value: &odd[1]}, {Value: &odd[2]}, {Value: &odd[3]}, {}, {}, {}, {}, {}, {}})
		}
		for i := range e.Charts {
			c := &e.Charts[i]
			c.Title, c.Note, c.X.Name, c.Y.Name = evil, evil, evil, evil
			for k := range c.Categories {
				c.Categories[k] = evil
			}
			for k := range c.Series {
				s := &c.Series[k]
				s.Name, s.Y = evil, append(s.Y, odd...)
				for range odd {
					s.X = append(s.X, 0)
				}
			}
			c.Marks = append(c.Marks, run.Mark{X: -1, Text: evil})
			if c.Flame != nil {
				c.Flame.Name = evil
			}
		}
		e.Charts = append(e.Charts, run.Chart{Kind: evil}, run.Chart{Kind: run.ChartLines}, run.Chart{Kind: run.ChartBars},
			run.Chart{Kind: run.ChartHeatmap}, run.Chart{Kind: run.ChartFlame, Flame: &run.Frame{}})
	}
	return es
}

// ruined is a hostile run with spoilt experiments.
func ruined() *run.Run {
	r := hostile()
	r.Experiments = spoilt()
	return r
}

func drawExperiment(t *testing.T, e *run.Experiment, o TableOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := Experiment(&b, e, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestExperimentSays(t *testing.T) {
	all := ""
	for _, e := range runtest.Experiments() {
		all += drawExperiment(t, e, TableOptions{Width: 120, Dir: "./zmylab"})
	}
	for _, want := range []string{
		"zmy lab latency · Latency under load", "▶ Up to 60,000 calls", "⚠ 2 of 32 points", "n/a cache misses: no hardware counters",
		"Closed loop, 1000 goroutines", "P50 ns", "900 ±27", "3600 ±108", "14.1× ±0.85", "throughput MiB/s",
		"A percentile is printed only", "! stands out · ? not certain",
		"P99 over offered load", "▁", "PARTIAL", "value of 1 MiB", "16 goroutines", "-22%", "2600?",
		"runtime.mallocgc", "with its calls", "change", "again: zmy lab latency ./order -type Order", "report ./zmylab/index.html",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("lacks %q", want)
		}
	}
	if t.Failed() {
		t.Log("\n" + all)
	}
}

// TestExperimentFits: every form holds its width, with any text and any number.
func TestExperimentFits(t *testing.T) {
	for _, e := range append(runtest.Experiments(), spoilt()...) {
		for _, w := range []int{72, 80, 120, 200} {
			s := drawExperiment(t, e, TableOptions{Width: w})
			for _, line := range strings.Split(s, "\n") {
				if n := utf8.RuneCountInString(line); n > w {
					t.Errorf("width %d: a line of %d: %q", w, n, line)
				}
				for _, c := range line {
					if unicode.IsControl(c) || c == '\u202e' {
						t.Fatalf("the control character %q", c)
					}
				}
			}
		}
		coloured := drawExperiment(t, e, TableOptions{Width: 120, Color: true})
		if ansi.ReplaceAllString(coloured, "") != drawExperiment(t, e, TableOptions{Width: 120}) {
			t.Errorf("%s: colours change the text", e.Name)
		}
	}
}

func TestExperimentMarkdown(t *testing.T) {
	for _, e := range append(runtest.Experiments(), spoilt()...) {
		var b bytes.Buffer
		if err := ExperimentMarkdown(&b, e); err != nil {
			t.Fatal(err)
		}
		width := 0
		for _, l := range strings.Split(b.String(), "\n") {
			n := strings.Count(strings.ReplaceAll(l, `\|`, ""), "|")
			switch {
			case !strings.HasPrefix(l, "|"):
				width = 0
				if strings.Contains(strings.Split(l, "`")[0], "<script") {
					t.Errorf("markup: %s", l)
				}
			case width == 0:
				width = n
			case n != width:
				t.Errorf("a line of %d cells in a table of %d: %s", n-1, width-1, l)
			}
		}
	}
}

// TestExperimentsCSV: what is written reads back as the very numbers.
func TestExperimentsCSV(t *testing.T) {
	var b bytes.Buffer
	if err := ExperimentsCSV(&b, runtest.Experiments()); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	find := func(parts ...string) []string {
	next:
		for _, l := range lines {
			for i, p := range parts {
				if p != "" && l[i] != p {
					continue next
				}
			}
			return l
		}
		t.Errorf("no line %q", parts)
		return make([]string, 11)
	}
	if l := find("latency", "table", "", "zmy", "P50"); l[5] != "ns" || l[7] != "900" || l[8] != "873" {
		t.Errorf("%q", l)
	}
	if l := find("latency", "lines", "P99 over offered load", "100", "zmy"); l[10] != "true" {
		t.Errorf("a point that is not valid: %q", l)
	}
	if l := find("contention", "bars", "", "pointer", "16 goroutines"); l[7] != "310" {
		t.Errorf("%q", l)
	}
	v, err := strconv.ParseFloat(find("profile", "flame", "CPU: zmy", "main.loop;github.com/zmylab/zmy/lab/worker.decode")[7], 64)
	if want := runtest.Experiments()[3].Charts[0].Flame.Calls[0].Value; err != nil || v != want {
		t.Errorf("%v (%v), want %v", v, err, want)
	}
}

func TestExperimentHTML(t *testing.T) {
	for _, e := range append(runtest.Experiments(), spoilt()...) {
		var b bytes.Buffer
		if err := ExperimentHTML(&b, e); err != nil {
			t.Fatal(err)
		}
		if s := b.String(); strings.Contains(s, "<script>window") || strings.Contains(s, "<img") || strings.Contains(s, "ZgotmplZ") ||
			!strings.Contains(s, "</html>") || strings.Contains(s, "NaN") {
			t.Errorf("%s: markup from its text, a value that was refused, or NaN", e.Name)
		}
	}
	page := render(t, explored())
	t.Logf("%d bytes with experiments", len(page))
	for _, want := range []string{`id="x-latency"`, `class="band"`, `class="void"`, "capacity of std-json", `class="heat"`,
		`<ul class="frames">`, "goccy/go-json.goccy.Unmarshal", `href="#x-profile"`, "hardware counters", "zmy lab sweep ./order"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// TestExperimentsAlone: a folder without the table of codecs does not claim that nobody
// could be ranked.
func TestExperimentsAlone(t *testing.T) {
	r := explored()
	r.Cells, r.Ranking, r.Noise, r.Verdict, r.Warnings = nil, nil, run.Noise{}, run.Verdict{Sentence: "No contender is ranked"}, nil
	var b bytes.Buffer
	if err := Markdown(&b, r); err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]string{"page": render(t, r), "markdown": b.String()} {
		if strings.Contains(s, "No contender is ranked") || strings.Contains(s, "noise floor") || strings.Contains(s, "0 launches") ||
			!strings.Contains(s, "Latency under load") {
			t.Errorf("%s of experiments alone:\n%.600s", name, s)
		}
	}
}

// TestExperimentHosts: each experiment says where it took place, and nothing stands above them that holds for none:
// neither the machine's load at an earlier run into the same folder, nor values where there are none.
func TestExperimentHosts(t *testing.T) {
	r := explored()
	r.Cells, r.Ranking, r.Noise, r.Subject = nil, nil, run.Noise{}, run.Subject{}
	r.Experiments = r.Experiments[:2]
	r.Host.Load1 = 17.4
	for i, e := range r.Experiments {
		e.Host = run.Host{Cores: 2, Go: "go1.26.8", Load1: []float64{0.7, 0.8}[i]}
	}
	var b bytes.Buffer
	if err := Markdown(&b, r); err != nil {
		t.Fatal(err)
	}
	first, second, _ := strings.Cut(b.String(), "## "+r.Experiments[1].Title)
	if !strings.Contains(first, "host 2 cores · go1.26.8 · load 0.7\n") || !strings.Contains(second, "host 2 cores · go1.26.8 · load 0.8\n") {
		t.Errorf("an experiment without its host:\n%.900s", b.String())
	}
	for name, s := range map[string]string{"page": render(t, r), "markdown": b.String()} {
		for _, bad := range []string{"17.4", "0 values", "median –", "what follows"} {
			if strings.Contains(s, bad) {
				t.Errorf("%s holds %q", name, bad)
			}
		}
	}
	for _, of := range []*run.Run{explored(), filled(runtest.Options{})} { // with the table of codecs both lines stay
		if got := headLines(of); len(got) != 2 || !strings.Contains(got[0], "values") || !strings.Contains(got[1], "noise floor") {
			t.Errorf("%q", got)
		}
	}
}

func TestFrameName(t *testing.T) {
	for name, want := range map[string]string{
		"encoding/json.Marshal": "encoding/json.Marshal", "runtime.mallocgc": "runtime.mallocgc", "main": "main",
		"github.com/goccy/go-json/internal/decoder.(*mapDecoder).Decode": "internal/decoder.(*mapDecoder).Decode",
		"github.com/x/y.F[github.com/z/q.T]":                             "x/y.F[github.com/z/q.T]",
		"a/b.F[go.shape.struct { github.com/z/q.T; B int }].func1":       "a/b.F[…].func1",
	} {
		if got := frameName(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestPageStaysSmall: with twenty-five contenders at standard depth, every experiment and
// fifty wide flame graphs.
func TestPageStaysSmall(t *testing.T) {
	r := filled(runtest.Options{})
	for range 2 {
		r.Cells = append(r.Cells, r.Cells...)
	}
	r.Experiments = runtest.Experiments()
	profile := r.Experiments[3]
	for range 16 {
		profile.Charts = append(profile.Charts, profile.Charts[:3]...)
	}
	if n := len(render(t, r)); n > 3<<20 {
		t.Errorf("%d bytes, want at most 3 MiB", n)
	} else {
		t.Logf("%d bytes", n)
	}
}

func TestMarkdownWithExperiments(t *testing.T) {
	var b bytes.Buffer
	if err := Markdown(&b, explored()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"## Latency under load", "| std-json |", "**Up to 60,000"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("markdown lacks %q", want)
		}
	}
}
