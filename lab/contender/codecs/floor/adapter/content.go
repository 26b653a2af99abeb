//go:build ignore

package adapter

import (
	"encoding/binary"
	"reflect"
	"time"
)

// content appends everything that v contains: scalars with their width in memory, times in 12
// bytes, text as it is. There are no lengths, keys or tags.
func content(b []byte, v any) []byte { return walk(b, reflect.ValueOf(v).Elem()) }

var timeType = reflect.TypeFor[time.Time]()

func walk(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.String:
		return append(b, v.String()...)
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			b = walk(b, v.Index(i))
		}
	case reflect.Map:
		for k, x := range v.Seq2() {
			b = walk(walk(b, k), x)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			b = walk(b, v.Elem())
		}
	case reflect.Struct:
		if v.Type() == timeType {
			return append(b, make([]byte, 12)...)
		}
		for i := range v.NumField() {
			b = walk(b, v.Field(i))
		}
	case reflect.Chan, reflect.Func, reflect.Interface, reflect.UnsafePointer:
	default:
		n := int(v.Type().Size())
		b = append(b, make([]byte, n)...)
		put(b[len(b)-n:], v)
	}
	return b
}

// put stores an integer. For other scalars only the width matters.
func put(b []byte, v reflect.Value) {
	if !v.CanInt() && !v.CanUint() {
		return
	}
	var w [8]byte
	if v.CanInt() {
		binary.LittleEndian.PutUint64(w[:], uint64(v.Int()))
	} else {
		binary.LittleEndian.PutUint64(w[:], v.Uint())
	}
	copy(b, w[:])
}
