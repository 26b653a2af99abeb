package zmyreflect

import (
	"reflect"

	"github.com/zmylab/zmy/internal/zmyprint"
	"github.com/zmylab/zmy/internal/zmytype"
)

// Print returns the fingerprint of the program's types: of the root, the arms of its unions, and
// all types within them. gen/check/zmy_print.go computes the same from source code.
func Print(root reflect.Type, arms []reflect.Type, generated func(reflect.Type) bool) uint64 {
	return zmyprint.Of(printSource{source{pkg: root.PkgPath(), generated: generated}}, root, arms)
}

type printSource struct{ source }

// printKind returns the name of a type of the standard library with a form of its own, "" for other
// types.
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

// hooks returns the methods of t or *t that matter to messages.
func (s printSource) hooks(t reflect.Type) (h zmyprint.Hooks) {
	if !named(t) || t == durationType {
		return 0
	}
	m := s.declared(t)
	for _, hook := range [...]struct {
		any zmytype.Methods
		out zmyprint.Hooks
	}{
		{zmytype.AppendZMY, zmyprint.WritesZMY},
		{zmytype.UnmarshalZMY, zmyprint.ReadsZMY},
		{zmytype.AfterUnmarshalZMY, zmyprint.After},
		{zmytype.AppendBinary | zmytype.MarshalBinary, zmyprint.WritesBinary},
		{zmytype.UnmarshalBinary, zmyprint.ReadsBinary},
		{zmytype.AppendText | zmytype.MarshalText, zmyprint.WritesText},
		{zmytype.UnmarshalText, zmyprint.ReadsText},
	} {
		if m&hook.any != 0 {
			h |= hook.out
		}
	}
	if t.Kind() != reflect.Struct || has(t, fxGenerated) && !promotes(t, fxGenerated) {
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
