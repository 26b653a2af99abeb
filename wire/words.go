package wire

import "math"

// EndStruct stores the ends of a finished struct: s is where it starts in b, at
// where its ends stand, and ends are the lengths from s to the end of each tail
// with two-byte words; names are the tails' fields, for the error of a message
// that is too large. It is the general form of what generated code does inline
// while the struct is narrow.
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

// widen makes room for n four-byte words where n two-byte ones stand at at.
// One move, never a second try: restarting would be exponential in depth.
func widen(b []byte, at, n int) []byte {
	m := len(b)
	b = Extend(b, 2*n)
	copy(b[at+4*n:], b[at+2*n:m])
	return b
}

// Words writes the boundaries of a list: one before the first element, one
// after each.
type Words struct {
	s    int // where the list starts in the buffer
	at   int // where its words start
	next int // where the next word goes
	n    int // count of words
	look int // length of the buffer at which to look for room again, once wide
	wide bool
}

// BeginList reserves the words of a list of n >= 1 elements. A list of dense
// structs stands behind its shared header, which starts at s; any other starts
// with its words, at s == len(b).
func BeginList(b []byte, s, n int) ([]byte, Words) {
	w := Words{s: s, at: len(b), next: len(b), n: n + 1}
	b = w.Mark(Extend(b, 2*(n+1)))
	return b, w
}

// Mark stores the boundary at the end of b, where an element has just ended.
func (w *Words) Mark(b []byte) []byte {
	if w.Put(b) {
		return b
	}
	return w.mark(b)
}

// Put is Mark for a list that is narrow so far; else it does nothing and reports
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

// mark widens the words on the first boundary past 65,535.
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

// room makes room for the elements of a large list that are still to come, as
// many bytes each as those have that are there: b then is grown once or twice in
// place of being doubled many times (BenchmarkLarge). Since those to come may be
// shorter, it becomes sixteen times as large at most, four times where that is more
// than 64 MiB, and not before it is three quarters full.
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
	case need-need/16 <= free: // buffers of the right size stay
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

// IsZeroStruct reports whether the struct x with its header, as just written, is
// the zero value: scalars zero and tails empty.
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

// IsZeroList reports whether the list b of fixed length, as just written, holds
// zero values only.
func IsZeroList(b []byte, dense bool) bool {
	var l List
	if dense {
		l, _ = openDense(b, U32(b), nil)
	} else {
		l, _ = openWords(b, 0, 0)
	}
	return l.Zero()
}
