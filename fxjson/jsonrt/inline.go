package jsonrt

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
	"github.com/zmylab/zmy/internal/jsontag"
)

// NOTE: Struct tag fxjson:"inline" makes the members of a field members of its struct. A field that
// is a struct is treated like an embedded struct (plan_fields.go, gen/check). A field that is a map
// or json.RawMessage takes the members that have no field; a struct has at most one such field. The
// rules are those of encoding/json/v2, with which TestInline compares.

// ownOptions are the options with which encoding/json must not marshal a value in place of this
// package: its result would have another form.
const ownOptions = EmptySlices | EmptyMaps | Own

// Own records that the current struct has a form that encoding/json does not know, so that
// encoding/json cannot take over.
func (e *Enc) Own() {
	e.opt |= Own
	e.limit = methodDepth
}

// KeepsUnknown reports whether members of fields with option unknown are written.
func (e *Enc) KeepsUnknown() bool { return e.opt&DropUnknown == 0 }

// KeepsUnknown reports whether fields with option unknown take unknown members.
func (d *Dec) KeepsUnknown() bool { return d.opt&RefuseUnknown == 0 }

var (
	errOwn       = errors.New("fxjson: marshal: values nest too deep or without end, or a method failed")
	errNoObject  = errors.New("fxjson: inlined raw JSON is no object")
	errMalformed = errors.New("fxjson: inlined raw JSON is malformed")
)

// failWith is Fail with err, an error that encoding/json does not know.
func (e *Enc) failWith(b []byte, err error) []byte {
	if e.err == nil && !e.failed {
		e.err = err
	}
	return e.Fail(b)
}

// end ends the encoding of v, which was appended to b[:n].
func (e *Enc) end(b []byte, n int, v any) ([]byte, error) {
	if e.Done() {
		return b, nil
	}
	return e.rescue(b[:n], v)
}

// rescue appends v after e has failed. encoding/json returns the error, or marshals v if it only
// nests too deep. If v has a form that encoding/json does not know, the result is an error of this
// package.
func (e *Enc) rescue(b []byte, v any) ([]byte, error) {
	if e.err != nil {
		return b, e.err
	}
	if v != nil && e.opt&Own == 0 && ownForm(reflect.TypeOf(v)) { // e may have failed before it met that form
		e, n := newEnc(e.opt|Own), len(b)
		return e.end(EncodeDynamic(e, b, v), n, v)
	}
	out, err := appendStdWith(b, v, e.opt)
	if err == nil && e.opt&ownOptions != 0 {
		return b, errOwn
	}
	return out, err
}

// EncodeInline appends the members of the map *v, with a comma before each. f encodes the map.
func EncodeInline[M ~map[K]E, K ~string, E any](e *Enc, b []byte, v *M, f func(*Enc, []byte, *M) []byte) []byte {
	if len(*v) == 0 {
		return b
	}
	n := len(b)
	return opened(f(e, b, v), n)
}

// EncodeInlineRaw appends the members of the JSON object *v, with a comma before the first.
func EncodeInlineRaw[R ~[]byte](e *Enc, b []byte, v *R) []byte {
	if len(*v) == 0 {
		return b
	}
	n, failed := len(b), e.failed
	b = e.raw(b, *v)
	switch {
	case e.failed && !failed:
		e.err = errMalformed
	case !e.failed && b[n] != '{':
		return e.failWith(b, errNoObject)
	}
	return opened(b, n)
}

// opened removes the braces of the object b[n:] and puts a comma before its members, if there are
// any.
func opened(b []byte, n int) []byte {
	switch {
	case len(b) < n+2: // an error has cut the object short
	case len(b) == n+2:
		return b[:n]
	default:
		b[n] = ','
		return b[:len(b)-1]
	}
	return b
}

// DecodeInline reads an unknown member into the map *v. Its value is at i, and f reads it. As in
// encoding/json/v2, an element that is already in the map is decoded into, not replaced.
func DecodeInline[M ~map[K]E, K ~string, E any](d *Dec, i int, v *M, f func(*Dec, int, *E) int) int {
	k := K(d.takeKey())
	if *v == nil {
		*v = make(M)
	}
	x := (*v)[k]
	if i = f(d, i, &x); !d.failed {
		(*v)[k] = x
	}
	return i
}

// takeKey returns the last unknown key; d keeps no reference to it.
func (d *Dec) takeKey() string {
	k := d.alien
	d.alien = ""
	return k
}

// DecodeInlineRaw adds an unknown member, whose value is at i, to the JSON object *v. Key and value
// are copied from the document unchanged.
func DecodeInlineRaw[R ~[]byte](d *Dec, i int, v *R) int {
	const space = " \t\r\n"
	d.alien = ""
	i = jsonwire.SkipSpace(d.doc, i)
	out := []byte(*v)
	if len(out) == 0 {
		out = append(out, '{')
	} else {
		var ok bool
		if out, ok = bytes.CutSuffix(bytes.TrimRight(out, space), []byte("}")); !ok {
			return d.refuse(i, errNoObject)
		}
		if out = bytes.TrimRight(out, space); !bytes.HasSuffix(out, []byte(",")) && !bytes.HasSuffix(out, []byte("{")) {
			out = append(out, ',')
		}
	}
	e := d.Skip(i)
	if d.failed {
		return e
	}
	out = append(append(out, d.literal...), ':')
	*v = append(append(out, d.doc[i:e]...), '}')
	return e
}

// ownForm reports whether t, or a type that it contains, has a form that encoding/json does not
// know. Such a type has a struct tag fxjson, or generated code that only encodes. It does not look
// into interfaces.
func ownForm(t reflect.Type) bool {
	return typeSearch{
		test: func(t reflect.Type) (found, stop bool) {
			if t.Name() == "" || t.Kind() == reflect.Interface || !reflect.PointerTo(t).Implements(coderType) {
				return false, false
			}
			c := findAny(t)
			return c != nil && c.encodeOnly(), false
		},
		field: func(f reflect.StructField) (found, into bool) {
			if seen(f) && f.Tag.Get("fxjson") != "" {
				o, problems := jsontag.Of(f.Tag)
				found = o.Inline || o.Required || len(problems) > 0
			}
			return found, seen(f) && !jsontag.Skipped(f.Tag)
		},
	}.in(t)
}

// inlined is the field of a struct that takes the members for which there is no field.
type inlined struct {
	field
	unknown bool
}

// inlinedMap reports whether t is a map or raw JSON that can take unknown members. t is the type of
// an inlined field, or the type that the field points to.
func inlinedMap(t reflect.Type) bool {
	return t == rawType || t.Kind() == reflect.Map && t.Key().Kind() == reflect.String && !methodsOf(t) && !methodsOf(t.Key())
}

// methodsOf reports whether t has JSON or text methods.
func methodsOf(t reflect.Type) bool {
	return hasMethod(t, marshalerType) || hasMethod(t, unmarshalerType) || hasMethod(t, textType) || hasMethod(t, untextType)
}

// errTag returns the error for the struct t if problem says why its tags fxjson cannot be used. It
// returns nil if problem is "".
func errTag(t reflect.Type, problem string) error {
	if problem == "" {
		return nil
	}
	return errors.New("fxjson: type " + t.String() + ": " + problem)
}

// members returns a function that appends the members in field f of the struct at a place.
func (f *inlined) members() func(*Enc, []byte, place) []byte {
	enc := f.encoder()
	return func(e *Enc, b []byte, p place) []byte {
		if f.unknown && !e.KeepsUnknown() {
			return b
		}
		for _, s := range f.steps {
			if s.ptr != nil {
				var ok bool
				if p, ok = pointee(p); !ok {
					return b
				}
			}
			p = fieldAt(p, s)
		}
		return enc(e, b, p)
	}
}

// member returns a function that reads an unknown member into field f of the struct at a place.
func (f *inlined) member() func(*Dec, int, place) int {
	dec := f.decoder()
	return func(d *Dec, i int, p place) int {
		if f.unknown && !d.KeepsUnknown() {
			return d.Unknown(i)
		}
		at, ok := f.reach(p)
		if !ok {
			return d.RefuseEmbedded(i, f.hidden().String())
		}
		return dec(d, i, at)
	}
}

// encoder returns a function that appends the members in the field itself, given its place.
func (f *inlined) encoder() func(*Enc, []byte, place) []byte {
	t := f.typ
	if t.Kind() == reflect.Pointer {
		g := inlined{field: field{typ: t.Elem()}}
		enc := g.encoder()
		return func(e *Enc, b []byte, p place) []byte {
			to, ok := pointee(p)
			if !ok {
				return b
			}
			return enc(e, b, to)
		}
	}
	if t == rawType {
		return func(e *Enc, b []byte, p place) []byte { return EncodeInlineRaw(e, b, at[json.RawMessage](p)) }
	}
	enc := elemEncoder(t)
	return func(e *Enc, b []byte, p place) []byte {
		if value(t, p).Len() == 0 {
			return b
		}
		n := len(b)
		return opened(enc.do(e, b, p), n)
	}
}

// decoder returns a function that reads the value of an unknown member into the field itself, given
// its place.
func (f *inlined) decoder() func(*Dec, int, place) int {
	t := f.typ
	if t.Kind() == reflect.Pointer {
		g := inlined{field: field{typ: t.Elem()}}
		dec := g.decoder()
		return func(d *Dec, i int, p place) int {
			to, ok := pointee(p)
			if !ok {
				value(t, p).Set(reflect.New(t.Elem()))
				to, _ = pointee(p)
			}
			return dec(d, i, to)
		}
	}
	if t == rawType {
		return func(d *Dec, i int, p place) int { return DecodeInlineRaw(d, i, at[json.RawMessage](p)) }
	}
	elem := elemDecoder(t.Elem())
	return func(d *Dec, i int, p place) int {
		v, k := value(t, p), reflect.ValueOf(d.takeKey()).Convert(t.Key())
		if v.IsNil() {
			v.Set(reflect.MakeMap(t))
		}
		x := reflect.New(t.Elem()).Elem()
		if old := v.MapIndex(k); old.IsValid() {
			x.Set(old)
		}
		if i = elem.do(d, i, placeOf(x)); !d.failed {
			v.SetMapIndex(k, x)
		}
		return i
	}
}
