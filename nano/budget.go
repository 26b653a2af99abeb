package nano

import (
	"container/list"
	"context"
	"math"
	"math/bits"
	"sync"
	"time"
)

// Priority is how urgent a request is.
type Priority int8

const (
	Normal Priority = iota // base budget 200 ms, see [Budget]
	High                   // base budget 50 ms
)

type priorityKey struct{}

// Prioritize returns a context whose requests have the priority p.
func Prioritize(ctx context.Context, p Priority) context.Context {
	return context.WithValue(ctx, priorityKey{}, p)
}

// Budget decides how long encoding an answer may take:
//
//	clamp(base × (1 + P99 / 200 ms), 30 ms, 1 s)
//
// base is 50 ms for High and 200 ms for Normal priority, which a context without a priority has.
// P99 is that of the tenant's answers in the last minute, 0 without any: a tenant that is used to
// waiting is given more time. An encoder cannot be interrupted. So the time is checked when a
// message, or an element of a stream, is encoded, and no goroutine is left behind.
//
// Memory is bounded: if there are more tenants than the limit, the one that was silent for longest
// is forgotten.
type Budget struct {
	max     int
	mu      sync.Mutex
	tenants lru[Key, window]
}

const (
	budgetHigh   = 50 * time.Millisecond
	budgetNormal = 200 * time.Millisecond
	budgetScale  = 200 * time.Millisecond
	budgetFloor  = 30 * time.Millisecond
	budgetCap    = time.Second
)

// NewBudget returns a Budget that remembers at most that many tenants. Each takes half a kilobyte.
func NewBudget(tenants int) *Budget { return &Budget{max: max(tenants, 1)} }

// For returns how long encoding an answer to k may take under ctx.
func (b *Budget) For(ctx context.Context, k Key) time.Duration {
	priority, _ := ctx.Value(priorityKey{}).(Priority)
	return budgetFor(priority, b.P99(k))
}

func budgetFor(p Priority, p99 time.Duration) time.Duration {
	base := budgetNormal
	if p == High {
		base = budgetHigh
	}
	d := float64(base) * (1 + float64(p99)/float64(budgetScale))
	return min(max(time.Duration(d), budgetFloor), budgetCap)
}

// Observe counts an answer to k that took d.
func (b *Budget) Observe(k Key, d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	w := b.tenants.get(k)
	if w == nil {
		if b.tenants.len() >= b.max {
			b.tenants.removeOldest()
		}
		w = b.tenants.add(k)
	}
	w.observe(time.Now(), d)
}

// P99 returns the 99th percentile of the time of recent answers to k, 0 without any. It is rounded
// up by at most an eighth or, below 2 ms, by 256 µs.
func (b *Budget) P99(k Key) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	w := b.tenants.get(k)
	if w == nil {
		return 0
	}
	return w.quantile(time.Now(), 0.99)
}

// window counts durations of the last 30 to 60 s, in buckets whose width grows with the durations.
type window struct {
	since    time.Time // when now began
	now, old [windowBuckets]uint16
}

const (
	windowHalf    = 30 * time.Second
	windowUnit    = 256 * time.Microsecond // width of the narrowest buckets
	windowBuckets = 8 * 13                 // 8 for each doubling, up to 8 s
)

func (w *window) rotate(t time.Time) {
	switch age := t.Sub(w.since); {
	case age < windowHalf:
	case age < 2*windowHalf:
		w.old, w.now, w.since = w.now, [windowBuckets]uint16{}, t
	default:
		*w = window{since: t}
	}
}

func (w *window) observe(t time.Time, d time.Duration) {
	w.rotate(t)
	i := bucketOf(d)
	if w.now[i] == math.MaxUint16 {
		for j := range w.now { // halve all: their ratios stay
			w.now[j] /= 2
		}
	}
	w.now[i]++
}

func (w *window) quantile(t time.Time, q float64) time.Duration {
	w.rotate(t)
	total := 0
	for i := range w.now {
		total += int(w.now[i]) + int(w.old[i])
	}
	if total == 0 {
		return 0
	}
	rank := int(math.Ceil(q * float64(total)))
	for i := range w.now {
		if rank -= int(w.now[i]) + int(w.old[i]); rank <= 0 {
			return bucketEnd(i)
		}
	}
	return bucketEnd(windowBuckets - 1)
}

// bucketOf returns the bucket of d: durations below 8 units have a bucket for each unit, longer
// ones 8 buckets for each doubling.
func bucketOf(d time.Duration) int {
	n := uint64(max(d, 0) / windowUnit)
	if n < 8 {
		return int(n)
	}
	shift := bits.Len64(n) - 4
	return min(8*shift+int(n>>shift), windowBuckets-1)
}

// bucketEnd returns the end of bucket i: its durations are shorter.
func bucketEnd(i int) time.Duration {
	if i < 8 {
		return time.Duration(i+1) * windowUnit
	}
	shift := i/8 - 1
	return time.Duration(i%8+9) << shift * windowUnit
}

// lru is a map that knows in which order its keys were last used. The zero value is ready. The
// caller locks.
type lru[K comparable, V any] struct {
	places map[K]*list.Element
	order  list.List // of *lruEntry[K, V], the most recently used first
}

type lruEntry[K comparable, V any] struct {
	key   K
	value V
}

// get returns the value of k, nil if there is none, and makes k the most recently used key. The
// value may be changed until the next call.
func (l *lru[K, V]) get(k K) *V {
	e := l.places[k]
	if e == nil {
		return nil
	}
	l.order.MoveToFront(e)
	return &e.Value.(*lruEntry[K, V]).value
}

// add makes a zero value for k, which must not be in the map.
func (l *lru[K, V]) add(k K) *V {
	if l.places == nil {
		l.places = make(map[K]*list.Element)
	}
	e := &lruEntry[K, V]{key: k}
	l.places[k] = l.order.PushFront(e)
	return &e.value
}

// removeOldest removes the least recently used key. The map must not be empty.
func (l *lru[K, V]) removeOldest() (K, V) {
	e := l.order.Remove(l.order.Back()).(*lruEntry[K, V])
	delete(l.places, e.key)
	return e.key, e.value
}

func (l *lru[K, V]) len() int { return len(l.places) }
