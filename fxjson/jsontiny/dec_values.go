package jsontiny

import (
	"encoding"
	"strconv"
	"time"
	"unsafe"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// DecodeString reads a string into *v.
func DecodeString[T ~string](d *Dec, i int, v *T) int {
	i = jsonwire.SkipSpace(d.doc, i)
	if d.doc[i] != '"' {
		return d.null(i, "a string")
	}
	text, e := d.text(i)
	*v = T(text)
	return e
}

// DecodeBool reads true or false into *v.
func DecodeBool[T ~bool](d *Dec, i int, v *T) int {
	i = jsonwire.SkipSpace(d.doc, i)
	x, e := jsonwire.ParseBool(d.doc, i)
	if e < 0 {
		return d.null(i, "a bool")
	}
	*v = T(x)
	return e
}

func sized(kind string, bytes uintptr) string {
	return kind + " of " + strconv.Itoa(int(bytes)*8) + " bits"
}

// DecodeInt reads an integer that a T can hold into *v.
func DecodeInt[T Signed](d *Dec, i int, v *T) int {
	i = jsonwire.SkipSpace(d.doc, i)
	x, e := jsonwire.ParseInt(d.doc, i)
	if e < 0 || int64(T(x)) != x {
		return d.null(i, sized("an integer", unsafe.Sizeof(*v)))
	}
	*v = T(x)
	return e
}

// DecodeUint reads an integer that a T can hold into *v.
func DecodeUint[T Unsigned](d *Dec, i int, v *T) int {
	i = jsonwire.SkipSpace(d.doc, i)
	x, e := jsonwire.ParseUint(d.doc, i)
	if e < 0 || uint64(T(x)) != x {
		return d.null(i, sized("an unsigned integer", unsafe.Sizeof(*v)))
	}
	*v = T(x)
	return e
}

// DecodeTime reads an RFC 3339 time into *v.
func DecodeTime(d *Dec, i int, v *time.Time) int { return DecodeUnmarshaler(d, i, v) }

// DecodeUnmarshaler passes a copy of the value at i to the method UnmarshalJSON of *T.
func DecodeUnmarshaler[T any, P interface {
	*T
	Unmarshaler
}](d *Dec, i int, v *T) int {
	i = jsonwire.SkipSpace(d.doc, i)
	if d.failed || i >= d.n {
		return d.n
	}
	e := jsonwire.Skip(d.doc, i, 0)
	if err := P(v).UnmarshalJSON(append([]byte(nil), d.doc[i:e]...)); err != nil {
		return d.abort(i, "UnmarshalJSON", err)
	}
	return e
}

// DecodeText passes the text of the string at i to the method UnmarshalText of *T. The method is
// not called for null.
func DecodeText[T any, P interface {
	*T
	encoding.TextUnmarshaler
}](d *Dec, i int, v *T) int {
	i = jsonwire.SkipSpace(d.doc, i)
	if d.failed || d.doc[i] != '"' {
		return d.null(i, "a string")
	}
	text, e := d.text(i)
	if err := P(v).UnmarshalText(text); err != nil {
		return d.abort(i, "UnmarshalText", err)
	}
	return e
}

// DecodeBytes reads a string of base64, or an array of numbers, into *v. null sets *v to nil.
func DecodeBytes[T ~[]E, E ~byte](d *Dec, i int, v *T) int {
	i = jsonwire.SkipSpace(d.doc, i)
	switch d.doc[i] {
	case '[':
		return DecodeSlice(d, i, v, DecodeUint[E])
	case 'n':
		*v = nil
		return i + 4
	case '"':
		text, e := d.text(i)
		out, ok := parseBase64[E](text)
		if !ok {
			break
		}
		*v = out
		return e
	}
	return d.wrong(i, "a string of base64")
}

// DecodePtr reads null as nil. For any other value it calls f, which decodes into what *v points
// to. If *v is nil, it allocates a T first.
func DecodePtr[P ~*T, T any](d *Dec, i int, v *P, f func(*Dec, int, *T) int) int {
	i = jsonwire.SkipSpace(d.doc, i)
	if jsonwire.IsNull(d.doc, i) {
		*v = nil
		return i + 4
	}
	if d.failed {
		return d.n
	}
	if *v == nil {
		*v = new(T)
	}
	return f(d, i, *v)
}

// DecodeSlice reads an array into *v. It calls f for each element. Like encoding/json it reuses the
// memory of *v, and an element that is already there is decoded into, not cleared.
func DecodeSlice[S ~[]E, E any](d *Dec, i int, v *S, f func(*Dec, int, *E) int) int {
	i = jsonwire.SkipSpace(d.doc, i)
	if d.doc[i] != '[' {
		if jsonwire.IsNull(d.doc, i) {
			*v = nil
			return i + 4
		}
		return d.wrong(i, "an array")
	}
	if i = jsonwire.SkipSpace(d.doc, i+1); d.doc[i] == ']' {
		*v = S{}
		return i + 1
	}
	a := (*v)[:0]
	for more := true; more; {
		if len(a) < cap(a) {
			a = a[:len(a)+1]
		} else {
			a = append(a, *new(E))
		}
		i = f(d, i, &a[len(a)-1])
		i, more = d.next(i)
	}
	if d.failed && len(a) < len(*v) {
		return i // encoding/json shortens the slice at the end only
	}
	*v = a
	return i
}

// DecodeFloats is [DecodeSlice] for floats.
func DecodeFloats[S ~[]E, E Float](d *Dec, i int, v *S) int {
	return DecodeSlice(d, i, v, DecodeFloat[E])
}

// DecodeInts is [DecodeSlice] for integers.
func DecodeInts[S ~[]E, E Signed](d *Dec, i int, v *S) int {
	return DecodeSlice(d, i, v, DecodeInt[E])
}

// DecodeArray reads a JSON array into a Go array. v is a slice of the whole Go array, and f reads
// each element. Surplus elements of the document are skipped; elements that it lacks become the
// zero value.
func DecodeArray[E any](d *Dec, i int, v []E, f func(*Dec, int, *E) int) int {
	i = jsonwire.SkipSpace(d.doc, i)
	if d.doc[i] != '[' {
		return d.null(i, "an array")
	}
	n := 0
	i = jsonwire.SkipSpace(d.doc, i+1)
	more := d.doc[i] != ']'
	if !more {
		i++
	}
	for ; more; n++ {
		if n < len(v) {
			i = f(d, i, &v[n])
		} else {
			i = d.Unknown(i)
		}
		i, more = d.next(i)
	}
	if n < len(v) && !d.failed {
		clear(v[n:])
	}
	return i
}

// DecodeStringMap is [DecodeMap] for strings.
func DecodeStringMap[M ~map[K]E, K, E ~string](d *Dec, i int, v *M) int {
	return DecodeMap(d, i, v, DecodeString[E])
}

// DecodeMap adds the members of an object to the map *v. It calls f for each element.
func DecodeMap[M ~map[K]E, K ~string, E any](d *Dec, i int, v *M, f func(*Dec, int, *E) int) int {
	return DecodeMapOf(d, i, v, func(s string, k *K) (error, bool) {
		*k = K(s)
		return nil, false
	}, f)
}

// DecodeMapOf is [DecodeMap] with keys that the function key parses. If key returns an error, its
// second result says whether the error ends the decoding or only leaves out this member.
func DecodeMapOf[M ~map[K]E, K comparable, E any](d *Dec, i int, v *M, key func(string, *K) (error, bool), f func(*Dec, int, *E) int) int {
	i = jsonwire.SkipSpace(d.doc, i)
	if d.doc[i] != '{' {
		if jsonwire.IsNull(d.doc, i) {
			*v = nil
			return i + 4
		}
		return d.wrong(i, "an object")
	}
	if *v == nil {
		*v = make(M)
	}
	i = jsonwire.SkipSpace(d.doc, i+1)
	more := d.doc[i] != '}'
	if !more {
		i++
	}
	for more {
		var k K
		var x E
		at := i
		var name string
		name, i = d.key(i)
		if i = f(d, i, &x); d.failed {
			return d.n
		}
		err, fatal := key(name, &k)
		switch {
		case err == nil:
			(*v)[k] = x
		case fatal:
			return d.abort(at, "UnmarshalText of a key", err)
		case d.err == nil:
			d.err = &Error{Offset: at, Msg: "key", Err: err}
		}
		i, more = d.next(i)
	}
	return i
}

// ParseKeyInt parses a key of a signed integer type, for [DecodeMapOf].
func ParseKeyInt[K Signed](s string, k *K) (error, bool) {
	x, err := strconv.ParseInt(s, 10, int(unsafe.Sizeof(*k))*8)
	if err == nil {
		*k = K(x)
	}
	return err, false
}

// ParseKeyUint parses a key of an unsigned integer type, for [DecodeMapOf].
func ParseKeyUint[K Unsigned](s string, k *K) (error, bool) {
	x, err := strconv.ParseUint(s, 10, int(unsafe.Sizeof(*k))*8)
	if err == nil {
		*k = K(x)
	}
	return err, false
}

// ParseKeyText parses a key by its method UnmarshalText, for [DecodeMapOf].
func ParseKeyText[K any, P interface {
	*K
	encoding.TextUnmarshaler
}](s string, k *K) (error, bool) {
	return P(k).UnmarshalText([]byte(s)), true
}
