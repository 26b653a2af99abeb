package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/run/runtest"
)

// duel is a run of named codecs with true times, sizes and allocations.
func duel(spread float64, codecs map[string][4]float64) *run.Run {
	r := &run.Run{Seed: 1, Clock: Wall}
	rng := rand.New(rand.NewPCG(8, 8))
	for _, name := range []string{"a", "b", "c"} {
		x, ok := codecs[name]
		if !ok {
			continue
		}
		r.Contenders = append(r.Contenders, &run.Contender{Name: name, Family: map[bool]string{true: "binary", false: "json"}[name == "a"],
			Status: run.StatusMeasured, Contract: run.Grade{Grade: run.Kept}, Value: run.Grade{Grade: run.Lossless}})
		for i, op := range []string{Encode, Decode} {
			c := &run.Cell{Codec: name, Op: op, Mode: Fresh, Wire: x[2], Allocs: x[3] / 2}
			for l := range 5 {
				luck := spread * rng.NormFloat64()
				for k := range 9 {
					t := x[i] * math.Exp(luck+spread*rng.NormFloat64())
					c.Samples = append(c.Samples, run.Sample{Launch: l, Round: k, N: 10, Wall: t, CPU: t})
				}
			}
			r.Cells = append(r.Cells, c)
		}
	}
	Fill(r)
	return r
}

// TestDecide: who is better in everything always comes first; of two that are better in
// one of four things each, none is preferred; what the noise hides is open.
func TestDecide(t *testing.T) {
	for _, c := range []struct {
		name   string
		spread float64
		codecs map[string][4]float64
		codec  string
		lo, hi float64
	}{
		{"better in all", 0.01, map[string][4]float64{"a": {100, 100, 50, 1}, "b": {200, 200, 99, 2}}, "a", 1, 1},
		{"worse in all", 0.01, map[string][4]float64{"a": {100, 100, 50, 1}, "b": {200, 200, 99, 2}}, "b", 0, 0},
		{"encode against decode", 0.01, map[string][4]float64{"a": {100, 200, 50, 2}, "b": {200, 100, 50, 2}}, "a", 0.43, 0.57},
		{"twice as fast, twice as large", 0.01, map[string][4]float64{"a": {100, 100, 100, 2}, "b": {200, 200, 50, 2}}, "a", 0.68, 0.82},
		{"only noise", 0.2, map[string][4]float64{"a": {100, 100, 50, 2}, "b": {100, 100, 50, 2}}, "a", 0.02, 0.98},
		{"no allocation is half a one", 0.001, map[string][4]float64{"a": {100, 100, 50, 0}, "b": {100, 100, 50, 1}}, "a", 0.85, 1},
	} {
		v := duel(c.spread, c.codecs).Verdict
		if got, _ := ShareOf(v.Top, c.codec); got < c.lo || got > c.hi {
			t.Errorf("%s: %s is first in %.2f of draws, want %v to %v", c.name, c.codec, got, c.lo, c.hi)
		}
		sum := 0.0
		for _, s := range v.Top {
			sum += s.Share
		}
		near(t, c.name+": sum of shares", sum, 1, 1e-12)
	}
}

// Twice as fast at twice the size wins where the weights of time exceed that of size;
// counting over a lattice of weights is the oracle for how often that is.
func TestDecideMatchesLattice(t *testing.T) {
	won, all := 0.0, 0.0
	const n = 60
	for i := 0; i <= n; i++ {
		for j := 0; i+j <= n; j++ {
			for k := 0; i+j+k <= n; k++ {
				all++
				switch d := i + j - k; {
				case d > 0:
					won++
				case d == 0:
					won += 0.5
				}
			}
		}
	}
	v := duel(0.001, map[string][4]float64{"a": {100, 100, 100, 2}, "b": {200, 200, 50, 2}}).Verdict
	share, _ := ShareOf(v.Top, "a")
	near(t, "share of a", share, won/all, 0.06)
}

// TestDecideHonoursTheFloor: a lead that two copies of one program were seen to have is
// none, however steady the samples of one launch are.
func TestDecideHonoursTheFloor(t *testing.T) {
	for _, c := range []struct{ floor, lo, hi float64 }{{0, 0.99, 1}, {0.02, 0.9, 1}, {1.5, 0.4, 0.75}} {
		r := duel(1e-4, map[string][4]float64{"a": {100, 100, 50, 2}, "b": {108, 108, 50, 2}})
		r.Noise.Floor = c.floor
		_, top, _ := decide(r)
		if got, _ := ShareOf(top, "a"); got < c.lo || got > c.hi {
			t.Errorf("8%% faster at a floor of %v: first in %.2f of draws, want %v to %v", c.floor, got, c.lo, c.hi)
		}
	}
}

func TestDecideOfFamilies(t *testing.T) {
	v := duel(0.01, map[string][4]float64{"a": {50, 50, 20, 1}, "b": {100, 100, 50, 1}, "c": {200, 200, 50, 2}}).Verdict
	if len(v.TopJSON) != 2 || v.TopJSON[0].Codec != "b" || v.TopJSON[0].Share < 0.99 || v.Draws != decisions {
		t.Errorf("among those of family json: %+v of %d draws", v.TopJSON, v.Draws)
	}
	if alone := duel(0.01, map[string][4]float64{"a": {50, 50, 20, 1}}).Verdict; alone.Draws != 0 || alone.Top != nil {
		t.Errorf("one contender alone was compared: %+v", alone)
	}
}

func BenchmarkDecide(b *testing.B) {
	r := runtest.Order(runtest.Options{})
	Fill(r)
	for b.Loop() {
		decide(r)
	}
}
