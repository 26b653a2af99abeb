package degrade

import (
	"cmp"
	"errors"
	"fmt"
	"time"
)

// Config sets up a [Machine]. The zero value means the defaults, which begin the comment of each
// field.
type Config struct {
	P99        time.Duration // 5 ms: limit for the time in the codec, both directions of a call together
	Errors     float64       // 0.03: limit for the share of calls in which the codec failed
	ErrorsOnly float64       // 0: a share of failed calls that suffices without P99; 0 turns that rule off
	MinSamples int           // 500: with fewer calls in the window nothing is decided

	Window time.Duration // 60 s: the span of the calls that are judged

	Hold    time.Duration // 60 s, the minimum: how long the fallback is kept the first time
	MaxHold time.Duration // 10 min, or Hold if that is longer: the longest time that the fallback is kept

	Steps     []float64     // 0.01, 0.1, 1: shares of calls on which the primary is tried
	StepTime  time.Duration // 10 s: minimum time on each step
	MinTrials int           // 100: minimum number of trials on each step

	Shadow    float64 // 0.01, the maximum: share of calls whose work the fallback repeats
	MinShadow int     // 5: with fewer such calls in a class of sizes the fallback does not count as faster

	// OnEvent, if set, is called for each change, one at a time and in order. It may call the
	// machine's methods.
	OnEvent func(Event)

	Now func() time.Time // the clock; time.Now if nil
}

// Limits for fields of a [Config].
const (
	MinHold   = time.Minute // the minimum of Hold
	MaxShadow = 0.01        // the maximum of Shadow
)

// complete returns the config with its defaults filled in, and an error if it is invalid.
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
