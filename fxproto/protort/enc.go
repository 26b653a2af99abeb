package protort

import (
	"encoding/binary"
	"math/bits"

	"github.com/zmylab/zmy/internal/pbwire"
)

// MaxDepth is how deep values may be nested.
const MaxDepth = pbwire.MaxDepth

// Room returns b with at least n bytes from the index i on.
func Room(b []byte, i, n int) []byte {
	if n >= 0 && len(b)-i >= n {
		return b
	}
	return grow(b, i, n)
}

//go:noinline
func grow(b []byte, i, n int) []byte {
	if n < 0 { // a sum of lengths on a machine of 32 bits
		panic("fxproto: the message is longer than an int can count")
	}
	out := make([]byte, 2*len(b)+n+64)
	copy(out, b[:i])
	return out
}

// Varint writes x in up to 10 bytes.
func Varint(b []byte, i int, x uint64) int {
	if x < 0x80 {
		b[i] = byte(x)
		return i + 1
	}
	return longVarint(b, i, x)
}

// spread has the bits of a number below 1<<35 in groups of seven, one to a byte.
func spread(x uint64) uint64 {
	return x&0x7f | x<<1&0x7f00 | x<<2&0x7f0000 | x<<3&0x7f000000 | x<<4&0x7f00000000
}

// more has the bits of a varint of n bytes, at most 5, that say that another byte follows.
func more(n int) uint64 { return 0x80808080 & (1<<(8*uint(n-1)) - 1) }

// longVarint writes numbers below 1<<35 at once if b has 8 more bytes.
//
//go:noinline
func longVarint(b []byte, i int, x uint64) int {
	if x < 1<<35 && len(b)-i >= 8 {
		n := pbwire.SizeVarint(x)
		binary.LittleEndian.PutUint64(b[i:], spread(x)|more(n))
		return i + n
	}
	for ; x >= 0x80; x >>= 7 {
		b[i] = byte(x) | 0x80
		i++
	}
	b[i] = byte(x)
	return i + 1
}

// Put16 writes a tag of 2 bytes.
func Put16(b []byte, i int, x uint16) { binary.LittleEndian.PutUint16(b[i:], x) }

// Put32 writes 4 bytes.
func Put32(b []byte, i int, x uint32) int {
	binary.LittleEndian.PutUint32(b[i:], x)
	return i + 4
}

// Put64 writes 8 bytes.
func Put64(b []byte, i int, x uint64) int {
	binary.LittleEndian.PutUint64(b[i:], x)
	return i + 8
}

// Bit returns 1 for true and 0 for false.
func Bit(v bool) uint64 {
	if v {
		return 1
	}
	return 0
}

// ZigZag maps integers to naturals, so that numbers near 0 become small.
func ZigZag(v int64) uint64 { return uint64(v<<1) ^ uint64(v>>63) }

// Close writes the length of the content from start to i, which is at least 128. The encoder has left
// one byte for it, at start-1; Close moves the content to make room for the others.
//
//go:noinline
func Close(b []byte, start, i int) ([]byte, int) {
	n := i - start
	more := (bits.Len(uint(n))+6)/7 - 1
	b = Room(b, i, more)
	copy(b[start+more:], b[start:i])
	longVarint(b[:start+more], start-1, uint64(n))
	return b, i + more
}
