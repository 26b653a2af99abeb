package wire

import "slices"

// Head returns the header at the start of a struct's slot.
func Head(b []byte) (uint32, *Error) {
	if len(b) < headLen {
		return 0, FailShort(headLen, len(b))
	}
	return U32(b), nil
}

// check compares a struct's sections with its length and with the header mine of the reader's
// version. The order of the checks is that of FORMAT.md, section 10: a message with several faults
// has the same error in every language. head is the size of the header in b. older lists the
// headers of the type's older versions: with its first field only, with its first two, and so on.
func check(b []byte, h uint32, head int, mine uint32, older []uint32) Code {
	s, n, reserved := SplitHeader(h)
	if reserved != 0 {
		return ErrReserved
	}
	es := WordSize(len(b))
	at := head + s
	first := at + es*n
	if first > len(b) {
		return ErrTruncated
	}
	if ms, mn, _ := SplitHeader(mine); (s < ms || n < mn) && !slices.Contains(older, h) {
		return ErrMixed
	}
	prev := first
	for i := 0; i < n; i++ {
		end := word(b, at+es*i, es)
		if end < prev || end > len(b) {
			return ErrEnds
		}
		prev = end
	}
	if prev != len(b) {
		return ErrEnds
	}
	if es == 4 && len(b)-2*n <= Narrow { // with words of two bytes it would be narrow
		return ErrWidth
	}
	return OK
}

func word(b []byte, at, es int) int {
	if es == 2 {
		return int(U16(b[at:]))
	}
	return int(U32(b[at:]))
}

// OpenStruct opens a struct that generated code does not open inline: one of another version than
// mine, or of more than 65,535 bytes. b is its slot and h its header. head is 4 if b starts with
// the header, 0 if the header is shared by a list. It returns x, the scalars extended with zeros,
// and first, the offset of the first tail. x is valid until the next OpenStruct. It sets ends to
// the ends of the reader's tails; tails that the message does not have are empty.
func (d *Decoder) OpenStruct(b []byte, h uint32, head int, mine uint32, older []uint32, ends []int) (x []byte, first int, err *Error) {
	if c := check(b, h, head, mine, older); c != OK {
		return nil, 0, failOpen(c, b, h, head)
	}
	s, n, _ := SplitHeader(h)
	ms, _, _ := SplitHeader(mine)
	es := WordSize(len(b))
	at := head + s
	first = at + es*n
	for i := range ends {
		switch {
		case i < n:
			ends[i] = word(b, at+es*i, es)
		case i == 0:
			ends[i] = first
		default:
			ends[i] = ends[i-1]
		}
	}
	if d.Exact && h != mine {
		return nil, 0, Fail(ErrVersion, 0)
	}
	if s >= ms {
		return b[head:at], first, nil
	}
	if cap(d.pad) < ms {
		d.pad = make([]byte, ms)
	}
	x = d.pad[:ms]
	clear(x[copy(x, b[head:at]):])
	return x, first, nil
}

func failOpen(c Code, b []byte, h uint32, head int) *Error {
	if c == ErrTruncated {
		s, n, _ := SplitHeader(h)
		return FailShort(head+s+WordSize(len(b))*n, len(b))
	}
	return Fail(c, 0)
}
