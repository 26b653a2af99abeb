//go:build !purego

package pbreflect

import "unsafe"

// alias returns b as a string that shares its memory.
//
// SAFETY: unsafe.String requires that the bytes are not changed while the string exists. The caller
// of Unmarshal guarantees it by setting the option Alias. The string keeps the memory of b alive.
// The twin alias_purego.go copies; all tests run with both (-tags purego).
func alias(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
