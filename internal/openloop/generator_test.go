package openloop

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// virtual is a clock on which only waiting takes time: naps end late by over, timers of Go by slow,
// and a look at the clock takes 10 ns. Every fifth nap ends early, as by a signal.
type virtual struct {
	at         time.Duration
	over, slow time.Duration
	naps       int
	spins      int // looks at the clock
}

func (v *virtual) clock() *clock {
	return &clock{
		now:   func() time.Duration { v.at += 10; v.spins++; return v.at },
		start: func() time.Time { v.at, v.spins = 0, 0; return time.Now() },
		sleep: func(ctx context.Context, d time.Duration) {
			if ctx.Err() == nil {
				v.at += d + v.slow
			}
		},
		nap: func(d time.Duration) {
			if v.naps++; v.naps%5 == 0 {
				v.at += d / 2
				return
			}
			v.at += d + v.over
		},
	}
}

// TestPunctuality, in virtual time: a generator that may spin is late by a look at the clock as
// long as the kernel is late by less than its window; one that may not is late by what the kernel
// is; none is early.
func TestPunctuality(t *testing.T) {
	const us = time.Microsecond
	for _, c := range []struct {
		name       string
		spin       Spin
		over, slow time.Duration
		rate       float64
		most       time.Duration // of lateness
	}{
		{"never", Never, 60 * us, 0, 250, 61 * us},
		{"brief", Brief, 20 * us, 0, 250, us},
		{"brief, a slow kernel", Brief, 80 * us, 0, 250, 31 * us},
		{"long, a slow kernel", Long, 80 * us, 0, 250, us},
		{"long, slow timers", Long, 80 * us, 1400 * us, 20, us},
		{"long, a very slow kernel", Long, 900 * us, 0, 20, us},
	} {
		v := &virtual{over: c.over, slow: c.slow}
		g := &Generator{Schedule: Schedule{Rate: c.rate, For: 10 * time.Second, Even: true}, Spin: c.spin, clock: v.clock()}
		n := 0
		for q := range g.Requests(t.Context()) {
			if v.at < q.At || q.N != n {
				t.Fatalf("%s: request %d comes %s early, as number %d", c.name, n, q.At-v.at, q.N)
			}
			n++
		}
		if want := int(c.rate*10) - 1; n != want || g.Late.N() != uint64(n) {
			t.Errorf("%s: %d requests, lateness of %d; want %d", c.name, n, g.Late.N(), want)
		}
		if late := time.Duration(g.Late.Max()); late > c.most {
			t.Errorf("%s: late by %s", c.name, late)
		}
		if c.spin == Never && v.spins > 12*n {
			t.Errorf("%s: looked at the clock %d times for %d requests", c.name, v.spins, n)
		}
	}
}

// TestHeldUp, in virtual time: while a request cannot be handed over the generator makes no others,
// and they are late by as much as is left of that time.
func TestHeldUp(t *testing.T) {
	v := &virtual{}
	g := &Generator{Schedule: Schedule{Rate: 1000, For: 100 * time.Millisecond, Even: true}, Spin: Brief, clock: v.clock()}
	for q := range g.Requests(t.Context()) {
		if q.N == 49 {
			v.at += 20 * time.Millisecond
		}
	}
	if max, mid := time.Duration(g.Late.Max()), time.Duration(g.Late.Quantile(0.9)); max < 18*time.Millisecond ||
		max > 20*time.Millisecond || mid < 9*time.Millisecond || mid > 11*time.Millisecond {
		t.Errorf("P90 of lateness %s, at most %s", mid, max)
	}
}

// TestWarm, in virtual time: requests of the warm time are made and do not count, and Counting is
// called once, between them and the others.
func TestWarm(t *testing.T) {
	for _, warm := range []time.Duration{0, time.Second} {
		v := &virtual{over: 60 * time.Microsecond}
		called, n := 0, 0
		g := &Generator{Schedule: Schedule{Rate: 100, Warm: warm, For: 2 * time.Second, Even: true}, clock: v.clock()}
		g.Counting = func() {
			if called++; n != int(warm/(10*time.Millisecond))-1 && warm > 0 {
				t.Errorf("counting begins after %d requests", n)
			}
		}
		for range g.Requests(t.Context()) {
			n++
		}
		if called != 1 || uint64(n)-g.Late.N() != uint64(max(0, int(warm/(10*time.Millisecond))-1)) {
			t.Errorf("warm %s: %d requests, %d count, Counting called %d times", warm, n, g.Late.N(), called)
		}
	}
}

// TestRequestsEnd: a generator that waits ends with its context, and gives its processor back.
func TestRequestsEnd(t *testing.T) {
	procs := runtime.GOMAXPROCS(0)
	ctx, stop := context.WithCancel(t.Context())
	g := &Generator{Schedule: Schedule{Rate: 1e-6, For: 1e6 * time.Hour}, Spare: true, Spin: Brief}
	g.Counting = func() {
		if got := runtime.GOMAXPROCS(0); got != procs+1 {
			t.Errorf("GOMAXPROCS is %d of %d", got, procs)
		}
		time.AfterFunc(time.Millisecond, stop)
	}
	for q := range g.Requests(ctx) {
		t.Errorf("request %d is made", q.N)
	}
	if got := runtime.GOMAXPROCS(0); got != procs {
		t.Errorf("GOMAXPROCS stays %d of %d", got, procs)
	}
}

// TestServeCountsStalls: requests that were due during a stall have waited since then.
func TestServeCountsStalls(t *testing.T) {
	const stall = 150 * time.Millisecond
	var response, service Histogram
	g := &Generator{Schedule: Schedule{Rate: 1000, For: 300 * time.Millisecond, Even: true}, Spin: Brief, Spare: true}
	served, err := g.Serve(t.Context(), []func(*Call) error{func(c *Call) error {
		if c.N == 50 {
			time.Sleep(stall)
		}
		now := c.Now()
		response.Record(int64(now - c.At))
		service.Record(int64(now - c.From))
		return nil
	}})
	if err != nil || served.N != 299 || served.Left != 0 || g.Late.N() != 299 || service.N() != 299 {
		t.Errorf("%+v of %d, %v", served, g.Late.N(), err)
	}
	if got := time.Duration(response.Quantile(0.9)); got < stall/2 {
		t.Errorf("P90 of the responses is %s, though half of them stood behind a stall of %s", got, stall)
	}
	if got := time.Duration(service.Quantile(0.9)); got > stall/2 {
		t.Errorf("P90 of serving is %s: the stall was in one request only", got)
	}
}

// TestServeFallsBehind: servers have twice the time, and no more.
func TestServeFallsBehind(t *testing.T) {
	for _, c := range []struct {
		rate   float64
		length time.Duration
		left   bool
	}{{125, time.Second, false}, {2000, 100 * time.Millisecond, true}} {
		g := &Generator{Schedule: Schedule{Rate: c.rate, For: c.length, Even: true}}
		served, err := g.Serve(t.Context(), []func(*Call) error{func(*Call) error { time.Sleep(10 * time.Millisecond); return nil }})
		due := int(c.rate*c.length.Seconds()) - 1
		if most := int(c.length / (10 * time.Millisecond)); err != nil || served.N+served.Left != due ||
			served.N-served.Behind > most+1 || c.left && served.Left < due-2*most-1 {
			t.Errorf("%g a second: %+v of %d, %v", c.rate, served, due, err)
		}
		if !served.Overloaded(1) {
			t.Errorf("%g a second: %+v is no overload", c.rate, served)
		}
	}
}

// TestServeEnds: the first error ends a load of an hour.
func TestServeEnds(t *testing.T) {
	bad := errors.New("bad")
	var n atomic.Int64
	do := func(*Call) error {
		if n.Add(1) == 3 {
			return bad
		}
		return nil
	}
	g := &Generator{Schedule: Schedule{Rate: 1000, For: time.Hour}}
	if served, err := g.Serve(t.Context(), []func(*Call) error{do, do}); err != bad || served.N < 2 || served.N > 1000 {
		t.Errorf("%+v, %v", served, err)
	}
}

// TestEach: requests are made when they are due, whether or not earlier ones were answered. None is
// answered until thirty are under way: a closed loop of fewer would wait for ever.
func TestEach(t *testing.T) {
	const together = 30
	var waiting sync.WaitGroup
	waiting.Add(together)
	g := &Generator{Schedule: Schedule{Rate: 400, Warm: 50 * time.Millisecond, For: 200 * time.Millisecond, Seed: 1}, Spin: Brief, Spare: true}
	var counted atomic.Int64
	open := g.Each(t.Context(), func(c *Call) {
		if c.N < together {
			waiting.Done()
			waiting.Wait()
		}
		if c.Counts() {
			counted.Add(1)
		}
		if c.Now() < c.From || c.From < c.At {
			t.Errorf("due at %s, begun at %s, ended at %s", c.At, c.From, c.Now())
		}
	})
	if open < together || counted.Load() == 0 || counted.Load() != int64(g.Late.N()) {
		t.Errorf("%d under way at most, %d count of %d", open, counted.Load(), g.Late.N())
	}
}
