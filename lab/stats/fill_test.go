package stats

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/run/runtest"
)

func filled(t *testing.T, o runtest.Options) *run.Run {
	t.Helper()
	r := runtest.Order(o)
	start := time.Now()
	Fill(r)
	t.Logf("Fill of %d cells: %v", len(r.Cells), time.Since(start))
	return r
}

func TestFillEstimatesAndRatios(t *testing.T) {
	r := filled(t, runtest.Options{})
	for _, c := range []struct {
		codec, op, mode string
		ns, ratio       float64
		against         string
	}{
		{"zmy", Encode, Fresh, 177, 2510.0 / 177, run.Faster},
		{"zmy", Decode, "reused", 701 * 0.88, 10163 / (701 * 0.88), run.Faster},
		{"gob", Decode, Fresh, 41200, 10163.0 / 41200, run.Slower},
		{"zmy", Access, Fresh, 24, 10163 * 1.02 / 24, run.Faster},
		{run.Baseline, Encode, Fresh, 2510, 1, ""},
	} {
		cell := Find(r, c.codec, c.op, c.mode)
		if cell == nil {
			t.Fatalf("no cell %s %s %s", c.codec, c.op, c.mode)
		}
		near(t, c.codec+" "+c.op+" wall ÷ truth", cell.Wall.Median/c.ns, 1, 0.06)
		near(t, c.codec+" "+c.op+" ratio ÷ truth", cell.Ratio.Point/c.ratio, 1, 0.02)
		if !(cell.Wall.Lo <= cell.Wall.Median && cell.Wall.Median <= cell.Wall.Hi) || cell.Wall.N != 100 {
			t.Errorf("%s %s: estimate %+v", c.codec, c.op, cell.Wall)
		}
		if cell.Against != c.against {
			t.Errorf("%s %s against the baseline: %q, want %q", c.codec, c.op, cell.Against, c.against)
		}
	}
	if f := r.Noise.Floor; f <= 0 || f > 0.05 || len(r.Noise.Twin) != 3 || r.Noise.Launch != 5 || r.Noise.Rounds != 20 {
		t.Errorf("noise %+v", r.Noise)
	}
	for _, c := range r.Cells {
		if c.Codec == run.Twin {
			t.Error("the twin is still among the cells")
		}
	}
}

func TestRankingPlacesTiesAndGate(t *testing.T) {
	r := filled(t, runtest.Options{})
	place := map[string]run.Rank{}
	for _, k := range r.Ranking {
		place[k.Codec] = k
	}
	for _, c := range []string{"nothing", "ffjson", "protobuf-native", "easyjson", "fory", run.Twin} {
		if _, ok := place[c]; ok {
			t.Errorf("%s is ranked", c)
		}
	}
	if len(r.Ranking) != 13 || r.Ranking[0].Codec != "zmy" || place["gob"].Place != 13 {
		t.Errorf("ranking %+v", r.Ranking)
	}
	fx, go_ := place["fxjson"], place["goccy"]
	if fx.Place != go_.Place || fx.Tie == "" || fx.Tie != go_.Tie {
		t.Errorf("fxjson and goccy differ by 1%% and should tie: %+v %+v", fx, go_)
	}
	if place["sonic"].Place <= fx.Place || place["zmy"].Tie != "" {
		t.Errorf("sonic is proven slower, zmy alone: %+v %+v", place["sonic"], place["zmy"])
	}
	if got := Contender(r, "nothing").Rankless; !strings.HasPrefix(got, "contract broken: ID") {
		t.Errorf("no-op codec: rankless %q", got)
	}
	if Find(r, "nothing", Encode, Fresh).Rank || !Find(r, "zmy", Encode, "append").Rank {
		t.Error("Cell.Rank does not follow its contender")
	}
	for i := 1; i < len(r.Ranking); i++ {
		if r.Ranking[i].Total.Median < r.Ranking[i-1].Total.Median {
			t.Error("ranking is not in order of time")
		}
	}
}

// TestNotSeparated: what a wild machine leaves open is no tie, in no words of the run.
func TestNotSeparated(t *testing.T) {
	r := filled(t, runtest.Options{Launches: 3, Rounds: 3, RoundSD: 0.4, LaunchSD: 0.3})
	open := 0
	for i, k := range r.Ranking {
		first := i == 0 || r.Ranking[i-1].Place != k.Place
		if first != (k.Against == "") || k.Against == run.Inconclusive && k.Tie != "" || k.Against == run.Tied && k.Tie == "" {
			t.Errorf("%+v", k)
		}
		if k.Against == run.Inconclusive {
			open++
		}
	}
	if open == 0 || strings.Contains(r.Verdict.Sentence, "tied with") && !strings.Contains(r.Verdict.Sentence, "not separated from") {
		t.Errorf("%d open; %s", open, r.Verdict.Sentence)
	}
	for _, c := range []struct{ codec, want string }{
		{"a", " (statistically tied with b; not separated from c)"}, {"b", " (statistically tied with a; not separated from c)"},
		{"c", " (not separated from a, b)"}, {"d", ""},
	} {
		r := &run.Run{Ranking: []run.Rank{{Place: 1, Codec: "a", Tie: "a"}, {Place: 1, Codec: "b", Tie: "a", Against: run.Tied},
			{Place: 1, Codec: "c", Against: run.Inconclusive}, {Place: 4, Codec: "d"}}}
		for _, k := range r.Ranking {
			r.Contenders = append(r.Contenders, &run.Contender{Name: k.Codec})
		}
		if got := tiedWith(r, c.codec, ""); got != c.want {
			t.Errorf("%s:%s, want%s", c.codec, got, c.want)
		}
	}
}

// TestUnprovenSaving: a codec that is proven faster in one op saves nothing that the run proves while
// the sum of both ops is open. One that is faster in both does.
func TestUnprovenSaving(t *testing.T) {
	for _, c := range []struct {
		name   string
		spread float64 // of decode's rounds, on a log scale
		saves  bool
	}{{"open", 0.5, false}, {"proven", 0.01, true}} {
		rng := rand.New(rand.NewPCG(1, 1))
		r := &run.Run{Clock: CPU}
		add := func(name string, enc, dec float64) {
			for _, op := range []struct {
				name       string
				ns, spread float64
			}{{Encode, enc, 0.01}, {Decode, dec, c.spread}} {
				x := &run.Cell{Codec: name, Op: op.name, Mode: Fresh, Wire: 100}
				for i := range 60 {
					at := op.ns * math.Exp(op.spread*rng.NormFloat64())
					x.Samples = append(x.Samples, run.Sample{Launch: i / 20, Round: i % 20, N: 100, Wall: at, CPU: at})
				}
				r.Cells = append(r.Cells, x)
			}
			r.Contenders = append(r.Contenders, &run.Contender{Name: name, Family: "json", Status: run.StatusMeasured,
				Contract: run.Grade{Grade: run.Kept}, Value: run.Grade{Grade: run.Lossless}})
		}
		add(run.Baseline, 2000, 10000)
		add(run.Twin, 2000, 10000)
		add("quick", 1000, 9000)
		Fill(r)
		if got := Find(r, "quick", Encode, Fresh).Against; got != run.Faster {
			t.Fatalf("%s: encode is %s", c.name, got)
		}
		if got := strings.Contains(r.Verdict.Sentence, "saving about"); got != c.saves {
			t.Errorf("%s: %s", c.name, r.Verdict.Sentence)
		}
	}
}

// TestAlone: without another ranked codec nothing was compared.
func TestAlone(t *testing.T) {
	r := runtest.Order(runtest.Options{})
	for _, c := range r.Contenders {
		if c.Name != run.Baseline && c.Name != run.Twin {
			c.Status = run.StatusFailed
		}
	}
	Fill(r)
	if got, want := r.Verdict.Sentence, "encoding/json stays: no other codec is ranked."; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestNoTwin: without an A/A twin a small difference is not called one.
func TestNoTwin(t *testing.T) {
	r := runtest.Order(runtest.Options{LaunchSD: 1e-4, RoundSD: 1e-3})
	for _, c := range r.Cells {
		if c.Codec == "goccy" { // a tenth faster than the baseline
			for k := range c.Samples {
				base := Find(r, run.Baseline, c.Op, c.Mode)
				c.Samples[k].Wall, c.Samples[k].CPU = base.Samples[k].Wall/1.1, base.Samples[k].CPU/1.1
			}
		}
	}
	var alone []*run.Cell
	for _, c := range r.Cells {
		if c.Codec != run.Twin {
			alone = append(alone, c)
		}
	}
	r.Cells = alone
	Fill(r)
	if got := Find(r, "goccy", Decode, Fresh).Against; got != run.Inconclusive {
		t.Errorf("a tenth faster without a noise floor: %q", got)
	}
	if got := Find(r, "zmy", Decode, Fresh).Against; got != run.Faster {
		t.Errorf("fourteen times faster: %q", got)
	}
	if !strings.Contains(strings.Join(r.Warnings, "\n"), "±15% is assumed") {
		t.Errorf("warnings %q", r.Warnings)
	}
}

func TestGate(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*run.Contender)
		want   string
	}{
		{"contract broken", func(c *run.Contender) { c.Contract.Grade = run.Broken }, "contract broken"},
		{"contract not judged", func(c *run.Contender) { c.Contract.Grade = "" }, "contract not judged"},
		{"value fails", func(c *run.Contender) { c.Value.Grade = run.Fails }, "value not carried"},
		{"value not judged", func(c *run.Contender) { c.Value.Grade = "" }, "value not judged"},
		{"lossy is ranked", func(c *run.Contender) { c.Value.Grade = run.Lossy }, ""},
		{"judged since", func(c *run.Contender) { c.Rankless = notContract }, ""},
		{"reason of others stays", func(c *run.Contender) { c.Rankless = "because" }, "because"},
	} {
		r := runtest.Order(runtest.Options{Launches: 2, Rounds: 4})
		c.change(Contender(r, "zmy"))
		Fill(r)
		if got := Contender(r, "zmy").Rankless; got != c.want {
			t.Errorf("%s: rankless %q, want %q", c.name, got, c.want)
		}
		if ranked := r.Ranking[0].Codec == "zmy"; ranked != (c.want == "") {
			t.Errorf("%s: ranked %v", c.name, ranked)
		}
	}
}

func TestVerdict(t *testing.T) {
	r := filled(t, runtest.Options{})
	v := r.Verdict
	if v.Pick != "zmy" || v.PickJSON != "fxjson" && v.PickJSON != "goccy" {
		t.Errorf("picks %q %q", v.Pick, v.PickJSON)
	}
	if v.PickProto != "vtprotobuf" {
		t.Errorf("pick for protobuf %q", v.PickProto)
	}
	for _, want := range []string{"Both ends Go: zmy", "39% smaller", "CPU cores per 100,000 messages",
		"JSON must stay: fxjson (statistically tied with goccy)", "does not keep every value", "encoding/json's speed on encode",
		" Protobuf must stay: vtprotobuf, "} {
		if !strings.Contains(v.Sentence, want) {
			t.Errorf("verdict lacks %q: %s", want, v.Sentence)
		}
	}
	if len(v.Losses) != 1 || !strings.Contains(v.Losses[0], `goccy`) ||
		!strings.Contains(v.Losses[0], `Metadata["qty"] 3 (int) → 3 (float64)`) || strings.Contains(v.Losses[0], "ffjson") {
		t.Errorf("losses %q", v.Losses)
	}
	if all := flat(v.Steps); !strings.Contains(all, "//go:generate zmy gen -derive -type=Order") ||
		!strings.Contains(all, "//go:generate fxjson -type=Order") {
		t.Errorf("steps %s", all)
	}
	t.Log(v.Sentence)
}

func TestVerdictNamesExtremesThatAPickLoses(t *testing.T) {
	r := runtest.Order(runtest.Options{Launches: 3, Rounds: 6})
	all := func(lost ...string) (edges []run.Edge) {
		for _, name := range lost {
			edges = append(edges, run.Edge{Name: name, Path: "Total", Result: run.EdgeLost, Before: "1", After: "2"})
		}
		return append(edges, run.Edge{Name: "float64 NaN", Path: "Price", Result: run.EdgeRefused, After: "unsupported value"})
	}
	for _, c := range r.Contenders {
		switch c.Name {
		case run.Baseline:
			c.Value.Edges = all("string invalid UTF-8")
		case "zmy":
			c.Value.Grade, c.Value.Edges = run.Ordinary, all("string invalid UTF-8", "int64 maximum")
		default:
			c.Value.Edges = all("string invalid UTF-8")
		}
	}
	Fill(r)
	v := r.Verdict
	if v.Pick != "zmy" || !strings.Contains(v.Sentence, "it does not keep int64 maximum (the fastest that does: ") ||
		strings.Contains(v.Sentence, "UTF-8") || strings.Contains(v.Sentence, "the fastest that does: zmy") {
		t.Errorf("pick %s: %s", v.Pick, v.Sentence)
	}
	if !slices.Contains(v.Losses, "zmy: int64 maximum in Total: 1 → 2") {
		t.Errorf("losses %q", v.Losses)
	}
}

func TestVerdictOfFew(t *testing.T) {
	keep := func(names ...string) *run.Run {
		r := runtest.Order(runtest.Options{Launches: 3, Rounds: 6})
		in := map[string]bool{}
		for _, n := range names {
			in[n] = true
		}
		var cs []*run.Contender
		for _, c := range r.Contenders {
			if in[c.Name] {
				cs = append(cs, c)
			}
		}
		var cells []*run.Cell
		for _, c := range r.Cells {
			if in[c.Codec] {
				cells = append(cells, c)
			}
		}
		r.Contenders, r.Cells = cs, cells
		Fill(r)
		return r
	}
	for _, c := range []struct {
		names []string
		want  string
	}{
		{nil, "No contender is ranked"},
		{[]string{"nothing"}, "No contender is ranked"},
		{[]string{run.Baseline}, "encoding/json stays"},
		{[]string{run.Baseline, "gob"}, "encoding/json stays"},
		{[]string{run.Baseline, "goccy"}, "For Go at both ends and wherever JSON must stay: goccy"},
		{[]string{run.Baseline, "cbor"}, "JSON must stay: encoding/json; no other"},
		{[]string{"cbor"}, "Both ends Go: cbor. JSON must stay: no JSON contender is ranked."},
		{[]string{run.Baseline, "zmy", "vtprotobuf", "protobuf"}, "Protobuf must stay: vtprotobuf, 3.7× encoding/json's speed on encode"},
		{[]string{run.Baseline, "zmy", "vtprotobuf", "protobuf"}, "the speed of protobuf on encode + decode"},
		{[]string{run.Baseline, "vtprotobuf", "protobuf"}, "Protobuf must stay: vtprotobuf, too."},
	} {
		if got := keep(c.names...).Verdict.Sentence; !strings.Contains(got, c.want) {
			t.Errorf("%v: %q lacks %q", c.names, got, c.want)
		}
	}
}

// Two hundred A/A runs: nobody is ever called faster than its twin.
func TestTwinIsNeverCalledFaster(t *testing.T) {
	calls := 0
	const runs = 200
	for i := range runs {
		r := runtest.Order(runtest.Options{Launches: 5, Rounds: 6, Seed: uint64(i)})
		var cells []*run.Cell
		for _, c := range r.Cells { // three copies of the baseline: itself, its twin and a second one
			switch c.Codec {
			case run.Baseline, run.Twin:
				cells = append(cells, c)
			}
		}
		other := runtest.Order(runtest.Options{Launches: 5, Rounds: 6, Seed: uint64(i)})
		for _, c := range other.Cells {
			if c.Codec == run.Twin && c.Mode == Fresh {
				copy := *c
				copy.Codec = "copy"
				for k := range copy.Samples { // its own luck, from the other half of the samples
					copy.Samples[k].Wall *= math.Exp(0.02 * math.Sin(float64(k*k+i)))
				}
				cells = append(cells, &copy)
			}
		}
		r.Cells = cells
		Fill(r)
		for _, c := range r.Cells {
			if c.Codec == "copy" && c.Against == run.Faster {
				calls++
			}
		}
	}
	if calls > 0 {
		t.Errorf("a copy of the baseline was called faster in %d cells of %d runs", calls, runs)
	}
}

func TestFillTwiceIsTheSame(t *testing.T) {
	r := filled(t, runtest.Options{Launches: 3, Rounds: 5})
	first, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var again run.Run
	if err := json.Unmarshal(first, &again); err != nil {
		t.Fatal(err)
	}
	Fill(&again)
	second, _ := json.Marshal(&again)
	if string(first) != string(second) {
		t.Error("filling a run that was written and read again changed it")
	}
	other := runtest.Order(runtest.Options{Launches: 3, Rounds: 5})
	other.Clock = map[string]string{Wall: CPU, CPU: Wall}[r.Clock]
	Fill(other)
	if reflect.DeepEqual(other.Ranking, r.Ranking) {
		t.Error("the other clock gave the same ranking to the last digit")
	}
}

// On a busy machine CPU time is the steadier clock; a codec that sleeps must
// not win by it.
func TestClock(t *testing.T) {
	busy := func() *run.Run {
		r := runtest.Order(runtest.Options{})
		for i, c := range r.Cells {
			for k := range c.Samples { // other programs take the core for a while
				c.Samples[k].Wall *= 1 + float64((k*7+i*13)%11)*0.2
			}
		}
		return r
	}
	r := busy()
	for _, c := range r.Cells {
		if c.Codec == "cbor" && c.Op == Decode { // sleeps: little CPU, much wall
			for k := range c.Samples {
				c.Samples[k].CPU = 30
			}
		}
	}
	Fill(r)
	if r.Clock != CPU || !strings.Contains(strings.Join(r.Warnings, "\n"), "stand on CPU time") {
		t.Errorf("clock %q, warnings %q", r.Clock, r.Warnings)
	}
	if got := Contender(r, "cbor").Rankless; !strings.HasPrefix(got, "decode waits: ") {
		t.Errorf("the sleeper is ranked: %q", got)
	}
	if r.Ranking[0].Codec != "zmy" || len(r.Ranking) != 12 {
		t.Errorf("ranking %+v", r.Ranking)
	}

	forced := busy()
	forced.Clock = Wall
	Fill(forced)
	if forced.Clock != Wall || forced.Noise.Floor < r.Noise.Floor {
		t.Errorf("forced clock %q, floor %v against %v", forced.Clock, forced.Noise.Floor, r.Noise.Floor)
	}
	calm := runtest.Order(runtest.Options{})
	Fill(calm)
	if calm.Clock != Wall {
		t.Errorf("a calm machine: clock %q", calm.Clock)
	}
	blind := busy() // a system without CPU times
	for _, c := range blind.Cells {
		for k := range c.Samples {
			c.Samples[k].CPU = 0
		}
	}
	Fill(blind)
	if blind.Clock != Wall || len(blind.Ranking) != 13 {
		t.Errorf("no CPU times: clock %q, %d ranked", blind.Clock, len(blind.Ranking))
	}
}

func TestWarnings(t *testing.T) {
	has := func(r *run.Run, want string) bool {
		return strings.Contains(strings.Join(r.Warnings, "\n"), want)
	}
	r := runtest.Order(runtest.Options{Launches: 1, Rounds: 8})
	r.Warnings = []string{"kept from elsewhere"}
	r.Host.Load1 = 7
	for _, c := range r.Cells {
		for i := range c.Samples {
			c.Samples[i].Wall *= 1 + 0.05*float64(c.Samples[i].Round)
		}
	}
	Fill(r)
	for _, want := range []string{"kept from elsewhere", "load 7.0 on 2 cores", "one launch only"} {
		if !has(r, want) {
			t.Errorf("warnings lack %q: %q", want, r.Warnings)
		}
	}
	wild := runtest.Order(runtest.Options{Launches: 3, Rounds: 3, RoundSD: 0.4, LaunchSD: 0.3})
	wild.Partial = true
	Fill(wild)
	if !has(wild, "undecided, neither faster nor slower than encoding/json: ") || !has(wild, "longer may decide") {
		t.Errorf("warnings of a wild machine: %q", wild.Warnings)
	}
	if !strings.HasPrefix(wild.Verdict.Sentence, "So far, from a partial run: ") {
		t.Errorf("verdict of a partial run: %s", wild.Verdict.Sentence)
	}
	long := runtest.Order(runtest.Options{Launches: 1, Rounds: 12})
	for _, c := range long.Cells {
		for i := range c.Samples {
			c.Samples[i].Wall *= 1 + 0.05*float64(c.Samples[i].Round)
		}
	}
	Fill(long)
	if !has(long, "baseline itself moved") {
		t.Errorf("drift unseen: %q", long.Warnings)
	}
	r.Noise.Twin = nil
	r.Cells = nil
	Fill(r)
	if !has(r, "nothing was measured") {
		t.Errorf("warnings %q", r.Warnings)
	}
	near(t, "outliers", float64(outliers(series{{0, 0}: 100, {0, 1}: 101, {0, 2}: 99, {0, 3}: 100, {0, 4}: 180})), 1, 0)
}

func TestCores(t *testing.T) {
	for x, want := range map[float64]string{0.056: "0.06", 0.94: "0.94", 0.96: "1.0", 6.44: "6.4", 9.6: "10", 102: "102", 491.2: "491"} {
		if got := cores(x); got != want {
			t.Errorf("cores(%v) = %s, want %s", x, got, want)
		}
	}
}

// TestCoresBetween: an interval that rounding hides is left out.
func TestCoresBetween(t *testing.T) {
	for want, x := range map[string]run.Interval{
		"4.6 (4.1–5.0)": {Point: 4.6, Lo: 4.1, Hi: 5.0}, "12": {Point: 12.1, Lo: 11.8, Hi: 12.3}, "12 (12–13)": {Point: 12, Lo: 12, Hi: 12.6},
	} {
		if got := coresBetween(x); got != want {
			t.Errorf("coresBetween(%v) = %s, want %s", x, got, want)
		}
	}
}

// TestNothingProven: a run whose noise hides every difference says so first, and promises
// no cores; one that proves something does not.
func TestNothingProven(t *testing.T) {
	hopeless := filled(t, runtest.Options{Launches: 2, Rounds: 3, RoundSD: 3, LaunchSD: 3})
	const noisy = "Too noisy for a verdict on speed: nothing is proven by this run; two copies of one program may differ by up to"
	if s := hopeless.Verdict.Sentence; !strings.HasPrefix(s, noisy) ||
		strings.Contains(s, "CPU cores") || !strings.Contains(s, "longer -budget") {
		t.Errorf("a hopeless run: %s", s)
	}
	if s := filled(t, runtest.Options{}).Verdict.Sentence; strings.Contains(s, "proven by this run") || strings.Contains(s, tooNoisy) {
		t.Errorf("a good run: %s", s)
	}
}

// TestTooNoisy: a verdict that noise keeps from being proven says so first, and promises no cores; a
// pick that is proven as a whole, and an op that is undecided on a quiet machine, are no such case.
func TestTooNoisy(t *testing.T) {
	for _, c := range []struct {
		name       string
		floor, low float64 // the noise floor; the lower end of the pick's encode + decode speed
		against    string  // of the pick's encode
		want       bool
	}{
		{"wild, undecided", 0.75, 1.3, run.Inconclusive, true},
		{"wild, proven as a whole", 0.75, 1.9, run.Inconclusive, false},
		{"wild, proven", 0.75, 1.3, run.Faster, false},
		{"quiet, undecided", 0.03, 1.01, run.Inconclusive, false},
	} {
		r := filled(t, runtest.Options{})
		v := r.Verdict
		r.Noise.Floor = c.floor
		Find(r, v.Pick, Encode, Fresh).Against = c.against
		for i := range r.Ranking {
			if r.Ranking[i].Codec == v.Pick {
				r.Ranking[i].Ratio.Lo = c.low
			}
		}
		fillVerdict(r)
		s := r.Verdict.Sentence
		begin := "Too noisy for a verdict on speed (undecided: encode of " + v.Pick + "): two copies of one program may differ by up to 75%. "
		if got := strings.HasPrefix(s, begin); got != c.want {
			t.Errorf("%s: %s", c.name, s)
		}
		both, _, _ := strings.Cut(s[strings.Index(s, "Both ends Go"):], " JSON must stay")
		if saves := strings.Contains(both, "saving about"); saves != (c.against == run.Faster) {
			t.Errorf("%s: %s", c.name, both)
		}
		if draws := strings.Contains(both, "of draws"); draws != (c.against == run.Faster) {
			t.Errorf("%s: %s", c.name, both)
		}
	}
	saves := regexp.MustCompile(`saving about ([0-9.]+) \(([0-9.]+)–([0-9.]+)\) CPU cores`)
	r := filled(t, runtest.Options{})
	if s := r.Verdict.Sentence; !saves.MatchString(s) {
		t.Errorf("a saving without its interval: %s", s)
	}
	sure := saving(r, r.Verdict.Pick)
	r.Noise.Twin = nil // then a floor is assumed
	if x := saving(r, r.Verdict.Pick); x.Point != sure.Point || x.Hi <= sure.Hi || x.Lo >= sure.Lo {
		t.Errorf("the saving %v without a twin, %v with one that is equal", x, sure)
	}
}

// TestVerdictNamesWhatIsProven: a pick that is not proven does not hide a codec that is.
func TestVerdictNamesWhatIsProven(t *testing.T) {
	cell := func(codec, op, against string, ratio float64) *run.Cell {
		return &run.Cell{Codec: codec, Op: op, Mode: Fresh, Rank: true, Against: against, Ratio: run.Interval{Point: ratio}}
	}
	r := &run.Run{Contenders: []*run.Contender{{Name: "goccy", Family: "json"}, {Name: "fxjson", Family: "json"},
		{Name: "zmy", Family: "binary"}},
		Ranking: []run.Rank{{Codec: "zmy", Place: 1}, {Codec: "goccy", Place: 1}, {Codec: "fxjson", Place: 1}},
		Cells: []*run.Cell{cell("zmy", Encode, run.Inconclusive, 2), cell("zmy", Decode, run.Inconclusive, 2),
			cell("goccy", Encode, run.Inconclusive, 1.1),
			cell("goccy", Decode, run.Inconclusive, 1.2), cell("fxjson", Encode, run.Inconclusive, 1.4), cell("fxjson", Decode, run.Faster, 3.7)}}
	v := run.Verdict{Pick: "zmy", PickJSON: "goccy"}
	v.Undecided = undecidedPicks(r, v)
	if hopeless(r, v) {
		t.Error("a run that proves fxjson faster is called hopeless")
	}
	got := sentence(r, v)
	for _, want := range []string{"Both ends Go: proven faster than encoding/json: fxjson on decode, 3.7×. The fastest of this " +
		"run, not proven: zmy",
		"JSON must stay: proven faster than encoding/json: fxjson on decode, 3.7×. The fastest of this run, not proven: goccy"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	r.Cells[5].Against = run.Inconclusive
	if !hopeless(r, v) || strings.Contains(sentence(r, v), "proven faster") {
		t.Errorf("nothing is proven: %s", sentence(r, v))
	}
}

// TestTiesOfAFamily: JSON codecs are compared with one another, not with a binary codec that has a
// place between them.
func TestTiesOfAFamily(t *testing.T) {
	r := runtest.Order(runtest.Options{})
	Fill(r)
	for _, k := range rankingOf(r, "json") {
		if c := Contender(r, k.Codec); c.Family != "json" {
			t.Errorf("%s is no JSON codec", k.Codec)
		}
	}
	first := rankingOf(r, "json")[0]
	if first.Codec != r.Verdict.PickJSON || first.Place != 1 {
		t.Errorf("the first JSON codec is %+v, the pick is %s", first, r.Verdict.PickJSON)
	}
}
