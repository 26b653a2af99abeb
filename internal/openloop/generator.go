// Package openloop makes requests when they are due, whether or not earlier ones were answered, and
// judges what was measured of them. The lab's experiments and `zmy load` share it.
//
// A latency counts from the moment at which its request was due. A stall therefore counts for all
// requests that came meanwhile, and not only for the one that happened to be under way (coordinated
// omission, Gil Tene, "How NOT to Measure Latency", 2015).
//
// NOTE, the map: schedule.go says when requests are due and reads rates from flags, sleeper.go waits for a
// moment, generator.go makes the requests and has them served, histogram.go counts durations,
// rules.go decides which points and percentiles are valid. The package needs the standard library
// alone: embed.go holds its text, which the lab compiles into its workers.
package openloop

import (
	"context"
	"iter"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Generator makes the requests of a schedule. Its settings come first; the others are results, to
// be read when all requests were made. It is used once.
type Generator struct {
	Schedule
	Spin  Spin
	Spare bool // GOMAXPROCS is one higher meanwhile: a thread that naps in the kernel holds a P of the runtime

	// Counting is called once on the generator's goroutine when time begins to count: before the
	// first request, or before the first one that comes after Warm. nil is allowed.
	Counting func()

	Begin time.Time     // when At is 0
	Late  Histogram     // ns by which the requests that count were late when they were handed over
	Spun  time.Duration // CPU time of the generator's thread; where the system does not tell, the time it spun

	clock *clock // nil for the real one
}

// Request is one request.
type Request struct {
	At time.Duration // when it is due, since Generator.Begin
	N  int           // requests before it
}

// Requests yields every request when it is due, until ctx ends. The loop's body hands the request
// over: as long as it runs the generator makes no others, and the next ones are late.
//
// If Spin is not Never, the goroutine is bound to its thread until the loop ends.
func (g *Generator) Requests(ctx context.Context) iter.Seq[Request] {
	return func(yield func(Request) bool) {
		if g.Spin != Never {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			sharpen(true)
			defer sharpen(false)
		}
		if g.Spare {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 1))
		}
		s := newSleeper(g.clock, g.Spin)
		counts := false
		count := func() {
			if counts = true; g.Counting != nil {
				g.Counting()
			}
		}
		if g.Warm <= 0 {
			count()
		}
		g.Begin = s.start()
		before, known := ThreadTime()
		defer func() {
			if g.Spun = s.spun; known && g.Spin != Never {
				after, _ := ThreadTime()
				g.Spun = after - before
			}
		}()
		n := 0
		for at := range g.All() {
			if !counts && g.Counts(at) {
				count()
			}
			now, ok := s.until(ctx, at)
			if !ok {
				return
			}
			if counts {
				g.Late.Record(int64(now - at))
			}
			if !yield(Request{at, n}) {
				return
			}
			n++
		}
		if !counts { // no request comes after Warm
			count()
		}
	}
}

// Call is a request that is being served.
type Call struct {
	Request
	From time.Duration // when serving began, since Generator.Begin
	g    *Generator
}

// Now is the time since Generator.Begin.
func (c *Call) Now() time.Duration { return time.Since(c.g.Begin) }

// Counts reports whether the request is due after the time of warming up.
func (c *Call) Counts() bool { return c.g.Counts(c.At) }

// Served says what became of the requests of a load, warming up included. As JSON it rests in
// reports.
type Served struct {
	N      int `json:"n"`                // answered
	Behind int `json:"behind,omitempty"` // of N, begun after the last request was due
	Left   int `json:"left,omitempty"`   // due, and not begun within twice the time
}

// Add adds up what became of the requests of several loads.
func (s *Served) Add(o Served) { s.N, s.Behind, s.Left = s.N+o.N, s.Behind+o.Behind, s.Left+o.Left }

// mostWaiting is how many requests can wait for a server. It is far beyond what any server should
// let wait, and takes 1 MiB; beyond it the generator waits too, and is late.
const mostWaiting = 1 << 16

// Serve makes the requests and has each done by the first server that is free. Every server is
// called by one goroutine of its own; a request for which none is free waits, and is late from when
// it was due. The first error ends the load and is returned.
func (g *Generator) Serve(ctx context.Context, servers []func(*Call) error) (Served, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	queue := make(chan Request, mostWaiting)
	var (
		all  Served
		mu   sync.Mutex // of all
		err  error
		once sync.Once // of err
		done sync.WaitGroup
		end  = g.Warm + g.For
	)
	serve := func(do func(*Call) error) {
		var sum Served
		c := &Call{g: g}
		for c.Request = range queue {
			if c.From = c.Now(); c.From > 2*end || ctx.Err() != nil {
				sum.Left++
				continue // to the end: the generator fills the queue
			}
			if wrong := do(c); wrong != nil {
				once.Do(func() { err = wrong })
				cancel()
				continue
			}
			sum.N++
			if c.From > end {
				sum.Behind++
			}
		}
		mu.Lock()
		defer mu.Unlock()
		all.Add(sum)
	}
	for _, do := range servers {
		done.Go(func() { serve(do) })
	}
	done.Go(func() {
		defer close(queue)
		for q := range g.Requests(ctx) {
			queue <- q
		}
	})
	done.Wait()
	return all, err
}

// mostOpen is how many requests of Each can be under way; beyond it the generator waits, and is
// late.
const mostOpen = 1 << 14

// Each makes the requests, has each done in a goroutine of its own, and returns when all are done.
// open is how many were under way together at most.
func (g *Generator) Each(ctx context.Context, do func(*Call)) (open int) {
	var done sync.WaitGroup
	var under atomic.Int64
	slots := make(chan struct{}, mostOpen)
	done.Go(func() {
		for q := range g.Requests(ctx) {
			slots <- struct{}{}
			open = max(open, int(under.Add(1)))
			done.Go(func() {
				do(&Call{Request: q, From: time.Since(g.Begin), g: g})
				under.Add(-1)
				<-slots
			})
		}
	})
	done.Wait()
	return open
}
