package jsonrt

import (
	"math/big"
	"math/bits"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// bigInt appends x as its method MarshalJSON spells it. The method itself would allocate.
func (e *Enc) bigInt(b []byte, x *big.Int) []byte {
	if x == nil {
		return append(b, "null"...)
	}
	if x.IsInt64() {
		return jsonwire.AppendInt(b, x.Int64())
	}
	var room [8]uint64
	words := x.Bits()
	if bits.UintSize != 64 || len(words) > len(room) {
		return x.Append(b, 10)
	}
	for i, w := range words {
		room[i] = uint64(w)
	}
	if x.Sign() < 0 {
		b = append(b, '-')
	}
	return jsonwire.AppendWords(b, room[:len(words)])
}

// bigFloat appends x, quoted, as its method MarshalText spells it. Numbers of at most 64 bits of
// precision between 1e-4 and 1e6, as most prices are, have a faster path (BenchmarkBigFloat).
func (e *Enc) bigFloat(b []byte, x *big.Float) []byte {
	if x == nil {
		return append(b, "null"...)
	}
	b = append(b, '"')
	if exp := x.MantExp(nil); x.Prec() <= 64 && -64 <= exp && exp <= 64 && x.Sign() != 0 && !x.IsInf() {
		// The scratch keeps its memory: an Enc is used again and again.
		m, _ := e.big.SetPrec(0).SetMantExp(x, 64-exp).Abs(&e.big).Uint64()
		n := len(b)
		if x.Sign() < 0 {
			b = append(b, '-')
		}
		if out, ok := jsonwire.AppendBinary(b, m, exp-64, x.Prec()); ok {
			return append(out, '"')
		}
		b = b[:n]
	}
	return append(x.Append(b, 'g', -1), '"')
}
