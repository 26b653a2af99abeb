package worker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// Store keeps messages under keys from 0 on, as a cache or a table does for a service. All
// goroutines of a load share one. It touches nothing but what bears the name that it was
// opened with.
type Store interface {
	// About is what answers, with its version: "PostgreSQL 15.14".
	About() string
	// Create makes room for messages where none were: what an earlier Create and Put left
	// under the same name is removed.
	Create(ctx context.Context) error
	Put(ctx context.Context, key int, message []byte) error
	// Get returns bytes that the caller owns. A key that is not there is an error.
	Get(ctx context.Context, key int) ([]byte, error)
	// Size is how many bytes the store takes for all keys by its own account, its overhead
	// included; 0 when it does not tell.
	Size(ctx context.Context) (int64, error)
	// Drop removes all of it.
	Drop(ctx context.Context) error
	Close() error
}

// StoreAt says which store, and what is kept there.
type StoreAt struct {
	Kind  string // redis | postgres | mysql
	URL   string // as its client spells it, with the password where there is one
	Name  string // of the table, or what keys begin with: of one run and codec alone
	Conns int    // connections, and requests that can be under way
	Keys  int    // from 0 to Keys - 1; key k holds value k modulo the number of values
	// Largest message in bytes, for stores that refuse larger ones. Filled in by the worker.
	Largest int `json:"-"`
}

// Shelf is what a store says of itself and of the messages that were put there.
type Shelf struct {
	About string  `json:"about"`
	Bytes float64 `json:"bytes"`          // mean of a message
	Kept  float64 `json:"kept,omitempty"` // what the store takes for one by its own account, 0 when it does not tell
}

// shelf is a store that was filled.
type shelf struct {
	Store
	at   StoreAt
	says Shelf
}

// Bounds of the store's answers that are no part of a load.
const (
	storeAnswer = 10 * time.Second // to one question
	storeFill   = 60 * time.Second // to filling and reading all keys
)

// open connects to a store.
func (b *bench[T, N]) openStore(ctx context.Context, at *StoreAt) (Store, error) {
	if b.codec.Stores == nil {
		return nil, errors.New("this worker was built without stores")
	}
	wire, err := b.encoded()
	if err != nil {
		return nil, err
	}
	for _, w := range wire {
		at.Largest = max(at.Largest, len(w))
	}
	return b.codec.Stores(ctx, *at)
}

// tryStore asks a store whether it would work.
func (b *bench[T, N]) tryStore(at *StoreAt) (*Shelf, error) {
	return b.askStore(at, func(context.Context, Store) error { return nil })
}

// dropStore removes what Create and Put have left.
func (b *bench[T, N]) dropStore(at *StoreAt) (*Shelf, error) {
	return b.askStore(at, func(ctx context.Context, s Store) error { return s.Drop(ctx) })
}

func (b *bench[T, N]) askStore(at *StoreAt, do func(context.Context, Store) error) (*Shelf, error) {
	ctx, cancel := context.WithTimeout(context.Background(), storeAnswer)
	defer cancel()
	s, err := b.openStore(ctx, at)
	if err != nil {
		return nil, err
	}
	return &Shelf{About: s.About()}, errors.Join(do(ctx, s), s.Close())
}

// fillStore puts a message under every key and sees to it that each comes back as it was
// and can be decoded.
func (b *bench[T, N]) fillStore(at *StoreAt) (*Shelf, error) {
	s, err := b.shelf(at)
	if err != nil {
		return nil, err
	}
	return &s.says, nil
}

// shelf is the filled store: as it is where this process has filled it already.
func (b *bench[T, N]) shelf(at *StoreAt) (*shelf, error) {
	if b.kept != nil && b.kept.at == *at {
		return b.kept, nil
	}
	if b.kept != nil {
		_ = b.kept.Close() // another one is asked for
		b.kept = nil
	}
	if at.Keys < len(b.vals) || at.Conns < 1 {
		return nil, fmt.Errorf("%d keys over %d connections for %d values", at.Keys, at.Conns, len(b.vals))
	}
	ctx, cancel := context.WithTimeout(context.Background(), storeFill)
	defer cancel()
	asked := *at
	store, err := b.openStore(ctx, at)
	if err != nil {
		return nil, err
	}
	s := &shelf{Store: store, at: asked}
	if err := b.fill(ctx, s); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	b.kept = s
	return s, nil
}

func (b *bench[T, N]) fill(ctx context.Context, s *shelf) error {
	wire, err := b.encoded()
	if err != nil {
		return err
	}
	if err := s.Create(ctx); err != nil {
		return fmt.Errorf("make room: %w", err)
	}
	err = each(s.at.Conns, s.at.Keys, func() func(int) error {
		return func(key int) error { return s.Put(ctx, key, wire[key%len(wire)]) }
	})
	if err != nil {
		return fmt.Errorf("write: %w", err)
	}
	size, err := s.Size(ctx)
	if err != nil {
		return fmt.Errorf("ask for the size: %w", err)
	}
	s.says = Shelf{About: s.About(), Bytes: mean(wire), Kept: float64(size) / float64(s.at.Keys)}
	d := &b.codec.Decoders[0]
	return each(s.at.Conns, s.at.Keys, func() func(int) error {
		decode := b.decodeOne(d)
		return func(key int) error {
			got, err := s.Get(ctx, key)
			if err != nil {
				return fmt.Errorf("read: %w", err)
			}
			if want := wire[key%len(wire)]; !bytes.Equal(got, want) {
				return fmt.Errorf("read: key %d holds %d other bytes than the %d that were written", key, len(got), len(want))
			}
			if err := decode(got); err != nil {
				return fmt.Errorf("decode what was read: %w", err)
			}
			return nil
		}
	})
}

// each calls what newDo makes for one goroutine with the numbers below n, by several
// goroutines, until one fails.
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
