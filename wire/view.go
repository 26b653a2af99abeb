package wire

// Struct is a struct read in place. The zero Struct reads as the zero value.
//
// A Struct, and every string and byte slice taken from it, points into the
// message: the buffer must stay unchanged while they are in use. Over a buffer
// that changes, reads return nonsense or panic in a bounds check, but never
// reach outside of it.
type Struct struct {
	b []byte
	m sections
}

// sections packs how a struct in place is laid out into one word, so that a view
// stays in registers: S in bits 0–13, N in 14–27, where the scalars start in
// 28–39, why it could not be opened in 40–47, whether words are wide in 48,
// the limits of [Struct.Under] in 49–59, and whether the message was verified in 60.
type sections uint64

const wideSections sections = 1 << 48

// verified marks a struct of a message that was verified deeply: those inside of it are
// opened by their headers alone.
const verified sections = 1 << 60

func sectionsOf(s, n, at, es int) sections {
	m := sections(s) | sections(n)<<14 | sections(at)<<28
	if es == 4 {
		m |= wideSections
	}
	return m
}

func (m sections) scalars() int { return int(m & MaxScalars) }
func (m sections) tails() int   { return int(m >> 14 & MaxTails) }
func (m sections) at() int      { return int(m >> 28 & (1<<12 - 1)) }
func (m sections) err() Code    { return Code(m >> 40 & (1<<8 - 1)) }

// failed is a struct that could not be opened.
func failed(c Code) Struct { return Struct{m: sections(c) << 40} }

// View opens the message b, whose type is t, checking this one struct: its
// header, its sections and its ends, not what its fields hold.
func View(t *Desc, b []byte) (Struct, *Error) {
	h := t.Head
	if len(b) < headLen || len(b) > Narrow || U32(b) != h || t.Shape != ShapeStruct {
		return view(t, b)
	}
	// A narrow struct of exactly the version of t.
	s, n := int(h&MaxScalars), int(h>>14)
	first := headLen + s + 2*n
	if first > len(b) {
		return view(t, b)
	}
	prev := first
	for w := b[headLen+s : first]; len(w) >= 2; w = w[2:] {
		end := int(U16(w))
		if end < prev {
			return view(t, b)
		}
		prev = end
	}
	if prev != len(b) {
		return view(t, b)
	}
	return Struct{b, sections(h) | headLen<<28}, nil
}

// view is View for every struct, and its reference.
func view(t *Desc, b []byte) (Struct, *Error) {
	h, err := Head(b)
	if err != nil {
		return failed(err.Code), err
	}
	s, c := openView(t, b, h, headLen)
	if c != OK && t.Shape == ShapeSparse {
		return s, FailSlot(c, b)
	}
	if c != OK {
		return s, failOpen(c, b, h, headLen)
	}
	return s.underOwn(), nil
}

func openView(t *Desc, b []byte, h uint32, head int) (Struct, Code) {
	if t.Shape == ShapeSparse {
		o, c := openSparse(b, h, t)
		if c != OK {
			return failed(c), c
		}
		return Struct{b, sectionsOf(o.s, o.n, o.at, o.es)}, OK
	}
	if c := check(b, h, head, t.Head, t.Older); c != OK {
		return failed(c), c
	}
	s, n, _ := SplitHeader(h)
	return Struct{b, sectionsOf(s, n, head, WordSize(len(b)))}, OK
}

// Err says what was wrong when a struct inside an unverified message was
// opened; such a struct reads as the zero value. It is nil after verification.
func (s Struct) Err() error {
	if c := s.m.err(); c != OK {
		return c
	}
	return nil
}

// Len is the struct's size on the wire.
func (s Struct) Len() int { return len(s.b) }

var zeros [MaxFixed + 1]byte

// Fixed returns the size bytes at off of the scalars, zeros where the writer's
// version had no such field.
func (s Struct) Fixed(off, size int) []byte {
	if off+size > s.m.scalars() {
		return zeros[:size]
	}
	return s.b[s.m.at()+off:][:size]
}

// Tail returns tail i, empty where the writer's version had no such field.
func (s Struct) Tail(i int) []byte {
	if s.m&wideSections != 0 || i >= s.m.tails() {
		return s.tail(i)
	}
	at := s.m.at() + s.m.scalars()
	lo, hi := at+2*s.m.tails(), U16(s.b[at+2*i:])
	if i > 0 {
		lo = int(U16(s.b[at+2*i-2:]))
	}
	return s.b[lo:hi]
}

// tail is Tail where words are wide, or where there is no such tail.
func (s Struct) tail(i int) []byte {
	if i >= s.m.tails() {
		return nil
	}
	at := s.m.at() + s.m.scalars()
	lo, hi := at+4*s.m.tails(), U32(s.b[at+4*i:])
	if i > 0 {
		lo = int(U32(s.b[at+4*i-4:]))
	}
	return s.b[lo:hi]
}

// Open opens the slot b of a field of s as a struct of type t, the zero one if it is
// empty, in constant time if the message was verified.
func (s Struct) Open(t *Desc, b []byte) Struct {
	if s.m&verified == 0 || len(b) == 0 {
		return OpenSlot(t, b).In(s)
	}
	at := headLen
	if t.Shape == ShapeSparse {
		at += 1 + int(b[headLen])
	}
	return s.inside(b, U32(b), at)
}

// Element opens element i of l, a field of s, as a struct of type t likewise.
func (s Struct) Element(t *Desc, l ListView, i int) Struct {
	if s.m&verified == 0 {
		return l.Struct(t, i).In(s)
	}
	return s.inside(l.l.At(i), l.l.Head, 0)
}

// inside is the struct b with the header h, whose scalars start at at, in a message that
// was verified: View and openView are its references.
func (s Struct) inside(b []byte, h uint32, at int) Struct {
	m := sections(h&(1<<28-1)) | sections(at)<<28 | s.m&(limitBits|verified)
	if len(b) > Narrow {
		m |= wideSections
	}
	return Struct{b, m}
}

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
