package stats

import (
	"math"
	"slices"

	"github.com/zmylab/zmy/lab/run"
)

// NOTE: a run of the default depth is judged at several looks, and stops at the first one that
// settles its verdict. Each look has a part of alpha, and all parts sum to 1. So the probability
// that any look makes a false claim is at most alpha, by the union bound, whatever the dependence
// between looks and whatever the rule by which the run stops. For the same reason, intervals at the
// level of their look contain the truth at all looks with a probability of at least 95%.

const (
	// EarliestLook is the number of launches before the first look. Two launches estimate the
	// spread between launches with a single degree of freedom, which settles nothing.
	EarliestLook = 3
	// earlyPart is the part of alpha for each look but the last.
	earlyPart = 0.2
)

// LookAfter returns the look after a launch, counted from 1, of a run of planned launches. It
// returns nil if there is none.
func LookAfter(launch, planned int) *run.Look {
	switch {
	case planned <= EarliestLook || launch < EarliestLook || launch > planned:
		return nil
	case launch < planned:
		return &run.Look{Launch: launch, Planned: planned, Part: earlyPart}
	}
	return &run.Look{Launch: launch, Planned: planned, Part: 1 - earlyPart*float64(planned-EarliestLook)}
}

// part returns the part of alpha that the claims of r may use.
func part(r *run.Run) float64 {
	if r.Look == nil {
		return 1
	}
	return r.Look.Part
}

// within returns x at the level of a look that has only a part of alpha: with a wider interval and
// a larger p-value, so that callers go on comparing with alpha.
func (x Result) within(part float64) Result {
	if part >= 1 || x.DF == 0 {
		return x
	}
	wider := StudentQuantile(1-alpha*part/2, x.DF) / StudentQuantile(1-alpha/2, x.DF)
	x.P, x.SE = min(1, x.P/part), x.SE*wider
	x.Lo, x.Hi = x.Point*math.Pow(x.Lo/x.Point, wider), x.Point*math.Pow(x.Hi/x.Point, wider)
	return x
}

// Settled reports whether r proves its verdict, so that further launches would only narrow its
// intervals: no pick shares its place with a codec that is not tied with it, and each pick is faster
// than the baseline, slower or tied, in encode and decode. Fill must have been called.
func Settled(r *run.Run) bool {
	if len(r.Ranking) == 0 {
		return false
	}
	open := func(codec, family string) bool {
		ranking := places(r, family)
		me := slices.IndexFunc(ranking, func(k run.Rank) bool { return k.Codec == codec })
		if me < 0 || slices.ContainsFunc(ranking, func(k run.Rank) bool {
			return k.Place == ranking[me].Place && k.Against == run.Inconclusive
		}) {
			return true
		}
		return codec != run.Baseline && slices.ContainsFunc([]string{Encode, Decode}, func(op string) bool {
			c := Find(r, codec, op, Fresh)
			return c == nil || c.Against == run.Inconclusive || c.Against == ""
		})
	}
	v := &r.Verdict
	return !open(v.Pick, "") && (v.PickJSON == "" || !open(v.PickJSON, "json"))
}
