// Package openloop makes requests when they are due, whether or not earlier ones were answered, and
// judges the measurements. The lab's experiments and `zmy load` use it.
//
// A latency counts from the moment at which its request was due. A stall therefore counts for every
// request that became due meanwhile, and not only for the one being served (coordinated omission,
// Gil Tene, "How NOT to Measure Latency", 2015).
//
// NOTE, the map: schedule.go says when requests are due and reads rates from flags; sleeper.go
// waits for a moment; generator.go makes the requests and has them served; histogram.go counts
// durations; rules.go decides which points and percentiles are valid. The package imports only the
// standard library, since the lab compiles its text, which embed.go holds, into workers.
package openloop

import (
	"context"
	"iter"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Generator makes the requests of a schedule. The fields up to Counting are settings. The others
// are results, valid once all requests were made. A Generator is used once.
type Generator struct {
	Schedule
	Spin  Spin
	Spare bool // raises GOMAXPROCS by one until the last request, since a thread that naps in the kernel occupies a P of the runtime

	// Counting, unless nil, is called once on the generator's goroutine when time begins to count:
	// before the first request, or before the first one that is due after Warm.
	Counting func()

	Begin time.Time     // moment at which Request.At is 0
	Late  Histogram     // how late, in ns, each request that counts was handed over
	Spun  time.Duration // CPU time of the generator's thread, or time spent spinning if that is not known

	clock *clock // nil for the real clock
}

// Request is one request.
type Request struct {
	At time.Duration // when the request is due, since Generator.Begin
	N  int           // number of requests before it
}

// Requests yields every request when it is due, until ctx ends. The loop's body should hand the
// request over at once: while it runs, no other request is made, and the next ones are late.
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
		if !counts { // no request was due after Warm
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

// Now returns the time since Generator.Begin.
func (c *Call) Now() time.Duration { return time.Since(c.g.Begin) }

// Counts reports whether the request is due after warm-up.
func (c *Call) Counts() bool { return c.g.Counts(c.At) }

// Served counts the requests of a load by outcome, warm-up included. Reports keep it as JSON.
type Served struct {
	N      int `json:"n"`                // answered
	Behind int `json:"behind,omitempty"` // of N, begun after the schedule's end
	Left   int `json:"left,omitempty"`   // due, but not begun within twice the schedule's time
}

// Add adds the counts of another load.
func (s *Served) Add(o Served) { s.N, s.Behind, s.Left = s.N+o.N, s.Behind+o.Behind, s.Left+o.Left }

// mostWaiting is the number of requests that can wait for a server; the queue takes 1 MiB of
// memory. No reasonable server lets so many wait. If the queue is full, the generator waits too,
// and is late.
const mostWaiting = 1 << 16

// Serve makes the requests and hands each to the first free server. Every server is called by one
// goroutine of its own. If none is free, a request waits, and its waiting time counts as latency.
// The first error ends the load and is returned.
func (g *Generator) Serve(ctx context.Context, servers []func(*Call) error) (Served, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	queue := make(chan Request, mostWaiting)
	var (
		all  Served
		mu   sync.Mutex // guards all
		err  error
		once sync.Once // guards err
		done sync.WaitGroup
		end  = g.Warm + g.For
	)
	serve := func(do func(*Call) error) {
		var sum Served
		c := &Call{g: g}
		for c.Request = range queue {
			if c.From = c.Now(); c.From > 2*end || ctx.Err() != nil {
				sum.Left++
				continue // drain the queue, since the generator fills it
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

// mostOpen is the number of requests of Each that can be under way. If it is reached, the generator
// waits and is late.
const mostOpen = 1 << 14

// Each makes the requests, calls do for each in a goroutine of its own, and returns when all are
// done. open is the largest number of requests that were under way together.
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
