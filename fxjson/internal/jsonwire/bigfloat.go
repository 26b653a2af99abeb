package jsonwire

import (
	"math"
	"math/bits"
)

// AppendBinary appends the number m * 2^exp as big.Float prints it by format g: the shortest
// decimal that rounds to it among the numbers of prec bits. The top bit of m must be set, and 0 <
// prec <= 64. ok is false, and dst unchanged, if the value is outside of [1e-4, 1e6), where format
// g has no exponent, or if AppendBinary cannot prove that its decimal is the shortest.
//
// The candidate is the shortest decimal of the nearest float64. If it lies within the rounding
// interval, and its two neighbours with the same number of digits do not, no other decimal of that
// length or less lies there.
func AppendBinary(dst []byte, m uint64, exp int, prec uint) (_ []byte, ok bool) {
	f := math.Ldexp(float64(m), exp)
	sh := uint(-exp)
	if !(1e-4 <= f && f < 1e6) || exp >= 0 || sh > 127 || prec-1 > 63 {
		return dst, false
	}
	d, k := shortest64(f)
	for k < 0 {
		q := d / 10
		if q*10 != d {
			break
		}
		d = q
		k++
	}
	if k > 0 || k < -19 {
		return dst, false
	}
	// Scaled by 10^-k * 2^sh the value (v) is m * 10^-k, the candidate (c) d << sh, the distance of
	// its neighbours (s) 1 << sh, and the width of the interval (w) 10^-k << (64-prec).
	ten := pow10[-k]
	vhi, vlo := bits.Mul64(m, ten)
	chi, clo := shl(0, d, sh)
	whi, wlo := shl(0, ten, 64-prec)
	if h, l := shr(chi, clo, sh); h != 0 || l != d {
		return dst, false
	}
	if shi, slo := shl(0, 1, sh); shi < whi || shi == whi && slo <= wlo {
		return dst, false
	}
	dlo, borrow := bits.Sub64(vlo, clo, 0)
	dhi, borrow := bits.Sub64(vhi, chi, borrow)
	if borrow != 0 {
		dlo, borrow = bits.Sub64(0, dlo, 0)
		dhi, _ = bits.Sub64(0, dhi, borrow)
	}
	// Strictly inside: twice the distance is less than the width.
	if dhi>>63 != 0 {
		return dst, false
	}
	dhi, dlo = dhi<<1|dlo>>63, dlo<<1
	if dhi > whi || dhi == whi && dlo >= wlo {
		return dst, false
	}
	return appendDecimal(growFloat(dst), d, k), true
}

// shl shifts a 128-bit number to the left by n < 128 bits.
func shl(hi, lo uint64, n uint) (uint64, uint64) {
	if n >= 64 {
		return lo << (n - 64), 0
	}
	return hi<<n | lo>>(64-n), lo << n
}

// shr shifts a 128-bit number to the right by n < 128 bits.
func shr(hi, lo uint64, n uint) (uint64, uint64) {
	if n >= 64 {
		return 0, hi >> (n - 64)
	}
	return hi >> n, lo>>n | hi<<(64-n)
}
