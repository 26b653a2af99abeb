package worker

import (
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

// OpenLoop is a load whose requests come when they are due, whether or not earlier
// ones were answered: as those of many clients who know nothing of each other.
type OpenLoop struct {
	Task Task
	QPS  float64 // requests a second
	For  time.Duration
	Even bool // the same time between all requests; else at random (a Poisson process)
	Seed uint64
}

// due is a request: when, in ns since the start, and of which value.
type due struct {
	at    int64
	value int32
}

// openLoop measures from the moment at which a request was due, so that a stall is
// counted for all who would have waited for it, and not for the one request only that
// happened to be under way (coordinated omission, Gil Tene).
func (b *bench[T, N]) openLoop(a *OpenLoop) (*Load, error) {
	procs := runtime.GOMAXPROCS(0)
	if procs < 2 {
		return nil, errors.New("an open loop needs two processors: its generator holds one")
	}
	if a.QPS <= 0 || a.For <= 0 {
		return nil, fmt.Errorf("no load: %g requests a second for %s", a.QPS, a.For)
	}
	task, err := b.task(a.Task)
	if err != nil {
		return nil, err
	}
	if err := b.warmUp(task()); err != nil {
		return nil, err
	}
	queue := make(chan due, mostWaiting)
	l := &Load{Procs: procs}
	tallies := make([]tally, procs-1)
	window := spinWindow(time.Sleep, 0.95, 100*time.Microsecond)
	debug.FreeOSMemory() // what an earlier rate left behind is not this one's memory
	finish, begin := l.watch(), time.Now()
	var done sync.WaitGroup
	for g := range tallies {
		t, do := &tallies[g], task()
		done.Go(func() { t.serve(queue, do, begin, a.For) })
	}
	var spun time.Duration
	done.Go(func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		before, _ := threadTime()
		spun = generate(b.arrivals(a), queue, begin, window, time.Sleep, &l.Late)
		if after, known := threadTime(); known { // not the time in which it was kept from spinning
			spun = after - before
		}
	})
	done.Wait()
	finish(spun)
	err = l.add(tallies)
	l.Left = int(l.Late.N()) - l.N
	return l, err
}

// mostWaiting is how many requests can wait. It is far beyond what any server should let
// wait, and small beside the heap; beyond it the generator waits too, and is late.
const mostWaiting = 1 << 16

// arrivals are the requests in the order in which they are due.
func (b *bench[T, N]) arrivals(a *OpenLoop) iter.Seq[due] {
	gap := float64(time.Second) / a.QPS
	return func(yield func(due) bool) {
		r := rand.New(rand.NewPCG(a.Seed, 0x6f70656e)) // "open"
		for at, i := 0.0, 0; ; i++ {
			if a.Even {
				at += gap
			} else {
				at += gap * r.ExpFloat64()
			}
			if at >= float64(a.For) || !yield(due{int64(at), b.order[i%len(b.order)]}) {
				return
			}
		}
	}
}

// serve takes requests until there are no more. Those begun after end, when the last was
// due, are behind; those that would begin after twice that are left.
func (t *tally) serve(queue <-chan due, do func(int) (int, error), begin time.Time, end time.Duration) {
	for q := range queue {
		from := time.Since(begin)
		if from > 2*end || t.err != nil {
			continue // to the end: the generator fills the queue
		}
		n, err := do(int(q.value))
		if err != nil {
			t.err = err
			continue
		}
		now := time.Since(begin)
		t.service.Record(int64(now - from))
		t.response.Record(int64(now) - q.at)
		if from > end {
			t.behind++
		}
		t.n, t.bytes = t.n+1, t.bytes+n
	}
}

// generate hands each request over when it is due: it sleeps until shortly before, then
// spins. It returns for how long it spun, or was kept from it. A sleep may end early.
func generate(requests iter.Seq[due], queue chan<- due, begin time.Time, window time.Duration, sleep func(time.Duration), late *Histogram) (spun time.Duration) {
	defer close(queue)
	for q := range requests {
		at := time.Duration(q.at)
		for wait := at - time.Since(begin) - window; wait > 0; wait = at - time.Since(begin) - window {
			sleep(wait)
		}
		from := time.Since(begin)
		now := from
		for now < at {
			now = time.Since(begin)
		}
		spun += now - from
		late.Record(int64(now - at))
		queue <- q
	}
	return spun
}

// spinWindow is how long before a request's time the generator stops to sleep: by how much the
// system oversleeps in a few tries, at a quantile of those, and half as much again.
func spinWindow(sleep func(time.Duration), quantile float64, least time.Duration) time.Duration {
	const tries, short = 40, 200 * time.Microsecond
	over := make([]time.Duration, tries)
	for i := range over {
		t0 := time.Now()
		sleep(short)
		over[i] = time.Since(t0) - short
	}
	slices.Sort(over)
	return min(max(over[int(quantile*tries)]*3/2, least), 5*time.Millisecond)
}
