package jsonwire

import (
	"math"
	"math/bits"
	"slices"
	"strconv"
)

// MaxFloat is the length in bytes of the longest number of type float64.
const MaxFloat = 25

// AppendFloat64 appends a finite f as encoding/json prints it: the shortest digits that read back
// as f, with an exponent below 1e-6 and from 1e21 on.
func AppendFloat64(dst []byte, f float64) []byte {
	dst = growFloat(dst)
	if g := math.Abs(f); g < 1e6 {
		// Numbers that people write have up to six decimals: if x/1e6 rounds to g, no other decimal
		// of up to 15 digits does (DBL_DIG). Long lists call PutFloat64, which does not try this:
		// their numbers are mostly computed and have all digits (BenchmarkAppendFloat).
		p := g * 1e6
		x := float64(int64(p + 0.5))
		if math.Abs(p-x) < 1e-3 && x/1e6 == g {
			return appendMillionths(dst, uint64(int64(x)), math.Signbit(f))
		}
	}
	return dst[:PutFloat64(dst[:cap(dst)], len(dst), f)]
}

// appendMillionths appends d/1e6, d < 1e12, with a minus sign if neg.
func appendMillionths(dst []byte, d uint64, neg bool) []byte {
	n := len(dst)
	b := dst[:cap(dst)]
	if neg {
		b[n] = '-'
		n++
	}
	q := d / 1e6
	w := spell8(uint32(d - q*1e6))
	n = putTop(b, n, uint32(q))
	if w == 0 {
		return b[:n]
	}
	Store64(b, n, (w|zeros8)>>16<<8|'.')
	return b[:n+7-bits.LeadingZeros64(w)>>3]
}

// FloatRoom is the number of free bytes that [PutFloat64] needs: more than the longest number has,
// since it stores words past its end.
const FloatRoom = 64

// PutFloat64 writes what [AppendFloat64] appends to b at index n, where [FloatRoom] bytes must be
// free. It returns the index after the number.
func PutFloat64(b []byte, n int, f float64) int {
	x := math.Float64bits(f)
	if x>>63 != 0 {
		b[n] = '-'
		n++
		f = -f
	}
	if f < 1<<53 && float64(int64(f)) == f {
		return PutUint(b, n, uint64(f))
	}
	d, k := shortest64(f)
	if d < 1e15 {
		return len(appendDecimal(b[:n], d, k))
	}
	// Sixteen or seventeen digits, as computed numbers have.
	h := d / 1e8
	top := h / 1e8
	w0, w1 := spell8(uint32(h-top*1e8)), spell8(uint32(d-h*1e8))
	nd := 16 - bits.LeadingZeros64(w1)>>3
	if w1 == 0 {
		nd = 8 - bits.LeadingZeros64(w0)>>3
	}
	w0 |= zeros8
	w1 |= zeros8
	more := int(-top >> 63) // 1 for seventeen digits; no branch, which nobody could predict
	nd += more
	point := 16 + k + more
	if point > -6 && point <= 0 { // 0.000ddd
		Store64(b, n, zeros8&^0xff00|'.'<<8)
		n += 2 - point
		b[n] = '0' + byte(top) // overwritten if there is no such digit
		Store64(b, n+more, w0)
		Store64(b, n+more+8, w1)
		return n + nd
	}
	if point > 0 && point < 8 && point < nd { // d.ddd
		Store64(b, n+1+more, w0)
		Store64(b, n+9+more, w1)
		head := w0<<(8*uint(more)&63) | '0' | top // the first eight digits
		sh := uint(8*point) & 63
		mask := uint64(1)<<sh - 1
		Store64(b, n, head&mask|'.'<<sh|head&^mask<<8)
		return n + nd + 1
	}
	return len(appendDecimal(b[:n], d, k))
}

// putPoint writes seventeen digits at n. The decimal point comes after the first point digits;
// point < 8.
func putPoint(b []byte, n int, w0, w1, w2 uint64, point int) {
	sh := uint(8*point) & 63
	mask := uint64(1)<<sh - 1
	Store64(b, n+9, w1)
	b[n+17] = byte(w2)
	b[n+8] = byte(w0 >> 56)
	Store64(b, n, w0&mask|'.'<<sh|w0&^mask<<8)
}

// AppendFloat32 is [AppendFloat64] with the shortest digits that read back as the same float32.
func AppendFloat32(dst []byte, f float32) []byte {
	dst = growFloat(dst)
	if math.Signbit(float64(f)) {
		dst = append(dst, '-')
		f = -f
	}
	if f < 1<<24 && float32(int64(f)) == f {
		return AppendUint(dst, uint64(f))
	}
	if f == 1.0/4096 {
		// For this one float32, two decimals of eight digits are equally near, and the rounding
		// interval is shorter below. Let the toolchain's strconv choose.
		return strconv.AppendFloat(dst, float64(f), 'f', -1, 32)
	}
	d, k := shortest32(f)
	return appendDecimal(dst, d, k)
}

// growFloat makes room for one number.
func growFloat(dst []byte) []byte { return slices.Grow(dst, FloatRoom) }

// appendDecimal appends d * 10^k, 0 < d < 1e17, in the notation of ECMAScript. It stores words of
// digits directly at their places in dst, which must have room for them.
func appendDecimal(dst []byte, d uint64, k int) []byte {
	// Left-align the digits in sixteen or seventeen places: top, then two words.
	nd := decimalLen(d)
	var top byte
	if nd == 17 {
		t := d / 1e16
		d -= t * 1e16
		top = byte(t)
	} else {
		d *= pow10[16-nd]
	}
	hi := d / 1e8
	w0, w1 := spell8(uint32(hi)), spell8(uint32(d-hi*1e8))
	point := nd + k // digits before the decimal point
	n := 16 - bits.LeadingZeros64(w1)>>3
	if w1 == 0 {
		n = 8 - bits.LeadingZeros64(w0)>>3
	}
	w0 |= zeros8
	w1 |= zeros8
	w2 := uint64(0)
	if nd == 17 {
		n++
		w2 = w1 >> 56
		w1 = w1<<8 | w0>>56
		w0 = w0<<8 | uint64('0'+top)
	}

	at := len(dst)
	b := dst[:at+FloatRoom-1]
	switch {
	case point > 21 || point <= -6:
		return appendExponent(b, at, w0, w1, w2, n, point-1)
	case point <= 0: // 0.000ddd
		Store64(b, at, zeros8&^0xff00|'.'<<8)
		put17(b, at+2-point, w0, w1, w2)
		return b[:at+2-point+n]
	case point >= n: // ddd000
		put17(b, at, w0, w1, w2)
		for i := n; i < point; i++ {
			b[at+i] = '0'
		}
		return b[:at+point]
	case point < 8: // d.ddd, the point within the first word
		putPoint(b, at, w0, w1, w2, point)
		return b[:at+n+1]
	default:
		put17(b, at, w0, w1, w2)
		copy(b[at+point+1:at+n+1], b[at+point:at+n])
		b[at+point] = '.'
		return b[:at+n+1]
	}
}

// put17 writes seventeen digits at i.
func put17(b []byte, i int, w0, w1, w2 uint64) {
	Store64(b, i, w0)
	Store64(b, i+8, w1)
	b[i+16] = byte(w2)
}

// appendExponent writes n digits as d.ddde±x.
func appendExponent(b []byte, at int, w0, w1, w2 uint64, n, x int) []byte {
	put17(b, at+1, w0, w1, w2)
	b[at] = byte(w0)
	end := at + 1
	if n > 1 {
		b[at+1] = '.'
		end = at + 1 + n
	}
	b[end] = 'e'
	b[end+1] = '+'
	if x < 0 {
		b[end+1] = '-'
		x = -x
	}
	return AppendUint(b[:end+2], uint64(x))
}

// decimalLen returns the number of decimal digits of 0 < d < 1e17.
func decimalLen(d uint64) int {
	n := bits.Len64(d) * 1233 >> 12
	if d >= pow10[n] {
		n++
	}
	return n
}
