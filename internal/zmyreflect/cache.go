package zmyreflect

import (
	"reflect"
	"sync"
	"sync/atomic"
)

// Cache keeps what was found out about types. Reading it takes no lock and
// writes nothing, so that goroutines do not contend: BenchmarkCache. The zero
// value is empty.
type Cache[V any] struct {
	// near has the first type that came for each slot; far has all.
	near [cacheSlots]atomic.Pointer[cached[V]]
	far  sync.Map
}

const cacheSlots = 256

// cached keeps its type alive, so that the address stays that of the type.
type cached[V any] struct {
	addr uintptr
	t    reflect.Type
	v    V
}

// Get returns what is known about t, or what find says about it. Find may be
// called more than once, by several goroutines; all are given the same result.
func (c *Cache[V]) Get(t reflect.Type, find func(reflect.Type) V) *V {
	a := typeAddr(t)
	if e := c.near[slotOf(a)].Load(); e != nil && e.addr == a {
		return &e.v
	}
	return c.get(t, find)
}

//go:noinline
func (c *Cache[V]) get(t reflect.Type, find func(reflect.Type) V) *V {
	e, ok := c.far.Load(t)
	if !ok {
		e, _ = c.far.LoadOrStore(t, &cached[V]{typeAddr(t), t, find(t)})
	}
	entry := e.(*cached[V])
	c.near[slotOf(entry.addr)].CompareAndSwap(nil, entry)
	return &entry.v
}

// slotOf spreads types by their address, which is a multiple of 32.
func slotOf(addr uintptr) uintptr { return (addr>>5 ^ addr>>13) % cacheSlots }
