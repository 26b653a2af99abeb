package sim

import (
	"math/rand/v2"
	"time"

	"github.com/zmylab/zmy/adapters/grpcx/degrade"
)

// Scripts returns the scenarios of faults in which the machine is tested.
func Scripts() []Script {
	return []Script{
		{
			Name: "slow-only", Title: "Slow, but nothing fails",
			Expect: "stays: time alone has other causes", Length: 6 * time.Minute, Rate: 200,
			Call: within(60, 240, slow(0.05), 0),
			End:  degrade.Primary,
		},
		{
			Name: "failing-only", Title: "A tenth fails, at full speed",
			Expect: "stays: the rule wants both", Length: 6 * time.Minute, Rate: 200,
			Call: within(60, 240, failing(0.1), 0),
			End:  degrade.Primary,
		},
		{
			Name: "error-only", Title: "The same with the error-only rule at 5%",
			Expect: "leaves, tries in vain, returns when it is over", Length: 10 * time.Minute, Rate: 200,
			Config: degrade.Config{ErrorsOnly: 0.05},
			Call:   within(60, 180, failing(0.1), 0),
			End:    degrade.Primary, Events: 7,
		},
		{
			Name: "outage", Title: "Slow and failing for two minutes",
			Expect: "leaves, tries in vain, returns", Length: 10 * time.Minute, Rate: 200,
			Call: within(60, 180, both(0.05, 0.1), 0),
			End:  degrade.Primary, Events: 7,
		},
		{
			Name: "lasting", Title: "Slow and failing for good",
			Expect: "the hold doubles with each trial in vain", Length: 25 * time.Minute, Rate: 200,
			Call: within(60, 1e6, both(0.05, 0.1), 0),
			End:  degrade.Fallback, Events: 9,
		},
		{
			Name: "slower-fallback", Title: "The fallback is slower still",
			Expect: "stays: guard", Length: 6 * time.Minute, Rate: 200,
			Call: within(60, 240, both(0.05, 0.1), 30*time.Millisecond),
			End:  degrade.Primary, Refused: true,
		},
		{
			Name: "small-only", Title: "The fallback is faster for small messages only",
			Expect: "large messages keep the primary", Length: 5 * time.Minute, Rate: 200,
			Call: smallOnly,
			End:  degrade.Fallback, Events: 3,
		},
		{
			Name: "flapping", Title: "A minute of faults, a minute and a half without",
			Expect: "leaves ever more rarely", Length: 30 * time.Minute, Rate: 200,
			Call: flapping,
			End:  degrade.Fallback, Events: 16,
		},
		{
			Name: "both-fail", Title: "Both codecs fail alike",
			Expect: "returns, and does not go again for ten minutes", Length: 10 * time.Minute, Rate: 200,
			Call: bothFail,
			End:  degrade.Primary, Events: 3, Refused: true,
		},
		{
			Name: "few-calls", Title: "Slow and failing at five calls a second",
			Expect: "stays: fewer than 500 calls in the window", Length: 6 * time.Minute, Rate: 5,
			Call: within(60, 240, both(0.05, 0.1), 0),
			End:  degrade.Primary,
		},
	}
}

// fault says what is wrong with a codec: the share of calls that take slowTime longer, and the
// share of calls in which the codec fails.
type fault struct{ slow, fail float64 }

func slow(share float64) fault         { return fault{slow: share} }
func failing(share float64) fault      { return fault{fail: share} }
func both(slow, failing float64) fault { return fault{slow, failing} }

const slowTime = 20 * time.Millisecond

// act draws the outcome of a call in a codec that takes some 200 µs without faults.
func (f fault) act(r *rand.Rand) Outcome {
	o := Outcome{Took: time.Duration(100+200*r.Float64()) * time.Microsecond, Failed: r.Float64() < f.fail}
	if r.Float64() < f.slow {
		o.Took += slowTime
	}
	return o
}

// within returns calls in which the primary has a fault from second from to second to. The fallback
// works. It takes a third longer than a healthy primary, plus the duration given as later.
func within(from, to float64, f fault, later time.Duration) func(float64, *rand.Rand) Call {
	return func(t float64, r *rand.Rand) Call {
		now := fault{}
		if from <= t && t < to {
			now = f
		}
		fallback := fault{}.act(r)
		fallback.Took = fallback.Took*4/3 + later
		return Call{Size: 500, Primary: now.act(r), Fallback: fallback}
	}
}

func smallOnly(t float64, r *rand.Rand) Call {
	c := within(60, 1e6, both(0.05, 0.1), 0)(t, r)
	if r.IntN(2) == 0 {
		c.Size = 100 << 10
		c.Fallback.Took += 30 * time.Millisecond
	}
	return c
}

func flapping(t float64, r *rand.Rand) Call {
	phase := t - 150*float64(int(t/150))
	return within(60, 120, both(0.05, 0.1), 0)(phase, r)
}

func bothFail(t float64, r *rand.Rand) Call {
	c := within(60, 1e6, both(0.05, 0.1), 0)(t, r)
	if t > 75 { // at first the fallback works in the shadow, or the guard would reject it
		c.Fallback.Failed = r.Float64() < 0.12
	}
	return c
}
