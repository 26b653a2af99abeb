package check

import (
	"reflect"
	"slices"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/zmyprint"
	"github.com/zmylab/zmy/internal/zmytype"
)

// stale returns what a root's generated code records about its Go types: their fingerprint, the
// arms of their unions, and whether reflection sees the whole form and can replace the generated
// code.
func stale(root *ir.ZMYType) ir.ZMYStale {
	out := ir.ZMYStale{StandIn: true}
	var arms []*ir.Type
	reached := map[*ir.ZMYType]bool{}
	var reach func(*ir.ZMYType)
	reach = func(t *ir.ZMYType) {
		if reached[t] {
			return
		}
		reached[t] = true
		out.StandIn = out.StandIn && reflects(t)
		for _, a := range t.Arms {
			if !slices.Contains(arms, a.Type.Type) {
				arms = append(arms, a.Type.Type)
				out.Arms = append(out.Arms, a.Type)
			}
		}
		for _, part := range t.Parts() {
			reach(part)
		}
	}
	reach(root)
	out.Print = zmyprint.Of(zmyPrintSource{root: root.Type}, root.Type, arms)
	return out
}

// reflects reports whether reflection sees the whole form of a type: it has no union, no numbers
// from -derive and no directives in comments.
func reflects(t *ir.ZMYType) bool {
	switch {
	case t.Shape == zmytype.ShapeUnion, t.Via == zmytype.ViaJSON && t.Type.Kind != ir.Struct:
		return false
	case !t.IsStruct() && (t.Shape != zmytype.ShapeFixed || t.Kind != ir.Struct):
		return true
	case t.Type.Name != nil && slices.ContainsFunc(t.Type.Name.Dirs, func(d string) bool { return d != "" && !zmytype.Harmless(d) }):
		return false
	}
	return len(t.Fields) == 0 || slices.ContainsFunc(t.Type.Fields,
		func(f *ir.Field) bool { return zmytype.Numbered(reflect.StructTag(f.Tag)) })
}

// zmyPrintSource describes types for their fingerprint. internal/zmyreflect/print.go does the same
// from reflection.
type zmyPrintSource struct{ root *ir.Type }

// zmyPrintKinds are the built-in kinds, with their names in fingerprints.
var zmyPrintKinds = map[ir.Kind]string{
	ir.Time: "time", ir.BigInt: "bigint", ir.BigFloat: "bigfloat", ir.BigRat: "bigrat", ir.RawJSON: "raw", ir.Number: "number",
}

func (s zmyPrintSource) Head(t *ir.Type) zmyprint.Head {
	if isUnknown(t) {
		return zmyprint.Head{Kind: zmyprint.Unknown, Known: true}
	}
	if kind := zmyPrintKinds[t.Kind]; kind != "" {
		return zmyprint.Head{Kind: kind, Known: true}
	}
	if t.Kind == ir.Interface || t.Kind == ir.Any {
		return zmyprint.Head{Kind: printKind(t.Kind)}
	}
	h := zmyprint.Head{Kind: printKind(t.Kind), Len: int(t.Len), Hooks: zmyHooks(t)}
	h.Foreign = t.Name == nil || s.root.Name == nil || t.Name.Pkg != s.root.Name.Pkg
	return h
}

func zmyHooks(t *ir.Type) (out zmyprint.Hooks) {
	if t.Name == nil || t.Name.Pkg == "" || zmyPrintKinds[t.Kind] != "" || t.Kind == ir.Duration {
		return 0
	}
	for _, h := range []struct {
		in       ir.Hooks
		out      zmyprint.Hooks
		ofStruct bool
	}{
		{ir.HasAppendZMYPtr, zmyprint.WritesZMY, false},
		{ir.HasUnmarshalZMYPtr, zmyprint.ReadsZMY, false},
		{ir.HasAfterUnmarshalZMYPtr, zmyprint.After, false},
		{ir.HasMarshalBinaryPtr | ir.HasAppendBinaryPtr, zmyprint.WritesBinary, true},
		{ir.HasUnmarshalBinaryPtr, zmyprint.ReadsBinary, true},
		{ir.HasMarshalTextPtr | ir.HasAppendTextPtr, zmyprint.WritesText, true},
		{ir.HasUnmarshalTextPtr, zmyprint.ReadsText, true},
		{ir.HasMarshalJSONPtr, zmyprint.WritesJSON, true},
		{ir.HasUnmarshalJSONPtr, zmyprint.ReadsJSON, true},
	} {
		if t.Own&h.in != 0 && (t.Kind == ir.Struct || !h.ofStruct) {
			out |= h.out
		}
	}
	for _, f := range t.Fields {
		if f.Embedded && f.Type.Hooks.Has(ir.HasMarshalJSONPtr) {
			out &^= zmyprint.WritesJSON
		}
		if f.Embedded && f.Type.Hooks.Has(ir.HasUnmarshalJSONPtr) {
			out &^= zmyprint.ReadsJSON
		}
	}
	return out
}

func (zmyPrintSource) Elems(t *ir.Type) []*ir.Type { return printSource{}.Elems(t) }

func (zmyPrintSource) NumField(t *ir.Type) int { return len(t.Fields) }

func (zmyPrintSource) Field(t *ir.Type, i int) zmyprint.Field[*ir.Type] {
	f := t.Fields[i]
	return zmyprint.Field[*ir.Type]{
		Name: f.Name, Tag: reflect.StructTag(f.Tag), Embedded: f.Embedded, Exported: f.Exported, Sized: f.Type.Size > 0, Type: f.Type,
	}
}
