package jsonrt

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// NOTE: A Funcs replaces how some types are marshaled or unmarshaled in one call. It has plans of
// its own for types whose values may hold one of these types; all other types keep their generated
// code and the shared plans. So a call without a Funcs is not affected by any Funcs in the program.

// Funcs holds functions by the type that they marshal or unmarshal.
type Funcs struct {
	encode map[reflect.Type]func(*Enc, []byte, place) []byte
	decode map[reflect.Type]func(*Dec, int, place) int

	plans [len(plans)]sync.Map
	known sync.Map // by type, whether a value of it may hold one of those types
}

// EncodeFunc returns a set with the function fn, which marshals values of type T. It panics if T is
// an interface or a pointer.
func EncodeFunc[T any](fn func(T) ([]byte, error)) *Funcs {
	t := checkFunc[T]()
	return &Funcs{encode: map[reflect.Type]func(*Enc, []byte, place) []byte{t: func(e *Enc, b []byte, p place) []byte {
		if e.failed {
			return b
		}
		raw, err := fn(*at[T](p))
		if err != nil {
			return e.failWith(b, fmt.Errorf("fxjson: marshal %v: %w", t, err))
		}
		if b = e.raw(b, raw); e.failed {
			e.err = fmt.Errorf("fxjson: marshal %v: the function returned malformed JSON: %.100q", t, raw)
		}
		return b
	}}}
}

// DecodeFunc returns a set with the function fn, which unmarshals values of type T. It panics if T
// is an interface or a pointer.
func DecodeFunc[T any](fn func([]byte, *T) error) *Funcs {
	t := checkFunc[T]()
	return &Funcs{decode: map[reflect.Type]func(*Dec, int, place) int{t: func(d *Dec, i int, p place) int {
		i = jsonwire.SkipSpace(d.doc, i)
		e := d.Skip(i)
		if d.failed {
			return e
		}
		if err := fn(d.own(i, e), at[T](p)); err != nil {
			return d.raised(e, fmt.Errorf("fxjson: unmarshal %v: %w", t, err))
		}
		return e
	}}}
}

// checkFunc returns the type T. It panics if T is an interface or a pointer.
func checkFunc[T any]() reflect.Type {
	t := reflect.TypeFor[T]()
	if t.Kind() == reflect.Interface || t.Kind() == reflect.Pointer {
		panic("fxjson: a function for " + t.String() + ": give one for a type that is no interface and no pointer")
	}
	return t
}

// JoinFuncs returns the functions of all sets. If several functions are for one type, the first is
// used. It returns nil if there are no functions.
func JoinFuncs(sets []*Funcs) *Funcs {
	out := &Funcs{encode: map[reflect.Type]func(*Enc, []byte, place) []byte{}, decode: map[reflect.Type]func(*Dec, int, place) int{}}
	for _, s := range slices.Backward(sets) { // the first, which counts, replaces the others
		if s != nil {
			maps.Copy(out.encode, s.encode)
			maps.Copy(out.decode, s.decode)
		}
	}
	if len(out.encode)+len(out.decode) == 0 {
		return nil
	}
	return out
}

// encodes reports whether there is a function for t or, if t is a pointer type, for the type that
// it leads to.
func (fs *Funcs) encodes(t reflect.Type) bool {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return fs.encode[t] != nil
}

// reaches reports whether a value of type t may hold a value for which there is a function. An
// interface may hold any value.
func (fs *Funcs) reaches(t reflect.Type) bool {
	if is, ok := fs.known.Load(t); ok {
		return is.(bool)
	}
	is := typeSearch{
		test: func(t reflect.Type) (found, stop bool) {
			return fs.encode[t] != nil || fs.decode[t] != nil || t.Kind() == reflect.Interface, false
		},
		field: func(f reflect.StructField) (found, into bool) { return false, seen(f) },
	}.in(t)
	fs.known.Store(t, is)
	return is
}

// reached reports whether the plan that is being made has a function for t, or for a type that
// values of type t may hold.
func reached(t reflect.Type) bool { return planner.fs != nil && planner.fs.reaches(t) }

// shared returns the plan for k that uses no functions.
func shared[P any](k planKey, build func(*P, planKey)) *P {
	fs := planner.fs
	planner.fs = nil
	p := subplan(k, build)
	planner.fs = fs
	return p
}

// encoder fills in enc if the functions decide how values of type k.t are encoded. Otherwise it
// returns false, and buildEncoder goes on.
func (fs *Funcs) encoder(enc *encoder, k planKey) bool {
	f := fs.encode[k.t]
	switch {
	case f != nil:
		enc.do = f
	case !fs.reaches(k.t):
		*enc = *shared(k, buildEncoder)
	case k.t.Kind() == reflect.Interface:
		plain := shared(k, buildEncoder)
		method := k.t.Implements(marshalerType) || k.t.Implements(textType) // then only a function for the value's own type counts
		enc.do = func(e *Enc, b []byte, p place) []byte {
			if x := value(k.t, p).Elem(); x.IsValid() && (fs.encodes(x.Type()) || !method && fs.reaches(x.Type())) {
				return fs.append(e, b, x.Interface())
			}
			return plain.do(e, b, p)
		}
	case foreign(k.t):
		enc.do = func(e *Enc, b []byte, _ place) []byte { return e.failWith(b, foreignFunc(k.t)) }
	default:
		return false
	}
	return true
}

// decoder is encoder for decoders.
func (fs *Funcs) decoder(dec *decoder, k planKey) bool {
	f := fs.decode[k.t]
	switch {
	case f != nil:
		dec.do, dec.texts = f, new(texts) // f may keep the bytes that it gets
	case !fs.reaches(k.t):
		*dec = *shared(k, buildDecoder)
	case k.t.Kind() == reflect.Interface:
		*dec = *shared(k, buildDecoder)
		plain := dec.do
		dec.do = func(d *Dec, i int, p place) int {
			i = jsonwire.SkipSpace(d.doc, i)
			v := value(k.t, p).Elem()
			if !into(v, jsonwire.IsNull(d.doc, i)) || v.Type().Elem().Kind() == reflect.Interface {
				return plain(d, i, p)
			}
			return fs.decoderOf(v.Type()).do(d, i, placeOf(v.Elem()))
		}
	case foreign(k.t):
		dec.do = func(d *Dec, i int, _ place) int { return d.abort(foreignFunc(k.t)) }
	default:
		return false
	}
	return true
}

func foreignFunc(t reflect.Type) error {
	return errors.New("fxjson: type " + t.String() + " uses what only encoding/json/v2 knows, so that it takes no functions for types in it")
}

// append appends v, which may hold a value for which there is a function.
func (fs *Funcs) append(e *Enc, b []byte, v any) []byte {
	t := reflect.TypeOf(v)
	switch {
	case v == nil || !fs.reaches(t):
		return EncodeDynamic(e, b, v)
	case t.Kind() == reflect.Pointer:
		x := reflect.ValueOf(v)
		if x.IsNil() {
			return append(b, "null"...)
		}
		return e.pointed(b, placeOf(x.Elem()), plan(planKey{t: t.Elem(), fs: fs}, buildEncoder))
	}
	addr := e.addr
	e.addr = false
	b = plan(planKey{t: t, fs: fs}, buildEncoder).do(e, b, placeIn(v, t))
	e.addr = addr
	return b
}

// decoderOf returns the decoder for what a pointer of type t points to.
func (fs *Funcs) decoderOf(t reflect.Type) *decoder {
	k := decodeKey(t.Elem(), t.Name() == "")
	k.fs = fs
	return plan(k, buildDecoder)
}

// AppendBy is [AppendWith] with functions; fs may be nil.
func AppendBy(b []byte, v any, opt Options, fs *Funcs) ([]byte, error) {
	if fs == nil || v == nil || !fs.reaches(reflect.TypeOf(v)) {
		return AppendWith(b, v, opt)
	}
	e, n := newEnc(opt|Own), len(b)
	return e.end(fs.append(e, b, v), n, v)
}

// UnmarshalBy is [UnmarshalWith] with functions; fs may be nil.
func UnmarshalBy(b []byte, v any, opt Options, fs *Funcs) error {
	ptr := reflect.ValueOf(v)
	if fs == nil || ptr.Kind() != reflect.Pointer || ptr.IsNil() || !fs.reaches(ptr.Type().Elem()) {
		return UnmarshalWith(b, v, opt)
	}
	if err := refuseDuplicates(b, v, opt); err != nil {
		return err
	}
	return unmarshalBy(b, v, ptr, opt|FastErrors, fs.decoderOf(ptr.Type()))
}
