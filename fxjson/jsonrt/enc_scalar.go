package jsonrt

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"strconv"
	"time"
	"unsafe"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// Signed are the signed integers.
type Signed interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64
}

// Unsigned are the unsigned integers.
type Unsigned interface {
	~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// Float are the floating-point numbers.
type Float interface{ ~float32 | ~float64 }

// EncodeString appends *v as a JSON string.
func EncodeString[T ~string](e *Enc, b []byte, v *T) []byte {
	return jsonwire.AppendQuote(b, string(*v), e.plain)
}

// EncodeBool appends true or false.
func EncodeBool[T ~bool](_ *Enc, b []byte, v *T) []byte {
	if *v {
		return append(b, "true"...)
	}
	return append(b, "false"...)
}

// EncodeInt appends *v in decimal.
func EncodeInt[T Signed](_ *Enc, b []byte, v *T) []byte {
	return jsonwire.AppendInt(b, int64(*v))
}

// EncodeUint appends *v in decimal.
func EncodeUint[T Unsigned](_ *Enc, b []byte, v *T) []byte {
	return jsonwire.AppendUint(b, uint64(*v))
}

// EncodeFloat appends the shortest digits that read back as *v; infinities and
// NaN fail.
func EncodeFloat[T Float](e *Enc, b []byte, v *T) []byte {
	if unsafe.Sizeof(*v) == 4 {
		f := float32(*v)
		if math.Float32bits(f)&0x7f800000 == 0x7f800000 {
			return e.Fail(b)
		}
		return jsonwire.AppendFloat32(b, f)
	}
	f := float64(*v)
	if math.Float64bits(f)&(0x7ff<<52) == 0x7ff<<52 {
		return e.Fail(b)
	}
	return jsonwire.AppendFloat64(b, f)
}

// EncodeTime appends *v as RFC 3339 with nanoseconds.
func EncodeTime(e *Enc, b []byte, v *time.Time) []byte {
	out, ok := jsonwire.AppendTime(b, *v)
	if !ok {
		return e.std(b, *v)
	}
	return out
}

// EncodeBytes appends *v as a string of base64. nil is null, or "" if the options say so.
func EncodeBytes[T ~[]E, E ~byte](e *Enc, b []byte, v *T) []byte {
	if *v == nil {
		return e.null(b, EmptySlices, `""`)
	}
	b = append(b, '"')
	b = base64.StdEncoding.AppendEncode(b, asBytes(*v))
	return append(b, '"')
}

// asBytes returns s as a []byte. It shares the memory of s unless the element type is not byte
// itself.
func asBytes[T ~[]E, E ~byte](s T) []byte {
	if b, ok := any([]E(s)).([]byte); ok {
		return b
	}
	b := make([]byte, len(s))
	for i, x := range s {
		b[i] = byte(x)
	}
	return b
}

// fromBytes is the inverse of asBytes.
func fromBytes[T ~[]E, E ~byte](b []byte) T {
	if s, ok := any(b).([]E); ok {
		return T(s)
	}
	s := make(T, len(b))
	for i, x := range b {
		s[i] = E(x)
	}
	return s
}

// EncodeNumber appends the number literal that *v holds, 0 for the empty string.
func EncodeNumber(e *Enc, b []byte, v *json.Number) []byte {
	if *v == "" {
		return append(b, '0')
	}
	if !validNumber(string(*v)) {
		return e.Fail(b)
	}
	return append(b, *v...)
}

// validNumber reports whether s is a number literal. It also refuses an exponent without digits,
// which encoding/json accepts here; such a value is then left to encoding/json.
func validNumber(s string) bool {
	i := 0
	digits := func() bool {
		start := i
		for i < len(s) && s[i]-'0' <= 9 {
			i++
		}
		return i > start
	}
	if i < len(s) && s[i] == '-' {
		i++
	}
	if i < len(s) && s[i] == '0' {
		i++
	} else if !digits() {
		return false
	}
	if i < len(s) && s[i] == '.' {
		if i++; !digits() {
			return false
		}
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		if i++; i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		if !digits() {
			return false
		}
	}
	return i == len(s)
}

// EncodeQuotedString appends *v quoted twice, for the option "string".
func EncodeQuotedString[T ~string](e *Enc, b []byte, v *T) []byte {
	inner := jsonwire.AppendQuote(nil, string(*v), e.plain)
	// After the first quoting all text is printable ASCII or valid UTF-8 without U+2028. So the
	// second, which writes what strconv would, has to escape quotes and backslashes only.
	b = append(b, '"')
	for _, c := range inner {
		if c == '"' || c == '\\' {
			b = append(b, '\\')
		}
		b = append(b, c)
	}
	return append(b, '"')
}

// EncodeFixed appends *v with the given number of decimals, for the struct tag
// fxjson:"decimals=N".
func EncodeFixed[T Float](e *Enc, b []byte, v *T, decimals int) []byte {
	f := float64(*v)
	if f-f != 0 { // NaN or infinite
		return e.Fail(b)
	}
	return strconv.AppendFloat(b, f, 'f', decimals, int(unsafe.Sizeof(*v))*8)
}
