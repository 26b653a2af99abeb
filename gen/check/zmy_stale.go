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
	src := zmySource{}
	if n := root.Type.Name; n != nil {
		src.pkg = n.Pkg // which is local to it: the program knows the root's package only
	}
	out.Print = zmyprint.Of(src, root.Type, arms)
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
