//go:build !purego

package jsonrt

import (
	"reflect"
	"unsafe"
)

// place is the memory of a value whose type the plan at hand knows. With the
// build tag purego it is a reflect.Value, and all the rest is the same.
//
// SAFETY: a place is made from an addressable reflect.Value, or from the memory
// that an interface refers to, and moved only by the offsets and sizes that
// package reflect gives for the very type; it is held while that value is
// alive and no longer. BenchmarkReflective justifies it.
type place = unsafe.Pointer

// placeOf is the memory of v, which is addressable.
func placeOf(v reflect.Value) place { return v.Addr().UnsafePointer() }

// placeIn is the memory that an interface refers to, for reading only; t is the
// type of v.
//
// SAFETY: the second word of an empty interface points to the value, unless the
// value is one pointer, which it may be for the kinds that are copied here.
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

// at is the place as a pointer; the type there has the underlying type T.
func at[T any](p place) *T { return (*T)(p) }

// value is what is at the place, addressable.
func value(t reflect.Type, p place) reflect.Value { return reflect.NewAt(t, p).Elem() }

// fieldAt is a field of the struct at p.
func fieldAt(p place, s step) place { return unsafe.Add(p, s.offset) }

// pointee is what the pointer at p points to.
func pointee(p place) (_ place, ok bool) {
	to := *(*unsafe.Pointer)(p)
	return to, to != nil
}

// elems is the beginning of the elements of v, an addressable array or a slice
// that is not empty.
func elems(v reflect.Value) place {
	if v.Kind() == reflect.Slice {
		return v.UnsafePointer()
	}
	return v.Addr().UnsafePointer()
}

// elemAt is the element with index i of size bytes.
func elemAt(first place, i int, size uintptr) place { return unsafe.Add(first, uintptr(i)*size) }

// sliceAt is the beginning of the elements of the slice at p and how many there are; ok is false if
// it is nil.
//
// SAFETY: the words of a slice are its memory, nil for a nil slice, and its length.
func sliceAt(_ reflect.Type, p place) (first place, n int, ok bool) {
	s := (*[]byte)(p)
	return unsafe.Pointer(unsafe.SliceData(*s)), len(*s), *s != nil
}

// zeroAt reports whether all bits of the value of type t at p are zero.
func zeroAt(t reflect.Type, p place) bool {
	return zeroBytes(unsafe.Slice((*byte)(p), t.Size()))
}
