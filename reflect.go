package zmy

import (
	"fmt"
	"reflect"

	"github.com/zmylab/zmy/internal/zmyreflect"
)

// ways caches the way of each type that was marshalled or unmarshalled.
var ways zmyreflect.Cache[way]

// way says how a type is marshalled and unmarshalled: by methods of generated code, or else by a
// plan for reflection. A pointer type has the way of the type that it points to.
type way struct {
	pointer     bool // the type is a pointer
	marshals    bool // the type, or the type it points to, declares the methods of Marshaler itself
	unmarshals  bool // likewise Unmarshaler
	fingerprint bool // likewise Fingerprinter
	plan        *zmyreflect.Plan
	err         error // why there are neither methods nor a plan
}

func wayOf(v any) *way {
	t := reflect.TypeOf(v)
	if t == nil {
		return &noWay
	}
	return ways.Get(t, findWay)
}

var noWay = way{err: &typeError{&zmyreflect.TypeError{Msg: "a message is a struct, not nil"}}}

// findWay makes the way of t. Generated methods come before a plan: they know unions, and they are
// faster. A plan takes their place only if they are out of date and reflection sees all that the
// format needs.
func findWay(t reflect.Type) (w way) {
	if t.Kind() == reflect.Pointer && t.Elem().Kind() != reflect.Pointer { // Compile refuses pointers to pointers
		w = *ways.Get(t.Elem(), findWay)
		w.pointer = true
		return w
	}
	w.marshals = zmyreflect.Declares(t, marshalerType, "AppendZMYOptions")
	w.unmarshals = zmyreflect.Declares(t, unmarshalerType, "UnmarshalZMYOptions")
	w.fingerprint = zmyreflect.Declares(t, fingerprinterType, "ZMYFingerprint")
	if w.marshals && w.unmarshals {
		if stale := staleCode(t); stale == nil || !stale.standIn {
			return w // its methods return ErrStale
		}
		w = way{}
	}
	w.plan, w.err = zmyreflect.Compile(t, hasGenerated, isStale)
	if w.err != nil {
		err := *w.err.(*zmyreflect.TypeError)
		if word := zmyreflect.InstanceWord(t); word != "" && err.Generator {
			err.Hint += fmt.Sprintf("; code of a generic type's instance is in functions, here AppendZMY%s and UnmarshalZMY%s: call those",
				word, word)
		}
		w.err = &typeError{&err}
	}
	return w
}

var (
	marshalerType     = reflect.TypeFor[Marshaler]()
	unmarshalerType   = reflect.TypeFor[Unmarshaler]()
	fingerprinterType = reflect.TypeFor[Fingerprinter]()
)

// hasGenerated reports whether t is a struct with generated code of its own. Methods that t has
// only from an embedded field do not count: they marshal that field alone. Types other than structs
// have no generated code.
func hasGenerated(t reflect.Type) bool {
	return t.Kind() == reflect.Struct &&
		zmyreflect.Declares(t, marshalerType, "AppendZMYOptions") &&
		zmyreflect.Declares(t, unmarshalerType, "UnmarshalZMYOptions")
}

// typeError says why a type cannot be marshalled.
type typeError struct{ *zmyreflect.TypeError }

// Unwrap returns ErrNoGeneratedCode or ErrType.
func (e *typeError) Unwrap() error {
	if e.Generator {
		return ErrNoGeneratedCode
	}
	return ErrType
}

// fail returns the error of the operation op on v, whose type cannot be marshalled.
func (w *way) fail(op string, v any) error { return fmt.Errorf("zmy: %s %T: %w", op, v, w.err) }

// appendPlan does what AppendZMYOptions does, for a type without generated code.
func (o MarshalOptions) appendPlan(dst []byte, p *zmyreflect.Plan, v any) ([]byte, error) {
	if cap(dst) == 0 {
		scratch, buf := Borrow()
		e, left := o.Encoder(buf)
		b, err := p.Append(&e, buf, v, left)
		return scratch.Encoded(p.Name, &e, b, err)
	}
	e, left := o.Encoder(dst)
	b, err := p.Append(&e, dst, v, left)
	return Encoded(p.Name, &e, dst, b, err)
}

// decodePlan does what UnmarshalZMYOptions does, for a type without generated code.
func (o UnmarshalOptions) decodePlan(b []byte, p *zmyreflect.Plan, v any) error {
	d, left, err := o.Decoder(len(b))
	if err == nil {
		err = p.Decode(&d, b, v, left)
	}
	return Decoded(p.Name, err)
}

// nilPointer returns the error for a nil pointer.
func nilPointer(op string, v any) error { return fmt.Errorf("zmy: %s %T: nil pointer", op, v) }

func isNil(v any) bool { return reflect.ValueOf(v).IsNil() }

// as returns v if it implements T, else a pointer to a copy of v, which must implement T.
func as[T any](v any) T {
	if t, ok := v.(T); ok {
		return t
	}
	p := reflect.New(reflect.TypeOf(v))
	p.Elem().Set(reflect.ValueOf(v))
	return p.Interface().(T)
}
