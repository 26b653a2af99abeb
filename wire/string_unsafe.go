//go:build !purego

package wire

import "unsafe"

// String returns b as a string that shares b's memory.
//
// SAFETY: a string must never change. Package zmy returns such strings from two kinds of memory.
// The first is its own copy of the message: each byte range of it is handed out at most once, as a
// string or as bytes with cap equal to len. The second is the caller's buffer, if the caller asked
// for NoCopy or opened a view; the documentation requires the caller to leave it unchanged.
// unsafe.SliceData of an empty slice may be any pointer, which unsafe.String accepts with length 0.
// BenchmarkOrder/unmarshal shows why: 5 allocations in place of 17. The portable twin copies; all
// tests run with both (-tags purego).
func String(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
