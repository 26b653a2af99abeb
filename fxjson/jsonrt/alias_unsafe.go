//go:build !purego

package jsonrt

import (
	"strings"
	"unsafe"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// newDocument returns a padded copy of b in memory of its own.
//
// SAFETY: a Builder does not clear its memory, which saves a pass over it, and Cap says how much
// memory there is. Nobody else has the string. It is written to (escapes are undone in place) only
// before strings that share those bytes are handed out.
func newDocument(b []byte) []byte {
	var sb strings.Builder
	sb.Grow(len(b) + jsonwire.Pad)
	sb.Write(b)
	sb.Write(zeros[:])
	s := sb.String()
	return unsafe.Slice(unsafe.StringData(s), sb.Cap())[:len(s)]
}

var zeros [jsonwire.Pad]byte

// isZero reports whether all bits of *v are zero.
//
// SAFETY: the bytes of a value may be read as long as they are not interpreted;
// padding may make the answer false, which costs speed only.
func isZero[T any](v *T) bool {
	return zeroBytes(unsafe.Slice((*byte)(unsafe.Pointer(v)), unsafe.Sizeof(*v)))
}

// zeroBytes reports whether all of b is zero.
func zeroBytes(b []byte) bool {
	var or uint64
	i := 0
	for ; i+32 <= len(b); i += 32 {
		or |= jsonwire.Load64(b, i) | jsonwire.Load64(b, i+8) | jsonwire.Load64(b, i+16) | jsonwire.Load64(b, i+24)
	}
	for ; i+8 <= len(b); i += 8 {
		or |= jsonwire.Load64(b, i)
	}
	for ; i < len(b); i++ {
		or |= uint64(b[i])
	}
	return or == 0
}

// boxString returns any(s) without an allocation for each s (BenchmarkUnmarshal/session).
//
// SAFETY: an empty interface whose type is no pointer consists of the type and a pointer to the
// value. Nobody changes the value: an element of the slab is written once, before it is pointed to.
func (d *Dec) boxString(s string) (x any) {
	if len(d.strs) == cap(d.strs) {
		d.strs = slabOf[string](d).rest(boxes)
	}
	d.strs = append(d.strs, s)
	x = ""
	(*[2]unsafe.Pointer)(unsafe.Pointer(&x))[1] = unsafe.Pointer(&d.strs[len(d.strs)-1])
	return x
}

// boxFloat returns any(f), see boxString. The float is one of the document's texts.
//
// SAFETY: as for boxString, and for numbers.
func (d *Dec) boxFloat(f float64) (x any) {
	at := (len(d.slab) + 7) &^ 7
	if at+8 > cap(d.slab) {
		d.grow(boxes*8, d.n/8)
		at = 0
	}
	d.slab = d.slab[:at+8]
	p := (*float64)(unsafe.Pointer(&d.slab[at]))
	*p = f
	x = 0.0
	(*[2]unsafe.Pointer)(unsafe.Pointer(&x))[1] = unsafe.Pointer(p)
	return x
}

// boxes is the number of values for which a new slab has room at least. Each value keeps its whole
// slab alive.
const boxes = 8

// rest returns the unused end of a piece, or a new piece with room for first elements. The caller
// keeps that memory, so cut is not called.
func (s *slab[E]) rest(first int) []E {
	a := s.take()
	if cap(a) == 0 {
		a = s.grow(a, first)
	}
	s.open--
	return a
}

// maxNumbers is the length of the longest list of integers among the texts of a document.
const maxNumbers = 64

// numbers returns the unused memory for texts as an empty slice for up to maxNumbers numbers. The
// memory is not cleared.
//
// SAFETY: pieces for texts hold no pointers, and nobody reads beyond the piece's length. They are
// aligned like all allocations of 16 bytes and more, so multiples of eight in them are aligned too.
// TestNumbers.
func numbers[E Signed | Float](d *Dec) []E {
	at := (len(d.slab) + 7) &^ 7
	n := (cap(d.slab) - at) / int(unsafe.Sizeof(*new(E)))
	if n <= 0 {
		return nil
	}
	p := unsafe.Add(unsafe.Pointer(unsafe.SliceData(d.slab)), at)
	return unsafe.Slice((*E)(p), min(n, maxNumbers))[:0]
}

// useNumbers makes a, which numbers returned, one of the texts, and returns it without further
// capacity.
func useNumbers[E Signed | Float](d *Dec, a []E) []E {
	d.slab = d.slab[:(len(d.slab)+7)&^7+len(a)*int(unsafe.Sizeof(*new(E)))]
	return a[:len(a):len(a)]
}

// newPiece returns an empty slice with room for at least n bytes.
//
// SAFETY: as for newDocument; the texts are written before they are handed out.
func newPiece(n int) []byte {
	var sb strings.Builder
	sb.Grow(max(n, 16))
	sb.WriteByte(0)
	return unsafe.Slice(unsafe.StringData(sb.String()), sb.Cap())[:0]
}

// newBuffer returns an empty slice with room for n bytes.
//
// SAFETY: as for newDocument; callers hand out only bytes that they have written.
func newBuffer(n int) []byte {
	var sb strings.Builder
	sb.Grow(n)
	sb.WriteByte(0)
	return unsafe.Slice(unsafe.StringData(sb.String()), n)[:0:n]
}

// typeID identifies the type of v, which is not nil.
//
// SAFETY: the first word of an empty interface points to its type. Package reflect relies on the
// same. Types are not moved, and the word is only compared.
func typeID(v any) uintptr { return *(*uintptr)(unsafe.Pointer(&v)) }
