package jsonrt

import (
	"encoding"
	"encoding/base64"
	"encoding/json"
	"reflect"
	"time"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
	"github.com/zmylab/zmy/internal/jsontag"
)

// NOTE: A plan is built from the outside in: buildDecoder asks for the plans of elements and fields
// by subplan, which returns a plan that may still be empty. So closures keep the plan itself, not
// its function do, which is nil until the plan is complete. Everything that depends only on the
// type is decided while the plan is built. When the closures run, they look only at the document
// and the value.

// buildDecoder fills in the decoder for k. It looks for methods where the function indirect of
// encoding/json does: on the address of a value of a named type, and on what an unnamed pointer
// points to.
func buildDecoder(dec *decoder, k planKey) {
	t := k.t
	if k.fs != nil && k.fs.decoder(dec, k) {
		return
	}
	if k.quoted {
		*dec = *quotedDecoder(t)
		return
	}
	dec.own = ownForm(t)
	if holdsStrings(t) {
		dec.texts = new(texts)
	}
	if t.Kind() == reflect.Pointer {
		elem := subplan(decodeKey(t.Elem(), t.Name() == ""), buildDecoder)
		dec.do = func(d *Dec, i int, p place) int {
			i = jsonwire.SkipSpace(d.doc, i)
			v := value(t, p)
			if jsonwire.IsNull(d.doc, i) {
				v.SetZero()
				return i + 4
			}
			if v.IsNil() {
				v.Set(reflect.New(t.Elem()))
			}
			to, _ := pointee(p)
			return elem.do(d, i, to)
		}
		return
	}
	if t.Kind() == reflect.Interface {
		dec.do = interfaceDecoder(t)
		return
	}
	if jsonwire.StdV2 && foreign(t) {
		dec.do = func(d *Dec, i int, p place) int { return d.std(i, value(t, p).Addr().Interface()) }
		return
	}
	if c := find(t); c != nil && !k.bare && k.fs == nil {
		dec.do = func(d *Dec, i int, p place) int { return c.decodeAt(d, i, value(t, p).Addr().Interface()) }
		return
	}
	if t == timeType && k.methods {
		dec.do = func(d *Dec, i int, p place) int { return DecodeTime(d, i, at[time.Time](p)) }
		return
	}
	if t == numberType {
		dec.do = func(d *Dec, i int, p place) int { return DecodeNumber(d, i, at[json.Number](p)) }
		return
	}
	dec.do = kindDecoder(t)
	if !k.methods {
		return
	}
	switch ptr := reflect.PointerTo(t); {
	case ptr.Implements(unmarshalerType):
		dec.do = func(d *Dec, i int, p place) int {
			return d.unmarshaler(i, value(t, p).Addr().Interface().(json.Unmarshaler))
		}
	case ptr.Implements(untextType):
		kind := dec.do
		dec.do = func(d *Dec, i int, p place) int {
			i = jsonwire.SkipSpace(d.doc, i)
			if jsonwire.IsNull(d.doc, i) {
				if jsonwire.StdV2 {
					return i + 4
				}
				return kind(d, i, p)
			}
			return d.untext(i, t, value(t, p).Addr().Interface().(encoding.TextUnmarshaler))
		}
	}
}

// elemDecoder returns the decoder of a value that is not behind a pointer, such as a field or an
// element.
func elemDecoder(t reflect.Type) *decoder {
	return subplan(decodeKey(t, t.Name() != ""), buildDecoder)
}

// holdsStrings reports whether a decoded value of type t may share memory with the document. It may
// if it holds strings, or if a method UnmarshalJSON may keep its argument.
func holdsStrings(t reflect.Type) bool {
	return typeSearch{
		test: func(t reflect.Type) (found, stop bool) {
			k := t.Kind()
			return k == reflect.String || k == reflect.Interface || reflect.PointerTo(t).Implements(unmarshalerType), false
		},
		field: func(f reflect.StructField) (found, into bool) {
			o, _ := jsontag.Of(f.Tag)
			return false, !o.Intern
		},
		keys: true,
	}.in(t)
}

// kindDecoder returns the decoder of a type by its kind, without looking for methods.
func kindDecoder(t reflect.Type) func(*Dec, int, place) int {
	if s, ok := scalarKind(t.Kind()); ok {
		if t.PkgPath() == "" {
			return s.decode
		}
		return func(d *Dec, i int, p place) int {
			before := d.err
			i = s.decode(d, i, p)
			if e, ok := d.err.(*json.UnmarshalTypeError); ok && before == nil {
				e.Type = t // the named type, as in encoding/json
			}
			return i
		}
	}
	switch t.Kind() {
	case reflect.Struct:
		return structDecoder(t)
	case reflect.Map:
		return mapDecoder(t)
	case reflect.Slice:
		if t.Elem() == floatType && planner.fs == nil {
			return func(d *Dec, i int, p place) int { return DecodeFloats(d, i, at[[]float64](p)) }
		}
		return sliceDecoder(t)
	case reflect.Array:
		return arrayDecoder(t)
	}
	return func(d *Dec, i int, _ place) int { // channels, functions and complex numbers take null only
		i = jsonwire.SkipSpace(d.doc, i)
		if jsonwire.IsNull(d.doc, i) {
			return i + 4
		}
		return d.wrong(i, t)
	}
}

func interfaceDecoder(t reflect.Type) func(*Dec, int, place) int {
	if t.NumMethod() == 0 {
		return func(d *Dec, i int, p place) int { return DecodeAny(d, i, at[any](p)) }
	}
	return func(d *Dec, i int, p place) int {
		i = jsonwire.SkipSpace(d.doc, i)
		v := value(t, p)
		null := jsonwire.IsNull(d.doc, i)
		if e := v.Elem(); into(e, null) {
			return d.into(i, e)
		}
		if null {
			v.SetZero()
			return i + 4
		}
		if !jsonwire.StdV2 || !d.merge {
			if d.merge && d.opt&UseNumber == 0 && jsonwire.SkipNumber(d.doc, i) > 0 {
				if _, e := jsonwire.ParseFloat64(d.doc, i); e < 0 { // encoding/json checks the range first
					_, e = d.outOfRange(i)
					return e
				}
			}
			return d.wrong(i, t)
		}
		v.SetZero()
		before := d.err
		e := d.wrong(i, t)
		if te, ok := d.err.(*json.UnmarshalTypeError); ok && before == nil {
			te.Offset = int64(i)
		}
		return e
	}
}

// into reports whether decoding stores into what e points to, instead of replacing e. e is the
// value that an interface holds. null says that the document has null for the interface.
func into(e reflect.Value, null bool) bool {
	return e.Kind() == reflect.Pointer && !e.IsNil() && (!null || e.Elem().Kind() == reflect.Pointer)
}

// into decodes the value at i into what the pointer v points to.
func (d *Dec) into(i int, v reflect.Value) int {
	if to := v.Elem(); to.Kind() == reflect.Interface && to.Elem().Equal(v) { // the interface holds its own address
		x, i := d.value(i)
		if !d.failed && to.NumMethod() == 0 {
			to.Set(reflect.ValueOf(&x).Elem())
		}
		return i
	}
	return decoderOf(v.Type().Elem(), v.Type().Name() == "").do(d, i, placeOf(v.Elem()))
}

func sliceDecoder(t reflect.Type) func(*Dec, int, place) int {
	elem, size := elemDecoder(t.Elem()), t.Elem().Size()
	octets := t.Elem().Kind() == reflect.Uint8
	step := 2
	if size <= 64 {
		step = 4
	}
	return func(d *Dec, i int, p place) int {
		v := value(t, p)
		if octets {
			if i = jsonwire.SkipSpace(d.doc, i); jsonwire.Load8(d.doc, i) == '"' {
				return d.bytes(i, v)
			}
		}
		i, what := d.open(i, t)
		switch what {
		case isOther:
			return i
		case isNull:
			v.SetZero()
			return i
		case isEmpty:
			v.Set(reflect.MakeSlice(t, 0, 0))
			return i
		}
		old, n := v.Len(), 0
		v.SetLen(v.Cap()) // like encoding/json, do not clear elements beyond the length
		var first place
		if v.Len() > 0 {
			first = elems(v)
		}
		for more := true; more; n++ {
			if n == v.Len() {
				v.Grow(max(n, step))
				v.SetLen(v.Cap())
				first = elems(v)
			}
			i = elem.do(d, i, elemAt(first, n, size))
			i, more = d.next(i, ']')
		}
		if d.failed {
			n = max(n, old) // encoding/json does not shorten the slice then
		}
		v.SetLen(n)
		return i
	}
}

// bytes reads the string of base64 at i into v, a slice of bytes.
func (d *Dec) bytes(i int, v reflect.Value) int {
	text, e := jsonwire.AppendUnescaped([]byte{}, d.doc, i)
	if e < 0 {
		return d.fail()
	}
	if jsonwire.StdV2 { // version 2 reuses the memory of v, and never stores nil
		out, err := base64.StdEncoding.AppendDecode(v.Bytes()[:0], text)
		if err != nil {
			return d.refuse(i, typeError(err, "string", v.Type(), i, e))
		}
		if out == nil {
			out = []byte{}
		}
		v.SetBytes(out)
		return e
	}
	n, err := base64.StdEncoding.Decode(text, text) // in place, since the result is shorter
	if err != nil {
		return d.refuse(i, typeError(err, "string", v.Type(), i, e))
	}
	v.SetBytes(text[:n:n])
	return e
}

func arrayDecoder(t reflect.Type) func(*Dec, int, place) int {
	elem, size := elemDecoder(t.Elem()), t.Elem().Size()
	return func(d *Dec, i int, p place) int {
		v := value(t, p)
		i, what := d.open(i, t)
		switch what {
		case isOther, isNull:
			return i
		case isEmpty:
			v.SetZero()
			return i
		}
		first, n := place(elems(v)), 0
		for more := true; more; n++ {
			if n < v.Len() {
				i = elem.do(d, i, elemAt(first, n, size))
			} else {
				i = d.Skip(i)
			}
			i, more = d.next(i, ']')
		}
		for ; n < v.Len() && !d.failed; n++ {
			v.Index(n).SetZero()
		}
		return i
	}
}

// bareDecoder returns the decoder of an embedded field whose type is unexported. As in
// encoding/json, a pointer of such a type cannot be set: null keeps what it points to, and if it is
// nil, decoding panics.
func bareDecoder(t reflect.Type) *decoder {
	if t.Kind() != reflect.Pointer {
		return subplan(planKey{t: t, decode: true}, buildDecoder)
	}
	elem := bareDecoder(t.Elem())
	return &decoder{do: func(d *Dec, i int, p place) int {
		to, ok := pointee(p)
		if ok {
			return elem.do(d, i, to)
		}
		if d.merge {
			panic("json: cannot set embedded pointer to unexported struct: " + t.Elem().String())
		}
		return d.fail()
	}}
}

// structDecoder returns the decoder of a struct. It expects members in the order of the fields. It
// looks up the names of members that are in another order.
func structDecoder(t reflect.Type) func(*Dec, int, place) int {
	m := membersOf(t)
	fields := m.fields
	decs := make([]*decoder, len(fields))
	names := &Names{Keys: make([]string, len(fields)), Rest: m.inline != nil}
	index := make(map[string]int, len(fields))
	var required []string
	bits := make([]int, len(fields)) // the index of each field in required, -1 if it is not required
	for n, f := range fields {
		bits[n] = -1
		if f.required {
			bits[n] = len(required)
			required = append(required, f.name)
		}
		names.Keys[n], index[f.name] = f.name, n
		if decs[n] = elemDecoder(f.typ); f.bare {
			decs[n] = bareDecoder(f.typ)
		}
		if f.quoted && !reached(f.typ) {
			decs[n] = quotedDecoder(f.typ)
		}
		if f.intern {
			decs[n] = internDecoder(decs[n])
		}
	}
	names.Find = func(key string) int {
		if n, ok := index[key]; ok {
			return n
		}
		return Unknown
	}
	unknown := (*Dec).unknownAt
	if m.inline != nil {
		unknown = m.inline.member()
	}
	if err := errTag(t, m.problem); err != nil {
		return func(d *Dec, i int, _ place) int { return d.refuse(i, err) }
	}
	return func(d *Dec, i int, p place) int {
		i = jsonwire.SkipSpace(d.doc, i)
		if jsonwire.Load8(d.doc, i) != '{' && !jsonwire.IsNull(d.doc, i) {
			return d.wrong(i, t)
		}
		i, n := Object[struct{}](d, i, names)
		var have []uint64
		if required != nil {
			have = make([]uint64, (len(required)+63)/64)
		}
		for n != Done {
			if n == Unknown {
				i = unknown(d, i, p)
			} else if at, ok := fields[n].reach(p); ok {
				before := d.err
				if i = decs[n].do(d, i, at); d.err != before {
					d.tellField(t, &fields[n])
				}
			} else {
				i = d.RefuseEmbedded(i, fields[n].hidden().String())
			}
			if have != nil && n >= 0 && bits[n] >= 0 {
				have[bits[n]/64] |= 1 << (bits[n] % 64)
			}
			i, n = d.Key(i, n, names)
		}
		if have != nil {
			return d.Require(i, have, required)
		}
		return i
	}
}

// unknownAt is [Dec.Unknown] with the parameters of [inlined.member].
func (d *Dec) unknownAt(i int, _ place) int { return d.Unknown(i) }

// tellField adds the names of the struct t and of its field f to an error about a value of the
// wrong type.
func (d *Dec) tellField(t reflect.Type, f *field) {
	e, ok := d.err.(*json.UnmarshalTypeError)
	if !ok || d.failed {
		return
	}
	if e.Field == "" { // t is the innermost struct
		e.Struct = t.Name()
	} else {
		e.Field = "." + e.Field
	}
	e.Field = f.path + e.Field
}

// reach returns the place of the field in the struct at p. If an embedded pointer on the way is
// nil, it allocates the struct. ok is false if reflection may not set such a pointer.
func (f *field) reach(p place) (_ place, ok bool) {
	for _, s := range f.steps {
		if s.ptr != nil {
			to, ok := pointee(p)
			if !ok {
				if s.hidden {
					return p, false
				}
				value(reflect.PointerTo(s.ptr), p).Set(reflect.New(s.ptr))
				to, _ = pointee(p)
			}
			p = to
		}
		p = fieldAt(p, s)
	}
	return p, true
}

// hidden returns the struct type of an embedded pointer that reflection may not set: the first such
// pointer on the way to the field.
func (f *field) hidden() reflect.Type {
	for _, s := range f.steps {
		if s.hidden {
			return s.ptr
		}
	}
	return nil
}

// DecodeStd reads the value at i by a plan. It is for types whose parts generated code cannot
// access.
func DecodeStd[T any](d *Dec, i int, v *T) int {
	t := reflect.TypeFor[T]()
	k := decodeKey(t, t.Name() != "")
	k.bare = true
	return plan(k, buildDecoder).do(d, i, placeOf(reflect.ValueOf(v).Elem()))
}
