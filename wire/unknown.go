package wire

import "strconv"

// Unknown carries what a newer version of a struct has and its own type does
// not know: scalars and tails behind those of the type, and fields that it only
// reserves, byte for byte. A struct
// type opts in by a field of this type, which has no number:
//
//	type Order struct {
//		ID      string `zmy:"0"`
//		unknown zmy.Unknown
//	}
//
// Unmarshalling sets it, marshalling writes it back. It cannot be changed, so
// copies of a struct may share it; it points into no message.
type Unknown struct{ rest *rest }

// rest is what stands behind the sections of a struct's own type. Scalars and
// tails may all be zero: an element of a list has them because others do.
type rest struct {
	scalars []byte
	tails   []byte // joined
	ends    []int  // of each tail, in tails
	bits    []byte // of a sparse struct: its bitmap without the known fields
	kept    []kept // reserved fields that are not zero
}

// Bytes of memory that a rest takes, and each of its kept, whose slice grows.
const (
	restMemory = 136
	keptMemory = 72
)

type kept struct {
	field int
	bytes []byte
}

// IsZero reports that nothing is carried.
func (u Unknown) IsZero() bool { return u.rest == nil }

// overfull marks the header of a struct that is too large by what it carries: a
// bit that no header has. Writing the struct then fails.
const overfull = 1 << 31

// Head is the header of a struct that carries u, mine being that of its type.
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

// misplaced is the error of a struct that cannot carry u together with s bytes of
// scalars and n tails of its own. It can where u comes from its own type.
func (u Unknown) misplaced(c Code, s, n int) *Error {
	err := Fail(c, 0)
	if r := u.rest; r != nil {
		err.Note = "its zmy.Unknown has " + strconv.Itoa(len(r.scalars)) + " bytes of scalars and " + strconv.Itoa(len(r.ends)) +
			" tails, besides " + strconv.Itoa(s) + " and " + strconv.Itoa(n) + " of its own; was it copied from a struct of another type?"
	}
	return err
}

// Keep takes up the bytes of reserved field i, which may change afterwards.
func (d *Decoder) Keep(u *Unknown, i int, b []byte) *Error {
	if IsZero(b) {
		return nil
	}
	return d.keep(u, i, b)
}

// KeepTail takes up the tail of reserved field i.
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

// Kept returns the bytes of reserved field i, nil for none.
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

// PutKept sets b to the bytes of reserved field i, or to zeros.
func (u Unknown) PutKept(b []byte, i int) { clear(b[copy(b, u.Kept(i)):]) }

// MaxHead is the header under which structs with the headers a and b fit.
func MaxHead(a, b uint32) uint32 {
	as, an, _ := SplitHeader(a)
	bs, bn, _ := SplitHeader(b)
	return Header(max(as, bs), max(an, bn)) | (a|b)&overfull
}

// Unknown takes up what the struct b, which OpenStruct has opened, has behind
// the sections of its type.
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
	from := len(b) // of the tails behind the known ones
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

// carry copies scalars and tails: they may be carried for long, and whoever
// copies the struct shares them.
func carry(scalars, tails []byte) *rest {
	own := append(append(make([]byte, 0, len(scalars)+len(tails)), scalars...), tails...)
	return &rest{scalars: own[:len(scalars):len(scalars)], tails: own[len(scalars):]}
}

// EndNewer is [Encoder.EndStruct] for a struct that is written under the header
// h of a newer version: that of u, or one that a list's elements share. The
// struct stands in b as its own type has it; u goes behind each section, and
// zeros and empty tails where h has still more.
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
