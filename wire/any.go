package wire

import "math/big"

// The kinds of a value of type any. The kind is the first byte of the value's slot; an empty slot
// is nil. The numbers are part of the format: never change one, only append.
const (
	KindFalse      = 1
	KindTrue       = 2
	KindInt8       = 3 // an integer has the first of these kinds that can hold it
	KindInt16      = 4
	KindInt32      = 5
	KindInt64      = 6
	KindUint64     = 7 // integers above math.MaxInt64
	KindFloat64    = 8
	KindString     = 9
	KindBytes      = 10
	KindTime       = 11
	KindList       = 12 // list of any
	KindMap        = 13 // map from strings to any
	KindStruct     = 14 // u64 lineage id, then the struct's slot
	KindDuration   = 15 // i64 nanoseconds
	KindDecimal    = 16 // i16 scale, then a big integer
	KindBigInt     = 17
	KindBigFloat   = 18
	KindRawJSON    = 19 // JSON text, not parsed
	KindFloat32    = 20
	KindComplex64  = 21
	KindComplex128 = 22
	KindNumber     = 23 // json.Number: a number as text
	KindBools      = 32 // from here on: lists
	KindInt8s      = 33
	KindInt16s     = 34
	KindInt32s     = 35
	KindInt64s     = 36
	KindUint16s    = 37
	KindUint32s    = 38
	KindUint64s    = 39
	KindFloat32s   = 40
	KindFloat64s   = 41
	KindTimes      = 42
	KindDurations  = 43
	KindStrings    = 44 // list of strings
	KindStringMap  = 45 // map from strings to strings
)

// anyShape says how the payload of a kind is checked. size is the size in bytes of a fixed payload,
// or of each element of a packed list.
type anyShape struct {
	form anyForm
	size int
}

type anyForm uint8

const (
	formUnknown anyForm = iota
	formFixed
	formPacked
	formOther
)

var anyShapes = [256]anyShape{
	KindFalse: {formFixed, 0}, KindTrue: {formFixed, 0},
	KindInt8: {formFixed, 1}, KindInt16: {formFixed, 2}, KindInt32: {formFixed, 4}, KindInt64: {formFixed, 8},
	KindUint64: {formFixed, 8}, KindFloat64: {formFixed, 8}, KindFloat32: {formFixed, 4},
	KindTime: {formFixed, TimeLen}, KindDuration: {formFixed, 8},
	KindComplex64: {formFixed, 8}, KindComplex128: {formFixed, 16},
	KindString: {formOther, 0}, KindBytes: {formOther, 0}, KindRawJSON: {formOther, 0}, KindNumber: {formOther, 0},
	KindList: {formOther, 0}, KindMap: {formOther, 0}, KindStruct: {formOther, 0},
	KindDecimal: {formOther, 0}, KindBigInt: {formOther, 0}, KindBigFloat: {formOther, 0},
	KindBools: {formPacked, 1}, KindInt8s: {formPacked, 1}, KindInt16s: {formPacked, 2}, KindInt32s: {formPacked, 4},
	KindInt64s: {formPacked, 8}, KindUint16s: {formPacked, 2}, KindUint32s: {formPacked, 4}, KindUint64s: {formPacked, 8},
	KindFloat32s: {formPacked, 4}, KindFloat64s: {formPacked, 8}, KindTimes: {formPacked, TimeLen}, KindDurations: {formPacked, 8},
	KindStrings: {formOther, 0}, KindStringMap: {formOther, 0},
}

// RawStruct is a value of type any that contains a struct whose type the reader does not know. Data
// is the struct's slot; ID is the lineage id of its type. Marshalling writes both back unchanged.
type RawStruct struct {
	ID   uint64
	Data []byte
}

// RawAny is a value of a kind that this version does not know. Marshalling writes it back
// unchanged.
type RawAny struct {
	Kind uint8
	Data []byte
}

// Decimal is the number Unscaled × 10^-Scale. Scale is within ±10,000 and Unscaled has at most
// 4,096 bytes, so that a short message cannot contain a number that takes gigabytes to compute.
type Decimal struct {
	Scale    int16
	Unscaled *big.Int // nil counts as 0
}

const (
	maxScale    = 10_000
	maxUnscaled = 4096
)

// checkAny checks the payload p of a value of the given kind. It does not check what lists of
// slots, maps and structs contain.
func checkAny(kind byte, p []byte) Code {
	sh := anyShapes[kind]
	switch {
	case kind == 0:
		return ErrDomain
	case sh.form == formFixed && len(p) != sh.size:
		return ErrLength
	case sh.form == formPacked && len(p)%sh.size != 0:
		return ErrLength
	}
	ok := true
	switch kind {
	case KindInt16:
		return minimal(int64(int16(U16(p))), 7)
	case KindInt32:
		return minimal(int64(int32(U32(p))), 15)
	case KindInt64:
		return minimal(int64(U64(p)), 31)
	case KindUint64:
		return minimal(int64(U64(p)), 63)
	case KindString, KindNumber:
		if !Valid(p) {
			return ErrUTF8
		}
	case KindTime:
		ok = timeOK(p)
	case KindTimes:
		ok = timesOK(p)
	case KindBools:
		ok = BoolsOK(p)
	case KindBigInt:
		return checkBigInt(p)
	case KindBigFloat:
		return checkBigFloat(p)
	case KindDecimal:
		return checkDecimal(p)
	case KindStruct:
		if len(p) < 8 {
			return ErrLength
		}
	}
	if !ok {
		return ErrDomain
	}
	return OK
}

// minimal returns ErrNotMinimal if a smaller kind could hold v. The smaller kind is a signed
// integer of bits+1 bits. If bits is 63, v holds the bits of a uint64, and the smaller kind is
// int64.
func minimal(v int64, bits int) Code {
	if bits == 63 && v >= 0 || bits < 63 && v>>bits == v>>63 {
		return ErrNotMinimal
	}
	return OK
}

func timesOK(p []byte) bool {
	for ; len(p) > 0; p = p[TimeLen:] {
		if !timeOK(p) {
			return false
		}
	}
	return true
}

func checkDecimal(p []byte) Code {
	if len(p) < 3 {
		return ErrLength
	}
	if s := int16(U16(p)); s > maxScale || s < -maxScale || len(p) > 3+maxUnscaled {
		return ErrDomain
	}
	return checkBigInt(p[2:])
}
