package stores

import (
	"slices"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/run"
)

// view is one store's part of the result.
type view struct {
	*Place
	codecs []string
	rates  []float64
	points map[string]map[float64]*Point // by codec and rate
	top    float64                       // the highest rate that all codecs keep up with, 0 for none
}

// views are the stores with the codecs that were measured there, in the order of the result.
func (res *Result) views() (out []*view) {
	for _, p := range res.Places {
		v := &view{Place: p, points: map[string]map[float64]*Point{}}
		for _, x := range res.Points {
			if x.Store != p.Kind {
				continue
			}
			if v.points[x.Codec] == nil {
				v.points[x.Codec] = map[float64]*Point{}
				v.codecs = append(v.codecs, x.Codec)
			}
			v.points[x.Codec][x.Rate] = x
			if !slices.Contains(v.rates, x.Rate) {
				v.rates = append(v.rates, x.Rate)
			}
		}
		slices.Sort(v.rates)
		for _, r := range v.rates {
			if !slices.ContainsFunc(v.codecs, func(c string) bool { return !v.keepsUp(c, r) }) {
				v.top = r
			}
		}
		if len(v.codecs) > 0 {
			out = append(out, v)
		}
	}
	return out
}

// at is a codec's point at a rate, nil where it was not visited.
func (v *view) at(codec string, rate float64) *Point { return v.points[codec][rate] }

func (v *view) keepsUp(codec string, rate float64) bool {
	p := v.at(codec, rate)
	return p != nil && p.valid()
}

// reach is the highest rate that a codec keeps up with, 0 for none.
func (v *view) reach(codec string) (most float64) {
	for _, r := range v.rates {
		if v.keepsUp(codec, r) {
			most = r
		}
	}
	return most
}

// first is the point of a codec at the lowest rate at which P99 of an op is known: what drift
// counts from.
func (v *view) first(codec, op string) *Point {
	for _, r := range v.rates {
		if p := v.at(codec, r); p != nil && p.valid() && percentile(&p.part(op).Response, 0.99).Value != nil {
			return p
		}
	}
	return nil
}

// drift is P99 over that of the lowest rate at which it is known, with the widest interval
// that those of the two allow.
func (v *view) drift(p *Point, op string) run.Item {
	from := v.first(p.Codec, op)
	if from == nil || from.Rate > p.Rate {
		return experiment.None("–")
	}
	a, z := percentile(&from.part(op).Response, 0.99), percentile(&p.part(op).Response, 0.99)
	if z.Value == nil {
		return experiment.None("–")
	}
	if from == p {
		return run.Num(1)
	}
	x := run.Num(*z.Value / *a.Value)
	lo, hi := *z.Lo / *a.Hi, *z.Hi / *a.Lo
	x.Lo, x.Hi = &lo, &hi
	if a.Mark != "" || z.Mark != "" {
		x.Mark = "doubt"
	}
	return x
}

// growth is what the client's process holds over what it held at the codec's lowest rate.
func (v *view) growth(p *Point) float64 {
	for _, r := range v.rates {
		if from := v.at(p.Codec, r); from != nil {
			return share(p.Mapped, from.Mapped)
		}
	}
	return 1
}

// better is the lowest rate from which on, up to the highest common one, P99 of an op is
// lower with a codec than with the baseline beyond doubt; 0 where it is not so at two rates
// running, or at the only one.
func (v *view) better(codec, op string) (from float64) {
	need := 0
	for _, r := range v.rates {
		a, z := v.at(codec, r), v.at(run.Baseline, r)
		if r > v.top || a == nil || z == nil || !a.valid() || !z.valid() {
			continue
		}
		if below(percentile(&a.part(op).Response, 0.99), percentile(&z.part(op).Response, 0.99)) {
			if need++; need == 1 {
				from = r
			}
		} else {
			need, from = 0, 0
		}
	}
	if need < min(2, len(v.rates)) {
		return 0
	}
	return from
}
