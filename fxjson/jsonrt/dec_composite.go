package jsonrt

import (
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"unsafe"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// NOTE: The decoders of composite types take the function for their elements as a parameter. Lists
// of floats, maps of strings and the like occur so often that they have functions of their own,
// which call the decoder of the element directly. Elements are not checked for failure one by one:
// after a failure the index is the end of the document, where next finds neither comma nor bracket.
// Only maps check, since they must not store an element that was not read.

// DecodePtr reads null as nil. For any other value it calls f, which decodes into what *v points
// to. If *v is nil, it allocates a T first.
func DecodePtr[P ~*T, T any](d *Dec, i int, v *P, f func(*Dec, int, *T) int) int {
	i = jsonwire.SkipSpace(d.doc, i)
	if jsonwire.IsNull(d.doc, i) {
		*v = nil
		return i + 4
	}
	if *v == nil {
		*v = newOf[T](d)
	}
	return f(d, i, *v)
}

// open opens the array at i for a value of type t. It returns the index of the first element and
// isOpen. If there is no element to read, it returns the index after the value and isEmpty, isNull
// or isOther.
func (d *Dec) open(i int, t reflect.Type) (_ int, what opening) {
	i = jsonwire.SkipSpace(d.doc, i)
	if jsonwire.Load8(d.doc, i) != '[' {
		if jsonwire.IsNull(d.doc, i) {
			return i + 4, isNull
		}
		return d.wrong(i, t), isOther
	}
	if !d.enter() {
		return d.fail(), isOther
	}
	i = jsonwire.SkipSpace(d.doc, i+1)
	if jsonwire.Load8(d.doc, i) == ']' {
		d.depth--
		return i + 1, isEmpty
	}
	return i, isOpen
}

// opening is what [Dec.open] found.
type opening uint8

const (
	isOpen  opening = iota
	isEmpty         // []
	isNull          // null
	isOther         // another value, which was skipped, or a failure
)

// openSlice opens the array at i for *v. If open is false, there is no element to read, and nothing
// is left to do for *v.
func openSlice[S ~[]E, E any](d *Dec, i int, v *S) (_ int, open bool) {
	i, what := d.open(i, reflect.TypeFor[S]())
	switch what {
	case isOpen:
		return i, true
	case isEmpty:
		*v = S{}
	case isNull:
		*v = nil
	}
	return i, false
}

// DecodeSlice reads an array into *v. It calls f for each element. Like encoding/json it reuses the
// memory of *v, and an element that is already there is decoded into, not cleared.
func DecodeSlice[S ~[]E, E any](d *Dec, i int, v *S, f func(*Dec, int, *E) int) int {
	i, open := openSlice(d, i, v)
	if !open {
		return i
	}
	if cap(*v) == 0 {
		i, *v = decodeElems[S](d, i, f)
		return i
	}
	a := (*v)[:0]
	for more := true; more; {
		if len(a) == cap(a) {
			a = slices.Grow(a, max(len(a), firstElems[E]()))
		}
		a = a[:len(a)+1]
		i = f(d, i, &a[len(a)-1])
		i, more = d.next(i, ']')
	}
	if d.failed && len(a) < len(*v) {
		return i // encoding/json shortens the slice at the end only
	}
	*v = a
	return i
}

// decodeElems reads the elements of the open array at i, which has at least one,
// into a new slice.
func decodeElems[S ~[]E, E any](d *Dec, i int, f func(*Dec, int, *E) int) (int, S) {
	s := slabOf[E](d)
	a := s.take()
	for more := true; more; {
		if len(a) == cap(a) {
			a = s.grow(a, firstElems[E]())
		}
		a = a[:len(a)+1]
		i = f(d, i, &a[len(a)-1])
		i, more = d.next(i, ']')
	}
	return i, s.cut(a)
}

// firstElems returns the number of elements for which a new slice gets room at first.
func firstElems[E any]() int {
	var e E
	switch n := unsafe.Sizeof(e); {
	case n <= 16:
		return 8
	case n <= 64:
		return 4
	}
	return 2
}

// DecodeArray is [DecodeArrayOf] for older generated code, which does not name the array's type:
// errors name a slice instead.
func DecodeArray[E any](d *Dec, i int, v []E, f func(*Dec, int, *E) int) int {
	return DecodeArrayOf[[]E](d, i, v, f)
}

// DecodeArrayOf reads a JSON array into a Go array of type A. v is a slice of the whole Go array,
// and f reads each element. Surplus elements of the document are skipped; elements that it lacks
// become the zero value.
func DecodeArrayOf[A, E any](d *Dec, i int, v []E, f func(*Dec, int, *E) int) int {
	i, what := d.open(i, reflect.TypeFor[A]())
	switch what {
	case isOther, isNull:
		return i
	case isEmpty:
		clear(v)
		return i
	}
	n := 0
	for more := true; more; n++ {
		if n < len(v) {
			i = f(d, i, &v[n])
		} else {
			i = d.Skip(i)
		}
		i, more = d.next(i, ']')
	}
	if n < len(v) && !d.failed {
		clear(v[n:])
	}
	return i
}

// DecodeFloats is [DecodeSlice] for float64 without a call for each element. A new slice has the
// exact size.
func DecodeFloats[S ~[]E, E ~float64](d *Dec, i int, v *S) int {
	i, open := openSlice(d, i, v)
	if !open {
		return i
	}
	scratch, ok := any(&d.floats).(*[]E)
	if cap(*v) > 0 || !ok {
		var a []E
		i, a = decodeFloats(d, i, []E(*v)[:0])
		*v = a
		return i
	}
	i, *scratch = decodeFloats(d, i, (*scratch)[:0])
	*v = make(S, len(*scratch))
	copy(*v, *scratch)
	clear(*scratch) // an element of the next list that is null must find 0 here
	if cap(*scratch) > 1<<16 {
		*scratch = nil
	}
	return i
}

// decodeFloats appends the elements of the open array at i to a. An element that is null keeps the
// value that a's memory already holds in its place.
func decodeFloats[E ~float64](d *Dec, i int, a []E) (int, []E) {
	for more := true; more; {
		if len(a) == cap(a) {
			a = slices.Grow(a, max(len(a), 16))
		}
		a = a[:len(a)+1]
		x := &a[len(a)-1]
		f, e := jsonwire.ParseFloat64(d.doc, i)
		if e >= 0 {
			*x = E(f)
			if jsonwire.Load8(d.doc, e) == ',' { // as mostly, without the call of next
				i = e + 1
				continue
			}
		} else { // white space, null, or no number
			e = DecodeFloat(d, i, x)
		}
		i, more = d.next(e, ']')
	}
	return i, a
}

// openMapAt opens the object at i and makes the map *v if it is nil. If open is false there is no
// member to read: the object is empty, or the value was null or of the wrong type.
func openMapAt[M ~map[K]E, K comparable, E any](d *Dec, i int, v *M) (_ int, open bool) {
	i, open = openMembersAt(d, i, v)
	if open && *v == nil {
		*v = make(M)
	}
	return i, open
}

// openMembersAt is openMapAt, but leaves *v nil if there are members to read.
func openMembersAt[M ~map[K]E, K comparable, E any](d *Dec, i int, v *M) (_ int, open bool) {
	i = jsonwire.SkipSpace(d.doc, i)
	if jsonwire.Load8(d.doc, i) != '{' {
		if jsonwire.IsNull(d.doc, i) {
			*v = nil
			return i + 4, false
		}
		return mismatch[M](d, i), false
	}
	if !d.enter() {
		return d.fail(), false
	}
	i = jsonwire.SkipSpace(d.doc, i+1)
	if jsonwire.Load8(d.doc, i) == '}' {
		if *v == nil {
			*v = make(M)
		}
		d.depth--
		return i + 1, false
	}
	return i, true
}

// key reads the key of a map at i, and its colon.
func (d *Dec) key(i int) (string, int) {
	if jsonwire.Load8(d.doc, i) != '"' {
		if i = jsonwire.SkipSpace(d.doc, i); jsonwire.Load8(d.doc, i) != '"' {
			return "", d.fail()
		}
	}
	k, i := d.text(i)
	if jsonwire.Load8(d.doc, i) != ':' {
		if i = jsonwire.SkipSpace(d.doc, i); jsonwire.Load8(d.doc, i) != ':' {
			return "", d.fail()
		}
	}
	return k, i + 1
}

// DecodeMap adds the members of an object to the map *v. It calls f for each element.
func DecodeMap[M ~map[K]E, K ~string, E any](d *Dec, i int, v *M, f func(*Dec, int, *E) int) int {
	i, more := openMapAt(d, i, v)
	var x E
	for more {
		var k string
		k, i = d.key(i)
		x = *new(E)
		i = f(d, i, &x)
		if d.failed {
			return d.n
		}
		(*v)[K(k)] = x
		i, more = d.next(i, '}')
	}
	return i
}

// DecodeStringMap is [DecodeMap] for elements of type string.
func DecodeStringMap[M ~map[K]E, K, E ~string](d *Dec, i int, v *M) int {
	i, more := openMapAt(d, i, v)
	for more {
		var k string
		var x E
		k, i = d.key(i)
		i = DecodeString(d, i, &x)
		if d.failed {
			return d.n
		}
		(*v)[K(k)] = x
		i, more = d.next(i, '}')
	}
	return i
}

// DecodeMapOf is [DecodeMap] with keys that the function key parses. If key returns an error, its
// second result says whether version 1 of encoding/json ends the decoding there (true) or only
// leaves out this member (false).
func DecodeMapOf[M ~map[K]E, K comparable, E any](d *Dec, i int, v *M, key func(string, *K) (error, bool), f func(*Dec, int, *E) int) int {
	i, more := openMapAt(d, i, v)
	for more {
		var name string
		var k K
		var x E
		at := d.keyOffset(i)
		name, i = d.key(i)
		i = f(d, i, &x)
		if d.failed {
			return d.n
		}
		err, fatal := key(name, &k)
		switch {
		case err == nil:
			(*v)[k] = x
		case fatal && !jsonwire.StdV2:
			return d.abort(err)
		case !d.merge:
			return d.fail()
		case d.err == nil:
			d.err = keyError(err, at)
		}
		i, more = d.next(i, '}')
	}
	return i
}

// keyOffset returns the offset that errors report for the key at i. Depending on its version,
// encoding/json reports the offset before the key, after it, or after its opening quote. keyOffset
// is called before the key is read, since that may undo escapes in place.
func (d *Dec) keyOffset(i int) int {
	i = jsonwire.SkipSpace(d.doc, i)
	switch {
	case jsonwire.StdV2Early:
		return i
	case jsonwire.StdV2 && jsonwire.Load8(d.doc, i) == '"':
		return jsonwire.SkipString(d.doc, i)
	}
	return i + 1
}

// keyError sets the offset of err, the error for a key.
func keyError(err error, offset int) error {
	if e, ok := err.(*json.UnmarshalTypeError); ok {
		e.Offset = int64(offset)
	}
	return err
}

// ParseKeyInt parses a key of a signed integer type, for [DecodeMapOf].
func ParseKeyInt[K Signed](s string, k *K) (error, bool) {
	x, err := strconv.ParseInt(s, 10, 64)
	if err != nil || int64(K(x)) != x {
		return &json.UnmarshalTypeError{Value: "number " + s, Type: reflect.TypeFor[K]()}, false
	}
	*k = K(x)
	return nil, false
}

// ParseKeyUint parses a key of an unsigned integer type, for [DecodeMapOf].
func ParseKeyUint[K Unsigned](s string, k *K) (error, bool) {
	x, err := strconv.ParseUint(s, 10, 64)
	if err != nil || uint64(K(x)) != x {
		return &json.UnmarshalTypeError{Value: "number " + s, Type: reflect.TypeFor[K]()}, false
	}
	*k = K(x)
	return nil, false
}

// ParseKeyText parses a key by its method UnmarshalText, for [DecodeMapOf].
func ParseKeyText[K any, P interface {
	*K
	encoding.TextUnmarshaler
}](s string, k *K) (error, bool) {
	return P(k).UnmarshalText([]byte(s)), true
}

// DecodeUnmarshaler checks the grammar of the value at i and passes it to the method UnmarshalJSON
// of *T.
func DecodeUnmarshaler[T any, P interface {
	*T
	json.Unmarshaler
}](d *Dec, i int, v *T) int {
	return d.unmarshaler(i, P(v))
}

func (d *Dec) unmarshaler(i int, v json.Unmarshaler) int {
	i = jsonwire.SkipSpace(d.doc, i)
	e := d.Skip(i)
	if d.failed {
		return e
	}
	if err := v.UnmarshalJSON(d.own(i, e)); err != nil {
		return d.raised(e, err)
	}
	return e
}

// DecodeText passes the text of the string at i to the method UnmarshalText of *T.
func DecodeText[T any, P interface {
	*T
	encoding.TextUnmarshaler
}](d *Dec, i int, v *T) int {
	i = jsonwire.SkipSpace(d.doc, i)
	if jsonwire.IsNull(d.doc, i) { // the method is not called for null
		if k := reflect.TypeFor[T]().Kind(); !jsonwire.StdV2 && (k == reflect.Slice || k == reflect.Map) {
			*v = *new(T)
		}
		return i + 4
	}
	return d.untext(i, reflect.TypeFor[T](), P(v))
}

// untext passes the text of the string at i to the method UnmarshalText of v, which points to a t.
func (d *Dec) untext(i int, t reflect.Type, v encoding.TextUnmarshaler) int {
	if jsonwire.Load8(d.doc, i) != '"' {
		return d.wrong(i, t)
	}
	text, e := jsonwire.AppendUnescaped(nil, d.doc, i)
	if e < 0 {
		return d.fail()
	}
	if err := v.UnmarshalText(text); err != nil {
		return d.raised(e, err)
	}
	return e
}
