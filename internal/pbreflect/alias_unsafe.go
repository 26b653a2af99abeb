//go:build !purego

package pbreflect

import "unsafe"

// alias returns b as a string that shares its memory.
//
// SAFETY: unsafe.String requires that the bytes are not changed while the string exists. The caller
// of Unmarshal guarantees it by setting the option Alias. The string keeps the memory of b alive.
// The twin alias_purego.go copies; all tests run with both (-tags purego).
func alias(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Words returns the address of the type of v, and its value if that is a pointer, which is 0 for nil.
//
// SAFETY: an any has two words, that of the type and that of the value, which is the pointer itself for
// pointers. They are compared, and never followed. Types that reflection makes at run time stay, since the
// package keeps all that it has seen. The twin asks package reflect.
func Words(v any) (typ, value uintptr) {
	w := (*[2]uintptr)(unsafe.Pointer(&v))
	return w[0], w[1]
}
