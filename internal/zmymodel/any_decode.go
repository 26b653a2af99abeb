package zmymodel

import "unicode/utf8"

// any reads a value of type any (FORMAT.md, section 7). depth is its nesting level.
func (d *decoder) any(s slot, depth int) Value {
	if depth > d.MaxDepth {
		d.fail("DEPTH", s.at)
	}
	v := Dyn{Kind: s.b[0]}
	p := s.sub(1, len(s.b))
	form, known := anyForms[v.Kind]
	switch t := form.typ; {
	case v.Kind == 0:
		d.fail("DOMAIN", s.at)
	case !known:
		v.Payload = Raw(p.b)
	case v.Kind == anyFalse || v.Kind == anyTrue:
		if len(p.b) > 0 {
			d.fail("LENGTH", s.at)
		}
	case v.Kind == anyStruct:
		if len(p.b) < 8 {
			d.fail("LENGTH", s.at)
		}
		v.Payload = Raw(p.b)
	case v.Kind == anyDecimal:
		d.decimal(p, s.at)
		v.Payload = Raw(p.b)
	case t.size() > 0:
		v.Payload = d.anyScalar(v.Kind, t, p, s.at)
	case t.Kind == BigInt:
		d.bigInt(p, s.at)
		v.Payload = Raw(p.b)
	case t.Kind == BigFloat:
		d.bigFloat(p, s.at)
		v.Payload = Raw(p.b)
	case t.Kind == String:
		if !utf8.Valid(p.b) {
			d.fail("UTF8", s.at)
		}
		v.Payload = Raw(p.b)
	case t.Kind == List && t.Elem.size() > 0:
		v.Payload = d.anyPacked(t.Elem, p, s.at)
	default:
		v.Payload = d.slot(t, p, depth)
	}
	return v
}

func (d *decoder) anyScalar(kind byte, t *Type, p slot, at int) Value {
	if len(p.b) != t.size() {
		d.fail("LENGTH", at)
	}
	if anyInt8 < kind && kind <= anyInt64 {
		half := 4 * len(p.b) // bits of the next smaller kind
		if v := signed(p.b); v >= -1<<(half-1) && v < 1<<(half-1) {
			d.fail("NOT_MINIMAL", at)
		}
	}
	if kind == anyUint64 && unsigned(p.b) < 1<<63 {
		d.fail("NOT_MINIMAL", at)
	}
	return d.fixed(t, p, at)
}

// anyPacked reads a packed list. It checks all elements before it charges the budget.
func (d *decoder) anyPacked(e *Type, p slot, at int) Value {
	n := e.size()
	if len(p.b)%n != 0 {
		d.fail("LENGTH", at)
	}
	var out Elems
	for i := 0; i < len(p.b); i += n {
		out = append(out, d.fixed(e, p.sub(i, i+n), at))
	}
	d.charge(int64(len(p.b)), at)
	if out == nil {
		return nil
	}
	return out
}

// decimal checks a decimal: an i16 scale and a big integer.
func (d *decoder) decimal(p slot, at int) {
	if len(p.b) < 3 {
		d.fail("LENGTH", at)
	}
	if scale := signed(p.b[:2]); scale > 10_000 || scale < -10_000 || len(p.b) > 3+4096 {
		d.fail("DOMAIN", at)
	}
	d.bigInt(p.sub(2, len(p.b)), at)
}
