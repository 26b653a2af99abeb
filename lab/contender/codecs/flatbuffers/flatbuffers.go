// Package flatbuffers is the contender github.com/google/flatbuffers, with the program flatc.
package flatbuffers

import (
	"context"
	"fmt"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/tables"
)

// Info is the contender on the user's type, NativeInfo the one on flatc's types. The Go runtime has
// no verifier, so operation access reads unverified messages.
var Info, NativeInfo = format.Rows()

var format = &tables.Format{
	Info: contender.Info{
		Name: "flatbuffers", Text: "Google's FlatBuffers by flatc, conversion from and to your type included; reads in place " +
			"without verification",
		Abilities: contender.Abilities{
			Evolution:     "yes; new fields go to the end of a table",
			Languages:     "yes; FlatBuffers",
			Maps:          "partly; as vectors of entries",
			Any:           "no",
			Time:          "nanoseconds; a struct of the schema that is made here",
			Deterministic: "partly; but for maps",
			ZeroCopy:      "yes; messages are read in place",
			Validation:    "no; the Go runtime has no verifier",
			Streaming:     "partly; size-prefixed messages",
			Licence:       "Apache-2.0",
			Released:      "2025-12-19",
		},
	},
	NativeText: "Google's FlatBuffers by flatc on the types of its object API",
	Title:      "FlatBuffers",
	Compiler:   Compiler,
	Install:    "apt-get install flatbuffers-compiler, or see flatbuffers.dev",
	Native:     "zzCode, zzUnpack",
	Made:       "zzfb",
	File:       "subject.fbs",
	Output:     "zzfb/*.go",
	Schema:     schema,
	Code:       code,
	Compile: func(ctx context.Context, dir string, _ map[string][]byte) error {
		_, err := tables.Call(ctx, dir, nil, Compiler, "--go", "--gen-object-api", "-o", ".", "subject.fbs")
		return err
	},
}

// Compiler is the program that compiles schemas.
const Compiler = "flatc"

// scalar has the names of a scalar in schemas and in the builder's methods, and its size in bytes.
type scalar struct {
	fb, method string
	size       int
}

var scalars = map[ir.Kind]scalar{
	ir.Bool: {"bool", "Bool", 1},
	ir.Int8: {"byte", "Int8", 1}, ir.Int16: {"short", "Int16", 2},
	ir.Int32: {"int", "Int32", 4}, ir.Int64: {"long", "Int64", 8},
	ir.Uint8: {"ubyte", "Byte", 1}, ir.Uint16: {"ushort", "Uint16", 2},
	ir.Uint32: {"uint", "Uint32", 4}, ir.Uint64: {"ulong", "Uint64", 8},
	ir.Float32: {"float", "Float32", 4}, ir.Float64: {"double", "Float64", 8},
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
