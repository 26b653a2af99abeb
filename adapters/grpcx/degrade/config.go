package degrade

import (
	"cmp"
	"errors"
	"fmt"
	"time"
)

// Config directs a [Machine]. The zero value has the defaults, which stand behind
// each field.
type Config struct {
	P99        time.Duration // 5 ms: time in the codec, marshalling and unmarshalling of one call together
	Errors     float64       // 0.03: share of calls in which the codec failed
	ErrorsOnly float64       // 0: a share of failed calls that is reason enough alone; 0 is none
	MinSamples int           // 500: calls in the window, below which nothing is decided

	Window time.Duration // 60 s, of which the calls count

	Hold    time.Duration // 60 s, which is also the least: how long the fallback is kept at first
	MaxHold time.Duration // 10 min

	Steps     []float64     // 0.01, 0.1, 1: shares of calls on which the primary is tried
	StepTime  time.Duration // 10 s: how long at least on each
	MinTrials int           // 100: how many trials at least on each

	Shadow    float64 // 0.01, which is also the most: share of calls that the fallback repeats
	MinShadow int     // 5: such calls in a class of sizes, below which it is not known to be faster

	// OnEvent is called for each change, one at a time and in order; nil for nobody. It may ask the
	// machine.
	OnEvent func(Event)

	Now func() time.Time // the clock, time.Now if nil
}

// Bounds of a [Config].
const (
	MinHold   = time.Minute // the least that Hold may be
	MaxShadow = 0.01        // the most that Shadow may be
)

// complete returns the config with its defaults, or says what cannot be meant.
func (c Config) complete() (Config, error) {
	c.P99 = cmp.Or(c.P99, 5*time.Millisecond)
	c.Errors = cmp.Or(c.Errors, 0.03)
	c.MinSamples = cmp.Or(c.MinSamples, 500)
	c.Window = cmp.Or(c.Window, time.Minute)
	c.Hold = cmp.Or(c.Hold, MinHold)
	c.MaxHold = cmp.Or(c.MaxHold, max(10*time.Minute, c.Hold))
	c.StepTime = cmp.Or(c.StepTime, 10*time.Second)
	c.MinTrials = cmp.Or(c.MinTrials, 100)
	c.Shadow = cmp.Or(c.Shadow, MaxShadow)
	c.MinShadow = cmp.Or(c.MinShadow, 5)
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Steps == nil {
		c.Steps = []float64{0.01, 0.1, 1}
	}
	return c, c.check()
}

func (c Config) check() error {
	share := func(name string, x float64) error {
		if x < 0 || x > 1 {
			return fmt.Errorf("degrade: %s is %v, want a share between 0 and 1", name, x)
		}
		return nil
	}
	var errs []error
	errs = append(errs, share("Errors", c.Errors), share("ErrorsOnly", c.ErrorsOnly), share("Shadow", c.Shadow))
	last := 0.0
	for i, s := range c.Steps {
		errs = append(errs, share(fmt.Sprintf("Steps[%d]", i), s))
		if s <= last {
			errs = append(errs, fmt.Errorf("degrade: Steps[%d] is %v, want more than the step before it", i, s))
		}
		last = s
	}
	if last != 1 {
		errs = append(errs, errors.New("degrade: Steps must end with 1"))
	}
	if c.Shadow > MaxShadow {
		errs = append(errs, fmt.Errorf("degrade: Shadow is %v, want at most %v: those calls do the work twice", c.Shadow, MaxShadow))
	}
	if c.Hold < MinHold || c.MaxHold < c.Hold {
		errs = append(errs, fmt.Errorf("degrade: Hold is %v and MaxHold %v, want at least %v and no less than Hold",
			c.Hold, c.MaxHold, MinHold))
	}
	if c.Window <= 0 || c.MinSamples < 1 || c.MinTrials < 1 || c.MinShadow < 1 || c.P99 < 0 || c.StepTime < 0 {
		errs = append(errs, errors.New("degrade: Window, MinSamples, MinTrials and MinShadow must be positive, P99 and StepTime "+
			"not negative"))
	}
	return errors.Join(errs...)
}
