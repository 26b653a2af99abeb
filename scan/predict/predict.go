// Package predict computes what a change of codecs saves, with intervals.
//
// The saving at a place is CPU × (1 − 1/ratio) + collector × spared. CPU is the place's share of the samples
// of a CPU profile, collector its part of the garbage collector's share, by the bytes that it allocates.
// ratio is how many times faster the other codec is, and spared which part of the bytes it does not allocate,
// both measured on the place's type.
//
// Shares and ratios are uncertain, and are drawn anew many times: samples by a Poisson bootstrap, ratios from
// their intervals. Bytes are counted, so spared is taken as it is. The intervals of savings, and of their sum,
// are quantiles over these draws. A ratio that several places share is drawn once for all of them, and so are
// the totals.
package predict

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/zmylab/zmy/scan/profile"
)

// Interval is an estimate with its 95% interval.
type Interval struct {
	Point float64 `json:"point"`
	Lo    float64 `json:"lo"`
	Hi    float64 `json:"hi"`
}

// Input is what a prediction rests on.
type Input struct {
	Total     profile.Weight // all samples of the CPU profile
	Collector profile.Weight // those of the garbage collector
	Alloc     profile.Weight // all allocations: of a heap profile, or the allocating samples of the CPU profile
	Places    []Place
	Ratios    []Ratio
	Seed      uint64
}

// Place is a site with one of its values.
type Place struct {
	Work  profile.Weight // serialization in the CPU profile
	Alloc profile.Weight // what it allocates, of Input.Alloc
	Ratio int            // index in Input.Ratios; -1: nothing is to change here
}

// Ratio is how many times faster another codec is than the one in use.
type Ratio struct {
	Interval
	// Spared is the part of the bytes allocated that the other codec does not allocate; below zero, it
	// allocates more. nil: unknown, and the collector saves as much as the rest.
	Spared *float64
}

// Output is the prediction. All figures are shares of the CPU time of the profile.
type Output struct {
	Places []Saving `json:"places"` // in the order of Input.Places
	Sum    Saving   `json:"sum"`
}

// Saving is what is spent at a place and what would be saved there.
type Saving struct {
	CPU    Interval `json:"cpu"`
	GC     Interval `json:"gc"`
	Both   Interval `json:"both"` // CPU and GC together
	Saving Interval `json:"saving"`
}

// draws is the number of draws: enough for quantiles of 2.5% that rest on 50 of them each.
const draws = 2000

// level is the probability that an interval contains the truth.
const level = 0.95

// Predict computes the prediction. The same input gives the same output.
func Predict(in Input) Output {
	rng := rand.New(rand.NewPCG(in.Seed, 0x7a6d79))
	n := len(in.Places)
	point := in.once(nil)
	series := make([][]figures, n+1)
	for range draws {
		for i, f := range in.once(rng) {
			series[i] = append(series[i], f)
		}
	}
	out := Output{}
	for i, f := range point {
		s := f.saving(series[i])
		if i < n {
			out.Places = append(out.Places, s)
		} else {
			out.Sum = s
		}
	}
	return out
}

// figures are the shares of one place in one draw.
type figures struct{ cpu, gc, saved float64 }

// once computes the figures of all places, and their sum as the last. With a generator it draws, without
// one it computes the estimates.
func (in *Input) once(rng *rand.Rand) []figures {
	out := make([]figures, len(in.Places)+1)
	work, alloc := make([]float64, len(in.Places)), make([]float64, len(in.Places))
	rest, restAlloc := in.Total, in.Alloc
	collector := draw(rng, in.Collector)
	rest = minus(rest, in.Collector)
	total, totalAlloc := collector, 0.0
	for i, p := range in.Places {
		work[i], alloc[i] = draw(rng, p.Work), draw(rng, p.Alloc)
		rest, restAlloc = minus(rest, p.Work), minus(restAlloc, p.Alloc)
		total, totalAlloc = total+work[i], totalAlloc+alloc[i]
	}
	total, totalAlloc = total+draw(rng, rest), totalAlloc+draw(rng, restAlloc)
	ratios := make([]float64, len(in.Ratios))
	for i, r := range in.Ratios {
		ratios[i] = r.draw(rng)
	}
	sum := &out[len(in.Places)]
	for i, p := range in.Places {
		f := &out[i]
		if total > 0 {
			f.cpu = work[i] / total
		}
		if total > 0 && totalAlloc > 0 {
			f.gc = collector / total * alloc[i] / totalAlloc
		}
		if p.Ratio >= 0 {
			saved := 1 - 1/ratios[p.Ratio]
			spared := saved
			if s := in.Ratios[p.Ratio].Spared; s != nil {
				spared = *s
			}
			f.saved = f.cpu*saved + f.gc*spared
		}
		sum.cpu, sum.gc, sum.saved = sum.cpu+f.cpu, sum.gc+f.gc, sum.saved+f.saved
	}
	return out
}

// minus returns what is left of w without the samples of o.
func minus(w, o profile.Weight) profile.Weight {
	return profile.Weight{Sum: max(0, w.Sum-o.Sum), Squares: max(0, w.Squares-o.Squares)}
}

// saving returns the estimates f with intervals from draws.
func (f figures) saving(draws []figures) Saving {
	pick := func(of func(figures) float64) Interval {
		all := make([]float64, len(draws))
		for i, d := range draws {
			all[i] = of(d)
		}
		slices.Sort(all)
		tail := (1 - level) / 2 * float64(len(all))
		return Interval{of(f), all[int(tail)], all[len(all)-1-int(tail)]}
	}
	return Saving{
		CPU:    pick(func(f figures) float64 { return f.cpu }),
		GC:     pick(func(f figures) float64 { return f.gc }),
		Both:   pick(func(f figures) float64 { return f.cpu + f.gc }),
		Saving: pick(func(f figures) float64 { return f.saved }),
	}
}

// draw returns the sum of a weight in another profile of the same program. The number of its samples is a
// Poisson variable; this is drawn from the distribution of its mean given the number that was seen (a gamma
// distribution, by Jeffreys' prior), since resampling the samples themselves gives intervals that are too
// short where there are few of them, and none where there is one.
func draw(rng *rand.Rand, w profile.Weight) float64 {
	if rng == nil || w.Sum <= 0 {
		return w.Sum
	}
	n := w.Count()
	return w.Sum / n * gamma(rng, n+0.5)
}

// gamma draws from the gamma distribution with the given shape and scale 1 (Marsaglia and Tsang 2000, "A
// Simple Method for Generating Gamma Variables"). shape must be at least 1/3.
func gamma(rng *rand.Rand, shape float64) float64 {
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := rng.NormFloat64()
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v = v * v * v
		if u := rng.Float64(); math.Log(u) < x*x/2+d-d*v+d*math.Log(v) {
			return d * v
		}
	}
}

// normal95 is the 97.5% quantile of the normal distribution.
const normal95 = 1.959964

// draw draws a ratio. Its logarithm has a normal distribution, with one width above the estimate and
// another one below it.
func (r Ratio) draw(rng *rand.Rand) float64 {
	if rng == nil {
		return r.Point
	}
	z := rng.NormFloat64()
	switch {
	case z > 0 && r.Hi > r.Point:
		return r.Point * math.Pow(r.Hi/r.Point, z/normal95)
	case z < 0 && r.Lo > 0 && r.Lo < r.Point:
		return r.Point * math.Pow(r.Lo/r.Point, -z/normal95)
	}
	return r.Point
}
