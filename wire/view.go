package wire

// NOTE: A view is opened in one of two ways. View checks a struct's sections each time that it is
// opened, and the structs within it when they are opened in turn (Open, Element). If the whole
// message was verified, Verified sets a bit, and the method inside opens the structs within by
// their headers alone. Accessors return no errors: a struct or list that is malformed reads as the
// zero value, and Err says so. Generated views call Fixed and Tail for each field. So the rare
// cases of Tail are in the method tail, and Fixed is short enough to be inlined.

// Struct is a struct that is read in place. The zero Struct reads as the zero value.
//
// A Struct, and every string and byte slice taken from it, points into the message. The buffer must
// stay unchanged while they are in use. If the buffer changes, reads return nonsense or panic in a
// bounds check, but never read outside the buffer.
type Struct struct {
	b []byte
	m sections
}

// sections packs the layout of a struct into one word, so that a view stays in registers. Bits 0–13
// are the bytes of scalars, 14–27 the number of tails, 28–39 the offset of the scalars, and 40–47
// the Code of a struct that could not be opened. Bit 48 says that words are wide. Bits 49–59 are
// the limits of [Struct.Under], and bit 60 says that the message was verified.
type sections uint64

const wideSections sections = 1 << 48

// verified marks a struct of a deeply verified message. Structs inside it are opened by their
// headers alone, without checks.
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

// failed returns a Struct whose error is c. It reads as the zero value.
func failed(c Code) Struct { return Struct{m: sections(c) << 40} }

// View opens the message b of type t. It checks this one struct: its header, its sections and the
// ends of its tails, but not the contents of its fields.
func View(t *Desc, b []byte) (Struct, *Error) {
	h := t.Head
	if len(b) < headLen || len(b) > Narrow || U32(b) != h || t.Shape != ShapeStruct {
		return view(t, b)
	}
	// The struct is narrow and of the version of t.
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

// view is the general form of View, and its reference.
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

// Err returns what was wrong when a struct inside an unverified message was opened, or nil. Such a
// struct reads as the zero value. In a verified message Err is always nil.
func (s Struct) Err() error {
	if c := s.m.err(); c != OK {
		return c
	}
	return nil
}

// Len returns the encoded size of the struct in bytes.
func (s Struct) Len() int { return len(s.b) }

var zeros [MaxFixed + 1]byte

// Fixed returns the size bytes at offset off of the scalars: zeros if the writer's version did not
// have that field.
func (s Struct) Fixed(off, size int) []byte {
	if off+size > s.m.scalars() {
		return zeros[:size]
	}
	return s.b[s.m.at()+off:][:size]
}

// Tail returns tail i: nil if the writer's version did not have that field.
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

// tail is Tail for wide words and for tails that do not exist.
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

// Open opens the slot b of a field of s as a struct of type t. An empty slot is the zero Struct. If
// the message was verified, this takes constant time.
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

// Element opens element i of l, a list in a field of s, as a struct of type t. If the message was
// verified, this takes constant time.
func (s Struct) Element(t *Desc, l ListView, i int) Struct {
	if s.m&verified == 0 {
		return l.Struct(t, i).In(s)
	}
	return s.inside(l.l.At(i), l.l.Head, 0)
}

// inside returns the struct b with the header h and its scalars at offset at, without checks: the
// message was verified. View and openView are its references.
func (s Struct) inside(b []byte, h uint32, at int) Struct {
	m := sections(h&(1<<28-1)) | sections(at)<<28 | s.m&(limitBits|verified)
	if len(b) > Narrow {
		m |= wideSections
	}
	return Struct{b, m}
}

// OpenSlot opens the slot b as a struct of type t. An empty slot is the zero Struct.
func OpenSlot(t *Desc, b []byte) Struct {
	if len(b) == 0 {
		return Struct{}
	}
	v, _ := View(t, b)
	return v
}

// ListView is a list that is read in place. The zero ListView is empty.
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

// Err returns what was wrong when a list in an unverified message was opened, or nil. Such a list
// reads as an empty one.
func (l ListView) Err() error {
	if l.err == OK {
		return nil
	}
	return l.err
}

// Len returns the number of elements.
func (l ListView) Len() int { return l.l.N }

// At returns the slot of element i. It panics if i is out of range.
func (l ListView) At(i int) []byte { return l.l.At(i) }

// Struct opens element i of a list of structs of type t.
func (l ListView) Struct(t *Desc, i int) Struct {
	s, _ := openView(t, l.l.At(i), l.l.Head, 0)
	return s
}

// MapView is a map with string keys that is read in place. The zero MapView is empty.
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

// Err returns what was wrong when a map in an unverified message was opened, or nil. Such a map
// reads as an empty one.
func (m MapView) Err() error { return m.keys.Err() }

// Len returns the number of pairs.
func (m MapView) Len() int { return m.keys.Len() }

// Key returns key i. Keys are in increasing order.
func (m MapView) Key(i int) string { return String(m.keys.At(i)) }

// Values returns the column of values, which has one for each key.
func (m MapView) Values() []byte { return m.vals }

// Find returns the index of key, by binary search, and whether the map has the key.
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
