package worker

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"sync"
	"time"
)

// StoreLoop is an open loop of requests to a store: half of them, drawn at random, encode a
// value and write it, another than the key held, the others read a message and decode it.
type StoreLoop struct {
	At   StoreAt
	QPS  float64 // requests a second, writes and reads together
	For  time.Duration
	Wait time.Duration // for answers, once all requests were begun; storeAnswer when 0
	Seed uint64
}

// Stored is what such a load showed. Load.Response is of all requests; Load.Service is empty.
type Stored struct {
	Load
	Write Part `json:"write"`
	Read  Part `json:"read"`
}

// Part is the half of the requests that write, or read.
type Part struct {
	Response Histogram `json:"response"` // ns from when a request was due to its end
	Codec    float64   `json:"codec"`    // ns inside the codec, all requests together
	Store    float64   `json:"store"`    // ns inside the store's client, all requests together
}

// Add merges o into p.
func (p *Part) Add(o *Part) {
	p.Response.Add(&o.Response)
	p.Codec += o.Codec
	p.Store += o.Store
}

// storeTally is what all connections count together. One lock is little beside a store's
// answer, and the histograms of each connection would be what the client allocates most.
type storeTally struct {
	tally
	write, read Part
}

// storeLoop is an open loop whose requests wait for a store. As many goroutines as there are
// connections take the requests that are due; what none is free for waits, and is counted from
// when it was due, like all of an open loop.
//
// Its generator sleeps on a thread of its own and spins for the last microseconds only: the
// store may run on this machine, and a processor that only waits would be taken from it.
func (b *bench[T, N]) storeLoop(a *StoreLoop) (*Stored, error) {
	if a.QPS <= 0 || a.For <= 0 {
		return nil, fmt.Errorf("no load: %g requests a second for %s", a.QPS, a.For)
	}
	s, err := b.reopen(&a.At)
	if err != nil {
		return nil, err
	}
	defer func() { _ = s.Close() }() // nothing is asked of it any more
	if a.Wait <= 0 {
		a.Wait = storeAnswer
	}
	ctx, cancel := context.WithTimeoutCause(context.Background(), 2*a.For+a.Wait, fmt.Errorf("no answer within %s", a.Wait))
	defer cancel()
	procs := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs + 1)) // the generator, which sleeps, finds one free
	queue := make(chan due, mostWaiting)
	l := &Stored{Load: Load{Procs: procs}}
	t := new(storeTally)
	for _, h := range []*Histogram{&t.write.Response, &t.read.Response, &l.Late} {
		h.reserve()
	}
	var begin time.Time
	var spun time.Duration
	var done sync.WaitGroup
	ready, start := make(chan struct{}), make(chan struct{})
	done.Go(func() {
		runtime.LockOSThread() // and never unlocked: the thread's timers are no longer the usual ones
		sharpNap()
		window := min(spinWindow(nap, 0.5, 10*time.Microsecond), storeWindow)
		close(ready)
		<-start
		before, _ := threadTime()
		spun = generate(until(ctx, a.requests()), queue, begin, window, nap, &l.Late)
		if after, known := threadTime(); known {
			spun = after - before
		}
	})
	<-ready
	debug.FreeOSMemory() // what an earlier rate left behind is not this one's memory
	finish := l.watch()
	begin = time.Now()
	for range a.At.Conns {
		do := b.storeRequest(ctx, s)
		done.Go(func() { t.serve(queue, do, begin, a.For, cancel) })
	}
	close(start)
	done.Wait()
	finish(spun)
	l.N, l.Behind, l.Bytes, l.Write, l.Read = t.n, t.behind, float64(t.bytes), t.write, t.read
	l.Response.Add(&l.Write.Response)
	l.Response.Add(&l.Read.Response)
	l.Left = int(l.Late.N()) - l.N
	return l, t.err
}

// storeWindow is for how long the generator spins at most before a request is due: at 10,000
// a second every longer one would keep a processor busy. Where naps end later than that, so do
// requests come, which is counted.
const storeWindow = 50 * time.Microsecond

// requests are those of the load: the value of each is its key, doubled, plus one for a read.
func (a *StoreLoop) requests() iter.Seq[due] {
	gap := float64(time.Second) / a.QPS
	return func(yield func(due) bool) {
		r := rand.New(rand.NewPCG(a.Seed, 0x73746f7265)) // "store"
		for at := gap * r.ExpFloat64(); at < float64(a.For); at += gap * r.ExpFloat64() {
			if !yield(due{int64(at), int32(r.IntN(2 * a.At.Keys))}) {
				return
			}
		}
	}
}

// until ends a sequence when ctx does.
func until(ctx context.Context, seq iter.Seq[due]) iter.Seq[due] {
	return func(yield func(due) bool) {
		for q := range seq {
			if ctx.Err() != nil || !yield(q) {
				return
			}
		}
	}
}

// took is what one request took: of the codec, and of the store's client.
type took struct {
	codec, store time.Duration
	bytes        int
}

// storeRequest makes what one goroutine calls for each request.
func (b *bench[T, N]) storeRequest(ctx context.Context, s Store) func(q due) (took, error) {
	encode, decode := b.encodeBytes(&b.codec.Encoders[0]), b.decodeOne(&b.codec.Decoders[0])
	write := func(key int) (took, error) {
		t0 := time.Now()
		out, err := encode(b.kept.another(key))
		t1 := time.Now()
		if err != nil {
			return took{}, fmt.Errorf("encode: %w", err)
		}
		if err := s.Put(ctx, key, out); err != nil {
			return took{}, fmt.Errorf("write: %w", cause(ctx, err))
		}
		return took{codec: t1.Sub(t0), store: time.Since(t1), bytes: len(out)}, nil
	}
	read := func(key int) (took, error) {
		t0 := time.Now()
		in, err := s.Get(ctx, key)
		t1 := time.Now()
		if err != nil {
			return took{}, fmt.Errorf("read: %w", cause(ctx, err))
		}
		if err := decode(in); err != nil {
			return took{}, fmt.Errorf("decode: %w", err)
		}
		return took{codec: time.Since(t1), store: t1.Sub(t0), bytes: len(in)}, nil
	}
	return func(q due) (took, error) {
		if q.writes() {
			return write(int(q.value / 2))
		}
		return read(int(q.value / 2))
	}
}

// writes reports a request of a store's load that writes.
func (q due) writes() bool { return q.value%2 == 0 }

// cause says why a request ended where the load itself ended it.
func cause(ctx context.Context, err error) error {
	if why := context.Cause(ctx); why != nil && errors.Is(err, ctx.Err()) {
		return why
	}
	return err
}

// serve takes requests until there are no more. The first error ends the load: a store that
// does not answer would only be asked in vain.
func (t *storeTally) serve(queue <-chan due, do func(due) (took, error), begin time.Time, end time.Duration, stop func()) {
	for q := range queue {
		from := time.Since(begin)
		if from > 2*end || t.failed() {
			continue // to the end: the generator fills the queue
		}
		spent, err := do(q)
		t.record(q, spent, err, time.Since(begin), from > end)
		if err != nil {
			stop()
		}
	}
}

func (t *storeTally) failed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err != nil
}

// record counts a request that ended. Of errors the first is kept: others may have come
// about because it ended the load.
func (t *storeTally) record(q due, spent took, err error, now time.Duration, behind bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err != nil {
		if t.err == nil {
			t.err = err
		}
		return
	}
	part := &t.read
	if q.writes() {
		part = &t.write
	}
	part.Response.Record(int64(now) - q.at)
	part.Codec += float64(spent.codec)
	part.Store += float64(spent.store)
	t.n, t.bytes = t.n+1, t.bytes+spent.bytes
	if behind {
		t.behind++
	}
}
