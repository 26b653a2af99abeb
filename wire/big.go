package wire

import (
	"math/big"
	"math/bits"
)

// Limits of big.Float. Without them a few hostile bytes could make a number whose first use takes
// gigabytes. Marshal refuses larger numbers too.
const (
	MaxPrec = 1 << 16 // bits of precision
	MaxExp  = 1 << 16 // of the binary exponent, positive or negative
)

// AppendBigInt appends a sign byte (1 for negative) and the magnitude: big-endian, without leading
// zero bytes. x must not be nil.
func AppendBigInt(b []byte, x *big.Int) []byte {
	n := (x.BitLen() + 7) / 8
	s := len(b)
	b = Extend(b, 1+n)
	PutBool(b[s:], x.Sign() < 0)
	x.FillBytes(b[s+1:])
	return b
}

// ParseBigInt reads a number that [AppendBigInt] wrote.
func ParseBigInt(b []byte) (*big.Int, Code) {
	if c := checkBigInt(b); c != OK {
		return nil, c
	}
	x := new(big.Int).SetBytes(b[1:])
	if b[0] == 1 {
		x.Neg(x)
	}
	return x, OK
}

func checkBigInt(b []byte) Code {
	switch {
	case len(b) == 0:
		return ErrLength
	case b[0] > 1 || b[0] == 1 && len(b) == 1:
		return ErrDomain
	case len(b) > 1 && b[1] == 0:
		return ErrNotMinimal
	}
	return OK
}

// The form byte of a big.Float: mode in bits 0-2, form in 3-4, sign in 5.
const (
	floatZero   = 0 << 3
	floatFinite = 1 << 3
	floatInf    = 2 << 3
	floatNeg    = 1 << 5
	floatHead   = 9
)

// AppendBigFloat appends x as u32 precision, the form byte, i32 exponent and mantissa. The mantissa
// is big-endian; its top bit is set, and it has no zero bytes at the end. The value is 0.mantissa ×
// 2^exponent. x must not be nil.
func AppendBigFloat(b []byte, x *big.Float) ([]byte, *Error) {
	form, exp := byte(x.Mode())&7, 0
	if x.Signbit() {
		form |= floatNeg
	}
	var mant big.Float
	switch {
	case x.IsInf():
		form |= floatInf
	case x.Sign() != 0:
		form |= floatFinite
		exp = x.MantExp(&mant)
	}
	if x.Prec() > MaxPrec || exp > MaxExp || exp < -MaxExp {
		return b, Fail(ErrDomain, 0)
	}
	s := len(b)
	b = Extend(b, floatHead)
	PutU32(b[s:], uint32(x.Prec()))
	b[s+4] = form
	PutU32(b[s+5:], uint32(int32(exp)))
	if form>>3&3 != floatFinite>>3 {
		return b, nil
	}
	return appendMantissa(b, &mant), nil
}

// appendMantissa appends the mantissa of m, whose absolute value is in [0.5, 1).
func appendMantissa(b []byte, m *big.Float) []byte {
	m.Abs(m)
	if m.MinPrec() <= 64 {
		u, _ := m.SetMantExp(m, 64).Uint64()
		for ; u != 0; u <<= 8 {
			b = append(b, byte(u>>56))
		}
		return b
	}
	n := (int(m.MinPrec()) + 7) / 8
	i, _ := m.SetMantExp(m, 8*n).Int(nil)
	s := len(b)
	b = Extend(b, n)
	i.FillBytes(b[s:])
	return b
}

// ParseBigFloat reads a number that [AppendBigFloat] wrote.
func ParseBigFloat(b []byte) (*big.Float, Code) {
	if c := checkBigFloat(b); c != OK {
		return nil, c
	}
	form, m := b[4], b[floatHead:]
	x := new(big.Float).SetPrec(uint(U32(b))).SetMode(big.RoundingMode(form & 7))
	switch form >> 3 & 3 {
	case floatInf >> 3:
		x.SetInf(form&floatNeg != 0)
		return x, OK
	case floatFinite >> 3:
		setMantissa(x, m)
		x.SetMantExp(x, int(int32(U32(b[5:])))-8*len(m))
	}
	if form&floatNeg != 0 {
		x.Neg(x)
	}
	return x, OK
}

func setMantissa(x *big.Float, m []byte) {
	if len(m) > 8 {
		x.SetInt(new(big.Int).SetBytes(m))
		return
	}
	u := uint64(0)
	for _, c := range m {
		u = u<<8 | uint64(c)
	}
	x.SetUint64(u)
}

func checkBigFloat(b []byte) Code {
	if len(b) < floatHead {
		return ErrLength
	}
	prec, form, exp, m := U32(b), b[4], int32(U32(b[5:])), b[floatHead:]
	if prec > MaxPrec || exp > MaxExp || exp < -MaxExp || form>>6 != 0 || form&7 > byte(big.ToPositiveInf) {
		return ErrDomain
	}
	if form>>3&3 != floatFinite>>3 {
		if form>>3&3 > floatInf>>3 || exp != 0 || len(m) != 0 {
			return ErrDomain
		}
		return OK
	}
	if len(m) == 0 || m[0] < 0x80 || m[len(m)-1] == 0 {
		return ErrNotMinimal
	}
	if used := 8*len(m) - bits.TrailingZeros8(m[len(m)-1]); used > int(prec) {
		return ErrDomain
	}
	return OK
}

// IsZeroFloat reports whether x is the zero value of big.Float: +0 with precision 0 and the
// rounding mode ToNearestEven.
func IsZeroFloat(x *big.Float) bool {
	return x.Prec() == 0 && x.Mode() == 0 && x.Sign() == 0 && !x.Signbit()
}
