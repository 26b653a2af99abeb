package wire

import "math"

// NOTE: A packed list has the bytes that little-endian machines have in memory, if the Go type has
// the encoded size. Then lists are copied as a whole, by the functions memory and elements. That
// makes long lists of numbers fast. The functions with lower-case names are the loops for all other
// cases. Bools and complex numbers have loops only.

// The element types of packed lists. An element is encoded in size bytes: 8 for int, uint and
// uintptr, 1 for bool, otherwise the size of its Go type.
type (
	Integer interface {
		~int8 | ~int16 | ~int32 | ~int64 | ~int |
			~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uint | ~uintptr
	}
	Float   interface{ ~float32 | ~float64 }
	Complex interface{ ~complex64 | ~complex128 }
	Boolean interface{ ~bool }
)

// PutInts sets the first len(s)*size bytes of b to the encoded s. If s has the same bytes in
// memory, it copies them at once, else element by element. The functions below do likewise.
func PutInts[E Integer](b []byte, s []E, size int) {
	if m := memory(s, size); m != nil {
		move(b[:len(m)], m)
		return
	}
	putInts(b, s, size)
}

func putInts[E Integer](b []byte, s []E, size int) {
	for i, v := range s {
		x := b[i*size:][:size]
		for j, u := 0, uint64(v); j < len(x); j++ {
			x[j] = byte(u)
			u >>= 8
		}
	}
}

// Ints sets s from the first len(s)*size bytes of b.
func Ints[E Integer](s []E, b []byte, size int) {
	if m := memory(s, size); m != nil {
		move(m, b[:len(m)])
		return
	}
	ints(s, b, size)
}

func ints[E Integer](s []E, b []byte, size int) {
	for i := range s {
		u := uint64(0)
		for j, x := 0, b[i*size:][:size]; j < len(x); j++ {
			u |= uint64(x[j]) << (8 * j)
		}
		s[i] = E(u)
	}
}

// PutFloats is [PutInts] for floats.
func PutFloats[E Float](b []byte, s []E, size int) {
	if m := memory(s, size); m != nil {
		move(b[:len(m)], m)
		return
	}
	putFloats(b, s, size)
}

func putFloats[E Float](b []byte, s []E, size int) {
	for i, v := range s {
		if size == 4 {
			PutU32(b[i*4:], math.Float32bits(float32(v)))
		} else {
			PutU64(b[i*8:], math.Float64bits(float64(v)))
		}
	}
}

// Floats is [Ints] for floats.
func Floats[E Float](s []E, b []byte, size int) {
	if m := memory(s, size); m != nil {
		move(m, b[:len(m)])
		return
	}
	floats(s, b, size)
}

func floats[E Float](s []E, b []byte, size int) {
	for i := range s {
		if size == 4 {
			s[i] = E(F32(b[i*4:]))
		} else {
			s[i] = E(F64(b[i*8:]))
		}
	}
}

// PutComplexes is [PutInts] for complex numbers.
func PutComplexes[E Complex](b []byte, s []E, size int) {
	for i, v := range s {
		if size == 8 {
			PutC64(b[i*8:], complex64(v))
		} else {
			PutC128(b[i*16:], complex128(v))
		}
	}
}

// Complexes is [Ints] for complex numbers.
func Complexes[E Complex](s []E, b []byte, size int) {
	for i := range s {
		if size == 8 {
			s[i] = E(C64(b[i*8:]))
		} else {
			s[i] = E(C128(b[i*16:]))
		}
	}
}

// PutBools is [PutInts] for bools.
func PutBools[E Boolean](b []byte, s []E, _ int) {
	for i, v := range s {
		PutBool(b[i:], bool(v))
	}
}

// Bools is [Ints] for bools. The caller must have checked b with [BoolsOK].
func Bools[E Boolean](s []E, b []byte, _ int) {
	for i := range s {
		s[i] = E(b[i] != 0)
	}
}

// AppendInts appends s as a packed list.
func AppendInts[S ~[]E, E Integer](b []byte, s S, size int) []byte {
	if m := memory(s, size); m != nil {
		return append(b, m...)
	}
	n := len(b)
	b = Extend(b, len(s)*size)
	putInts(b[n:], s, size)
	return b
}

// AppendFloats appends s as a packed list.
func AppendFloats[S ~[]E, E Float](b []byte, s S, size int) []byte {
	if m := memory(s, size); m != nil {
		return append(b, m...)
	}
	n := len(b)
	b = Extend(b, len(s)*size)
	putFloats(b[n:], s, size)
	return b
}

// AppendComplexes appends s as a packed list.
func AppendComplexes[S ~[]E, E Complex](b []byte, s S, size int) []byte {
	n := len(b)
	b = Extend(b, len(s)*size)
	PutComplexes(b[n:], s, size)
	return b
}

// AppendBools appends s as a packed list.
func AppendBools[S ~[]E, E Boolean](b []byte, s S, size int) []byte {
	n := len(b)
	b = Extend(b, len(s)*size)
	PutBools(b[n:], s, size)
	return b
}

// openPacked returns the number of elements of size bytes in b, and charges the budget for them.
func (d *Decoder) openPacked(b []byte, size int) (int, *Error) {
	n := len(b) / size
	if n*size != len(b) {
		return 0, Fail(ErrLength, 0)
	}
	return n, d.Charge(n, size)
}

// packed returns a slice for the elements of the packed list b, which have size bytes each: v
// itself if it may be reused.
func packed[S ~[]E, E any](d *Decoder, b []byte, v S, size int) (S, *Error) {
	n, err := d.openPacked(b, size)
	if err != nil {
		return nil, err
	}
	return Make(d, v, n), nil
}

// OpenPacked returns the number of elements of size bytes in the slot b. b must not be empty.
func OpenPacked(b []byte, size int) (int, *Error) {
	n := len(b) / size
	if n == 0 || n*size != len(b) {
		return 0, Fail(ErrLength, 0)
	}
	return n, nil
}

// DecodeInts reads the slot b as a packed list.
func DecodeInts[S ~[]E, E Integer](d *Decoder, b []byte, v *S, size int) (err *Error) {
	if len(b) == 0 {
		*v = nil
		return nil
	}
	n, err := d.openPacked(b, size)
	if err != nil {
		return err
	}
	if own := elements[E](b, n, size); own != nil && (!d.Reuse || n > cap(*v)) {
		*v = cloneElements(own, size)
		return nil
	}
	s := Make(d, *v, n)
	Ints(s, b, size)
	*v = s
	return nil
}

// DecodeFloats reads the slot b as a packed list.
func DecodeFloats[S ~[]E, E Float](d *Decoder, b []byte, v *S, size int) *Error {
	if len(b) == 0 {
		*v = nil
		return nil
	}
	n, err := d.openPacked(b, size)
	if err != nil {
		return err
	}
	if own := elements[E](b, n, size); own != nil && (!d.Reuse || n > cap(*v)) {
		*v = cloneElements(own, size)
		return nil
	}
	s := Make(d, *v, n)
	Floats(s, b, size)
	*v = s
	return nil
}

// DecodeComplexes reads the slot b as a packed list.
func DecodeComplexes[S ~[]E, E Complex](d *Decoder, b []byte, v *S, size int) *Error {
	if len(b) == 0 {
		*v = nil
		return nil
	}
	s, err := packed(d, b, *v, size)
	if err != nil {
		return err
	}
	Complexes(s, b, size)
	*v = s
	return nil
}

// DecodeBools reads the slot b as a packed list.
func DecodeBools[S ~[]E, E Boolean](d *Decoder, b []byte, v *S, size int) *Error {
	if len(b) == 0 {
		*v = nil
		return nil
	}
	s, err := packed(d, b, *v, size)
	if err != nil {
		return err
	}
	if !BoolsOK(b) {
		return badElem(b, 1, BoolBytes)
	}
	Bools(s, b, size)
	*v = s
	return nil
}
