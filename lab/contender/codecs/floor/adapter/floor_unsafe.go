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
