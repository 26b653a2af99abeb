//go:build ignore

package pb

import "math/big"

func ZZToBigInt(m *BigInt, v *big.Int) error {
	m.Negative, m.Magnitude = v.Sign() < 0, v.Bytes()
	return nil
}

func ZZFromBigInt(v *big.Int, m *BigInt) error {
	v.SetBytes(m.GetMagnitude())
	if m.GetNegative() {
		v.Neg(v)
	}
	return nil
}
