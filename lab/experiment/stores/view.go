package stores

import (
	"slices"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/run"
)

// view is one store's part of the result. It answers the questions that span several points: which
// rates a codec keeps up with, and how its figures change with the rate. Codecs are compared at the
// highest rate that all of them keep up with. Above it some would be compared while they wait for
// their queue.
type view struct {
	*Place
	codecs []string
	rates  []float64
	points map[string][]*Point // by codec, at rising rates
	kept   map[*Point]bool     // the points that their codec keeps up with, in every launch
	stop   map[string]*Point   // the first point that the codec did not keep up with, by codec
	top    float64             // the highest rate that all codecs keep up with; 0 for none
}

// views returns the stores with the codecs that were measured there, in the order of the result.
func (res *Result) views() (out []*view) {
	for _, p := range res.Places {
		v := &view{Place: p, points: map[string][]*Point{}, kept: map[*Point]bool{}, stop: map[string]*Point{}}
		for _, x := range res.Points { // a codec's points stand at rising rates
			if x.Store != p.Kind {
				continue
			}
			if v.points[x.Codec] == nil {
				v.codecs = append(v.codecs, x.Codec)
			}
			v.points[x.Codec] = append(v.points[x.Codec], x)
			v.rates = append(v.rates, x.Rate)
		}
		slices.Sort(v.rates)
		v.rates = slices.Compact(v.rates)
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
func (v *view) at(codec string, rate float64) *Point {
	return experiment.First(v.points[codec], func(p *Point) bool { return p.Rate == rate })
}

// climb finds the rate at which a codec stops keeping up. Points above that rate do not count, even
// if their requests were answered.
func (v *view) climb(codec string) {
	var below *Point
	for _, p := range v.points[codec] {
		if p.Void != "" {
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

// highest returns the codec's point at the highest rate that it keeps up with, or nil. Those are
// the rates below its stop.
func (v *view) highest(codec string) (out *Point) {
	for _, p := range v.points[codec] {
		if v.kept[p] {
			out = p
		}
	}
	return out
}

// reach returns the highest rate that a codec keeps up with, or 0.
func (v *view) reach(codec string) float64 {
	if p := v.highest(codec); p != nil {
		return p.Rate
	}
	return 0
}

// first returns the codec's point at the lowest rate for which P99 of an operation is known. Drift
// is relative to this point.
func (v *view) first(codec, op string) *Point {
	return experiment.First(v.points[codec], func(p *Point) bool { return v.kept[p] && percentile(p, op, 0.99).Value != nil })
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

// growth returns the memory of the client's process relative to that at the codec's lowest rate.
func (v *view) growth(p *Point) run.Item {
	from := v.points[p.Codec][0]
	if from == p {
		return run.Num(1)
	}
	return item(p.over(from, mapped))
}
