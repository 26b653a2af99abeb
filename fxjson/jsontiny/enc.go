package jsontiny

import (
	"encoding"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// Enc is the state of one encoding.
type Enc struct {
	err   *Error
	depth int // number of open pointers, maps and slices
}

// NewEnc returns a state for one encoding.
func NewEnc() *Enc { return new(Enc) }

// maxDepth is the largest depth of a value. A deeper one fails, because it may contain itself.
const maxDepth = jsonwire.MaxDepth

// End ends an encoding that began at b[n]. It returns b, or b[:n] and the error.
func (e *Enc) End(b []byte, n int) ([]byte, error) {
	if e.err != nil {
		return b[:n], e.err
	}
	return b, nil
}

// Failed reports whether the encoding has failed. After a failure no user's methods are called.
func (e *Enc) Failed() bool { return e.err != nil }

// fail keeps the first failure.
func (e *Enc) fail(b []byte, msg string, err error) []byte {
	if e.err == nil {
		e.err = &Error{Offset: -1, Msg: msg, Err: err}
	}
	return b
}

// enter counts a pointer, map or slice that opens. It returns false if encoding should stop.
func (e *Enc) enter() bool {
	if e.depth++; e.depth > maxDepth {
		e.fail(nil, "values nest deeper than "+strconv.Itoa(maxDepth)+" levels, or without end", nil)
	}
	return e.err == nil
}

// EncodeBool appends true or false.
func EncodeBool[T ~bool](_ *Enc, b []byte, v *T) []byte { return strconv.AppendBool(b, bool(*v)) }

// EncodeInt appends *v in decimal.
func EncodeInt[T Signed](_ *Enc, b []byte, v *T) []byte { return jsonwire.AppendInt(b, int64(*v)) }

// EncodeUint appends *v in decimal.
func EncodeUint[T Unsigned](_ *Enc, b []byte, v *T) []byte { return jsonwire.AppendUint(b, uint64(*v)) }

// EncodeString appends *v as a JSON string.
func EncodeString[T ~string](_ *Enc, b []byte, v *T) []byte {
	return jsonwire.AppendQuote(b, string(*v), false)
}

// EncodeQuotedString appends *v quoted twice, for the option "string".
func EncodeQuotedString[T ~string](_ *Enc, b []byte, v *T) []byte {
	b = append(b, '"')
	// After the first quoting, only quotes and backslashes need an escape.
	for _, c := range jsonwire.AppendQuote(nil, string(*v), false) {
		if c == '"' || c == '\\' {
			b = append(b, '\\')
		}
		b = append(b, c)
	}
	return append(b, '"')
}

// EncodeFixed appends *v with the given number of decimals, for the struct tag fxjson:"decimals=N".
func EncodeFixed[T Float](e *Enc, b []byte, v *T, decimals int) []byte {
	f := float64(*v)
	if f-f != 0 {
		return e.fail(b, "a float is infinite or no number", nil)
	}
	return strconv.AppendFloat(b, f, 'f', decimals, int(unsafe.Sizeof(*v))*8)
}

// IsZero reports whether a float is zero as option omitzero means it: -0 is not.
func IsZero[T Float](v *T) bool { return math.Float64bits(float64(*v)) == 0 }

// EncodeTime appends *v as RFC 3339 with nanoseconds.
func EncodeTime(e *Enc, b []byte, v *time.Time) []byte {
	out, ok := jsonwire.AppendTime(b, *v)
	if !ok {
		return EncodeMarshaler(e, b, v)
	}
	return out
}

// EncodeMarshaler appends what the method MarshalJSON returns, compacted.
func EncodeMarshaler[T Marshaler](e *Enc, b []byte, v *T) []byte {
	if e.err != nil {
		return b
	}
	raw, err := (*v).MarshalJSON()
	if err != nil {
		return e.fail(b, "MarshalJSON", err)
	}
	b, ok := jsonwire.AppendCompact(b, raw, jsonwire.EscapeHTML)
	if !ok {
		return e.fail(b, "MarshalJSON returned no JSON", nil)
	}
	return b
}

// EncodeText appends what the method MarshalText returns as a string.
func EncodeText[T encoding.TextMarshaler](e *Enc, b []byte, v *T) []byte {
	if e.err != nil {
		return b
	}
	text, err := (*v).MarshalText()
	if err != nil {
		return e.fail(b, "MarshalText", err)
	}
	return jsonwire.AppendQuote(b, string(text), false)
}

// EncodeBytes appends *v as a string of base64. nil is null.
func EncodeBytes[T ~[]E, E ~byte](_ *Enc, b []byte, v *T) []byte {
	if *v == nil {
		return append(b, "null"...)
	}
	return append(appendBase64(append(b, '"'), *v), '"')
}

// EncodePtr calls f to append **v. nil is null.
func EncodePtr[P ~*T, T any](e *Enc, b []byte, v *P, f func(*Enc, []byte, *T) []byte) []byte {
	if *v == nil {
		return append(b, "null"...)
	}
	if !e.enter() {
		return b
	}
	b = f(e, b, *v)
	e.depth--
	return b
}

// EncodeSlice appends *v as an array. It calls f for each element. nil is null.
func EncodeSlice[S ~[]E, E any](e *Enc, b []byte, v *S, f func(*Enc, []byte, *E) []byte) []byte {
	if *v == nil {
		return append(b, "null"...)
	}
	if !e.enter() {
		return b
	}
	b = append(b, '[')
	for i := range *v {
		if i > 0 {
			b = append(b, ',')
		}
		b = f(e, b, &(*v)[i])
	}
	e.depth--
	return append(b, ']')
}

// EncodeInts is [EncodeSlice] for signed integers.
func EncodeInts[S ~[]E, E Signed](e *Enc, b []byte, v *S) []byte {
	return EncodeSlice(e, b, v, EncodeInt[E])
}

// EncodeUints is [EncodeSlice] for unsigned integers.
func EncodeUints[S ~[]E, E Unsigned](e *Enc, b []byte, v *S) []byte {
	return EncodeSlice(e, b, v, EncodeUint[E])
}

// EncodeFloats is [EncodeSlice] for floats.
func EncodeFloats[S ~[]E, E Float](e *Enc, b []byte, v *S) []byte {
	return EncodeSlice(e, b, v, EncodeFloat[E])
}

// EncodeStrings is [EncodeSlice] for strings.
func EncodeStrings[S ~[]E, E ~string](e *Enc, b []byte, v *S) []byte {
	return EncodeSlice(e, b, v, EncodeString[E])
}

// EncodeStringMap is [EncodeMap] for strings.
func EncodeStringMap[M ~map[K]E, K, E ~string](e *Enc, b []byte, v *M) []byte {
	return EncodeMap(e, b, v, EncodeString[E])
}

// EncodeMap appends the map *v with sorted keys. It calls f for each element.
func EncodeMap[M ~map[K]E, K ~string, E any](e *Enc, b []byte, v *M, f func(*Enc, []byte, *E) []byte) []byte {
	return EncodeMapOf(e, b, v, func(k K) (string, error) { return string(k), nil }, f)
}

// EncodeMapOf is [EncodeMap] for keys whose names the function key returns.
func EncodeMapOf[M ~map[K]E, K comparable, E any](e *Enc, b []byte, v *M, key func(K) (string, error),
	f func(*Enc, []byte, *E) []byte) []byte {
	if *v == nil {
		return append(b, "null"...)
	}
	if !e.enter() {
		return b
	}
	type entry struct {
		name string
		x    E
	}
	entries := make([]entry, 0, len(*v))
	for k, x := range *v {
		name, err := key(k)
		if err != nil {
			return e.fail(b, "MarshalText of a key", err)
		}
		entries = append(entries, entry{name, x})
	}
	slices.SortFunc(entries, func(x, y entry) int { return strings.Compare(x.name, y.name) })
	b = append(b, '{')
	for i := range entries {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(jsonwire.AppendQuote(b, entries[i].name, false), ':')
		b = f(e, b, &entries[i].x)
	}
	e.depth--
	return append(b, '}')
}

// KeyInt returns the name of a key of a signed integer type.
func KeyInt[K Signed](k K) (string, error) { return strconv.FormatInt(int64(k), 10), nil }

// KeyUint returns the name of a key of an unsigned integer type.
func KeyUint[K Unsigned](k K) (string, error) { return strconv.FormatUint(uint64(k), 10), nil }

// KeyText returns the name of a key by its method MarshalText.
func KeyText[K encoding.TextMarshaler](k K) (string, error) {
	text, err := k.MarshalText()
	return string(text), err
}

// Key appends html, the key of a struct's field with <, > and & as \u escapes. The other argument
// is for package jsonrt, where escaping is an option.
func Key(_ *Enc, b []byte, html, _ string) []byte { return append(b, html...) }

// Close ends an object whose first member begins at b[n]. A comma was written before each member,
// and Close replaces the first comma with the brace.
func Close(b []byte, n int) []byte {
	if len(b) == n {
		return append(b, "{}"...)
	}
	b[n] = '{'
	return append(b, '}')
}
