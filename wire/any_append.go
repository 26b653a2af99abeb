package wire

import (
	"encoding/json"
	"math"
	"math/big"
	"time"
)

// NOTE: Types are tested in several small switches, the most frequent types first: AppendAny,
// integer, appendOther, appendTyped. An integer is written in the smallest kind that holds it,
// whatever its Go type was, so that equal numbers have equal bytes.

// AppendAny appends v as the content of a slot; nil has no content. left is the number of levels
// that may still be entered, v's included. The types that JSON has are tested first, with one
// comparison each; one large switch would search a table.
func AppendAny(e *Encoder, b []byte, v any, left int) ([]byte, *Error) {
	if v == nil {
		return b, nil
	}
	if left <= 0 {
		return b, Fail(ErrDepth, 0)
	}
	if s, ok := v.(string); ok {
		n := len(b)
		b = Extend(b, 1+len(s))
		b[n] = KindString
		if !PutString(b[n+1:], s) {
			return b, Fail(ErrUTF8, 0)
		}
		return b, nil
	}
	if f, ok := v.(float64); ok {
		return append64(b, KindFloat64, math.Float64bits(f)), nil
	}
	if i, ok := v.(int); ok {
		return appendInt(b, int64(i)), nil
	}
	if t, ok := v.(bool); ok {
		if t {
			return append(b, KindTrue), nil
		}
		return append(b, KindFalse), nil
	}
	switch v := v.(type) {
	case map[string]any:
		return AppendAnyMap(e, append(b, KindMap), v, left-1)
	case []any:
		return AppendAnyList(e, append(b, KindList), v, left-1)
	}
	if i, ok := integer(v); ok {
		return appendInt(b, i), nil
	}
	return appendOther(e, b, v, left)
}

// integer returns the value of v if it is an integer that int64 can hold.
func integer(v any) (int64, bool) {
	switch v := v.(type) {
	case int:
		return int64(v), true
	case int64:
		return v, true
	case int32:
		return int64(v), true
	case int16:
		return int64(v), true
	case int8:
		return int64(v), true
	case uint8:
		return int64(v), true
	case uint16:
		return int64(v), true
	case uint32:
		return int64(v), true
	case uint:
		return int64(v), uint64(v) <= math.MaxInt64
	case uint64:
		return int64(v), v <= math.MaxInt64
	case uintptr:
		return int64(v), uint64(v) <= math.MaxInt64
	}
	return 0, false
}

func appendInt(b []byte, v int64) []byte {
	switch {
	case v == int64(int8(v)):
		return append(b, KindInt8, byte(v))
	case v == int64(int16(v)):
		return append(b, KindInt16, byte(v), byte(v>>8))
	case v == int64(int32(v)):
		return append32(b, KindInt32, uint32(v))
	}
	return append64(b, KindInt64, uint64(v))
}

func append32(b []byte, kind byte, v uint32) []byte {
	return append(b, kind, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
}

func append64(b []byte, kind byte, v uint64) []byte {
	n := len(b)
	b = Extend(b, 9)
	b[n] = kind
	PutU64(b[n+1:], v)
	return b
}

func appendOther(e *Encoder, b []byte, v any, left int) ([]byte, *Error) {
	switch v := v.(type) {
	case uint64:
		return append64(b, KindUint64, v), nil
	case uint:
		return append64(b, KindUint64, uint64(v)), nil
	case uintptr:
		return append64(b, KindUint64, uint64(v)), nil
	case float32:
		return append32(b, KindFloat32, math.Float32bits(v)), nil
	case complex64:
		n := len(b) + 1
		b = Extend(append(b, KindComplex64), 8)
		PutC64(b[n:], v)
		return b, nil
	case complex128:
		n := len(b) + 1
		b = Extend(append(b, KindComplex128), 16)
		PutC128(b[n:], v)
		return b, nil
	case []byte:
		return append(append(b, KindBytes), v...), nil
	case json.RawMessage:
		return append(append(b, KindRawJSON), v...), nil
	case json.Number:
		return AppendString(append(b, KindNumber), v)
	case time.Time:
		return AppendTimes(append(b, KindTime), []time.Time{v})
	case time.Duration:
		return append64(b, KindDuration, uint64(v)), nil
	case *big.Int:
		if v == nil {
			return b, nil
		}
		return AppendBigInt(append(b, KindBigInt), v), nil
	case big.Int:
		return AppendBigInt(append(b, KindBigInt), &v), nil
	case *big.Float:
		if v == nil {
			return b, nil
		}
		return AppendBigFloat(append(b, KindBigFloat), v)
	case big.Float:
		return AppendBigFloat(append(b, KindBigFloat), &v)
	case Decimal:
		return appendDecimal(append(b, KindDecimal), v)
	case RawStruct:
		return append(append64(b, KindStruct, v.ID), v.Data...), nil
	case RawAny:
		if v.Kind == 0 || anyShapes[v.Kind].form != formUnknown {
			return b, Fail(ErrDomain, 0)
		}
		return append(append(b, v.Kind), v.Data...), nil
	}
	return appendTyped(e, b, v, left)
}

// appendTyped appends slices and maps whose Go type the message preserves.
func appendTyped(e *Encoder, b []byte, v any, left int) ([]byte, *Error) {
	switch v := v.(type) {
	case []string:
		return AppendStrings(append(b, KindStrings), v)
	case map[string]string:
		return AppendStringMap(e, append(b, KindStringMap), v)
	case []map[string]any:
		l := make([]any, len(v))
		for i := range v {
			l[i] = v[i]
		}
		return AppendAnyList(e, append(b, KindList), l, left-1)
	case []bool:
		return AppendBools(append(b, KindBools), v, 1), nil
	case []int8:
		return AppendInts(append(b, KindInt8s), v, 1), nil
	case []int16:
		return AppendInts(append(b, KindInt16s), v, 2), nil
	case []int32:
		return AppendInts(append(b, KindInt32s), v, 4), nil
	case []int64:
		return AppendInts(append(b, KindInt64s), v, 8), nil
	case []int:
		return AppendInts(append(b, KindInt64s), v, 8), nil
	case []uint16:
		return AppendInts(append(b, KindUint16s), v, 2), nil
	case []uint32:
		return AppendInts(append(b, KindUint32s), v, 4), nil
	case []uint64:
		return AppendInts(append(b, KindUint64s), v, 8), nil
	case []uint:
		return AppendInts(append(b, KindUint64s), v, 8), nil
	case []float32:
		return AppendFloats(append(b, KindFloat32s), v, 4), nil
	case []float64:
		return AppendFloats(append(b, KindFloat64s), v, 8), nil
	case []time.Time:
		return AppendTimes(append(b, KindTimes), v)
	case []time.Duration:
		return AppendInts(append(b, KindDurations), v, 8), nil
	}
	return b, &Error{Code: ErrNoWireType, Value: v}
}

func appendDecimal(b []byte, v Decimal) ([]byte, *Error) {
	u := v.Unscaled
	if u == nil {
		u = new(big.Int)
	}
	if v.Scale > maxScale || v.Scale < -maxScale || u.BitLen() > 8*maxUnscaled {
		return b, Fail(ErrDomain, 0)
	}
	return AppendBigInt(append(b, byte(v.Scale), byte(v.Scale>>8)), u), nil
}

// appendAnyMap is the general form of AppendAnyMap.
func appendAnyMap[M ~map[K]any, K ~string](e *Encoder, b []byte, m M, left int) ([]byte, *Error) {
	if len(m) == 0 {
		return b, nil
	}
	var buf [12]Pair[K, any]
	pairs := Pairs(buf[:0], m)
	s := len(b)
	b, err := AppendStringKeys(BeginMap(b), pairs)
	if err != nil {
		return b, err
	}
	keyEnd := len(b)
	b, w := BeginList(b, keyEnd, len(pairs))
	for i := range pairs {
		if b, err = AppendAny(e, b, pairs[i].Val, left); err != nil {
			return b, err.AtKey(string(pairs[i].Key), 0)
		}
		b = w.Mark(b)
	}
	return e.EndMap(b, s, keyEnd)
}

// AppendAnyList appends a list of any. left is the number of levels that its elements may enter.
func AppendAnyList[L ~[]any](e *Encoder, b []byte, l L, left int) ([]byte, *Error) {
	if len(l) == 0 {
		return b, nil
	}
	s := len(b)
	b, w := BeginList(b, s, len(l))
	for i, v := range l {
		var err *Error
		if b, err = AppendAny(e, b, v, left); err != nil {
			return b, err.At(i, 0)
		}
		if !w.Put(b) {
			b = w.mark(b)
		}
	}
	if len(b)-s > Narrow {
		return b, e.Fits(b)
	}
	return b, nil
}
