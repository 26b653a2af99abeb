// Package zmy marshals Go values to the ZMY native format and back.
//
// Types become able to by generated code (zmy gen), which satisfies [Marshaler]
// and [Unmarshaler]. Marshal and Unmarshal here, and the methods themselves, are
// two spellings of the same; the format is spec/FORMAT.md.
//
// Messages carry no type: the reader knows it. One value has one encoding.
// Bytes from anywhere are safe to unmarshal: what is not a message of the type
// is refused with a [DecodeError], and memory stays within a budget.
package zmy

import (
	"fmt"
	"reflect"
)

// Marshaler is a type with generated marshal code.
type Marshaler interface {
	// AppendZMY appends the message to dst under the default options.
	AppendZMY(dst []byte) ([]byte, error)
	// AppendZMYOptions appends the message to dst. On error dst is unchanged
	// up to its length, and nothing is appended. Where dst has no memory of its
	// own the result is one allocation of the message's size.
	AppendZMYOptions(dst []byte, o MarshalOptions) ([]byte, error)
}

// Unmarshaler is a type with generated unmarshal code.
type Unmarshaler interface {
	// UnmarshalZMY stores the message b under the default options.
	UnmarshalZMY(b []byte) error
	// UnmarshalZMYOptions stores the message b.
	UnmarshalZMYOptions(b []byte, o UnmarshalOptions) error
}

// AfterUnmarshaler is a struct type that checks or completes itself. Its method is
// called for each such struct that stands in the message, when its fields are
// set, those inside before those around it. An error of it ends unmarshalling
// and can be found by errors.Is, as can [ErrMethod]. A method that a struct has only
// from a field that it embeds is not called for it, nor for zero values, which
// take no bytes.
type AfterUnmarshaler interface {
	AfterUnmarshalZMY() error
}

// Marshal returns v as a message. v is a value, or a pointer to one, of a type
// with generated code; a pointer saves a copy.
func Marshal(v any) ([]byte, error) { return MarshalOptions{}.Marshal(v) }

// Append appends v as a message to dst.
func Append(dst []byte, v any) ([]byte, error) { return MarshalOptions{}.Append(dst, v) }

// Unmarshal stores the message b into v, a pointer to a type with generated
// code. It keeps no reference to b. On error v may hold part of the message.
func Unmarshal(b []byte, v any) error { return UnmarshalOptions{}.Unmarshal(b, v) }

// Marshal is the function of that name under these options.
func (o MarshalOptions) Marshal(v any) ([]byte, error) { return o.Append(nil, v) }

// Append is the function of that name under these options.
func (o MarshalOptions) Append(dst []byte, v any) ([]byte, error) {
	m, ok := v.(Marshaler)
	if !ok {
		if m, ok = addressed(v); !ok {
			return dst, noCode("marshal", v)
		}
	}
	if p := reflect.ValueOf(m); p.Kind() == reflect.Pointer && p.IsNil() {
		return dst, fmt.Errorf("zmy: marshal %T: nil pointer", v)
	}
	return m.AppendZMYOptions(dst, o)
}

// addressed copies a value whose pointer has the generated methods.
func addressed(v any) (Marshaler, bool) {
	t := reflect.TypeOf(v)
	if t == nil || !reflect.PointerTo(t).Implements(reflect.TypeFor[Marshaler]()) {
		return nil, false
	}
	p := reflect.New(t)
	p.Elem().Set(reflect.ValueOf(v))
	return p.Interface().(Marshaler), true
}

// Unmarshal is the function of that name under these options.
func (o UnmarshalOptions) Unmarshal(b []byte, v any) error {
	m, ok := v.(Unmarshaler)
	if !ok {
		if t := reflect.TypeOf(v); t != nil && reflect.PointerTo(t).Implements(reflect.TypeFor[Unmarshaler]()) {
			return fmt.Errorf("zmy: unmarshal %T: not a pointer; pass &v", v)
		}
		return noCode("unmarshal", v)
	}
	if reflect.ValueOf(v).IsNil() {
		return fmt.Errorf("zmy: unmarshal %T: nil pointer", v)
	}
	return m.UnmarshalZMYOptions(b, o)
}

func noCode(op string, v any) error {
	t := reflect.TypeOf(v)
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	name := "T"
	if t != nil && t.Name() != "" {
		name = t.Name()
	}
	return fmt.Errorf("zmy: %s %T: %w; add //go:generate zmy gen -type=%s and run go generate (-derive numbers fields without struct tags)",
		op, v, ErrNoGeneratedCode, name)
}
