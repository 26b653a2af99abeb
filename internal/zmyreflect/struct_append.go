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
	var wide []int // all ends, as soon as one needs four bytes
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
