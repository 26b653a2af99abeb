package jsonrt

import (
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// StdOnly says that encoding/json does the work, see std.go.
const StdOnly = stdOnly

// UnmarshalFirst decodes the value in b, an array or object that white space may follow, into v, and
// returns the index after it. It returns 0, and leaves v as it was, if [UnmarshalWith] has more to
// do: b may be cut, malformed or more than one value, the value may not fit, *v may not be zero, or
// methods of the user's may be called, which they must not be for a value that is cut.
func UnmarshalFirst(b []byte, v any, opt Options) (n int) {
	if stdOnly || v == nil || opt&RefuseDuplicates != 0 {
		return 0
	}
	if c := lookup(v); c != nil {
		return c.first(b, v, opt)
	}
	ptr := reflect.ValueOf(v)
	if ptr.Kind() != reflect.Pointer || ptr.IsNil() {
		return 0
	}
	target, p := ptr.Elem(), placeOf(ptr.Elem())
	dec := decoderOf(target.Type(), ptr.Type().Name() == "")
	if dec.own || !zeroAt(target.Type(), p) || callsMethods(target.Type()) {
		return 0
	}
	d := decPool.Get().(*Dec)
	d.load(b, dec.texts, opt)
	i := dec.do(d, 0, p)
	if d.failed || d.err != nil || jsonwire.SkipSpace(d.doc, i) != d.n {
		target.SetZero()
		i = 0
	}
	d.free()
	return i
}

// first is [UnmarshalFirst] for v, a *T.
func (c *Code[T]) first(b []byte, v any, opt Options) int {
	x, ok := v.(*T)
	if !ok || x == nil || c.state.Load() != good || !isZero(x) || c.methods.in(c.typ()) {
		return 0
	}
	d := decPool.Get().(*Dec)
	d.load(b, c.textsOf(), opt)
	i := c.Decode(d, 0, x)
	if d.failed || jsonwire.SkipSpace(d.doc, i) != d.n {
		*x, i = *new(T), 0
	}
	d.free()
	return i
}

// methods says whether decoding into a type may call methods that the user wrote.
type methods struct{ known atomic.Uint32 }

// in returns what is known of t, the type that m belongs to.
func (m *methods) in(t reflect.Type) bool {
	const none, some = 1, 2
	known := m.known.Load()
	if known == 0 {
		known = none
		if calls.in(t) {
			known = some
		}
		m.known.Store(known)
	}
	return known == some
}

var withMethods sync.Map // of *methods, by type

// callsMethods reports whether decoding into t may call methods that the user wrote.
func callsMethods(t reflect.Type) bool {
	m, ok := withMethods.Load(t)
	if !ok {
		m, _ = withMethods.LoadOrStore(t, new(methods))
	}
	return m.(*methods).in(t)
}

// calls finds types with a method UnmarshalJSON or UnmarshalText that is neither generated nor of the
// standard library.
var calls = typeSearch{
	test: func(t reflect.Type) (found, stop bool) {
		if ptr := reflect.PointerTo(t); !ptr.Implements(unmarshalerType) && !ptr.Implements(untextType) {
			return false, false
		}
		switch t.PkgPath() {
		case "encoding/json", "math/big", "net", "net/netip", "time":
			return false, true
		}
		return findAny(t) == nil, false
	},
	field: func(f reflect.StructField) (found, into bool) { return false, seen(f) },
	keys:  true,
}
