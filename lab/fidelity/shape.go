package fidelity

import (
	"reflect"
	"sync"
)

// shape is what the walker needs to know of a struct type. reflect makes it anew for
// every call, which a list of thousands of items would feel.
type shape struct {
	fields []field // those a codec can see
	opaque bool    // there are fields, and none that a codec can see
	hidden bool    // there are fields that a codec sees only through the type's own methods
}

type field struct {
	index int
	name  string
}

var shapes sync.Map // reflect.Type → *shape

// shapeOf lists the fields of a struct that a codec can see: exported ones, and
// embedded structs, whatever they are called, since theirs are promoted.
func shapeOf(t reflect.Type) *shape {
	if s, ok := shapes.Load(t); ok {
		return s.(*shape)
	}
	s := &shape{}
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() || embedsStruct(f) {
			s.fields = append(s.fields, field{i, f.Name})
		} else {
			s.hidden = true
		}
	}
	s.opaque = len(s.fields) == 0 && t.NumField() > 0
	shapes.Store(t, s)
	return s
}

// embedsStruct reports whether f is an embedded struct or pointer to one.
func embedsStruct(f reflect.StructField) bool {
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return f.Anonymous && t.Kind() == reflect.Struct
}
