//go:build ignore

package adapter

import "unsafe"

// position returns the index of the element of vals that v points to, or -1. It computes the index,
// since a search would cost more than the copy that is measured.
func position[T any](vals []T, v *T) int {
	if len(vals) == 0 || unsafe.Sizeof(vals[0]) == 0 {
		return -1
	}
	// SAFETY: both pointers are only converted to numbers, and no pointer is made from a number.
	// The address of an element does not change while vals is reachable.
	at := uintptr(unsafe.Pointer(v)) - uintptr(unsafe.Pointer(unsafe.SliceData(vals)))
	i := at / unsafe.Sizeof(vals[0])
	if i >= uintptr(len(vals)) {
		return -1
	}
	return int(i)
}

// Text returns s as a string that shares its memory.
func Text(s []byte) string {
	// SAFETY: s is part of a slab that Own was given. Each part is handed out once, and nobody
	// writes to the parts that became strings.
	return unsafe.String(unsafe.SliceData(s), len(s))
}

// refer returns an interface that holds *p without a copy of it. Nobody writes to *p afterwards.
func refer[T any](p *T) any {
	var zero T
	v := any(zero)
	// SAFETY: an interface without methods is two words: the type, and a pointer to the value, for
	// types that are no pointers. T is string or a number. The type is that of v, and p points to a
	// T that outlives v, since v keeps it.
	(*struct{ typ, data unsafe.Pointer })(unsafe.Pointer(&v)).data = unsafe.Pointer(p)
	return v
}

// word returns w as the address of a number, which takes at most as many bytes and has no pointers.
func word[T int | int64 | uint64 | float64](w *uint64) *T {
	// SAFETY: T is not larger than a uint64, nor aligned more strictly.
	return (*T)(unsafe.Pointer(w))
}
