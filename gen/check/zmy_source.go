package check

import (
	"fmt"
	"reflect"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
	"github.com/zmylab/zmy/internal/zmytype"
)

// zmySource describes types of source code to package zmytype. Its counterpart for reflection is
// internal/zmyreflect/source.go.
type zmySource struct{ pkg string }

func (zmySource) Kind(t *ir.Type) ir.Kind  { return t.Kind }
func (zmySource) Elem(t *ir.Type) *ir.Type { return t.Elem }
func (zmySource) Key(t *ir.Type) *ir.Type  { return t.Key }
func (zmySource) Len(t *ir.Type) int64     { return t.Len }
func (zmySource) Size(t *ir.Type) int64    { return t.Size }
func (zmySource) Arms(t *ir.Type) []ir.Arm { return t.Arms }
func (zmySource) Named(t *ir.Type) bool    { return t.Name != nil && t.Name.Pkg != "" }
func (s zmySource) Local(t *ir.Type) bool  { return t.Name != nil && t.Name.Pkg == s.pkg }
func (s zmySource) Name(t *ir.Type) string { return print.TypeExprIn(t, s.pkg) }

func (zmySource) Directives(t *ir.Type) []string {
	if t.Name == nil {
		return nil
	}
	return t.Name.Dirs
}

func (s zmySource) Fields(t *ir.Type) []zmytype.Field[*ir.Field, *ir.Type] {
	out := make([]zmytype.Field[*ir.Field, *ir.Type], len(t.Fields))
	for i, f := range t.Fields {
		out[i] = zmytype.Field[*ir.Field, *ir.Type]{
			Of: f, Name: f.Name, Type: f.Type, Tag: reflect.StructTag(f.Tag), Embedded: f.Embedded, Exported: f.Exported,
			Usable: f.Usable(s.pkg), Unknown: isUnknown(f.Type), Dirs: f.Dirs,
		}
	}
	return out
}

// Implementers returns the types that implement an interface, or why they cannot be the arms of a
// union: see [zmySource.union]. If one of them has a build constraint, the arms would differ
// between systems.
func (s zmySource) Implementers(t *ir.Type) (all []ir.Arm, why string) {
	s.union(t, func(hint, format string, args ...any) {
		if why == "" {
			why = fmt.Sprintf(format, args...) + "; " + hint
		}
	})
	for _, arm := range t.Implementers {
		if why == "" && arm.Type != nil && arm.Type.Build != "" {
			why = "its type " + arm.Text + " is there for " + arm.Type.Build + " only"
		}
	}
	return t.Implementers, why
}

// isUnknown reports whether t is zmy.Unknown.
func isUnknown(t *ir.Type) bool {
	return t.Name != nil && t.Name.Pkg == "github.com/zmylab/zmy/wire" && t.Name.Name == "Unknown"
}

// zmyMethods are the hooks for the bits of zmytype.Methods, in their order.
var zmyMethods = [...]ir.Hooks{
	ir.HasAppendZMYPtr, ir.HasUnmarshalZMYPtr, ir.HasAfterUnmarshalZMYPtr, ir.HasAppendBinaryPtr, ir.HasMarshalBinaryPtr,
	ir.HasUnmarshalBinaryPtr, ir.HasAppendTextPtr, ir.HasMarshalTextPtr, ir.HasUnmarshalTextPtr,
}

func (zmySource) Own(t *ir.Type) (m zmytype.Methods) {
	for i, hook := range zmyMethods {
		if t.Own.Has(hook) {
			m |= 1 << i
		}
	}
	return m
}

func (zmySource) JSON(t *ir.Type) (j zmytype.JSON) {
	add := func(way zmytype.JSON, has bool) {
		if has {
			j |= way
		}
	}
	text := t.Hooks.Has(ir.HasMarshalTextPtr | ir.HasUnmarshalTextPtr)
	add(zmytype.MarshalJSON, t.Own.Has(ir.HasMarshalJSONPtr))
	add(zmytype.UnmarshalJSON, t.Own.Has(ir.HasUnmarshalJSONPtr))
	add(zmytype.RoundTrips, text || t.Hooks.Has(ir.HasMarshalJSONPtr|ir.HasUnmarshalJSONPtr))
	add(zmytype.RoundTripsText, text)
	add(zmytype.ByPointer, t.Hooks&(ir.HasMarshalJSON|ir.HasMarshalText) == 0 && t.Hooks&(ir.HasMarshalJSONPtr|ir.HasMarshalTextPtr) != 0)
	return j
}
