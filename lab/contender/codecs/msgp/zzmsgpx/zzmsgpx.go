//go:build ignore

// Package zzmsgpx has types for math/big and interfaces, with the methods that msgp's generated
// code calls.
package zzmsgpx

import (
	"cmp"
	"encoding/json"
	"errors"
	"iter"
	"math/big"
	"slices"

	"github.com/tinylib/msgp/msgp"
)

// BigInt is encoded as MessagePack's bin: a byte for the sign (0, or 1 for a negative number), and
// the big-endian magnitude.
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

// BigFloat is encoded as MessagePack's bin. Its bytes are the gob form of a big.Float, which keeps
// precision and rounding mode.
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

// BigRat is encoded as MessagePack's str, for example "3/4".
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

// The extension types for values inside interfaces.
const (
	extBigInt   = 16
	extBigFloat = 17
	extRawJSON  = 18
)

// Dyn is a value inside an interface. It does what msgp.AppendIntf and msgp.ReadIntfBytes do. In
// addition it handles *big.Int, *big.Float and raw JSON as extensions, and reads times as UTC.
type Dyn struct{ p *any }

// Any returns the interface as a Dyn.
func Any(p *any) Dyn { return Dyn{p} }

func (d Dyn) MarshalMsg(b []byte) ([]byte, error) { return appendAny(b, *d.p) }

func (d Dyn) UnmarshalMsg(b []byte) (rest []byte, err error) {
	*d.p, rest, err = readAny(b, 0)
	return rest, err
}

func (d Dyn) Msgsize() int { return msgp.GuessSize(*d.p) }

func appendAny(b []byte, v any) ([]byte, error) {
	var err error
	switch v := v.(type) {
	case map[string]any:
		b = msgp.AppendMapHeader(b, uint32(len(v)))
		for k, x := range v {
			b = msgp.AppendString(b, k)
			if b, err = appendAny(b, x); err != nil {
				return b, err
			}
		}
		return b, nil
	case []any:
		b = msgp.AppendArrayHeader(b, uint32(len(v)))
		for _, x := range v {
			if b, err = appendAny(b, x); err != nil {
				return b, err
			}
		}
		return b, nil
	case *big.Int:
		if v == nil {
			return msgp.AppendNil(b), nil
		}
		return msgp.AppendExtension(b, &msgp.RawExtension{Type: extBigInt, Data: appendInt(nil, v)})
	case *big.Float:
		if v == nil {
			return msgp.AppendNil(b), nil
		}
		data, err := v.GobEncode()
		if err != nil {
			return b, err
		}
		return msgp.AppendExtension(b, &msgp.RawExtension{Type: extBigFloat, Data: data})
	case json.RawMessage:
		return msgp.AppendExtension(b, &msgp.RawExtension{Type: extRawJSON, Data: v})
	}
	return msgp.AppendIntf(b, v)
}

const maxDepth = 10000

func readAny(b []byte, depth int) (any, []byte, error) {
	if depth > maxDepth {
		return nil, b, msgp.ErrRecursion
	}
	switch msgp.NextType(b) {
	case msgp.MapType:
		return readMap(b, depth)
	case msgp.ArrayType:
		return readList(b, depth)
	case msgp.TimeType:
		return msgp.ReadTimeUTCBytes(b)
	case msgp.ExtensionType:
		return readExtension(b)
	}
	return msgp.ReadIntfBytes(b)
}

func readMap(b []byte, depth int) (any, []byte, error) {
	n, b, err := msgp.ReadMapHeaderBytes(b)
	if err != nil {
		return nil, b, err
	}
	if int64(n)*2 > int64(len(b)) { // a key and a value take at least a byte each
		return nil, b, msgp.ErrShortBytes
	}
	m := make(map[string]any, n)
	for range n {
		var k string
		if k, b, err = msgp.ReadStringBytes(b); err != nil {
			return nil, b, err
		}
		if m[k], b, err = readAny(b, depth+1); err != nil {
			return nil, b, err
		}
	}
	return m, b, nil
}

func readList(b []byte, depth int) (any, []byte, error) {
	n, b, err := msgp.ReadArrayHeaderBytes(b)
	if err != nil {
		return nil, b, err
	}
	if int64(n) > int64(len(b)) {
		return nil, b, msgp.ErrShortBytes
	}
	l := make([]any, n)
	for i := range l {
		if l[i], b, err = readAny(b, depth+1); err != nil {
			return nil, b, err
		}
	}
	return l, b, nil
}

func readExtension(b []byte) (any, []byte, error) {
	v, rest, err := msgp.ReadIntfBytes(b)
	if err != nil {
		return nil, b, err
	}
	raw, ok := v.(*msgp.RawExtension)
	if !ok {
		return v, rest, nil
	}
	switch raw.Type {
	case extBigInt:
		x := new(big.Int)
		return x, rest, setInt(x, raw.Data)
	case extBigFloat:
		x := new(big.Float)
		return x, rest, x.GobDecode(raw.Data)
	case extRawJSON:
		return json.RawMessage(raw.Data), rest, nil
	}
	return raw, rest, nil
}

// Sorted ranges over a map in the order of its keys. Up to 16 keys are sorted on the stack.
func Sorted[M ~map[K]V, K cmp.Ordered, V any](m M) iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		var few [16]K
		keys := few[:0]
		for k := range m {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			if !yield(k, m[k]) {
				return
			}
		}
	}
}
