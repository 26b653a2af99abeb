package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/zmylab/zmy/lab/run"
)

// world is a simulated machine on which one cell is measured beside a baseline.
type world struct {
	launches, rounds int
	launchSD         float64 // each program, each launch: layout, hash seeds
	roundSD          float64 // each program, each round
	moodSD           float64 // shared by both in a round: pairing must remove it
	stall            float64 // chance that a round is hit by another program (×1.5)
}

// worlds span what was seen on shared virtual machines, from calm to rough.
var worlds = map[string]world{
	"calm":         {5, 20, 0.002, 0.01, 0.01, 0},
	"moody":        {5, 20, 0.005, 0.02, 0.15, 0.02},
	"layout luck":  {5, 20, 0.03, 0.01, 0.02, 0},
	"rough":        {5, 20, 0.02, 0.06, 0.10, 0.05},
	"three quick":  {3, 8, 0.005, 0.03, 0.05, 0.02},
	"two launches": {2, 10, 0.003, 0.02, 0.05, 0},
	"many":         {10, 25, 0.01, 0.03, 0.05, 0.02},
}

// measure simulates the samples of a baseline of 1000 ns and of a contender
// that is truly factor times as fast.
func (w world) measure(r *rand.Rand, factor float64) (base, x []run.Sample) {
	for l := range w.launches {
		luckB, luckX := w.launchSD*r.NormFloat64(), w.launchSD*r.NormFloat64()
		for k := range w.rounds {
			mood := w.moodSD * r.NormFloat64()
			one := func(ns, luck float64) run.Sample {
				t := ns * math.Exp(mood+luck+w.roundSD*r.NormFloat64())
				if r.Float64() < w.stall {
					t *= 1.5
				}
				return run.Sample{Launch: l, Round: k, N: 100, Wall: t, CPU: t, At: float64(l*w.rounds + k)}
			}
			base, x = append(base, one(1000, luckB)), append(x, one(1000/factor, luckX))
		}
	}
	return base, x
}

// The interval of a ratio covers the truth as often as it claims, within what
// so few launches allow, and two copies of one program are hardly ever told
// apart.
//
// With 1,000 trials a world each, coverage lay between 93.9% and 99.3% and A/A
// claims between 0.1% and 4.4%; the bounds leave room for 100 trials.
func TestCoverageAndFalsePositives(t *testing.T) {
	const trials = 100
	for name, w := range worlds {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(7, 11))
			covered, claimed := 0, 0
			width := 0.0
			for i := range trials {
				base, x := w.measure(r, 1.3)
				res := Ratio(base, x, Wall, uint64(i))
				if res.Lo <= 1.3 && 1.3 <= res.Hi {
					covered++
				}
				width += math.Log(res.Hi/res.Lo) / 2 / trials
				a, b := w.measure(r, 1)
				aa := Ratio(a, b, Wall, uint64(i))
				if v, _ := Judge(aa, aa.P, 0); v == run.Faster || v == run.Slower {
					claimed++
				}
			}
			t.Logf("covered %.1f%%, A/A claims without a floor %.1f%%, half-width ±%.1f%%", 100*float64(covered)/trials,
				100*float64(claimed)/trials, 100*width)
			if c := float64(covered) / trials; c < 0.90 {
				t.Errorf("coverage %.3f, want at least 0.90", c)
			}
			if f := float64(claimed) / trials; f > 0.075 {
				t.Errorf("A/A was claimed different in %.3f of trials, want at most 0.075", f)
			}
		})
	}
}

// TestFamily: among twelve copies of one program, the chance that any is called different
// is below 5%, even without a noise floor. That sharing one baseline makes the comparisons
// dependent does no harm.
//
// With 1,000 families, 0.6% had a false claim with Holm's correction and 5.9% without (the
// intervals themselves are wide, being made for few launches); the bounds leave room for 100.
func TestFamily(t *testing.T) {
	const families, copies = 100, 12
	r := rand.New(rand.NewPCG(21, 4))
	w := worlds["calm"]
	corrected, plain := 0, 0
	for range families {
		base, _ := w.measure(r, 1)
		var p []float64
		var res []Result
		for i := range copies {
			_, x := w.measure(r, 1) // another mood in each: dependence comes from the base alone
			one := Ratio(base, x, Wall, uint64(i))
			res, p = append(res, one), append(p, one.P)
		}
		any := func(p []float64) int {
			for i := range res {
				if v, _ := Judge(res[i], p[i], 0); v == run.Faster || v == run.Slower {
					return 1
				}
			}
			return 0
		}
		plain += any(p)
		corrected += any(Holm(p))
	}
	t.Logf("a false claim in %d of %d families, in %d without correction", corrected, families, plain)
	if corrected > families*5/100 {
		t.Errorf("a false claim in %d of %d families, want at most 5%%", corrected, families)
	}
	if plain <= corrected {
		t.Errorf("without correction %d families had a false claim, with it %d: the correction does nothing", plain, corrected)
	}
}

// +20% work is found at least 95% of the time.
func TestPower(t *testing.T) {
	const trials = 60
	for _, name := range []string{"calm", "moody", "layout luck", "rough", "many"} {
		w := worlds[name]
		r := rand.New(rand.NewPCG(3, 5))
		found := 0
		for i := range trials {
			a, twin := w.measure(r, 1)
			noise := Ratio(a, twin, Wall, uint64(i))
			floor := math.Expm1(max(math.Abs(math.Log(noise.Lo)), math.Abs(math.Log(noise.Hi))))
			base, x := w.measure(r, 1/1.2)
			res := Ratio(base, x, Wall, uint64(i))
			if v, _ := Judge(res, res.P, floor); v == run.Slower {
				found++
			}
		}
		t.Logf("%s: found %d of %d", name, found, trials)
		if p := float64(found) / trials; p < 0.95 {
			t.Errorf("%s: +20%% found in %.3f of trials, want at least 0.95", name, p)
		}
	}
}

// An unpaired comparison is the slow oracle here: where the machine's mood
// dominates, pairing must be far sharper and still right.
func TestPairingRemovesTheMood(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	base, x := world{5, 20, 0, 0.01, 0.3, 0}.measure(r, 1.1)
	paired := Ratio(base, x, Wall, 1)
	b, c := Locate(seriesOf(base, SampleTime(Wall)).clusters(), 1), Locate(seriesOf(x, SampleTime(Wall)).clusters(), 1)
	unpaired := math.Hypot(b.SE, c.SE)
	if paired.SE > unpaired/5 {
		t.Errorf("paired standard error %.4f, unpaired %.4f: pairing gained too little", paired.SE, unpaired)
	}
	near(t, "ratio", paired.Point, 1.1, 0.02)
}

func TestRatioPairsOnRoundsSeenByBoth(t *testing.T) {
	s := func(l, r int, ns float64) run.Sample { return run.Sample{Launch: l, Round: r, Wall: ns, N: 1} }
	base := []run.Sample{s(0, 0, 200), s(0, 1, 200), s(1, 0, 200), s(2, 0, 1e9)}
	x := []run.Sample{s(1, 0, 100), s(0, 1, 100), s(0, 0, 100), s(9, 9, 1), s(0, 0, 0)}
	res := Ratio(base, x, Wall, 1)
	if res.N != 3 || math.Abs(res.Point-2) > 1e-12 || res.Lo != res.Point || res.Hi != res.Point {
		t.Errorf("got %+v, want 2 from 3 pairs", res)
	}
}

func TestTooFewValuesProveNothing(t *testing.T) {
	for _, c := range []Clusters{nil, {{}}, {{0.7}}, {{0.7}, {}}} {
		res := Locate(c, 1)
		if res.DF != 0 || res.P != 1 {
			t.Errorf("Locate(%v) = %+v: DF and P must say that nothing is proven", c, res)
		}
		if v, _ := Judge(res, res.P, 0); v != "" && v != run.Inconclusive {
			t.Errorf("Judge of %v is %q", c, v)
		}
	}
	if res := Locate(Clusters{{0, 0, 0}, {0, 0}}, 1); res.Lo != 1 || res.Hi != 1 || res.P != 1 {
		t.Errorf("identical programs: %+v", res)
	}
}

// Locate is Difference of logarithms, and Difference of values that are zero or less than that has
// an interval too.
func TestDifference(t *testing.T) {
	c := Clusters{{0.1, 0.2, 0.15, 0.4, 0.12}, {0.3, 0.1, 0.2, 0.25, 0.18}}
	l, d := Locate(c, 7), Difference(c, 7)
	for _, k := range [][2]float64{{l.Point, math.Exp(d.Point)}, {l.Lo, math.Exp(d.Lo)}, {l.Hi, math.Exp(d.Hi)}, {l.SE, d.SE}, {l.P, d.P}} {
		if k[0] != k[1] {
			t.Errorf("Locate %+v, Difference %+v", l, d)
		}
	}
	if r := Difference(Clusters{{-3, 0, -1, -2, -4}}, 7); r.Point != -2 || r.Lo >= -2 || r.Hi <= -2 || r.N != 5 {
		t.Errorf("%+v", r)
	}
	if r := Difference(Clusters{{0, 0, 0}}, 7); r.Point != 0 || r.Lo != 0 || r.Hi != 0 || r.DF == 0 || r.P != 1 {
		t.Errorf("of nothing: %+v", r)
	}
	if r := Difference(nil, 7); r.N != 0 || r.P != 1 {
		t.Errorf("without values: %+v", r)
	}
}

func TestLocateIsSeeded(t *testing.T) {
	base, x := worlds["rough"].measure(rand.New(rand.NewPCG(1, 1)), 1.2)
	a, b := Ratio(base, x, Wall, 42), Ratio(base, x, Wall, 42)
	if a != b {
		t.Errorf("same seed, two results: %+v %+v", a, b)
	}
	c := Ratio(base, x, Wall, 43)
	if a == c {
		t.Error("another seed gave the very same interval")
	}
	near(t, "log width across seeds", math.Log(c.Hi/c.Lo)/math.Log(a.Hi/a.Lo), 1, 0.25)
}

// BenchmarkRatio is of 100 pairs: 60 cells and a ranking take about 200 of them, which
// should be done in two seconds.
func BenchmarkRatio(b *testing.B) {
	base, x := worlds["calm"].measure(rand.New(rand.NewPCG(1, 1)), 1.2)
	for i := 0; b.Loop(); i++ {
		Ratio(base, x, Wall, uint64(i))
	}
}

// TestNeedsFewRounds: of three rounds, thrice as many narrow an interval more than by the square
// root of three.
func TestNeedsFewRounds(t *testing.T) {
	r := Result{Point: 2, Lo: 0.25, Hi: 16, DF: 2}
	if k := needs(r, math.Log(2), 0.02); k != 3 {
		t.Errorf("three rounds: %v× longer", k)
	}
	if r.DF = 1000; needs(r, math.Log(2), 0.02) != 9 {
		t.Errorf("many rounds: %v× longer", needs(r, math.Log(2), 0.02))
	}
}

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name          string
		point, lo, hi float64
		p, floor      float64
		verdict       string
		need          float64
	}{
		{"clearly faster", 2, 1.9, 2.1, 1e-6, 0.02, run.Faster, 0},
		{"clearly slower", 0.5, 0.48, 0.52, 1e-6, 0.02, run.Slower, 0},
		{"interval includes 1", 1.2, 0.97, 1.5, 0.06, 0.02, run.Inconclusive, 2},
		{"not after correction", 1.2, 1.05, 1.4, 0.08, 0.02, run.Inconclusive, 2},
		{"wide", 1.1, 0.7, 1.7, 0.6, 0.02, run.Inconclusive, 17},
		{"small and within the floor", 1.01, 1.005, 1.015, 1e-6, 0.02, run.Tied, 0},
		{"small and uncertain", 1.01, 0.9, 1.1, 0.5, 0.02, run.Inconclusive, 7}, // tied says alike, which this does not show
		{"wide around 1", 1.005, 0.7, 1.4, 0.9, 0.02, run.Inconclusive, 65},
		{"wide on one side", 1.01, 0.99, 1.2, 0.3, 0.02, run.Inconclusive, 14},
		{"tight around 1", 1.005, 0.99, 1.02, 0.5, 0.02, run.Tied, 0},
		{"within the floor of a noisy machine", 1.01, 0.93, 1.09, 0.5, 0.1, run.Inconclusive, 4},
		{"far within the floor of a wild machine", 1.02, 0.32, 2.95, 0.9, 2.42, run.Inconclusive, 1474},
		{"small, floor smaller", 1.03, 0.99, 1.07, 0.1, 0.02, run.Inconclusive, 2},
		{"large but within a huge floor", 1.5, 1.4, 1.6, 1e-6, 1.4, run.Inconclusive, 4},
		{"same to the bit", 1, 1, 1, 1, 0, run.Tied, 0},
	} {
		v, need := Judge(Result{Point: c.point, Lo: c.lo, Hi: c.hi, DF: 8, N: 100}, c.p, c.floor)
		if v != c.verdict || need != c.need {
			t.Errorf("%s: %s, %v× longer; want %s, %v×", c.name, v, need, c.verdict, c.need)
		}
	}
}

// resampleSlow draws the same rounds and sorts them.
func resampleSlow(c Clusters, medians []float64, seed uint64) (boot []float64, within float64) {
	rng := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	L := len(c)
	for range draws {
		sum := 0.0
		for range L {
			i := 0
			if L > 1 {
				i = rng.IntN(L)
			}
			sorted := slices.Clone(c[i])
			slices.Sort(sorted)
			var drawn []float64
			for range sorted {
				drawn = append(drawn, sorted[rng.IntN(len(sorted))])
			}
			m := Median(drawn)
			sum += m
			within += (m - medians[i]) * (m - medians[i])
		}
		boot = append(boot, sum/float64(L))
	}
	return boot, within / draws / float64(L) / float64(L)
}

func TestResampleMatchesSorting(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for trial := range 60 {
		c := make(Clusters, 1+r.IntN(5))
		medians := make([]float64, len(c))
		for i := range c {
			for range 1 + r.IntN(24) {
				c[i] = append(c[i], math.Round(20*r.NormFloat64())/20) // with ties
			}
			medians[i] = Median(c[i])
		}
		fast, fw := resample(c, medians, uint64(trial))
		slow, sw := resampleSlow(c, medians, uint64(trial))
		if !slices.Equal(fast, slow) {
			t.Fatalf("%v: counting and sorting differ", c)
		}
		near(t, "within", fw, sw, 1e-12)
	}
}

func BenchmarkResample(b *testing.B) {
	base, x := worlds["calm"].measure(rand.New(rand.NewPCG(1, 1)), 1.2)
	c := seriesOf(base, SampleTime(Wall)).over(seriesOf(x, SampleTime(Wall)))
	medians := make([]float64, len(c))
	for i := range c {
		medians[i] = Median(c[i])
	}
	b.Run("count", func(b *testing.B) {
		for b.Loop() {
			resample(c, medians, 1)
		}
	})
	b.Run("sort", func(b *testing.B) {
		for b.Loop() {
			resampleSlow(c, medians, 1)
		}
	})
}
