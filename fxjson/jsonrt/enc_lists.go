package jsonrt

import (
	"slices"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// EncodeInts is [EncodeSlice] for integers, without a call for each element and
// with one test of the room for all.
func EncodeInts[S ~[]E, E Signed](e *Enc, b []byte, v *S) []byte {
	a := *v
	if a == nil {
		return e.nilSlice(b)
	}
	b, n := openList(b, len(a))
	for i, x := range a {
		if i > 0 {
			b[n] = ','
			n++
		}
		n = jsonwire.PutInt(b, n, int64(x))
	}
	b[n] = ']'
	return b[:n+1]
}

// EncodeUints is [EncodeInts] for unsigned integers.
func EncodeUints[S ~[]E, E Unsigned](e *Enc, b []byte, v *S) []byte {
	a := *v
	if a == nil {
		return e.nilSlice(b)
	}
	b, n := openList(b, len(a))
	for i, x := range a {
		if i > 0 {
			b[n] = ','
			n++
		}
		n = jsonwire.PutUint(b, n, uint64(x))
	}
	b[n] = ']'
	return b[:n+1]
}

// openList begins a list of so many integers.
func openList(b []byte, elems int) ([]byte, int) {
	n := len(b)
	b = slices.Grow(b, 2+elems*jsonwire.MaxInt+jsonwire.IntRoom)
	b = b[:cap(b)]
	b[n] = '['
	return b, n + 1
}

// EncodeStrings is [EncodeSlice] for strings, without a call of a function value
// for each element.
func EncodeStrings[S ~[]E, E ~string](e *Enc, b []byte, v *S) []byte {
	a := *v
	if a == nil {
		return e.nilSlice(b)
	}
	b = append(b, '[')
	for i, x := range a {
		if i > 0 {
			b = append(b, ',')
		}
		b = jsonwire.AppendQuote(b, string(x), e.plain)
	}
	return append(b, ']')
}
