package jsonrt

import (
	"encoding"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// mapEncoder returns the encoder of a map type. The most frequent types have functions without
// reflection.
func mapEncoder(t reflect.Type) func(*Enc, []byte, place) []byte {
	spell := keySpeller(t.Key())
	if spell == nil {
		return func(e *Enc, b []byte, _ place) []byte { return e.Fail(b) }
	}
	if t.Key() == stringType && planner.fs == nil {
		switch t.Elem() {
		case stringType:
			return func(e *Enc, b []byte, p place) []byte { return EncodeStringMap(e, b, at[map[string]string](p)) }
		case anyType:
			return func(e *Enc, b []byte, p place) []byte { return EncodeAnyMap(e, b, at[map[string]any](p)) }
		case reflect.TypeFor[int]():
			return func(e *Enc, b []byte, p place) []byte { return EncodeMap(e, b, at[map[string]int](p), EncodeInt) }
		case reflect.TypeFor[int64]():
			return func(e *Enc, b []byte, p place) []byte { return EncodeMap(e, b, at[map[string]int64](p), EncodeInt) }
		case reflect.TypeFor[float64]():
			return func(e *Enc, b []byte, p place) []byte { return EncodeMap(e, b, at[map[string]float64](p), EncodeFloat) }
		case reflect.TypeFor[bool]():
			return func(e *Enc, b []byte, p place) []byte { return EncodeMap(e, b, at[map[string]bool](p), EncodeBool) }
		case reflect.TypeFor[[]string]():
			return func(e *Enc, b []byte, p place) []byte {
				return EncodeMap(e, b, at[map[string][]string](p), EncodeStrings)
			}
		}
	}
	type member struct {
		name string
		i    int
	}
	elem, size := elemEncoder(t.Elem()), t.Elem().Size()
	elemsType := reflect.SliceOf(t.Elem())
	return func(e *Enc, b []byte, p place) []byte {
		v := value(t, p)
		b, base, ok := openMap(e, b, v.IsNil(), v.Len())
		if !ok {
			return b
		}
		n := v.Len()
		values := reflect.MakeSlice(elemsType, n, n) // one allocation for all values
		members := make([]member, n)
		key := reflect.New(t.Key()).Elem()
		iter := v.MapRange()
		for i := 0; i < n && iter.Next(); i++ {
			key.SetIterKey(iter)
			name, ok := spell(key)
			if !ok {
				return e.Fail(b)
			}
			members[i] = member{name, i}
			values.Index(i).SetIterValue(iter)
		}
		if e.opt&Unsorted == 0 {
			slices.SortFunc(members, func(x, y member) int { return strings.Compare(x.name, y.name) })
		}
		addr := e.addr
		e.addr = false
		first := elems(values)
		c := byte('{')
		for _, m := range members {
			b = append(jsonwire.AppendQuote(append(b, c), m.name, e.plain), ':')
			b = elem.do(e, b, elemAt(first, m.i, size))
			c = ','
		}
		e.addr = addr
		return closeMap(e, b, base)
	}
}

// keySpeller returns the function that returns the name of a key of type t, nil if t cannot be a
// key.
func keySpeller(t reflect.Type) func(reflect.Value) (string, bool) {
	switch k := t.Kind(); {
	case k == reflect.String:
		return func(v reflect.Value) (string, bool) { return v.String(), true }
	case t.Implements(textType):
		return func(v reflect.Value) (string, bool) {
			if k == reflect.Pointer && v.IsNil() {
				return "", true
			}
			m, ok := v.Interface().(encoding.TextMarshaler)
			if !ok {
				return "", false // a nil interface, with which encoding/json panics
			}
			text, err := textOf(m)
			return string(text), err == nil
		}
	case reflect.Int <= k && k <= reflect.Int64:
		return func(v reflect.Value) (string, bool) { return strconv.FormatInt(v.Int(), 10), true }
	case reflect.Uint <= k && k <= reflect.Uintptr:
		return func(v reflect.Value) (string, bool) { return strconv.FormatUint(v.Uint(), 10), true }
	}
	return nil
}
