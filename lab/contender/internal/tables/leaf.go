package tables

import (
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/contender"
)

// Step is one step towards a leaf: from a table into its field Field and, if First is set, to the
// first element of the vector there. To is the table that it reaches, or nil for the string at the
// end.
type Step struct {
	Field int
	First bool
	To    *Table
}

// Leaf returns the steps to the string that op access reads, or nil if tables do not lead to it.
func (m *Model) Leaf(t *contender.Target) []Step {
	if t.Leaf == "" {
		return nil
	}
	var out []Step
	at := m.Tables[0]
	parts := strings.Split(t.Leaf, ".")
	for n, part := range parts {
		name, indexed := strings.CutSuffix(part, "[0]")
		i := slices.IndexFunc(at.Fields, func(f Field) bool { return f.Name == name })
		if i < 0 {
			return nil
		}
		v := at.Fields[i].Value
		if indexed != (v.Form == Vector) || indexed && v.Type.Kind == ir.Map {
			return nil
		}
		if indexed {
			v = v.Elem
		}
		switch {
		case v.Form == Text && n == len(parts)-1:
			return append(out, Step{Field: i, First: indexed})
		case v.Form != Record || v.Table.Type.Kind != ir.Struct:
			return nil
		}
		at = v.Table
		out = append(out, Step{Field: i, First: indexed, To: at})
	}
	return nil
}
