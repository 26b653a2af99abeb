package zmyreflect

import (
	"reflect"

	"github.com/zmylab/zmy/internal/zmyprint"
)

// Print returns the fingerprint of the types of the program behind a root and the arms of
// its unions: the counterpart of gen/check/zmy_print.go.
func Print(root reflect.Type, arms []reflect.Type, generated func(reflect.Type) bool) uint64 {
	return zmyprint.Of(printSource{root.PkgPath(), generated}, root, arms)
}

type printSource struct {
	pkg       string // of the root
	generated func(reflect.Type) bool
}

// printKind names the types that are known by heart.
func printKind(t reflect.Type) string {
	switch t {
	case timeType:
		return "time"
	case intType:
		return "bigint"
	case floatType:
		return "bigfloat"
	case ratType:
		return "bigrat"
	case rawType:
		return "raw"
	case numberType:
		return "number"
	case unknownType:
		return zmyprint.Unknown
	}
	return ""
}

func (s printSource) Head(t reflect.Type) zmyprint.Head {
	if t.Name() != "" && t.PkgPath() != "" {
		if kind := printKind(t); kind != "" {
			return zmyprint.Head{Kind: kind, Known: true}
		}
	}
	h := zmyprint.Head{Kind: t.Kind().String(), Foreign: t.PkgPath() != s.pkg}
	switch t.Kind() {
	case reflect.Array:
		h.Len = t.Len()
	case reflect.Interface:
		if t.NumMethod() == 0 {
			h.Kind = "any"
		}
		return h
	}
	h.Hooks = s.hooks(t)
	return h
}

// hooks are the methods of t or *t that count.
func (s printSource) hooks(t reflect.Type) (h zmyprint.Hooks) {
	if t.Name() == "" || t.PkgPath() == "" || t == durationType || reflect.PointerTo(t).NumMethod() == 0 {
		return 0
	}
	add := func(hook zmyprint.Hooks, method reflect.Type, name string) {
		if h&hook == 0 && declares(t, method, name) {
			h |= hook
		}
	}
	add(zmyprint.After, afterType, "AfterUnmarshalZMY")
	if !s.generated(t) {
		add(zmyprint.WritesZMY, appendZMY, "AppendZMY")
		add(zmyprint.ReadsZMY, unmarshalZMY, "UnmarshalZMY")
	}
	if t.Kind() != reflect.Struct {
		return h
	}
	add(zmyprint.WritesBinary, marshalBinary, "MarshalBinary")
	add(zmyprint.WritesBinary, appendBinary, "AppendBinary")
	add(zmyprint.ReadsBinary, unmarshalBinary, "UnmarshalBinary")
	add(zmyprint.WritesText, marshalText, "MarshalText")
	add(zmyprint.WritesText, appendText, "AppendText")
	add(zmyprint.ReadsText, unmarshalText, "UnmarshalText")
	if has(t, fxGenerated) && !promotes(t, fxGenerated) {
		return h
	}
	if has(t, marshalJSON) && !promotes(t, marshalJSON) {
		h |= zmyprint.WritesJSON
	}
	if has(t, unmarshalJSON) && !promotes(t, unmarshalJSON) {
		h |= zmyprint.ReadsJSON
	}
	return h
}

func (printSource) Elems(t reflect.Type) []reflect.Type {
	switch t.Kind() {
	case reflect.Map:
		return []reflect.Type{t.Key(), t.Elem()}
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return []reflect.Type{t.Elem()}
	}
	return nil
}

func (printSource) NumField(t reflect.Type) int { return t.NumField() }

func (printSource) Field(t reflect.Type, i int) zmyprint.Field[reflect.Type] {
	f := t.Field(i)
	return zmyprint.Field[reflect.Type]{
		Name: f.Name, Tag: f.Tag, Embedded: f.Anonymous, Exported: f.IsExported(), Sized: f.Type.Size() > 0, Type: f.Type,
	}
}
