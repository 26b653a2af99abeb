package nano

import (
	"context"
	"math"
	"math/bits"
	"sync"
	"time"
)

// Priority is how urgent a request is.
type Priority int8

const (
	Normal Priority = iota // 200 ms to encode
	High                   // 50 ms
)

type priorityKey struct{}

// Prioritize returns a context under which requests have that priority.
func Prioritize(ctx context.Context, p Priority) context.Context {
	return context.WithValue(ctx, priorityKey{}, p)
}

// Budget says how long encoding an answer may take:
//
//	clamp(base × (1 + P99 / 200 ms), 30 ms, 1 s)
//
// with a base of 50 ms for High and 200 ms for Normal priority, which a context without a priority
// has, and with the P99 of the tenant's answers in the last minute (0 without any): a tenant that
// is used to waiting is given more time. An encoder cannot be interrupted: the time is looked at
// when a message, an element of a stream or a chunk is done, and no goroutine is left behind.
//
// Memory is bounded: beyond its limit of tenants the one that was silent for longest is forgotten.
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

// NewBudget returns a Budget that remembers that many tenants, half a kilobyte each.
func NewBudget(tenants int) *Budget { return &Budget{max: max(tenants, 1)} }

// For returns the budget of a request of k under ctx.
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

// Observe notes how long an answer to k took.
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

// P99 returns what 99% of the recent answers to k stayed below, within an eighth; 0 without any.
func (b *Budget) P99(k Key) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	w := b.tenants.get(k)
	if w == nil {
		return 0
	}
	return w.quantile(time.Now(), 0.99)
}

// window counts durations of the last half to one minute, in buckets that widen with them.
type window struct {
	since    time.Time // begin of now
	now, old [windowBuckets]uint16
}

const (
	windowHalf    = 30 * time.Second
	windowUnit    = 256 * time.Microsecond // width of the narrowest buckets
	windowBuckets = 8 * 13                 // 8 to each doubling, up to 8 s
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
		for j := range w.now { // the shape stays
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

// bucketOf: units below 8 have a bucket each, then every doubling has 8.
func bucketOf(d time.Duration) int {
	n := uint64(max(d, 0) / windowUnit)
	if n < 8 {
		return int(n)
	}
	shift := bits.Len64(n) - 4
	return min(8*shift+int(n>>shift), windowBuckets-1)
}

// bucketEnd is what the durations of bucket i stay below.
func bucketEnd(i int) time.Duration {
	if i < 8 {
		return time.Duration(i+1) * windowUnit
	}
	shift := i/8 - 1
	return time.Duration(i%8+9) << shift * windowUnit
}

// lru is a map that knows what was used last. The zero value is ready; the caller locks.
type lru[K comparable, V any] struct {
	nodes map[K]*lruNode[K, V]
	root  lruNode[K, V] // of a ring: root.next was used last, root.prev the longest ago
}

type lruNode[K comparable, V any] struct {
	prev, next *lruNode[K, V]
	key        K
	value      V
}

// get returns the value of k, nil if there is none, and makes it the last used. It may be changed
// until the next call.
func (l *lru[K, V]) get(k K) *V {
	n := l.nodes[k]
	if n == nil {
		return nil
	}
	n.prev.next, n.next.prev = n.next, n.prev
	l.insert(n)
	return &n.value
}

// add makes an empty value for k, which must not be there.
func (l *lru[K, V]) add(k K) *V {
	if l.nodes == nil {
		l.nodes = make(map[K]*lruNode[K, V])
		l.root.prev, l.root.next = &l.root, &l.root
	}
	n := &lruNode[K, V]{key: k}
	l.nodes[k] = n
	l.insert(n)
	return &n.value
}

func (l *lru[K, V]) insert(n *lruNode[K, V]) {
	n.prev, n.next = &l.root, l.root.next
	n.prev.next, n.next.prev = n, n
}

// removeOldest removes what was not used for the longest time; there must be something.
func (l *lru[K, V]) removeOldest() (K, V) {
	n := l.root.prev
	n.prev.next, n.next.prev = n.next, n.prev
	delete(l.nodes, n.key)
	return n.key, n.value
}

func (l *lru[K, V]) len() int { return len(l.nodes) }
