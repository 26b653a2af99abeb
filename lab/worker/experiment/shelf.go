package experiment

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zmylab/zmy/lab/worker"
	"github.com/zmylab/zmy/lab/worker/bench"
)

// shelf is a store that this process has filled. The process does not keep it open, since the
// processes of other codecs need connections too, and a store allows only a limited number.
type shelf struct {
	at   worker.StoreAt
	says worker.Shelf
	now  []atomic.Int32 // by key, the value that it holds
	next []int32        // by value, the next value with a different message
}

// another returns the value to write to a key: one whose message differs from the one that the key
// holds. A database skips an update that changes nothing (InnoDB writes no log, and has nothing to
// commit). Without this, only a codec whose bytes vary would pay for its writes.
func (s *shelf) another(key int) int {
	for {
		old := s.now[key].Load()
		if v := s.next[old]; s.now[key].CompareAndSwap(old, v) {
			return int(v)
		}
	}
}

// newShelf returns the shelf of a store that fill has filled.
func newShelf(at worker.StoreAt, says worker.Shelf, wire [][]byte) (*shelf, error) {
	s := &shelf{at, says, make([]atomic.Int32, at.Keys), make([]int32, len(wire))}
	for key := range s.now {
		s.now[key].Store(int32(key % len(wire)))
	}
	for i := range wire {
		j := (i + 1) % len(wire)
		for j != i && bytes.Equal(wire[i], wire[j]) {
			j = (j + 1) % len(wire)
		}
		if j == i {
			return nil, errors.New("all values have the same message, and a write that changes nothing is none to a database: measure " +
				"more values (-n, or a corpus that differs)")
		}
		s.next[i] = int32(j)
	}
	return s, nil
}

// Time limits of requests to the store that do not belong to a load.
const (
	storeAnswer = 10 * time.Second // for one request
	storeFill   = 60 * time.Second // for filling and reading all keys
)

// openStore connects to a store.
func (b *Bench[N]) openStore(ctx context.Context, at worker.StoreAt) (worker.Store, error) {
	if b.Codec.Stores == nil {
		return nil, errors.New("this worker was built without stores")
	}
	wire, err := b.Encoded()
	if err != nil {
		return nil, err
	}
	for _, w := range wire {
		at.Largest = max(at.Largest, len(w))
	}
	return b.Codec.Stores(ctx, at)
}

// tryStore checks that a store answers.
func (b *Bench[N]) tryStore(at *worker.StoreAt) (*worker.Shelf, error) {
	return b.askStore(at, func(context.Context, worker.Store) error { return nil })
}

// dropStore removes everything that Create and Put have made.
func (b *Bench[N]) dropStore(at *worker.StoreAt) (*worker.Shelf, error) {
	return b.askStore(at, func(ctx context.Context, s worker.Store) error { return s.Drop(ctx) })
}

func (b *Bench[N]) askStore(at *worker.StoreAt, do func(context.Context, worker.Store) error) (*worker.Shelf, error) {
	ctx, cancel := context.WithTimeout(context.Background(), storeAnswer)
	defer cancel()
	s, err := b.openStore(ctx, *at)
	if err != nil {
		return nil, err
	}
	return &worker.Shelf{About: s.About()}, errors.Join(do(ctx, s), s.Close())
}

// fillStore puts a message under every key, and checks that each comes back unchanged and can be
// decoded. If this process has filled the store already, it does nothing.
func (b *Bench[N]) fillStore(at *worker.StoreAt) (*worker.Shelf, error) {
	if b.kept != nil && b.kept.at == *at {
		return &b.kept.says, nil
	}
	b.kept = nil
	if at.Keys < len(b.Vals) || at.Conns < 1 {
		return nil, fmt.Errorf("%d keys over %d connections for %d values", at.Keys, at.Conns, len(b.Vals))
	}
	if b.Codec.Decoders[0].Input != nil {
		return nil, fmt.Errorf("%s does not decode what it encodes", b.Codec.Name)
	}
	ctx, cancel := context.WithTimeout(context.Background(), storeFill)
	defer cancel()
	s, err := b.openStore(ctx, *at)
	if err != nil {
		return nil, err
	}
	says, err := b.fill(ctx, s, at)
	if err = errors.Join(err, s.Close()); err != nil {
		return nil, err
	}
	if b.kept, err = newShelf(*at, *says, b.Wire); err != nil {
		return nil, err
	}
	return says, nil
}

func (b *Bench[N]) fill(ctx context.Context, s worker.Store, at *worker.StoreAt) (*worker.Shelf, error) {
	wire, err := b.Encoded()
	if err != nil {
		return nil, err
	}
	if err := s.Create(ctx); err != nil {
		return nil, fmt.Errorf("make room: %w", err)
	}
	if err := s.Begin(ctx); err != nil {
		return nil, fmt.Errorf("begin: %w", err)
	}
	err = each(at.Conns, at.Keys, func() func(int) error {
		return func(key int) error { return s.Put(ctx, key, wire[key%len(wire)]) }
	})
	if err != nil {
		return nil, fmt.Errorf("write: %w", err)
	}
	size, err := s.Size(ctx)
	if err != nil {
		return nil, fmt.Errorf("ask for the size: %w", err)
	}
	return &worker.Shelf{About: s.About(), Bytes: bench.Mean(wire), Kept: float64(size) / float64(at.Keys)}, b.readBack(ctx, s, at)
}

// readBack reads every message, over all connections, and compares it with the one that was
// written.
func (b *Bench[N]) readBack(ctx context.Context, s worker.Store, at *worker.StoreAt) error {
	return each(at.Conns, at.Keys, func() func(int) error {
		decode := b.DecodeOne(&b.Codec.Decoders[0])
		return func(key int) error {
			got, err := s.Get(ctx, key)
			if err != nil {
				return fmt.Errorf("read: %w", err)
			}
			if want := b.Wire[key%len(b.Wire)]; !bytes.Equal(got, want) {
				return fmt.Errorf("read: key %d holds %d other bytes than the %d that were written", key, len(got), len(want))
			}
			if err := decode(got); err != nil {
				return fmt.Errorf("decode what was read: %w", err)
			}
			return nil
		}
	})
}

// reopen opens a store with all its connections, so that their start does not belong to the load.
// If this process has not filled the store, reopen fills it first.
func (b *Bench[N]) reopen(at *worker.StoreAt) (worker.Store, error) {
	if _, err := b.fillStore(at); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), storeFill)
	defer cancel()
	s, err := b.openStore(ctx, *at)
	if err != nil {
		return nil, err
	}
	if err := b.warm(ctx, s, at); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// warm writes and reads over all connections at once.
func (b *Bench[N]) warm(ctx context.Context, s worker.Store, at *worker.StoreAt) error {
	if err := s.Begin(ctx); err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	return each(at.Conns, warmUps*at.Conns, func() func(int) error {
		return func(i int) error {
			key := i % at.Keys
			if err := s.Put(ctx, key, b.Wire[b.kept.another(key)]); err != nil {
				return fmt.Errorf("write: %w", err)
			}
			if _, err := s.Get(ctx, key); err != nil {
				return fmt.Errorf("read: %w", err)
			}
			return nil
		}
	})
}

// warmUps is the average number of writes, and of reads, per connection before a load.
const warmUps = 4

// each runs several goroutines. Each goroutine gets a function from newDo, and together they call
// these functions once for each number below n, until one fails.
func each(goroutines, n int, newDo func() func(i int) error) error {
	var next atomic.Int64
	var failed atomic.Pointer[error]
	var done sync.WaitGroup
	for range min(goroutines, n) {
		do := newDo()
		done.Go(func() {
			for failed.Load() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err := do(i); err != nil {
					failed.CompareAndSwap(nil, &err)
				}
			}
		})
	}
	done.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	return nil
}
