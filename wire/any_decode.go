package wire

import (
	"encoding/json"
	"strconv"
	"time"
)

// NOTE: DecodeAny returns the most frequent kinds itself, without a look at the table of kinds.
// decodeAny, decodeOther and decodeTyped return the others, so that the switch of each is small.
// They ignore errors of the functions that read values, since checkAny has checked the payload.
// Maps and lists count as levels of their own. Offsets of errors within them start after the kind
// byte; shift1 adds this byte.

// DecodeAny reads the slot b as a value of type any. It returns an integer as int if int can hold
// it, else as int64 if that can hold it, else as uint64. left is the number of levels that may
// still be entered, this one included.
func DecodeAny(d *Decoder, b []byte, left int) (any, *Error) {
	if len(b) == 0 {
		return nil, nil
	}
	if left <= 0 {
		return nil, Fail(ErrDepth, 0)
	}
	kind, p := b[0], b[1:]
	switch { // most values
	case kind == KindString:
		if Valid(p) {
			return d.boxString(d.String(p)), nil
		}
	case kind == KindInt8 && len(p) == 1:
		return d.boxInt(int(int8(p[0]))), nil
	case kind == KindFloat64 && len(p) == 8:
		return d.boxFloat(F64(p)), nil
	case kind == KindTrue && len(p) == 0:
		return true, nil
	case kind == KindFalse && len(p) == 0:
		return false, nil
	}
	return decodeAny(d, kind, p, left)
}

// decodeAny is DecodeAny for invalid values and for the kinds that DecodeAny does not handle
// itself.
func decodeAny(d *Decoder, kind byte, p []byte, left int) (any, *Error) {
	if c := checkAny(kind, p); c != OK {
		return nil, Fail(c, 0)
	}
	switch kind {
	case KindInt16:
		return d.boxInt(int(int16(U16(p)))), nil
	case KindInt32:
		return d.boxInt(int(int32(U32(p)))), nil
	case KindInt64:
		if v := int64(U64(p)); v == int64(int(v)) {
			return d.boxInt(int(v)), nil
		}
		return int64(U64(p)), nil // where int has 32 bits
	case KindUint64:
		return U64(p), nil
	case KindMap:
		var m map[string]any
		err := DecodeAnyMap(d, p, &m, left-1)
		if m == nil && err == nil {
			m = map[string]any{}
		}
		return m, shift1(err)
	case KindList:
		var l []any
		err := DecodeAnyList(d, p, &l, left-1)
		if l == nil && err == nil {
			l = []any{}
		}
		return l, shift1(err)
	}
	return decodeOther(d, kind, p)
}

func shift1(err *Error) *Error {
	if err != nil {
		err.Offset++
	}
	return err
}

func decodeOther(d *Decoder, kind byte, p []byte) (any, *Error) {
	switch kind {
	case KindFloat32:
		return F32(p), nil
	case KindComplex64:
		return C64(p), nil
	case KindComplex128:
		return C128(p), nil
	case KindBytes:
		return d.share(p), nil
	case KindRawJSON:
		return json.RawMessage(d.share(p)), nil
	case KindNumber:
		return json.Number(d.String(p)), nil
	case KindTime:
		t, _ := Time(p)
		return t, nil
	case KindDuration:
		return time.Duration(U64(p)), nil
	case KindBigInt:
		x, _ := ParseBigInt(p)
		return x, nil
	case KindBigFloat:
		x, _ := ParseBigFloat(p)
		return x, nil
	case KindDecimal:
		x, _ := ParseBigInt(p[2:])
		return Decimal{Scale: int16(U16(p)), Unscaled: x}, nil
	case KindStruct:
		return RawStruct{ID: U64(p), Data: d.Bytes(p[8:])}, nil
	}
	return decodeTyped(d, kind, p)
}

func decodeTyped(d *Decoder, kind byte, p []byte) (any, *Error) {
	size := anyShapes[kind].size
	switch kind {
	case KindStrings:
		s := []string{}
		if len(p) == 0 {
			return s, nil
		}
		err := DecodeStrings(d, p, &s)
		return s, shift1(err)
	case KindStringMap:
		m := map[string]string{}
		if len(p) == 0 {
			return m, nil
		}
		err := DecodeStringMap(d, p, &m)
		return m, shift1(err)
	case KindBools:
		s, err := packed(d, p, []bool{}, size)
		Bools(s, p, size)
		return s, err
	case KindInt8s:
		return anyInts[int8](d, p, size)
	case KindInt16s:
		return anyInts[int16](d, p, size)
	case KindInt32s:
		return anyInts[int32](d, p, size)
	case KindInt64s:
		if strconv.IntSize < 64 {
			return anyInts[int64](d, p, size)
		}
		return anyInts[int](d, p, size)
	case KindUint16s:
		return anyInts[uint16](d, p, size)
	case KindUint32s:
		return anyInts[uint32](d, p, size)
	case KindUint64s:
		return anyInts[uint64](d, p, size)
	case KindDurations:
		return anyInts[time.Duration](d, p, size)
	case KindFloat32s:
		s, err := packed(d, p, []float32{}, size)
		Floats(s, p, size)
		return s, err
	case KindFloat64s:
		s, err := packed(d, p, []float64{}, size)
		Floats(s, p, size)
		return s, err
	case KindTimes:
		s, err := packed(d, p, []time.Time{}, size)
		for i := range s {
			s[i], _ = Time(p[i*size:])
		}
		return s, err
	}
	return RawAny{Kind: kind, Data: d.Bytes(p)}, nil
}

func anyInts[E Integer](d *Decoder, p []byte, size int) (any, *Error) {
	s, err := packed(d, p, []E{}, size)
	Ints(s, p, size)
	return s, err
}

// DecodeAnyList reads the slot b as a list of any. left is the number of levels that its elements
// may enter.
func DecodeAnyList[L ~[]any](d *Decoder, b []byte, v *L, left int) *Error {
	if len(b) == 0 {
		*v = nil
		return nil
	}
	l, err := OpenList(b)
	if err != nil {
		return err
	}
	if err := d.Charge(l.N, AnyCost); err != nil {
		return err
	}
	s := Make(d, *v, l.N)
	for i := range s {
		x, off, ok := l.Next()
		if !ok {
			return Fail(ErrEnds, off).At(i, 0)
		}
		if len(d.boxes) == 0 {
			d.makeBoxes(l.N - i)
		}
		if s[i], err = DecodeAny(d, x, left); err != nil {
			return err.At(i, off)
		}
	}
	*v = s
	return nil
}

// DecodeAnyMap reads the slot b as a map from strings to any. left is the number of levels that its
// values may enter.
func DecodeAnyMap[M ~map[K]any, K ~string](d *Decoder, b []byte, m *M, left int) *Error {
	keys, vals, n := plainColumns(b, false)
	if n == 0 || d.CopyEach {
		return decodeAnyMap(d, b, m, left)
	}
	if err := d.ChargeMap(n, PairCost+SlotCost+AnyCost, 16, 16, 0); err != nil {
		return err
	}
	out := MakeMap(d, *m, n)
	k, v := 2*n+2, 2*n+2
	for i := 2; i <= 2*n; i += 2 {
		if len(d.boxes) == 0 {
			d.makeBoxes(n + 1 - i/2)
		}
		kEnd, vEnd := int(U16(keys[i:])), int(U16(vals[i:]))
		x, err := DecodeAny(d, vals[v:vEnd], left)
		if err != nil {
			return err.AtKey(String(keys[k:kEnd]), 2+len(keys)+v)
		}
		out[K(String(keys[k:kEnd]))] = x
		k, v = kEnd, vEnd
	}
	*m = out
	return nil
}

// decodeAnyMap is the general form of DecodeAnyMap.
func decodeAnyMap[M ~map[K]any, K ~string](d *Decoder, b []byte, m *M, left int) *Error {
	if len(b) == 0 {
		*m = nil
		return nil
	}
	kb, vb, keyEnd, err := OpenMap(b)
	if err != nil {
		return err
	}
	keys, err := stringColumn(kb, true)
	if err != nil {
		return err.Shift(keyEnd - len(kb))
	}
	vals, err := OpenList(vb)
	if err != nil {
		return err.Shift(keyEnd)
	}
	if keys.N != vals.N {
		return Fail(ErrCount, keyEnd)
	}
	if err := d.ChargeMap(keys.N, PairCost+SlotCost+AnyCost, 16, 16, 0); err != nil {
		return err
	}
	out := MakeMap(d, *m, keys.N)
	for i := range keys.N {
		if len(d.boxes) == 0 {
			d.makeBoxes(keys.N - i)
		}
		k, _, _ := keys.Next()
		x, off, ok := vals.Next()
		if !ok {
			return Fail(ErrEnds, 0).AtKey(string(k), keyEnd+off)
		}
		v, err := DecodeAny(d, x, left)
		if err != nil {
			return err.AtKey(string(k), keyEnd+off)
		}
		out[K(d.String(k))] = v
	}
	*m = out
	return nil
}
