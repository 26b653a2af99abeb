package zmyreflect

import (
	"reflect"
	"sync"
	"testing"
	"time"
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

type pair[K, V any] struct {
	Key   K
	Value V
}

func TestInstanceWord(t *testing.T) {
	for _, c := range []struct {
		typ  reflect.Type
		want string
	}{
		{reflect.TypeFor[pair[typ, time.Time]](), "PairTypTime"},
		{reflect.TypeFor[pair[pair[string, int8], Plan]](), "PairPairStringInt8Plan"},
		{reflect.TypeFor[typ](), ""},
		{reflect.TypeFor[[]typ](), ""},
		{reflect.TypeFor[struct{ A int }](), ""},
		{reflect.TypeFor[pair[int, []int]](), ""},
		{reflect.TypeFor[pair[int, [4]int]](), ""},
		{reflect.TypeFor[pair[map[int]int, int]](), ""},
		{reflect.TypeFor[pair[int, *typ]](), ""},
		{reflect.TypeFor[pair[int, any]](), ""},
		{reflect.TypeFor[pair[int, func(int)]](), ""},
	} {
		if got := InstanceWord(c.typ); got != c.want {
			t.Errorf("%v: %q, want %q", c.typ, got, c.want)
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
