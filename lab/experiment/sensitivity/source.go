package sensitivity

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/zmylab/zmy/lab/experiment/synthetic"
)

// The three ways of writing a field whose value may be missing. The experiment compares their
// costs.
var costs = []struct{ name, title, typ string }{
	{"CostPlain", "plain", "%s"},
	{"CostOptional", "optional: a pointer", "*%s"},
	{"CostWrapper", "wrapper: a struct with one field", "%sWrap"},
}

// costFields is the number of fields in each of these types: half int64, half strings.
const costFields = 16

func costSource() string {
	var b strings.Builder
	b.WriteString("type int64Wrap struct {\n\tValue int64 `json:\"value\"`\n}\n\ntype stringWrap struct {\n\tValue string " +
		"`json:\"value\"`\n}\n\n")
	for _, c := range costs {
		fmt.Fprintf(&b, "type %s struct {\n", c.name)
		for i := range costFields {
			fmt.Fprintf(&b, "\tF%d %s `json:\"f%d\"`\n", i, fmt.Sprintf(c.typ, costType(i)), i)
		}
		b.WriteString("}\n\n")
	}
	return b.String()
}

func costType(i int) string {
	if i%2 == 0 {
		return "int64"
	}
	return "string"
}

// costDocument draws a value of the k-th way of writing fields.
func costDocument(k int) func(*rand.Rand) []byte {
	return func(r *rand.Rand) []byte {
		m := map[string]any{}
		for i := range costFields {
			var v any = r.Int64N(1e9)
			if costType(i) == "string" {
				v = synthetic.Word(r)
			}
			if costs[k].name == "CostWrapper" {
				v = map[string]any{"value": v}
			}
			m[fmt.Sprintf("f%d", i)] = v
		}
		return synthetic.JSON(m)
	}
}

// source returns the declarations of all types.
func source(types []Point) string {
	var b strings.Builder
	for i := range types {
		b.WriteString(types[i].Source(typeName(i)))
	}
	return b.String() + costSource()
}

func typeName(i int) string { return fmt.Sprintf("T%d", i) }
