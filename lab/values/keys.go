package values

import (
	"encoding"
	"fmt"
	"reflect"
)

// entry is a map entry whose key may be changed.
type entry struct {
	of   reflect.Value // the map
	key  reflect.Value // its present key
	kept bool          // whether the entry has the key that move was last given
}

// move gives the entry the key to. It changes nothing if to cannot be looked up in a map, such as
// NaN, or is the key of another entry. It sets kept to whether the entry now has the key.
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

// visitKey visits the parts of a key that is an array or a struct, the first of each kind. If a
// struct is written as text, its numbers get no extremes, because a number may be an exponent and
// make the text very long.
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

// keepsText reports whether v survives a round trip through its text unchanged.
func keepsText(v reflect.Value) (ok bool) {
	defer func() { ok = recover() == nil && ok }()
	again := reflect.New(v.Type())
	text, err := v.Addr().Interface().(encoding.TextMarshaler).MarshalText()
	return err == nil && again.Interface().(encoding.TextUnmarshaler).UnmarshalText(text) == nil && v.Equal(again.Elem())
}
