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

// own reports whether generated methods of v are its own. A struct inherits those of a struct that it
// embeds, which know only a part of it.
func own(v any) bool {
	o, marked := v.(owner)
	return !marked || reflect.TypeOf(o.ProtoType()) == reflect.TypeOf(v)
}

// ownAndSet is own for values that are read or set: v must not be a nil pointer.
func ownAndSet(v any) bool {
	x := reflect.ValueOf(v)
	return own(v) && (x.Kind() != reflect.Pointer || !x.IsNil())
}
