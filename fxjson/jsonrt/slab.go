package jsonrt

import (
	"math/bits"
	"unsafe"
)

// slab is memory for the slices of one type in one document: they are cut from
// pieces that several of them share, which saves most allocations of documents
// with many short slices. A slice keeps the piece that it was cut from alive, and
// with it what its neighbours there refer to; a piece that is shared has at most
// [sharedBytes], and a longer slice its memory for itself.
type slab[E any] struct {
	free [][]E // what is left of pieces, all zero; as many as slices ever grew at once
	next int   // elements of the next piece
	open int   // slices that grow at the moment, each inside the one before
}

// sharedBytes is the size of the largest piece that is shared.
const sharedBytes = 4 << 10

func (s *slab[E]) reset() {
	clear(s.free)
	s.free, s.next, s.open = s.free[:0], 0, 0
}

// slabOf is the slab of the type E.
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

// maxSlabs bounds what is kept for the next document, and searched: programs may
// have many types.
const maxSlabs = 32

// freeSlabs ends the use of all pieces.
func (d *Dec) freeSlabs() {
	if len(d.slabs) > maxSlabs {
		d.slabs = nil
	}
	for _, s := range d.slabs {
		s.reset()
	}
}

// take hands out the rest of a piece for a slice to grow in. Until it is given
// back by cut, slices of the same type inside of this one have other pieces.
func (s *slab[E]) take() (a []E) {
	s.open++
	if n := len(s.free) - 1; n >= 0 {
		a, s.free = s.free[n], s.free[:n]
	}
	return a
}

// grow returns a, which is full, with room for more elements. Its old place is
// cleared, so as not to keep alive what it refers to. Far down in slices of its own
// type its piece is small, or the depth of a document would multiply large ones
// (TestSlabDepth).
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

// cut ends a slice and keeps what is left of its piece for others, if that is not
// too large to be shared.
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

// one returns a new element.
func (s *slab[E]) one() *E {
	a := s.take()
	if cap(a) == 0 {
		a = s.grow(a, 1)
	}
	return &s.cut(a[:1])[0]
}

// newOf is new(E), of small values several at once.
func newOf[E any](d *Dec) *E {
	const small = 16
	if unsafe.Sizeof(*new(E)) > small || !shares[E]() {
		return new(E)
	}
	return slabOf[E](d).one()
}

// sharedElems is how many elements a piece has at most that is shared.
func sharedElems[E any]() int { return max(1, sharedBytes/max(1, int(unsafe.Sizeof(*new(E))))) }

// shares reports whether an E may stand anywhere in a piece. Where int has 32 bits,
// the first word of an allocation is aligned to 64, on which sync/atomic lets users
// rely, and elements behind it only if their size is a multiple of that.
func shares[E any]() bool {
	n := unsafe.Sizeof(*new(E))
	return bits.UintSize == 64 || n%8 == 0 || n < 8
}
