package wire

import "slices"

// List iterates over a list of slots or of dense structs. Opening it checks the number of
// boundaries and the first and last of them. [List.Next] checks each of the others when it reaches
// it.
type List struct {
	N    int    // elements, at least 1
	Head uint32 // header that dense structs share
	b    []byte
	at   int // offset of the first boundary
	es   int // size of a boundary; 0 if the elements have no tails
	next int // offset of the boundary that ends the next element
	pos  int // offset of the next element
	step int // bytes of each element if the elements have no tails, else 0
}

// OpenList opens the slot b as a list of slots. b must not be empty.
func OpenList(b []byte) (List, *Error) {
	l, c := openWords(b, 0, 0)
	if c != OK {
		return List{}, FailSlot(c, b)
	}
	return l, nil
}

// OpenDense opens the slot b as a list of dense structs. b must not be empty. mine is the header of
// the reader's version, older has those of older versions.
func OpenDense(b []byte, mine uint32, older []uint32) (List, *Error) {
	l, c := openDense(b, mine, older)
	if c != OK {
		return List{}, FailSlot(c, b)
	}
	return l, nil
}

func openDense(b []byte, mine uint32, older []uint32) (List, Code) {
	if len(b) < headLen {
		return List{}, ErrTruncated
	}
	h := U32(b)
	s, n, reserved := SplitHeader(h)
	if reserved != 0 {
		return List{}, ErrReserved
	}
	if h != mine {
		if ms, mn, _ := SplitHeader(mine); (s < ms || n < mn) && !slices.Contains(older, h) {
			return List{}, ErrMixed
		}
	}
	if n == 0 {
		if s == 0 || len(b) == headLen || (len(b)-headLen)%s != 0 {
			return List{}, ErrLength
		}
		return List{N: (len(b) - headLen) / s, Head: h, b: b, pos: headLen, step: s}, OK
	}
	l, c := openWords(b, headLen, s+2*n)
	l.Head = h
	return l, c
}

// openWords opens a list whose boundaries start at offset at. least is the smallest size of an
// element in bytes.
func openWords(b []byte, at, least int) (List, Code) {
	es := WordSize(len(b))
	if len(b) < at+2*es {
		return List{}, ErrTruncated
	}
	first := word(b, at, es)
	if first < at+2*es || (first-at)%es != 0 || first > len(b) {
		return List{}, ErrCount
	}
	words := (first - at) / es
	if word(b, first-es, es) != len(b) {
		return List{}, ErrEnds
	}
	if es == 4 && len(b)-2*words <= Narrow {
		return List{}, ErrWidth
	}
	if least > 0 && words-1 > (len(b)-first)/least {
		return List{}, ErrEnds
	}
	return List{N: words - 1, b: b, at: at, es: es, next: at + es, pos: first}, OK
}

// Next returns the bytes of the next element and their offset in the list. It reports false if the
// boundaries are not in order. Call it at most N times.
func (l *List) Next() (x []byte, off int, ok bool) {
	off = l.pos
	end := 0
	switch {
	case l.step > 0:
		end = off + l.step
	case l.es == 2:
		end = int(U16(l.b[l.next:]))
		l.next += 2
	default:
		end = int(U32(l.b[l.next:]))
		l.next += 4
	}
	if end < off || end > len(l.b) {
		return nil, off, false
	}
	l.pos = end
	return l.b[off:end], off, true
}

// At returns element i, where 0 <= i < N. In a list that was not verified, it returns nil if the
// boundaries are not in order.
func (l *List) At(i int) []byte {
	if uint(i) >= uint(l.N) {
		panic("zmy: list index out of range")
	}
	if l.step > 0 {
		return l.b[headLen+i*l.step:][:l.step]
	}
	p := l.at + l.es*i
	lo, hi := word(l.b, p, l.es), word(l.b, p+l.es, l.es)
	if uint(lo) > uint(hi) || uint(hi) > uint(len(l.b)) { // a word is negative if int has 32 bits and the top bit is set
		return nil
	}
	return l.b[lo:hi]
}

// Zero reports whether every element of a well-formed list is the zero value. An array whose
// elements are all zero must be written as an empty slot instead.
func (l *List) Zero() bool {
	if l.step > 0 {
		return IsZero(l.b[headLen:])
	}
	if l.at == 0 { // slots
		return len(l.b) == l.es*(l.N+1)
	}
	s, n, _ := SplitHeader(l.Head)
	for i := range l.N {
		if !isZeroBody(l.At(i), 0, s, n) {
			return false
		}
	}
	return true
}
