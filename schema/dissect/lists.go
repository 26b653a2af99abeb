package dissect

import (
	"fmt"
	"strconv"

	"github.com/zmylab/zmy/wire"
)

// NOTE: Lists, arrays, and the keys and values of maps are columns. openColumn opens one, elements
// walks through it. guess.go and any.go use the same two with other functions for the elements.
// Packed values have no words: fixedElems divides their bytes.

// column is an opened list of slots or of dense structs.
type column struct {
	head  slot // the header that dense structs share
	h     uint32
	words []slot
	elems []slot
	es    int
	bad   string
	rest  slot
}

// openColumn finds the parts of the list in s. bad says what is wrong with the list, "" if nothing.
// rest is the range of bytes after the last valid part. All functions that open containers return
// the parts that are valid before a fault. So those are shown, and the walk goes on where it can.
func (w *walker) openColumn(s slot, dense bool) (c column) {
	c.es, c.rest = wire.WordSize(s.len()), s
	at := s.from
	if dense {
		if s.len() < 4 {
			c.bad = fmt.Sprintf("%d bytes, a header needs 4", s.len())
			return c
		}
		c.head, c.h = slot{at, at + 4}, wire.U32(w.b[at:])
		at += 4
		c.rest.from = at
		size, n, reserved := wire.SplitHeader(c.h)
		switch {
		case reserved != 0:
			c.bad = fmt.Sprintf("reserved bits %#x are set", reserved)
			return c
		case n == 0 && (size == 0 || (s.to-at)%size != 0 || s.to == at):
			c.bad = fmt.Sprintf("%d bytes are no number of elements of %d", s.to-at, size)
			return c
		case n == 0:
			for ; at < s.to; at += size {
				c.elems = append(c.elems, slot{at, at + size})
			}
			c.rest.from = at
			return c
		}
	}
	if s.to-at < c.es {
		c.bad = "no room for a word"
		return c
	}
	first := s.from + word(w.b[at:], c.es)
	if first > s.to || first < at+2*c.es || (first-at)%c.es != 0 {
		c.bad = fmt.Sprintf("the first element starts at %d, which tells no number of elements", first-s.from)
		return c
	}
	ends, elems, rest, bad := w.slots(s, at+c.es, (first-at)/c.es-1, c.es, first, "element")
	c.words, c.elems, c.rest.from, c.bad = append([]slot{{at, at + c.es}}, ends...), elems, rest, bad
	return c
}

func (c *column) summary() string {
	if c.bad != "" {
		return "damaged: " + c.bad
	}
	return count(len(c.elems), "element")
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// list walks through a list, an array that is a tail, or a column of map values. keys are the names
// of its elements in paths; nil means 0, 1, 2 …
func (w *walker) list(elem int, s slot, p place, keys []string) {
	dense := w.l.Table[elem].Shape == wire.ShapeStruct
	c := w.openColumn(s, dense)
	if keys == nil {
		w.group(s, p, "[]"+w.typeName(elem), "%s", c.summary())
	}
	if !w.enters(p.path) {
		return
	}
	w.elements(&c, s, p, keys, func(x slot, in place) {
		if !dense {
			w.slot(elem, x, in)
			return
		}
		f := w.open(x, c.h, true)
		w.group(x, in, w.typeName(elem), "%s", w.summary(elem, &f))
		w.body(elem, &f, in)
	})
}

// elements walks through a list, and calls f for its elements.
func (w *walker) elements(c *column, s slot, p place, keys []string, f func(slot, place)) {
	w.columnHead(c, s, p)
	w.elems(c.elems, p, keys, f)
	w.behind(c, p, keys)
}

// elemKey returns the name of element i in paths: its key if the list is a column of a map, else
// its index.
func elemKey(keys []string, i int) string {
	if i < len(keys) {
		return keys[i]
	}
	return strconv.Itoa(i)
}

// behind yields the rest of a list whose words are damaged. The path of that part is the first
// element without valid bounds.
func (w *walker) behind(c *column, p place, keys []string) {
	switch {
	case c.bad == "":
	case len(c.words) == 0:
		w.damaged(c.rest, p.in(), "%s", c.bad)
	default:
		w.damaged(c.rest, p.elem(elemKey(keys, len(c.elems))), "%s", c.bad)
	}
}

// columnHead yields the header and the words of a list.
func (w *walker) columnHead(c *column, s slot, p place) {
	if c.head.len() > 0 {
		size, n, _ := wire.SplitHeader(c.h)
		w.part(Header, c.head, p.in(), "", "each has S = %d bytes of scalars, N = %d tails", size, n)
	}
	for i, x := range c.words {
		if hidden, last := w.hidden(i, len(c.words)); hidden {
			if last {
				from := c.words[w.o.MaxElems]
				w.part(Elided, slot{from.from, x.to}, p.in(), "", "%s", count(i-w.o.MaxElems+1, "word"))
			}
			continue
		}
		if i == 0 {
			w.part(End, x, p.in(), "", "elements start at %d: there are %d", word(w.b[x.from:], c.es), len(c.words)-1)
			continue
		}
		w.end(x, s.from, c.es, p, "["+strconv.Itoa(i-1)+"]")
	}
}

// hidden reports whether part i of n is left out, and whether it is the last one left out.
func (w *walker) hidden(i, n int) (hidden, last bool) {
	m := w.o.MaxElems
	if m <= 0 || n <= m+2 || w.o.Field != "" { // a note in place of one part saves nothing
		return false, false
	}
	return i >= m && i < n-1, i == n-2
}

// elems calls f for the elements of a list. It leaves out the middle of a long list.
func (w *walker) elems(list []slot, p place, keys []string, f func(slot, place)) {
	for i, x := range list {
		if w.done {
			return
		}
		if hidden, last := w.hidden(i, len(list)); hidden {
			if last {
				w.part(Elided, slot{list[w.o.MaxElems].from, x.to}, p.in(), "", "%s", count(i-w.o.MaxElems+1, "element"))
			}
			continue
		}
		if in := p.elem(elemKey(keys, i)); w.enters(in.path) {
			f(x, in)
		}
	}
}

// mapping walks through a map.
func (w *walker) mapping(i int, s slot, p place) {
	t := &w.s.Types[i]
	m := w.openMap(s)
	if m.bad != "" {
		w.group(s, p, w.typeName(i), "damaged: %s", m.bad)
		w.damaged(s, p, "%s", m.bad)
		return
	}
	k := &w.l.Table[t.Key]
	var keys []string
	var c column
	if k.Shape == wire.ShapeFixed {
		for at := m.keys.from; at+k.Size <= m.keys.to; at += k.Size {
			keys = append(keys, w.fixedText(int(t.Key), w.b[at:at+k.Size]))
		}
	} else {
		c, keys = w.openKeys(m)
	}
	w.group(s, p, w.typeName(i), "%s", entries(len(keys)))
	if !w.enters(p.path) {
		return
	}
	if k.Shape == wire.ShapeFixed {
		w.end(m.word, s.from, m.word.len(), p, "keys")
		w.part(Value, m.keys, p.in(), "key", "%s", w.packed(int(t.Key), w.bytes(m.keys)))
	} else {
		w.textKeys(m, &c, p, keys, false)
	}
	elem := w.l.Table[i].Elem
	switch d := &w.l.Table[elem]; {
	case elem == len(w.s.Types): // a set
		w.damaged(m.values, p, "values of a set")
	case d.Shape == wire.ShapeFixed:
		w.fixedElems(elem, m.values, p, keys)
	default:
		w.list(elem, m.values, p, keys)
	}
}

// columns is an opened map. bad says what is wrong with it.
type columns struct {
	word         slot // says where the keys end
	keys, values slot
	bad          string
}

func (w *walker) openMap(s slot) (m columns) {
	es, keyEnd := wire.WordSize(s.len()), 0
	if s.len() >= es {
		keyEnd = word(w.b[s.from:], es)
	}
	if keyEnd <= es || keyEnd > s.len() {
		return columns{bad: fmt.Sprintf("the keys end at %d of %d bytes", keyEnd, s.len())}
	}
	at := s.from + es
	return columns{word: slot{s.from, at}, keys: slot{at, s.from + keyEnd}, values: slot{s.from + keyEnd, s.to}}
}

// openKeys opens the keys of a map that are strings. keys are the keys as they appear in paths.
func (w *walker) openKeys(m columns) (c column, keys []string) {
	c = w.openColumn(m.keys, false)
	for _, x := range c.elems {
		keys = append(keys, quote(w.bytes(x)))
	}
	return c, keys
}

// textKeys walks through the keys of a map that are strings. The path of a key is that of its
// value; it is one level deeper, so that it does not look like the value.
func (w *walker) textKeys(m columns, c *column, p place, keys []string, guess bool) {
	w.end(m.word, m.word.from, m.word.len(), p, "keys")
	w.columnHead(c, m.keys, p.in())
	w.elems(c.elems, p, keys, func(x slot, in place) {
		w.put(Part{Role: Value, Offset: x.from, Len: x.len(), Depth: in.depth + 1, Path: in.path, Type: "key", Text: quote(w.bytes(x)),
			Guess: guess})
	})
	if c.bad != "" {
		w.damaged(c.rest, p.in(), "%s", c.bad)
	}
}

// fixedElems walks through values of fixed size, one part each.
func (w *walker) fixedElems(elem int, s slot, p place, keys []string) {
	size := w.l.Table[elem].Size
	n := s.len() / size
	list := make([]slot, n)
	for i := range list {
		list[i] = slot{s.from + i*size, s.from + (i+1)*size}
	}
	w.elems(list, p, keys, func(x slot, in place) { w.scalar(elem, x, in) })
	w.damaged(slot{s.from + n*size, s.to}, p, "%d bytes are no whole value of %d", s.len()-n*size, size)
}

func entries(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return strconv.Itoa(n) + " entries"
}
