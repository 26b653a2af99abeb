package latency

import (
	"fmt"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
)

// findings returns sentences with the conclusions from the figures, the most important first.
func findings(res *Result) []string {
	return []string{closedFinding(res), capacityFinding(res), tailFinding(res), drift(res), growth(res)}
}

// apart reports whether the ranges of a percentile over the launches do not overlap.
func apart(a, b run.Item) bool {
	return a.Lo != nil && b.Lo != nil && (*a.Hi < *b.Lo || *b.Hi < *a.Lo)
}

// fewest is the least number of launches with which ranges decide anything. With n launches, the
// ranges of two equal codecs are apart by chance in 2 of (2n choose n) cases: one in 10 for three
// launches, one in 35 for four, one in 126 for five.
const fewest = 4

// closedFinding compares the baseline with the codec that has the lowest P99. It reports a
// difference only if their ranges over the launches do not overlap, and if there are at least
// fewest launches.
func closedFinding(res *Result) string {
	const q = 0.99
	least, _ := experiment.Extremes(res.codecs(), func(codec string) (float64, bool) {
		h := &find(res, codec).Response
		return h.Quantile(q), h.Sound(q)
	})
	base, best := find(res, run.Baseline), find(res, least.Name)
	if best == nil {
		return "Too few requests were measured for a P99: give it more -rounds or a longer -budget."
	}
	s := fmt.Sprintf("Closed loop, %d callers: the lowest P99 is that of %s, %s", res.Goroutines, best.Codec,
		quantity.Time(least.Value))
	if base == nil || base == best || !base.Response.Sound(q) {
		return s + "."
	}
	x, y := item(&base.Response, base.launches, q), item(&best.Response, best.launches, q)
	switch n := min(len(base.launches), len(best.launches)); {
	case !apart(x, y):
		return s + fmt.Sprintf("; %s's range over the launches meets it, so the difference is not decided.", run.Baseline)
	case n < fewest:
		return s + fmt.Sprintf(" against %s of %s; %d launches do not decide whether that is more than chance: -depth standard makes 5.",
			quantity.Time(*x.Value), run.Baseline, n)
	}
	return s + fmt.Sprintf(" against %s of %s: %s lower, and %s the throughput.", quantity.Time(*x.Value), run.Baseline,
		quantity.Times(*x.Value / *y.Value), quantity.Times(best.Rate.Median/base.Rate.Median))
}

func find(res *Result, codec string) *Closed {
	return experiment.First(res.Closed, func(k *Closed) bool { return k.Codec == codec })
}

// codecs returns the codecs whose closed loop was measured.
func (res *Result) codecs() (names []string) {
	for _, k := range res.Closed {
		names = append(names, k.Codec)
	}
	return names
}

// capacityFinding says which codecs keep up with the highest common rate. The rates that are shares
// of a codec's own capacity differ between codecs, so nothing can be compared there.
func capacityFinding(res *Result) string {
	if len(res.Open) == 0 {
		return ""
	}
	top := 0.0
	for _, p := range res.Open {
		if p.Of == 0 {
			top = max(top, p.QPS)
		}
	}
	var over, fine, unknown []string
	for _, p := range res.Open {
		switch {
		case p.Of != 0 || p.QPS != top:
		case p.Void != "": // the generator may have been late, or the codec
			unknown = append(unknown, p.Codec)
		case p.full():
			over = append(over, p.Codec)
		default:
			fine = append(fine, p.Codec)
		}
	}
	switch {
	case len(fine)+len(over) == 0:
		return ""
	case len(fine) == 0:
		return fmt.Sprintf("No codec was seen to answer %s requests a second on this machine.", quantity.Count(top))
	}
	parts := []string{fmt.Sprintf("At %s requests a second %s answered all requests", quantity.Count(top), experiment.List(fine))}
	if over != nil {
		parts = append(parts, experiment.List(over)+" could not")
	}
	if unknown != nil {
		parts = append(parts, fmt.Sprintf("of %s it is not known, since the generator was late", experiment.List(unknown)))
	}
	if len(parts) > 1 {
		return experiment.Sentence("", parts)
	}
	least, most := experiment.Extremes(res.codecs(), func(codec string) (float64, bool) {
		k := find(res, codec)
		return k.Capacity, k.Capacity > 0
	})
	return fmt.Sprintf("All codecs answer %s requests a second, the highest common rate; the highest capacity beside the generator is %s "+
		"the lowest.", quantity.Count(top), quantity.Times(most.Value/max(least.Value, 1)))
}

// tailFinding says how much of the latency near capacity is waiting time.
func tailFinding(res *Result) string {
	var worst *Point
	share := 0.0
	for _, p := range res.Open {
		if p.Of < 0.9 || !p.valid() || !tailed(p) {
			continue
		}
		if s := p.Response.Quantile(0.99) / max(p.Service.Quantile(0.99), 1); worst == nil || s > share {
			worst, share = p, s
		}
	}
	if worst == nil || share < 1.5 {
		return ""
	}
	return fmt.Sprintf("Near capacity requests wait: %s at %s of its capacity has a P99 of %s, of which its own work is %s. A benchmark "+
		"that times calls alone does not see this.",
		worst.Codec, quantity.Share(worst.Of), quantity.Time(worst.Response.Quantile(0.99)), quantity.Time(worst.Service.Quantile(0.99)))
}

// drift says how P99 changes from the lowest to the highest common rate with a valid point.
func drift(res *Result) string {
	var up, flat []string
	for _, k := range res.Closed {
		lo, hi, ok := ends(res, k.Codec, tailed)
		if !ok {
			continue
		}
		r := hi.Response.Quantile(0.99) / max(lo.Response.Quantile(0.99), 1)
		if r > 1.5 {
			up = append(up, fmt.Sprintf("%s %s", k.Codec, quantity.Times(r)))
		} else {
			flat = append(flat, k.Codec)
		}
	}
	switch {
	case len(up) > 0:
		return "P99 grows from the lowest sound to the highest common rate: " + experiment.List(up) + "."
	case len(flat) > 0:
		return "P99 does not grow with the rate for " + experiment.List(flat) + "."
	}
	return ""
}

// growth says how the memory of the processes grows with the rate. It returns "" if no codec's
// memory grows by a quarter or more.
func growth(res *Result) string {
	least, most := experiment.Extremes(res.codecs(), func(codec string) (float64, bool) {
		lo, hi, ok := ends(res, codec, kept)
		if !ok {
			return 0, false
		}
		return hi.Memory.Mapped / lo.Memory.Mapped, true
	})
	if most.Value < 1.25 {
		return ""
	}
	return fmt.Sprintf("Memory grows most for %s, %s between the lowest and the highest common rate; least for %s, %s.", most.Name,
		quantity.Times(most.Value), least.Name, quantity.Times(least.Value))
}
