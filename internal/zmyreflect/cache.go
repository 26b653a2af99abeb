package zmyreflect

import (
	"reflect"
	"sync"
	"sync/atomic"
)

// Cache stores what was found out about types. Reading it takes no lock and writes nothing, so
// goroutines do not contend (BenchmarkCache). The zero value is an empty cache.
type Cache[V any] struct {
	// near has the first type that was stored in each slot; far has all types.
	near [cacheSlots]atomic.Pointer[cached[V]]
	far  sync.Map
}

const cacheSlots = 256

// cached keeps its type alive, so that no other type gets its address.
type cached[V any] struct {
	addr uintptr
	t    reflect.Type
	v    V
}

// NOTE: the first type that comes to a slot of near keeps it for ever. Types that fall into the
// same slot later are found in far, which is slower. Nothing is ever evicted: two types that took
// turns in a slot would write to it on each call, and goroutines would contend.

// Get returns what is stored about t. If there is nothing, it stores the result of find. Several
// goroutines may call find for the same type at once; all get the same result.
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

// slotOf maps a type's address, which is a multiple of 32, to a slot.
func slotOf(addr uintptr) uintptr { return (addr>>5 ^ addr>>13) % cacheSlots }
