package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/zmylab/zmy/lab/run"
)

// noisy is a machine that other programs disturb: standard deviations on a log scale, of
// each program in each launch and in each round, for CPU time, and for the wall time that a
// unit of CPU time takes.
type noisy struct {
	floor               string // about what the A/A twin shows
	cpuLaunch, cpuRound float64
	gapLaunch, gapRound float64
}

// noisies are machines with noise floors of about 5%, 50% and 250%.
var noisies = []noisy{
	{"5%", 0.01, 0.02, 0.02, 0.05},
	{"50%", 0.12, 0.15, 0.8, 0.6},
	{"250%", 0.4, 0.3, 1.3, 0.8},
}

// samples simulates a program of ns CPU time that takes waits times as much wall time.
func (m noisy) samples(r *rand.Rand, launches, rounds int, ns, waits float64) []run.Sample {
	var out []run.Sample
	for l := range launches {
		luck, gap := m.cpuLaunch*r.NormFloat64(), m.gapLaunch*math.Abs(r.NormFloat64())
		for k := range rounds {
			cpu := ns * math.Exp(luck+m.cpuRound*r.NormFloat64())
			wall := cpu * waits * math.Exp(gap+m.gapRound*math.Abs(r.NormFloat64()))
			out = append(out, run.Sample{Launch: l, Round: k, N: 100, Wall: wall, CPU: cpu, At: float64(l*rounds + k)})
		}
	}
	return out
}

// aRun is a run on m of codecs named c0, c1, …, each with its true CPU time and wait.
func (m noisy) aRun(r *rand.Rand, launches, rounds int, clock string, codecs ...[2]float64) *run.Run {
	out := &run.Run{Seed: r.Uint64(), Clock: clock}
	add := func(name string, ns, waits float64) {
		for _, op := range []string{Encode, Decode} {
			out.Cells = append(out.Cells, &run.Cell{Codec: name, Op: op, Mode: Fresh, Wire: 100, Samples: m.samples(r, launches, rounds, ns, waits)})
		}
		out.Contenders = append(out.Contenders, &run.Contender{Name: name, Family: "json", Status: run.StatusMeasured,
			Contract: run.Grade{Grade: run.Kept}, Value: run.Grade{Grade: run.Lossless}})
	}
	add(run.Baseline, 1000, 1)
	add(run.Twin, 1000, 1)
	for i, c := range codecs {
		add(fmt.Sprint("c", i), c[0], c[1])
	}
	Fill(out)
	return out
}

// waitsByPoint is the rule that the interval replaced: a ratio of medians beyond two.
func waitsByPoint(r *run.Run, codec string) bool {
	for _, op := range []string{Encode, Decode} {
		x, base := Find(r, codec, op, Fresh), BaselineCell(r, op)
		if x.Wall.Median/x.CPU.Median/(base.Wall.Median/base.CPU.Median) > waitsBy {
			return true
		}
	}
	return false
}

// tiedByFloor is the rule that the fixed margin replaced: the margin grew with the noise.
func tiedByFloor(r Result, floor float64) bool {
	limit := math.Log1p(floor)
	return r.DF > 0 && math.Abs(math.Log(r.Point)) <= min(limit, small) && reach(r) <= max(limit, small)
}

// schedules are what a quick run and a standard one measure.
var schedules = [][2]int{{4, 5}, {5, 20}}

// TestWaitsRates: a codec that works all the time is hardly ever taken for one that waits,
// however noisy the machine, and one that sleeps is found.
func TestWaitsRates(t *testing.T) {
	const runs, honest = 20, 5
	for _, m := range noisies {
		for _, s := range schedules {
			r := rand.New(rand.NewPCG(5, uint64(s[1])))
			before, after, found := 0, 0, 0
			var floors []float64
			for range runs {
				codecs := make([][2]float64, honest, honest+1)
				for i := range codecs {
					codecs[i] = [2]float64{500, 1}
				}
				x := m.aRun(r, s[0], s[1], CPU, append(codecs, [2]float64{10, 1000})...)
				floors = append(floors, x.Noise.Floor)
				old, now := false, false
				for i := range honest {
					name := fmt.Sprint("c", i)
					old = old || waitsByPoint(x, name)
					now = now || Contender(x, name).Rankless != ""
				}
				before, after = before+bit(old), after+bit(now)
				sleeper := fmt.Sprint("c", honest)
				found += bit(Contender(x, sleeper).Rankless != "")
				for _, op := range []string{Encode, Decode} {
					if c := Find(x, sleeper, op, Fresh); c.Rank && c.Against == run.Faster {
						t.Errorf("floor %s: a codec that sleeps is called faster", m.floor)
					}
				}
			}
			t.Logf("floor %s (CPU ±%.0f%%), %d × %d: runs that remove an honest codec: %d before, %d now, of %d; sleepers found: %d",
				m.floor, 100*Median(floors), s[0], s[1], before, after, runs, found)
			if after > 1 {
				t.Errorf("floor %s: an honest codec waits in %d of %d runs, want at most 5%%", m.floor, after, runs)
			}
			if m.floor != "5%" && before < after+4 {
				t.Errorf("floor %s: the rule by points errs in %d of %d runs only: the simulation shows nothing", m.floor, before, runs)
			}
			if found < runs*9/10 {
				t.Errorf("floor %s: a codec that sleeps is found in %d of %d runs", m.floor, found, runs)
			}
		}
	}
}

// TestOneLaunch: equal codecs are hardly ever called different by the rounds of one launch, which
// cannot show how far another launch would lie. What is ten times as fast still is on a calm machine.
func TestOneLaunch(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates 1,600 runs")
	}
	const runs = 100
	for _, m := range append([]noisy{{"2%", 0.005, 0.01, 0, 0}, {"lucky", 0.1, 0.01, 0, 0}}, noisies[1:]...) {
		for _, rounds := range []int{3, 20} {
			r := rand.New(rand.NewPCG(3, uint64(rounds)))
			wrong, apart, found := 0, 0, 0
			for range runs {
				x := m.aRun(r, 1, rounds, CPU, [2]float64{1000, 1}, [2]float64{1000, 1}, [2]float64{1000, 1})
				claims := false
				for _, c := range x.Cells {
					claims = claims || c.Against == run.Faster || c.Against == run.Slower
				}
				wrong, apart = wrong+bit(claims), apart+bit(x.Ranking[len(x.Ranking)-1].Place != 1)
				if x = m.aRun(r, 1, rounds, CPU, [2]float64{100, 1}); Find(x, "c0", Encode, Fresh).Against == run.Faster {
					found++
				}
			}
			t.Logf("floor %s, 1 × %d: %d%% of runs call equal codecs different, %d%% give them other places; ten times as fast is proven in %d%%",
				m.floor, rounds, wrong, apart, found)
			if wrong > 10 || apart > 10 { // 5 of 100, and what chance adds in one case of a hundred
				t.Errorf("floor %s, 1 × %d: %d and %d of %d runs are wrong, want at most 5%%", m.floor, rounds, wrong, apart, runs)
			}
			if m.floor == "2%" && found < 90 {
				t.Errorf("floor %s, 1 × %d: ten times as fast is proven in %d%% of runs only", m.floor, rounds, found)
			}
		}
	}
}

// TestTiedRates: a codec that differs by 6%, more than the margin, is hardly ever called
// tied, however noisy the machine; on a calm one, equal codecs are.
func TestTiedRates(t *testing.T) {
	const trials = 150
	calm := noisy{"1%", 0.003, 0.01, 0, 0}
	for _, m := range append([]noisy{calm}, noisies...) {
		for _, s := range schedules {
			r := rand.New(rand.NewPCG(9, uint64(s[1])))
			before, after, equal := 0, 0, 0
			var floors []float64
			for i := range trials {
				sample := func(ns float64) []run.Sample { return m.samples(r, s[0], s[1], ns, 1) }
				base := sample(1000)
				floor := math.Expm1(reach(Ratio(base, sample(1000), Wall, uint64(i))))
				floors = append(floors, floor)
				other := Ratio(base, sample(1000/1.06), Wall, uint64(i))
				before += bit(tiedByFloor(other, floor))
				verdict, _ := Judge(other, 1, floor)
				after += bit(verdict == run.Tied)
				verdict, _ = Judge(Ratio(base, sample(1000), Wall, uint64(i)), 1, floor)
				equal += bit(verdict == run.Tied)
			}
			share := func(n int) float64 { return 100 * float64(n) / trials }
			t.Logf("floor %s (wall ±%.0f%%), %d × %d: 6%% apart and called tied: %.1f%% before, %.1f%% now; equal and called tied: %.0f%%",
				m.floor, 100*Median(floors), s[0], s[1], share(before), share(after), share(equal))
			if share(after) > 5 {
				t.Errorf("floor %s: 6%% apart is tied in %.1f%% of comparisons, want at most 5%%", m.floor, share(after))
			}
			if m == calm && share(equal) < 90 {
				t.Errorf("equal codecs on a calm machine are tied in %.0f%% of comparisons only", share(equal))
			}
		}
	}
}

// TestSuspectedWait: what may wait without being proven to is not called faster by its CPU
// time, and the run says so.
func TestSuspectedWait(t *testing.T) {
	found := false
	for seed := range uint64(20) {
		r := noisies[1].aRun(rand.New(rand.NewPCG(seed, 1)), 4, 5, CPU, [2]float64{100, 3.5})
		c := Contender(r, "c0")
		if c.Rankless != "" {
			continue
		}
		for _, w := range suspects(r) {
			if w.cell.Codec == "c0" && w.cell.Against == run.Faster {
				t.Errorf("seed %d: %s is faster and may wait %+v", seed, w.cell.Op, w.by)
			}
			found = found || !w.proven
		}
	}
	if !found {
		t.Error("no run had an unproven suspect: the test shows nothing")
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
