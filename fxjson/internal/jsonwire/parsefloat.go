package jsonwire

import (
	"math"
	"math/bits"
	"strconv"
)

// NOTE: There are three ways to round a number, and the first that applies is used. A number with
// few digits and a small exponent consists of two exact floats, so one division or multiplication
// rounds correctly. Up to nineteen digits fit a word, which eiselLemire multiplies by a power of
// ten from a table; it reports when the table is not precise enough. All other numbers go to
// strconv, which is exact and slow.

// ParseFloat64 reads the JSON number at i and returns the nearest float64 and
// the index after the number. The index is negative if there is no number or
// the value is out of range. The document is padded.
//
// One pass finds the decimal and its exponent. A number of few digits is rounded here, others by
// [eiselLemire]. strconv decides the few cases that remain (more than 19 digits, ties).
// [scanDecimal] is the same pass, shorter but slower (BenchmarkParseFloat).
func ParseFloat64(b []byte, i int) (float64, int) {
	start := i
	neg := Load8(b, i) == '-'
	if neg {
		i++
	}
	first := i
	c := Load8(b, i) - '0'
	if c > 9 {
		return 0, -1
	}
	m := uint64(c)
	i++
	if x := Load8(b, i) - '0'; x <= 9 {
		if c == 0 {
			return 0, -1
		}
		m = m*10 + uint64(x)
		if i++; Load8(b, i)-'0' <= 9 {
			m, i = digits(b, i, m)
		}
	}
	nd, k := i-first, 0
	if Load8(b, i) == '.' {
		i++
		frac := i
		w := Load64(b, i)
		non := nonDigits(w)
		if non == 0 {
			m = m*1e8 + eightDigits(w)
			i += 8
			w = Load64(b, i)
			if non = nonDigits(w); non == 0 {
				m = m*1e8 + eightDigits(w)
				i += 8
				w = Load64(b, i)
				if non = nonDigits(w); non == 0 {
					return parseFloat64(b, start)
				}
			}
		}
		if x := firstByte(non); x != 0 {
			sh := uint(8*x) & 63
			m = m*pow10[x&7] + eightDigits(w<<(64-sh)|zeros8>>sh)
			i += x
		}
		if i == frac {
			return 0, -1
		}
		k = frac - i
		nd -= k
	}
	if nd > 19 || Load8(b, i)|0x20 == 'e' {
		return parseFloat64(b, start)
	}
	var f float64
	switch {
	case m>>53 == 0 && k >= -22: // see nearest
		f = float64(m)
		if k != 0 {
			f /= tens[-k]
		}
	default:
		var ok bool
		if f, ok = eiselLemire(m, k); !ok {
			return parseFloat64(b, start)
		}
	}
	if neg {
		f = -f
	}
	return f, i
}

// parseFloat64 is [ParseFloat64] for all numbers, also with exponents and many digits.
func parseFloat64(b []byte, i int) (float64, int) {
	dec, e := scanDecimal(b, i)
	if e < 0 {
		return 0, -1
	}
	if dec.exact {
		if f, ok := nearest(dec.m, dec.k); ok {
			if dec.neg {
				f = -f
			}
			return f, e
		}
	}
	f, err := strconv.ParseFloat(AliasString(b, i, e), 64)
	if err != nil {
		return 0, -1
	}
	return f, e
}

// ParseFloat32 is [ParseFloat64] for the nearest float32.
func ParseFloat32(b []byte, i int) (float32, int) {
	dec, e := scanDecimal(b, i)
	if e < 0 {
		return 0, -1
	}
	if dec.exact && dec.m < 1<<24 && -10 <= dec.k && dec.k <= 10 {
		// Both operands are exact, so one rounding decides.
		f := float32(dec.m)
		if dec.k < 0 {
			f /= float32(tens[-dec.k])
		} else {
			f *= float32(tens[dec.k])
		}
		if dec.neg {
			f = -f
		}
		return f, e
	}
	f, err := strconv.ParseFloat(AliasString(b, i, e), 32)
	if err != nil {
		return 0, -1
	}
	return float32(f), e
}

// decimal is a number read but not rounded: m * 10^k.
type decimal struct {
	m     uint64
	k     int
	neg   bool
	exact bool // m holds all digits
}

// scanDecimal reads the JSON number at i and returns it and the index after it. The index is
// negative if the grammar is violated.
func scanDecimal(b []byte, i int) (dec decimal, end int) {
	if Load8(b, i) == '-' {
		dec.neg = true
		i++
	}
	start := i
	c := Load8(b, i) - '0'
	if c > 9 {
		return dec, -1
	}
	m := uint64(c)
	i++
	if Load8(b, i)-'0' <= 9 {
		if c == 0 {
			return dec, -1
		}
		m, i = digits(b, i, m)
	}
	nd := i - start
	if Load8(b, i) == '.' {
		frac := i + 1
		m, i = digits(b, frac, m)
		if i == frac {
			return dec, -1
		}
		dec.k = frac - i
		nd += i - frac
		if nd > 19 && c == 0 { // leading zeros do not count
			for nd--; Load8(b, frac) == '0'; frac++ {
				nd--
			}
		}
	}
	if Load8(b, i)|0x20 == 'e' {
		i++
		sign := Load8(b, i)
		if sign == '-' || sign == '+' {
			i++
		}
		first := i
		x := 0
		for ; Load8(b, i)-'0' <= 9; i++ {
			if x < 1<<20 {
				x = x*10 + int(Load8(b, i)-'0')
			}
		}
		if i == first {
			return dec, -1
		}
		if sign == '-' {
			x = -x
		}
		dec.k += x
	}
	dec.m = m
	dec.exact = nd <= 19
	return dec, i
}

var tens = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
	1e19, 1e20, 1e21, 1e22}

// nearest rounds m * 10^k to the nearest float64, half to even. ok is false if it cannot tell, or
// if the result is infinite.
func nearest(m uint64, k int) (f float64, ok bool) {
	if m>>53 == 0 && -22 <= k && k <= 22 {
		// Both operands are exact, so one rounding decides (Clinger, 1990).
		if k < 0 {
			return float64(m) / tens[-k], true
		}
		return float64(m) * tens[k], true
	}
	if m == 0 {
		return 0, true
	}
	if k < minPow10 || k > 288 {
		return 0, false
	}
	return eiselLemire(m, k)
}

// eiselLemire rounds m * 10^k to the nearest float64. It multiplies by a 128-bit power of ten, and
// returns false if the bits that were cut off could matter: Daniel Lemire, "Number Parsing at a
// Gigabyte per Second", 2021, section 5.
func eiselLemire(m uint64, k int) (f float64, ok bool) {
	lz := bits.LeadingZeros64(m)
	m <<= uint(lz)
	g := &pow10Table[k-minPow10]
	hi, lo := bits.Mul64(m, g.hi)
	const below = 1<<9 - 1 // the bits below the rounding bit, if the top bit is set
	if hi&below == below && lo+m < m {
		// The error may carry up to the rounding bit: use the low word too.
		yhi, ylo := bits.Mul64(m, g.lo)
		var carry uint64
		lo, carry = bits.Add64(lo, yhi, 0)
		hi += carry
		if hi&below == below && lo+1 == 0 && ylo+m < m {
			return 0, false
		}
	}
	top := hi >> 63
	sig := hi >> (top + 9) // 54 bits: the significand and a rounding bit
	if lo == 0 && hi&below == 0 && sig&3 == 1 {
		return 0, false // a tie, or nearly
	}
	exp := floorLog2Pow10(k) + 64 - lz - int(1^top)
	if exp <= -1023 {
		return subnormal(sig, exp), true
	}
	sig = (sig + sig&1) >> 1
	if sig>>53 != 0 {
		sig >>= 1
		exp++
	}
	e := uint64(exp + 1023)
	if e >= 0x7ff { // infinite
		return 0, false
	}
	return math.Float64frombits(e<<52 | sig&(1<<52-1)), true
}

// subnormal rounds sig * 2^(exp-53) to a multiple of 2^-1074. Bits below the last bit of sig may
// have been cut off. A tie is impossible, since a power of ten so small has more factors of 5 than
// sig can have. So the first bit that is dropped decides.
func subnormal(sig uint64, exp int) float64 {
	sig >>= uint(-1022 - exp)
	return math.Float64frombits((sig + sig&1) >> 1)
}
