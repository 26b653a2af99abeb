package compare

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/run/runtest"
	"github.com/zmylab/zmy/lab/stats"
)

// measured is a run in which everything takes mood times as long, and goccy's decode in
// mode fresh slower times as long again.
func measured(seed uint64, mood, slower float64) *run.Run {
	r := runtest.Order(runtest.Options{Seed: seed, Rounds: 9, Launches: 5})
	for _, c := range r.Cells {
		by := mood
		if c.Codec == "goccy" && c.Op == stats.Decode && c.Mode == stats.Fresh {
			by *= slower
		}
		for i := range c.Samples {
			c.Samples[i].Wall *= by
			c.Samples[i].CPU *= by
		}
	}
	stats.Fill(r)
	return r
}

func compareRuns(t *testing.T, a, b *run.Run, o Options) *Result {
	t.Helper()
	x, err := Runs(a, b, o)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func cellOf(t *testing.T, x *Result, codec, op, mode string) Cell {
	t.Helper()
	for _, c := range x.Cells {
		if c.A.Codec == codec && c.A.Op == op && c.A.Mode == mode {
			return c
		}
	}
	t.Fatalf("no cell %s %s %s", codec, op, mode)
	return Cell{}
}

// TestMoodIsNoChange: a machine that is 30% slower in the second run makes no codec
// slower; a codec that became 25% slower is found, and no other.
func TestMoodIsNoChange(t *testing.T) {
	x := compareRuns(t, measured(1, 1, 1), measured(2, 1.3, 1.25), Options{})
	for _, c := range x.Cells {
		changed := c.A.Codec == "goccy" && c.A.Op == stats.Decode && c.A.Mode == stats.Fresh
		switch {
		case changed && (c.Verdict != run.Slower || math.Abs(c.Rel.Point*1.25-1) > 0.04):
			t.Errorf("goccy decode: %q %+v", c.Verdict, c.Rel)
		case !changed && (c.Verdict == run.Slower || c.Verdict == run.Faster):
			t.Errorf("%s: %s by %.3f: it did not change", label(c.A), c.Verdict, c.Rel.Point)
		}
		if math.Abs(c.Raw.Point*1.3-1) > 0.12 && !changed {
			t.Errorf("%s: raw %.3f, want about 1/1.3", label(c.A), c.Raw.Point)
		}
	}
	if f := strings.Join(x.findings(), "\n"); !strings.Contains(f, "1 slower") ||
		!strings.Contains(f, "goccy decode fresh is slower: 0.") || !strings.Contains(f, "encoding/json itself took 3") {
		t.Error(f)
	}
}

// TestCoverage: the interval of a change covers the truth as often as it claims, whatever
// the machine did between the runs. Bounded: 60 pairs of runs of one cell.
func TestCoverage(t *testing.T) {
	const trials, truth = 60, 0.8
	covered := 0
	rng := rand.New(rand.NewPCG(5, 5))
	cell := func(codec string, ns float64, mood []float64) *run.Cell {
		c := &run.Cell{Codec: codec, Op: stats.Encode, Mode: stats.Fresh}
		for l := range 5 {
			luck := 0.01 * rng.NormFloat64()
			for k := range 10 {
				v := ns * math.Exp(mood[l*10+k]+luck+0.02*rng.NormFloat64())
				c.Samples = append(c.Samples, run.Sample{Launch: l, Round: k, N: 1, Wall: v, CPU: v})
			}
		}
		return c
	}
	one := func(ns float64) *run.Run {
		mood, walk := make([]float64, 50), 0.3*rng.NormFloat64()
		for i := range mood {
			walk += 0.02 * rng.NormFloat64()
			mood[i] = walk
		}
		return &run.Run{Clock: stats.Wall, Cells: []*run.Cell{cell(run.Baseline, 1000, mood), cell("x", ns, mood)}}
	}
	for range trials {
		x := compareRuns(t, one(500), one(500/truth), Options{})
		if c := cellOf(t, x, "x", stats.Encode, stats.Fresh); c.Rel.Lo <= truth && truth <= c.Rel.Hi {
			covered++
		}
	}
	t.Logf("covered %d of %d", covered, trials)
	if covered < trials*88/100 {
		t.Errorf("the interval covered the truth in %d of %d, want at least 88%%", covered, trials)
	}
}

func TestTwoMachines(t *testing.T) {
	a, b := measured(1, 1, 1), measured(2, 1, 1.5)
	b.Host.CPU = "another"
	x := compareRuns(t, a, b, Options{})
	if x.Judged || !x.Inconclusive() || !strings.Contains(strings.Join(x.Warnings, "\n"), "two machines") {
		t.Errorf("judged %v, warnings %q", x.Judged, x.Warnings)
	}
	for _, c := range x.Cells {
		if c.Verdict != "" {
			t.Fatalf("%s was called %s across machines", label(c.A), c.Verdict)
		}
	}
	if e := x.Experiment(nil); !slices.ContainsFunc(e.Tables[0].Rows, func(r []run.Item) bool { return r[3].Text == "not judged" }) {
		t.Error("the table does not say so")
	}
	across := compareRuns(t, a, b, Options{Across: true})
	if c := cellOf(t, across, "goccy", stats.Decode, stats.Fresh); c.Verdict != run.Slower {
		t.Errorf("-across: %q", c.Verdict)
	}
	if !strings.Contains(strings.Join(across.Warnings, "\n"), "may be the machines") {
		t.Errorf("-across says nothing: %q", across.Warnings)
	}
}

func TestWhatElseChanged(t *testing.T) {
	a, b := measured(1, 1, 1), measured(2, 1, 1)
	b.Host.Go, b.Seed = "go1.27.0", 7
	stats.Contender(b, "goccy").Modules[0].Version = "v0.13.0"
	stats.Contender(b, "cbor").Value.Grade = run.Lossy
	for _, c := range b.Cells {
		if c.Codec == "zmy" && c.Op == stats.Encode {
			c.Wire, c.Allocs = 900, 3
		}
	}
	b.Cells = slices.DeleteFunc(b.Cells, func(c *run.Cell) bool { return c.Codec == "gob" })
	x := compareRuns(t, a, b, Options{})
	for _, want := range []Change{{"Go", "go1.26.8", "go1.27.0", "doubt"},
		{"goccy modules", "github.com/goccy/go-json@v0.12.0", "github.com/goccy/go-json@v0.13.0", ""},
		{"cbor values", run.Lossless, run.Lossy, "doubt"}} {
		if !slices.Contains(x.Changes, want) {
			t.Errorf("%+v is missing in %+v", want, x.Changes)
		}
	}
	if !slices.Contains(x.Lost, "gob encode fresh") || x.New != nil {
		t.Errorf("lost %q, new %q", x.Lost, x.New)
	}
	if rows := x.sizes().Rows; len(rows) != 2 || rows[0][0].Text != "zmy" || *rows[0][4].Value != 900 {
		t.Errorf("sizes: %+v", rows)
	}
	if all := strings.Join(x.Warnings, "\n"); !strings.Contains(all, "Go or its environment changed") ||
		!strings.Contains(all, "the values differ") {
		t.Errorf("warnings %q", all)
	}
	if got := compareRuns(t, a, a, Options{}).Changes; got != nil {
		t.Errorf("a run against itself: %+v", got)
	}
	other := measured(1, 1, 1)
	other.Subject.Type = "Page[Order]"
	if _, err := Runs(a, other, Options{}); err == nil || !strings.Contains(err.Error(), "two types") {
		t.Errorf("two types: %v", err)
	}
}

// TestWithoutBaseline: times alone are compared where there is nothing to relate them to.
func TestWithoutBaseline(t *testing.T) {
	drop := func(r *run.Run) *run.Run {
		r.Cells = slices.DeleteFunc(r.Cells, func(c *run.Cell) bool { return c.Codec == run.Baseline })
		return r
	}
	x := compareRuns(t, drop(measured(1, 1, 1)), drop(measured(1, 1, 1.4)), Options{})
	if c := cellOf(t, x, "goccy", stats.Decode, stats.Fresh); c.Rel.N != 0 || c.Verdict != run.Slower {
		t.Errorf("%q %+v", c.Verdict, c.Raw)
	}
	empty := compareRuns(t, &run.Run{}, &run.Run{}, Options{})
	if !empty.Inconclusive() || !strings.Contains(empty.findings()[0], "no cell in common") {
		t.Errorf("two empty runs: %q", empty.findings())
	}
}
