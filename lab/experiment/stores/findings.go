package stores

import (
	"fmt"
	"strings"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// findings returns sentences with the conclusions from the figures, the most important first.
func (res *Result) findings() (out []string) {
	views := res.views()
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
	n := 0
	for _, s := range out {
		if s != "" {
			out[n] = s
			n++
		}
	}
	return out[:n]
}

// verdict says how much the codec matters for the time of requests at this store.
func (v *view) verdict() string {
	base := v.at(run.Baseline, v.top)
	if base == nil {
		return fmt.Sprintf("%s: at no rate did all codecs keep up, so nothing is compared.", v.name())
	}
	own := base.codecOf()
	least, who := own, run.Baseline
	for _, c := range v.codecs {
		if s := v.at(c, v.top).codecOf(); s < least {
			least, who = s, c
		}
	}
	other := ""
	if who != run.Baseline {
		other = fmt.Sprintf(", %s with %s", quantity.Share(1-least), who)
	}
	s := fmt.Sprintf("%s, its client and waiting take %s of a request's time with %s at %s requests a second%s", v.name(),
		quantity.Share(1-own), run.Baseline, quantity.Count(v.top), other)
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
	switch {
	case len(not) == 0:
		return fmt.Sprintf("%s keeps up with %s requests a second, the highest rate, with every codec.", v.name(), quantity.Count(asked))
	case len(all) > 0:
		return fmt.Sprintf("%s keeps up with %s requests a second with %s, and not with %s.", v.name(), quantity.Count(asked),
			experiment.List(all), experiment.List(not))
	case done == 0:
		return ""
	case v.most() == 0:
		return fmt.Sprintf("%s does not keep up with %s requests a second, the lowest rate, whatever the codec: about %s were answered.",
			v.name(), quantity.Count(v.rates[0]), quantity.Count(done))
	}
	s := fmt.Sprintf("%s keeps up with %s requests a second and not with %s, whatever the codec: it is the store, with its client on this "+
		"machine, that saturates, at about %s.", v.name(), quantity.Count(v.most()), quantity.Count(v.after(v.most())), quantity.Count(done))
	if v.most() != v.top {
		s = fmt.Sprintf("%s saturates at about %s requests a second; codecs keep up with between %s and %s.", v.name(), quantity.Count(done),
			quantity.Count(v.top), quantity.Count(v.most()))
	}
	return s
}

// most returns the highest rate that any codec keeps up with.
func (v *view) most() (out float64) {
	for _, c := range v.codecs {
		out = max(out, v.reach(c))
	}
	return out
}

// after returns the next higher rate that was measured, or rate itself if there is none.
func (v *view) after(rate float64) float64 {
	for _, r := range v.rates {
		if r > rate {
			return r
		}
	}
	return rate
}

// ofProcessor is the share of a processor below which a codec's work is not worth optimising.
const ofProcessor = 0.05

// processors says from which rate on the codec's own work is worth a thought, whichever the store.
func (res *Result) processors() string {
	base := res.alone(run.Baseline)
	if base.CPU() == 0 {
		return ""
	}
	least := base
	for i := range res.Alone {
		if a := &res.Alone[i]; a.CPU() < least.CPU() {
			least = a
		}
	}
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
		small, who := b, run.Baseline
		for _, c := range v.codecs {
			if s := v.Shelves[c]; s != nil && s.Bytes < small.Bytes {
				small, who = s, c
			}
		}
		if who == run.Baseline {
			continue
		}
		least, base = fmt.Sprintf("%s of %s", quantity.Bytes(small.Bytes), who), fmt.Sprintf("%s of %s", quantity.Bytes(b.Bytes), run.Baseline)
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
				of, from = append(of, fmt.Sprintf("%s %s [%s, %s] times", op, quantity.Figure(*x.Value), quantity.Figure(*x.Lo),
					quantity.Figure(*x.Hi))), max(from, v.first(run.Baseline, op).Rate)
			}
		}
		if len(of) > 0 {
			parts = append(parts, fmt.Sprintf("%s %s from %s to %s a second", v.name(), strings.Join(of, " and "), quantity.Count(from),
				quantity.Count(p.Rate)))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("P99 with %s, over that of a low rate: %s.", run.Baseline, strings.Join(parts, "; "))
}

// growthOf says with which codecs the client's memory grows most and least at a store, if the
// launches show a difference.
func growthOf(views []*view) string {
	var parts []string
	for _, v := range views {
		var most, least string
		var hi, lo float64
		for _, c := range v.codecs {
			p := v.at(c, v.top)
			if p == nil || p == v.lowest(c) {
				continue
			}
			x := v.growth(p).Value
			if x == nil {
				continue
			}
			g := *x
			if most == "" || g > hi {
				hi, most = g, c
			}
			if least == "" || g < lo {
				lo, least = g, c
			}
		}
		if r := v.growthRatio(most, least); r.N >= leastLaunches && r.Lo > 1+nothing {
			parts = append(parts, fmt.Sprintf("%s %s with %s, %s with %s", v.name(), quantity.Times(hi), most, quantity.Times(lo), least))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("The client's memory at the highest common rate, over that at the lowest: %s.", strings.Join(parts, "; "))
}

// growthRatio estimates the ratio of the memory growth with codec a to that with codec b, launch by
// launch.
func (v *view) growthRatio(a, b string) stats.Result {
	grown := func(codec string) *Point {
		p := v.at(codec, v.top)
		if p == nil {
			return &Point{}
		}
		out := &Point{}
		for _, from := range v.lowest(codec).Launches {
			for _, to := range p.Launches {
				if from.Launch == to.Launch && from.Mapped > 0 {
					out.Launches = append(out.Launches, Launch{Launch: to.Launch, Mapped: to.Mapped / from.Mapped})
				}
			}
		}
		return out
	}
	return grown(a).over(grown(b), mapped)
}
