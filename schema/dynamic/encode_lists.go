package dynamic

import (
	"math"
	"slices"
	"time"

	"github.com/zmylab/zmy/schema"
	"github.com/zmylab/zmy/wire"
)

// NOTE: The method fixed writes values of fixed size into bytes that are already in the message and
// zero: the scalars of a struct, or a packed list. All other values are appended. column chooses
// the form of a list by the shape of its elements, as the generator does.

// fixed sets x to v, a value of fixed size of type i. The bytes x must be zero, because fixed
// leaves them unchanged if v is nil.
func (p *encoder) fixed(x []byte, i int, v any) *wire.Error {
	t := &p.c.s.Types[i]
	if v == nil {
		return nil
	}
	switch t.Kind {
	case schema.Array:
		l, ok := v.([]any)
		if !ok {
			return p.wrong(v, "an array")
		}
		if len(l) > int(t.Len) {
			return wire.Fail(wire.ErrCount, 0)
		}
		return p.side(x, t.Elem, l)
	case schema.Struct:
		return p.inline(x, t, v)
	}
	ok, fits := putScalar(x, t.Kind, v)
	switch {
	case !fits:
		return p.wrong(v, t.Kind.String())
	case !ok:
		return wire.Fail(wire.ErrDomain, 0)
	}
	return nil
}

// side sets x to the values of l, one after another.
func (p *encoder) side(x []byte, elem uint32, l []any) *wire.Error {
	size := p.c.l.Table[elem].Size
	for i, v := range l {
		if err := p.fixed(x[i*size:][:size], int(elem), v); err != nil {
			return err.At(i, 0)
		}
	}
	return nil
}

func (p *encoder) inline(x []byte, t *schema.Type, v any) *wire.Error {
	s, ok := v.(*Struct)
	if !ok {
		return p.wrong(v, "a struct")
	}
	values := reader{fields: s.Fields}
	for j := range t.Fields {
		f := &t.Fields[j]
		n := p.c.l.Table[f.Type].Size
		if f.Reserved {
			s.Unknown.PutKept(x[:n], j)
		} else if err := p.fixed(x[:n], int(f.Type), values.next(f.Number)); err != nil {
			return err.In(f.Name, 0)
		}
		x = x[n:]
	}
	return nil
}

// putScalar sets x to v. ok is false if v is out of range; fits is false if v is of another type
// than k.
func putScalar(x []byte, k schema.Kind, v any) (ok, fits bool) {
	switch v := v.(type) {
	case bool:
		wire.PutBool(x, v)
		return true, k == schema.Bool
	case int64: // it fits if all bits above the sign bit of x are equal to it
		return putInt(x, uint64(v), v>>63 == v>>(8*len(x)-1)), schema.Int8 <= k && k <= schema.Int64
	case uint64:
		return putInt(x, v, v&^(math.MaxUint64>>(64-8*len(x))) == 0), schema.Uint8 <= k && k <= schema.Uint64
	case time.Duration:
		return putInt(x, uint64(v), true), k == schema.Duration
	case float32:
		if k == schema.Float32 {
			wire.PutF32(x, v)
			return true, true
		}
	case float64:
		if k == schema.Float64 {
			wire.PutF64(x, v)
			return true, true
		}
	case complex64:
		if k == schema.Complex64 {
			wire.PutC64(x, v)
			return true, true
		}
	case complex128:
		if k == schema.Complex128 {
			wire.PutC128(x, v)
			return true, true
		}
	case time.Time:
		return putTime(x, k, v)
	}
	return false, false
}

// putInt sets x to the low bytes of u. It returns ok, which says whether u fits in them.
func putInt(x []byte, u uint64, ok bool) bool {
	for i := range x {
		x[i] = byte(u)
		u >>= 8
	}
	return ok
}

func putTime(x []byte, k schema.Kind, t time.Time) (ok, fits bool) {
	switch k {
	case schema.Time:
		return wire.PutTime(x, t), true
	case schema.TimeZone:
		return wire.PutZoneTime(x, t), true
	case schema.TimeUnixNano:
		return wire.PutUnixNano(x, t), true
	}
	return false, false
}

func (p *encoder) list(b []byte, t *schema.Type, v any, left int) ([]byte, *wire.Error) {
	if p.c.s.Types[t.Elem].Kind == schema.Uint8 {
		if v, ok := v.([]byte); ok {
			return append(b, v...), nil
		}
	}
	l, ok := v.([]any)
	if !ok {
		return b, p.wrong(v, "a list")
	}
	if len(l) == 0 {
		return b, nil
	}
	s := len(b)
	b, err := p.column(b, t.Elem, items{len(l), func(i int) any { return l[i] }, itoa}, left)
	if err == nil && len(b)-s > wire.Narrow {
		err = p.e.Fits(b)
	}
	return b, err
}

// array appends an array that is a tail. It fills the array up with zeros, and appends nothing if
// all elements are zero.
func (p *encoder) array(b []byte, i int, t *schema.Type, v any, left int) ([]byte, *wire.Error) {
	l, ok := v.([]any)
	if !ok {
		return b, p.wrong(v, "an array")
	}
	if len(l) > int(t.Len) {
		return b, wire.Fail(wire.ErrCount, 0)
	}
	s := len(b)
	d := &p.c.l.Table[i]
	// The schema may come from outside and have a huge length. So the sizes are checked before
	// memory is taken for them.
	if d.Shape == wire.ShapeFixedTail {
		if d.Size > p.e.MaxWire {
			return b, &wire.Error{Code: wire.ErrTooLarge, Need: d.Size, Have: p.e.MaxWire}
		}
		b = wire.Extend(b, d.Size)
		clear(b[s:])
		err := p.side(b[s:], t.Elem, l)
		if wire.IsZero(b[s:]) {
			b = b[:s]
		}
		return b, err
	}
	if words := 2 * int(t.Len); words > p.e.MaxWire {
		return b, &wire.Error{Code: wire.ErrTooLarge, Need: words, Have: p.e.MaxWire}
	}
	at := func(i int) any {
		if i < len(l) {
			return l[i]
		}
		return nil
	}
	b, err := p.column(b, t.Elem, items{int(t.Len), at, itoa}, left)
	if err == nil && wire.IsZeroList(b[s:], p.c.l.Table[t.Elem].Shape == wire.ShapeStruct) {
		b = b[:s]
	}
	if err == nil && len(b)-s > wire.Narrow {
		err = p.e.Fits(b)
	}
	return b, err
}

// items are the values of a list, an array, or a column of a map.
type items struct {
	n   int
	at  func(i int) any    // value i
	key func(i int) string // what value i is called in paths
}

// in adds value i to the path of err.
func (l items) in(err *wire.Error, i int) *wire.Error { return err.In("["+l.key(i)+"]", 0) }

// column appends values of type elem as a packed list, a list of dense structs or a list of slots.
func (p *encoder) column(b []byte, elem uint32, l items, left int) ([]byte, *wire.Error) {
	d := &p.c.l.Table[elem]
	switch {
	case p.c.isFixed(elem):
		s := len(b)
		b = wire.Extend(b, l.n*d.Size)
		clear(b[s:])
		for i := range l.n {
			if err := p.fixed(b[s+i*d.Size:][:d.Size], int(elem), l.at(i)); err != nil {
				return b, l.in(err, i)
			}
		}
		return b, nil
	case d.Shape == wire.ShapeStruct:
		return p.dense(b, elem, l, left)
	}
	b, w := wire.BeginList(b, len(b), l.n)
	for i := range l.n {
		var err *wire.Error
		if b, err = p.slot(b, int(elem), l.at(i), left); err != nil {
			return b, l.in(err, i)
		}
		b = w.Mark(b)
	}
	return b, nil
}

// dense appends structs that share a header. The header has room for the unknown parts of each, so
// all of them are looked at before the first is written.
func (p *encoder) dense(b []byte, elem uint32, l items, left int) ([]byte, *wire.Error) {
	d := &p.c.l.Table[elem]
	h := d.Head
	for i := range l.n {
		v, ok := l.at(i).(*Struct)
		if !ok && l.at(i) != nil {
			return b, l.in(p.wrong(l.at(i), "a struct"), i)
		}
		own, err := p.head(d, v)
		if err != nil {
			return b, l.in(err, i)
		}
		h = wire.MaxHead(h, own)
	}
	s := len(b)
	b = wire.AppendHeader(b, h)
	_, tails, _ := wire.SplitHeader(h)
	var w wire.Words
	if tails > 0 {
		b, w = wire.BeginList(b, s, l.n)
	}
	for i := range l.n {
		v, _ := l.at(i).(*Struct)
		var err *wire.Error
		if b, err = p.structure(b, int(elem), v, h, 0, left-1); err != nil {
			return b, l.in(err, i)
		}
		if tails > 0 {
			b = w.Mark(b)
		}
	}
	return b, nil
}

// pair is an entry of a map, with its encoded key for sorting.
type pair struct {
	key []byte
	Pair
}

func (p *encoder) mapping(b []byte, i int, t *schema.Type, v any, left int) ([]byte, *wire.Error) {
	m, ok := v.(Map)
	if !ok {
		return b, p.wrong(v, "a map")
	}
	if len(m) == 0 {
		return b, nil
	}
	pairs, err := p.sorted(t, m, p.c.l.Table[i].Order)
	if err != nil {
		return b, err
	}
	keys := items{len(pairs), func(i int) any { return pairs[i].Key }, func(i int) string { return keyText(pairs[i].Key) }}
	s := len(b)
	if b, err = p.column(wire.BeginMap(b), t.Key, keys, left); err != nil {
		return b, err
	}
	keyEnd := len(b)
	if p.c.l.Table[i].Elem != len(p.c.s.Types) { // not a set
		values := items{keys.n, func(i int) any { return pairs[i].Value }, keys.key}
		if b, err = p.column(b, t.Elem, values, left); err != nil {
			return b, err
		}
	}
	return p.e.EndMap(b, s, keyEnd)
}

// sorted returns the entries of m in the order in which messages have them. Two entries with the
// same key are an error.
func (p *encoder) sorted(t *schema.Type, m Map, o wire.Order) ([]pair, *wire.Error) {
	pairs := make([]pair, len(m))
	for i := range m {
		pairs[i].Pair = m[i]
		if key, ok := m[i].Key.(string); ok && p.c.s.Types[t.Key].Kind == schema.String {
			pairs[i].key = []byte(key)
			continue
		}
		if !p.c.isFixed(t.Key) || m[i].Key == nil {
			return nil, p.wrong(m[i].Key, "a key of "+p.c.s.Types[t.Key].Kind.String())
		}
		pairs[i].key = make([]byte, p.c.l.Table[t.Key].Size)
		if err := p.fixed(pairs[i].key, int(t.Key), m[i].Key); err != nil {
			return nil, err.In("["+keyText(m[i].Key)+"]", 0)
		}
	}
	less := func(x, y pair) int {
		switch {
		case wire.KeyLess(x.key, y.key, o):
			return -1
		case wire.KeyLess(y.key, x.key, o):
			return 1
		}
		return 0
	}
	if !slices.IsSortedFunc(pairs, less) {
		slices.SortStableFunc(pairs, less)
	}
	for i := 1; i < len(pairs); i++ {
		if less(pairs[i-1], pairs[i]) == 0 {
			return nil, wire.Fail(wire.ErrKeyOrder, 0).In("["+keyText(pairs[i].Key)+"]", 0)
		}
	}
	return pairs, nil
}
