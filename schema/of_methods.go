package schema

import (
	"encoding"
	"reflect"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/internal/zmyreflect"
)

// own is the kind of a type that takes part by methods of its own, 0 for others.
// Generated methods do not count, as they do not for the generator.
func (d *describer) own(t reflect.Type) Kind {
	if t.Name() == "" || t.PkgPath() == "" {
		return 0
	}
	has := func(method reflect.Type) bool { return declares(t, method) }
	if has(appendZMY) && has(unmarshalZMY) && !(t.Kind() == reflect.Struct && has(generated)) {
		return OwnZMY
	}
	if t.Kind() != reflect.Struct || numbered(t) {
		return 0
	}
	switch {
	case (has(appendBinary) || has(marshalBinary)) && has(unmarshalBinary):
		return OwnBinary
	case (has(appendText) || has(marshalText)) && has(unmarshalText):
		return OwnText
	case zmyreflect.AsJSON(t):
		return JSON
	}
	return 0
}

var (
	appendZMY       = reflect.TypeFor[interface{ AppendZMY([]byte) ([]byte, error) }]()
	unmarshalZMY    = reflect.TypeFor[interface{ UnmarshalZMY([]byte) error }]()
	generated       = reflect.TypeFor[zmy.Marshaler]()
	appendBinary    = reflect.TypeFor[encoding.BinaryAppender]()
	marshalBinary   = reflect.TypeFor[encoding.BinaryMarshaler]()
	unmarshalBinary = reflect.TypeFor[encoding.BinaryUnmarshaler]()
	appendText      = reflect.TypeFor[encoding.TextAppender]()
	marshalText     = reflect.TypeFor[encoding.TextMarshaler]()
	unmarshalText   = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// declares reports a method of t or *t that does not come from an embedded field.
func declares(t, method reflect.Type) bool {
	if !reflect.PointerTo(t).Implements(method) {
		return false
	}
	for i := 0; t.Kind() == reflect.Struct && i < t.NumField(); i++ {
		f := t.Field(i)
		if f.Anonymous && (f.Type.Implements(method) || reflect.PointerTo(f.Type).Implements(method)) {
			return false
		}
	}
	return true
}

// numbered reports a struct with a struct tag zmy.
func numbered(t reflect.Type) bool {
	for i := range t.NumField() {
		if _, ok := t.Field(i).Tag.Lookup("zmy"); ok {
			return true
		}
	}
	return false
}
