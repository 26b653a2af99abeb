// Package jsonwire holds the byte kernels of JSON: numbers, strings, white space, times and the
// grammar itself. Kernels work on bytes and indexes; they know no Go types, options or errors. A
// kernel that fails returns a negative index.
//
// # Padded documents
//
// Kernels that read take a document b and an index i into it. The document must be followed, inside
// the slice, by [Pad] zero bytes. A zero byte ends every token of JSON, so no kernel walks past the
// first zero byte. A wide load that begins at or before that byte stays inside the slice.
//
// Fast paths load and store eight bytes at a time as one little-endian word (SIMD within a
// register). With the build tag purego the same code runs on bounds-checked loads: the tests prove
// the rule above in this way.
package jsonwire

import "slices"

// Pad is the number of zero bytes after a padded document.
const Pad = 64

// Padded returns a copy of src followed by [Pad] zero bytes. It uses dst's memory if that is large
// enough.
func Padded(dst, src []byte) []byte {
	n := len(src)
	dst = slices.Grow(dst[:0], n+Pad)[:n+Pad]
	copy(dst, src)
	*(*[Pad]byte)(dst[n:]) = [Pad]byte{}
	return dst
}
