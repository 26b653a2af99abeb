package experiment

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab/worker"
)

// storeTally holds counters that all connections share. Waiting for its lock takes little time
// compared with a store's answer. If each connection had histograms of its own, they would be most
// of what the client allocates.
type storeTally struct {
	mu          sync.Mutex
	write, read worker.Part
	bytes       int
}

// storeLoop runs an open loop of requests to a store. One goroutine per connection serves them.
func (b *Bench[N]) storeLoop(a *worker.StoreLoop) (*worker.Stored, error) {
	if err := a.Check(); err != nil {
		return nil, err
	}
	s, err := b.reopen(&a.At)
	if err != nil {
		return nil, err
	}
	defer func() { _ = s.Close() }() // no request is under way any more
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
				cancel() // ends the requests of the other connections
				return err
			}
			t.record(at%2 == 0, spent, c.Now()-c.At)
			return nil
		}
	}
	l := &worker.Stored{Load: worker.Load{Procs: runtime.GOMAXPROCS(0)}}
	err = generate(ctx, &l.Load, g, servers)
	l.Bytes, l.Write, l.Read = float64(t.bytes), t.write, t.read
	l.Response.Add(&l.Write.Response)
	l.Response.Add(&l.Read.Response)
	return l, err
}

// took holds the time that one request spent in the codec and in the store's client.
type took struct {
	codec, store time.Duration
	bytes        int
}

// storeRequest returns a function that writes or reads the message of a key.
func (b *Bench[N]) storeRequest(ctx context.Context, s worker.Store) func(key int, writes bool) (took, error) {
	encode, decode := b.EncodeBytes(&b.Codec.Encoders[0]), b.DecodeOne(&b.Codec.Decoders[0])
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

// cause returns the load's own reason if the load ended the request, else err.
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
