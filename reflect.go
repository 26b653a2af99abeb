package zmy

import (
	"fmt"
	"reflect"

	"github.com/zmylab/zmy/internal/zmyreflect"
)

// ways is how values of each type that was met are marshalled.
var ways zmyreflect.Cache[way]

// way says by what a type, of a value or of a pointer, is marshalled and
// unmarshalled: methods of generated code, or else a plan.
type way struct {
	pointer     bool // the type is a pointer
	marshals    bool // the type, or what it points to, is a Marshaler of its own
	unmarshals  bool // likewise an Unmarshaler
	fingerprint bool // a Fingerprinter
	plan        *zmyreflect.Plan
	err         error // why there is neither
}

func wayOf(v any) *way {
	t := reflect.TypeOf(v)
	if t == nil {
		return &noWay
	}
	return ways.Get(t, findWay)
}

var noWay = way{err: &typeError{&zmyreflect.TypeError{Msg: "a message is a struct, not nil"}}}

func findWay(t reflect.Type) (w way) {
	if t.Kind() == reflect.Pointer && t.Elem().Kind() != reflect.Pointer {
		w = *ways.Get(t.Elem(), findWay)
		w.pointer = true
		return w
	}
	w.marshals = zmyreflect.Declares(t, marshalerType, "AppendZMYOptions")
	w.unmarshals = zmyreflect.Declares(t, unmarshalerType, "UnmarshalZMYOptions")
	w.fingerprint = zmyreflect.Declares(t, fingerprinterType, "ZMYFingerprint")
	if w.marshals && w.unmarshals {
		if stale := staleCode(t); stale == nil || !stale.standIn {
			return w // which says itself that it is stale
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

// hasGenerated reports a struct with generated code: with its methods, those
// excluded that it has from a field that it embeds, which marshal that field
// only. For any other type nothing is generated.
func hasGenerated(t reflect.Type) bool {
	return t.Kind() == reflect.Struct &&
		zmyreflect.Declares(t, marshalerType, "AppendZMYOptions") &&
		zmyreflect.Declares(t, unmarshalerType, "UnmarshalZMYOptions")
}

// typeError is what is wrong with a type that has no place in messages.
type typeError struct{ *zmyreflect.TypeError }

// Unwrap gives ErrType or ErrNoGeneratedCode to errors.Is.
func (e *typeError) Unwrap() error {
	if e.Generator {
		return ErrNoGeneratedCode
	}
	return ErrType
}

// fail says what was asked of the value.
func (w *way) fail(op string, v any) error { return fmt.Errorf("zmy: %s %T: %w", op, v, w.err) }

// appendPlan is AppendZMYOptions for a type without generated code.
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

// decodePlan is UnmarshalZMYOptions for a type without generated code.
func (o UnmarshalOptions) decodePlan(b []byte, p *zmyreflect.Plan, v any) error {
	d, left, err := o.Decoder(len(b))
	if err == nil {
		err = p.Decode(&d, b, v, left)
	}
	return Decoded(p.Name, err)
}

// nilPointer is the error of a pointer that is nil.
func nilPointer(op string, v any) error { return fmt.Errorf("zmy: %s %T: nil pointer", op, v) }

func isNil(v any) bool { return reflect.ValueOf(v).IsNil() }

// as is v, or a pointer to a copy of it, as a T, which one of the two is.
func as[T any](v any) T {
	if t, ok := v.(T); ok {
		return t
	}
	p := reflect.New(reflect.TypeOf(v))
	p.Elem().Set(reflect.ValueOf(v))
	return p.Interface().(T)
}
