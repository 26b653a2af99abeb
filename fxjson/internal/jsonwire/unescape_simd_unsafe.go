//go:build !purego && amd64

package jsonwire

import "unsafe"

// unescapeBlocks moves the text of a JSON string from index r down to w < r, sixteen bytes at a
// time, and drops the backslashes before quotes and slashes. It stops at a block that holds the end
// of the string or another escape, and returns both indexes.
//
//go:noescape
func unescapeBlocks(p unsafe.Pointer, w, r int, c *unescapeTables) (w2, r2 int)

// unescapeTables holds the bytes that unescapeBlocks compares with, sixteen times each.
type unescapeTables struct{ quote, backslash, control, slash [16]byte }

var unescapeBytes = func() (c unescapeTables) {
	for i := range 16 {
		c.quote[i], c.backslash[i], c.control[i], c.slash[i] = '"', '\\', 0x1f, '/'
	}
	return c
}()

// squeeze holds shuffles of eight bytes. The index says which bytes are marked, one bit a byte; the
// shuffle leaves these out. It is the inverse of expand.
var squeeze = func() (t [256][8]byte) {
	for m := range t {
		n := 0
		for i := range byte(8) {
			if m>>i&1 == 0 {
				t[m][n] = i
				n++
			}
		}
	}
	return t
}()

// useSqueeze says that the processor has what unescapeBlocks needs.
var useSqueeze = hasAVX()

// unescapeSimple is [unescapeBlocks] for a document.
//
// SAFETY: b is padded, and w < r, see [UnescapeInPlace].
func unescapeSimple(b []byte, w, r int) (int, int) {
	return unescapeBlocks(unsafe.Pointer(unsafe.SliceData(b)), w, r, &unescapeBytes)
}
