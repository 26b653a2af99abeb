package canary

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"
)

// NOTE: Run, Evaluate and the commands act through the method named change. It sets the phase,
// publishes the share for Choose, and queues an event. Events are passed on after c.mu is unlocked,
// so that OnEvent and the Logger may call the canary.

// Phase is the state of a canary.
type Phase string

// The phases.
const (
	Idle       Phase = "idle"        // not started: only the header reaches the candidate
	Running    Phase = "running"     // goes from step to step
	Paused     Phase = "paused"      // stays at its share, unless it rolls back
	RolledBack Phase = "rolled back" // no request gets the candidate
	Promoted   Phase = "promoted"    // has its final share, by the last step or by hand; still rolls back
)

// Cause is the reason for a change of a canary.
type Cause string

// The causes.
const (
	CauseManual Cause = "manual"
	CauseHold   Cause = "hold"   // the step was held long enough
	CauseErrors Cause = "errors" // the candidate fails more often
	CauseP99    Cause = "p99"    // the candidate is slower
	CauseSize   Cause = "size"   // the candidate's messages are larger
	CauseRetry  Cause = "retry"  // the wait after a roll-back is over
	CauseKept   Cause = "kept"   // nothing has changed; the reason is from a Judge
	CauseUnfit  Cause = "unfit"  // a Judge says that the incumbent must not be used again
)

// Event is one change of a canary.
type Event struct {
	Time   time.Time `json:"time"`
	Canary string    `json:"canary"`
	Phase  Phase     `json:"phase"` // phase after
	From   float64   `json:"from"`  // share before
	Share  float64   `json:"share"` // share after
	Cause  Cause     `json:"cause"`
	Reason string    `json:"reason,omitempty"`

	ctx context.Context
}

// Context returns the context of the [Canary.Evaluate] that made the change, or context.Background
// for any other change.
func (e Event) Context() context.Context {
	if e.ctx == nil {
		return context.Background()
	}
	return e.ctx
}

// keptEvents is the number of events in a State.
const keptEvents = 32

// Run compares the arms, sixty times in a Window, and moves the canary, until ctx ends. It returns
// the error of ctx. Without Run or Evaluate the canary neither goes forward nor rolls back by
// itself. Call Run once at a time.
func (c *Canary) Run(ctx context.Context) error {
	t := time.NewTicker(max(c.opt.Window/60, time.Millisecond))
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-t.C:
			c.locked(c.evaluate)
		}
	}
}

// Evaluate compares the arms once. A program that does not call [Canary.Run] calls it now and then.
func (c *Canary) Evaluate(ctx context.Context) {
	c.locked(func(now mark) {
		c.ctx = ctx
		defer func() { c.ctx = nil }()
		c.evaluate(now)
	})
}

func (c *Canary) evaluate(now mark) {
	window, step := c.window(now), c.step(now)
	if step[Incumbent].samples() >= uint64(c.opt.Limits.MinSamples) {
		c.baseline = step[Incumbent]
	}
	if c.phase == Idle {
		return
	}
	cause, why := c.judge(c.compared(window), c.compared(step))
	switch {
	case cause == CauseUnfit:
		if c.phase != Promoted {
			c.change(now, Promoted, 1, cause, why)
		}
		return
	case c.phase == RolledBack:
		if !c.again.IsZero() && !now.at.Before(c.again) {
			c.start(now, CauseRetry, fmt.Sprintf("%v after the roll-back", c.wait))
		}
		return
	case cause == CauseKept:
		c.announce(now, c.share(), cause, why)
	case cause != "":
		c.rollBack(now, cause, why)
		return
	}
	held := now.at.Sub(c.since) >= c.opt.Hold && step[Candidate].samples() >= uint64(c.opt.Limits.MinSamples)
	if c.phase == Running && !c.opt.Manual && held {
		c.forward(now, CauseHold, fmt.Sprintf("%d operations in %v, nothing worse", step[Candidate].samples(), c.opt.Hold))
	}
}

// step returns what both arms have done since the last change.
func (c *Canary) step(now mark) [arms]sums {
	return [arms]sums{now.sums[Incumbent].sub(c.atStep[Incumbent]), now.sums[Candidate].sub(c.atStep[Candidate])}
}

// compared returns gains. If the incumbent has done fewer than MinSamples operations, for instance
// because nearly all requests get the candidate, its part of the result is what it did when it last
// served enough.
func (c *Canary) compared(gains [arms]sums) [arms]sums {
	if gains[Incumbent].samples() < uint64(c.opt.Limits.MinSamples) && c.baseline.samples() > 0 {
		gains[Incumbent] = c.baseline
	}
	return gains
}

func (c *Canary) judge(window, step [arms]sums) (Cause, string) {
	if c.opt.Judge != nil {
		return c.opt.Judge(c.phase, armsOf(window), armsOf(step))
	}
	for _, gains := range [][arms]sums{window, step} {
		if cause, why := c.opt.Limits.judge(&gains[Incumbent], &gains[Candidate]); cause != "" {
			return cause, why
		}
	}
	return "", ""
}

// rollBack rolls back for a cause that the canary has found, and sets the time of the next start.
func (c *Canary) rollBack(now mark, cause Cause, why string) {
	healthy := c.phase == Promoted && now.at.Sub(c.since) >= c.opt.MaxRetry
	c.change(now, RolledBack, 0, cause, why)
	if c.opt.Retry == 0 {
		return
	}
	if healthy || c.wait == 0 {
		c.wait = c.opt.Retry
	} else {
		c.wait = min(2*c.wait, c.opt.MaxRetry)
	}
	c.again = now.at.Add(c.wait)
}

// start goes to the first step, from a share of 0.
func (c *Canary) start(now mark, cause Cause, why string) {
	c.phase = Running
	c.publish(0)
	c.forward(now, cause, why)
}

// forward goes to the step after the present share. After the last step it promotes the candidate.
func (c *Canary) forward(now mark, cause Cause, why string) {
	buckets := c.route.Load().buckets
	i := slices.IndexFunc(c.opt.Steps, func(s float64) bool { return bucketsOf(s) > buckets })
	if i < 0 {
		c.change(now, Promoted, c.share(), cause, why)
		return
	}
	c.change(now, Running, c.opt.Steps[i], cause, why)
}

// change sets phase and share, and announces an event. The caller holds c.mu, and calls deliver
// after it has unlocked c.mu.
func (c *Canary) change(now mark, to Phase, share float64, cause Cause, why string) {
	from := c.share()
	c.phase, c.reason, c.since, c.atStep, c.again = to, why, now.at, now.sums, time.Time{}
	c.publish(share)
	c.ring = append(c.ring[:0:0], now) // forget what was done in the step before
	c.announce(now, from, cause, why)
}

// announce records an event with the present phase and share, and queues it for deliver.
func (c *Canary) announce(now mark, from float64, cause Cause, why string) {
	e := Event{Time: now.at, Canary: c.opt.Name, Phase: c.phase, From: from, Share: c.share(), Cause: cause, Reason: why}
	c.events = append(c.events, e)
	if extra := len(c.events) - keptEvents; extra > 0 {
		c.events = slices.Delete(c.events, 0, extra)
	}
	e.ctx = c.ctx // only in pending: c.events would keep the context of a request alive
	c.pending = append(c.pending, e)
}

// deliver passes pending events to the callback, in order and one at a time. The callback may
// change the canary.
func (c *Canary) deliver() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.delivering {
		return // another goroutine is delivering, and delivers these too
	}
	c.delivering = true
	defer func() { c.delivering = false }()
	for len(c.pending) > 0 {
		e := c.pending[0]
		c.pending = c.pending[1:]
		c.tell(e)
	}
}

// tell logs an event and calls OnEvent. It unlocks c.mu meanwhile.
func (c *Canary) tell(e Event) {
	c.mu.Unlock()
	defer c.mu.Lock()
	if c.opt.Logger != nil {
		level := slog.LevelInfo
		if e.Phase == RolledBack && e.Cause != CauseManual {
			level = slog.LevelError
		}
		c.opt.Logger.LogAttrs(e.Context(), level, "canary "+string(e.Phase),
			slog.String("canary", e.Canary), slog.Float64("from", e.From), slog.Float64("share", e.Share),
			slog.String("cause", string(e.Cause)), slog.String("reason", e.Reason))
	}
	if c.opt.OnEvent != nil {
		c.opt.OnEvent(e)
	}
}

// locked calls f, which may change the canary, under the lock. Then it delivers the events.
func (c *Canary) locked(f func(now mark)) {
	defer c.deliver()
	c.mu.Lock()
	defer c.mu.Unlock()
	f(c.now())
}

// command calls do under the lock, or returns an error if the canary is in none of the phases.
func (c *Canary) command(what string, phases []Phase, do func(now mark)) (err error) {
	c.locked(func(now mark) {
		if !slices.Contains(phases, c.phase) {
			err = fmt.Errorf("canary %s: %s: it is %s", c.opt.Name, what, c.phase)
			return
		}
		do(now)
	})
	return err
}

// Start begins with the first step. The canary must be idle or rolled back.
func (c *Canary) Start(reason string) error {
	return c.command("start", []Phase{Idle, RolledBack}, func(now mark) {
		c.baseline = sums{}
		c.start(now, CauseManual, reason)
	})
}

// Advance goes to the next step without waiting. The canary must be running or paused.
func (c *Canary) Advance(reason string) error {
	return c.command("advance", []Phase{Running, Paused}, func(now mark) { c.forward(now, CauseManual, reason) })
}

// Pause keeps a running canary at the present share. It still rolls back by itself.
func (c *Canary) Pause(reason string) error {
	return c.command("pause", []Phase{Running}, func(now mark) { c.change(now, Paused, c.share(), CauseManual, reason) })
}

// Resume lets a paused canary go on. The time at the present step begins again.
func (c *Canary) Resume(reason string) error {
	return c.command("resume", []Phase{Paused}, func(now mark) { c.change(now, Running, c.share(), CauseManual, reason) })
}

// SetShare gives the candidate to a share of keys, 0 to 1, rounded to 1/[Buckets], and pauses the
// canary there.
func (c *Canary) SetShare(share float64, reason string) error {
	if !(share >= 0 && share <= 1) {
		return fmt.Errorf("canary %s: share %v is not within 0 and 1", c.opt.Name, share)
	}
	if share > 0 && bucketsOf(share) == 0 {
		return fmt.Errorf("canary %s: share %v would serve nobody: shares are rounded to 1/%d; take at least that, or 0",
			c.opt.Name, share, Buckets)
	}
	c.locked(func(now mark) { c.change(now, Paused, share, CauseManual, reason) })
	return nil
}

// RollBack takes the candidate away from all requests at once.
func (c *Canary) RollBack(reason string) error {
	c.locked(func(now mark) { c.change(now, RolledBack, 0, CauseManual, reason) })
	return nil
}

// Promote gives the candidate to all requests at once.
func (c *Canary) Promote(reason string) error {
	c.locked(func(now mark) { c.change(now, Promoted, 1, CauseManual, reason) })
	return nil
}

// State is the state of a canary at one time. It can be written as JSON.
type State struct {
	Name      string        `json:"name"`
	Incumbent string        `json:"incumbent"` // names of the codecs
	Candidate string        `json:"candidate"`
	Phase     Phase         `json:"phase"`
	Share     float64       `json:"share"`
	Steps     []float64     `json:"steps"`
	Since     time.Time     `json:"since"` // time of the last change
	Hold      time.Duration `json:"hold_ns"`
	Reason    string        `json:"reason,omitempty"` // of the last change
	Window    Arms          `json:"window"`           // signals of the last Options.Window
	Step      Arms          `json:"step"`             // since the last change
	Total     Arms          `json:"total"`            // since New
	Events    []Event       `json:"events"`           // the last 32, oldest first
}

// Arms has the signals of both arms: one entry for each operation that was done.
type Arms struct {
	Incumbent []Signals `json:"incumbent"`
	Candidate []Signals `json:"candidate"`
}

func armsOf(s [arms]sums) Arms { return Arms{s[Incumbent].signals(), s[Candidate].signals()} }

// State returns the present state.
func (c *Canary) State() State {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	return State{
		Name:      c.opt.Name,
		Incumbent: c.names[Incumbent],
		Candidate: c.names[Candidate],
		Phase:     c.phase,
		Share:     c.share(),
		Steps:     slices.Clone(c.opt.Steps),
		Since:     c.since,
		Hold:      c.opt.Hold,
		Reason:    c.reason,
		Window:    armsOf(c.window(now)),
		Step:      armsOf(c.step(now)),
		Total:     armsOf(now.sums),
		Events:    slices.Clone(c.events),
	}
}

// Restore sets phase, share and events to those of a saved state, and adds an event for the change.
// Signals begin at zero.
func (c *Canary) Restore(s State) error {
	switch {
	case !slices.Contains([]Phase{Idle, Running, Paused, RolledBack, Promoted}, s.Phase):
		return fmt.Errorf("canary %s: restore: no phase %q", c.opt.Name, s.Phase)
	case !(s.Share >= 0 && s.Share <= 1):
		return fmt.Errorf("canary %s: restore: share %v is not within 0 and 1", c.opt.Name, s.Share)
	case (s.Phase == Idle || s.Phase == RolledBack) && s.Share != 0:
		return errors.New("canary " + c.opt.Name + ": restore: a canary that is " + string(s.Phase) + " has no share")
	}
	c.locked(func(now mark) {
		c.change(now, s.Phase, s.Share, CauseManual, "restored: "+s.Reason)
		if extra := len(s.Events) - (keptEvents - 1); extra > 0 {
			s.Events = s.Events[extra:]
		}
		c.events = append(slices.Clone(s.Events), c.events[len(c.events)-1])
	})
	return nil
}
