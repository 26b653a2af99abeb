package stores

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// findings returns sentences with the conclusions from the figures, the most important first.
func (res *Result) findings(views []*view) (out []string) {
	for _, v := range views {
		out = append(out, v.verdict())
	}
	for _, v := range views {
		out = append(out, v.limit())
	}
	out = append(out, res.processors(), res.bytes(views), driftOf(views), growthOf(views))
	for _, p := range res.Places {
		if p.Lost != "" {
			out = append(out, p.Lost+": what was measured until then is shown.")
		}
	}
	return out
}

// verdict says how much of a request's time is not the codec's work, and for which codecs and rates
// the choice of the codec matters.
func (v *view) verdict() string {
	base := v.at(run.Baseline, v.top)
	if base == nil {
		return fmt.Sprintf("%s: at no rate did all codecs keep up, so nothing is compared.", v.name())
	}
	least, _ := experiment.Extremes(v.codecs, func(c string) (float64, bool) { return v.at(c, v.top).codecShare(""), true })
	other := ""
	if least.Name != run.Baseline {
		other = fmt.Sprintf(", %s with %s", quantity.Share(1-least.Value), least.Name)
	}
	s := fmt.Sprintf("%s, its client and waiting take %s of a request's time with %s at %s requests a second%s", v.name(),
		quantity.Share(1-base.codecShare("")), run.Baseline, quantity.Count(v.top), other)
	return s + "." + v.matters("P50", 0.5) + v.matters("P99", 0.99)
}

// limit says up to which rate the store keeps up, and with which codecs.
func (v *view) limit() string {
	var all, not []string
	asked, done := v.rates[len(v.rates)-1], 0.0
	for _, c := range v.codecs {
		if v.keepsUp(c, asked) {
			all = append(all, c)
			continue
		}
		p := v.stop[c]
		if p == nil {
			return "" // the run ended before, or the generator was late
		}
		not, done = append(not, c), max(done, p.done())
	}
	_, most := experiment.Extremes(v.codecs, func(c string) (float64, bool) { return v.reach(c), true })
	switch {
	case len(not) == 0:
		return fmt.Sprintf("%s keeps up with %s requests a second, the highest rate, with every codec.", v.name(), quantity.Count(asked))
	case len(all) > 0:
		return fmt.Sprintf("%s keeps up with %s requests a second with %s, and not with %s.", v.name(), quantity.Count(asked),
			experiment.List(all), experiment.List(not))
	case done == 0:
		return ""
	case most.Value == 0:
		return fmt.Sprintf("%s does not keep up with %s requests a second, the lowest rate, whatever the codec: about %s were answered.",
			v.name(), quantity.Count(v.rates[0]), quantity.Count(done))
	case most.Value != v.top:
		return fmt.Sprintf("%s saturates at about %s requests a second; codecs keep up with between %s and %s.", v.name(),
			quantity.Count(done), quantity.Count(v.top), quantity.Count(most.Value))
	}
	next := v.rates[slices.Index(v.rates, most.Value)+1] // there is one: no codec keeps up with the highest rate
	return fmt.Sprintf("%s keeps up with %s requests a second and not with %s, whatever the codec: it is the store, with its client on this "+
		"machine, that saturates, at about %s.", v.name(), quantity.Count(most.Value), quantity.Count(next), quantity.Count(done))
}

// ofProcessor is the share of a processor below which a codec's work is not worth optimising.
const ofProcessor = 0.05

// processors says below which rate the codec's own work takes less than ofProcessor of a processor,
// whatever the store.
func (res *Result) processors() string {
	base := res.alone(run.Baseline)
	if base.CPU() == 0 {
		return ""
	}
	least := slices.MinFunc(res.Alone, func(a, b *Alone) int { return cmp.Compare(a.CPU(), b.CPU()) })
	rate := func(a *Alone) string { return quantity.Count(round(ofProcessor * 1e9 / a.CPU())) }
	s := fmt.Sprintf("Whatever the store, below %s requests a second the work of %s (%s a request) is less than %s of a processor",
		rate(base), base.Codec, quantity.Time(base.CPU()), quantity.Share(ofProcessor))
	if least != base {
		s += fmt.Sprintf("; with %s (%s) below %s", least.Codec, quantity.Time(least.CPU()), rate(least))
	}
	return s + "."
}

// round rounds to two figures.
func round(x float64) float64 {
	unit := 1.0
	for x/unit >= 100 {
		unit *= 10
	}
	return float64(int(x/unit+0.5)) * unit
}

// bytes says which codec's messages are the smallest, and how many bytes each store takes for them
// with its own overhead.
func (res *Result) bytes(views []*view) string {
	var parts []string
	var least, base string
	for _, v := range views {
		b := v.Shelves[run.Baseline]
		if b == nil {
			continue
		}
		smallest, _ := experiment.Extremes(v.codecs, func(c string) (float64, bool) {
			if s := v.Shelves[c]; s != nil {
				return s.Bytes, true
			}
			return 0, false
		})
		if smallest.Name == "" || smallest.Value >= b.Bytes {
			continue
		}
		small := v.Shelves[smallest.Name]
		least = fmt.Sprintf("%s of %s", quantity.Bytes(small.Bytes), smallest.Name)
		base = fmt.Sprintf("%s of %s", quantity.Bytes(b.Bytes), run.Baseline)
		if b.Kept > 0 && small.Kept > 0 {
			parts = append(parts, fmt.Sprintf("%s takes %s for the one and %s for the other", v.name(), quantity.Bytes(small.Kept),
				quantity.Bytes(b.Kept)))
		}
	}
	switch {
	case least == "":
		return ""
	case len(parts) == 0:
		return fmt.Sprintf("The smallest messages are the %s, against %s.", least, base)
	}
	return fmt.Sprintf("The smallest messages are the %s, against %s; with its own overhead %s.", least, base, strings.Join(parts, ", "))
}

// driftOf says how the baseline's P99 changes up to the highest common rate.
func driftOf(views []*view) string {
	var parts []string
	for _, v := range views {
		p := v.at(run.Baseline, v.top)
		if p == nil {
			continue
		}
		var of []string
		from := 0.0
		for _, op := range ops {
			if x := v.drift(p, op); x.Lo != nil && x.Mark == "" {
				of, from = append(of, fmt.Sprintf("%s %s times", op, ranged(*x.Value, *x.Lo, *x.Hi))), max(from, v.first(run.Baseline, op).Rate)
			}
		}
		if len(of) > 0 {
			parts = append(parts, fmt.Sprintf("%s %s from %s to %s a second", v.name(), strings.Join(of, " and "), quantity.Count(from),
				quantity.Count(p.Rate)))
		}
	}
	return experiment.Sentence("P99 with "+run.Baseline+", over that of a low rate: ", parts)
}

// growthOf names the codecs with which the client's memory grows most and least at a store, if the
// launches show a difference.
func growthOf(views []*view) string {
	var parts []string
	for _, v := range views {
		least, most := experiment.Extremes(v.codecs, func(c string) (float64, bool) {
			p := v.at(c, v.top)
			if p == nil || p == v.points[c][0] {
				return 0, false
			}
			x := v.growth(p).Value
			if x == nil {
				return 0, false
			}
			return *x, true
		})
		if r := v.growthRatio(most.Name, least.Name); r.N >= leastLaunches && r.Lo > 1+nothing {
			parts = append(parts, fmt.Sprintf("%s %s with %s, %s with %s", v.name(), quantity.Times(most.Value), most.Name,
				quantity.Times(least.Value), least.Name))
		}
	}
	return experiment.Sentence("The client's memory at the highest common rate, over that at the lowest: ", parts)
}

// growthRatio estimates the ratio of the memory growth with codec a to that with codec b, launch by
// launch.
func (v *view) growthRatio(a, b string) stats.Result {
	grown := func(codec string) *Point {
		out := &Point{}
		if p := v.at(codec, v.top); p != nil {
			for to, from := range p.beside(v.points[codec][0]) {
				if from.Mapped > 0 {
					out.Launches = append(out.Launches, Launch{Launch: to.Launch, Mapped: to.Mapped / from.Mapped})
				}
			}
		}
		return out
	}
	return grown(a).over(grown(b), mapped)
}
