package degrade

import (
	"fmt"
	"strings"
	"time"
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

// Choice is how one call is to be made.
type Choice struct {
	Fallback bool // begin with the fallback codec
	Shadow   bool // let the fallback repeat the work of the primary afterwards, and measure it
	trial    bool // of the primary
	term     int  // of the machine; samples from an earlier one say nothing about the trial
}

// Sample is how a call went. Calls that failed for other reasons than a codec, before
// it had anything to do, are not samples.
type Sample struct {
	Choice
	Size         int           // bytes of the larger of request and response
	Took         time.Duration // in the codec that was chosen
	Failed       bool          // the codec failed, on either side
	ShadowTook   time.Duration // in the fallback, if Choice.Shadow
	ShadowFailed bool
}

// Event is a change, or the refusal of one.
type Event struct {
	At       time.Duration
	From, To State
	Share    float64 // of calls that begin with the primary from now on
	Cause    string  // one sentence
	P99      time.Duration
	Failures float64 // share of calls
	Samples  int     // that the decision rests on
}

// String is the event in one line.
func (e Event) String() string {
	return fmt.Sprintf("%v → %v, primary on %g%% of calls: %s (p99 %v, failures %.1f%%, %d calls)",
		e.From, e.To, 100*e.Share, e.Cause, e.P99, 100*e.Failures, e.Samples)
}

// Machine decides; see the package's documentation for the rules. It is not safe for
// concurrent use. Times are counted from any origin and do not go back.
type Machine struct {
	c      Config
	window *window // calls with the primary
	state  State
	term   int           // counts the changes
	since  time.Duration // of the present state or step
	next   time.Duration // when to look again

	step  int
	trial *tally // trials of the present step

	hold      time.Duration
	errorOnly bool          // the fallback was chosen for failures alone
	use       [Classes]bool // classes that go to the fallback
	tripped   float64       // failures of the primary when it was left
	using     *tally        // calls with the fallback since then

	healed  time.Duration // when the primary was taken back; before 0 if it never was
	barred  time.Duration // until when the fallback is not to be used
	refused time.Duration // until when a refusal is not told again
	missing bool          // the other side is not known to have the fallback
}

// New returns a machine in state [Primary].
func New(c Config) (*Machine, error) {
	c, err := c.complete()
	if err != nil {
		return nil, err
	}
	return &Machine{c: c, window: newWindow(c.Slots, c.Slot), trial: new(tally), using: new(tally),
		hold: c.Hold, healed: -c.MaxHold - 1}, nil
}

// State returns the state, and the share of calls that begin with the primary, those of
// sizes left out that the fallback is not faster for.
func (m *Machine) State() (State, float64) { return m.state, m.share() }

func (m *Machine) share() float64 {
	switch m.state {
	case Fallback:
		return 0
	case HalfOpen:
		return m.c.Steps[m.step]
	}
	return 1
}

// Available says whether the other side has the fallback. It is taken to have it until
// something else is said; without it the primary is not left, and taken back if it was.
func (m *Machine) Available(now time.Duration, yes bool) {
	if m.missing = !yes; m.missing && m.state != Primary {
		m.healed = now
		m.change(now, Primary, "the other side does not have the fallback", m.using)
	}
}

// Pick says how a call is to begin whose larger message will be of about size bytes.
// draw is a random number in [0, 1).
func (m *Machine) Pick(now time.Duration, size int, draw float64) Choice {
	m.look(now)
	primary := Choice{Shadow: draw < m.c.Shadow, term: m.term}
	switch {
	case m.state == Primary || !m.use[Class(size)]:
		return primary
	case m.state == HalfOpen && draw < m.share():
		return Choice{trial: true, term: m.term}
	}
	return Choice{Fallback: true, term: m.term}
}

// Record says how a call went.
func (m *Machine) Record(now time.Duration, s Sample) {
	m.look(now)
	switch {
	case s.Fallback && s.term == m.term:
		m.using.add(s)
	case s.Fallback:
	case !s.trial:
		m.window.current().add(s)
	case s.term == m.term && m.state == HalfOpen:
		m.trial.add(s)
		m.judge(now)
	}
}

// look does what is due.
func (m *Machine) look(now time.Duration) {
	m.window.advance(now)
	switch m.state {
	case Primary:
		if now < m.next {
			return
		}
		m.next = now + m.c.Slot/10 // summing the window up is not for each call
		m.consider(now)
	case Fallback:
		if now-m.since >= m.hold {
			m.step = 0
			m.change(now, HalfOpen, "the hold is over", m.using)
		}
	}
}

// bad reports whether the rule holds that leads away from the primary.
func (m *Machine) bad(t *tally, errorOnly bool) bool {
	if errorOnly {
		return m.c.ErrorsOnly > 0 && t.failures() > m.c.ErrorsOnly
	}
	return t.failures() > m.c.Errors && t.p99() > m.c.P99
}

// consider decides whether to leave the primary.
func (m *Machine) consider(now time.Duration) {
	sum := m.window.sum()
	errorOnly := m.bad(sum, true)
	if sum.n < m.c.MinSamples || !errorOnly && !m.bad(sum, false) {
		return
	}
	if m.missing {
		m.refuse(now, "the other side is not known to have the fallback", sum)
		return
	}
	if now < m.barred {
		m.refuse(now, "the fallback failed no less when it was used last", sum)
		return
	}
	use, any := m.guard(sum, errorOnly)
	if !any {
		m.refuse(now, "the fallback is not known to be faster, for any size", sum)
		return
	}
	if now-m.healed < m.c.MaxHold {
		m.hold = min(2*m.hold, m.c.MaxHold)
	} else {
		m.hold = m.c.Hold
	}
	m.use, m.errorOnly, m.tripped = use, errorOnly, sum.failures()
	cause := "failures, and too slow"
	if errorOnly {
		cause = "failures"
	}
	if !errorOnly {
		cause += "; " + m.names()
	}
	m.change(now, Fallback, cause, sum)
}

// guard returns the classes that may go to the fallback: all if failures alone are the cause, else
// those in which it was faster. A fallback that fails itself is for none.
func (m *Machine) guard(t *tally, errorOnly bool) (use [Classes]bool, any bool) {
	for i, s := range t.shadows {
		measured := s.n >= m.c.MinShadow
		sound := float64(s.failed) <= m.c.Errors*float64(s.n)
		use[i] = sound && (errorOnly || measured && s.fallback < s.primary)
		any = any || use[i]
	}
	return use, any
}

// names says which classes go to the fallback.
func (m *Machine) names() string {
	var out []string
	for i, used := range m.use {
		switch {
		case !used:
		case i < len(classes):
			out = append(out, fmt.Sprintf("≤%d KiB", classes[i]>>10))
		default:
			out = append(out, "larger")
		}
	}
	return "the fallback is faster for messages " + strings.Join(out, ", ")
}

// judge decides about a step when it has lasted.
func (m *Machine) judge(now time.Duration) {
	switch {
	case m.trial.n < m.c.MinTrials:
	case m.bad(m.trial, m.errorOnly):
		m.reopen(now)
	case now-m.since < m.c.StepTime:
	case m.step+1 < len(m.c.Steps):
		m.step++
		m.change(now, HalfOpen, "the trials went well", m.trial)
	default:
		m.healed = now
		m.window.clear()
		m.change(now, Primary, "the trials went well", m.trial)
	}
}

// reopen ends a trial that went badly.
func (m *Machine) reopen(now time.Duration) {
	if m.using.n >= m.c.MinTrials && m.using.failures() >= m.tripped {
		m.barred = now + m.c.MaxHold
		m.healed = now
		m.window.clear()
		m.change(now, Primary, "the primary still fails, but the fallback no less", m.trial)
		return
	}
	m.hold = min(2*m.hold, m.c.MaxHold)
	m.change(now, Fallback, "the primary still fails", m.trial)
}

// refuse tells, once in a Hold, that the primary is kept though the rule holds.
func (m *Machine) refuse(now time.Duration, cause string, t *tally) {
	if now < m.refused {
		return
	}
	m.refused = now + m.c.Hold
	m.tell(now, Primary, cause, t)
}

// change enters a state or step.
func (m *Machine) change(now time.Duration, to State, cause string, t *tally) {
	from := m.state
	m.state, m.since, m.next = to, now, now
	m.term++
	m.tell(now, from, cause, t)
	if to == Fallback && from == Primary {
		m.using.reset()
		m.window.clear()
	}
	m.trial.reset()
}

func (m *Machine) tell(now time.Duration, from State, cause string, t *tally) {
	if m.c.OnEvent != nil {
		m.c.OnEvent(Event{At: now, From: from, To: m.state, Share: m.share(), Cause: cause,
			P99: t.p99(), Failures: t.failures(), Samples: t.n})
	}
}
