//go:build !purego && (amd64 || arm64)

package jsonwire

import (
	"slices"
	"unicode/utf8"
	"unsafe"
)

// quoteBlocks copies n >= 16 bytes from src to dst, sixteen at a time, with the short escapes \" \\
// \b \f \n \r \t for bytes that need them. It stops before a byte that needs anything else. It
// returns how many bytes it has read and written. dst must have room for 2n+32 bytes. No branch
// depends on which bytes of a block are escaped: a shuffle makes room for the backslashes.
//
//go:noescape
func quoteBlocks(dst, src unsafe.Pointer, n int, c *quoteClasses) (read, written int)

// quoteClasses holds the tables of quoteBlocks. The class of a byte is low[b&15] & high[b>>4]; its
// bits are the classes below.
type quoteClasses struct {
	low, high [16]byte
	special   [16]byte // all classSpecial
	over      [16]byte // all 0x70: added with saturation, it sets the top bit from 0x10 on
	short     [16]byte // the letter of a control character's short escape
	slash     [16]byte // all backslashes
}

const (
	classControl = 1 << iota // control characters below 0x10 without a short escape
	classOther               // other control characters, and bytes that are not ASCII
	classAnd                 // &
	classAngle               // < and >
	classShort               // \b \f \n \r \t
	classQuote
	classSlash
	classSpecial = classControl | classOther | classAnd | classAngle
)

var htmlClasses, plainClasses = makeClasses(true), makeClasses(false)

func makeClasses(html bool) (c quoteClasses) {
	for i := range 16 {
		c.special[i], c.over[i], c.slash[i] = classSpecial, 0x70, '\\'
	}
	class := func(b byte) byte {
		switch {
		case b == '"':
			return classQuote
		case b == '\\':
			return classSlash
		case b >= utf8.RuneSelf, b>>4 == 1:
			return classOther
		case b == '\b', b == '\t', b == '\n', b == '\f', b == '\r':
			return classShort
		case b < ' ':
			return classControl
		case b == '&' && html:
			return classAnd
		case (b == '<' || b == '>') && html:
			return classAngle
		}
		return 0
	}
	for b := range 256 {
		c.low[b&15] |= class(byte(b))
		c.high[b>>4] |= class(byte(b))
	}
	for b := range byte(16) {
		if class(b) == classShort {
			c.short[b] = byte(escapes[b] >> 8)
		}
	}
	return c
}

// expand holds shuffles of eight bytes. The index says which bytes are marked, one bit a byte; the
// shuffle puts byte 8, a backslash, before each marked byte.
var expand = func() (t [256][16]byte) {
	for m := range t {
		n := 0
		for i := range byte(8) {
			if m>>i&1 != 0 {
				t[m][n] = 8
				n++
			}
			t[m][n] = i
			n++
		}
	}
	return t
}()

// slide holds two tables of 32 bytes. The first is a shuffle that moves the last n bytes of a block
// to its front; the second has blanks to put after them. For n bytes, each table is read from its
// index 16-n on.
var slide = func() (t [64]byte) {
	for i := range 16 {
		t[i], t[16+i], t[48+i] = byte(i), 0x80, ' '
	}
	return t
}()

// appendBlocks is [appendWords] by means of quoteBlocks.
//
// SAFETY: s has the n bytes from i on that quoteBlocks reads, and dst has the room that it needs.
func appendBlocks(dst []byte, s string, plain bool) []byte {
	const most = 1024 // bytes per call, which bounds the room
	table, classes := &escapes, &htmlClasses
	if plain {
		table, classes = &plainEscapes, &plainClasses
	}
	i, at := 0, len(dst)
	gain := 64 // bytes copied in blocks, less sixteen for each call that stopped early
	for len(s)-i >= 16 && gain > 0 {
		n := min(len(s)-i, most)
		if cap(dst)-at < 2*n+quoteRoom {
			dst = slices.Grow(dst[:at], 2*n+quoteRoom)
		}
		b := dst[:cap(dst)]
		read, written := quoteBlocks(unsafe.Pointer(&b[at]), unsafe.Add(unsafe.Pointer(unsafe.StringData(s)), i), n, classes)
		i += read
		at += written
		if i == len(s) {
			b[at] = '"'
			return b[:at+1]
		}
		if read == n {
			continue
		}
		c := s[i]
		if c >= utf8.RuneSelf { // more characters like it will follow
			break
		}
		Store64(b, at, table[c])
		at += int(table[c] >> 56)
		i++
		gain = min(gain+read-16, 256)
	}
	return appendEscaped(dst[:at], s[i:], plain)
}
