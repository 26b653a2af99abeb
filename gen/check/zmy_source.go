package check

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
	"github.com/zmylab/zmy/internal/zmytype"
)

// zmySource describes types of source code to the packages zmytype and zmyprint. Its counterpart for
// reflection is internal/zmyreflect/source.go. Both must say the same of a type, apart from what
// reflection cannot see: otherwise programs would refuse generated code that fits.
type zmySource struct{ pkg string }

func (zmySource) KindOf(t *ir.Type) ir.Kind  { return t.Kind }
func (zmySource) ElemOf(t *ir.Type) *ir.Type { return t.Elem }
func (zmySource) KeyOf(t *ir.Type) *ir.Type  { return t.Key }
func (zmySource) LenOf(t *ir.Type) int64     { return t.Len }
func (zmySource) SizeOf(t *ir.Type) int64    { return t.Size }
func (zmySource) Arms(t *ir.Type) []ir.Arm   { return t.Arms }
func (zmySource) IsNamed(t *ir.Type) bool    { return t.Name != nil && t.Name.Pkg != "" }
func (s zmySource) IsLocal(t *ir.Type) bool  { return t.Name != nil && t.Name.Pkg == s.pkg }
func (s zmySource) Name(t *ir.Type) string   { return print.TypeExprIn(t, s.pkg) }

func (zmySource) Directives(t *ir.Type) []string {
	if t.Name == nil {
		return nil
	}
	return t.Name.Dirs
}

func (s zmySource) FieldsOf(t *ir.Type) []zmytype.Field[*ir.Field, *ir.Type] {
	out := make([]zmytype.Field[*ir.Field, *ir.Type], len(t.Fields))
	for i, f := range t.Fields {
		out[i] = zmytype.Field[*ir.Field, *ir.Type]{
			Of: f, Name: f.Name, Type: f.Type, Tag: reflect.StructTag(f.Tag), Embedded: f.Embedded, Exported: f.Exported,
			Usable: f.Usable(s.pkg), Unknown: s.IsUnknown(f.Type), Dirs: f.Dirs,
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

// IsUnknown reports whether t is zmy.Unknown.
func (zmySource) IsUnknown(t *ir.Type) bool { return named(t, "github.com/zmylab/zmy/wire", "Unknown") }

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

// OwnJSON is cruder than JSON, since its counterpart has to be: see zmyprint.Source.
func (zmySource) OwnJSON(t *ir.Type) (j zmytype.JSON) {
	add := func(way zmytype.JSON, hook ir.Hooks) {
		promoted := func(f *ir.Field) bool { return f.Embedded && f.Type.Hooks.Has(hook) }
		if t.Own.Has(hook) && !slices.ContainsFunc(t.Fields, promoted) {
			j |= way
		}
	}
	add(zmytype.MarshalJSON, ir.HasMarshalJSONPtr)
	add(zmytype.UnmarshalJSON, ir.HasUnmarshalJSONPtr)
	return j
}
