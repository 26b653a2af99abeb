package load

import (
	"sync"
	"time"
)

// sleeper lets one goroutine wait until a point in time.
type sleeper interface {
	// until returns true at time t, or at once if t has passed. It returns false if the sleeper was
	// closed.
	until(t time.Time) bool
	close()
}

// timerSleeper waits with a timer of the Go runtime. On an idle Linux machine such timers are up to
// a millisecond late: the runtime waits for them in epoll_wait, whose timeouts are in milliseconds.
type timerSleeper struct {
	quit chan struct{}
	once sync.Once
}

func newTimerSleeper() sleeper { return &timerSleeper{quit: make(chan struct{})} }

func (s *timerSleeper) until(t time.Time) bool {
	d := time.Until(t)
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-s.quit:
		return false
	}
}

func (s *timerSleeper) close() { s.once.Do(func() { close(s.quit) }) }
