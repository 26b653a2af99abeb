// Package patience says how long tests wait for something before they report that it hangs. Tests
// state durations for an idle machine. This package multiplies them by how much slower this machine
// is at the time, because it is slow or busy, or because the program runs under the race detector.
// Do not use this package to test that something is quick; tests of durations run under
// testing/synctest.
package patience

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// For returns how long to wait for something that takes less than d on an idle machine: d times
// Slowness.
func For(d time.Duration) time.Duration { return time.Duration(float64(d) * Slowness()) }

// Until calls f every millisecond until it returns true. It fails the test after d, measured by a
// clock that slows down with the machine.
func Until(t testing.TB, d time.Duration, what string, f func() bool) {
	t.Helper()
	if !Wait(d, f) {
		t.Fatalf("still waiting after %v and more: %s", d, what)
	}
}

// Wait does what Until does, without a test. It reports whether f has returned true.
func Wait(d time.Duration, f func() bool) bool {
	c := newClock(d, Slowness)
	for !f() {
		if c.over(time.Now()) {
			return f() // the machine may have been suspended since the last call
		}
		time.Sleep(time.Millisecond)
	}
	return true
}

// clock measures a duration, and runs more slowly on a slow machine. It asks for the machine's
// slowness sixteen times in that duration.
type clock struct {
	period   time.Duration
	slowness func() float64
	last     time.Time     // when left was last updated
	left     time.Duration // what is left of the duration, by this clock
}

func newClock(d time.Duration, slowness func() float64) *clock {
	return &clock{period: d / 16, slowness: slowness, last: time.Now(), left: d}
}

// over reports whether the duration is over.
func (c *clock) over(now time.Time) bool {
	if passed := now.Sub(c.last); passed >= c.period {
		c.last = now
		c.left -= time.Duration(float64(min(passed, 2*c.period)) / c.slowness())
	}
	return c.left <= 0
}

// idle is how long sample takes on two idle cores of an x86-64 server of 2020. It is longer than
// the time slice that a scheduler grants to a thread that has slept. With a shorter sample every
// machine would look idle.
const idle = 30 * time.Millisecond

// fresh is how long a measurement stays valid.
const fresh = 2 * time.Second

var measured struct {
	sync.Mutex
	at       time.Time
	slowness float64
}

// Slowness returns how much longer work takes here and now than on the idle machine for which tests
// state durations. It is at least 1. It measures at most once in two seconds.
func Slowness() float64 {
	measured.Lock()
	defer measured.Unlock()
	begin := time.Now()
	if age := begin.Sub(measured.at); measured.slowness == 0 || age < 0 || age > fresh { // < 0: the clock of a synctest bubble
		share := sample(time.Second)
		measured.at = time.Now()
		measured.slowness = max(1, float64(measured.at.Sub(begin))/float64(idle)/share)
	}
	return measured.slowness
}

// sample does work like that of tests, for at most the duration most: two goroutines take turns,
// and each computes on some memory. It returns the share of the work that it has done.
func sample(most time.Duration) float64 {
	const turns = 1024
	var memory [2][1 << 12]uint64
	hand, back := make(chan uint64), make(chan uint64)
	go func() {
		defer close(back)
		for x := range hand {
			back <- churn(&memory[0], x)
		}
	}()
	x, done := uint64(1), 0
	for end := time.Now().Add(most); done < turns && (done == 0 || time.Now().Before(end)); done++ {
		hand <- x
		x = churn(&memory[1], <-back)
	}
	close(hand)
	<-back
	sink.Store(x)
	return float64(done) / turns
}

// sink keeps the compiler from removing the work.
var sink atomic.Uint64

func churn(memory *[1 << 12]uint64, x uint64) uint64 {
	for i := range memory {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		memory[x%(1<<12)] += x + uint64(i)
	}
	return x
}
