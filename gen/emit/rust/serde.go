package rust

import (
	"fmt"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
	"github.com/zmylab/zmy/internal/zmytype"
)

// lints are those that a user's compiler has about types of which a program needs a part only,
// and about types that a Go program spelled.
const lints = "#[allow(dead_code, clippy::type_complexity)]"

// derive prints the attributes of an owned type, beside the lints.
func (g *gen) derive(b *block, t *ir.ZMYType, traits string) {
	if hashable(t, map[*ir.ZMYType]bool{}) {
		traits += ", Eq, Hash"
	}
	if g.serde {
		traits += ", serde::Serialize, serde::Deserialize"
	}
	b.p("#[derive(%s)]", traits)
	if g.serde && t.Shape != zmytype.ShapeUnion {
		b.p("#[serde(default)]") // as of messages: what is not there is zero
	}
	g.public(b)
}

// public prints the attributes of every type.
func (g *gen) public(b *block) {
	if g.nonExhaustive {
		b.p("#[non_exhaustive]")
	}
	b.p(lints)
}

// hashable reports a type whose values equal themselves: one without floats, which any may
// be too.
func hashable(t *ir.ZMYType, seen map[*ir.ZMYType]bool) bool {
	if t == nil || seen[t] {
		return true
	}
	seen[t] = true
	switch t.Shape {
	case zmytype.ShapeAny:
		return false
	case zmytype.ShapeFixed, zmytype.ShapeFixedTail:
		switch t.Type.Kind {
		case ir.Float32, ir.Float64, ir.Complex64, ir.Complex128:
			return false
		}
	}
	for _, f := range t.Fields {
		if f.Field != nil && !hashable(f.Type, seen) {
			return false
		}
	}
	for _, a := range t.Arms {
		if !hashable(a.Type, seen) {
			return false
		}
	}
	return hashable(t.Key, seen) && hashable(t.Elem, seen)
}

// serdeKnows refuses arrays that are longer than those that serde has code for.
func serdeKnows(plan *ir.ZMYPlan) error {
	var problems ir.Problems
	for _, t := range plan.Types {
		for _, f := range t.Fields {
			if f.Field == nil {
				continue
			}
			if a := longArray(f.Type, map[*ir.ZMYType]bool{}); a != nil {
				problems = append(problems, ir.Problem{
					Pos: f.Field.Pos, Path: print.TypeExpr(t.Type) + "." + f.Field.Name,
					Msg:  fmt.Sprintf("%s has more than the %d elements that serde knows of arrays", print.TypeExpr(a.Type), maxDefault),
					Hint: "make it a slice, or leave -serde off",
				})
			}
		}
	}
	return problems.Err()
}

// longArray finds such an array in a type, without looking into structs that are types of
// the plan themselves.
func longArray(t *ir.ZMYType, seen map[*ir.ZMYType]bool) *ir.ZMYType {
	if t == nil || seen[t] || t.IsStruct() {
		return nil
	}
	seen[t] = true
	if t.Type.Kind == ir.Array && t.Type.Len > maxDefault {
		return t
	}
	if a := longArray(t.Key, seen); a != nil {
		return a
	}
	return longArray(t.Elem, seen)
}
