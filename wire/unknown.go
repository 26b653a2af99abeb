package wire

import "strconv"

// Unknown keeps the parts of a message that the struct's own version does not know. These are the
// scalars and tails that a newer version has after those of the struct, and fields that the struct
// only reserves. Their bytes are kept unchanged. To keep them, give the struct a field of this
// type; the field has no number:
//
//	type Order struct {
//		ID      string `zmy:"0"`
//		unknown zmy.Unknown
//	}
//
// Unmarshalling sets the field and marshalling writes its content back. An Unknown is immutable, so
// copies of a struct may share it, and it does not point into the message.
type Unknown struct{ rest *rest }

// rest is the content of an Unknown. Its scalars and tails may all be zero: elements of a list
// share a header, so one element has them if any other does.
type rest struct {
	scalars []byte
	tails   []byte // all tails, one after another
	ends    []int  // the end of each tail in tails
	bits    []byte // for a sparse struct, its bitmap without the fields that its own type has
	kept    []kept // reserved fields that are not zero
}

// restMemory is the memory of a rest in bytes. keptMemory is that of one element of its slice kept,
// and allows for the growth of the slice by append.
const (
	restMemory = 136
	keptMemory = 72
)

type kept struct {
	field int
	bytes []byte
}

// IsZero reports whether u keeps nothing.
func (u Unknown) IsZero() bool { return u.rest == nil }

// overfull marks the header of a struct that becomes too large because of its Unknown. No valid
// header has this bit. Writing such a struct fails.
const overfull = 1 << 31

// Head returns the header of a struct that keeps u. mine is the header of the struct's own type.
func (u Unknown) Head(mine uint32) uint32 {
	if u.rest == nil {
		return mine
	}
	s, n, _ := SplitHeader(mine)
	s, n = s+len(u.rest.scalars), n+len(u.rest.ends)
	if s > MaxScalars || n > MaxTails {
		return mine | overfull
	}
	return Header(s, n)
}

// misplaced returns the error of a struct that cannot keep u together with its own s bytes of
// scalars and n tails. That happens only if u was copied from another type.
func (u Unknown) misplaced(c Code, s, n int) *Error {
	err := Fail(c, 0)
	if r := u.rest; r != nil {
		err.Note = "its zmy.Unknown has " + strconv.Itoa(len(r.scalars)) + " bytes of scalars and " + strconv.Itoa(len(r.ends)) +
			" tails, besides " + strconv.Itoa(s) + " and " + strconv.Itoa(n) + " of its own; was it copied from a struct of another type?"
	}
	return err
}

// Keep adds a copy of b, the bytes of reserved field i, to u. Zero bytes are not kept.
func (d *Decoder) Keep(u *Unknown, i int, b []byte) *Error {
	if IsZero(b) {
		return nil
	}
	return d.keep(u, i, b)
}

// KeepTail adds a copy of b, the tail of reserved field i, to u. An empty tail is not kept.
func (d *Decoder) KeepTail(u *Unknown, i int, b []byte) *Error {
	if len(b) == 0 {
		return nil
	}
	return d.keep(u, i, b)
}

func (d *Decoder) keep(u *Unknown, i int, b []byte) *Error {
	mem := keptMemory + len(b)
	if u.rest == nil {
		mem += restMemory
	}
	if err := d.ChargeFat(1, SlotCost, mem); err != nil {
		return err
	}
	if u.rest == nil {
		u.rest = &rest{}
	}
	u.rest.kept = append(u.rest.kept, kept{i, append([]byte(nil), b...)})
	return nil
}

// Kept returns the bytes of reserved field i, or nil if u does not have them.
func (u Unknown) Kept(i int) []byte {
	if u.rest != nil {
		for _, k := range u.rest.kept {
			if k.field == i {
				return k.bytes
			}
		}
	}
	return nil
}

// PutKept sets b to the bytes of reserved field i, or to zeros if u does not have them.
func (u Unknown) PutKept(b []byte, i int) { clear(b[copy(b, u.Kept(i)):]) }

// MaxHead returns the header that structs with the headers a and b can share. It has the larger of
// the two scalar sections and the larger number of tails.
func MaxHead(a, b uint32) uint32 {
	as, an, _ := SplitHeader(a)
	bs, bn, _ := SplitHeader(b)
	return Header(max(as, bs), max(an, bn)) | (a|b)&overfull
}

// Unknown returns the scalars and tails that the struct b has after those of the reader's version.
// OpenStruct must have opened b before.
func (d *Decoder) Unknown(b []byte, h uint32, head int, mine uint32) (Unknown, *Error) {
	s, n, _ := SplitHeader(h)
	ms, mn, _ := SplitHeader(mine)
	if s <= ms && n <= mn {
		return Unknown{}, nil
	}
	cost := s - ms + SlotCost*(n-mn)
	if err := d.ChargeFat(1, cost, restMemory+cost); err != nil {
		return Unknown{}, err
	}
	es, at := WordSize(len(b)), head+s
	from := len(b) // offset of the first unknown tail
	switch {
	case n > mn && mn > 0:
		from = word(b, at+es*(mn-1), es)
	case n > mn:
		from = at + es*n
	}
	r := carry(b[head+ms:at], b[from:])
	if n > mn {
		r.ends = make([]int, n-mn)
		for i := range r.ends {
			r.ends[i] = word(b, at+es*(mn+i), es) - from
		}
	}
	return Unknown{r}, nil
}

// carry returns a rest with copies of scalars and tails. They are copied because a struct may keep
// them longer than the message lives, and copies of the struct share them.
func carry(scalars, tails []byte) *rest {
	own := append(append(make([]byte, 0, len(scalars)+len(tails)), scalars...), tails...)
	return &rest{scalars: own[:len(scalars):len(scalars)], tails: own[len(scalars):]}
}

// EndNewer is [Encoder.EndStruct] for a struct that is written under the header h of a newer
// version: u's header, or the one that the elements of a list share. The struct is in b in the
// layout of its own type. EndNewer appends the parts of u to its sections, and zeros and empty
// tails if h has even more.
func (e *Encoder) EndNewer(b []byte, s, head int, mine, h uint32, ends []int, u Unknown, names ...string) ([]byte, *Error) {
	ms, mn, _ := SplitHeader(mine)
	if u.Head(mine)&overfull != 0 {
		return b, u.misplaced(ErrTooLarge, ms, mn)
	}
	hs, hn, _ := SplitHeader(h)
	r := u.rest
	if r == nil {
		r = &rest{}
	}
	// hs-ms bytes of scalars are inserted before the struct's own words, and hn-mn words of two
	// bytes after them. The tails move by the sum of both. EndStruct widens words if it must.
	at, more, m := s+head+ms, hs-ms+2*(hn-mn), len(b)
	b = Extend(b, more)
	copy(b[at+2*mn+more:], b[at+2*mn:m])
	clear(b[at : at+hs-ms])
	copy(b[at:], r.scalars)
	b = append(b, r.tails...)
	if head != 0 {
		PutU32(b[s:], h)
	}
	all := make([]int, 0, hn)
	for _, end := range ends {
		all = append(all, end+more)
	}
	for _, end := range r.ends {
		all = append(all, m-s+more+end)
	}
	for len(all) < hn {
		all = append(all, len(b)-s)
	}
	return e.EndStruct(b, s, at+hs-ms, all, names...)
}

// Parts returns what u keeps, except reserved fields: scalars, tails and, for a sparse struct, the
// bitmap without the fields that the struct's own type has. The result must not be changed.
// [Unknown.Kept] returns reserved fields.
func (u Unknown) Parts() (scalars []byte, tails [][]byte, bits []byte) {
	if u.rest == nil {
		return nil, nil, nil
	}
	from := 0
	for _, end := range u.rest.ends {
		tails = append(tails, u.rest.tails[from:end:end])
		from = end
	}
	return u.rest.scalars, tails, u.rest.bits
}

// MakeUnknown is the inverse of [Unknown.Parts], for programs that get unknown parts from another
// source than a message. It does not check whether they form a valid struct; Verify of the
// marshalled message does.
func MakeUnknown(scalars []byte, tails [][]byte, bits []byte) Unknown {
	if len(scalars) == 0 && len(tails) == 0 && len(bits) == 0 {
		return Unknown{}
	}
	r := &rest{scalars: scalars, bits: bits}
	for _, t := range tails {
		r.tails = append(r.tails, t...)
		r.ends = append(r.ends, len(r.tails))
	}
	return Unknown{r}
}

// WithKept returns a copy of u that also keeps b as the bytes of reserved field i.
func (u Unknown) WithKept(i int, b []byte) Unknown {
	r := &rest{}
	if u.rest != nil {
		*r = *u.rest
	}
	r.kept = append(r.kept[:len(r.kept):len(r.kept)], kept{i, b})
	return Unknown{r}
}
