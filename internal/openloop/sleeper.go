package openloop

import (
	"context"
	"slices"
	"time"
)

// Spin says how long a generator may spin before each request. The kernel wakes a thread some tens
// of microseconds late, or much more on a busy machine. A generator that spins for that time is
// late by less than a microsecond, but occupies a processor.
type Spin uint8

const (
	// Never is for processes whose CPU time is measured: the generator does not spin.
	Never Spin = iota
	// Brief is for generators that share a machine with the service: they spin at most 50 µs.
	Brief
	// Long is for generators with a processor of their own: they spin at least 100 µs.
	Long
)

// windows bounds how long a generator spins. Within these bounds it spins 1.5 times as long as its
// thread overslept, at this quantile of a few tries.
var windows = [...]struct {
	quantile    float64
	least, most time.Duration
}{
	Brief: {0.5, 10 * time.Microsecond, 50 * time.Microsecond},
	Long:  {0.95, 100 * time.Microsecond, 5 * time.Millisecond},
}

// clock is a sleeper's source of time. Tests replace it.
type clock struct {
	now   func() time.Duration                       // time since the beginning
	start func() time.Time                           // makes the present moment the beginning
	sleep func(ctx context.Context, d time.Duration) // ends too late by up to the constant coarse; ends early if ctx ends
	nap   func(d time.Duration)                      // short and precise; may end early
}

// coarse is how late a Go timer can fire on an idle machine: the runtime's poller waits for whole
// milliseconds.
const coarse = 1500 * time.Microsecond

func realClock() *clock {
	begin := time.Now()
	var timer *time.Timer
	return &clock{
		now:   func() time.Duration { return time.Since(begin) },
		start: func() time.Time { begin = time.Now(); return begin },
		sleep: func(ctx context.Context, d time.Duration) {
			if timer == nil {
				timer = time.NewTimer(d)
			} else {
				timer.Reset(d) // its channel is empty: no sleep follows one that ctx ended
			}
			select {
			case <-timer.C:
			case <-ctx.Done():
				timer.Stop()
			}
		},
		nap: nap,
	}
}

// sleeper waits for moments, on one goroutine.
type sleeper struct {
	*clock
	window time.Duration // time before a moment in which it spins
	spun   time.Duration // total time spent spinning
}

// newSleeper returns a sleeper with clock c, or the real clock if c is nil. Unless spin is Never,
// it first measures for some 10 ms how late naps end.
func newSleeper(c *clock, spin Spin) *sleeper {
	if c == nil {
		c = realClock()
	}
	s := &sleeper{clock: c}
	if spin == Never {
		return s
	}
	const tries, short = 40, 200 * time.Microsecond
	over := make([]time.Duration, tries)
	for i := range over {
		t0 := s.now()
		s.nap(short)
		over[i] = s.now() - t0 - short
	}
	slices.Sort(over)
	w := windows[spin]
	s.window = min(max(over[int(w.quantile*tries)]*3/2, w.least), w.most)
	return s
}

// until waits and returns the time since the beginning, which is at or after at. ok is false if ctx
// has ended.
func (s *sleeper) until(ctx context.Context, at time.Duration) (now time.Duration, ok bool) {
	for rest := at; rest > 0; {
		if ctx.Err() != nil {
			return 0, false
		}
		switch rest = at - s.window - s.now(); {
		case rest > coarse:
			s.sleep(ctx, rest-coarse)
		case rest > 0:
			s.nap(rest)
		}
	}
	from := s.now()
	for now = from; now < at; {
		now = s.now()
	}
	s.spun += now - from
	return now, true
}
