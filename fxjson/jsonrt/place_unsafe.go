//go:build !purego

package jsonrt

import (
	"reflect"
	"unsafe"
)

// place points to a value in memory. The plan that uses a place knows the value's type. With the
// build tag purego a place is a reflect.Value; the plans' code is the same for both.
//
// SAFETY: a place is made from an addressable reflect.Value, or from the memory that an interface
// refers to. It is moved only by the offsets and sizes that package reflect gives for that very
// type, and held only while the value is alive. BenchmarkReflective justifies it.
type place = unsafe.Pointer

// placeOf returns the place of v, which is addressable.
func placeOf(v reflect.Value) place { return v.Addr().UnsafePointer() }

// placeIn returns the place of the value that the interface v holds, for reading only. t is its
// type.
//
// SAFETY: the second word of an empty interface points to the value, unless the value is itself one
// pointer. Values of the kinds that may be one pointer are copied here.
func placeIn(v any, t reflect.Type) place {
	switch t.Kind() {
	case reflect.Struct, reflect.Array:
		if t.Size() != unsafe.Sizeof(uintptr(0)) {
			break
		}
		fallthrough
	case reflect.Pointer, reflect.Map, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		x := reflect.New(t)
		x.Elem().Set(reflect.ValueOf(v))
		return x.UnsafePointer()
	}
	return (*[2]unsafe.Pointer)(unsafe.Pointer(&v))[1]
}

// at returns p as a pointer to a T, the underlying type of the value there.
func at[T any](p place) *T { return (*T)(p) }

// value returns the value of type t at the place, addressable.
func value(t reflect.Type, p place) reflect.Value { return reflect.NewAt(t, p).Elem() }

// fieldAt returns the place of a field of the struct at p.
func fieldAt(p place, s step) place { return unsafe.Add(p, s.offset) }

// pointee returns the place that the pointer at p points to. ok is false if the pointer is nil.
func pointee(p place) (_ place, ok bool) {
	to := *(*unsafe.Pointer)(p)
	return to, to != nil
}

// elems returns the place of the first element of v, an addressable array or a slice that is not
// empty.
func elems(v reflect.Value) place {
	if v.Kind() == reflect.Slice {
		return v.UnsafePointer()
	}
	return v.Addr().UnsafePointer()
}

// elemAt returns the place of element i. Elements are of size bytes, and the first is at first.
func elemAt(first place, i int, size uintptr) place { return unsafe.Add(first, uintptr(i)*size) }

// sliceAt returns the place of the first element of the slice at p, and the number of elements. ok
// is false if the slice is nil.
//
// SAFETY: the first word of a slice points to its memory and is nil for a nil slice; the second is
// its length.
func sliceAt(_ reflect.Type, p place) (first place, n int, ok bool) {
	s := (*[]byte)(p)
	return unsafe.Pointer(unsafe.SliceData(*s)), len(*s), *s != nil
}

// zeroAt reports whether all bits of the value of type t at p are zero.
func zeroAt(t reflect.Type, p place) bool {
	return zeroBytes(unsafe.Slice((*byte)(p), t.Size()))
}
