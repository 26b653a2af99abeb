package rust

import (
	"fmt"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
)

// derive prints the attributes of an owned type.
func (g *gen) derive(b *block, traits string, isStruct bool) {
	if g.serde {
		traits += ", serde::Serialize, serde::Deserialize"
	}
	b.p("#[derive(%s)]", traits)
	if g.serde && isStruct {
		b.p("#[serde(default)]") // as of messages: what is not there is zero
	}
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
