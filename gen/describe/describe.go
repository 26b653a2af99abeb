// Package describe converts the plan of native types to the schema that travels with messages.
// Versions are compared by their schemas.
package describe

import (
	"fmt"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/zmytype"
	"github.com/zmylab/zmy/schema"
)

// Schema returns the schema of a root of a plan. schema.Of returns the same for the Go type, except
// for what reflection cannot see: unions, named values, deprecations, and directives in comments.
func Schema(root *ir.ZMYType) *schema.Schema {
	s := Types([]*ir.ZMYType{root}).Schema
	s.Limits = schema.Limits(root.Limits)
	return s
}

// Table describes the types that several roots reach.
type Table struct {
	*schema.Schema
	From []*ir.ZMYType // for each type of the schema, the type of the plan
}

// Types describes several roots. Types that they share are listed once.
func Types(roots []*ir.ZMYType) *Table {
	s, from := schema.Describe(roots, declared)
	return &Table{s, from}
}

// declared adds to out what only the declaration of t has: its name, its named values, and whether
// it is deprecated.
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

// Deprecated reports whether a comment has a paragraph that begins with "Deprecated:", by the rule
// of Go's own tools.
func Deprecated(doc string) bool {
	return strings.HasPrefix(doc, "Deprecated: ") || strings.Contains(doc, "\n\nDeprecated: ")
}

// Literal returns b as the text of string literals: lines of about width characters, without
// quotation marks. other returns the text for byte b[i] if it differs from the text in Go, else "".
// Its argument line is the line so far.
func Literal(b []byte, width int, other func(i int, line string) string) (lines []string) {
	line := ""
	for i, c := range b {
		switch text := other(i, line); {
		case text != "":
			line += text
		case c == '"' || c == '\\':
			line += `\` + string(rune(c))
		case ' ' <= c && c < 0x7f:
			line += string(rune(c))
		default:
			line += fmt.Sprintf(`\x%02x`, c)
		}
		if len(line) >= width {
			lines, line = append(lines, line), ""
		}
	}
	if line != "" || len(lines) == 0 {
		lines = append(lines, line)
	}
	return lines
}
