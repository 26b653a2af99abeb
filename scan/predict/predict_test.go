package predict

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/zmylab/zmy/scan/profile"
)

// world is a program whose true figures are known.
type world struct {
	work      []float64 // shares of CPU of the places; the rest is other code
	alloc     []float64 // their shares of all bytes allocated
	collector float64   // its share of CPU
	ratios    []float64 // of the places; equal ones are one measurement
	spared    float64   // share of the bytes that the other codec does not allocate, at each place
	width     float64   // of the lab's 95% interval of a ratio: from 1/(1+width) to 1+width
	samples   float64   // of the CPU profile
	allocs    float64   // of the heap profile
}

// truth returns the true saving at each place, and their sum as the last.
func (w *world) truth() []float64 {
	out := make([]float64, len(w.work)+1)
	for i := range w.work {
		out[i] = w.work[i]*(1-1/w.ratios[i]) + w.collector*w.alloc[i]*w.spared
		out[len(w.work)] += out[i]
	}
	return out
}

// observe profiles the world and measures its ratios once.
func (w *world) observe(rng *rand.Rand, seed uint64) Input {
	in := Input{Seed: seed}
	const period = 1e7
	count := func(mean float64) float64 { return poisson(rng, mean) }
	add := func(to *profile.Weight, n, value float64) {
		if n > 0 {
			to.Add(profile.Weight{Sum: n * value, Squares: n * value * value})
		}
	}
	rest, restAlloc := 1-w.collector, 1.0
	index := map[float64]int{}
	for i := range w.work {
		var p Place
		add(&p.Work, count(w.samples*w.work[i]), period)
		add(&p.Alloc, count(w.allocs*w.alloc[i]), 512<<10)
		rest, restAlloc = rest-w.work[i], restAlloc-w.alloc[i]
		at, seen := index[w.ratios[i]]
		if !seen {
			at = len(in.Ratios)
			index[w.ratios[i]] = at
			point := w.ratios[i] * math.Exp(rng.NormFloat64()*math.Log(1+w.width)/normal95)
			in.Ratios = append(in.Ratios, Ratio{Interval{point, point / (1 + w.width), point * (1 + w.width)}, &w.spared})
		}
		p.Ratio = at
		in.Places = append(in.Places, p)
		in.Total.Add(p.Work)
		in.Alloc.Add(p.Alloc)
	}
	add(&in.Collector, count(w.samples*w.collector), period)
	in.Total.Add(in.Collector)
	add(&in.Total, count(w.samples*rest), period)
	add(&in.Alloc, count(w.allocs*restAlloc), 512<<10)
	return in
}

func poisson(rng *rand.Rand, mean float64) float64 {
	if mean > 500 {
		return math.Max(0, math.Round(mean+rng.NormFloat64()*math.Sqrt(mean)))
	}
	n, p := 0.0, math.Exp(-mean)
	for u, sum := rng.Float64(), p; u > sum && n < 5000; sum += p {
		n++
		p *= mean / n
	}
	return n
}

// TestCoverage simulates profiles and measurements of programs whose true savings are known. The 95%
// intervals contain the truth in about 95% of them, of each place and of the sum.
func TestCoverage(t *testing.T) {
	const runs = 400
	for name, w := range map[string]*world{
		"one heavy site": {work: []float64{0.07}, alloc: []float64{0.2}, collector: 0.05, ratios: []float64{2.4},
			spared: 0.4, width: 0.05, samples: 5000,
			allocs: 2000},
		"several sites of one type": {work: []float64{0.03, 0.02, 0.01}, alloc: []float64{0.1, 0.05, 0.01}, collector: 0.1,
			ratios: []float64{3, 3, 3}, spared: 0.7, width: 0.1, samples: 3000, allocs: 500},
		"several types": {work: []float64{0.05, 0.02, 0.008}, alloc: []float64{0.2, 0.1, 0.02}, collector: 0.15,
			ratios: []float64{2, 4, 1.3}, spared: -0.2, width: 0.05, samples: 20000, allocs: 5000},
		"few samples": {work: []float64{0.01, 0.005}, alloc: []float64{0.02, 0.01}, collector: 0.05, ratios: []float64{2, 5},
			spared: 0.5, width: 0.05,
			samples: 1000, allocs: 200},
		"the lab decides": {work: []float64{0.2}, alloc: []float64{0.3}, collector: 0.2, ratios: []float64{1.2},
			spared: 0.1, width: 0.08, samples: 50000,
			allocs: 20000},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(1, 2))
			truth := w.truth()
			in := make([]int, len(truth))
			for k := range runs {
				out := Predict(w.observe(rng, uint64(k)))
				for i, s := range append(out.Places, out.Sum) {
					if s.Saving.Lo <= truth[i] && truth[i] <= s.Saving.Hi {
						in[i]++
					}
				}
			}
			// The number of hits has a standard deviation of 4.4 in 400.
			for i, n := range in {
				what := fmt.Sprintf("place %d", i)
				if i == len(w.work) {
					what = "the sum"
				}
				if share := float64(n) / runs; share < 0.92 || share > 0.985 {
					t.Errorf("%s: %.1f%% of the intervals contain the truth", what, 100*share)
				}
				t.Logf("%s: %.1f%%", what, 100*float64(n)/runs)
			}
		})
	}
}

// TestPredict: the figures of a prediction follow the formula, and the same input gives the same output.
func TestPredict(t *testing.T) {
	one := func(n float64) profile.Weight { return profile.Weight{Sum: n, Squares: n} }
	in := Input{Total: one(10000), Collector: one(1000), Alloc: one(5000), Seed: 3,
		Places: []Place{{Work: one(700), Alloc: one(1000), Ratio: 0}, {Work: one(100), Alloc: one(0), Ratio: -1}, {Work: one(300),
			Alloc: one(500), Ratio: 1}},
		Ratios: []Ratio{{Interval: Interval{2, 1.9, 2.1}}, {Interval: Interval{2, 2, 2}}}}
	out := Predict(in)
	close := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	close("CPU", out.Places[0].CPU.Point, 0.07)
	close("GC", out.Places[0].GC.Point, 0.1*0.2)
	close("saving", out.Places[0].Saving.Point, 0.09/2)
	close("saving without a ratio", out.Places[1].Saving.Point, 0)
	close("saving by a sure ratio", out.Places[2].Saving.Point, (0.03+0.1*0.1)/2)
	close("sum of CPU", out.Sum.CPU.Point, 0.11)
	close("sum of savings", out.Sum.Saving.Point, 0.045+0.02)
	for i, s := range append(out.Places, out.Sum) {
		for _, x := range []Interval{s.CPU, s.GC, s.Both, s.Saving} {
			if !(x.Lo <= x.Point && x.Point <= x.Hi) {
				t.Errorf("place %d: %v is no interval around its point", i, x)
			}
		}
	}
	if again := Predict(in); fmt.Sprint(again) != fmt.Sprint(out) {
		t.Error("the same input gives another output")
	}
	for _, spared := range []float64{0.75, 0, -1} { // the collector's part goes by bytes
		in.Ratios[0].Spared = &spared
		close("saving with bytes", Predict(in).Places[0].Saving.Point, 0.07/2+0.02*spared)
	}
}

// TestSharedRatio: a ratio that two places share makes their savings vary together, so the sum is less certain
// than with two independent ratios.
func TestSharedRatio(t *testing.T) {
	one := func(n float64) profile.Weight { return profile.Weight{Sum: n, Squares: n} }
	ratio := Ratio{Interval: Interval{2, 1.4, 2.8}}
	in := Input{Total: one(1e6), Alloc: one(1), Ratios: []Ratio{ratio, ratio},
		Places: []Place{{Work: one(1e5), Ratio: 0}, {Work: one(1e5), Ratio: 0}}}
	width := func() float64 { s := Predict(in).Sum.Saving; return s.Hi - s.Lo }
	shared := width()
	in.Places[1].Ratio = 1
	if apart := width(); shared < 1.25*apart {
		t.Errorf("width %.4f with a shared ratio, %.4f with two", shared, apart)
	}
}
