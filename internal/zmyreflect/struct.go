package zmyreflect

import (
	"github.com/zmylab/zmy/internal/zmytype"
	"github.com/zmylab/zmy/wire"
)

// headOf returns the header of the struct v, which may keep fields of a newer version.
func (t *typ) headOf(v ref) uint32 {
	if t.unknown == nil || t.shape == zmytype.ShapeSparse {
		return t.head
	}
	return v.field(t.unknown).unknown().Head(t.head)
}

// appendStruct appends a struct. h is its header. If head is 4 the header is appended too; if head
// is 0, the list around the struct has it.
func (t *typ) appendStruct(e *wire.Encoder, b []byte, v ref, h uint32, head, left int) ([]byte, *wire.Error) {
	if left <= 0 {
		return b, wire.Fail(wire.ErrDepth, 0)
	}
	s := len(b)
	b = wire.Extend(b, head+t.fixedLen())
	if head != 0 {
		wire.PutU32(b[s:], t.head)
	}
	at := s + head + t.scalars
	if err := t.putScalars(b[s+head:at], v); err != nil {
		return b, err
	}
	// Most structs are narrow. So there is room for ends of two bytes already, and each end is
	// stored as soon as it is known. If an end does not fit, all ends are collected in wide, and
	// EndStruct makes room for ends of four bytes.
	var wide []int
	for i, f := range t.tails {
		var err *wire.Error
		if f.reserved {
			if t.unknown != nil {
				b = append(b, v.field(t.unknown).unknown().Kept(f.number)...)
			}
		} else if b, err = f.typ.appendSlot(e, b, v.field(f), left); err != nil {
			return b, err.In(f.name, 0)
		}
		end := len(b) - s
		if end <= wire.Narrow {
			wire.PutU16(b[at+2*i:], uint16(end))
			continue
		}
		if wide == nil {
			wide = readEnds(b[at:], i, len(t.tails))
		}
		wide = append(wide, end)
	}
	switch {
	case t.shape == zmytype.ShapeSparse || h != t.head:
		if wide == nil {
			wide = readEnds(b[at:], len(t.tails), len(t.tails))
		}
		var u wire.Unknown
		if t.unknown != nil {
			u = *v.field(t.unknown).unknown()
		}
		if t.shape == zmytype.ShapeSparse {
			return e.EndSparse(b, s, t.desc, wide, u)
		}
		return e.EndNewer(b, s, head, t.head, h, wide, u, t.names...)
	case wide != nil:
		return e.EndStruct(b, s, at, wide, t.names...)
	}
	return b, nil
}

// putScalars sets the scalar section.
func (t *typ) putScalars(x []byte, v ref) *wire.Error {
	for i := range t.steps {
		switch p := &t.steps[i]; p.act {
		case actRun:
			v.putRun(x[p.off:p.off+p.n], p.from)
		case actFixed:
			if err := p.f.typ.putFixed(x[p.off:], v.field(p.f)); err != nil {
				return err.In(p.f.name, 0)
			}
		case actReserved:
			if t.unknown == nil {
				clear(x[p.off : p.off+p.n])
			} else {
				v.field(t.unknown).unknown().PutKept(x[p.off:p.off+p.n], p.f.number)
			}
		}
	}
	return nil
}

// readEnds returns the first n ends in b, in a slice with room for more.
func readEnds(b []byte, n, room int) []int {
	ends := make([]int, n, room)
	for i := range ends {
		ends[i] = int(wire.U16(b[2*i:]))
	}
	return ends
}

// opened is a struct whose sections were checked.
type opened struct {
	x     []byte // scalars of the reader's version
	first int    // offset of the first tail
	words []byte // ends as words of two bytes; not used if ends is set
	ends  []int
}

// end returns the offset at which tail i ends.
func (o *opened) end(i int) int {
	if o.ends == nil {
		return int(wire.U16(o.words[2*i:]))
	}
	return o.ends[i]
}

// start returns the offset at which tail i starts.
func (o *opened) start(i int) int {
	if i == 0 {
		return o.first
	}
	return o.end(i - 1)
}

// decodeStruct reads the struct b, whose header is h, into v. If head is 4, b starts with the
// header; if head is 0, the list around it has the header.
func (t *typ) decodeStruct(d *wire.Decoder, b []byte, h uint32, head int, v ref, left int) *wire.Error {
	if left <= 0 {
		return wire.Fail(wire.ErrDepth, 0)
	}
	if h != t.head || len(b) > wire.Narrow || t.shape == zmytype.ShapeSparse {
		return t.decodeOther(d, b, h, head, v, left)
	}
	if t.unknown != nil {
		*v.field(t.unknown).unknown() = wire.Unknown{}
	}
	at, first := head+t.scalars, head+t.fixedLen()
	if len(b) < first {
		return wire.FailShort(first, len(b))
	}
	o := opened{x: b[head:at], words: b[at:first], first: first}
	prev := first
	for w := o.words; len(w) >= 2; w = w[2:] {
		end := int(wire.U16(w))
		if end < prev {
			return wire.Fail(wire.ErrEnds, 0)
		}
		prev = end
	}
	if prev != len(b) {
		return wire.Fail(wire.ErrEnds, 0)
	}
	return t.decodeFields(d, b, head, v, left, &o)
}

// decodeOther reads a struct that is sparse, wide or of another version.
func (t *typ) decodeOther(d *wire.Decoder, b []byte, h uint32, head int, v ref, left int) (err *wire.Error) {
	var few [16]int
	o := opened{ends: few[:]}
	if n := len(t.tails); n <= len(few) {
		o.ends = few[:n]
	} else {
		o.ends = make([]int, n)
	}
	var keep *wire.Unknown
	if t.unknown != nil {
		keep = v.field(t.unknown).unknown()
	}
	if t.shape == zmytype.ShapeSparse {
		o.x, o.first, err = d.OpenSparse(b, h, t.desc, o.ends, keep)
	} else {
		o.x, o.first, err = d.OpenStruct(b, h, head, t.head, t.older, o.ends)
		if err == nil && keep != nil {
			*keep, err = d.Unknown(b, h, head, t.head)
		}
	}
	if err != nil {
		return err
	}
	return t.decodeFields(d, b, head, v, left, &o)
}

func (t *typ) decodeFields(d *wire.Decoder, b []byte, head int, v ref, left int, o *opened) *wire.Error {
	for i := range t.steps {
		p := &t.steps[i]
		switch p.act {
		case actRun:
			v.getRun(o.x[p.off:p.off+p.n], p.from)
			continue
		case actFixed:
			if err := p.f.typ.getFixed(o.x[p.off:], v.field(p.f)); err != nil {
				off := head + p.off
				if t.shape == zmytype.ShapeSparse { // the message has other offsets than x
					off = wire.SparseOffset(b, t.desc, p.f.number)
				}
				return err.In(p.f.name, off)
			}
			continue
		}
		if err := t.decodeReserved(d, b, v, o, p); err != nil {
			return err
		}
	}
	from := o.first
	for i, f := range t.tails {
		to := o.end(i)
		if !f.reserved {
			if err := f.typ.decodeSlot(d, b[from:to], v.field(f), left); err != nil {
				return err.In(f.name, from)
			}
		}
		from = to
	}
	if t.after {
		if err := v.pointer(t).(afterer).AfterUnmarshalZMY(); err != nil {
			return wire.FailMethod(err)
		}
	}
	return nil
}

// decodeReserved reads a reserved field. If the struct has a field of type zmy.Unknown, that keeps
// the content. Otherwise the content is dropped, or refused under the option Exact.
func (t *typ) decodeReserved(d *wire.Decoder, b []byte, v ref, o *opened, p *step) *wire.Error {
	var bytes []byte
	content := false
	if p.act == actTail {
		bytes = b[o.start(p.f.tail):o.end(p.f.tail)]
		content = len(bytes) > 0 // a tail of zero bytes is content too
	} else {
		bytes = o.x[p.off : p.off+p.n]
		content = !wire.IsZero(bytes)
	}
	switch {
	case t.unknown == nil:
		if d.Exact && content {
			return wire.Fail(wire.ErrVersion, 0)
		}
	case p.act == actTail:
		return d.KeepTail(v.field(t.unknown).unknown(), p.f.number, bytes)
	default:
		return d.Keep(v.field(t.unknown).unknown(), p.f.number, bytes)
	}
	return nil
}
