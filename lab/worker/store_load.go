package worker

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/zmylab/zmy/internal/openloop"
)

// StoreLoop is an open loop of requests to a store: half of them, drawn at random, encode a
// value and write it, another than the key held, the others read a message and decode it.
type StoreLoop struct {
	At                StoreAt
	openloop.Schedule               // of writes and reads together
	Wait              time.Duration // for answers, once all requests were begun; storeAnswer when 0
}

// Stored is what such a load showed. Load.Response is of all requests; Load.Service is empty.
type Stored struct {
	Load
	Write Part `json:"write"`
	Read  Part `json:"read"`
}

// Part is the half of the requests that write, or read.
type Part struct {
	Response openloop.Histogram `json:"response"` // ns from when a request was due to its end
	Codec    float64            `json:"codec"`    // ns inside the codec, all requests together
	Store    float64            `json:"store"`    // ns inside the store's client, all requests together
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
	mu          sync.Mutex
	write, read Part
	bytes       int
}

// storeLoop is an open loop whose requests wait for a store. One goroutine per connection serves
// them.
func (b *bench[T, N]) storeLoop(a *StoreLoop) (*Stored, error) {
	if err := a.Check(); err != nil {
		return nil, err
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
	g := &openloop.Generator{Schedule: a.Schedule, Spin: openloop.Brief, Spare: true} // the store may run on this machine
	t := new(storeTally)
	for _, h := range []*openloop.Histogram{&t.write.Response, &t.read.Response, &g.Late} {
		h.Reserve()
	}
	servers := make([]func(*openloop.Call) error, a.At.Conns)
	for i := range servers {
		do := b.storeRequest(ctx, s)
		servers[i] = func(c *openloop.Call) error {
			at := c.Draw(a.Seed, 2*a.At.Keys)
			spent, err := do(at/2, at%2 == 0)
			if err != nil {
				cancel() // what the others wait for is not waited for any more
				return err
			}
			t.record(at%2 == 0, spent, c.Now()-c.At)
			return nil
		}
	}
	l := &Stored{Load: Load{Procs: runtime.GOMAXPROCS(0)}}
	err = l.generate(ctx, g, servers)
	l.Bytes, l.Write, l.Read = float64(t.bytes), t.write, t.read
	l.Response.Add(&l.Write.Response)
	l.Response.Add(&l.Read.Response)
	return l, err
}

// took is what one request took: of the codec, and of the store's client.
type took struct {
	codec, store time.Duration
	bytes        int
}

// storeRequest returns a function that writes or reads what is under a key.
func (b *bench[T, N]) storeRequest(ctx context.Context, s Store) func(key int, writes bool) (took, error) {
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
	return func(key int, writes bool) (took, error) {
		if writes {
			return write(key)
		}
		return read(key)
	}
}

// cause says why a request ended where the load itself ended it.
func cause(ctx context.Context, err error) error {
	if why := context.Cause(ctx); why != nil && errors.Is(err, ctx.Err()) {
		return why
	}
	return err
}

// record counts a request that was answered.
func (t *storeTally) record(writes bool, spent took, response time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	part := &t.read
	if writes {
		part = &t.write
	}
	part.Response.Record(int64(response))
	part.Codec += float64(spent.codec)
	part.Store += float64(spent.store)
	t.bytes += spent.bytes
}
