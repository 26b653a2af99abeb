package jsonrt

import (
	"slices"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// EncodeInts is [EncodeSlice] for integers, without a function call for each element. It makes room
// for the whole list at once.
func EncodeInts[S ~[]E, E Signed](e *Enc, b []byte, v *S) []byte {
	a := *v
	if a == nil {
		return e.null(b, EmptySlices, "[]")
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
		return e.null(b, EmptySlices, "[]")
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

// openList appends the opening bracket to b and makes room for a list of elems integers. It returns
// b up to its capacity, and the index to go on at.
func openList(b []byte, elems int) ([]byte, int) {
	n := len(b)
	b = slices.Grow(b, 2+elems*jsonwire.MaxInt+jsonwire.IntRoom)
	b = b[:cap(b)]
	b[n] = '['
	return b, n + 1
}

// EncodeStrings is [EncodeSlice] for strings, without an indirect call for each element.
func EncodeStrings[S ~[]E, E ~string](e *Enc, b []byte, v *S) []byte {
	a := *v
	if a == nil {
		return e.null(b, EmptySlices, "[]")
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
