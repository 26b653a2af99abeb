package gate

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/callgrind"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
	"github.com/zmylab/zmy/lab/worker"
)

func TestDecide(t *testing.T) {
	for _, c := range []struct {
		name          string
		point, lo, hi float64
		p             float64
		floor         float64
		tolerance     float64
		want          string
		need          float64
	}{
		{"clearly slower", 0.8, 0.78, 0.82, 1e-6, 0.02, 0.05, Regression, 0},
		{"slower, within the tolerance for certain", 0.97, 0.96, 0.98, 1e-6, 0.01, 0.05, Unchanged, 0},
		{"slower, within a wide tolerance", 0.8, 0.78, 0.82, 1e-6, 0.02, 0.30, Unchanged, 0},
		{"beyond the tolerance, not the floor", 0.9, 0.88, 0.92, 1e-6, 0.20, 0.05, Inconclusive, 11},
		{"not after correction", 0.9, 0.82, 0.99, 0.2, 0.02, 0.05, Inconclusive, 3},
		{"around 1, tight", 1.005, 0.98, 1.03, 0.6, 0.02, 0.05, Unchanged, 0},
		{"around 1, wide", 1.0, 0.8, 1.25, 0.9, 0.02, 0.05, Inconclusive, 21},
		{"at the tolerance", 0.9533, 0.93, 0.97, 1e-4, 0.02, 0.05, Inconclusive, 0},
		{"faster", 1.3, 1.25, 1.35, 1e-6, 0.02, 0.05, Improved, 0},
		{"faster by less than the tolerance", 1.03, 1.02, 1.04, 1e-6, 0.01, 0.05, Unchanged, 0},
		{"without tolerance, the same to the bit", 1, 1, 1, 1, 0, 0, Unchanged, 0},
	} {
		got, need := decide(stats.Result{Point: c.point, Lo: c.lo, Hi: c.hi, DF: 8, N: 100}, c.p, c.floor, c.tolerance)
		if got != c.want || need != c.need {
			t.Errorf("%s: %s, %g× longer; want %s, %g×", c.name, got, need, c.want, c.need)
		}
	}
	if got, _ := decide(stats.Result{Point: 0.5, Lo: 0.5, Hi: 0.5, N: 1}, 1, 0, 0.05); got != Inconclusive {
		t.Errorf("a single sample is %s", got)
	}
}

// machine simulates cells of both sides and of the baseline's twin; every one is about as
// noisy as those of a calm shared machine.
func machine(r *rand.Rand, codecs []string, factor map[string]float64) []*run.Cell {
	var cells []*run.Cell
	for _, name := range append(slices.Clone(codecs), run.Twin) {
		for _, op := range []string{"encode", "decode"} {
			cells = append(cells, &run.Cell{Codec: name, Op: op, Mode: stats.Fresh, Allocs: 2, Bytes: 128, Wire: 90})
			if name != run.Twin {
				cells = append(cells, &run.Cell{Codec: name + old, Op: op, Mode: stats.Fresh, Allocs: 2, Bytes: 128, Wire: 90})
			}
		}
	}
	for l := range 5 {
		luck := make([]float64, len(cells))
		for i := range luck {
			luck[i] = 0.003 * r.NormFloat64()
		}
		for k := range 20 {
			mood := 0.05 * r.NormFloat64()
			for i, c := range cells {
				ns := 1000 * math.Exp(mood+luck[i]+0.015*r.NormFloat64())
				if f := factor[c.Codec+" "+c.Op]; f != 0 {
					ns *= f
				}
				c.Samples = append(c.Samples, run.Sample{Launch: l, Round: k, N: 100, Wall: ns, CPU: ns})
			}
		}
	}
	return cells
}

// Of changes that change nothing none or hardly one is called a regression; +20% in one
// cell is found nearly always, in that cell alone.
//
// With 100 trials of eight cells none was called one wrongly and all of +20% were found.
func TestJudgeSimulated(t *testing.T) {
	const trials = 50
	codecs := []string{run.Baseline, "b"}
	r := rand.New(rand.NewPCG(5, 9))
	false0, found, undecided := 0, 0, 0
	for i := range trials {
		same := &Result{Tolerance: 0.05}
		same.judge(machine(r, codecs, nil), uint64(i))
		if same.Regressed() {
			false0++
		}
		if same.Undecided() {
			undecided++
		}
		slow := &Result{Tolerance: 0.05}
		slow.judge(machine(r, codecs, map[string]float64{"b decode": 1.2}), uint64(i))
		for _, c := range slow.Cells {
			if c.Verdict == Regression && label(c.Now) != "b decode" {
				false0++
			}
			if c.Verdict == Regression && label(c.Now) == "b decode" {
				found++
			}
		}
	}
	t.Logf("false %d, found %d, undecided %d of %d", false0, found, undecided, trials)
	if false0 > 1 || found < trials*95/100 || undecided > trials*5/100 {
		t.Errorf("false regressions %d (want at most 1), +20%% found %d (at least 95%%), undecided %d (at most 5%%), of %d", false0,
			found, undecided, trials)
	}
}

func TestCounts(t *testing.T) {
	x := &Result{Now: &run.Run{}, Before: &run.Run{}, Ref: "main", Commit: "abc", Tolerance: 0.05, Growth: 0.05}
	cells := machine(rand.New(rand.NewPCG(1, 1)), []string{run.Baseline}, nil)
	for _, c := range cells {
		if c.Codec == run.Baseline && c.Op == "encode" {
			c.Allocs, c.Wire = 3, 91 // one allocation more; 1% more bytes are within the tolerance
		}
		if c.Codec == run.Baseline && c.Op == "decode" {
			c.Allocs, c.Wire = 2.01, 900 // a stray one of the runtime; a decoder does not make the size
		}
	}
	x.judge(cells, 1)
	if !x.Regressed() {
		t.Error("an allocation more is no regression")
	}
	for _, c := range x.Cells {
		if want := map[string]string{"encode": "allocs 2 → 3", "decode": ""}[c.Now.Op]; strings.Join(c.Grew, " ") != want {
			t.Errorf("%s grew: %q, want %q", c.Now.Op, c.Grew, want)
		}
	}
	text := strings.Join(x.findings(), "\n")
	if !strings.Contains(text, "REGRESSION in 1 of 2") || !strings.Contains(text, "std-json encode: allocs 2 → 3") {
		t.Error(text)
	}
}

// A codec that was asked for and could not be measured at the commit decides nothing; one
// that came along by itself is set apart.
func TestAlone(t *testing.T) {
	x := &Result{Now: &run.Run{}, Ref: "main", Commit: "abc", asked: []string{"mine"}, Cells: []Cell{{Verdict: Unchanged}}}
	if x.alone("other", "other does not build"); x.Undecided() || len(x.Apart) != 1 {
		t.Errorf("a codec that nobody asked for: %+v", x)
	}
	x.alone("mine", "mine does not build")
	if f := x.findings(); !x.Undecided() || x.Regressed() || !strings.HasPrefix(f[0], "INCONCLUSIVE") ||
		!strings.Contains(f[1], "mine does not build") {
		t.Errorf("a codec that was asked for: %q", f)
	}
}

// A codec that fails now, or loses what it kept, is a regression without any figure.
func TestWorse(t *testing.T) {
	was := &run.Contender{Name: "x", Value: run.Grade{Grade: run.Lossless}, Contract: run.Grade{Grade: run.Kept}}
	is := &run.Contender{Name: "x", Contract: run.Grade{Grade: run.Kept},
		Value: run.Grade{Grade: run.Lossy, Diffs: []run.Diff{{Path: "N", Before: "1", After: "0"}}}}
	if got := strings.Join(worse(was, is), "\n"); got != "x: values lossless before, lossy now: N, 1 → 0" {
		t.Error(got)
	}
	if got := worse(is, was); got != nil {
		t.Errorf("better is worse: %q", got)
	}
	if x := (&Result{Broken: []string{"x"}, Cells: []Cell{{Verdict: Unchanged}}}); !x.Regressed() {
		t.Error("a broken codec is no regression")
	}
	if x := (&Result{}); !x.Undecided() {
		t.Error("nothing measured is decided")
	}
}

// contested returns a codec that was counted on both sides. Instructions and allocations of a
// launch are the given ones, in every round.
func contested(was, is [][2]float64) *contest {
	side := func(launches [][2]float64) *counted {
		var of [][]callgrind.Round
		for _, l := range launches {
			r := callgrind.Round{Instrs: l[0], Allocs: l[1], Bytes: 16 * l[1]}
			of = append(of, []callgrind.Round{r, r, r})
		}
		return &counted{Built: &lab.Built{Contender: &run.Contender{Name: "c"}}, of: [][][]callgrind.Round{of}}
	}
	return &contest{plan: []worker.CountCell{{Op: "encode", Mode: stats.Fresh}}, before: side(was), now: side(is)}
}

func TestJudgeCounts(t *testing.T) {
	same := [][2]float64{{1000, 200}, {1000, 200}, {1000, 200}}
	varied := [][2]float64{{1000, 200}, {1004, 204}, {1002, 202}}
	for _, c := range []struct {
		name    string
		was, is [][2]float64
		want    string
		grew    string
	}{
		{"the same", same, same, Unchanged, ""},
		{"exact, beyond the tolerance", same, [][2]float64{{1020, 200}, {1020, 200}, {1020, 200}}, Regression, ""},
		{"exact, within the tolerance", same, [][2]float64{{1009, 200}, {1009, 200}, {1009, 200}}, Unchanged, ""},
		{"fewer", same, [][2]float64{{900, 200}, {900, 200}, {900, 200}}, Improved, ""},
		{"one allocation in 200", same, [][2]float64{{1000, 201}, {1000, 201}, {1000, 201}}, Regression, "allocs 200 → 201, B/op 3200 → 3216"},
		{"varying alike", varied, varied, Unchanged, ""},
		{"varying allocations, within what they vary by", varied, [][2]float64{{1000, 207}, {1004, 205}, {1002, 206}}, Unchanged, ""},
		{"varying allocations, beyond", varied, [][2]float64{{1000, 222}, {1004, 220}, {1002, 224}}, Regression,
			"allocs 202 → 222, B/op 3232 → 3552"},
		{"launches differ by more than the change", [][2]float64{{1000, 200}, {1060, 200}, {1000, 200}},
			[][2]float64{{1030, 200}, {1090, 200}, {1030, 200}}, Inconclusive, ""},
	} {
		x := &Result{Now: &run.Run{}, Ref: "main", Clock: Instructions, Tolerance: 0.01}
		x.judgeCounts([]*contest{contested(c.was, c.is)}, 1)
		got := x.Cells[0]
		if got.Verdict != c.want || strings.Join(got.Grew, ", ") != c.grew {
			t.Errorf("%s: %s, grew %q, ratio %+v, floor %g; want %s, %q", c.name, got.Verdict, got.Grew, got.Ratio, got.Floor, c.want, c.grew)
		}
	}
	x := &Result{Now: &run.Run{}, Ref: "main", Clock: Instructions, Tolerance: 0.01}
	x.judgeCounts([]*contest{contested(same, [][2]float64{{1020, 200}, {1020, 200}, {1020, 200}})}, 1)
	if text := strings.Join(x.findings(), "\n"); !strings.Contains(text, "c encode takes 2% more instructions than at main") {
		t.Error(text)
	}
}

// A codec that callgrind cannot run decides nothing if the user asked for it.
func TestUncounted(t *testing.T) {
	x := &Result{Now: &run.Run{}, Clock: Instructions, asked: []string{"mine"}}
	x.uncounted("other", errors.New("illegal instruction"))
	x.uncounted("mine", errors.New("illegal instruction"))
	if len(x.Apart) != 1 || len(x.Unmatched) != 1 || !x.Undecided() || !strings.Contains(x.Unmatched[0], "-time measures its time") {
		t.Errorf("%+v", x)
	}
}
