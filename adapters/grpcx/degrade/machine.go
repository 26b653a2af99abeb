package degrade

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zmylab/zmy/codec/canary"
)

// State is the state of a [Machine].
type State uint8

// The states.
const (
	Primary  State = iota // all calls begin with the primary codec
	Fallback              // calls begin with the fallback
	HalfOpen              // the primary is tried on a share of the calls
)

// String returns the state in lower case.
func (s State) String() string { return [...]string{"primary", "fallback", "half-open"}[s] }

// NOTE: a machine is a canary whose candidate is the primary codec. In state Primary the canary has
// promoted its candidate, in state Fallback it has rolled back, and in state HalfOpen it goes
// through its steps. The canary does the windows, steps, pauses and their doubling; judge has the
// rules.

// states maps the phase of a machine's canary to the machine's state.
var states = map[canary.Phase]State{canary.Promoted: Primary, canary.RolledBack: Fallback, canary.Running: HalfOpen}

// Choice says how to make one call.
type Choice struct {
	Fallback bool // begin with the fallback codec
	Shadow   bool // let the fallback repeat the primary's work afterwards, and measure it
	apart    bool // messages of this size keep the primary in every state, so the call is not a trial
}

// Sample reports how a call went. A call that failed for another reason than a codec must not be
// recorded.
type Sample struct {
	Choice
	Size         int           // bytes of the larger of request and response
	Took         time.Duration // in the codec that was chosen
	Failed       bool          // the codec failed, on either side
	ShadowTook   time.Duration // in the fallback, if Choice.Shadow
	ShadowFailed bool
}

// Event is a change of state, or a refused change: then From and To are both [Primary].
type Event struct {
	Time     time.Time
	From, To State
	Share    float64 // share of calls that begin with the primary from now on
	Cause    string  // one sentence

	ctx context.Context
}

// Context returns the context of the [Machine.Look] that caused the change.
func (e Event) Context() context.Context { return e.ctx }

// String describes the event in one line.
func (e Event) String() string {
	return fmt.Sprintf("%v → %v, primary on %g%% of calls: %s", e.From, e.To, 100*e.Share, e.Cause)
}

// Machine decides which codec a call begins with; the package documentation has the rules. Many
// goroutines may call its methods at once.
type Machine struct {
	c       Config
	canary  *canary.Canary // the primary is its candidate, the fallback its incumbent
	next    atomic.Int64   // time of the next Look, in Unix nanoseconds
	use     atomic.Uint32  // a bit for each class of sizes that goes to the fallback
	missing atomic.Bool    // the other side is not known to have the fallback
	shadows shadows

	begun bool  // New has returned
	told  State // To of the last event; needs no lock, since the canary tells one event at a time

	// Only judge uses the fields below. The canary calls judge from one goroutine at a time.
	errorOnly bool      // the primary was left by the rule ErrorsOnly
	tripped   float64   // the primary's share of failures when it was left
	barred    time.Time // the fallback is not used before this time
	refused   time.Time // no refusal is reported before this time
}

var errFailed = errors.New("the codec failed")

// New returns a machine in state [Primary].
func New(c Config) (*Machine, error) {
	c, err := c.complete()
	if err != nil {
		return nil, err
	}
	m := &Machine{c: c}
	m.canary, err = canary.NewChooser("fallback", "primary", canary.Options{
		Steps: c.Steps, Hold: c.StepTime, Window: c.Window, Limits: canary.Limits{MinSamples: c.MinTrials},
		Judge: m.judge, Retry: c.Hold, MaxRetry: c.MaxHold, OnEvent: m.tell, Now: c.Now,
	})
	if err != nil {
		return nil, err
	}
	if err := m.canary.Promote("the primary serves until it fails"); err != nil {
		return nil, err
	}
	m.begun = true
	return m, nil
}

// State returns the state and the share of calls that begin with the primary. The share does not
// count calls of sizes for which the fallback is not faster.
func (m *Machine) State() (State, float64) {
	phase, share := m.canary.Standing()
	return states[phase], share
}

// Available says whether the other side has the fallback. Until Available is called, the machine
// assumes that the other side has it. Without the fallback the machine does not leave the primary,
// and returns to it if it had left it. The event of that return has the context ctx.
func (m *Machine) Available(ctx context.Context, yes bool) {
	if m.missing.Store(!yes); !yes {
		m.Look(ctx)
	}
}

// Pick decides how to begin a call whose larger message has about size bytes. draw is a random
// number in [0, 1).
func (m *Machine) Pick(size int, draw float64) Choice {
	primary := Choice{Shadow: draw < m.c.Shadow}
	switch phase, share := m.canary.Standing(); {
	case phase == canary.Promoted:
		return primary
	case m.use.Load()>>Class(size)&1 == 0:
		primary.apart = true
		return primary
	case draw < share:
		return Choice{}
	}
	return Choice{Fallback: true}
}

// Record reports how a call went.
func (m *Machine) Record(s Sample) {
	arm, err := canary.Candidate, error(nil)
	if s.Fallback {
		arm = canary.Incumbent
	}
	if s.Failed {
		err = errFailed
	}
	if !s.apart {
		m.canary.Record(arm, s.Took, s.Size, err)
	}
	if s.Shadow {
		m.shadows.add(m.c.Now(), m.c.Window/2, s)
	}
}

// Due reports whether it is time for [Machine.Look], sixty times in a Window. Each time only one
// caller gets true.
func (m *Machine) Due() bool {
	now, next := m.c.Now().UnixNano(), m.next.Load()
	return now >= next && m.next.CompareAndSwap(next, now+int64(m.c.Window/60))
}

// Look judges the calls so far and changes the state if the rules say so. Events have the context
// ctx.
func (m *Machine) Look(ctx context.Context) { m.canary.Evaluate(ctx) }

// judge tells the canary when the rules lead away from the primary or back to it.
func (m *Machine) judge(phase canary.Phase, window, step canary.Arms) (canary.Cause, string) {
	switch {
	case phase == canary.Promoted:
		return m.judgePrimary(calls(window.Candidate))
	case m.missing.Load():
		return canary.CauseUnfit, "the other side does not have the fallback"
	case phase == canary.Running:
		return m.judgeTrials(calls(step.Candidate), calls(step.Incumbent))
	}
	return "", ""
}

// judgePrimary leaves the primary if the rule holds and the fallback would help.
func (m *Machine) judgePrimary(primary canary.Signals) (canary.Cause, string) {
	errorOnly := m.bad(primary, true)
	if primary.Samples < uint64(m.c.MinSamples) || !errorOnly && !m.bad(primary, false) {
		return "", ""
	}
	now := m.c.Now()
	use := m.shadows.sound(m.c, errorOnly)
	switch {
	case m.missing.Load():
		return m.refuse(now, "the other side is not known to have the fallback")
	case now.Before(m.barred):
		return m.refuse(now, "the fallback failed no less when it was used last")
	case use == 0:
		return m.refuse(now, "the fallback is not known to be faster, for any size")
	}
	m.use.Store(use)
	m.errorOnly, m.tripped = errorOnly, primary.ErrorRate()
	why := fmt.Sprintf("%.1f%% of %d calls failed", 100*primary.ErrorRate(), primary.Samples)
	if errorOnly {
		return canary.CauseErrors, why
	}
	return canary.CauseP99, fmt.Sprintf("%s, p99 %v; the fallback is faster for messages %s", why,
		primary.P99.Round(time.Microsecond), names(use))
}

// judgeTrials goes back to the fallback if the primary still fails among the trials. If the
// fallback has failed at least as often as the primary had when it was left, judgeTrials keeps the
// primary.
func (m *Machine) judgeTrials(primary, fallback canary.Signals) (canary.Cause, string) {
	least := uint64(m.c.MinTrials)
	if primary.Samples < least || !m.bad(primary, m.errorOnly) {
		return "", ""
	}
	if fallback.Samples >= least && fallback.ErrorRate() >= m.tripped {
		m.barred = m.c.Now().Add(m.c.MaxHold)
		return canary.CauseUnfit, "the primary still fails, but the fallback no less"
	}
	return canary.CauseErrors, fmt.Sprintf("the primary still fails: %.1f%% of %d calls", 100*primary.ErrorRate(), primary.Samples)
}

// bad reports whether the rule that leads away from the primary holds.
func (m *Machine) bad(s canary.Signals, errorOnly bool) bool {
	if errorOnly {
		return m.c.ErrorsOnly > 0 && s.ErrorRate() > m.c.ErrorsOnly
	}
	return s.ErrorRate() > m.c.Errors && s.P99 > m.c.P99
}

// refuse reports that the primary is kept although the rule holds, at most once in Hold.
func (m *Machine) refuse(now time.Time, why string) (canary.Cause, string) {
	if now.Before(m.refused) {
		return "", ""
	}
	m.refused = now.Add(m.c.Hold)
	return canary.CauseKept, why
}

// calls returns the signals of an arm. There is at most one entry, as Record records whole calls
// only.
func calls(signals []canary.Signals) canary.Signals {
	if len(signals) == 0 {
		return canary.Signals{}
	}
	return signals[0]
}

// tell passes an event of the canary on to OnEvent.
func (m *Machine) tell(e canary.Event) {
	from, to := m.told, states[e.Phase]
	m.told = to
	if m.c.OnEvent != nil && m.begun {
		m.c.OnEvent(Event{Time: e.Time, From: from, To: to, Share: e.Share, Cause: e.Reason, ctx: e.Context()})
	}
}

// shadows counts the calls whose work both codecs have done, by class of size. It covers between
// half a window and a whole one.
type shadows struct {
	mu       sync.Mutex
	since    time.Time
	now, old [Classes]shadow
}

// shadow counts calls and sums the time in both codecs.
type shadow struct {
	n, failed         int // failed counts those in which the fallback failed
	primary, fallback time.Duration
}

func (c *shadows) add(now time.Time, half time.Duration, s Sample) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now.Sub(c.since) >= half {
		c.old, c.now, c.since = c.now, [Classes]shadow{}, now
	}
	x := &c.now[Class(s.Size)]
	x.n++
	x.primary += s.Took
	x.fallback += s.ShadowTook
	if s.ShadowFailed {
		x.failed++
	}
}

// sound returns a bit for each class that may go to the fallback. If errorOnly is set, these are
// all classes, else those in which the fallback was faster in at least MinShadow calls. Classes in
// which the fallback fails in a larger share of the calls than o.Errors are left out.
func (c *shadows) sound(o Config, errorOnly bool) (use uint32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, x := range c.now {
		y := c.old[i]
		n, failed := x.n+y.n, x.failed+y.failed
		faster := n >= o.MinShadow && x.fallback+y.fallback < x.primary+y.primary
		if float64(failed) <= o.Errors*float64(n) && (errorOnly || faster) {
			use |= 1 << i
		}
	}
	return use
}
