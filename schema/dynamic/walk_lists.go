package dynamic

import (
	"github.com/zmylab/zmy/schema"
	"github.com/zmylab/zmy/wire"
)

func (w *walker) list(t *schema.Type, b []byte) any {
	if len(b) == 0 {
		if w.c.s.Types[t.Elem].Kind == schema.Uint8 {
			return []byte(nil)
		}
		return []any(nil)
	}
	switch {
	case w.c.s.Types[t.Elem].Kind == schema.Uint8: // a named type; plain []byte has kind Bytes
		return wire.Bytes(b)
	case w.c.isFixed(t.Elem):
		return w.packed(t.Elem, b)
	}
	return w.elements(t.Elem, b)
}

// elements reads a list of slots or of dense structs.
func (w *walker) elements(elem uint32, b []byte) []any {
	d := &w.c.l.Table[elem]
	dense := d.Shape == wire.ShapeStruct
	var l wire.List
	if dense {
		l, w.err = wire.OpenDense(b, d.Head, d.Older)
	} else {
		l, w.err = wire.OpenList(b)
	}
	if !w.charge(l.N) {
		return nil
	}
	out := make([]any, 0, l.N)
	for range l.N {
		x, _, _ := l.Next()
		if dense {
			out = append(out, w.structure(int(elem), x, l.Head, 0))
		} else {
			out = append(out, w.slot(int(elem), x))
		}
		if w.err != nil {
			return nil
		}
	}
	return out
}

// array reads an array that is a tail. An empty slot is an array of zeros.
func (w *walker) array(i int, t *schema.Type, b []byte) any {
	switch {
	case len(b) == 0:
		return w.zeros(t)
	case w.c.l.Table[i].Shape == wire.ShapeFixedTail:
		return w.packed(t.Elem, b)
	}
	return w.elements(t.Elem, b)
}

func (w *walker) zeros(t *schema.Type) any {
	if !w.charge(int(t.Len)) {
		return nil
	}
	out := make([]any, 0, t.Len)
	for range t.Len {
		if w.c.isFixed(t.Elem) {
			out = append(out, w.fixed(int(t.Elem), zeros[:w.c.l.Table[t.Elem].Size]))
		} else {
			out = append(out, w.slot(int(t.Elem), nil))
		}
		if w.err != nil {
			return nil
		}
	}
	return out
}

func (w *walker) mapping(i int, t *schema.Type, b []byte) any {
	if len(b) == 0 {
		return Map(nil)
	}
	kb, vb, _, err := wire.OpenMap(b)
	if err != nil {
		w.err = err
		return nil
	}
	keys := w.column(t.Key, kb)
	switch {
	case w.err != nil:
		return nil
	case w.c.l.Table[i].Elem == len(w.c.s.Types): // a set
		return w.set(t, keys)
	}
	values := w.column(t.Elem, vb)
	if !w.charge(len(keys)) {
		return nil
	}
	out := make(Map, len(keys))
	for j := range out {
		out[j] = Pair{keys[j], values[j]}
	}
	return out
}

// column reads the keys or the values of a map.
func (w *walker) column(elem uint32, b []byte) []any {
	if w.c.isFixed(elem) {
		return w.packed(elem, b)
	}
	return w.elements(elem, b)
}

func (w *walker) set(t *schema.Type, keys []any) any {
	if !w.charge(2 * len(keys)) {
		return nil
	}
	out := make(Map, len(keys))
	for i := range out {
		out[i] = Pair{keys[i], w.c.newStruct(int(t.Elem))}
	}
	return out
}
