package protort

import (
	"encoding"
	"reflect"
	"unicode/utf8"

	"github.com/zmylab/zmy/internal/pbreflect"
)

// The methods that types with option text or binary have.
type (
	textPointer[T any] interface {
		*T
		encoding.TextUnmarshaler
	}
	binaryPointer[T any] interface {
		*T
		encoding.BinaryUnmarshaler
	}
)

// IsZero reports whether a value with methods of its own is not written as a field without presence.
func IsZero[T any](v *T) bool { return pbreflect.IsZero(reflect.ValueOf(v).Elem()) }

// MarshalText writes the length of a text and the text, for which it makes room. The index is -1 if there is
// none, or if it is not UTF-8.
func MarshalText(b []byte, i int, v encoding.TextMarshaler) ([]byte, int) {
	if a, ok := v.(encoding.TextAppender); ok {
		b = Room(b, i, 1)
		out, err := a.AppendText(b[:i+1])
		if err != nil || len(out) <= i || !utf8.Valid(out[i+1:]) {
			return b, -1
		}
		return appended(out, i)
	}
	s, err := v.MarshalText()
	if err != nil || !utf8.Valid(s) {
		return b, -1
	}
	b = Room(b, i, MaxLength+len(s))
	return b, Blob(b, i, s)
}

// MarshalBinary is MarshalText for bytes.
func MarshalBinary(b []byte, i int, v encoding.BinaryMarshaler) ([]byte, int) {
	if a, ok := v.(encoding.BinaryAppender); ok {
		b = Room(b, i, 1)
		out, err := a.AppendBinary(b[:i+1])
		if err != nil || len(out) <= i {
			return b, -1
		}
		return appended(out, i)
	}
	s, err := v.MarshalBinary()
	if err != nil {
		return b, -1
	}
	b = Room(b, i, MaxLength+len(s))
	return b, Blob(b, i, s)
}

// appended writes the length of the content that was appended to b behind the index i, where one byte is
// left for it.
func appended(b []byte, i int) ([]byte, int) {
	end := len(b)
	b = b[:cap(b)]
	if n := end - i - 1; n < 0x80 {
		b[i] = byte(n)
		return b, end
	}
	return Close(b, i+1, end)
}

// SizeText returns the number of bytes that MarshalText writes.
func SizeText(v encoding.TextMarshaler) int {
	s, _ := v.MarshalText()
	return SizeBytes(len(s))
}

// SizeBinary returns the number of bytes that MarshalBinary writes.
func SizeBinary(v encoding.BinaryMarshaler) int {
	s, _ := v.MarshalBinary()
	return SizeBytes(len(s))
}

// UnmarshalText sets a value to that with text b. No text is the zero value.
func UnmarshalText[T any, P textPointer[T]](d *Decoder, to *T, b []byte) bool {
	var zero T
	*to = zero
	if d.Charge(int64(len(b))) || !utf8.Valid(b) {
		return false
	}
	return len(b) == 0 || P(to).UnmarshalText(b) == nil
}

// VerifyText is UnmarshalText without a result.
func VerifyText[T any, P textPointer[T]](d *Decoder, b []byte) bool {
	return UnmarshalText[T, P](d, new(T), b)
}

// UnmarshalBinary is UnmarshalText for bytes.
func UnmarshalBinary[T any, P binaryPointer[T]](d *Decoder, to *T, b []byte) bool {
	var zero T
	*to = zero
	if d.Charge(int64(len(b))) {
		return false
	}
	return len(b) == 0 || P(to).UnmarshalBinary(b) == nil
}

// VerifyBinary is UnmarshalBinary without a result.
func VerifyBinary[T any, P binaryPointer[T]](d *Decoder, b []byte) bool {
	return UnmarshalBinary[T, P](d, new(T), b)
}
