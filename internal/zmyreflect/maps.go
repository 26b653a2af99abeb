package zmyreflect

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/zmylab/zmy/internal/zmytype"
	"github.com/zmylab/zmy/wire"
)

// A map is sorted by its keys alone: the values stay where the iteration has put them, and each key
// has the index of its value. Keys become strings or numbers that sort like their encodings, so
// that one comparison serves all kinds of keys. For signed numbers, the sign bit is flipped to that
// end.

// mapScratch is the memory for sorting or reading one map. A pool for each map type shares it
// between calls, so that most calls need no memory of their own.
type mapScratch struct {
	it   reflect.MapIter
	key  reflect.Value // a variable of the key's type
	vals reflect.Value // a slice of values
	keys []mapKey
	held ref // vals as a ref
}

// mapKey is a key and the index of its value. text is the key if it is a string or a byte array.
// Other keys are in num, as a number that sorts as they do.
type mapKey struct {
	text string
	num  uint64
	at   int
}

func newMapScratch(t *typ) *mapScratch {
	vals := reflect.New(reflect.SliceOf(t.rt.Elem())).Elem()
	return &mapScratch{key: reflect.New(t.rt.Key()).Elem(), vals: vals, held: refTo(vals)}
}

// done clears the scratch and returns it to the pool, so that it keeps nothing of the user's alive.
// A large scratch is left to the garbage collector.
func (m *mapScratch) done(t *typ) {
	m.it.Reset(reflect.Value{})
	m.key.SetZero()
	if m.vals.Cap() > 1<<10 {
		return
	}
	m.vals.Clear()
	clear(m.keys)
	t.pool.Put(m)
}

// grow sets the length of vals to n. The values are zero.
func (m *mapScratch) grow(n int) {
	if n > m.vals.Cap() {
		m.vals.SetLen(0)
		m.vals.Grow(n)
	}
	m.vals.SetLen(n)
}

// load stores the pairs of a map in the scratch, sorted by key.
func (m *mapScratch) load(t *typ, v reflect.Value) {
	n := v.Len()
	m.grow(n)
	m.keys = slices.Grow(m.keys[:0], n)
	m.it.Reset(v)
	for i := 0; m.it.Next(); i++ {
		m.key.SetIterKey(&m.it)
		m.keys = append(m.keys, t.mapKey(m.key, i))
		if !t.none {
			m.vals.Index(i).SetIterValue(&m.it)
		}
	}
	slices.SortFunc(m.keys, func(a, b mapKey) int {
		if c := cmp.Compare(a.num, b.num); c != 0 {
			return c
		}
		return cmp.Compare(a.text, b.text)
	})
}

const signBit = 1 << 63

func (t *typ) mapKey(k reflect.Value, at int) mapKey {
	switch {
	case k.Kind() == reflect.String:
		return mapKey{text: k.String(), at: at}
	case k.CanInt():
		return mapKey{num: uint64(k.Int()) ^ signBit, at: at}
	case k.CanUint():
		return mapKey{num: k.Uint(), at: at}
	case k.Kind() == reflect.Array:
		return mapKey{text: string(k.Bytes()), at: at}
	case k.Bool():
		return mapKey{num: 1, at: at}
	}
	return mapKey{at: at}
}

// bits returns the number of a key, whose low bytes are its encoding.
func (t *typ) bits(k mapKey) uint64 {
	if t.order == wire.SignedOrder {
		return k.num ^ signBit
	}
	return k.num
}

// place adds the key k to the path of err, and off to its offset.
func (t *typ) place(err *wire.Error, k mapKey, off int) *wire.Error {
	switch {
	case t.key.shape == zmytype.ShapeString || t.key.form == formPlain && t.key.rt.Kind() == reflect.Array:
		return err.AtKey(k.text, off)
	case t.key.form == formBool:
		return err.In("[bool]", off)
	}
	if t.order == wire.SignedOrder {
		return err.AtInt(int64(t.bits(k)), off)
	}
	return err.AtUint(t.bits(k), off)
}

// appendMap appends a map.
func (t *typ) appendMap(e *wire.Encoder, b []byte, v ref, left int) ([]byte, *wire.Error) {
	if canHelp && t.helper {
		return v.appendHelped(e, b, t, left)
	}
	if v.isNil() {
		return b, nil
	}
	m := v.value(t)
	if m.Len() == 0 {
		return b, nil
	}
	scratch := t.pool.Get().(*mapScratch)
	defer scratch.done(t)
	scratch.load(t, m)
	s := len(b)
	b, err := t.appendKeys(wire.BeginMap(b), scratch.keys)
	if err != nil {
		return b, err
	}
	keyEnd := len(b)
	if !t.none {
		l, _ := scratch.held.slice(t)
		if b, err = t.elem.appendColumn(e, b, l, len(scratch.keys), t.ptrs, values{scratch.keys, t}, left); err != nil {
			return b, err
		}
	}
	return e.EndMap(b, s, keyEnd)
}

func (t *typ) appendKeys(b []byte, keys []mapKey) ([]byte, *wire.Error) {
	if t.key.shape != zmytype.ShapeString {
		at := len(b)
		b = wire.Extend(b, len(keys)*t.key.size)
		for i, k := range keys {
			x := b[at+i*t.key.size:][:t.key.size]
			if copy(x, k.text) == 0 { // a number: byte arrays have a text, and at least one byte
				for j, u := 0, t.bits(k); j < len(x); j++ {
					x[j] = byte(u)
					u >>= 8
				}
			}
		}
		return b, nil
	}
	b, w := wire.BeginList(b, len(b), len(keys))
	for _, k := range keys {
		if !wire.ValidString(k.text) {
			return b, wire.Fail(wire.ErrUTF8, 0).AtKey(strings.ToValidUTF8(k.text, "\uFFFD"), 0)
		}
		b = w.Mark(append(b, k.text...))
	}
	return b, nil
}

// decodeMap sets the map v from its slot.
func (t *typ) decodeMap(d *wire.Decoder, b []byte, v ref, left int) *wire.Error {
	if canHelp && t.helper {
		return v.decodeHelped(d, b, t, left)
	}
	if len(b) == 0 {
		v.setZero(t)
		return nil
	}
	kb, vb, keyEnd, err := wire.OpenMap(b)
	if err != nil {
		return err
	}
	var keys, vals column
	if t.key.shape == zmytype.ShapeString {
		keys.list, err = wire.OpenStringKeys(kb)
		keys.n = keys.list.N
	} else {
		keys.n, err = wire.OpenKeys(kb, t.key.size, t.key.domain, t.order)
	}
	if err != nil {
		return err.Shift(keyEnd - len(kb))
	}
	if t.none {
		if len(vb) != 0 {
			return wire.Fail(wire.ErrEnds, keyEnd)
		}
	} else {
		if vals, err = t.elem.open(vb); err != nil {
			return err.Shift(keyEnd)
		}
		if keys.n != vals.n {
			return wire.Fail(wire.ErrCount, keyEnd)
		}
	}
	if err := t.chargeMap(d, keys.n); err != nil {
		return err
	}
	return t.decodePairs(d, kb, vb, keyEnd, &keys, &vals, v.value(t), left)
}

// decodePairs sets m to the pairs in the columns kb and vb.
func (t *typ) decodePairs(d *wire.Decoder, kb, vb []byte, keyEnd int, keys, vals *column, m reflect.Value, left int) *wire.Error {
	out := m
	if d.Reuse && !m.IsNil() {
		m.Clear()
	} else {
		out = reflect.MakeMapWithSize(t.rt, keys.n)
	}
	scratch := t.pool.Get().(*mapScratch)
	defer scratch.done(t)
	scratch.grow(1)
	var all list
	if t.ptrs {
		all = makeAll(t, keys.n)
	}
	l, _ := scratch.held.slice(t)
	slot, val, key := l.at(0), scratch.vals.Index(0), refTo(scratch.key)
	for i := range keys.n {
		k := t.setKey(d, keys, kb, i, key)
		val.SetZero()
		if !t.none {
			x := slot
			if t.ptrs {
				x = all.at(i)
			}
			if off, err := t.elem.next(d, vals, vb, i, x, left); err != nil {
				return t.place(err, k, keyEnd+off)
			}
			if t.ptrs {
				slot.point(x)
			}
		}
		out.SetMapIndex(scratch.key, val)
	}
	if out != m {
		m.Set(out)
	}
	return nil
}

// setKey sets the variable key to key i. It returns the key, for errors.
func (t *typ) setKey(d *wire.Decoder, keys *column, kb []byte, i int, key ref) (k mapKey) {
	if t.key.shape == zmytype.ShapeString {
		x, _, _ := keys.list.Next()
		k.text = d.String(x)
		key.setStr(k.text)
		return k
	}
	x := kb[i*t.key.size:][:t.key.size]
	key.getPlain(t.key, x)
	if t.key.rt.Kind() == reflect.Array {
		k.text = wire.String(x)
		return k
	}
	for j := len(x) - 1; j >= 0; j-- {
		k.num = k.num<<8 | uint64(x[j])
	}
	if t.order == wire.SignedOrder {
		shift := 64 - 8*len(x)
		k.num = uint64(int64(k.num<<shift)>>shift) ^ signBit
	}
	return k
}
