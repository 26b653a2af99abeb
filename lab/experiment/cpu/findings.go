package cpu

import (
	"fmt"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
)

// findings returns sentences with the conclusions from the figures.
func findings(res *Result, procs int) []string {
	return []string{instructions(res, "encode"), instructions(res, "decode"), scaling(res, procs), pinning(res, procs),
		waiting(res), reflecting(res)}
}

// instructions names the codec that takes the fewest instructions.
func instructions(res *Result, op string) string {
	base := res.countOf(run.Baseline, op)
	least, _ := experiment.Extremes(res.Codecs, func(codec string) (float64, bool) {
		if c := res.countOf(codec, op); c != nil {
			return c.Ir, true
		}
		return 0, false
	})
	if base == nil || least.Name == "" || least.Name == run.Baseline {
		return ""
	}
	return fmt.Sprintf("%s takes the fewest instructions to %s, %s, against %s of %s: %s fewer. Counts do not depend on how busy the "+
		"machine is.", least.Name, op, quantity.Count(least.Value), quantity.Count(base.Ir), run.Baseline,
		quantity.Times(base.Ir/max(least.Value, 1)))
}

// scaling names the codecs that gain least and most from all processors, if their ranges over the
// launches do not overlap.
func scaling(res *Result, procs int) string {
	if procs < 2 {
		return "There is one processor: nothing can be said about scaling."
	}
	gains := map[string]run.Estimate{}
	worst, best := experiment.Extremes(res.Codecs, func(c string) (float64, bool) {
		one, all := res.rateOf(c, 1), res.rateOf(c, procs)
		if one == nil || all == nil {
			return 0, false
		}
		gains[c] = speedUp(all, one)
		return gains[c].Median, true
	})
	switch {
	case worst.Name == "":
		return ""
	case gains[best.Name].Lo <= gains[worst.Name].Hi:
		return fmt.Sprintf("On %d processors codecs do %s to %s the round trips of one; their ranges over the launches meet, so no codec is "+
			"proven to scale better than another.", procs, quantity.Figure(worst.Value), quantity.Times(best.Value))
	}
	return fmt.Sprintf("On %d processors %s gains most, %s the round trips of one, and %s least, %s.", procs, best.Name,
		quantity.Times(best.Value), worst.Name, quantity.Times(worst.Value))
}

// speedUp estimates the rate of all ÷ the rate of one, from one quotient per launch.
func speedUp(all, one *Load) run.Estimate {
	var xs []float64
	for i := range min(len(all.Rate), len(one.Rate)) {
		xs = append(xs, all.Rate[i]/one.Rate[i])
	}
	return experiment.Estimate(xs)
}

// pinning says how the CPU time of a round trip changes if the process is pinned to one processor,
// where the garbage collector cannot run at the same time as the codec.
func pinning(res *Result, procs int) string {
	var less, more []string
	for _, k := range res.Places {
		free := res.rateOf(k.Codec, procs)
		if free == nil || k.Place != "one processor" {
			continue
		}
		a, z := experiment.Estimate(k.CPU), experiment.Estimate(free.CPU)
		r := fmt.Sprintf("%s (%s)", k.Codec, quantity.Share(a.Median/z.Median))
		switch {
		case a.Hi < z.Lo:
			less = append(less, r)
		case a.Lo > z.Hi:
			more = append(more, r)
		}
	}
	const head = "Pinned to one processor a round trip takes "
	switch {
	case len(less) > 0 && len(more) > 0:
		return head + "less CPU time for " + experiment.List(less) + ", more for " + experiment.List(more) + "."
	case len(less) > 0:
		return head + "less CPU time, of what it takes anywhere: " + experiment.List(less) + "."
	case len(more) > 0:
		return head + "more CPU time, of what it takes anywhere: " + experiment.List(more) + "."
	case len(res.Places) > 0:
		return "Pinning to one processor changes no codec's CPU time beyond the ranges of the launches."
	}
	return ""
}

// waiting names the codecs that leave processors idle although there is work.
func waiting(res *Result) string {
	var idle []string
	for _, s := range res.Sched {
		if s.Procs > 0 && s.Idle/s.Procs > 0.15 {
			idle = append(idle, fmt.Sprintf("%s (%s of them)", s.Codec, quantity.Share(s.Idle/s.Procs)))
		}
	}
	if len(idle) == 0 {
		return ""
	}
	return "Processors stand idle although 16 goroutines have work, so something waits: " + experiment.List(idle) + "."
}
