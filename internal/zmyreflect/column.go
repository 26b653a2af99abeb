package zmyreflect

import (
	"github.com/zmylab/zmy/internal/zmytype"
	"github.com/zmylab/zmy/wire"
)

// Lists, arrays and the values of maps are columns. A column is a packed list, a list of dense
// structs or a list of slots.

// Lists are written in the fastest of three ways that applies: numbers are copied from memory as
// they are, lists of common types are written by a function of package wire, and all others element
// by element. Each way must give the bytes and errors of generated code. For types with such a
// function, generated code calls only that function, and only the one for lists of any checks the
// list's size. So appendList calls fits for lists of any, but not for other types with a function.

// appendList appends a slice.
func (t *typ) appendList(e *wire.Encoder, b []byte, v ref, left int) ([]byte, *wire.Error) {
	l, n := v.slice(t)
	if n == 0 {
		return b, nil
	}
	if t.shape == zmytype.ShapePacked && (t.elem.form == formPlain || t.elem.form == formBool) {
		s := len(b)
		b = v.appendPlain(b, t)
		if t.helper {
			return b, nil
		}
		return t.fits(e, b, s)
	}
	if canHelp && t.helper {
		return v.appendHelped(e, b, t, left)
	}
	s := len(b)
	b, err := t.elem.appendColumn(e, b, l, n, t.ptrs, values{}, left)
	if err != nil || t.helper && !t.plain {
		return b, err
	}
	return t.fits(e, b, s)
}

// fits checks the size of a list that starts at s, if the list is wide.
func (t *typ) fits(e *wire.Encoder, b []byte, s int) ([]byte, *wire.Error) {
	if len(b)-s > wire.Narrow {
		return b, e.Fits(b)
	}
	return b, nil
}

// appendArray appends an array of elements that are not of fixed size. It appends nothing if all
// elements are zero.
func (t *typ) appendArray(e *wire.Encoder, b []byte, v ref, left int) ([]byte, *wire.Error) {
	s := len(b)
	b, err := t.elem.appendColumn(e, b, v.array(t), t.size, false, values{}, left)
	if err != nil {
		return b, err
	}
	if wire.IsZeroList(b[s:], t.elem.shape == zmytype.ShapeStruct) {
		b = b[:s]
	}
	return t.fits(e, b, s)
}

// values maps the elements of a column of a map's values, which is in the order of the keys, to
// their places in memory. For the elements of slices and arrays, which are in order, it is
// values{}.
type values struct {
	keys []mapKey
	of   *typ // the map
}

// at returns the index of element i.
func (m values) at(i int) int {
	if m.keys != nil {
		i = m.keys[i].at
	}
	return i
}

// fail adds element i to the path of err.
func (m values) fail(err *wire.Error, i int) *wire.Error {
	if m.keys != nil {
		return m.of.place(err, m.keys[i], 0)
	}
	return err.At(i, 0)
}

// appendColumn appends n > 0 elements of type t. ptrs says that they are pointers to t. Errors have
// the path of the element.
func (t *typ) appendColumn(e *wire.Encoder, b []byte, l list, n int, ptrs bool, m values, left int) ([]byte, *wire.Error) {
	switch t.shape {
	case zmytype.ShapeFixed:
		at := len(b)
		b = wire.Extend(b, n*t.size)
		for i := range n {
			if err := t.putFixed(b[at+i*t.size:], l.at(m.at(i))); err != nil {
				return b, m.fail(err, i)
			}
		}
		return b, nil
	case zmytype.ShapeStruct:
		return t.appendDense(e, b, l, n, ptrs, m, left)
	}
	b, w := wire.BeginList(b, len(b), n)
	var err *wire.Error
	for i := range n {
		if b, err = t.appendSlot(e, b, l.at(m.at(i)), left); err != nil {
			return b, m.fail(err, i)
		}
		b = w.Mark(b)
	}
	return b, nil
}

// appendDense appends structs that share a header: the header of the type or, if elements keep
// unknown parts, one with room for all of these.
func (t *typ) appendDense(e *wire.Encoder, b []byte, l list, n int, ptrs bool, m values, left int) ([]byte, *wire.Error) {
	h := t.head
	if t.unknown != nil {
		for i := range n {
			v, ok := element(l, m.at(i), ptrs)
			if !ok {
				return b, m.fail(wire.Fail(wire.ErrNil, 0), i)
			}
			h = wire.MaxHead(h, t.headOf(v))
		}
	}
	at := len(b)
	b = wire.AppendHeader(b, h)
	_, tails, _ := wire.SplitHeader(h)
	var w wire.Words
	if tails > 0 {
		b, w = wire.BeginList(b, at, n)
	}
	var err *wire.Error
	for i := range n {
		v, ok := element(l, m.at(i), ptrs)
		if !ok {
			return b, m.fail(wire.Fail(wire.ErrNil, 0), i)
		}
		if b, err = t.appendStruct(e, b, v, h, 0, left-1); err != nil {
			return b, m.fail(err, i)
		}
		if tails > 0 {
			b = w.Mark(b)
		}
	}
	return b, nil
}

// element returns element i or, if ptrs is set, the variable it points to. It returns false for
// nil.
func element(l list, i int, ptrs bool) (ref, bool) {
	if ptrs {
		return l.at(i).deref()
	}
	return l.at(i), true
}

// column iterates over a column of a message.
type column struct {
	n    int
	list wire.List // not set if elements are of fixed size
}

// open opens the column b of elements of type t. It checks what it can without looking at the
// elements.
func (t *typ) open(b []byte) (c column, err *wire.Error) {
	switch t.shape {
	case zmytype.ShapeFixed:
		c.n, err = wire.OpenPacked(b, t.size)
		return c, err
	case zmytype.ShapeStruct:
		c.list, err = wire.OpenDense(b, t.head, t.older)
	case zmytype.ShapeString:
		c.list, err = wire.OpenStrings(b)
	default:
		c.list, err = wire.OpenList(b)
	}
	c.n = c.list.N
	return c, err
}

// next sets v to element i of the column b, and returns the element's offset.
func (t *typ) next(d *wire.Decoder, c *column, b []byte, i int, v ref, left int) (off int, err *wire.Error) {
	if t.shape == zmytype.ShapeFixed {
		off = i * t.size
		return off, t.getFixed(b[off:], v)
	}
	y, off, ok := c.list.Next()
	switch {
	case !ok:
		return off, wire.Fail(wire.ErrEnds, 0)
	case t.shape == zmytype.ShapeString: // open has checked it
		v.setStr(d.String(y))
		return off, nil
	case t.shape == zmytype.ShapeStruct:
		return off, t.decodeStruct(d, y, c.list.Head, 0, v, left-1)
	}
	return off, t.decodeSlot(d, y, v, left)
}

// decodeList sets the slice v from its slot.
func (t *typ) decodeList(d *wire.Decoder, b []byte, v ref, left int) *wire.Error {
	if len(b) == 0 {
		v.setZero(t)
		return nil
	}
	if t.shape == zmytype.ShapePacked && (t.elem.form == formPlain || t.elem.form == formBool) {
		return t.decodePacked(d, b, v)
	}
	if canHelp && t.helper {
		return v.decodeHelped(d, b, t, left)
	}
	e := t.elem
	c, err := e.open(b)
	if err != nil {
		return err
	}
	if err := d.ChargeFat(c.n, e.cost, e.mem+t.pointers()); err != nil {
		return err
	}
	s := v.makeSlice(d, t, c.n)
	all := s
	if t.ptrs {
		all = makeAll(t, c.n)
	}
	for i := range c.n {
		x := all.at(i)
		if e.skips && !t.ptrs {
			x.setZero(e)
		}
		if off, err := e.next(d, &c, b, i, x, left); err != nil {
			return err.At(i, off)
		}
		if t.ptrs {
			s.at(i).point(x)
		}
	}
	return nil
}

// decodePacked sets a slice of numbers or bools, or of arrays of these.
func (t *typ) decodePacked(d *wire.Decoder, b []byte, v ref) *wire.Error {
	e := t.elem
	n, err := wire.OpenPacked(b, e.size)
	if err != nil {
		return err
	}
	if err := d.ChargeFat(n, e.cost, e.mem); err != nil {
		return err
	}
	if e.form == formBool && !wire.BoolsOK(b) {
		i := 0
		for wire.BoolsOK(b[i*e.size:][:e.size]) { // the error names the element, as generated code does
			i++
		}
		return wire.Fail(wire.ErrDomain, 0).At(i, i*e.size)
	}
	v.decodePlain(d, t, b, n)
	return nil
}

// decodeArray sets an array that is a tail, whose elements are not of fixed size.
func (t *typ) decodeArray(d *wire.Decoder, b []byte, v ref, left int) *wire.Error {
	e := t.elem
	c, err := e.open(b)
	if err != nil {
		return err
	}
	if c.n != t.size {
		return wire.Fail(wire.ErrCount, 0)
	}
	whole, l := c.list, v.array(t) // reading moves c.list on, and Zero asks about all of it
	for i := range t.size {
		x := l.at(i)
		if e.skips {
			x.setZero(e)
		}
		if off, err := e.next(d, &c, b, i, x, left); err != nil {
			return err.At(i, off)
		}
	}
	if whole.Zero() {
		return wire.Fail(wire.ErrZero, 0)
	}
	return nil
}
