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

// State is where a [Machine] stands.
type State uint8

// The states.
const (
	Primary  State = iota // all calls begin with the primary codec
	Fallback              // calls begin with the fallback
	HalfOpen              // the primary is tried on a share of the calls
)

// String is the state in lower case.
func (s State) String() string { return [...]string{"primary", "fallback", "half-open"}[s] }

// states are those of a machine by the phase of its canary.
var states = map[canary.Phase]State{canary.Promoted: Primary, canary.RolledBack: Fallback, canary.Running: HalfOpen}

// Choice is how one call is to be made.
type Choice struct {
	Fallback bool // begin with the fallback codec
	Shadow   bool // let the fallback repeat the work of the primary afterwards, and measure it
	apart    bool // the size keeps the primary whatever the state, and so the call is no trial
}

// Sample is how a call went. A call that failed for another reason than a codec is no sample.
type Sample struct {
	Choice
	Size         int           // bytes of the larger of request and response
	Took         time.Duration // in the codec that was chosen
	Failed       bool          // the codec failed, on either side
	ShadowTook   time.Duration // in the fallback, if Choice.Shadow
	ShadowFailed bool
}

// Event is a change, or the refusal of one: then From and To are both [Primary].
type Event struct {
	Time     time.Time
	From, To State
	Share    float64 // of calls that begin with the primary from now on
	Cause    string  // one sentence

	ctx context.Context
}

// Context returns the context of the [Machine.Look] that has found the change.
func (e Event) Context() context.Context { return e.ctx }

// String is the event in one line.
func (e Event) String() string {
	return fmt.Sprintf("%v → %v, primary on %g%% of calls: %s", e.From, e.To, 100*e.Share, e.Cause)
}

// Machine decides; see the package's documentation for the rules. Its methods may be called by many
// goroutines.
type Machine struct {
	c       Config
	canary  *canary.Canary // of which the primary is the candidate, and the fallback the incumbent
	next    atomic.Int64   // when to look again, in Unix nanoseconds
	use     atomic.Uint32  // a bit for each class that goes to the fallback
	missing atomic.Bool    // the other side is not known to have the fallback
	shadows shadows

	begun bool  // New has returned
	told  State // To of the last event; the canary tells one event at a time

	// The rest belongs to judge, which the canary calls for one look at a time.
	errorOnly bool      // the fallback was chosen for failures alone
	tripped   float64   // share of failures of the primary when it was left
	barred    time.Time // until when the fallback is not to be used
	refused   time.Time // until when a refusal is not told again
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

// State returns the state, and the share of calls that begin with the primary, those of
// sizes left out that the fallback is not faster for.
func (m *Machine) State() (State, float64) {
	phase, share := m.canary.Standing()
	return states[phase], share
}

// Available says whether the other side has the fallback. A machine takes it to have the fallback
// until something else is said; without it the primary is not left, and taken back if it was. The
// event has the context ctx.
func (m *Machine) Available(ctx context.Context, yes bool) {
	if m.missing.Store(!yes); !yes {
		m.Look(ctx)
	}
}

// Pick says how a call is to begin whose larger message will be of about size bytes.
// draw is a random number in [0, 1).
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

// Record says how a call went.
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

// Due reports whether it is time for a [Machine.Look], which is sixty times in a Window. One caller
// at a time is told so.
func (m *Machine) Due() bool {
	now, next := m.c.Now().UnixNano(), m.next.Load()
	return now >= next && m.next.CompareAndSwap(next, now+int64(m.c.Window/60))
}

// Look changes the state if it is time to. Events have the context ctx.
func (m *Machine) Look(ctx context.Context) { m.canary.Evaluate(ctx) }

// judge says to the canary when the rules lead away from the primary, and back to it.
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

// judgePrimary leaves the primary if the rule holds and the fallback is of use.
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

// judgeTrials takes the fallback again if the primary still fails among the trials, or takes the
// primary back if the fallback has failed no less.
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

// bad reports whether the rule holds that leads away from the primary.
func (m *Machine) bad(s canary.Signals, errorOnly bool) bool {
	if errorOnly {
		return m.c.ErrorsOnly > 0 && s.ErrorRate() > m.c.ErrorsOnly
	}
	return s.ErrorRate() > m.c.Errors && s.P99 > m.c.P99
}

// refuse tells, once in a Hold, that the primary is kept though the rule holds.
func (m *Machine) refuse(now time.Time, why string) (canary.Cause, string) {
	if now.Before(m.refused) {
		return "", ""
	}
	m.refused = now.Add(m.c.Hold)
	return canary.CauseKept, why
}

// calls are the signals of an arm, of which Record has recorded whole requests alone.
func calls(signals []canary.Signals) canary.Signals {
	if len(signals) == 0 {
		return canary.Signals{}
	}
	return signals[0]
}

// tell hands an event of the canary on.
func (m *Machine) tell(e canary.Event) {
	from, to := m.told, states[e.Phase]
	m.told = to
	if m.c.OnEvent != nil && m.begun {
		m.c.OnEvent(Event{Time: e.Time, From: from, To: to, Share: e.Share, Cause: e.Reason, ctx: e.Context()})
	}
}

// shadows are calls whose work both codecs have done, by class of size, in the last half of a
// window to a whole one.
type shadows struct {
	mu       sync.Mutex
	since    time.Time
	now, old [Classes]shadow
}

// shadow counts calls, and adds up the time in both codecs.
type shadow struct {
	n, failed         int // failed: the fallback
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

// sound returns a bit for each class that may go to the fallback: all if failures alone are the
// cause, else those in which the fallback was faster. A class in which the fallback fails itself is
// not among them.
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
