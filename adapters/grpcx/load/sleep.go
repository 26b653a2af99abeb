package load

import (
	"sync"
	"time"
)

// sleeper lets one goroutine wait for a moment.
type sleeper interface {
	// until returns true at t, or at once when that has passed, and false when it was closed.
	until(t time.Time) bool
	close()
}

// timerSleeper waits by a timer of the Go runtime. On an idle Linux machine those are late by up to
// a millisecond, since the runtime waits for them in epoll_wait, whose timeouts are milliseconds.
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
