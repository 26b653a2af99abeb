//go:build ignore

package pb

import (
	"encoding/binary"
	"fmt"
	"math/big"
)

// The gob form of a big.Float has these parts: version 1; a byte with mode, accuracy, form and
// sign; precision, exponent and mantissa. Reading them costs one allocation; MantExp and Int would
// take four.
const bigFloatVersion = 1

func ZZToBigFloat(m *BigFloat, v *big.Float) error {
	b, err := v.GobEncode()
	if err != nil {
		return err
	}
	if len(b) < 6 || b[0] != bigFloatVersion {
		return fmt.Errorf("protobuf: unknown gob form of big.Float")
	}
	f := b[1]
	m.Mode = uint32(f >> 5 & 7)
	m.Accuracy = int32(f>>3&3) - 1
	m.Form = BigFloat_Form(f >> 1 & 3)
	m.Negative = f&1 != 0
	m.Precision = binary.BigEndian.Uint32(b[2:])
	if m.Form == BigFloat_FINITE {
		m.Exponent = int32(binary.BigEndian.Uint32(b[6:]))
		m.Mantissa = b[10:]
	}
	return nil
}

func ZZFromBigFloat(v *big.Float, m *BigFloat) error {
	if m == nil || m.Precision == 0 && m.Form == BigFloat_ZERO {
		*v = *new(big.Float).SetMode(big.RoundingMode(m.GetMode()))
		if m.GetNegative() {
			v.Neg(v)
		}
		return nil
	}
	if m.Mode > uint32(big.ToPositiveInf) || m.Form > BigFloat_INFINITE || m.Form < 0 {
		return fmt.Errorf("protobuf: BigFloat with mode %d, form %d", m.Mode, m.Form)
	}
	b := make([]byte, 10, 10+len(m.Mantissa))
	b[0] = bigFloatVersion
	b[1] = byte(m.Mode&7)<<5 | byte((m.Accuracy+1)&3)<<3 | byte(m.Form&3)<<1
	if m.Negative {
		b[1] |= 1
	}
	binary.BigEndian.PutUint32(b[2:], m.Precision)
	if m.Form != BigFloat_FINITE {
		return v.GobDecode(b[:6])
	}
	binary.BigEndian.PutUint32(b[6:], uint32(m.Exponent))
	*v = big.Float{} // GobDecode rounds to a precision that is already set
	return v.GobDecode(append(b, m.Mantissa...))
}
