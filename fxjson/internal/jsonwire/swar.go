package jsonwire

import "math/bits"

const (
	ones   = 0x0101010101010101 // ones*c is the byte c eight times
	highs  = 0x8080808080808080 // the top bit of every byte
	zeros8 = ones * '0'
)

// StringEnds marks, by the top bits of its result, the bytes of w that end a
// run inside a string: a quote, a backslash or a control character. Only the
// lowest mark is exact; a borrow may set marks above it.
func StringEnds(w uint64) uint64 {
	return ((w - ones*0x20) | ((w ^ ones*'"') - ones) | ((w ^ ones*'\\') - ones)) & highs &^ w
}

// TextEnds is [StringEnds] that also marks bytes that are not ASCII.
func TextEnds(w uint64) uint64 {
	return ((w - ones*0x20) | ((w ^ ones*'"') - ones) | ((w ^ ones*'\\') - ones) | w) & highs
}

// mustEscape marks the bytes of w that encoding/json does not copy as they are: those of
// [StringEnds], <, >, & and bytes that are not ASCII. Only the lowest mark is exact. The quote and
// & differ in one bit, so one comparison finds both. So do < and >.
func mustEscape(w uint64) uint64 {
	return ((w - ones*0x20) | ((w | ones*4) ^ ones*'&' - ones) | ((w | ones*2) ^ ones*'>' - ones) |
		((w ^ ones*'\\') - ones) | w) & highs
}

// nonDigits marks, exactly, the bytes of w that are not ASCII digits.
func nonDigits(w uint64) uint64 {
	x := w ^ zeros8
	return (x | ((x & 0x7f7f7f7f7f7f7f7f) + 0x7676767676767676)) & highs
}

// eightDigits returns the number that the eight ASCII digits of w spell, the first of them in the
// lowest byte.
func eightDigits(w uint64) uint64 {
	w = twoDigits(w)
	const mask = 0x000000ff000000ff
	return ((w&mask)*(100+1000000<<32) + (w>>16&mask)*(1+10000<<32)) >> 32
}

// twoDigits returns in bytes 0, 2, 4 and 6 the numbers that the pairs of the eight ASCII digits of
// w spell.
func twoDigits(w uint64) uint64 {
	w -= zeros8
	return w*10 + w>>8
}

// spell8 is the inverse of [eightDigits] without the ASCII zeros: it returns the decimal digits of
// x < 1e8, one in each byte, the first in the lowest byte.
func spell8(x uint32) uint64 {
	hi := uint64(x) * 3518437209 >> 45 // x / 10000
	v := uint64(x)<<32 - hi*(10000<<32-1)
	hi = v * 10486 >> 20 & 0x7f_0000_007f // each half / 100
	v = v<<16 - hi*(100<<16-1)
	hi = v * 103 >> 10 & 0x000f_000f_000f_000f // each quarter / 10
	return v<<8 - hi*(10<<8-1)
}

// firstByte returns the index of the lowest marked byte, 8 if there is none.
func firstByte(marks uint64) int { return bits.TrailingZeros64(marks) >> 3 }

// shortWordSlow is shortWord by means of a copy, with zeros after the end of s.
func shortWordSlow(s string) uint64 {
	var b [8]byte
	copy(b[:], s)
	return Load64(b[:], 0)
}
