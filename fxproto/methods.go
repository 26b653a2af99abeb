package fxproto

import (
	"reflect"
	"sync"
)

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

// owners has for each type with marked methods whether they are its own.
var owners sync.Map // of reflect.Type, bool

// own reports whether generated methods of v are its own. A struct inherits those of a struct that it
// embeds, which know only a part of it.
func own(v any) bool {
	if _, marked := v.(owner); !marked {
		return true
	}
	t := reflect.TypeOf(v)
	is, known := owners.Load(t)
	if !known {
		is, _ = owners.LoadOrStore(t, declares(t))
	}
	return is.(bool)
}

// declares asks a new value of the type: v may be a nil pointer, which an inherited method dereferences.
func declares(t reflect.Type) (is bool) {
	defer func() {
		if recover() != nil { // inherited from a pointer that the struct embeds
			is = false
		}
	}()
	v := reflect.Zero(t)
	if t.Kind() == reflect.Pointer {
		v = reflect.New(t.Elem())
	}
	return reflect.TypeOf(v.Interface().(owner).ProtoType()) == t
}

// ownAndSet is own for values that are read or set: v must not be a nil pointer.
func ownAndSet(v any) bool {
	x := reflect.ValueOf(v)
	return own(v) && (x.Kind() != reflect.Pointer || !x.IsNil())
}
