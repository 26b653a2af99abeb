package wire

// Struct is a struct read in place. The zero Struct reads as the zero value.
//
// A Struct, and every string and byte slice taken from it, points into the
// message: the buffer must stay unchanged while they are in use. Over a buffer
// that changes, reads return nonsense or panic in a bounds check, but never
// reach outside of it.
type Struct struct {
	b     []byte
	s, n  int32 // scalar bytes and tails of the writer's version
	first int32 // where the first tail starts
	head  int16
	wide  bool
	err   Code
	t     *Desc // of a sparse struct
}

// View opens the message b, whose type is t, checking this one struct: its
// header, its sections and its ends, not what its fields hold.
func View(t *Desc, b []byte) (Struct, *Error) {
	h, err := Head(b)
	if err != nil {
		return Struct{err: err.Code}, err
	}
	s, c := openView(t, b, h, headLen)
	if c != OK && t.Shape == ShapeSparse {
		return s, FailSlot(c, b)
	}
	if c != OK {
		return s, failOpen(c, b, h, headLen)
	}
	return s, nil
}

func openView(t *Desc, b []byte, h uint32, head int) (Struct, Code) {
	if t.Shape == ShapeSparse {
		o, c := openSparse(b, h, t)
		if c != OK {
			return Struct{err: c}, c
		}
		return Struct{
			b: b, s: int32(o.s), n: int32(o.n), head: int16(o.at),
			first: int32(o.first()), wide: o.es == 4, t: t,
		}, OK
	}
	if c := check(b, h, head, t.Head, t.Older); c != OK {
		return Struct{err: c}, c
	}
	s, n, _ := SplitHeader(h)
	es := WordSize(len(b))
	return Struct{
		b: b, s: int32(s), n: int32(n), head: int16(head),
		first: int32(head + s + es*n), wide: es == 4,
	}, OK
}

// Err says what was wrong when a struct inside an unverified message was
// opened; such a struct reads as the zero value. It is nil after verification.
func (s Struct) Err() error {
	if s.err == OK {
		return nil
	}
	return s.err
}

// Len is the struct's size on the wire.
func (s Struct) Len() int { return len(s.b) }

var zeros [MaxFixed + 1]byte

// Fixed returns the size bytes at off of the scalars, zeros where the writer's
// version had no such field.
func (s *Struct) Fixed(off, size int) []byte {
	if off+size > int(s.s) {
		return zeros[:size]
	}
	return s.b[int(s.head)+off:][:size]
}

// Tail returns tail i, empty where the writer's version had no such field.
func (s *Struct) Tail(i int) []byte {
	if i >= int(s.n) {
		return nil
	}
	at, lo, hi := int(s.head)+int(s.s), int(s.first), 0
	if s.wide {
		if i > 0 {
			lo = int(U32(s.b[at+4*i-4:]))
		}
		hi = int(U32(s.b[at+4*i:]))
	} else {
		if i > 0 {
			lo = int(U16(s.b[at+2*i-2:]))
		}
		hi = int(U16(s.b[at+2*i:]))
	}
	return s.b[lo:hi]
}

// Struct opens tail i as a struct of type t.
func (s *Struct) Struct(t *Desc, i int) Struct { return OpenSlot(t, s.Tail(i)) }

// OpenSlot opens the slot b as a struct of type t, the zero one if it is empty.
func OpenSlot(t *Desc, b []byte) Struct {
	if len(b) == 0 {
		return Struct{}
	}
	v, _ := View(t, b)
	return v
}

// ListView is a list read in place. The zero ListView is empty.
type ListView struct {
	l   List
	err Code
}

// OpenListView opens the slot b as a list of slots.
func OpenListView(b []byte) ListView {
	if len(b) == 0 {
		return ListView{}
	}
	l, c := openWords(b, 0, 0)
	if c != OK {
		return ListView{err: c}
	}
	return ListView{l: l}
}

// OpenDenseView opens the slot b as a list of structs of type t.
func OpenDenseView(t *Desc, b []byte) ListView {
	if len(b) == 0 {
		return ListView{}
	}
	l, c := openDense(b, t.Head, t.Older)
	if c != OK {
		return ListView{err: c}
	}
	return ListView{l: l}
}

// Err is as [Struct.Err]: such a list reads as an empty one.
func (l ListView) Err() error {
	if l.err == OK {
		return nil
	}
	return l.err
}

// Len is the number of elements.
func (l ListView) Len() int { return l.l.N }

// At returns the slot of element i; it panics when i is out of range.
func (l ListView) At(i int) []byte { return l.l.At(i) }

// Struct opens element i of a list of structs of type t.
func (l ListView) Struct(t *Desc, i int) Struct {
	s, _ := openView(t, l.l.At(i), l.l.Head, 0)
	return s
}

// MapView is a map with string keys read in place. The zero MapView is empty.
type MapView struct {
	keys ListView
	vals []byte
}

// OpenMapView opens the slot b as a map with string keys.
func OpenMapView(b []byte) MapView {
	if len(b) == 0 {
		return MapView{}
	}
	kb, vb, _, c := openMap(b)
	if c != OK {
		return MapView{keys: ListView{err: c}}
	}
	return MapView{OpenListView(kb), vb}
}

// Err is as [Struct.Err].
func (m MapView) Err() error { return m.keys.Err() }

// Len is the number of pairs.
func (m MapView) Len() int { return m.keys.Len() }

// Key returns key i, in increasing order.
func (m MapView) Key(i int) string { return String(m.keys.At(i)) }

// Values returns the column of values, one for each key.
func (m MapView) Values() []byte { return m.vals }

// Find returns which key equals key, by binary search.
func (m MapView) Find(key string) (int, bool) {
	lo, hi := 0, m.keys.Len()
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if string(m.keys.At(mid)) < key {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < m.keys.Len() && string(m.keys.At(lo)) == key
}
