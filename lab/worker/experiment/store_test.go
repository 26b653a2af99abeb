package experiment

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab/worker"
)

// shop is a store in memory that does what the test says.
type shop struct {
	mu       sync.Mutex
	messages map[int][]byte
	created  bool
	gone     bool // dropped
	closed   bool
	begun    bool
	skip     int // that many Puts and Gets after each Begin are as usual: the warming up
	puts     int // since Begin
	gets     int
	same     int // Puts that changed nothing
	put, get func(ctx context.Context, key int) error
}

// asks reports whether a call is one that the test's functions are asked about.
func (s *shop) asks(calls *int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	*calls++
	return *calls > s.skip
}

func (s *shop) About() string { return "Shop 1" }
func (s *shop) Create(context.Context) error {
	s.messages, s.created = map[int][]byte{}, true
	return nil
}
func (s *shop) Begin(context.Context) error {
	s.begun, s.puts, s.gets = s.created, 0, 0
	return nil
}
func (s *shop) Put(ctx context.Context, key int, message []byte) error {
	if !s.begun {
		return errors.New("it was not begun")
	}
	if s.asks(&s.puts) && s.put != nil {
		if err := s.put(ctx, key); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if bytes.Equal(s.messages[key], message) {
		s.same++
	}
	s.messages[key] = bytes.Clone(message)
	return nil
}
func (s *shop) Get(ctx context.Context, key int) ([]byte, error) {
	if s.asks(&s.gets) && s.get != nil {
		if err := s.get(ctx, key); err != nil {
			return nil, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	m, ok := s.messages[key]
	if !ok {
		return nil, fmt.Errorf("no key %d", key)
	}
	return bytes.Clone(m), nil
}
func (s *shop) Size(context.Context) (int64, error) { return int64(10 * len(s.messages)), nil }
func (s *shop) Drop(context.Context) error          { s.gone = true; return nil }
func (s *shop) Close() error                        { s.closed, s.begun = true, false; return nil }

// shopBench is a codec of three values whose worker has a shop.
func shopBench(s *shop) *Bench[int] {
	b := loadBench(func([]byte) {})
	b.Codec.Stores = func(context.Context, worker.StoreAt) (worker.Store, error) { return s, nil }
	return b
}

func TestFillStore(t *testing.T) {
	s := &shop{}
	b := shopBench(s)
	at := worker.StoreAt{Kind: "shop", Conns: 4, Keys: 9}
	for range 2 { // the second time it is full
		got, err := b.fillStore(&worker.StoreAt{Kind: "shop", Conns: 4, Keys: 9})
		if err != nil || *got != (worker.Shelf{About: "Shop 1", Bytes: 2, Kept: 10}) || len(s.messages) != 9 || string(s.messages[5]) != "333" {
			t.Fatalf("%+v, %v, %d messages", got, err, len(s.messages))
		}
		s.put = func(context.Context, int) error { return errors.New("it is filled anew") }
	}
	if _, err := b.tryStore(&at); err != nil || s.gone || !s.closed {
		t.Errorf("try: %v, dropped %t", err, s.gone)
	}
	if _, err := b.dropStore(&at); err != nil || !s.gone {
		t.Errorf("drop: %v, dropped %t", err, s.gone)
	}
}

// TestFillStoreRefused: a store that does not give back what it was given is not measured.
func TestFillStoreRefused(t *testing.T) {
	for _, c := range []struct {
		name, want string
		do         func(b *Bench[int], s *shop, at *worker.StoreAt)
	}{
		{"too few keys", "2 keys", func(_ *Bench[int], _ *shop, at *worker.StoreAt) { at.Keys = 2 }},
		{"no clients", "without stores", func(b *Bench[int], _ *shop, _ *worker.StoreAt) { b.Codec.Stores = nil }},
		{"full", "write: disk full", func(_ *Bench[int], s *shop, _ *worker.StoreAt) {
			s.put = func(context.Context, int) error { return errors.New("disk full") }
		}},
		{"other bytes", "other bytes", func(_ *Bench[int], s *shop, _ *worker.StoreAt) {
			s.get = func(_ context.Context, key int) error {
				s.mu.Lock()
				defer s.mu.Unlock()
				s.messages[key] = []byte("5")
				return nil
			}
		}},
		{"no message", "decode what was read", func(b *Bench[int], _ *shop, _ *worker.StoreAt) {
			b.Codec.Decoders[0].New = func() func([]byte, *int) error {
				return func([]byte, *int) error { return errors.New("garbage") }
			}
		}},
	} {
		s, at := &shop{}, &worker.StoreAt{Kind: "shop", Conns: 2, Keys: 6}
		b := shopBench(s)
		c.do(b, s, at)
		if got, err := b.fillStore(at); err == nil || !strings.Contains(err.Error(), c.want) || got != nil {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
		if b.kept != nil || s.created && !s.closed {
			t.Errorf("%s: the store is kept open", c.name)
		}
	}
}

func TestStoreLoop(t *testing.T) {
	s := &shop{}
	b := shopBench(s)
	at := worker.StoreAt{Kind: "shop", Conns: 3, Keys: 6}
	l, err := b.storeLoop(&worker.StoreLoop{At: at, Schedule: openloop.Schedule{Rate: 400, For: 500 * time.Millisecond, Seed: 7}})
	if err != nil {
		t.Fatal(err)
	}
	writes, reads := l.Write.Response.N(), l.Read.Response.N()
	if int(writes+reads) != l.N || writes == 0 || reads == 0 || l.Response.N() != uint64(l.N) {
		t.Errorf("%d writes and %d reads of %d", writes, reads, l.N)
	}
	if uint64(l.N+l.Left) != l.Late.N() || l.Bytes < float64(l.N) || l.Wall <= 0 || l.Alloc <= 0 {
		t.Errorf("%d done and %d left of %d, %g bytes, %g ns", l.N, l.Left, l.Late.N(), l.Bytes, l.Wall)
	}
	for name, p := range map[string]*worker.Part{"write": &l.Write, "read": &l.Read} {
		if sum := p.Response.Mean() * float64(p.Response.N()); p.Codec <= 0 || p.Store <= 0 || p.Codec+p.Store > sum {
			t.Errorf("%s: %g ns in the codec and %g in the store of %g", name, p.Codec, p.Store, sum)
		}
	}
	for _, bad := range []openloop.Schedule{{For: time.Second}, {Rate: 5}} {
		if _, err := b.storeLoop(&worker.StoreLoop{At: at, Schedule: bad}); err == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
}

// TestStoreLoopWritesAnother: every write changes what its key holds, from the filling on and over
// all loads, also where neighbours among the values have the same message. A database skips one
// that changes nothing.
func TestStoreLoopWritesAnother(t *testing.T) {
	s := &shop{}
	b := shopBench(s)
	if err := b.Load([]int{1, 1, 22, 1, 1, 22, 1}, 1); err != nil {
		t.Fatal(err)
	}
	at := worker.StoreAt{Kind: "shop", Conns: 1, Keys: 7}
	for seed := range uint64(2) {
		l, err := b.storeLoop(&worker.StoreLoop{At: at, Schedule: openloop.Schedule{Rate: 2000, For: 100 * time.Millisecond, Seed: seed}})
		if err != nil {
			t.Fatal(err)
		}
		if l.Write.Response.N() == 0 || s.same > 0 {
			t.Errorf("%d of %d writes changed nothing", s.same, l.Write.Response.N())
		}
	}
	b = shopBench(s)
	if err := b.Load([]int{7, 7, 7}, 1); err != nil {
		t.Fatal(err)
	}
	if _, err := b.fillStore(&at); err == nil || !strings.Contains(err.Error(), "all values have the same message") {
		t.Errorf("values that are all alike: %v", err)
	}
}

// TestStoreLoopCountsStalls: requests that were due while the only connection was busy have
// waited since then, and those that could not be begun in time are left.
func TestStoreLoopCountsStalls(t *testing.T) {
	s := &shop{}
	b := shopBench(s)
	at := worker.StoreAt{Kind: "shop", Conns: 1, Keys: 3}
	if _, err := b.fillStore(&worker.StoreAt{Kind: "shop", Conns: 1, Keys: 3}); err != nil {
		t.Fatal(err)
	}
	const stall, load = 200 * time.Millisecond, 300 * time.Millisecond
	s.skip = warmUps * at.Conns
	var once sync.Once
	s.put = func(context.Context, int) error { once.Do(func() { time.Sleep(stall) }); return nil }
	l, err := b.storeLoop(&worker.StoreLoop{At: at, Schedule: openloop.Schedule{Rate: 1000, For: load, Seed: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if got := l.Response.Quantile(0.5); l.N == 0 || got < float64(stall)/10 {
		t.Errorf("of %d requests half waited less than %s behind a stall of %s", l.N, time.Duration(got), stall)
	}
	s.put = func(context.Context, int) error { time.Sleep(50 * time.Millisecond); return nil }
	s.get = s.put
	l, err = b.storeLoop(&worker.StoreLoop{At: at, Schedule: openloop.Schedule{Rate: 1000, For: 100 * time.Millisecond, Seed: 1}})
	if err != nil || l.Left == 0 || l.N > 6 {
		t.Errorf("overload: %d done, %d behind, %d left, %v", l.N, l.Behind, l.Left, err)
	}
}

// TestStoreLoopEnds: the first error ends a load, and so does silence.
func TestStoreLoopEnds(t *testing.T) {
	for _, c := range []struct {
		name, want string
		put, get   func(context.Context, int) error
		load       time.Duration
	}{
		{"a refusal", "write: gone", func(context.Context, int) error { return errors.New("gone") }, nil, time.Minute},
		{"another", "read: gone", nil, func(context.Context, int) error { return errors.New("gone") }, time.Minute},
		{"silence", "no answer within 20ms", func(ctx context.Context, _ int) error { <-ctx.Done(); return ctx.Err() }, nil, time.Second},
	} {
		s := &shop{}
		b := shopBench(s)
		at := worker.StoreAt{Kind: "shop", Conns: 2, Keys: 3}
		if _, err := b.fillStore(&worker.StoreAt{Kind: "shop", Conns: 2, Keys: 3}); err != nil {
			t.Fatal(err)
		}
		s.put, s.get, s.skip = c.put, c.get, warmUps*at.Conns
		if _, err := b.storeLoop(&worker.StoreLoop{At: at, Schedule: openloop.Schedule{Rate: 1000, For: c.load, Seed: 3},
			Wait: 20 * time.Millisecond}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}
