package pbwire

import (
	"encoding/binary"
	"errors"
	"math/bits"
)

// Type is a wire type: the form of a value, which every tag states.
type Type uint8

// The wire types.
const (
	VarintType     Type = 0
	Fixed64Type    Type = 1
	BytesType      Type = 2
	StartGroupType Type = 3
	EndGroupType   Type = 4
	Fixed32Type    Type = 5
)

// The limits of field numbers.
const (
	MaxNumber     = 1<<29 - 1
	FirstReserved = 19000 // FirstReserved to LastReserved may not be used in schemas
	LastReserved  = 19999
)

// MaxDepth is how deep messages may be nested if no other limit is set. Unknown groups have a limit
// of their own, which is the same number.
const MaxDepth = 10000

// MaxVarint is the largest length of a varint in bytes.
const MaxVarint = 10

// The error codes that functions return in place of a length.
const (
	_ = -iota
	codeTruncated
	codeVarint
	codeNumber
	codeType
	codeGroup
	codeDepth
)

// The errors.
var (
	ErrTruncated = errors.New("unexpected end of input")
	ErrVarint    = errors.New("varint has more than 64 bits")
	ErrNumber    = errors.New("invalid field number")
	ErrType      = errors.New("invalid wire type")
	ErrGroup     = errors.New("end of a group that was not started")
	ErrDepth     = errors.New("nested too deeply")
)

var errorsByCode = [...]error{
	-codeTruncated: ErrTruncated, -codeVarint: ErrVarint, -codeNumber: ErrNumber, -codeType: ErrType,
	-codeGroup: ErrGroup, -codeDepth: ErrDepth,
}

// Error returns the error of a negative length.
func Error(n int) error { return errorsByCode[-n] }

// AppendVarint appends v in 1 to 10 bytes.
func AppendVarint(b []byte, v uint64) []byte {
	for v >= 0x80 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}

// SizeVarint returns the number of bytes that AppendVarint appends.
func SizeVarint(v uint64) int { return int(uint(bits.Len64(v|1))*9+64) / 64 }

// ConsumeVarint reads a varint. It may be longer than it has to be, up to 10 bytes.
func ConsumeVarint(b []byte) (v uint64, n int) {
	if len(b) > 0 && b[0] < 0x80 {
		return uint64(b[0]), 1
	}
	return consumeVarint(b)
}

func consumeVarint(b []byte) (v uint64, n int) {
	for i, c := range b {
		if i == MaxVarint-1 && c > 1 {
			return 0, codeVarint
		}
		v |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			return v, i + 1
		}
	}
	return 0, codeTruncated
}

// CountVarints returns how many varints b contains, if it contains whole ones only.
func CountVarints(b []byte) (n int) {
	for _, c := range b {
		n += int(^c >> 7)
	}
	return n
}

// AppendTag appends the tag of a field.
func AppendTag(b []byte, num int32, t Type) []byte { return AppendVarint(b, uint64(num)<<3|uint64(t)) }

// SizeTag returns the number of bytes that AppendTag appends.
func SizeTag(num int32) int { return SizeVarint(uint64(num) << 3) }

// ConsumeTag reads a tag and checks its number. It does not check its wire type.
func ConsumeTag(b []byte) (num int32, t Type, n int) {
	num, t, n = consumeTag(b)
	if num > MaxNumber {
		return 0, 0, codeNumber
	}
	return num, t, n
}

// consumeTag reads a tag whose number may be as large as an int32, as protobuf-go allows within
// unknown groups.
func consumeTag(b []byte) (num int32, t Type, n int) {
	v, n := ConsumeVarint(b)
	switch {
	case n < 0:
		return 0, 0, n
	case v>>3 == 0, v>>3 > 1<<31-1:
		return 0, 0, codeNumber
	}
	return int32(v >> 3), Type(v & 7), n
}

// AppendFixed32 appends v in 4 bytes.
func AppendFixed32(b []byte, v uint32) []byte { return binary.LittleEndian.AppendUint32(b, v) }

// ConsumeFixed32 reads 4 bytes.
func ConsumeFixed32(b []byte) (v uint32, n int) {
	if len(b) < 4 {
		return 0, codeTruncated
	}
	return binary.LittleEndian.Uint32(b), 4
}

// AppendFixed64 appends v in 8 bytes.
func AppendFixed64(b []byte, v uint64) []byte { return binary.LittleEndian.AppendUint64(b, v) }

// ConsumeFixed64 reads 8 bytes.
func ConsumeFixed64(b []byte) (v uint64, n int) {
	if len(b) < 8 {
		return 0, codeTruncated
	}
	return binary.LittleEndian.Uint64(b), 8
}

// AppendBytes appends the length of v and v.
func AppendBytes[B []byte | string](b []byte, v B) []byte {
	return append(AppendVarint(b, uint64(len(v))), v...)
}

// SizeBytes returns the number of bytes that n bytes and their length take.
func SizeBytes(n int) int { return SizeVarint(uint64(n)) + n }

// ConsumeBytes reads a length and returns the bytes that follow it, which are a part of b.
func ConsumeBytes(b []byte) (v []byte, n int) {
	m, n := ConsumeVarint(b)
	switch {
	case n < 0:
		return nil, n
	case m > uint64(len(b)-n):
		return nil, codeTruncated
	}
	return b[n : n+int(m)], n + int(m)
}

// ZigZag maps integers to naturals, so that numbers near 0 become small: 0, -1, 1, -2 become 0, 1, 2, 3.
func ZigZag(v int64) uint64 { return uint64(v<<1) ^ uint64(v>>63) }

// UnZigZag is the inverse of ZigZag.
func UnZigZag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }
