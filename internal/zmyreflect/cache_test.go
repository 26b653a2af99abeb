package zmyreflect

import (
	"reflect"
	"sync"
	"testing"
)

// More types than there are slots keep what was found out about each.
func TestCache(t *testing.T) {
	var c Cache[int]
	types := make([]reflect.Type, 3*cacheSlots)
	for i := range types {
		types[i] = reflect.ArrayOf(i, reflect.TypeFor[int8]())
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for round := range 3 {
				for i, typ := range types {
					p := c.Get(typ, func(t reflect.Type) int { return t.Len() })
					if *p != i || p != c.Get(typ, func(reflect.Type) int { return -1 }) {
						t.Errorf("round %d: type %d has %d", round, i, *p)
						return
					}
				}
			}
		})
	}
	wg.Wait()
}

func TestTypeName(t *testing.T) {
	for want, typ := range map[string]reflect.Type{
		"typ":                           reflect.TypeFor[typ](),
		"Cache[int]":                    reflect.TypeFor[Cache[int]](),
		"Cache[typ]":                    reflect.TypeFor[Cache[typ]](),
		"Cache[map[string]*sync.Mutex]": reflect.TypeFor[Cache[map[string]*sync.Mutex]](),
		"struct { A int }":              reflect.TypeFor[struct{ A int }](),
	} {
		if got := TypeName(typ); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

var cachedSink *int

// A second goroutine costs the first one nothing: run with -cpu 1,2.
func BenchmarkCache(b *testing.B) {
	var c Cache[int]
	t := reflect.TypeFor[typ]()
	b.RunParallel(func(pb *testing.PB) {
		var p *int
		for pb.Next() {
			p = c.Get(t, func(reflect.Type) int { return 1 })
		}
		cachedSink = p
	})
}
