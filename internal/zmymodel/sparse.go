package zmymodel

// sparse reads a sparse struct (FORMAT.md, section 15).
func (d *decoder) sparse(t *Type, s slot, h uint32, depth int) *Rec {
	if h>>28 != 1 {
		d.fail("RESERVED", s.at)
	}
	c := sections{int(h & 0x3fff), int(h >> 14 & 0x3fff)}
	if len(s.b) < 5 || len(s.b) < 5+int(s.b[4])+c.s+width(s)*c.n {
		d.fail("TRUNCATED", s.at+len(s.b))
	}
	bitmap := s.b[5 : 5+int(s.b[4])]
	if n := len(bitmap); n > 0 && bitmap[n-1] == 0 {
		d.fail("SPARSE", s.at)
	}
	at := 5 + len(bitmap)
	tails := d.tails(s, at+c.s, c.n)
	places, rest := d.bits(t, s, bitmap, c)
	for i, f := range t.Fields {
		if p, ok := places[i]; ok && f.Type.size() > 0 && allZero(string(s.b[at+p:at+p+f.Type.size()])) {
			d.fail("ZERO", s.at)
		}
	}
	for _, x := range tails {
		if len(x.b) == 0 {
			d.fail("ZERO", s.at)
		}
	}
	if d.Exact && len(rest.Bits) > 0 {
		d.fail("VERSION", s.at)
	}
	v := t.Zero()
	more := c.n - rest.tails
	if t.Keeps && len(rest.Bits) > 0 {
		d.charge(int64(len(bitmap)+c.s-rest.scalars+slotUnits*more), s.at)
		v.Rest.Bits = rest.Bits
		v.Rest.Scalars = string(s.b[at+rest.scalars : at+c.s])
		for _, x := range tails[rest.tails:] {
			v.Rest.Tails = append(v.Rest.Tails, string(x.b))
		}
	}
	d.fields(t, v, s.at, depth, func(i, n int) (slot, bool) {
		p, ok := places[i]
		if !ok {
			return slot{}, false
		}
		return s.sub(at+p, at+p+n), true
	}, func(i int) slot {
		if p, ok := places[i]; ok {
			return tails[p]
		}
		return slot{}
	})
	return v
}

// known says how many bytes of scalars and how many tails of a sparse struct belong to fields of
// the reader's type. Bits has the numbers of the message's other fields.
type known struct {
	scalars, tails int
	Bits           []int
}

// bits returns, by field number, the offset among the scalars or the index of the tail of each
// field that the message has.
func (d *decoder) bits(t *Type, s slot, bitmap []byte, c sections) (places map[int]int, k known) {
	places = map[int]int{}
	for i := range 8 * len(bitmap) {
		if bitmap[i/8]>>(i%8)&1 == 0 {
			continue
		}
		switch {
		case i >= len(t.Fields):
			k.Bits = append(k.Bits, i)
		case t.Fields[i].Type.size() > 0:
			places[i] = k.scalars
			k.scalars += t.Fields[i].Type.size()
		default:
			places[i] = k.tails
			k.tails++
		}
	}
	u, scalars, tails := len(k.Bits), c.s-k.scalars, c.n-k.tails
	if scalars < 0 || tails < 0 || tails > u || scalars < u-tails || u == tails && scalars != 0 {
		d.fail("SPARSE", s.at)
	}
	return places, k
}
