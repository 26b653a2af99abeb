package stats

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/zmylab/zmy/lab/run"
)

// decisions is the number of draws of decide. With 500, a share of one half is known to about ±4
// percentage points.
const decisions = 500

// decide estimates how much a pick depends on what its reader cares for, and on noise. Each draw
// has random weights for encode time, decode time, size and allocations, uniform over all weights
// that sum to one. It resamples launches and rounds, the same for all contenders. It also changes
// each time at random, by as much as two copies of one program differ according to the noise floor,
// because a few launches do not show such differences. The contender with the best weighted
// geometric mean is first. decide returns the number of draws, the share of draws in which each
// ranked contender came first, and the same among the contenders of family json.
func decide(r *run.Run) (n int, top, topJSON []run.Share) {
	cs := newCandidates(r)
	shape := shapeOf(cs)
	if len(cs) < 2 || shape.launches == 0 || shape.rounds == 0 {
		return 0, nil, nil
	}
	rng := rand.New(rand.NewPCG(seed(r, "decide"), 0xd1ce))
	first, firstJSON, cost := make([]int, len(cs)), make([]int, len(cs)), make([]float64, len(cs))
	luck := math.Log1p(r.Noise.Floor) / 1.96 / math.Sqrt2 // so that 95% of the differences of two lie within the floor
	for range decisions {
		w := simplex(rng, 4)
		picked := shape.draw(rng)
		best, bestJSON := 0, -1
		for i, c := range cs {
			enc, dec := c.enc.at(picked)+luck*rng.NormFloat64(), c.dec.at(picked)+luck*rng.NormFloat64()
			cost[i] = w[0]*enc + w[1]*dec + w[2]*c.size + w[3]*c.allocs
			if cost[i] < cost[best] {
				best = i
			}
			if c.json && (bestJSON < 0 || cost[i] < cost[bestJSON]) {
				bestJSON = i
			}
		}
		first[best]++
		if bestJSON >= 0 {
			firstJSON[bestJSON]++
		}
	}
	return decisions, shares(cs, first, false), shares(cs, firstJSON, true)
}

func shares(cs []candidate, first []int, json bool) []run.Share {
	var out []run.Share
	for i, c := range cs {
		if c.json || !json {
			out = append(out, run.Share{Codec: c.codec, Share: float64(first[i]) / decisions})
		}
	}
	slices.SortStableFunc(out, func(a, b run.Share) int { return cmp.Compare(b.Share, a.Share) })
	return out
}

// candidate is a ranked contender with the logarithms of its costs.
type candidate struct {
	codec        string
	json         bool
	enc, dec     Clusters // by launch and round
	size, allocs float64
}

// newCandidates returns the ranked contenders that have all four costs.
func newCandidates(r *run.Run) []candidate {
	var out []candidate
	time := SampleTime(r.Clock)
	for _, c := range rankedOf(r, "") {
		enc, dec := Find(r, c.Name, Encode, Fresh), Find(r, c.Name, Decode, Fresh)
		if enc == nil || dec == nil || enc.Wire <= 0 {
			continue
		}
		x := candidate{codec: c.Name, json: c.Family == "json", size: math.Log(enc.Wire),
			// None at all counts as half an allocation, so that its logarithm exists.
			allocs: math.Log(max(enc.Allocs+dec.Allocs, 0.5))}
		x.enc, x.dec = seriesOf(enc.Samples, time).clusters(), seriesOf(dec.Samples, time).clusters()
		out = append(out, x)
	}
	return out
}

// shape is the number of launches and rounds that every candidate has.
type shape struct{ launches, rounds int }

func shapeOf(cs []candidate) shape {
	s := shape{math.MaxInt, math.MaxInt}
	for _, c := range cs {
		for _, x := range []Clusters{c.enc, c.dec} {
			s.launches = min(s.launches, len(x))
			for _, l := range x {
				s.rounds = min(s.rounds, len(l))
			}
		}
	}
	return s
}

// sampled holds the launches of a draw, and the rounds drawn for each.
type sampled []struct {
	launch int
	rounds []int
}

func (s shape) draw(rng *rand.Rand) sampled {
	out := make(sampled, s.launches)
	for i := range out {
		out[i].launch = rng.IntN(s.launches)
		out[i].rounds = make([]int, s.rounds)
		for k := range out[i].rounds {
			out[i].rounds[k] = rng.IntN(s.rounds)
		}
	}
	return out
}

// at returns the location of resampled values: the mean over launches of medians over rounds.
func (c Clusters) at(picked sampled) float64 {
	sum := 0.0
	var few [64]float64
	for _, l := range picked {
		vs := few[:0]
		for _, k := range l.rounds {
			vs = append(vs, c[l.launch][k])
		}
		slices.Sort(vs)
		sum += medianSorted(vs)
	}
	return sum / float64(len(picked))
}

// simplex returns n random weights that sum to one, uniformly distributed.
func simplex(rng *rand.Rand, n int) []float64 {
	w, sum := make([]float64, n), 0.0
	for i := range w {
		w[i] = rng.ExpFloat64()
		sum += w[i]
	}
	for i := range w {
		w[i] /= sum
	}
	return w
}

// ShareOf returns the share of a codec. ok is false if it has none.
func ShareOf(all []run.Share, codec string) (share float64, ok bool) {
	for _, s := range all {
		if s.Codec == codec {
			return s.Share, true
		}
	}
	return 0, false
}
