package wire

import "math/bits"

// A sparse struct has a bitmap of the fields that it contains; zero fields take no bytes. Reading
// expands it to the layout of a dense struct, and writing compacts a dense one. So all other code
// is the same for both.

const sparseBit = 1 << 28

// sparse is an opened sparse struct.
type sparse struct {
	bits     []byte
	at       int // offset of the scalars
	s, n, es int
	known    int // bytes of scalars of fields that the reader's type has
	tails    int // tails of fields that the reader's type has
	unknown  int // fields that the reader's type does not have
}

func (o *sparse) has(i int) bool { return i/8 < len(o.bits) && o.bits[i/8]>>(i%8)&1 != 0 }

func (o *sparse) first() int { return o.at + o.s + o.es*o.n }

// openSparse checks the struct b, whose header is h, against its length, its bitmap and the
// reader's type t. Like the function check, it keeps to the order of checks in FORMAT.md, section
// 10. So an empty tail is noticed early, but ErrZero is returned only after the counts were found
// to be right.
func openSparse(b []byte, h uint32, t *Desc) (o sparse, c Code) {
	s, n, reserved := SplitHeader(h)
	if reserved != sparseBit>>28 {
		return o, ErrReserved
	}
	if len(b) < headLen+1 || len(b) < headLen+1+int(b[headLen]) {
		return o, ErrTruncated
	}
	at := headLen + 1 + int(b[headLen])
	o = sparse{bits: b[headLen+1 : at], at: at, s: s, n: n, es: WordSize(len(b))}
	if o.first() > len(b) {
		return o, ErrTruncated
	}
	if k := len(o.bits); k > 0 && o.bits[k-1] == 0 {
		return o, ErrSparse
	}
	prev, empty := o.first(), false
	for i := range n {
		end := word(b, at+s+o.es*i, o.es)
		if end < prev || end > len(b) {
			return o, ErrEnds
		}
		empty = empty || end == prev
		prev = end
	}
	if prev != len(b) {
		return o, ErrEnds
	}
	if o.es == 4 && len(b)-2*n <= Narrow {
		return o, ErrWidth
	}
	if c := o.count(b, t); c != OK {
		return o, c
	}
	if empty {
		return o, ErrZero
	}
	return o, OK
}

// count counts the fields in the bitmap and checks that they match the sections. Fields that the
// reader does not know have unknown sizes. So their number only bounds the tails and bytes of
// scalars that the known fields leave over.
func (o *sparse) count(b []byte, t *Desc) Code {
	zero := false
	for i, size := range t.Sizes {
		switch {
		case !o.has(i):
		case size == 0:
			o.tails++
		case o.known+size > o.s:
			return ErrSparse
		default:
			zero = zero || IsZero(b[o.at+o.known:][:size])
			o.known += size
		}
	}
	for i := len(t.Sizes); i < 8*len(o.bits); i++ {
		if o.has(i) {
			o.unknown++
		}
	}
	if !sparseFits(o.unknown, o.n-o.tails, o.s-o.known) {
		return ErrSparse
	}
	if zero {
		return ErrZero
	}
	return OK
}

// OpenSparse is [Decoder.OpenStruct] for a sparse struct of type t. If keep is not nil, it receives
// the fields that t does not have.
func (d *Decoder) OpenSparse(b []byte, h uint32, t *Desc, ends []int, keep *Unknown) (x []byte, first int, err *Error) {
	o, c := openSparse(b, h, t)
	if c != OK {
		return nil, 0, FailSlot(c, b)
	}
	if d.Exact && o.unknown > 0 {
		return nil, 0, Fail(ErrVersion, 0)
	}
	if keep != nil {
		if *keep, err = d.unknownSparse(b, &o, len(t.Sizes)); err != nil {
			return nil, 0, err
		}
	}
	ms, _, _ := SplitHeader(t.Head)
	if cap(d.pad) < ms {
		d.pad = make([]byte, ms)
	}
	x = d.pad[:ms]
	clear(x)
	from, to, tail, prev := o.at, 0, 0, o.first()
	at, words := 0, o.at+o.s
	for i, size := range t.Sizes {
		has := o.has(i)
		switch {
		case size > 0 && has:
			from += copy(x[to:to+size], b[from:])
			to += size
		case size > 0:
			to += size
		default:
			if has {
				prev = word(b, words+o.es*at, o.es)
				at++
			}
			ends[tail] = prev
			tail++
		}
	}
	return x, o.first(), nil
}

func (d *Decoder) unknownSparse(b []byte, o *sparse, fields int) (Unknown, *Error) {
	if o.unknown == 0 {
		return Unknown{}, nil
	}
	more := o.n - o.tails
	cost := len(o.bits) + o.s - o.known + SlotCost*more
	if err := d.ChargeFat(1, cost, restMemory+cost); err != nil {
		return Unknown{}, err
	}
	at := o.at + o.s
	from := o.first()
	if o.tails > 0 {
		from = word(b, at+o.es*(o.tails-1), o.es)
	}
	r := carry(b[o.at+o.known:at], b[from:])
	r.bits = append(r.bits, o.bits...)
	for i := range min(fields, 8*len(r.bits)) {
		r.bits[i/8] &^= 1 << (i % 8)
	}
	for i := range more {
		r.ends = append(r.ends, word(b, at+o.es*(o.tails+i), o.es)-from)
	}
	return Unknown{r}, nil
}

// EndSparse is [Encoder.EndStruct] for a sparse struct of type t. The struct is at b[s:] in the
// layout of a dense one, and EndSparse compacts it. The fields of u follow the struct's own fields.
//
// It builds the new front part in sec: first the bitmap, as large as it can become, then the
// scalars that are not zero. The tails are not copied there. They move once, to where the new front
// part ends, since empty tails take no bytes and the others already follow each other.
func (e *Encoder) EndSparse(b []byte, s int, t *Desc, ends []int, u Unknown) ([]byte, *Error) {
	ms, mn, _ := SplitHeader(t.Head)
	x := b[s+headLen:][:ms]
	old := headLen + ms + 2*mn // offset of the tails in the dense layout
	var mem [256]byte
	sec := append(mem[:0], make([]byte, (len(t.Sizes)+7)/8)...)
	if r := u.rest; r != nil && len(r.bits) > len(sec) {
		sec = append(sec, make([]byte, len(r.bits)-len(sec))...)
	}
	bitmap := len(sec)
	kept := make([]int, 0, 16) // ends of the tails, counted from the start of the first tail
	prev, tail, off := old, 0, 0
	for i, size := range t.Sizes {
		has := false
		if size > 0 {
			if has = !IsZero(x[off : off+size]); has {
				sec = append(sec, x[off:off+size]...)
			}
			off += size
		} else {
			if has = ends[tail] > prev; has {
				prev = ends[tail]
				kept = append(kept, prev-old)
			}
			tail++
		}
		if has {
			sec[i/8] |= 1 << (i % 8)
		}
	}
	if r := u.rest; r != nil {
		if !r.fitsSparse(len(t.Sizes)) {
			return b, u.misplaced(ErrSparse, ms, mn)
		}
		for i, c := range r.bits {
			sec[i] |= c
		}
		sec = append(sec, r.scalars...)
		for _, end := range r.ends {
			kept = append(kept, prev-old+end)
		}
		b = append(b, r.tails...)
	}
	scalars := len(sec) - bitmap
	if scalars > MaxScalars || len(kept) > MaxTails {
		return b, u.misplaced(ErrTooLarge, ms, mn)
	}
	used := bitmap
	for used > 0 && sec[used-1] == 0 {
		used--
	}
	front, m := headLen+1+used+scalars+2*len(kept), len(b)
	if front > old { // the bitmap and the parts of u may take more than compacting saves
		b = Extend(b, front-old)
	}
	copy(b[s+front:], b[s+old:m])
	b = b[:m-old+front]
	PutU32(b[s:], Header(scalars, len(kept))|sparseBit)
	b[s+headLen] = byte(used)
	copy(b[s+headLen+1:], sec[:used])
	copy(b[s+headLen+1+used:], sec[bitmap:])
	for i := range kept {
		kept[i] += front
	}
	return e.EndStruct(b, s, s+front-2*len(kept), kept)
}

// fitsSparse reports whether the bitmap of r matches r's sections and contains none of the fields
// of the struct's own type. fields is the number of those fields.
func (r *rest) fitsSparse(fields int) bool {
	n := 0
	for i, c := range r.bits {
		n += bits.OnesCount8(c)
		if own := min(fields-8*i, 8); own > 0 && c<<(8-own) != 0 {
			return false
		}
	}
	return sparseFits(n, len(r.ends), len(r.scalars))
}

// sparseFits reports whether the given number of fields can have so many tails and bytes of
// scalars. Each field is either a tail or takes at least one byte of scalars.
func sparseFits(fields, tails, bytes int) bool {
	return tails >= 0 && tails <= fields && bytes >= fields-tails && (tails < fields || bytes == 0)
}

// SparseOffset returns the offset of field i in the sparse struct b of type t, for errors.
// [Decoder.OpenSparse] must have opened b before.
func SparseOffset(b []byte, t *Desc, i int) int {
	v, _ := View(t, b)
	off, _, _ := v.sparse(t, i)
	return v.m.at() + off
}

// SparseFixed returns the size bytes of field i of a struct of type t: zeros if the message does
// not have the field.
func (s Struct) SparseFixed(t *Desc, i, size int) []byte {
	if off, _, ok := s.sparse(t, i); ok {
		return s.b[s.m.at()+off:][:size]
	}
	return zeros[:size]
}

// SparseTail returns the tail of field i of a struct of type t: empty if the message does not have
// the field.
func (s Struct) SparseTail(t *Desc, i int) []byte {
	if _, tail, ok := s.sparse(t, i); ok {
		return s.Tail(tail)
	}
	return nil
}

// sparse reports whether the message has field i. If the field is a scalar, off is its offset in
// the scalars. If it is a tail, tail is its index.
func (s Struct) sparse(t *Desc, i int) (off, tail int, ok bool) {
	if len(s.b) == 0 {
		return 0, 0, false
	}
	o := sparse{bits: s.b[headLen+1 : s.m.at()]}
	for j, size := range t.Sizes[:i] {
		switch {
		case !o.has(j):
		case size == 0:
			tail++
		default:
			off += size
		}
	}
	return off, tail, o.has(i)
}
