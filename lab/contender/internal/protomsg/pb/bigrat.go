//go:build ignore

package pb

import "math/big"

func ZZToBigRat(m *BigRat, v *big.Rat) error {
	m.Numerator = new(BigInt)
	if err := ZZToBigInt(m.Numerator, v.Num()); err != nil || v.IsInt() {
		return err
	}
	m.Denominator = new(BigInt)
	return ZZToBigInt(m.Denominator, v.Denom())
}

func ZZFromBigRat(v *big.Rat, m *BigRat) error {
	var num, denom big.Int
	ZZFromBigInt(&num, m.GetNumerator())
	ZZFromBigInt(&denom, m.GetDenominator())
	if denom.Sign() == 0 {
		denom.SetInt64(1)
	}
	v.SetFrac(&num, &denom)
	return nil
}
