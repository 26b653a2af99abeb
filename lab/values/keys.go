package values

import (
	"encoding"
	"fmt"
	"reflect"
)

// entry is an entry of a map, whose key may be changed.
type entry struct {
	of   reflect.Value // the map
	key  reflect.Value // the one that it has now
	kept bool          // the last change of the key was made
}

// move gives the entry another key, unless that is none, as NaN, or another entry's.
func (e *entry) move(to reflect.Value) {
	if e.kept = to.Comparable() && to.Equal(to); !e.kept || to.Equal(e.key) {
		return
	}
	if e.kept = !e.of.MapIndex(to).IsValid(); !e.kept {
		return
	}
	elem := e.of.MapIndex(e.key)
	e.of.SetMapIndex(e.key, reflect.Value{})
	e.key = reflect.New(to.Type()).Elem()
	e.key.Set(to)
	e.of.SetMapIndex(e.key, elem)
}

// visitKey visits the parts of a key that is an array or a struct, the first of each kind. Where
// such a key is written as text, extremes go to strings and elements of arrays, which are as
// long as what is written of them; numbers in structs may be exponents.
func (f *finder) visitKey(e *entry, path string) {
	t := e.key.Type()
	if f.keeps != nil || t.Kind() != reflect.Array && t.Kind() != reflect.Struct || t == timeType {
		return
	}
	c := settableCopy(e.key)
	f.own = map[string]bool{}
	f.keeps = func() bool { return e.kept }
	if p := reflect.PointerTo(t); p.Implements(textReader) && p.Implements(textWriter) {
		f.keeps = func() bool { return e.kept && keepsText(c) }
		for k := reflect.Int; k <= reflect.Complex128 && t.Kind() == reflect.Struct; k++ {
			f.own[k.String()] = true
		}
	}
	if t.Kind() == reflect.Struct {
		f.visitFields(c, path, func() { e.move(c) })
	} else {
		for _, i := range ends(c.Len()) {
			f.visit(c.Index(i), fmt.Sprintf("%s[%d]", path, i), func(x reflect.Value) { c.Index(i).Set(x); e.move(c) })
		}
	}
	f.keeps, f.own = nil, nil
}

// keepsText reports whether v comes back from its text as it was.
func keepsText(v reflect.Value) (ok bool) {
	defer func() { ok = recover() == nil && ok }()
	again := reflect.New(v.Type())
	text, err := v.Addr().Interface().(encoding.TextMarshaler).MarshalText()
	return err == nil && again.Interface().(encoding.TextUnmarshaler).UnmarshalText(text) == nil && v.Equal(again.Elem())
}
