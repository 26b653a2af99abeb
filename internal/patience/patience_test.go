package patience

import (
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestClock: a minute lasts as many minutes as the machine is slower, period by period.
func TestClock(t *testing.T) {
	for _, c := range []struct {
		name     string
		slowness func(minutes float64) float64
		want     time.Duration
	}{
		{"idle", func(float64) float64 { return 1 }, time.Minute},
		{"busy", func(float64) float64 { return 4 }, 4 * time.Minute},
		{"busy for a minute", func(m float64) float64 {
			if m <= 1 {
				return 2
			}
			return 1
		}, 90 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			begin := time.Now()
			now := begin
			k := newClock(time.Minute, func() float64 { return c.slowness(now.Sub(begin).Minutes()) })
			k.last = begin
			for !k.over(now) {
				now = now.Add(10 * time.Millisecond)
			}
			if took := now.Sub(begin); took < c.want || took > c.want*11/10 {
				t.Errorf("a minute lasts %v, want %v", took, c.want)
			}
		})
	}
}

// TestClockAfterStandstill: a program that stood still for an hour still has nearly all of its
// minute.
func TestClockAfterStandstill(t *testing.T) {
	k := newClock(time.Minute, func() float64 { return 1 })
	if k.over(k.last.Add(time.Hour)) || k.left < 50*time.Second {
		t.Errorf("%v of a minute are left", k.left)
	}
}

func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // where machines are idle
		begin, calls := time.Now(), 0
		if !Wait(time.Minute, func() bool { calls++; return calls == 1000 }) || time.Since(begin) > 2*time.Second {
			t.Errorf("%d calls in %v", calls, time.Since(begin))
		}
		begin = time.Now()
		if Wait(time.Minute, func() bool { return false }) {
			t.Error("it came true")
		}
		if took := time.Since(begin); took < time.Minute || took > 66*time.Second {
			t.Errorf("gave up after %v", took)
		}
		if For(time.Minute) < time.Minute {
			t.Error("For shortens")
		}
	})
	if !Wait(0, func() bool { return true }) {
		t.Error("what is true at once was not seen")
	}
}

// TestSlowness: beside goroutines that never rest the machine counts as slower.
func TestSlowness(t *testing.T) {
	reset := func() {
		measured.Lock()
		measured.slowness = 0
		measured.Unlock()
	}
	reset()
	defer reset()
	var rest atomic.Bool
	defer rest.Store(true)
	for range 8 * runtime.GOMAXPROCS(0) {
		go func() {
			for !rest.Load() {
				sink.Add(1)
			}
		}()
	}
	most := 0.0 // one reading may fall into a moment in which the others wait
	for range 50 {
		if most = max(most, Slowness()); most >= 2 {
			return
		}
		reset()
	}
	t.Errorf("%d goroutines for each processor slow the machine by %v", 8, most)
}
