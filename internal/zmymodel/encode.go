package zmymodel

import "encoding/binary"

var le = binary.LittleEndian

// narrow is the length in bytes of the largest container whose words have two bytes.
const narrow = 65535

// Encode returns v, a value of the struct type t, as a message.
func Encode(t *Type, v *Rec) []byte { return t.encode(v) }

// encode returns a struct with its header.
func (t *Type) encode(v *Rec) []byte {
	if t.Sparse {
		return t.encodeSparse(v)
	}
	c := t.sections()
	c.s += len(v.Rest.Scalars)
	c.n += len(v.Rest.Tails)
	return join(header(c, 0), t.fixed(v, c.s), t.tails(v, c.n))
}

func header(c sections, flags uint32) []byte {
	return le.AppendUint32(nil, uint32(c.s)|uint32(c.n)<<14|flags)
}

// fixed returns the scalar section of v, extended with zeros to s bytes.
func (t *Type) fixed(v *Rec, s int) []byte {
	var b []byte
	for i, f := range t.Fields {
		switch {
		case f.Type.size() == 0:
		case f.Type.Kind == Inline:
			b = append(b, f.Type.Elem.fixed(v.Fields[i].(*Rec), 0)...)
		default:
			b = append(b, v.Fields[i].(Fixed)...)
		}
	}
	b = append(b, v.Rest.Scalars...)
	return append(b, make([]byte, max(0, s-len(b)))...)
}

// tails returns the contents of the tails of v, extended with empty ones to n.
func (t *Type) tails(v *Rec, n int) [][]byte {
	var out [][]byte
	for i, f := range t.Fields {
		if f.Type.size() == 0 {
			out = append(out, f.Type.slot(v.Fields[i]))
		}
	}
	for _, x := range v.Rest.Tails {
		out = append(out, []byte(x))
	}
	for len(out) < n {
		out = append(out, nil)
	}
	return out
}

// join returns a container: front and more, one end for each tail, and the tails. Its words have
// two bytes if that makes the container narrow.
func join(front, more []byte, tails [][]byte) []byte {
	out := append(append([]byte{}, front...), more...)
	return ends(out, tails, false)
}

// ends appends the ends of the parts to front, and then the parts. If start is set, a word before
// the ends says where the first part begins.
func ends(front []byte, parts [][]byte, start bool) []byte {
	words, total := len(parts), len(front)
	if start {
		words++
	}
	for _, p := range parts {
		total += len(p)
	}
	size := 2
	if total+2*words > narrow {
		size = 4
	}
	at := len(front) + size*words
	out := front
	if start {
		out = word(out, at, size)
	}
	for _, p := range parts {
		at += len(p)
		out = word(out, at, size)
	}
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

func word(b []byte, v, size int) []byte {
	if size == 2 {
		return le.AppendUint16(b, uint16(v))
	}
	return le.AppendUint32(b, uint32(v))
}

// encodeSparse returns a sparse struct with its header (FORMAT.md, section 15).
func (t *Type) encodeSparse(v *Rec) []byte {
	var bits, scalars []byte
	var tails [][]byte
	set := func(i int) {
		for len(bits) <= i/8 {
			bits = append(bits, 0)
		}
		bits[i/8] |= 1 << (i % 8)
	}
	for i, f := range t.Fields {
		one := &Rec{Fields: []Value{v.Fields[i]}}
		if one.IsZero() {
			continue
		}
		set(i)
		part := &Type{Fields: []Field{f}}
		scalars = append(scalars, part.fixed(one, 0)...)
		tails = append(tails, part.tails(one, 0)...)
	}
	for _, i := range v.Rest.Bits {
		set(i)
	}
	scalars = append(scalars, v.Rest.Scalars...)
	for _, x := range v.Rest.Tails {
		tails = append(tails, []byte(x))
	}
	front := header(sections{len(scalars), len(tails)}, 1<<28)
	front = append(append(front, byte(len(bits))), bits...)
	return join(front, scalars, tails)
}

// slot returns the content of the slot of v.
func (t *Type) slot(v Value) []byte {
	if v == nil {
		return nil
	}
	switch t.Kind {
	case Struct:
		if v.(*Rec).IsZero() { // a struct may have become zero because its unknown parts were dropped
			return nil
		}
		return t.encode(v.(*Rec))
	case Opt:
		return t.optional(v.(Some))
	case List:
		return t.column(v.(Elems))
	case Array:
		if _, ok := t.long(); ok {
			return []byte(v.(Fixed))
		}
		if t.zeroArray(v.(Elems)) {
			return nil
		}
		return t.column(v.(Elems))
	case Map:
		return t.mapping(v.(Pairs))
	case Union:
		arm := v.(Arm)
		b := le.AppendUint16(nil, uint16(arm.Disc))
		for _, f := range t.Fields {
			if f.Disc == arm.Disc {
				return append(b, f.Type.slot(arm.Value)...)
			}
		}
		return append(b, arm.Value.(Raw)...)
	case Any:
		return v.(Dyn).encode()
	}
	return []byte(v.(Raw))
}

func (t *Type) optional(v Some) []byte {
	switch e := t.Elem; {
	case e.Kind == Struct:
		return e.encode(v.Value.(*Rec))
	case e.size() > 0:
		return []byte(v.Value.(Fixed))
	case e.Kind == BigInt || e.Kind == BigFloat:
		return []byte(v.Value.(Raw))
	default:
		return append([]byte{1}, e.slot(v.Value)...)
	}
}

// column returns a list of elements (FORMAT.md, section 5): packed, dense, or of slots. t is the
// list's type.
func (t *Type) column(list Elems) []byte {
	switch e := t.elem(); {
	case e.size() > 0:
		var b []byte
		for _, x := range list {
			b = append(b, x.(Fixed)...)
		}
		return b
	case e.dense():
		return e.denseList(list)
	default:
		parts := make([][]byte, len(list))
		for i, x := range list {
			parts[i] = e.slot(x)
		}
		return ends(nil, parts, true)
	}
}

// denseList returns a list of structs of type t. Their header has the largest S and N among them.
func (t *Type) denseList(list Elems) []byte {
	c := t.sections()
	for _, x := range list {
		rest := x.(*Rec).Rest
		c.s = max(c.s, t.sections().s+len(rest.Scalars))
		c.n = max(c.n, t.sections().n+len(rest.Tails))
	}
	parts := make([][]byte, len(list))
	for i, x := range list {
		parts[i] = join(nil, t.fixed(x.(*Rec), c.s), t.tails(x.(*Rec), c.n))
	}
	if c.n > 0 {
		return ends(header(c, 0), parts, true)
	}
	out := header(c, 0)
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

// mapping returns a map (FORMAT.md, section 6).
func (t *Type) mapping(pairs Pairs) []byte {
	keys, vals := make(Elems, len(pairs)), make(Elems, len(pairs))
	for i, p := range pairs {
		keys[i], vals[i] = p.Key, p.Value
	}
	columns := (&Type{Kind: List, Elem: t.Key}).column(keys)
	n := len(columns)
	if !t.elem().empty() {
		columns = append(columns, t.column(vals)...)
	}
	size := 2
	if 2+len(columns) > narrow {
		size = 4
	}
	return append(word(nil, size+n, size), columns...)
}
