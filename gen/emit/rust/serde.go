package rust

import (
	"fmt"
	"slices"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
	"github.com/zmylab/zmy/internal/zmytype"
)

// lints switches off compiler warnings about unused and complex types: a program may need only some
// of the types, and they are as complex as the types of the Go program.
const lints = "#[allow(dead_code, clippy::type_complexity)]"

// derive prints the attributes of an owned type.
func (g *gen) derive(b *block, t *ir.ZMYType, traits string) {
	if hashable(t, map[*ir.ZMYType]bool{}) {
		traits += ", Eq, Hash"
	}
	if g.serde {
		traits += ", serde::Serialize, serde::Deserialize"
	}
	b.p("#[derive(%s)]", traits)
	if g.serde && t.Shape != zmytype.ShapeUnion {
		b.p("#[serde(default)]") // as in messages, a missing field is zero
	}
	g.public(b)
}

// public prints the attributes that every public type has.
func (g *gen) public(b *block) {
	if g.nonExhaustive {
		b.p("#[non_exhaustive]")
	}
	b.p(lints)
}

// hashable reports whether the type can derive Eq and Hash: it has no floats, and no any, which may
// hold a float.
func hashable(t *ir.ZMYType, seen map[*ir.ZMYType]bool) bool {
	if seen[t] {
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
	return !slices.ContainsFunc(t.Parts(), func(part *ir.ZMYType) bool { return !hashable(part, seen) })
}

// serdeKnows returns a problem for each field with an array that is longer than serde supports.
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

// longArray returns an array in t that is longer than serde supports, or nil. It does not look into
// structs, which are types of the plan themselves.
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
