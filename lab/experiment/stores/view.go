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
	kept   map[*Point]bool               // those that their codec keeps up with, in every launch
	stop   map[string]*Point             // by codec, where it did not any more
	top    float64                       // the highest rate that all codecs keep up with, 0 for none
}

// views are the stores with the codecs that were measured there, in the order of the result.
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

// at is a codec's point at a rate, nil where it was not visited.
func (v *view) at(codec string, rate float64) *Point { return v.points[codec][rate] }

// climb finds where a codec does not keep up any more. What lies above is none of its rates,
// though requests may have been answered there.
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

// common reports a rate that all codecs keep up with.
func (v *view) common(rate float64) bool {
	return !slices.ContainsFunc(v.codecs, func(c string) bool { return !v.keepsUp(c, rate) })
}

// below is the next lower rate's point that a codec kept up with.
func (v *view) below(p *Point) (out *Point) {
	for _, r := range v.rates {
		if r < p.Rate && v.keepsUp(p.Codec, r) {
			out = v.at(p.Codec, r)
		}
	}
	return out
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
		if p := v.at(codec, r); v.kept[p] && percentile(p, op, 0.99).Value != nil {
			return p
		}
	}
	return nil
}

// drift is P99 over that of the lowest rate at which it is known.
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

// lowest is a codec's point at its lowest rate.
func (v *view) lowest(codec string) *Point {
	for _, r := range v.rates {
		if p := v.at(codec, r); p != nil {
			return p
		}
	}
	return nil
}

// growth is what the client's process holds over what it held at the codec's lowest rate.
func (v *view) growth(p *Point) run.Item {
	from := v.lowest(p.Codec)
	if from == p {
		return run.Num(1)
	}
	return item(p.over(from, mapped))
}
