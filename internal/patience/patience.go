// Package patience tells tests how long they wait for what must happen before they say that it
// hangs. The durations that tests name are those of an idle machine; they grow by how much slower
// this machine is at the time: a slower one, one that is busy, a program under the race detector.
// Nothing here decides how long something may take that is quick: what a clock is to judge runs
// under testing/synctest.
package patience

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// For returns how long to wait for something that takes less than d on an idle machine: d, or the
// multiple by which this machine is slower right now.
func For(d time.Duration) time.Duration { return time.Duration(float64(d) * Slowness()) }

// Until calls f every millisecond until it returns true. It fails the test after d, by a clock that
// goes slower the slower the machine is.
func Until(t testing.TB, d time.Duration, what string, f func() bool) {
	t.Helper()
	if !Wait(d, f) {
		t.Fatalf("still waiting after %v and more: %s", d, what)
	}
}

// Wait is Until without a test. It reports whether f has returned true.
func Wait(d time.Duration, f func() bool) bool {
	c := newClock(d, Slowness)
	for !f() {
		if c.over(time.Now()) {
			return f() // the machine may have stood still since the last call
		}
		time.Sleep(time.Millisecond)
	}
	return true
}

// clock goes slower the slower the machine is, which it asks for sixteen times in the time that it
// has.
type clock struct {
	period   time.Duration
	slowness func() float64
	last     time.Time     // when spent was true
	left     time.Duration // of the time, by this clock
}

func newClock(d time.Duration, slowness func() float64) *clock {
	return &clock{period: d / 16, slowness: slowness, last: time.Now(), left: d}
}

// over reports whether the time is spent.
func (c *clock) over(now time.Time) bool {
	if passed := now.Sub(c.last); passed >= c.period {
		c.last = now
		c.left -= time.Duration(float64(min(passed, 2*c.period)) / c.slowness())
	}
	return c.left <= 0
}

// idle is what sample takes on two idle cores of an x86-64 server of 2020. It is longer than the
// turn that schedulers grant to who has slept: a shorter sample finds any machine idle.
const idle = 30 * time.Millisecond

// fresh is how long a measurement is used.
const fresh = 2 * time.Second

var measured struct {
	sync.Mutex
	at       time.Time
	slowness float64
}

// Slowness returns how many times as long a piece of work takes here and now as on the idle machine
// by which tests choose durations; at least 1. It measures at most every two seconds.
func Slowness() float64 {
	measured.Lock()
	defer measured.Unlock()
	begin := time.Now()
	if age := begin.Sub(measured.at); measured.slowness == 0 || age < 0 || age > fresh { // < 0: another clock, of a bubble of synctest
		share := sample(time.Second)
		measured.at = time.Now()
		measured.slowness = max(1, float64(measured.at.Sub(begin))/float64(idle)/share)
	}
	return measured.slowness
}

// sample does work as tests do it, for most at longest: two goroutines take turns, each with some
// computation on memory. It returns the share of the work that it has done.
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

// sink keeps the compiler from leaving the work out.
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
