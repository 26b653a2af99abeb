//go:build !purego

package wire

import "unsafe"

// String is b as a string that shares its memory.
//
// SAFETY: a string must never change. Package zmy hands out such strings over
// two kinds of memory: its own copy of the message, of which every byte range
// is handed out at most once, as a string or as bytes with their capacity cut
// to their length; or, where the caller asked for NoCopy or opened a view, the
// caller's buffer, whose documented duty is to leave it unchanged meanwhile.
// unsafe.SliceData of an empty slice may be any pointer, which unsafe.String
// accepts with length 0. BenchmarkOrder/unmarshal shows why: 5 allocations against
// 17. The portable twin copies; all tests run against both (-tags purego).
func String(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
