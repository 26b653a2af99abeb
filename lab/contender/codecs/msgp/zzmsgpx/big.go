//go:build ignore

// Package zzmsgpx has types for math/big and interfaces, with the methods that msgp's generated
// code calls.
package zzmsgpx

import (
	"errors"
	"math/big"

	"github.com/tinylib/msgp/msgp"
)

// BigInt is encoded as bin: a byte for the sign, 0 or 1, and the big-endian magnitude.
type BigInt big.Int

func (z *BigInt) MarshalMsg(b []byte) ([]byte, error) {
	x := (*big.Int)(z)
	n := (x.BitLen() + 7) / 8
	b = msgp.AppendBytesHeader(b, uint32(n+1))
	return appendInt(b, x), nil
}

func (z *BigInt) UnmarshalMsg(b []byte) ([]byte, error) {
	data, rest, err := msgp.ReadBytesZC(b)
	if err != nil {
		return b, err
	}
	return rest, setInt((*big.Int)(z), data)
}

func (z *BigInt) Msgsize() int { return msgp.BytesPrefixSize + 1 + len((*big.Int)(z).Bits())*8 }

func appendInt(b []byte, x *big.Int) []byte {
	var sign byte
	if x.Sign() < 0 {
		sign = 1
	}
	b = append(b, sign)
	at, n := len(b), (x.BitLen()+7)/8
	b = append(b, make([]byte, n)...)
	x.FillBytes(b[at:])
	return b
}

func setInt(x *big.Int, data []byte) error {
	if len(data) == 0 || data[0] > 1 {
		return errors.New("msgp: not a big integer")
	}
	x.SetBytes(data[1:])
	if data[0] == 1 {
		x.Neg(x)
	}
	return nil
}

// BigFloat is encoded as bin: the gob form of a big.Float, which keeps precision and mode.
type BigFloat big.Float

func (z *BigFloat) MarshalMsg(b []byte) ([]byte, error) {
	data, err := (*big.Float)(z).GobEncode()
	if err != nil {
		return b, err
	}
	return msgp.AppendBytes(b, data), nil
}

func (z *BigFloat) UnmarshalMsg(b []byte) ([]byte, error) {
	data, rest, err := msgp.ReadBytesZC(b)
	if err != nil {
		return b, err
	}
	*z = BigFloat{} // GobDecode rounds to a precision that is already set
	return rest, (*big.Float)(z).GobDecode(data)
}

func (z *BigFloat) Msgsize() int {
	return msgp.BytesPrefixSize + 10 + int((*big.Float)(z).Prec()/8) + 8
}

// BigRat is encoded as str: 3/4.
type BigRat big.Rat

func (z *BigRat) MarshalMsg(b []byte) ([]byte, error) {
	return msgp.AppendString(b, (*big.Rat)(z).RatString()), nil
}

func (z *BigRat) UnmarshalMsg(b []byte) ([]byte, error) {
	s, rest, err := msgp.ReadStringBytes(b)
	if err != nil {
		return b, err
	}
	if _, ok := (*big.Rat)(z).SetString(s); !ok {
		return b, errors.New("msgp: not a fraction")
	}
	return rest, nil
}

func (z *BigRat) Msgsize() int {
	x := (*big.Rat)(z)
	return msgp.StringPrefixSize + (x.Num().BitLen()+x.Denom().BitLen())/3 + 4
}
