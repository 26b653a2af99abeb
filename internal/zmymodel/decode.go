package zmymodel

import (
	"fmt"
	"strings"
)

// Limits are the limits of FORMAT.md, section 9. Exact says that only the reader's own version is
// accepted.
type Limits struct {
	MaxWire  int   `json:"maxWire,omitempty"`
	MaxRaw   int   `json:"maxRaw,omitempty"` // for envelopes and streams
	MaxDepth int   `json:"maxDepth,omitempty"`
	Budget   int64 `json:"budget,omitempty"`
	Exact    bool  `json:"exact,omitempty"`
}

func (l Limits) orDefaults() Limits {
	if l.MaxWire == 0 {
		l.MaxWire = 128 << 10
	}
	if l.MaxDepth == 0 {
		l.MaxDepth = 64
	}
	if l.Budget == 0 {
		l.Budget = max(16<<20, 16*int64(l.MaxWire))
	}
	return l
}

// Fault says why bytes are not a message.
type Fault struct {
	Code   string
	Offset int
	Path   string
}

func (f *Fault) Error() string { return fmt.Sprintf("%s at %d (%s)", f.Code, f.Offset, f.Path) }

// Decode reads the message b as a value of the struct type t. fault is nil if b is valid.
func Decode(t *Type, b []byte, l Limits) (v *Rec, fault *Fault) {
	l = l.orDefaults()
	d := &decoder{Limits: l, left: l.Budget}
	defer func() {
		if r := recover(); r != nil {
			f, ok := r.(*Fault)
			if !ok {
				panic(r)
			}
			v, fault = nil, f
		}
	}()
	if len(b) > l.MaxWire {
		d.fail("TOO_LARGE", 0)
	}
	return d.record(t, slot{b, 0}, 1), nil
}

// decoder is the state of one call. Its functions report a fault by panicking with a *Fault.
type decoder struct {
	Limits
	left  int64 // units of the budget that are left
	steps []string
}

// slot is a range of the message: its bytes and their offset.
type slot struct {
	b  []byte
	at int
}

// sub returns the bytes [lo, hi) of s.
func (s slot) sub(lo, hi int) slot { return slot{s.b[lo:hi], s.at + lo} }

func (d *decoder) fail(code string, at int) {
	panic(&Fault{code, at, strings.TrimPrefix(strings.Join(d.steps, ""), ".")})
}

// in runs f with one more step in the path. It does not restore the path after a fault, since
// nobody reads it then.
func (d *decoder) in(step string, f func()) {
	d.steps = append(d.steps, step)
	f()
	d.steps = d.steps[:len(d.steps)-1]
}

// charge takes units from the budget, and fails if too few are left. Callers charge for values
// before they make them.
func (d *decoder) charge(units int64, at int) {
	if units > d.left {
		d.fail("BUDGET", at)
	}
	d.left -= units
}

// record reads a struct that has a header of its own.
func (d *decoder) record(t *Type, s slot, depth int) *Rec {
	return d.body(t, s, d.head(s), 4, depth)
}

func (d *decoder) head(s slot) uint32 {
	if len(s.b) < 4 {
		d.fail("TRUNCATED", s.at+len(s.b))
	}
	return le.Uint32(s.b)
}

// body reads a struct with the header h. head is the size in bytes of the header in s: 4, or 0 if a
// list has the header.
func (d *decoder) body(t *Type, s slot, h uint32, head, depth int) *Rec {
	if depth > d.MaxDepth {
		d.fail("DEPTH", s.at)
	}
	if t.Sparse {
		return d.sparse(t, s, h, depth)
	}
	if h>>28 != 0 {
		d.fail("RESERVED", s.at)
	}
	c := sections{int(h & 0x3fff), int(h >> 14 & 0x3fff)}
	if head+c.s+width(s)*c.n > len(s.b) {
		d.fail("TRUNCATED", s.at+len(s.b))
	}
	if !t.accepts(c) {
		d.fail("MIXED", s.at)
	}
	tails := d.tails(s, head+c.s, c.n)
	mine := t.sections()
	if d.Exact && c != mine {
		d.fail("VERSION", s.at)
	}
	v := t.Zero()
	if t.Keeps && (c.s > mine.s || c.n > mine.n) {
		more := c.n - mine.n
		d.charge(int64(c.s-mine.s+slotUnits*more), s.at)
		v.Rest.Scalars = string(s.b[head+mine.s : head+c.s])
		for _, x := range tails[c.n-more:] {
			v.Rest.Tails = append(v.Rest.Tails, string(x.b))
		}
	}
	fixed := s.sub(head, head+c.s)
	d.fields(t, v, s.at, depth, func(_, n int) (slot, bool) {
		if n > len(fixed.b) {
			return slot{}, false // an older version has no more fields
		}
		x := fixed.sub(0, n)
		fixed = fixed.sub(n, len(fixed.b))
		return x, true
	}, func(int) slot {
		if len(tails) == 0 {
			return slot{}
		}
		x := tails[0]
		tails = tails[1:]
		return x
	})
	return v
}

// fields reads the fields of v: first scalars and reserved fields, then tails. The function fixed
// returns the n bytes of a scalar, and false if the message lacks it. The function tail returns the
// slot of a tail.
func (d *decoder) fields(t *Type, v *Rec, at, depth int, fixed func(field, n int) (slot, bool), tail func(field int) slot) {
	slots := make([]slot, len(t.Fields))
	for i, f := range t.Fields {
		if f.Type.size() == 0 {
			slots[i] = tail(i)
		} else if x, ok := fixed(i, f.Type.size()); ok {
			if f.Reserved {
				slots[i] = x
			} else {
				d.in("."+f.Name, func() { v.Fields[i] = d.fixed(f.Type, x, x.at) })
			}
		}
		if f.Reserved {
			v.Fields[i] = d.reserved(t, f.Type, slots[i], at)
		}
	}
	for i, f := range t.Fields {
		if f.Type.size() == 0 && !f.Reserved {
			d.in("."+f.Name, func() { v.Fields[i] = d.slot(f.Type, slots[i], depth) })
		}
	}
}

// reserved returns the value of a reserved field: its content if t keeps it.
func (d *decoder) reserved(t, f *Type, x slot, at int) Value {
	switch {
	case allZero(string(x.b)) && (f.size() > 0 || len(x.b) == 0):
		return f.zero()
	case t.Keeps:
		d.charge(slotUnits, at)
	case d.Exact:
		d.fail("VERSION", at)
	default:
		return f.zero()
	}
	if f.size() > 0 {
		return Fixed(x.b)
	}
	return Raw(x.b)
}

// width returns the size in bytes of the words of a container.
func width(s slot) int {
	if len(s.b) <= narrow {
		return 2
	}
	return 4
}

func readWord(s slot, at int) int {
	if width(s) == 2 {
		return int(le.Uint16(s.b[at:]))
	}
	return int(le.Uint32(s.b[at:]))
}

// tails returns the tails of a struct. Its n ends are at offset at.
func (d *decoder) tails(s slot, at, n int) []slot {
	es := width(s)
	prev := at + es*n
	out := make([]slot, n)
	for i := range out {
		end := readWord(s, at+es*i)
		if end < prev || end > len(s.b) {
			d.fail("ENDS", s.at)
		}
		out[i] = s.sub(prev, end)
		prev = end
	}
	if prev != len(s.b) {
		d.fail("ENDS", s.at)
	}
	d.narrowest(s, n)
	return out
}

// narrowest fails if s has words of four bytes though words of two bytes would do. n is their
// number.
func (d *decoder) narrowest(s slot, n int) {
	if width(s) == 4 && len(s.b)-2*n <= narrow {
		d.fail("WIDTH", s.at)
	}
}
