package zmymodel

import (
	"math/big"
	"math/bits"
	"unicode/utf8"
)

// fixed reads a scalar (FORMAT.md, section 3). at is the offset of the field that contains it.
func (d *decoder) fixed(t *Type, s slot, at int) Value {
	if t.Kind == Inline {
		v := t.Elem.Zero()
		for i, f := range t.Elem.Fields {
			n := f.Type.size()
			x := s.sub(0, n)
			d.in("."+f.Name, func() { v.Fields[i] = d.fixed(f.Type, x, x.at) })
			s = s.sub(n, len(s.b))
		}
		return v
	}
	if !t.valid(s.b) {
		d.fail("DOMAIN", at)
	}
	return Fixed(s.b)
}

// valid reports whether the bytes are a valid scalar, or a valid array of scalars.
func (t *Type) valid(b []byte) bool {
	switch t.Kind {
	case Array:
		n := t.Elem.size()
		for ; len(b) > 0; b = b[n:] {
			if !t.Elem.valid(b[:n]) {
				return false
			}
		}
	case "bool":
		return b[0] <= 1
	case "time":
		s := int64(le.Uint64(b))
		return le.Uint32(b[8:]) < 1_000_000_000 && s >= -31_556_952_031_622_400 && s <= 31_556_951_999_999_999
	case "time:zone":
		east := int32(le.Uint32(b[12:]))
		return fixedType("time").valid(b[:12]) && east >= -64_800 && east <= 64_800
	}
	return true
}

// slot reads the content of a slot. depth is the level of the struct or any value around it.
func (d *decoder) slot(t *Type, s slot, depth int) Value {
	if len(s.b) == 0 {
		return nil
	}
	switch t.Kind {
	case String, OwnText:
		if !utf8.Valid(s.b) {
			d.fail("UTF8", s.at)
		}
	case List:
		return d.list(t, s, depth)
	case Array:
		return d.array(t, s, depth)
	case Map:
		return d.mapping(t, s, depth)
	case Struct:
		h := d.head(s)
		v := d.body(t, s, h, 4, depth+1)
		if zeroStruct(s, h, 4) {
			d.fail("ZERO", s.at)
		}
		return v
	case Opt:
		return d.optional(t.Elem, s, depth)
	case Union:
		return d.union(t, s, depth)
	case Any:
		return d.any(s, depth+1)
	case BigInt:
		d.bigInt(s, s.at)
		if len(s.b) == 1 {
			d.fail("ZERO", s.at)
		}
	case BigFloat:
		d.bigFloat(s, s.at)
		if allZero(string(s.b)) {
			d.fail("ZERO", s.at)
		}
	}
	return Raw(s.b)
}

// zeroStruct reports whether a valid struct is the zero value, unknown parts included.
func zeroStruct(s slot, h uint32, head int) bool {
	if h>>28 != 0 {
		return len(s.b) == 5
	}
	scalars, n := int(h&0x3fff), int(h>>14&0x3fff)
	return len(s.b) == head+scalars+width(s)*n && allZero(string(s.b[head:head+scalars]))
}

// optional reads the slot of a pointer, or of a slice or map with the option nilable.
func (d *decoder) optional(e *Type, s slot, depth int) Value {
	switch {
	case e.Kind == Struct:
		h := d.head(s)
		d.charge(int64(e.units()), s.at)
		return Some{d.body(e, s, h, 4, depth+1)}
	case e.size() > 0:
		if len(s.b) != e.size() {
			d.fail("LENGTH", s.at)
		}
		d.charge(int64(e.units()), s.at)
		return Some{d.fixed(e, s, s.at)}
	case e.Kind == BigInt:
		d.bigInt(s, s.at)
		return Some{Raw(s.b)}
	case e.Kind == BigFloat:
		d.bigFloat(s, s.at)
		return Some{Raw(s.b)}
	}
	if s.b[0] != 1 {
		d.fail("DOMAIN", s.at)
	}
	in := s.sub(1, len(s.b))
	switch e.Kind {
	case List, Map, Bytes, JSON: // a slice or map is not charged for
	default:
		d.charge(int64(e.units()), in.at)
	}
	return Some{d.slot(e, in, depth)}
}

// union reads a union (FORMAT.md, section 14).
func (d *decoder) union(t *Type, s slot, depth int) Value {
	if len(s.b) < 2 {
		d.fail("TRUNCATED", s.at+len(s.b))
	}
	disc, in := int(le.Uint16(s.b)), s.sub(2, len(s.b))
	if disc == 0 {
		d.fail("DOMAIN", s.at)
	}
	for _, f := range t.Fields {
		if f.Disc == disc {
			d.charge(int64(f.Type.units()), s.at)
			return Arm{disc, d.slot(f.Type, in, depth)}
		}
	}
	d.charge(slotUnits, s.at)
	return Arm{disc, Raw(in.b)}
}

// bigInt checks a big integer (FORMAT.md, section 8). at is the offset of faults.
func (d *decoder) bigInt(s slot, at int) {
	switch b := s.b; {
	case len(b) == 0:
		d.fail("LENGTH", at)
	case b[0] > 1, b[0] == 1 && len(b) == 1:
		d.fail("DOMAIN", at)
	case len(b) > 1 && b[1] == 0:
		d.fail("NOT_MINIMAL", at)
	}
}

// bigFloat checks a big float (FORMAT.md, section 8). at is the offset of faults.
func (d *decoder) bigFloat(s slot, at int) {
	const limit = 65536
	if len(s.b) < 9 {
		d.fail("LENGTH", at)
	}
	prec, form, exp, mant := le.Uint32(s.b), s.b[4], int32(le.Uint32(s.b[5:])), s.b[9:]
	mode, kind := form&7, form>>3&3
	if prec > limit || exp > limit || exp < -limit || form>>6 != 0 || mode > byte(big.ToPositiveInf) || kind > 2 {
		d.fail("DOMAIN", at)
	}
	if kind != 1 {
		if exp != 0 || len(mant) > 0 {
			d.fail("DOMAIN", at)
		}
		return
	}
	if len(mant) == 0 || mant[0] < 0x80 || mant[len(mant)-1] == 0 {
		d.fail("NOT_MINIMAL", at)
	}
	if 8*len(mant)-bits.TrailingZeros8(mant[len(mant)-1]) > int(prec) {
		d.fail("DOMAIN", at)
	}
}
