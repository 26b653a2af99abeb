package wire

import "math"

// EndStruct stores the ends of the tails of a finished struct. The struct starts at s in b, and its
// ends are stored at offset at. ends[i] is the distance from s to the end of tail i, computed for
// words of two bytes. names are the fields of the tails, for the error of a message that is too
// large. Generated code stores the ends of narrow structs inline; this is the general form.
func (e *Encoder) EndStruct(b []byte, s, at int, ends []int, names ...string) ([]byte, *Error) {
	if len(b)-s <= Narrow {
		for i, end := range ends {
			PutU16(b[at+2*i:], uint16(end))
		}
		return b, nil
	}
	b = widen(b, at, len(ends))
	for i, end := range ends {
		PutU32(b[at+4*i:], uint32(end+2*len(ends)))
	}
	err := e.Fits(b)
	if err == nil {
		return b, nil
	}
	for i, end := range ends {
		if s-e.start+end+2*len(ends) > e.MaxWire && i < len(names) {
			return b, err.In(names[i], 0)
		}
	}
	return b, err
}

// widen makes room for n four-byte words in place of the n two-byte words at offset at. It moves
// the bytes after them once. Encoding the container again would take time exponential in the depth.
func widen(b []byte, at, n int) []byte {
	m := len(b)
	b = Extend(b, 2*n)
	copy(b[at+4*n:], b[at+2*n:m])
	return b
}

// Words writes the boundaries of a list: one before the first element, and one after each element.
type Words struct {
	s    int // offset of the list in the buffer
	at   int // offset of its words in the buffer
	next int // offset of the next word to write
	n    int // number of words
	look int // length of the buffer at which to call room again, once the list is wide
	wide bool
}

// BeginList reserves the words of a list of n >= 1 elements. s is the start of the list: the offset
// of the shared header for a list of dense structs, else len(b).
func BeginList(b []byte, s, n int) ([]byte, Words) {
	w := Words{s: s, at: len(b), next: len(b), n: n + 1}
	b = w.Mark(Extend(b, 2*(n+1)))
	return b, w
}

// Mark stores the boundary of the element that ends at the end of b.
func (w *Words) Mark(b []byte) []byte {
	if w.Put(b) {
		return b
	}
	return w.mark(b)
}

// Put is Mark for a list that is still narrow. If the list is wide, it does nothing and reports
// false. Unlike Mark it is inlined: 33 instructions for each element became 11.
func (w *Words) Put(b []byte) bool {
	n := len(b) - w.s
	if n > Narrow {
		return false
	}
	PutU16(b[w.next:], uint16(n))
	w.next += 2
	return true
}

// mark is Mark for a list of more than 65,535 bytes. The first time it widens the words.
//
//go:noinline
func (w *Words) mark(b []byte) []byte {
	if !w.wide {
		done := (w.next - w.at) / 2
		b = widen(b, w.at, w.n)
		for i := done - 1; i >= 0; i-- {
			PutU32(b[w.at+4*i:], uint32(U16(b[w.at+2*i:]))+uint32(2*w.n))
		}
		w.next = w.at + 4*done
		w.wide = true
	}
	PutU32(b[w.next:], uint32(len(b)-w.s))
	w.next += 4
	if len(b) >= w.look {
		b = w.room(b)
	}
	return b
}

// room grows b for the elements of a large list that are still to be written. It assumes that their
// average length is that of the elements already written. So b grows once or twice instead of
// doubling many times (BenchmarkLarge). The estimate may be too high, so room waits until b is
// three quarters full. Then it grows b to at most about four times its length plus 64 MiB, and
// never to more than about sixteen times its length.
func (w *Words) room(b []byte) []byte {
	done := (w.next-w.at)/4 - 1
	if done == 0 {
		w.look = len(b) + Narrow
		return b
	}
	n, free := int64(len(b)), int64(cap(b)-len(b))
	need := (n - int64(w.at+4*w.n)) * int64(w.n-1-done) / int64(done)
	need = min(need, 3*n+min(12*n, 64<<20), math.MaxInt32-n)
	switch {
	case need-need/16 <= free: // a buffer of the right size stays
		w.look = len(b) + int(max(need/2, Narrow))
	case free > n/3:
		w.look = len(b) + int(free/2)
	default:
		b = append(newBuffer(len(b)+int(max(need+need/16, n/4))), b...)
		w.look = len(b) + int(max(need/2, Narrow))
	}
	return b
}

// AppendHeader appends the header that the elements of a list share.
func AppendHeader(b []byte, h uint32) []byte {
	return append(b, byte(h), byte(h>>8), byte(h>>16), byte(h>>24))
}

// IsZeroStruct reports whether the struct x, with its header and as just written, is the zero
// value: all scalars are zero and all tails are empty.
func IsZeroStruct(x []byte) bool {
	if len(x) < headLen {
		return false
	}
	s, n, reserved := SplitHeader(U32(x))
	if reserved != 0 { // sparse
		return len(x) == headLen+1
	}
	return isZeroBody(x, headLen, s, n)
}

func isZeroBody(x []byte, head, s, n int) bool {
	return len(x) == head+s+WordSize(len(x))*n && IsZero(x[head:head+s])
}

// IsZeroList reports whether the list b, of fixed length and as just written, contains only zero
// values. dense says that its elements are structs.
func IsZeroList(b []byte, dense bool) bool {
	var l List
	if dense {
		l, _ = openDense(b, U32(b), nil)
	} else {
		l, _ = openWords(b, 0, 0)
	}
	return l.Zero()
}
