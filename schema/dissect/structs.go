package dissect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zmylab/zmy/schema"
	"github.com/zmylab/zmy/wire"
)

const sparseBit = 1 // of the reserved bits of a header

// frame is an opened struct, with the parts that are valid.
type frame struct {
	body    slot
	head    slot // the header; empty if a list shares it
	bitmap  slot // of a sparse struct, including the byte with its length
	h       uint32
	s, n    int // sizes of the sections according to the header
	sparse  bool
	scalars slot
	ends    []slot // the words
	tails   []slot
	es      int
	bad     string // what is wrong, "" if nothing
	rest    slot   // the bytes after the last valid part
}

// open finds the parts of the struct in s. If shared is set, s contains no header: a list has it,
// and h is that header.
func (w *walker) open(s slot, h uint32, shared bool) (f frame) {
	f = frame{body: s, h: h, es: wire.WordSize(s.len()), rest: s}
	at := s.from
	if !shared {
		if s.len() < 4 {
			f.bad = fmt.Sprintf("%d bytes, a header needs 4", s.len())
			return f
		}
		f.h = wire.U32(w.b[at:])
		f.head = slot{at, at + 4}
		at += 4
	}
	var reserved uint32
	f.s, f.n, reserved = wire.SplitHeader(f.h)
	f.sparse = reserved == sparseBit && !shared // sparse structs do not share a header
	f.rest.from = at
	if reserved != 0 && !f.sparse {
		f.bad = fmt.Sprintf("reserved bits %#x are set", reserved)
		return f
	}
	if f.sparse {
		k := 0
		if at < s.to {
			k = int(w.b[at])
		}
		if f.bitmap = (slot{at, at + 1 + k}); f.bitmap.to > s.to {
			f.bad = fmt.Sprintf("a bitmap of %d bytes in %d", k, s.to-at)
			return f
		}
		at = f.bitmap.to
	}
	f.scalars = slot{at, min(at+f.s, s.to)}
	at += f.s
	f.rest.from = f.scalars.to
	if first := at + f.es*f.n; first > s.to {
		f.bad = fmt.Sprintf("%d bytes of scalars and %d words of %d bytes need %d, there are %d", f.s, f.n, f.es, first-s.from, s.len())
		return f
	}
	f.ends, f.tails, f.rest.from, f.bad = w.slots(s, at, f.n, f.es, at+f.es*f.n, "tail")
	return f
}

// slots reads n words of the container s, which start at offset at. Each word is the end of a slot,
// and the first slot starts at offset from. what is the name of a slot in texts. If a word is out
// of order, bad says so. Then slots returns all n words, but only the slots before that word. rest
// is the end of the last slot returned.
func (w *walker) slots(s slot, at, n, es, from int, what string) (words, slots []slot, rest int, bad string) {
	rest = from
	for i := range n {
		x := slot{at + es*i, at + es*(i+1)}
		words = append(words, x)
		end := s.from + word(w.b[x.from:], es)
		switch {
		case bad != "":
		case end < rest || end > s.to:
			bad = fmt.Sprintf("%s %d ends at %d, not between %d and %d", what, i, end-s.from, rest-s.from, s.len())
		default:
			slots = append(slots, slot{rest, end})
			rest = end
		}
	}
	if bad == "" && rest != s.to {
		bad = fmt.Sprintf("%d bytes behind the last %s", s.to-rest, what)
	}
	return words, slots, rest, bad
}

func (f *frame) hasBitmap() bool { return f.bitmap.len() > 0 && f.bitmap.to <= f.body.to }

func word(b []byte, es int) int {
	if es == 2 {
		return int(wire.U16(b))
	}
	return int(wire.U32(b))
}

// structure walks through a struct of type i that has a header of its own.
func (w *walker) structure(i int, s slot, p place) {
	f := w.open(s, 0, false)
	t := &w.s.Types[i]
	w.group(s, p, w.typeName(i), "%s", w.summary(i, &f))
	if p.depth > maxDepth {
		w.part(Unknown, s, p, "", "deeper than shown")
		return
	}
	if !w.enters(p.path) {
		return
	}
	w.part(Header, f.head, p.in(), "", "%sS = %d bytes of scalars, N = %d tails", map[bool]string{true: "sparse, "}[f.sparse], f.s, f.n)
	if f.hasBitmap() {
		w.part(Bitmap, f.bitmap, p.in(), "", "%s", bitmapText(t, w.bytes(f.bitmap)))
	}
	w.body(i, &f, p)
}

func (w *walker) summary(i int, f *frame) string {
	d := &w.l.Table[i]
	switch {
	case f.bad != "":
		return "damaged: " + f.bad
	case f.sparse, f.h == d.Head:
		return ""
	}
	s, n, _ := wire.SplitHeader(d.Head)
	if f.s >= s && f.n >= n {
		return "of a newer version"
	}
	if k := slices.Index(d.Older, f.h); k >= 0 {
		return fmt.Sprintf("of an older version, with %d of %d fields", k+1, len(d.Fields))
	}
	return fmt.Sprintf("of another type: S = %d, N = %d where %d and %d belong", f.s, f.n, s, n)
}

func bitmapText(t *schema.Type, b []byte) string {
	var names []string
	for i := 0; i < 8*(len(b)-1); i++ {
		if b[1+i/8]>>(i%8)&1 == 0 {
			continue
		}
		if i < len(t.Fields) {
			names = append(names, fieldName(&t.Fields[i]))
		} else {
			names = append(names, fmt.Sprintf("#%d", i))
		}
	}
	if len(names) == 0 {
		return "no field"
	}
	if len(names) > 12 {
		names = append(names[:12], fmt.Sprintf("… %d fields", len(names)))
	}
	return strings.Join(names, ", ")
}

func fieldName(f *schema.Field) string {
	if f.Reserved || f.Name == "" {
		return fmt.Sprintf("#%d", f.Number)
	}
	return f.Name
}

// present returns the fields that the struct has, in the order of their numbers: the first ones for
// an older version, all for a newer one, those of the bitmap for a sparse struct.
func (w *walker) present(i int, f *frame) (list []int) {
	t, d := &w.s.Types[i], &w.l.Table[i]
	for j := range t.Fields {
		if f.sparse {
			k := f.bitmap.from + 1 + j/8
			if !f.hasBitmap() || k >= f.bitmap.to || w.b[k]>>(j%8)&1 == 0 {
				continue
			}
		}
		list = append(list, j)
	}
	if k := slices.Index(d.Older, f.h); k >= 0 && !f.sparse {
		return list[:k+1]
	}
	return list
}

// body walks through the sections of a struct of type i.
func (w *walker) body(i int, f *frame, p place) {
	t := &w.s.Types[i]
	fields := w.present(i, f)
	at := f.scalars.from
	for _, j := range fields {
		x := &t.Fields[j]
		d := &w.l.Table[x.Type]
		if w.l.Places[i][j].Tail {
			continue
		}
		if at+d.Size > f.scalars.to {
			break
		}
		w.scalar(int(x.Type), slot{at, at + d.Size}, p.field(fieldName(x)))
		at += d.Size
	}
	w.part(Unknown, slot{at, f.scalars.to}, p.in(), "", "scalars that the schema does not know")
	var tails []int
	for _, j := range fields {
		if w.l.Places[i][j].Tail {
			tails = append(tails, j)
		}
	}
	for k, e := range f.ends {
		name := "unknown tail " + fmt.Sprint(k)
		if k < len(tails) {
			name = fieldName(&t.Fields[tails[k]])
		}
		w.end(e, f.body.from, f.es, p, name)
	}
	for k, s := range f.tails {
		if k >= len(tails) {
			w.part(Unknown, s, p.in(), "", "tail %d, which the schema does not know", k)
			continue
		}
		x := &t.Fields[tails[k]]
		in := p.field(fieldName(x))
		if w.enters(in.path) {
			w.slot(int(x.Type), s, in)
		}
	}
	w.rest(f, p)
}

func (w *walker) rest(f *frame, p place) {
	if f.bad != "" {
		w.damaged(f.rest, p.in(), "%s", f.bad)
	}
}

// end yields a word that says where name ends. The word counts from offset from, where its
// container starts.
func (w *walker) end(s slot, from, es int, p place, name string) {
	end := word(w.b[s.from:], es)
	w.part(End, s, p.in(), "", "%s ends at %d (offset %#x)", name, end, from+end)
}
