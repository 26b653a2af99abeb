package jsonwire

import (
	"math/bits"
	"slices"
)

// AppendUint appends u in decimal. Like AppendInt it repeats the branches of [PutUint] and
// [PutInt], which the compiler does not inline: short numbers would pay for a second call.
func AppendUint(dst []byte, u uint64) []byte {
	n := len(dst)
	if cap(dst)-n < IntRoom {
		dst = slices.Grow(dst, IntRoom)
	}
	b := dst[:cap(dst)]
	if u >= 1e8 {
		return b[:putLong(b, n, u)]
	}
	return b[:putTop(b, n, uint32(u))]
}

// AppendInt appends v in decimal.
func AppendInt(dst []byte, v int64) []byte {
	n := len(dst)
	if cap(dst)-n < IntRoom {
		dst = slices.Grow(dst, IntRoom)
	}
	b := dst[:cap(dst)]
	if v < 0 {
		b[n] = '-'
		return b[:PutUint(b, n+1, -uint64(v))]
	}
	if v >= 1e8 {
		return b[:putLong(b, n, uint64(v))]
	}
	return b[:putTop(b, n, uint32(v))]
}

// IntRoom is the number of free bytes that [PutUint] and [PutInt] need: more than the longest
// number has, since they store words past its end.
const IntRoom = 32

// MaxInt is the length in bytes of the longest integer with a comma.
const MaxInt = 21

// PutInt writes what [AppendInt] appends to b at index n, where [IntRoom] bytes must be free. It
// returns the index after the number.
func PutInt(b []byte, n int, v int64) int {
	if v < 0 {
		b[n] = '-'
		n++
		v = -v
	}
	if uint64(v) >= 1e8 {
		return putLong(b, n, uint64(v))
	}
	return putTop(b, n, uint32(v))
}

// PutUint is [PutInt] for unsigned integers.
func PutUint(b []byte, n int, u uint64) int {
	if u < 1e8 {
		return putTop(b, n, uint32(u))
	}
	return putLong(b, n, u)
}

// putLong is PutUint for u >= 1e8.
func putLong(b []byte, n int, u uint64) int {
	hi := u / 1e8
	lo := spell8(uint32(u-hi*1e8)) | zeros8
	switch {
	case hi < 100: // identifiers often have nine digits, seconds since 1970 have ten
		tens := hi * 103 >> 10
		one := (hi - 10) >> 63 // 1 for one digit, 0 for two
		Store32(b, n, uint32(tens|(hi-tens*10)<<8|'0'<<8|'0')>>(8*one&31))
		n += 2 - int(one)
	case hi < 1e8:
		n = putTop(b, n, uint32(hi))
	default:
		top := hi / 1e8
		n = putTop(b, n, uint32(top))
		Store64(b, n, spell8(uint32(hi-top*1e8))|zeros8)
		n += 8
	}
	Store64(b, n, lo)
	return n + 8
}

// putTop writes x < 1e8 without leading zeros.
func putTop(b []byte, n int, x uint32) int {
	w := spell8(x)
	z := bits.TrailingZeros64(w|1<<56) &^ 7
	Store64(b, n, (w|zeros8)>>(z&63))
	return n + 8 - z>>3
}

// AppendWords appends in decimal the number that consists of the words w, the lowest first. It
// overwrites w with zeros.
func AppendWords(dst []byte, w []uint64) []byte {
	var room [16]uint64
	low := room[:0] // nineteen digits each
	for {
		for len(w) > 0 && w[len(w)-1] == 0 {
			w = w[:len(w)-1]
		}
		if len(w) <= 1 {
			break
		}
		rem := uint64(0)
		for i := len(w) - 1; i >= 0; i-- {
			w[i], rem = bits.Div64(rem, w[i], 1e19)
		}
		low = append(low, rem)
	}
	top := uint64(0)
	if len(w) == 1 {
		top, w[0] = w[0], 0
	}
	dst = AppendUint(dst, top)
	for i := len(low) - 1; i >= 0; i-- {
		x := low[i]
		h := x / 1e16
		x -= h * 1e16
		m := x / 1e8
		dst = append(dst, '0'+byte(h/100), '0'+byte(h/10%10), '0'+byte(h%10))
		dst = append8(append8(dst, uint32(m)), uint32(x-m*1e8))
	}
	return dst
}

// append8 appends x < 1e8 as eight digits.
func append8(dst []byte, x uint32) []byte { return appendWord(dst, spell8(x)|zeros8) }

// appendWord appends the eight bytes of w, lowest first.
func appendWord(dst []byte, w uint64) []byte {
	return append(dst, byte(w), byte(w>>8), byte(w>>16), byte(w>>24), byte(w>>32), byte(w>>40), byte(w>>48), byte(w>>56))
}

var pow10 = [...]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19}

// digits appends the decimal digits at i to the digits of m. It returns the new number, which is
// exact if it has at most 19 digits, and the index after them.
func digits(b []byte, i int, m uint64) (uint64, int) {
	for {
		w := Load64(b, i)
		non := nonDigits(w)
		if non == 0 {
			m = m*1e8 + eightDigits(w)
			i += 8
			continue
		}
		if k := firstByte(non); k != 0 {
			sh := uint(8*k) & 63
			m = m*pow10[k] + eightDigits(w<<(64-sh)|zeros8>>sh)
			i += k
		}
		return m, i
	}
}

// ParseUint reads the JSON number at i and returns it and the index after it. The index is negative
// unless the number is a uint64 as encoding/json accepts it: no sign, no fraction, no exponent. The
// document is padded.
func ParseUint(b []byte, i int) (uint64, int) {
	w := Load64(b, i)
	if k := firstByte(nonDigits(w)); 0 < k && k < 8 { // up to seven digits, all in one word
		if c := byte(w); c == '0' && k > 1 {
			return 0, -1
		}
		if x := byte(w >> (8 * uint(k) & 63)); x == '.' || x|0x20 == 'e' {
			return 0, -1
		}
		sh := 8 * uint(k) & 63
		return eightDigits(w<<(64-sh) | zeros8>>sh), i + k
	}
	return parseUint(b, i)
}

// parseUint is [ParseUint] for numbers of any length.
func parseUint(b []byte, i int) (uint64, int) {
	c := Load8(b, i) - '0'
	if c > 9 {
		return 0, -1
	}
	m, e := uint64(c), i+1
	if Load8(b, e)-'0' <= 9 {
		if c == 0 {
			return 0, -1
		}
		m, e = digits(b, e, m)
		if e-i > 19 && (e-i > 20 || !fits20(b, i, m)) {
			return 0, -1
		}
	}
	if x := Load8(b, e); x == '.' || x|0x20 == 'e' {
		return 0, -1
	}
	return m, e
}

// fits20 reports whether the twenty digits at i, whose value modulo 1<<64 is m, fit a uint64.
func fits20(b []byte, i int, m uint64) bool {
	return Load8(b, i) == '1' && m >= 1e19
}

// ParseInt is [ParseUint] for the type int64, with a minus sign allowed.
func ParseInt(b []byte, i int) (int64, int) {
	if Load8(b, i) == '-' {
		u, e := ParseUint(b, i+1)
		if u > 1<<63 {
			return 0, -1
		}
		return -int64(u), e
	}
	u, e := ParseUint(b, i)
	if u > 1<<63-1 {
		return 0, -1
	}
	return int64(u), e
}
