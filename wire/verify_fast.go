package wire

// Most messages are narrow, well-formed and of the reader's own version. Verifying such a message
// needs no errors, no state of a list, and words of two bytes only. Everything else goes to the
// general verifier, which is the reference. Only the general verifier returns errors.

// plain reports whether body accepts the struct b. h is its header, and left the number of levels
// that may still be entered, this one included.
func (v verifier) plain(t *Desc, b []byte, h uint32, head, left int) bool {
	if h != t.Head || len(b) > Narrow || t.Shape != ShapeStruct || left <= 0 {
		return v.body(t, b, h, head, left) == nil
	}
	s, n := int(h&MaxScalars), int(h>>14)
	at, first := head+s, head+s+2*n
	if first > len(b) {
		return false
	}
	pos, prev := head, first
	for _, f := range t.Fields {
		ft := &v.types[f]
		if ft.Shape == ShapeFixed {
			if (ft.Domain != AnyBytes || ft.Fields != nil) && v.fixed(ft, b[pos:pos+ft.Size]) >= 0 {
				return false
			}
			pos += ft.Size
			continue
		}
		end := int(U16(b[at:]))
		at += 2
		if end < prev || end > len(b) || end > prev && !v.plainSlot(ft, b[prev:end], left) {
			return false
		}
		prev = end
	}
	return prev == len(b)
}

// plainSlot reports whether slot accepts the content b of a slot, which must not be empty. left is
// the same as for the enclosing struct.
func (v verifier) plainSlot(t *Desc, b []byte, left int) bool {
	switch t.Shape {
	case ShapeString:
		return Valid(b)
	case ShapeBytes:
		return true
	case ShapeStruct:
		return len(b) >= headLen && v.plain(t, b, U32(b), headLen, left-1) && !IsZeroStruct(b)
	case ShapePtrStruct:
		return len(b) >= headLen && v.plain(&v.types[t.Elem], b, U32(b), headLen, left-1)
	case ShapeDense:
		if e := &v.types[t.Elem]; len(b) >= headLen+2 && len(b) <= Narrow && U32(b) == e.Head && e.Head > MaxScalars {
			return v.plainDense(e, b, left)
		}
	case ShapeMap:
		if v.types[t.Key].Shape == ShapeString && v.types[t.Elem].Shape == ShapeString {
			if _, _, n := plainColumns(b, true); n > 0 {
				return true
			}
		}
	}
	return v.slot(t, b, left) == nil
}

// plainDense reports whether b, a narrow list of structs of type e, is valid. The caller must have
// checked by the list's header that they are of the reader's own version and have tails.
func (v verifier) plainDense(e *Desc, b []byte, left int) bool {
	prev := int(U16(b[headLen:]))
	if prev < headLen+4 || prev > len(b) || prev&1 != 0 {
		return false
	}
	for w := b[headLen+2 : prev]; len(w) >= 2; w = w[2:] {
		end := int(U16(w))
		if end < prev || end > len(b) || !v.plain(e, b[prev:end], e.Head, 0, left-1) {
			return false
		}
		prev = end
	}
	return prev == len(b)
}
