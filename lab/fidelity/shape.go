package fidelity

import (
	"reflect"
	"strings"
	"sync"
)

// shape is what the walker needs to know of a struct type. reflect makes it anew for
// every call, which a list of thousands of items would feel.
type shape struct {
	fields []field // those a codec can see
	unseen []field // those that a codec sees only through the type's own methods
	opaque bool    // there are fields, and none that a codec can see
}

type field struct {
	index int
	name  string
	left  bool // its struct tag keeps it out of messages
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
			s.fields = append(s.fields, field{i, f.Name, keptOut(f.Tag)})
		} else {
			s.unseen = append(s.unseen, field{index: i, name: f.Name})
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

// keptOut reports a tag by which codecs leave a field out: json:"-", which others than JSON
// libraries follow too, or that of their own.
func keptOut(tag reflect.StructTag) bool {
	for _, key := range []string{"json", "msgpack", "msg", "cbor"} {
		if name, _, more := strings.Cut(tag.Get(key), ","); name == "-" && !more {
			return true
		}
	}
	return false
}
