package flatbuffers

import (
	"fmt"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/contender/internal/tables"
)

// scalar has the names of a scalar in schemas, in generated Go and in the builder's methods, and
// its size in bytes.
type scalar struct {
	fb, plain, method string
	size              int
}

var scalars = map[ir.Kind]scalar{
	ir.Bool: {"bool", "bool", "Bool", 1},
	ir.Int8: {"byte", "int8", "Int8", 1}, ir.Int16: {"short", "int16", "Int16", 2},
	ir.Int32: {"int", "int32", "Int32", 4}, ir.Int64: {"long", "int64", "Int64", 8},
	ir.Uint8: {"ubyte", "byte", "Byte", 1}, ir.Uint16: {"ushort", "uint16", "Uint16", 2},
	ir.Uint32: {"uint", "uint32", "Uint32", 4}, ir.Uint64: {"ulong", "uint64", "Uint64", 8},
	ir.Float32: {"float", "float32", "Float32", 4}, ir.Float64: {"double", "float64", "Float64", 8},
}

// name returns a value's type in schemas.
func name(v *tables.Value) string {
	switch v.Form {
	case tables.Scalar:
		return scalars[v.Scalar].fb
	case tables.Text:
		return "string"
	case tables.Blob:
		return "[ubyte]"
	case tables.Moment:
		return "Moment"
	case tables.Record:
		return fmt.Sprint("T", v.Table.N)
	}
	return "[" + name(v.Elem) + "]"
}

// schema returns the text for flatc.
func schema(m *tables.Model) []byte {
	var b strings.Builder
	b.WriteString("namespace zzfb;\nstruct Moment { sec:long; nsec:int; }\n")
	for _, t := range m.Tables {
		fmt.Fprintf(&b, "table T%d {\n", t.N)
		for i, f := range t.Fields {
			fmt.Fprintf(&b, "\tf%d:%s;\n", i, name(f.Value))
		}
		b.WriteString("}\n")
	}
	b.WriteString("root_type T0;\n")
	return []byte(b.String())
}
