package zmymodel

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// listing is a list whose first and last word were checked.
type listing struct {
	s     slot
	words int    // offset of the words
	n     int    // number of elements
	h     uint32 // header that dense structs share
	step  int    // size of each element if there are no words
}

// open opens a list whose words start at offset at. least is the smallest size of an element in
// bytes.
func (d *decoder) open(s slot, at, least int) listing {
	es := width(s)
	if len(s.b) < at+2*es {
		d.fail("TRUNCATED", s.at+len(s.b))
	}
	first := readWord(s, at)
	if first < at+2*es || first > len(s.b) || (first-at)%es != 0 {
		d.fail("COUNT", s.at)
	}
	words := (first - at) / es
	if readWord(s, first-es) != len(s.b) {
		d.fail("ENDS", s.at)
	}
	d.narrowest(s, words)
	if (words-1)*least > len(s.b)-first {
		d.fail("ENDS", s.at)
	}
	return listing{s: s, words: at, n: words - 1}
}

// openDense opens a list of dense structs of type t.
func (d *decoder) openDense(t *Type, s slot) listing {
	h := d.head(s)
	c := sections{int(h & 0x3fff), int(h >> 14 & 0x3fff)}
	switch size := len(s.b) - 4; {
	case h>>28 != 0:
		d.fail("RESERVED", s.at)
	case !t.accepts(c):
		d.fail("MIXED", s.at)
	case c.n > 0:
		l := d.open(s, 4, c.s+2*c.n)
		l.h = h
		return l
	case c.s == 0 || size == 0 || size%c.s != 0:
		d.fail("LENGTH", s.at)
	}
	return listing{s: s, words: 4, n: (len(s.b) - 4) / c.s, h: h, step: c.s}
}

// element returns the bytes of element i.
func (d *decoder) element(l listing, i int) slot {
	if l.step > 0 {
		return l.s.sub(4+i*l.step, 4+(i+1)*l.step)
	}
	es := width(l.s)
	lo, hi := readWord(l.s, l.words+es*i), readWord(l.s, l.words+es*(i+1))
	if hi < lo || hi > len(l.s.b) {
		d.fail("ENDS", l.s.at+lo)
	}
	return l.s.sub(lo, hi)
}

func index(i int) string { return "[" + strconv.Itoa(i) + "]" }

// strings checks a list of strings. First it checks the bounds of all, that none starts inside a
// rune, and the order of keys; then it checks each string by itself. The fast code finds faults in
// this order.
func (d *decoder) strings(l listing, keys bool) []slot {
	out := make([]slot, l.n)
	for i := range out {
		d.in(index(i), func() {
			out[i] = d.element(l, i)
			if b := out[i].b; len(b) > 0 && b[0]&0xc0 == 0x80 {
				d.fail("UTF8", out[i].at)
			}
			if keys && i > 0 && bytes.Compare(out[i-1].b, out[i].b) >= 0 {
				d.fail("KEY_ORDER", out[i].at)
			}
		})
	}
	for i, x := range out {
		if !utf8.Valid(x.b) {
			d.in(index(i), func() { d.fail("UTF8", x.at) })
		}
	}
	return out
}

// packed splits a packed list into its elements.
func (d *decoder) packed(e *Type, s slot) []slot {
	n := e.size()
	if len(s.b) == 0 || len(s.b)%n != 0 {
		d.fail("LENGTH", s.at)
	}
	var out []slot
	for i := 0; i < len(s.b); i += n {
		out = append(out, s.sub(i, i+n))
	}
	return out
}

// column is an opened list, array or column of a map: its length, and a function that reads element
// i.
type column struct {
	n    int
	read func(i, depth int) Value
}

// column opens a list of elements of type e: packed, dense, or of slots.
func (d *decoder) column(e *Type, s slot) column {
	switch {
	case e.size() > 0:
		parts := d.packed(e, s)
		return column{len(parts), func(i, _ int) Value { return d.fixed(e, parts[i], parts[i].at) }}
	case e.Kind == String || e.Kind == OwnText:
		parts := d.strings(d.open(s, 0, 0), false)
		return column{len(parts), func(i, depth int) Value { return d.slot(e, parts[i], depth) }}
	case e.dense():
		l := d.openDense(e, s)
		return column{l.n, func(i, depth int) Value { return d.body(e, d.element(l, i), l.h, 0, depth+1) }}
	}
	l := d.open(s, 0, 0)
	return column{l.n, func(i, depth int) Value { return d.slot(e, d.element(l, i), depth) }}
}

// list reads a list (FORMAT.md, section 5).
func (d *decoder) list(t *Type, s slot, depth int) Value {
	e := t.elem()
	c := d.column(e, s)
	d.charge(int64(c.n)*int64(e.units()), s.at)
	return d.elems(c, depth)
}

func (d *decoder) elems(c column, depth int) Elems {
	out := make(Elems, c.n)
	for i := range out {
		d.in(index(i), func() { out[i] = c.read(i, depth) })
	}
	return out
}

// array reads an array that is a tail. An array of zeros must be an empty slot instead.
func (d *decoder) array(t *Type, s slot, depth int) Value {
	if n, ok := t.long(); ok {
		switch {
		case len(s.b) != n:
			d.fail("LENGTH", s.at)
		case !t.valid(s.b):
			d.fail("DOMAIN", s.at)
		case allZero(string(s.b)):
			d.fail("ZERO", s.at)
		}
		return Fixed(s.b)
	}
	e := t.elem()
	c := d.column(e, s)
	if c.n != t.Len {
		d.fail("COUNT", s.at)
	}
	out := d.elems(c, depth)
	if d.zeroElems(e, s, c.n) {
		d.fail("ZERO", s.at)
	}
	return out
}

// zeroElems reports whether all n elements of a valid list are zero.
func (d *decoder) zeroElems(e *Type, s slot, n int) bool {
	if !e.dense() {
		return len(s.b) == width(s)*(n+1)
	}
	l := d.openDense(e, s)
	for i := range n {
		if !zeroStruct(d.element(l, i), l.h, 0) {
			return false
		}
	}
	return true
}

// mapping reads a map (FORMAT.md, section 6).
func (d *decoder) mapping(t *Type, s slot, depth int) Value {
	es := width(s)
	if len(s.b) < es {
		d.fail("TRUNCATED", s.at+len(s.b))
	}
	d.narrowest(s, 1)
	split := readWord(s, 0)
	if split <= es || split > len(s.b) {
		d.fail("ENDS", s.at)
	}
	keys := d.keys(t.Key, s.sub(es, split))
	vals, e := s.sub(split, len(s.b)), t.elem()
	c := column{n: len(keys), read: func(int, int) Value { return nil }}
	if !e.empty() {
		c = d.column(e, vals)
	} else if len(vals.b) > 0 {
		d.fail("ENDS", vals.at)
	}
	if c.n != len(keys) {
		d.fail("COUNT", vals.at)
	}
	d.charge(int64(c.n)*int64(pairUnits+t.Key.units()+e.units()), s.at)
	out := make(Pairs, c.n)
	for i, k := range keys {
		out[i].Key = t.Key.key(k.b)
		d.in(t.Key.step(k.b), func() { out[i].Value = c.read(i, depth) })
	}
	return out
}

// keys reads and checks the column of keys.
func (d *decoder) keys(t *Type, s slot) []slot {
	if t.Kind == String {
		return d.strings(d.open(s, 0, 0), true)
	}
	parts := d.packed(t, s)
	for i, k := range parts {
		d.in(index(i), func() { d.fixed(t, k, k.at) })
	}
	for i := 1; i < len(parts); i++ {
		if !t.less(parts[i-1].b, parts[i].b) {
			d.in(index(i), func() { d.fail("KEY_ORDER", parts[i].at) })
		}
	}
	return parts
}

// key returns the encoded key b as a value.
func (t *Type) key(b []byte) Value {
	if t.Kind == String {
		if len(b) == 0 {
			return nil
		}
		return Raw(b)
	}
	return Fixed(b)
}

// less compares two encoded keys: integers as numbers, all others as unsigned bytes.
func (t *Type) less(x, y []byte) bool {
	switch t.Kind {
	case "int8", "int16", "int32", "int64", "duration":
		return signed(x) < signed(y)
	case "uint8", "uint16", "uint32", "uint64":
		return unsigned(x) < unsigned(y)
	}
	return bytes.Compare(x, y) < 0
}

func unsigned(b []byte) uint64 {
	var wide [8]byte
	copy(wide[:], b)
	return le.Uint64(wide[:])
}

func signed(b []byte) int64 {
	shift := 64 - 8*len(b)
	return int64(unsigned(b)<<shift) >> shift
}

// step returns a key as a step of a path.
func (t *Type) step(b []byte) string {
	switch t.Kind {
	case "bool":
		return "[bool]"
	case String, Array:
		s := string(b)
		if len(s) > 40 {
			s = s[:40] + "…"
		}
		return "[" + strconv.QuoteToASCII(s) + "]"
	case "uint8", "uint16", "uint32", "uint64":
		return "[" + strconv.FormatUint(unsigned(b), 10) + "]"
	}
	return "[" + strconv.FormatInt(signed(b), 10) + "]"
}
