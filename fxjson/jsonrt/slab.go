package jsonrt

import (
	"math/bits"
	"unsafe"
)

// slab provides memory for the slices of one type in one document. Slices are cut from pieces that
// several of them share, which saves most allocations of documents with many short slices. A slice
// keeps its whole piece alive, and with it everything that other slices of the piece refer to. A
// shared piece has at most [sharedBytes]; a longer slice has memory of its own.
type slab[E any] struct {
	free [][]E // unused ends of pieces, all zero; as many as slices have grown at the same time
	next int   // number of elements of the next piece
	open int   // number of slices that grow now, each inside the one before
}

// sharedBytes is the size in bytes of the largest piece that is shared.
const sharedBytes = 4 << 10

func (s *slab[E]) reset() {
	clear(s.free)
	s.free, s.next, s.open = s.free[:0], 0, 0
}

// slabOf returns the slab of d for elements of type E.
func slabOf[E any](d *Dec) *slab[E] {
	for _, x := range d.slabs {
		if s, ok := x.(*slab[E]); ok {
			return s
		}
	}
	s := new(slab[E])
	d.slabs = append(d.slabs, s)
	return s
}

// maxSlabs is the number of slabs that a Dec keeps at most for the next document. If it has more,
// it drops all of them: slabOf searches them one by one, so slabs of other types would slow it.
const maxSlabs = 32

// freeSlabs forgets all pieces: from now on they belong to the decoded values.
func (d *Dec) freeSlabs() {
	if len(d.slabs) > maxSlabs {
		d.slabs = nil
	}
	for _, s := range d.slabs {
		s.reset()
	}
}

// take returns the unused end of a piece, for a slice to grow in, or nil. Until cut returns the
// rest, slices of the same type inside of this one use other pieces.
func (s *slab[E]) take() (a []E) {
	s.open++
	if n := len(s.free) - 1; n >= 0 {
		a, s.free = s.free[n], s.free[:n]
	}
	return a
}

// grow moves a, which is full, to a new piece with room for more elements. It clears a's old
// memory, which would otherwise keep alive what a refers to. If slices of one type are nested deep,
// new pieces are small, because every level takes a piece (TestSlabDepth).
func (s *slab[E]) grow(a []E, first int) []E {
	const deep = 8
	n := max(s.next>>max(0, s.open-deep), 2*len(a), first)
	if shares[E]() {
		s.next = max(s.next, min(2*n, sharedElems[E]()))
	}
	b := make([]E, len(a), n)
	copy(b, a)
	clear(a)
	return b
}

// cut ends the growth of a. The unused end of its piece is kept for other slices, unless the piece
// is too large to be shared.
func (s *slab[E]) cut(a []E) []E {
	s.open--
	if cap(a) > sharedElems[E]() || !shares[E]() {
		return a
	}
	if len(a) < cap(a) {
		s.free = append(s.free, a[len(a):][:0])
	}
	return a[:len(a):len(a)]
}

// one returns a pointer to a new element.
func (s *slab[E]) one() *E {
	a := s.take()
	if cap(a) == 0 {
		a = s.grow(a, 1)
	}
	return &s.cut(a[:1])[0]
}

// newOf returns a pointer to a new E. Small values share pieces, as slices do.
func newOf[E any](d *Dec) *E {
	const small = 16
	if unsafe.Sizeof(*new(E)) > small || !shares[E]() {
		return new(E)
	}
	return slabOf[E](d).one()
}

// sharedElems returns how many elements the largest shared piece has.
func sharedElems[E any]() int { return max(1, sharedBytes/max(1, int(unsafe.Sizeof(*new(E))))) }

// shares reports whether an E may be anywhere in a piece. Users of sync/atomic may rely on the
// first word of an allocation being aligned to 64 bits. Where int has 32 bits, elements after the
// first are aligned like that only if their size is a multiple of 8 bytes.
func shares[E any]() bool {
	n := unsafe.Sizeof(*new(E))
	return bits.UintSize == 64 || n%8 == 0 || n < 8
}
