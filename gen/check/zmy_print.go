package check

import (
	"reflect"
	"slices"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/zmyprint"
)

// stale settles what a root's generated code says of its types at run time: their
// fingerprint, and whether reflection sees all of their form and can stand in.
func (c *zmyCheck) stale(root *ir.ZMYType) {
	root.StandIn = true
	var arms []*ir.Type
	reached := map[*ir.ZMYType]bool{}
	var reach func(*ir.ZMYType)
	reach = func(t *ir.ZMYType) {
		if reached[t] {
			return
		}
		reached[t] = true
		root.StandIn = root.StandIn && c.reflects(t)
		for _, a := range t.Arms {
			if !slices.Contains(arms, a.Type.Type) {
				arms = append(arms, a.Type.Type)
				root.ArmTypes = append(root.ArmTypes, a.Type)
			}
		}
		for _, part := range zmyParts(t) {
			reach(part)
		}
	}
	reach(root)
	root.Print = zmyprint.Of(zmyPrintSource{root.Type}, root.Type, arms)
}

// reflects reports a type whose form reflection sees: no union, no numbers of -derive, no
// directives in comments.
func (c *zmyCheck) reflects(t *ir.ZMYType) bool {
	switch {
	case t.Shape == ir.ZMYUnion, t.Via == ir.ZMYViaJSON && t.Type.Kind != ir.Struct:
		return false
	case !t.IsStruct() && (t.Shape != ir.ZMYFixed || t.Type.Kind != ir.Struct):
		return true
	case t.Type.Name != nil && slices.ContainsFunc(t.Type.Name.Dirs, func(d string) bool { return d != "" && !harmless(d) }):
		return false
	}
	return numbered(t.Type) || len(t.Fields) == 0
}

// harmless reports a directive that does not change a struct's form.
func harmless(d string) bool {
	for _, word := range []string{"zmy:limits", "zmy:lint-ignore"} {
		if d == word || len(d) > len(word) && d[:len(word)+1] == word+" " {
			return true
		}
	}
	return false
}

// zmyPrintSource describes types for their fingerprint, as internal/zmyreflect/print.go does
// from reflection.
type zmyPrintSource struct{ root *ir.Type }

// zmyPrintKinds are the types that are known by heart.
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
	if t.Name == nil || t.Name.Pkg == "" || knownKind(t.Kind) {
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
