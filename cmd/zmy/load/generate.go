package load

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zmylab/zmy/cmd/zmy/feed"
	"github.com/zmylab/zmy/internal/openloop"
)

// Histogram counts durations in ns.
type Histogram = openloop.Histogram

const (
	// mostOpen is how many requests may wait for their answers; beyond it the generator waits, and is late.
	mostOpen = 1 << 14
	// spin is how long before a request is due the generator stops to sleep.
	spin = 150 * time.Microsecond
	// warm is the share of a point's time for which requests are sent before any counts.
	warm = 0.2
)

// tally is what one of the goroutines that await answers has seen.
type tally struct {
	response, service Histogram
	ok                int
	errors            map[string]int
	bytes             int64
}

// point sends requests at the point's rate, at random times (a Poisson process), and waits for their answers. Times count from
// when a request was due, so that a stall is felt by all who would have waited for it.
func (c *client) point(ctx context.Context, p *Point) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var (
		open, most atomic.Int64
		mu         sync.Mutex
		free       []*tally // one for each goroutine that awaits an answer
		all        []*tally
		done       sync.WaitGroup
		late       = new(Histogram)
		slots      = make(chan struct{}, mostOpen)
	)
	take := func() *tally {
		mu.Lock()
		defer mu.Unlock()
		if n := len(free); n > 0 {
			t := free[n-1]
			free = free[:n-1]
			return t
		}
		t := &tally{errors: map[string]int{}}
		all = append(all, t)
		return t
	}
	give := func(t *tally) {
		mu.Lock()
		free = append(free, t)
		mu.Unlock()
	}
	before := time.Duration(warm * float64(c.h.For))
	var cpu0 time.Duration
	var known, counting bool
	begin := time.Now()
	var from time.Time
	for at := range feed.Arrivals(p.QPS, before+c.h.For, c.h.Seed) {
		if counts := at >= before; counts && !counting {
			counting, from = true, time.Now()
			if c.h.CPU != nil {
				cpu0, known = c.h.CPU()
			}
		}
		wait(begin, at)
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			break
		}
		if counting {
			p.Sent++
			late.Record(int64(time.Since(begin) - at))
		}
		counts := counting
		most.Store(max(most.Load(), open.Add(1)))
		done.Go(func() {
			sent := time.Now()
			n, wrong := c.ask(ctx, p)
			end := time.Now()
			t := take()
			if counts {
				t.add(n, wrong, end.Sub(begin)-at, end.Sub(sent))
			}
			give(t)
			open.Add(-1)
			<-slots
		})
	}
	done.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	p.Seconds = time.Since(from).Seconds()
	if known {
		if cpu1, ok := c.h.CPU(); ok {
			p.CPU = cpu1 - cpu0
		}
	}
	p.sum(all, late, int(most.Load()))
	return nil
}

func (t *tally) add(n int64, wrong string, response, service time.Duration) {
	t.bytes += n
	if wrong != "" {
		t.errors[wrong]++
		return
	}
	t.ok++
	t.response.Record(int64(response))
	t.service.Record(int64(service))
}

func (p *Point) sum(all []*tally, late *Histogram, open int) {
	p.Response, p.Service, p.Late, p.Open = new(Histogram), new(Histogram), late, open
	for _, t := range all {
		p.Response.Add(&t.response)
		p.Service.Add(&t.service)
		p.OK += t.ok
		p.Bytes += t.bytes
		for what, n := range t.errors {
			if p.Errors == nil {
				p.Errors = map[string]int{}
			}
			p.Errors[what] += n
		}
	}
}

// wait sleeps until shortly before a time and spins from there, yielding to whoever has work.
func wait(begin time.Time, at time.Duration) {
	if rest := at - time.Since(begin) - spin; rest > 0 {
		time.Sleep(rest)
	}
	for time.Since(begin) < at {
		runtime.Gosched()
	}
}
