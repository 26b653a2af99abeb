// Package describe turns the plan of native types into the schema that travels
// with messages and that versions are compared by.
package describe

import (
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/zmytype"
	"github.com/zmylab/zmy/schema"
)

// Schema describes a root of a plan. It is what schema.Of says of the Go type,
// and what only the source says: unions, sparse structs, reserved numbers, named
// values, limits and what is deprecated.
func Schema(root *ir.ZMYType) *schema.Schema {
	s := Types([]*ir.ZMYType{root}).Schema
	s.Limits = schema.Limits(root.Limits)
	return s
}

// Table describes all that some roots reach.
type Table struct {
	*schema.Schema
	From []*ir.ZMYType // what each type was made from
}

// Types describes several roots, with the types that they share listed once.
func Types(roots []*ir.ZMYType) *Table {
	s, from := schema.Describe(roots, declared)
	return &Table{s, from}
}

// declared adds what the declaration of a type says.
func declared(out *schema.Type, t *ir.ZMYType) {
	n := t.Type.Name
	switch {
	case n == nil:
	case out.Kind == schema.Struct, out.Kind == schema.Union:
		out.Name, out.Deprecated = n.Name, Deprecated(n.Doc)
	case t.Shape == zmytype.ShapeFixed && t.Kind != ir.Array && len(t.Type.Values) > 0:
		out.Name = n.Name
		for _, v := range t.Type.Values {
			out.Values = append(out.Values, schema.Value{Number: v.Number, Name: v.Name})
		}
	}
}

// Deprecated reports a comment with a paragraph that begins with "Deprecated:",
// as Go's own tools take it.
func Deprecated(doc string) bool {
	return strings.HasPrefix(doc, "Deprecated: ") || strings.Contains(doc, "\n\nDeprecated: ")
}
