package jsonrt

import (
	"encoding"
	"encoding/base64"
	"encoding/json"
	"reflect"
	"time"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// NOTE: Plans are built as described in plan_dec.go. buildEncoder tries the ways to encode a type
// in the order of encoding/json. Generated code stands for a method MarshalJSON, so it comes first;
// then come methods; then the kind. A method that only the pointer has is called if the value is
// addressable, which is known only at run time. So such a plan also keeps the closure for values
// that are not addressable.

// buildEncoder fills in the encoder for k. It looks for methods in the order of function
// newTypeEncoder in encoding/json.
func buildEncoder(enc *encoder, k planKey) {
	t := k.t
	if k.fs != nil && k.fs.encoder(enc, k) {
		return
	}
	if k.quoted {
		*enc = *quotedEncoder(t, elemEncoder(t))
		return
	}
	if !k.bare && k.fs == nil && t.Kind() != reflect.Interface && t.Kind() != reflect.Pointer {
		if c := find(t); c != nil {
			enc.do = func(e *Enc, b []byte, p place) []byte { return c.encodeAt(e, b, value(t, p).Addr().Interface()) }
			return
		}
	}
	if jsonwire.StdV2 && foreign(t) {
		enc.do = func(e *Enc, b []byte, p place) []byte {
			v := value(t, p)
			if e.addr {
				v = v.Addr()
			}
			return e.std(b, v.Interface())
		}
		return
	}
	switch t {
	case timeType:
		enc.do = func(e *Enc, b []byte, p place) []byte { return EncodeTime(e, b, at[time.Time](p)) }
		return
	case rawType:
		enc.do = func(e *Enc, b []byte, p place) []byte { return EncodeRaw(e, b, at[json.RawMessage](p)) }
		return
	case numberType:
		enc.do = func(e *Enc, b []byte, p place) []byte { return EncodeNumber(e, b, at[json.Number](p)) }
		return
	}
	// Methods of a pointer type *T are found by the encoder of T, since a T behind a pointer is
	// addressable.
	if t.Kind() == reflect.Pointer {
		enc.do = pointerEncoder(elemEncoder(t.Elem()))
		return
	}
	kind := kindEncoder
	if t.Implements(textType) {
		kind = func(t reflect.Type) func(*Enc, []byte, place) []byte {
			return func(e *Enc, b []byte, p place) []byte {
				m, _ := value(t, p).Interface().(encoding.TextMarshaler)
				if t.Kind() == reflect.Interface {
					return EncodeTextIn(e, b, &m)
				}
				return e.text(b, m)
			}
		}
	}
	byValue := kind(t)
	if t.Implements(marshalerType) {
		byValue = func(e *Enc, b []byte, p place) []byte {
			m, _ := value(t, p).Interface().(json.Marshaler)
			if t.Kind() == reflect.Interface {
				return EncodeMarshalerIn(e, b, &m)
			}
			return e.marshaler(b, m)
		}
	}
	enc.do = byValue
	if t.Kind() == reflect.Interface {
		return
	}
	switch ptr := reflect.PointerTo(t); {
	case ptr.Implements(marshalerType):
		enc.do = func(e *Enc, b []byte, p place) []byte {
			if !e.addr {
				return byValue(e, b, p)
			}
			return e.marshaler(b, value(t, p).Addr().Interface().(json.Marshaler))
		}
	case ptr.Implements(textType):
		enc.do = func(e *Enc, b []byte, p place) []byte {
			if !e.addr {
				return byValue(e, b, p)
			}
			return e.text(b, value(t, p).Addr().Interface().(encoding.TextMarshaler))
		}
	}
}

// kindEncoder returns the encoder of a type by its kind, without looking for methods.
func kindEncoder(t reflect.Type) func(*Enc, []byte, place) []byte {
	if s, ok := scalarKind(t.Kind()); ok {
		return s.encode
	}
	switch t.Kind() {
	case reflect.Interface:
		return func(e *Enc, b []byte, p place) []byte { return EncodeDynamic(e, b, value(t, p).Interface()) }
	case reflect.Struct:
		return structEncoder(t)
	case reflect.Map:
		return mapEncoder(t)
	case reflect.Slice:
		if ptr := reflect.PointerTo(t.Elem()); t.Elem().Kind() == reflect.Uint8 && !ptr.Implements(marshalerType) && !ptr.Implements(textType) {
			return bytesEncoder(t)
		}
		if t.Elem() == floatType && planner.fs == nil {
			return func(e *Enc, b []byte, p place) []byte { return EncodeFloats(e, b, at[[]float64](p)) }
		}
		return sliceEncoder(t, elemEncoder(t.Elem()))
	case reflect.Array:
		return arrayEncoder(t, elemEncoder(t.Elem()))
	}
	return func(e *Enc, b []byte, _ place) []byte { return e.Fail(b) }
}

func elemEncoder(t reflect.Type) *encoder { return subplan(planKey{t: t}, buildEncoder) }

func pointerEncoder(elem *encoder) func(*Enc, []byte, place) []byte {
	return func(e *Enc, b []byte, p place) []byte {
		to, ok := pointee(p)
		if !ok {
			return append(b, "null"...)
		}
		return e.pointed(b, to, elem)
	}
}

// pointed appends the value at p, which a pointer points to.
func (e *Enc) pointed(b []byte, p place, elem *encoder) []byte {
	if !e.enter() {
		return b
	}
	addr := e.addr
	e.addr = true
	b = elem.do(e, b, p)
	e.addr = addr
	e.leave()
	return b
}

func bytesEncoder(t reflect.Type) func(*Enc, []byte, place) []byte {
	return func(e *Enc, b []byte, p place) []byte {
		v := value(t, p)
		if v.IsNil() {
			return e.null(b, EmptySlices, `""`)
		}
		return append(base64.StdEncoding.AppendEncode(append(b, '"'), v.Bytes()), '"')
	}
}

func sliceEncoder(t reflect.Type, elem *encoder) func(*Enc, []byte, place) []byte {
	size := t.Elem().Size()
	return func(e *Enc, b []byte, p place) []byte {
		first, n, ok := sliceAt(t, p)
		switch {
		case !ok:
			return e.null(b, EmptySlices, "[]")
		case n == 0:
			return append(b, "[]"...)
		case !e.enter():
			return b
		}
		addr := e.addr
		e.addr = true
		b = e.list(b, first, n, size, elem)
		e.addr = addr
		e.leave()
		return b
	}
}

// arrayEncoder returns an encoder that appends the elements of an array.
func arrayEncoder(t reflect.Type, elem *encoder) func(*Enc, []byte, place) []byte {
	size, n := t.Elem().Size(), t.Len()
	return func(e *Enc, b []byte, p place) []byte {
		if n == 0 {
			return append(b, "[]"...)
		}
		return e.list(b, elems(value(t, p)), n, size, elem)
	}
}

// list appends n >= 1 elements of size bytes as an array. first is the place of the first element.
func (e *Enc) list(b []byte, first place, n int, size uintptr, elem *encoder) []byte {
	c := byte('[')
	for i := range n {
		b = elem.do(e, append(b, c), elemAt(first, i, size))
		c = ','
	}
	return append(b, ']')
}

// structEncoder returns the encoder of a struct. It writes a comma before each member, and Close
// turns the first comma into the brace.
func structEncoder(t reflect.Type) func(*Enc, []byte, place) []byte {
	type member struct {
		field
		enc  *encoder
		omit func(e *Enc, p place) bool
	}
	var members []member
	all := membersOf(t)
	if err := errTag(t, all.problem); err != nil {
		return func(e *Enc, b []byte, _ place) []byte { return e.failWith(b, err) }
	}
	for _, f := range all.fields {
		m := member{f, elemEncoder(f.typ), omission(f)}
		if f.quoted && !reached(f.typ) {
			m.enc = quotedEncoder(f.typ, m.enc)
		}
		if f.decimals >= 0 && floats(f.typ) && !reached(f.typ) {
			m.enc = fixedEncoder(f.typ, f.decimals, m.enc)
		}
		members = append(members, m)
	}
	var inline func(*Enc, []byte, place) []byte
	if all.inline != nil {
		inline = all.inline.members()
	}
	return func(e *Enc, b []byte, p place) []byte {
		n, addr := len(b), e.addr
		if inline != nil {
			e.Own()
		}
	fields:
		for i := range members {
			f := &members[i]
			at := p
			e.addr = addr
			for _, s := range f.steps {
				if s.ptr != nil {
					var ok bool
					if at, ok = pointee(at); !ok {
						continue fields
					}
					e.addr = true
				}
				at = fieldAt(at, s)
			}
			if f.omit != nil && f.omit(e, at) {
				continue
			}
			b = Key(e, b, f.lit, f.plainLit)
			b = f.enc.do(e, b, at)
		}
		e.addr = addr
		if inline != nil {
			b = inline(e, b, p)
		}
		return Close(b, n)
	}
}

// omission returns a function that reports whether a field is left out, nil if it never is.
func omission(f field) func(*Enc, place) bool {
	t := f.typ
	empty, zero := func(*Enc, place) bool { return false }, func(*Enc, place) bool { return false }
	if f.omitEmpty {
		switch k := t.Kind(); {
		case k == reflect.String:
			empty = func(_ *Enc, p place) bool { return *at[string](p) == "" }
		case k == reflect.Array || k == reflect.Map || k == reflect.Slice:
			empty = func(_ *Enc, p place) bool { return value(t, p).Len() == 0 }
		case k <= reflect.Float64 || k == reflect.Interface || k == reflect.Pointer:
			empty = func(_ *Enc, p place) bool { return value(t, p).IsZero() }
		}
	}
	if f.omitZero {
		zero = zeroTest(t)
	}
	switch {
	case f.omitEmpty && f.omitZero:
		return func(e *Enc, p place) bool { return empty(e, p) || zero(e, p) }
	case f.omitZero:
		return zero
	case f.omitEmpty:
		return empty
	}
	return nil
}

// zeroTest returns the test for option omitzero. It calls the type's method IsZero if there is one.
// No method is called once the encoding has failed, since encoding/json would have stopped before
// it.
func zeroTest(t reflect.Type) func(*Enc, place) bool {
	type zeroer = interface{ IsZero() bool }
	switch {
	case (t.Kind() == reflect.Interface || t.Kind() == reflect.Pointer) && t.Implements(zeroerType):
		return func(e *Enc, p place) bool {
			v := value(t, p) // if it is a pointer with methods, it does not point to a pointer
			return e.failed || v.IsNil() || v.Elem().Kind() == reflect.Pointer && v.Elem().IsNil() || v.Interface().(zeroer).IsZero()
		}
	case t.Implements(zeroerType):
		return func(e *Enc, p place) bool { return e.failed || value(t, p).Interface().(zeroer).IsZero() }
	case reflect.PointerTo(t).Implements(zeroerType):
		return func(e *Enc, p place) bool {
			if e.failed {
				return true
			}
			v := value(t, p)
			if !e.addr { // call the method on a copy, since it may change its receiver
				v = reflect.New(t).Elem()
				v.Set(value(t, p))
			}
			return v.Addr().Interface().(zeroer).IsZero()
		}
	}
	return func(_ *Enc, p place) bool { return value(t, p).IsZero() }
}

// quotedEncoder returns an encoder that puts what enc writes into quotes, for the option "string".
func quotedEncoder(t reflect.Type, enc *encoder) *encoder {
	if t.Kind() == reflect.Pointer {
		return &encoder{pointerEncoder(quotedEncoder(t.Elem(), elemEncoder(t.Elem())))}
	}
	if ptr := reflect.PointerTo(t); t.Implements(marshalerType) || t.Implements(textType) {
		return enc
	} else if ptr.Implements(marshalerType) || ptr.Implements(textType) {
		byKind := quotedKind(t, &encoder{kindEncoder(t)})
		return &encoder{func(e *Enc, b []byte, p place) []byte {
			if e.addr {
				return enc.do(e, b, p)
			}
			return byKind.do(e, b, p)
		}}
	}
	return quotedKind(t, enc)
}

func quotedKind(t reflect.Type, enc *encoder) *encoder {
	if t.Kind() == reflect.String && t != numberType {
		return &encoder{func(e *Enc, b []byte, p place) []byte {
			return EncodeQuotedString(e, b, at[string](p))
		}}
	}
	return &encoder{func(e *Enc, b []byte, p place) []byte {
		return append(enc.do(e, append(b, '"'), p), '"')
	}}
}

// fixedEncoder returns an encoder that writes floats with a fixed number of decimals, also behind
// pointers and in arrays and slices. The generator applies the struct tag fxjson to the same types.
func fixedEncoder(t reflect.Type, decimals int, enc *encoder) *encoder {
	switch t.Kind() {
	case reflect.Pointer:
		return &encoder{pointerEncoder(fixedEncoder(t.Elem(), decimals, enc))}
	case reflect.Slice:
		return &encoder{sliceEncoder(t, fixedEncoder(t.Elem(), decimals, enc))}
	case reflect.Array:
		return &encoder{arrayEncoder(t, fixedEncoder(t.Elem(), decimals, enc))}
	case reflect.Float32:
		return &encoder{func(e *Enc, b []byte, p place) []byte { return EncodeFixed(e, b, at[float32](p), decimals) }}
	case reflect.Float64:
		return &encoder{func(e *Enc, b []byte, p place) []byte { return EncodeFixed(e, b, at[float64](p), decimals) }}
	}
	return enc
}

// floats reports whether t is a float, or consists of pointers to, slices of or arrays of floats,
// up to a few levels deep.
func floats(t reflect.Type) bool {
	for range 8 {
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array:
			t = t.Elem()
		default:
			return t.Kind() == reflect.Float32 || t.Kind() == reflect.Float64
		}
	}
	return false
}

// reflective appends v by the plan for its type.
func (e *Enc) reflective(b []byte, v any) []byte {
	t := reflect.TypeOf(v)
	if t.Kind() == reflect.Pointer {
		x := reflect.ValueOf(v)
		if x.IsNil() {
			return append(b, "null"...)
		}
		return e.pointed(b, placeOf(x.Elem()), encoderOf(t.Elem()))
	}
	addr := e.addr
	e.addr = false
	b = encoderOf(t).do(e, b, placeIn(v, t))
	e.addr = addr
	return b
}

// EncodeQuoted appends *v with option "string", by a plan. It is for types with methods, which may
// take the place of the option.
func EncodeQuoted[T any](e *Enc, b []byte, v *T) []byte {
	k := planKey{t: reflect.TypeFor[T](), quoted: true}
	return plan(k, buildEncoder).do(e, b, placeOf(reflect.ValueOf(v).Elem()))
}

// EncodeStd appends *v by a plan. It is for types whose parts generated code cannot access.
func EncodeStd[T any](e *Enc, b []byte, v *T) []byte {
	k := planKey{t: reflect.TypeFor[T](), bare: true}
	return plan(k, buildEncoder).do(e, b, placeOf(reflect.ValueOf(v).Elem()))
}
