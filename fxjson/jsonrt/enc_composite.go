package jsonrt

import (
	"encoding"
	"encoding/json"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
	"github.com/zmylab/zmy/internal/keysort"
)

// NOTE: e.addr follows what package reflect calls addressable, since encoding/json calls methods
// with pointer receivers on such values only. What a pointer or a slice leads to is addressable.
// Elements of maps and values in interfaces are not. An array or a struct is as addressable as the
// value around it. Each function restores e.addr after its elements.
//
// Pointers, slices and maps count as levels, because values can contain themselves only through
// these. Beyond e.limit the encoding fails, and encoding/json finds out whether there is a cycle.

// EncodePtr calls f to append **v. nil is null.
func EncodePtr[P ~*T, T any](e *Enc, b []byte, v *P, f func(*Enc, []byte, *T) []byte) []byte {
	if *v == nil {
		return append(b, "null"...)
	}
	if !e.enter() {
		return b
	}
	addr := e.addr
	e.addr = true
	b = f(e, b, *v)
	e.addr = addr
	e.leave()
	return b
}

// EncodeSlice appends *v as an array. It calls f for each element. nil is null, or [] if the
// options say so.
func EncodeSlice[S ~[]E, E any](e *Enc, b []byte, v *S, f func(*Enc, []byte, *E) []byte) []byte {
	if *v == nil {
		return e.null(b, EmptySlices, "[]")
	}
	if !e.enter() {
		return b
	}
	addr := e.addr
	e.addr = true
	b = EncodeArray(e, b, []E(*v), f)
	e.addr = addr
	e.leave()
	return b
}

// EncodeArray appends an array. It calls f for each element. v is a slice of the whole array.
func EncodeArray[E any](e *Enc, b []byte, v []E, f func(*Enc, []byte, *E) []byte) []byte {
	b = append(b, '[')
	for i := range v {
		if i > 0 {
			b = append(b, ',')
		}
		b = f(e, b, &v[i])
	}
	return append(b, ']')
}

// EncodeFloats is [EncodeSlice] for float64, without an indirect call for each element. It makes
// room for up to 1024 elements at once.
func EncodeFloats[S ~[]E, E ~float64](e *Enc, b []byte, v *S) []byte {
	if *v == nil {
		return e.null(b, EmptySlices, "[]")
	}
	const many, room = 1024, 1 + jsonwire.MaxFloat
	c := byte('[')
	for a := *v; len(a) > 0; {
		part := a[:min(many, len(a))]
		a = a[len(part):]
		n := len(b)
		b = slices.Grow(b, len(part)*room+jsonwire.FloatRoom)
		b = b[:cap(b)]
		for _, x := range part {
			f := float64(x)
			if f-f != 0 { // NaN or infinite
				return e.Fail(b[:n])
			}
			b[n] = c
			n = jsonwire.PutFloat64(b, n+1, f)
			c = ','
		}
		b = b[:n]
	}
	if c == '[' {
		b = append(b, c)
	}
	return append(b, ']')
}

// EncodeMap appends the map *v with sorted keys. It calls f for each element. The elements of maps
// with up to 256 keys and 64 KiB are copied together with their keys, which saves a look-up for each.
func EncodeMap[M ~map[K]E, K ~string, E any](e *Enc, b []byte, v *M, f func(*Enc, []byte, *E) []byte) []byte {
	b, base, ok := openMap(e, b, *v == nil, len(*v))
	if !ok {
		return b
	}
	n := len(*v)
	addr := e.addr
	e.addr = false
	c := byte('{')
	if n <= keysort.Many && e.opt&Unsorted == 0 && uintptr(n)*unsafe.Sizeof(*new(E)) <= cellBytes {
		p := takeCell[E](e)
		vals := p.room(n)
		e.keys = slices.Grow(e.keys, max(n, fewKeys))[:base+n]
		keys := e.keys[base:]
		i := 0
		for k, x := range *v {
			keys[i], vals[i] = string(k), x
			if i++; i == n {
				break // the runtime would search the empty slots for one more
			}
		}
		from := len(e.heads)
		e.sortHeads(keys)
		for j := range n { // maps in the elements may move keys and heads
			i := keysort.Index(e.heads[from+j])
			b = append(jsonwire.AppendQuote(append(b, c), e.keys[base+i], e.plain), ':')
			b = f(e, b, &vals[i])
			c = ','
		}
		e.heads = e.heads[:from]
		p.free()
	} else {
		for k := range *v {
			e.keys = append(e.keys, string(k))
		}
		if e.opt&Unsorted == 0 {
			slices.Sort(e.keys[base:])
		}
		p := takeCell[E](e)
		x := &p.room(1)[0]
		for j := base; j < base+n; j++ {
			k := e.keys[j]
			*x = (*v)[K(k)]
			b = append(jsonwire.AppendQuote(append(b, c), k, e.plain), ':')
			b = f(e, b, x)
			c = ','
		}
		p.free()
	}
	e.addr = addr
	return closeMap(e, b, base)
}

// cell holds copies of elements of a map, since these have no address. An [Enc] keeps its cells, so
// that a map need not allocate one.
type cell[E any] struct {
	vals  []E
	taken bool
}

const (
	maxCells  = 32       // cells that an Enc keeps and searches: maps may nest deep
	cellBytes = 64 << 10 // size in bytes of the largest memory that a cell has for several elements, and keeps
)

// takeCell returns a free cell for an E. While a cell is in use, a map nested in that element takes
// another cell.
func takeCell[E any](e *Enc) *cell[E] {
	for _, x := range e.cells {
		if c, ok := x.(*cell[E]); ok && !c.taken {
			c.taken = true
			return c
		}
	}
	c := &cell[E]{taken: true}
	if len(e.cells) < maxCells {
		e.cells = append(e.cells, c)
	}
	return c
}

// room returns memory for n elements.
func (c *cell[E]) room(n int) []E {
	c.vals = slices.Grow(c.vals[:0], n)[:n]
	return c.vals
}

func (c *cell[E]) free() {
	clear(c.vals)
	if uint64(cap(c.vals))*uint64(unsafe.Sizeof(*new(E))) > cellBytes {
		c.vals = nil
	}
	c.taken = false
}

// few is the memory of the entries of a small map.
type few[V any] struct {
	keys  [fewKeys]string
	vals  [fewKeys]V
	heads [fewKeys]uint64
}

// collect stores the entries of m, at most fewKeys, and returns the heads of their keys in order.
func collect[M ~map[K]V, K ~string, V any](p *few[V], m M) []uint64 {
	n := 0
	for k, x := range m {
		i := n % fewKeys
		p.keys[i], p.vals[i], p.heads[i] = string(k), x, keysort.Head(string(k), i)
		if n++; n == len(m) {
			break // the runtime would search the empty slots for one more
		}
	}
	return keysort.SortFew(&p.heads, &p.keys, n)
}

// EncodeStringMap is [EncodeMap] for elements of type string. It writes small maps in one of two
// ways. If the map has the keys that the last maps at this depth had, the shape of that depth finds
// the values in order. Otherwise the map is copied to the stack and sorted there. Larger maps are
// copied to the stack of keys. [EncodeAnyMap] is its twin: a function parameter for the elements
// would cost an indirect call for each.
func EncodeStringMap[M ~map[K]E, K, E ~string](e *Enc, b []byte, v *M) []byte {
	b, base, ok := openMap(e, b, *v == nil, len(*v))
	if !ok {
		return b
	}
	c := byte('{')
	switch {
	case len(*v) <= fewKeys:
		s := e.guess(&e.shapes)
		if s != nil && len(s.keys) > 0 {
			var found [fewKeys]entry[E]
			if keys := s.keys; lookUp(s, *v, &found) {
				n := len(b)
				for i := range len(*v) {
					x := &found[i%fewKeys]
					b = appendKey(b, &keys[x.key])
					b = jsonwire.AppendQuote(b, string(x.v), e.plain)
				}
				b[n] = '{'
				return closeMap(e, b, base)
			}
		}
		var p few[E]
		heads := collect(&p, *v)
		for _, h := range heads {
			i := keysort.Index(h) % fewKeys
			b = append(jsonwire.AppendQuote(append(b, c), p.keys[i], e.plain), ':')
			b = jsonwire.AppendQuote(b, string(p.vals[i]), e.plain)
			c = ','
		}
		if s != nil {
			learn(s, p.keys[:len(heads)], shapeKeys)
		}
	case e.opt&Unsorted != 0:
		for k, x := range *v {
			b = append(jsonwire.AppendQuote(append(b, c), string(k), e.plain), ':')
			b = jsonwire.AppendQuote(b, string(x), e.plain)
			c = ','
		}
	case len(*v) <= keysort.Many:
		n := len(*v)
		e.keys = slices.Grow(e.keys, 2*n)[:base+2*n]
		keys, vals := e.keys[base:base+n], e.keys[base+n:]
		i := 0
		for k, x := range *v {
			keys[i], vals[i] = string(k), string(x)
			i++
		}
		for _, h := range e.sortHeads(keys) {
			i := keysort.Index(h)
			b = append(jsonwire.AppendQuote(append(b, c), keys[i], e.plain), ':')
			b = jsonwire.AppendQuote(b, vals[i], e.plain)
			c = ','
		}
		e.heads = e.heads[:len(e.heads)-n]
	default:
		for k := range *v {
			e.keys = append(e.keys, string(k))
		}
		slices.Sort(e.keys[base:])
		for _, k := range e.keys[base:] {
			b = append(jsonwire.AppendQuote(append(b, c), k, e.plain), ':')
			b = jsonwire.AppendQuote(b, string((*v)[K(k)]), e.plain)
			c = ','
		}
	}
	return closeMap(e, b, base)
}

// EncodeAnyMap is [EncodeMap] for elements of type any.
func EncodeAnyMap[M ~map[K]any, K ~string](e *Enc, b []byte, v *M) []byte {
	b, base, ok := openMap(e, b, *v == nil, len(*v))
	if !ok {
		return b
	}
	c := byte('{')
	switch {
	case len(*v) <= fewKeys:
		s := e.guess(&e.shapes)
		if s != nil && len(s.keys) > 0 {
			var found [fewKeys]entry[any]
			if keys := s.keys; lookUp(s, *v, &found) {
				n := len(b)
				for i := range len(*v) {
					x := &found[i%fewKeys]
					b = appendKey(b, &keys[x.key])
					b = EncodeDynamic(e, b, x.v)
				}
				b[n] = '{'
				return closeMap(e, b, base)
			}
		}
		var p few[any]
		heads := collect(&p, *v)
		for _, h := range heads {
			i := keysort.Index(h) % fewKeys
			b = append(jsonwire.AppendQuote(append(b, c), p.keys[i], e.plain), ':')
			b = EncodeDynamic(e, b, p.vals[i])
			c = ','
		}
		if s != nil {
			learn(s, p.keys[:len(heads)], shapeKeys)
		}
	case e.opt&Unsorted != 0:
		for k, x := range *v {
			b = append(jsonwire.AppendQuote(append(b, c), string(k), e.plain), ':')
			b = EncodeDynamic(e, b, x)
			c = ','
		}
	case len(*v) <= keysort.Many:
		first, start, n := len(e.anys), len(e.heads), len(*v)
		var s *shape
		if n <= largeKeys {
			s = e.guess(&e.large)
		}
		if s != nil && len(s.keys) > 0 && lookUpMany(e, s, *v) {
			keys, at := s.keys, len(b)
			for j := range n { // maps in the values may move both stacks
				b = appendKey(b, &keys[e.heads[start+j]])
				b = EncodeDynamic(e, b, e.anys[first+j])
			}
			b[at] = '{'
			clear(e.anys[first:])
			e.anys, e.heads = e.anys[:first], e.heads[:start]
			break
		}
		e.keys, e.anys = slices.Grow(e.keys, n)[:base+n], slices.Grow(e.anys, n)[:first+n]
		keys, vals := e.keys[base:], e.anys[first:]
		i := 0
		for k, x := range *v {
			keys[i], vals[i] = string(k), x
			if i++; i == n {
				break
			}
		}
		e.sortHeads(keys)
		for j := range n { // maps in the values may move all three
			i := keysort.Index(e.heads[start+j])
			b = append(jsonwire.AppendQuote(append(b, c), e.keys[base+i], e.plain), ':')
			b = EncodeDynamic(e, b, e.anys[first+i])
			c = ','
		}
		if s != nil {
			learn(s, e.keys[base:base+n], largeKeys)
		}
		clear(e.anys[first:])
		e.anys, e.heads = e.anys[:first], e.heads[:start]
	default:
		for k := range *v {
			e.keys = append(e.keys, string(k))
		}
		n := len(e.keys)
		slices.Sort(e.keys[base:])
		for j := base; j < n; j++ { // maps in the values may move e.keys
			k := e.keys[j]
			b = append(jsonwire.AppendQuote(append(b, c), k, e.plain), ':')
			b = EncodeDynamic(e, b, (*v)[K(k)])
			c = ','
		}
	}
	return closeMap(e, b, base)
}

// openMap writes nil and empty maps. If ok is true there are members to write: the caller may keep
// their keys in e.keys from index base on, and ends with closeMap.
func openMap(e *Enc, b []byte, isNil bool, n int) (_ []byte, base int, ok bool) {
	switch {
	case isNil:
		return e.null(b, EmptyMaps, "{}"), 0, false
	case n == 0:
		return append(b, "{}"...), 0, false
	}
	return b, len(e.keys), e.enter()
}

func closeMap(e *Enc, b []byte, base int) []byte {
	clear(e.keys[base:])
	e.keys = e.keys[:base]
	e.leave()
	return append(b, '}')
}

// EncodeMapOf is [EncodeMap] for keys whose names the function key returns. Its second result is
// false if a key has no name.
func EncodeMapOf[M ~map[K]E, K comparable, E any](e *Enc, b []byte, v *M, key func(K) (string, bool),
	f func(*Enc, []byte, *E) []byte) []byte {
	b, base, ok := openMap(e, b, *v == nil, len(*v))
	if !ok {
		return b
	}
	type pair struct {
		name string
		key  K
	}
	pairs := make([]pair, 0, len(*v))
	for k := range *v {
		if k != k { // NaN, which no look-up finds
			e.leave()
			m := *v // m moves to the heap
			return EncodeStd(e, b, &m)
		}
		name, ok := key(k)
		if !ok {
			return e.Fail(b)
		}
		pairs = append(pairs, pair{name, k})
	}
	if e.opt&Unsorted == 0 {
		slices.SortFunc(pairs, func(x, y pair) int { return strings.Compare(x.name, y.name) })
	}
	addr := e.addr
	e.addr = false
	at := takeCell[E](e)
	x := &at.room(1)[0]
	c := byte('{')
	for _, p := range pairs {
		*x = (*v)[p.key]
		b = append(jsonwire.AppendQuote(append(b, c), p.name, e.plain), ':')
		b = f(e, b, x)
		c = ','
	}
	at.free()
	e.addr = addr
	return closeMap(e, b, base)
}

// KeyInt returns the name of a key of a signed integer type.
func KeyInt[K Signed](k K) (string, bool) { return strconv.FormatInt(int64(k), 10), true }

// KeyUint returns the name of a key of an unsigned integer type.
func KeyUint[K Unsigned](k K) (string, bool) { return strconv.FormatUint(uint64(k), 10), true }

// KeyText returns the name of a key by its method MarshalText. A nil pointer is "".
func KeyText[K encoding.TextMarshaler](k K) (string, bool) {
	if v := reflect.ValueOf(&k).Elem(); v.Kind() == reflect.Pointer && v.IsNil() {
		return "", true
	}
	text, err := textOf(k)
	return string(text), err == nil
}

// EncodeInterface appends the value that an interface of any type holds.
func EncodeInterface[T any](e *Enc, b []byte, v *T) []byte {
	return EncodeDynamic(e, b, any(*v))
}

// Close ends an object whose first member begins at b[n]. A comma was written before each member,
// and Close replaces the first comma with the brace.
func Close(b []byte, n int) []byte {
	if len(b) == n {
		return append(b, "{}"...)
	}
	b[n] = '{'
	return append(b, '}')
}

// EncodeMarshaler appends what the value's method MarshalJSON returns, checked and compacted. T is no pointer and no
// interface.
func EncodeMarshaler[T json.Marshaler](e *Enc, b []byte, v *T) []byte {
	if e.failed { // encoding/json would have stopped before
		return b
	}
	raw, err := (*v).MarshalJSON() // not by an interface, in which *v would take memory
	if err != nil {
		return e.Fail(b)
	}
	return e.raw(b, raw)
}

// EncodeMarshalerIn is [EncodeMarshaler] for an interface type. If the interface holds a nil
// pointer, the method is called on that pointer.
func EncodeMarshalerIn[T json.Marshaler](e *Enc, b []byte, v *T) []byte {
	m := json.Marshaler(*v)
	switch {
	case e.failed: // encoding/json would have stopped before
		return b
	case m == nil:
		return append(b, "null"...)
	case jsonwire.StdV2 && !nilPointer(m): // another method of the value may have precedence
		return EncodeDynamic(e, b, m)
	}
	return e.marshalJSON(b, m)
}

// EncodePtrMarshaler is [EncodeMarshaler] where only *T has the method. As in encoding/json, the
// method is called on addressable values only.
func EncodePtrMarshaler[T any, P interface {
	*T
	json.Marshaler
}](e *Enc, b []byte, v *T) []byte {
	if !e.addr {
		return EncodeStd(e, b, v)
	}
	return e.marshaler(b, P(v))
}

func (e *Enc) marshaler(b []byte, m json.Marshaler) []byte {
	switch {
	case m == nil || nilPointer(m):
		return append(b, "null"...)
	case e.failed: // encoding/json would have stopped before
		return b
	}
	return e.marshalJSON(b, m)
}

// marshalJSON appends what m's method MarshalJSON returns. For a big.Int it writes the same text
// without calling the method.
func (e *Enc) marshalJSON(b []byte, m json.Marshaler) []byte {
	if x, ok := m.(*big.Int); ok {
		return e.bigInt(b, x)
	}
	raw, err := m.MarshalJSON()
	if err != nil {
		return e.Fail(b)
	}
	return e.raw(b, raw)
}

// EncodeRaw appends the JSON in *v, checked and compacted. nil is null.
func EncodeRaw[T ~[]byte](e *Enc, b []byte, v *T) []byte {
	if *v == nil {
		return append(b, "null"...)
	}
	return e.raw(b, *v)
}

// EncodeText appends what the value's method MarshalText returns, as a string. T is no pointer and no interface.
func EncodeText[T encoding.TextMarshaler](e *Enc, b []byte, v *T) []byte {
	if jsonwire.StdV2 { // a method AppendText has precedence
		if _, ok := any(v).(encoding.TextAppender); ok {
			return e.text(b, *v)
		}
	}
	if e.failed {
		return b
	}
	text, err := (*v).MarshalText()
	if err != nil {
		return e.Fail(b)
	}
	return jsonwire.AppendQuote(b, jsonwire.AliasString(text, 0, len(text)), e.plain)
}

// EncodeTextIn is [EncodeText] for an interface type, see [EncodeMarshalerIn].
func EncodeTextIn[T encoding.TextMarshaler](e *Enc, b []byte, v *T) []byte {
	m := encoding.TextMarshaler(*v)
	switch {
	case e.failed:
		return b
	case m == nil:
		return append(b, "null"...)
	case jsonwire.StdV2 && !nilPointer(m): // another method of the value may have precedence
		return EncodeDynamic(e, b, m)
	}
	text, err := m.MarshalText()
	if err != nil {
		return e.Fail(b)
	}
	return jsonwire.AppendQuote(b, jsonwire.AliasString(text, 0, len(text)), e.plain)
}

func nilPointer(x any) bool {
	v := reflect.ValueOf(x)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

// EncodePtrText is [EncodeText] where only *T has the method; see
// [EncodePtrMarshaler].
func EncodePtrText[T any, P interface {
	*T
	encoding.TextMarshaler
}](e *Enc, b []byte, v *T) []byte {
	if !e.addr {
		return EncodeStd(e, b, v)
	}
	return e.text(b, P(v))
}

func (e *Enc) text(b []byte, m encoding.TextMarshaler) []byte {
	if x, ok := m.(*big.Float); ok {
		return e.bigFloat(b, x)
	}
	switch {
	case m == nil || nilPointer(m):
		return append(b, "null"...)
	case e.failed:
		return b
	}
	text, err := textOf(m)
	if err != nil {
		return e.Fail(b)
	}
	return jsonwire.AppendQuote(b, jsonwire.AliasString(text, 0, len(text)), e.plain)
}

// IsZeroIn decides option omitzero for an interface type with a method IsZero. An interface that is
// nil or holds a nil pointer is zero; otherwise the method decides.
func IsZeroIn[T interface{ IsZero() bool }](v *T) bool {
	x := reflect.ValueOf(v).Elem()
	return x.IsNil() || x.Elem().Kind() == reflect.Pointer && x.Elem().IsNil() || (*v).IsZero()
}

// IsZero reports whether *v is the zero value as option omitzero means it, with all bits zero.
func IsZero[T any](v *T) bool { return reflect.ValueOf(v).Elem().IsZero() }
