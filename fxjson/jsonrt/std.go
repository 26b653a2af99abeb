package jsonrt

import (
	"reflect"
	"sync"

	"github.com/zmylab/zmy/internal/jsontag"
)

// NOTE: The build tag fxjson_std is a way back that needs no change of the source: encoding/json marshals and unmarshals all that it can,
// and no generated code is used. Options of this package, and types with struct tag fxjson, stay here: encoding/json does not know them.

// stdMarshals reports whether encoding/json marshals v in this build.
func stdMarshals(v any, opt Options) bool {
	return opt&^(PlainHTML|Unsorted|DropUnknown) == 0 && !tagged(reflect.TypeOf(v))
}

// stdUnmarshals reports whether encoding/json unmarshals into v in this build.
func stdUnmarshals(v any, opt Options) bool {
	return opt&^(UseNumber|RefuseUnknown|FastErrors|ShareStrings) == 0 && !tagged(reflect.TypeOf(v))
}

// taggedTypes caches the results of tagged by type.
var taggedTypes sync.Map

// tagged reports whether values of type t contain a struct whose JSON depends on the struct tag fxjson. What is behind an interface
// does not count.
func tagged(t reflect.Type) bool {
	if t == nil {
		return false
	}
	if is, ok := taggedTypes.Load(t); ok {
		return is.(bool)
	}
	is := hasTag(t, map[reflect.Type]bool{})
	taggedTypes.Store(t, is)
	return is
}

// hasTag is tagged without the cache. It passes over the types in seen.
func hasTag(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return hasTag(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if o, _ := jsontag.Of(f.Tag); o.Decimals >= 0 || o.Inline || o.Required || hasTag(f.Type, seen) {
				return true
			}
		}
	}
	return false
}
