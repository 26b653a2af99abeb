package dissect

import (
	"strconv"

	"github.com/zmylab/zmy/schema"
	"github.com/zmylab/zmy/wire"
)

// Without a schema only one thing is certain: the message is a struct. The contents of its tails
// are guessed. A slot is taken to be whatever its bytes fit exactly. Text is tried first, since
// headers and words contain bytes that text does not have.

func (w *walker) guessed(r Role, s slot, p place, typ, text string) {
	w.put(Part{Role: r, Offset: s.from, Len: s.len(), Depth: p.depth, Path: p.path, Type: typ, Text: text, Guess: true})
}

// guess walks through the bytes s as a struct. They are the message, or look like a struct.
func (w *walker) guess(s slot, p place) {
	f := w.open(s, 0, false)
	w.put(Part{Role: Group, Offset: s.from, Len: s.len(), Depth: p.depth, Path: p.path, Type: "struct",
		Text: map[bool]string{true: "damaged: " + f.bad}[f.bad != ""], Guess: !p.top})
	if !w.enters(p.path) {
		return
	}
	w.part(Header, f.head, p.in(), "", "S = %d bytes of scalars, N = %d tails%s", f.s, f.n, map[bool]string{true: ", sparse"}[f.sparse])
	if f.hasBitmap() {
		w.part(Bitmap, f.bitmap, p.in(), "", "%s", bitmapText(&schema.Type{}, w.bytes(f.bitmap)))
	}
	w.skeleton(&f, p)
}

// skeleton walks through the sections of a struct whose fields are unknown.
func (w *walker) skeleton(f *frame, p place) {
	if f.scalars.len() > 0 {
		w.guessed(Scalar, f.scalars, p.in(), "scalars", count(f.scalars.len(), "byte")+guessScalars(w.bytes(f.scalars)))
	}
	for k, e := range f.ends {
		w.end(e, f.body.from, f.es, p, "tail "+strconv.Itoa(k))
	}
	for k, x := range f.tails {
		in := p.field("tail" + strconv.Itoa(k))
		if w.enters(in.path) {
			w.guessSlot(x, in)
		}
	}
	w.rest(f, p)
}

// guessScalars returns the text of a scalar section as if it were a single value. It returns "" if
// no scalar has that size.
func guessScalars(b []byte) string {
	as := func(k schema.Kind) string { return scalarText(&schema.Type{Kind: k}, b) }
	switch len(b) {
	case 1:
		return ": " + as(schema.Uint8)
	case 2:
		return ": " + as(schema.Int16)
	case 4:
		return ": " + as(schema.Int32) + ", or " + as(schema.Float32)
	case 8:
		return ": " + as(schema.Int64) + ", or " + as(schema.Float64)
	case wire.TimeLen:
		if t, ok := wire.Time(b); ok && t.Year() >= 1900 && t.Year() < 2200 {
			return ": " + as(schema.Time)
		}
	}
	return ""
}

func (w *walker) guessSlot(s slot, p place) {
	b := w.bytes(s)
	switch {
	case len(b) == 0:
		w.part(Value, s, p, "", "empty")
	case p.depth > maxDepth:
		w.guessed(Value, s, p, "bytes", count(len(b), "byte"))
	case printable(b):
		w.guessed(Value, s, p, "string", quote(b))
	case w.looksMap(s):
		w.guessMap(s, p)
	case w.looksStruct(s):
		w.guess(s, p)
	case w.looksColumn(s, true):
		w.guessList(s, p, true, nil)
	case w.looksColumn(s, false):
		w.guessList(s, p, false, nil)
	default:
		w.guessed(Value, s, p, "bytes", count(len(b), "byte")+guessScalars(b))
	}
}

func (w *walker) looksStruct(s slot) bool {
	f := w.open(s, 0, false)
	return f.bad == "" && f.s+f.n > 0
}

func (w *walker) looksColumn(s slot, dense bool) bool {
	c := w.openColumn(s, dense)
	if c.bad != "" || len(c.elems) == 0 {
		return false
	}
	if !dense {
		return true
	}
	for _, x := range c.elems {
		if f := w.open(x, c.h, true); f.bad != "" {
			return false
		}
	}
	return true
}

// looksMap reports whether s looks like a map: two columns with the same number of elements, of
// which the first, the keys, is text.
func (w *walker) looksMap(s slot) bool {
	m := w.openMap(s)
	if m.bad != "" {
		return false
	}
	keys := w.openColumn(m.keys, false)
	if keys.bad != "" || len(keys.elems) == 0 {
		return false
	}
	for _, x := range keys.elems {
		if !printable(w.bytes(x)) {
			return false
		}
	}
	_, ok := w.looksColumnOf(m.values, len(keys.elems))
	return ok || m.values.len()%len(keys.elems) == 0
}

// looksColumnOf reports whether s looks like a list of n slots or of n dense structs.
func (w *walker) looksColumnOf(s slot, n int) (dense, ok bool) {
	for _, dense := range []bool{false, true} {
		if c := w.openColumn(s, dense); c.bad == "" && len(c.elems) == n {
			return dense, true
		}
	}
	return false, false
}

func (w *walker) guessMap(s slot, p place) {
	m := w.openMap(s)
	c, keys := w.openKeys(m)
	w.guessed(Group, s, p, "map", entries(len(keys)))
	w.textKeys(m, &c, p, keys, true)
	if dense, ok := w.looksColumnOf(m.values, len(keys)); ok {
		w.guessList(m.values, p, dense, keys)
	} else if m.values.len() > 0 {
		w.guessed(Value, m.values, p, "packed values", strconv.Itoa(m.values.len()/len(keys))+" bytes each")
	}
}

func (w *walker) guessList(s slot, p place, dense bool, keys []string) {
	c := w.openColumn(s, dense)
	if keys == nil {
		w.guessed(Group, s, p, map[bool]string{true: "list of structs", false: "list"}[dense], c.summary())
	}
	w.elements(&c, s, p, keys, func(x slot, in place) {
		if !dense {
			w.guessSlot(x, in)
			return
		}
		f := w.open(x, c.h, true)
		w.guessed(Group, x, in, "struct", "")
		w.skeleton(&f, in)
	})
}
