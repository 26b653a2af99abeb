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
	kept   map[*Point]bool               // the points that their codec keeps up with, in every launch
	stop   map[string]*Point             // the first point that the codec did not keep up with, by codec
	top    float64                       // the highest rate that all codecs keep up with; 0 for none
}

// views returns the stores with the codecs that were measured there, in the order of the result.
func (res *Result) views() (out []*view) {
	for _, p := range res.Places {
		v := &view{Place: p, points: map[string]map[float64]*Point{}, kept: map[*Point]bool{}, stop: map[string]*Point{}}
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
		for _, c := range v.codecs {
			v.climb(c)
		}
		for _, r := range v.rates {
			if v.common(r) {
				v.top = r
			}
		}
		if len(v.codecs) > 0 {
			out = append(out, v)
		}
	}
	return out
}

// at returns a codec's point at a rate, or nil if it was not visited.
func (v *view) at(codec string, rate float64) *Point { return v.points[codec][rate] }

// climb finds the rate at which a codec stops keeping up. Points above that rate do not count, even
// if their requests were answered.
func (v *view) climb(codec string) {
	var below *Point
	for _, r := range v.rates {
		p := v.at(codec, r)
		if p == nil || p.Void != "" {
			continue
		}
		if p.full() || p.Missed > 0 || below != nil && p.climbs(below) > steep {
			v.stop[codec] = p
			return
		}
		v.kept[p], below = true, p
	}
}

func (v *view) keepsUp(codec string, rate float64) bool { return v.kept[v.at(codec, rate)] }

// common reports whether all codecs keep up with a rate.
func (v *view) common(rate float64) bool {
	return !slices.ContainsFunc(v.codecs, func(c string) bool { return !v.keepsUp(c, rate) })
}

// below returns the codec's point at the next lower rate with which it kept up.
func (v *view) below(p *Point) (out *Point) {
	for _, r := range v.rates {
		if r < p.Rate && v.keepsUp(p.Codec, r) {
			out = v.at(p.Codec, r)
		}
	}
	return out
}

// reach returns the highest rate that a codec keeps up with, or 0.
func (v *view) reach(codec string) (most float64) {
	for _, r := range v.rates {
		if v.keepsUp(codec, r) {
			most = r
		}
	}
	return most
}

// first returns the codec's point at the lowest rate for which P99 of an operation is known. Drift
// is relative to this point.
func (v *view) first(codec, op string) *Point {
	for _, r := range v.rates {
		if p := v.at(codec, r); v.kept[p] && percentile(p, op, 0.99).Value != nil {
			return p
		}
	}
	return nil
}

// drift returns P99 relative to P99 at the lowest rate for which it is known.
func (v *view) drift(p *Point, op string) run.Item {
	from := v.first(p.Codec, op)
	if from == nil || from.Rate > p.Rate || !p.sound(op, 0.99) {
		return experiment.None("–")
	}
	if from == p {
		return run.Num(1)
	}
	return item(p.over(from, quantile(op, 0.99))).Marked("doubt", from.doubtful(op, 0.99) || p.doubtful(op, 0.99))
}

// lowest returns a codec's point at its lowest rate.
func (v *view) lowest(codec string) *Point {
	for _, r := range v.rates {
		if p := v.at(codec, r); p != nil {
			return p
		}
	}
	return nil
}

// growth returns the memory of the client's process relative to that at the codec's lowest rate.
func (v *view) growth(p *Point) run.Item {
	from := v.lowest(p.Codec)
	if from == p {
		return run.Num(1)
	}
	return item(p.over(from, mapped))
}
