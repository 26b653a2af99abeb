package fxproto

import "reflect"

// The methods that are reserved for generated code.
type (
	appender interface {
		AppendProto(dst []byte, o MarshalOptions) ([]byte, error)
	}
	sizer interface {
		SizeProto() (int, error)
	}
	unmarshaler interface {
		UnmarshalProto(b []byte, o UnmarshalOptions) error
	}
	verifier interface {
		VerifyProto(b []byte, o UnmarshalOptions) error
	}
	resetter interface {
		ResetProto()
	}
	owner interface {
		ProtoType() any
	}
)

// methods returns v as a T, an interface of generated methods. It returns false if v has no such
// methods of its own: a struct inherits those of an embedded struct, which know only a part of it.
func methods[T any](v any) (t T, ok bool) {
	t, ok = v.(T)
	if !ok {
		return t, false
	}
	if o, marked := v.(owner); marked {
		ok = reflect.TypeOf(o.ProtoType()) == reflect.TypeOf(v)
	}
	return t, ok
}

// readMethods is methods for values that are read. A nil pointer has none: its message is empty.
func readMethods[T any](v any) (t T, ok bool) {
	if t, ok = methods[T](v); ok {
		x := reflect.ValueOf(v)
		ok = x.Kind() != reflect.Pointer || !x.IsNil()
	}
	return t, ok
}
