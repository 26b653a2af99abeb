package jsonwire

import (
	"math"
	"math/bits"
)

// shortest returns the decimal d * 10^k with the fewest digits that lies in the rounding interval
// of the binary c * 2^q; if there are several, the nearest to it. d may end in zeros. lower says
// that the interval is half as wide below (c is a power of two and q not the smallest exponent).
//
// This is Schubfach: Raffaello Giulietti, "The Schubfach way to render doubles",
// 2020. The reference is strconv; TestAppendFloat compares.
func shortest(c uint64, q int, lower bool) (d uint64, k int) {
	half := uint64(2) // of the interval's lower side, in quarters of an ulp
	if lower {
		half = 1
		k = floorLog10ThreeQuartersPow2(q)
	} else {
		k = floorLog10Pow2(q)
	}
	// Scale by 10^-k so that the interval, times four, has one or two integers divisible by four in
	// it. Round to odd, so that comparisons stay exact.
	g := pow10Table[-k-minPow10]
	if !exactPow10(-k) {
		g.lo++ // round up: TestPow10Table shows that there is room
	}
	h := uint(q+floorLog2Pow10(-k)+1) & 63
	cb := c << 2
	v := roundToOdd(g, cb<<h)
	lo := roundToOdd(g, (cb-half)<<h)
	hi := roundToOdd(g, (cb+2)<<h)
	if c&1 != 0 { // the ends do not round to an odd significand
		lo++
		hi--
	}
	s := v >> 2
	if s >= 10 {
		// Try one digit less: at most one multiple of ten fits.
		t := s / 10
		under := lo <= 40*t
		over := 40*t+40 <= hi
		if under != over {
			if over {
				t++
			}
			return t, k + 1
		}
	}
	under := lo <= 4*s
	over := 4*s+4 <= hi
	if under != over {
		if over {
			s++
		}
		return s, k
	}
	// Either both s and s+1 lie inside the interval, or neither does. Take the nearer one, on a tie
	// the even one.
	if mid := 4*s + 2; v > mid || v == mid && s&1 != 0 {
		s++
	}
	return s, k
}

// roundToOdd returns the upper 64 bits of g*c, with the lowest bit set if any bit below is set.
func roundToOdd(g uint128, c uint64) uint64 {
	x1, _ := bits.Mul64(g.lo, c)
	y1, y0 := bits.Mul64(g.hi, c)
	y0, carry := bits.Add64(y0, x1, 0)
	y1 += carry
	if y0 > 1 {
		y1 |= 1
	}
	return y1
}

// shortest64 is [shortest] for a finite f > 0.
//
// It multiplies once, shortest three times. The ends of a symmetric interval are half an ulp below
// and above the value, and half an ulp is a shifted power of ten. If the product's error could
// matter, it calls shortest. Victor Zverovich's zmij is built on the same idea. The reference is
// strconv (TestAppendFloat64); BenchmarkAppendFloat shows the gain.
func shortest64(f float64) (d uint64, k int) {
	b := math.Float64bits(f)
	sig, e := b&(1<<52-1), int(b>>52)
	if e == 0 {
		return shortest(sig, -1074, false)
	}
	q, c := e-1075, sig|1<<52
	if sig == 0 {
		return shortest(c, q, e > 1)
	}
	k = floorLog10Pow2(q)
	g := &pow10Table[-k-minPow10]
	sh := uint(q+floorLog2Pow10(-k)+1) & 63
	// The value as a whole number and 64 bits of fraction.
	x1, _ := bits.Mul64(g.lo, c<<sh)
	whole, frac := bits.Mul64(g.hi, c<<sh)
	frac, carry := bits.Add64(frac, x1, 0)
	whole += carry
	// The last digit and the fraction, in units of 2^-60, and half an ulp in the same units.
	digit := whole % 10
	rest := digit<<60 | frac>>4
	half := g.hi >> ((5 - sh) & 63)
	const ten, near = 10 << 60, 8
	up := rest + half
	if frac+near<<4-1<<63 < 2*near<<4 || rest-half+near < 2*near || ten-up+near < 2*near {
		return shortest(c, q, false)
	}
	// Take the multiple of ten below or above if it lies inside the interval. These are
	// assignments, not jumps, since nobody can predict which one it is.
	d = whole + frac>>63
	if rest < half {
		d = whole - digit
	}
	if up > ten {
		d = whole - digit + 10
	}
	return d, k
}

// shortest32 is [shortest] for a finite f > 0.
func shortest32(f float32) (uint64, int) {
	b := math.Float32bits(f)
	sig, e := b&(1<<23-1), int(b>>23)
	if e == 0 {
		return shortest(uint64(sig), -149, false)
	}
	return shortest(uint64(sig|1<<23), e-150, sig == 0 && e > 1)
}
