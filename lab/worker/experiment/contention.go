package experiment

import (
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zmylab/zmy/lab/worker"
	"github.com/zmylab/zmy/lab/worker/bench"
)

// way is one way to be measured. make is called before each reading. It returns one, which is
// called once for each goroutine and returns the function for its operations, and end, which is
// called after the reading.
type way struct {
	name string
	make func() (one func(g int) func(i int) error, end func())
}

// inTurns takes readings of several ways. The ways take turns, in another order each time, and the
// first turn only warms up. read takes one reading of way i with the meter, and returns the number
// of operations. If that is 0, the reading does not count.
func inTurns(repeats int, names []string, read func(i, turn int, m *bench.Meter) (n int, err error)) (*worker.Readings, error) {
	out := &worker.Readings{Ways: make([]worker.Way, len(names))}
	for turn := range repeats + 1 {
		for k := range names {
			i := (k + turn) % len(names)
			w, m := &out.Ways[i], new(bench.Meter)
			w.Name = names[i]
			ops, err := read(i, turn, m)
			if err != nil {
				return nil, err
			}
			if n := float64(ops); turn > 0 && ops > 0 {
				w.NS, w.CPU = append(w.NS, float64(m.Wall)/n), append(w.CPU, float64(m.CPU)/n)
				w.Bytes = m.Bytes() / n
			}
		}
	}
	return out, nil
}

// compare takes readings of all ways.
func (b *Bench[N]) compare(a *worker.Contended, ways []way) (*worker.Readings, error) {
	names := make([]string, len(ways))
	for i := range ways {
		names[i] = ways[i].name
	}
	return inTurns(a.Repeats, names, func(i, _ int, m *bench.Meter) (int, error) {
		one, end := ways[i].make()
		defer end()
		runtime.GC()
		return a.N * a.Goroutines, b.all(a, one, m)
	})
}

// all does a.N operations on each goroutine, and measures them together.
func (b *Bench[N]) all(a *worker.Contended, one func(g int) func(i int) error, m *bench.Meter) error {
	errs := make([]error, a.Goroutines)
	start := bench.LineUp(a.Goroutines, func(g int) func() {
		do := one(g)
		return func() {
			at := g * len(b.Order) / a.Goroutines
			for range a.N {
				if errs[g] = do(int(b.Order[at])); errs[g] != nil {
					return
				}
				if at++; at == len(b.Order) {
					at = 0
				}
			}
		}
	})
	m.Start()
	start()()
	m.Stop()
	return errors.Join(errs...)
}

func nothing() {}

// poolHits encodes with a state and buffer from a sync.Pool, with fresh memory, and with a state
// for each goroutine.
func (b *Bench[N]) poolHits(a *worker.Contended) (*worker.Readings, error) {
	k := slices.IndexFunc(b.Codec.Encoders, func(e worker.Encoder[N]) bool { return e.Mode != "fresh" })
	if k < 0 {
		return &worker.Readings{Ways: []worker.Way{{Name: "sync.Pool", None: "it has no mode that writes into memory it is given"}}}, nil
	}
	var misses atomic.Int64 // misses are counted, not hits: in this way alone, all operations would write to that counter
	fresh, e := &b.Codec.Encoders[0], &b.Codec.Encoders[k]
	out, err := b.compare(a, []way{
		{"fresh memory", func() (func(int) func(int) error, func()) {
			return func(int) func(int) error { return discard(b.EncodeBytes(fresh)) }, nothing
		}},
		{"sync.Pool", func() (func(int) func(int) error, func()) {
			pool := &sync.Pool{New: func() any { misses.Add(1); return b.EncodeBytes(e) }}
			return func(int) func(int) error {
				return func(i int) error {
					enc := pool.Get().(func(int) ([]byte, error))
					_, err := enc(i)
					pool.Put(enc)
					return err
				}
			}, nothing
		}},
		{"one per goroutine", func() (func(int) func(int) error, func()) {
			return func(int) func(int) error { return discard(b.EncodeBytes(e)) }, nothing
		}},
	})
	if err == nil {
		w := &out.Ways[1]
		w.Gets = (a.Repeats + 1) * a.N * a.Goroutines
		w.Hits = w.Gets - int(misses.Load())
	}
	return out, err
}

func discard(enc func(int) ([]byte, error)) func(int) error {
	return func(i int) error {
		_, err := enc(i)
		return err
	}
}

// padded is a counter with two cache lines for itself, since processors fetch lines in pairs.
type padded struct {
	n atomic.Uint64
	_ [120]byte
}

// falseSharing counts operations in counters on the same cache line, and in counters on separate
// ones.
func (b *Bench[N]) falseSharing(a *worker.Contended) (*worker.Readings, error) {
	work := b.codecOr(a)
	return b.compare(a, []way{
		{"counters side by side", func() (func(int) func(int) error, func()) {
			counters := make([]atomic.Uint64, a.Goroutines)
			return func(g int) func(int) error {
				do, mine := work(), &counters[g]
				return func(i int) error { mine.Add(1); return do(i) }
			}, nothing
		}},
		{"counters on lines of their own", func() (func(int) func(int) error, func()) {
			counters := make([]padded, a.Goroutines)
			return func(g int) func(int) error {
				do, mine := work(), &counters[g].n
				return func(i int) error { mine.Add(1); return do(i) }
			}, nothing
		}},
	})
}

// codecOr returns the codec's first encoder as the operation. If a.Bare is set, the operation does
// nothing.
func (b *Bench[N]) codecOr(a *worker.Contended) func() func(int) error {
	if a.Bare {
		return func() func(int) error { return func(int) error { return nil } }
	}
	e := &b.Codec.Encoders[0]
	return func() func(int) error { return discard(b.EncodeBytes(e)) }
}

// settings are published to the goroutines of a program: here, which codec to use.
type settings[N any] struct{ enc *worker.Encoder[N] }

// renew is the time after which a publisher replaces the settings.
const renew = time.Millisecond

// publication reads the settings before each operation, under a lock or from an atomic pointer,
// while another goroutine replaces them every millisecond.
func (b *Bench[N]) publication(a *worker.Contended) (*worker.Readings, error) {
	work := b.codecOr(a)
	type reader = func() *settings[N]
	kind := func(name string, read func(*shared[N]) reader, write func(*shared[N], *settings[N])) way {
		return way{name, func() (func(int) func(int) error, func()) {
			s := &shared[N]{}
			write(s, &settings[N]{&b.Codec.Encoders[0]})
			stop, gone := make(chan struct{}), make(chan struct{})
			go func() {
				defer close(gone)
				for tick := time.NewTicker(renew); ; {
					select {
					case <-tick.C:
						write(s, &settings[N]{&b.Codec.Encoders[0]})
					case <-stop:
						tick.Stop()
						return
					}
				}
			}()
			return func(int) func(int) error {
				do, get := work(), read(s)
				return func(i int) error {
					if get().enc == nil {
						return errNoSettings
					}
					return do(i)
				}
			}, func() { close(stop); <-gone }
		}}
	}
	return b.compare(a, []way{
		kind("atomic.Pointer", func(s *shared[N]) reader { return s.atomic.Load }, func(s *shared[N], v *settings[N]) { s.atomic.Store(v) }),
		kind("sync.RWMutex", func(s *shared[N]) reader {
			return func() *settings[N] { s.rw.RLock(); defer s.rw.RUnlock(); return s.plain }
		}, func(s *shared[N], v *settings[N]) { s.rw.Lock(); s.plain = v; s.rw.Unlock() }),
		kind("sync.Mutex", func(s *shared[N]) reader {
			return func() *settings[N] { s.mu.Lock(); defer s.mu.Unlock(); return s.plain }
		}, func(s *shared[N], v *settings[N]) { s.mu.Lock(); s.plain = v; s.mu.Unlock() }),
	})
}

// shared holds the published settings, for each way of publishing.
type shared[N any] struct {
	atomic atomic.Pointer[settings[N]]
	rw     sync.RWMutex
	mu     sync.Mutex
	plain  *settings[N]
}
