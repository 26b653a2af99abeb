// Package capnp is the contender capnproto.org/go/capnp, with the program capnp and the library's
// own capnpc-go.
package capnp

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/tables"
)

// Info is the contender on the user's type, NativeInfo the one on Cap'n Proto messages.
var Info, NativeInfo = format.Rows()

var format = &tables.Format{
	Info: contender.Info{
		Name: "capnp", Text: "Cap'n Proto by capnpc-go, conversion from and to your type included",
		Abilities: contender.Abilities{
			Evolution:     "yes; fields are known by their numbers",
			Languages:     "yes; Cap'n Proto",
			Maps:          "partly; as lists of entries",
			Any:           "no",
			Time:          "nanoseconds; two fields of the schema that is made here",
			Deterministic: "partly; but for maps",
			ZeroCopy:      "yes; messages are read in place",
			Validation:    "yes; each pointer is checked when it is followed",
			Streaming:     "yes; Encoder and Decoder",
			Licence:       "MIT",
			Released:      "2025-02-19",
		},
	},
	NativeText: "Cap'n Proto by capnpc-go on messages: what stands built is written, what is opened is not read",
	Title:      "Cap'n Proto",
	Compiler:   Compiler,
	Install:    "apt-get install capnproto, or see capnproto.org/install.html",
	Native:     "zzCode",
	Made:       "zzcp",
	File:       schemaFile,
	Output:     "*.capnp.go",
	Schema:     schema,
	Compile:    compile,
	Code:       code,
}

// Compiler is the program that compiles schemas.
const Compiler = "capnp"

const schemaFile = "subject.capnp"

// scalars has the names of scalars in schemas.
var scalars = map[ir.Kind]string{
	ir.Bool: "Bool", ir.Int8: "Int8", ir.Int16: "Int16", ir.Int32: "Int32", ir.Int64: "Int64",
	ir.Uint8: "UInt8", ir.Uint16: "UInt16", ir.Uint32: "UInt32", ir.Uint64: "UInt64", ir.Float32: "Float32", ir.Float64: "Float64",
}

// name returns a value's type in schemas.
func name(v *tables.Value) string {
	switch v.Form {
	case tables.Scalar:
		return scalars[v.Scalar]
	case tables.Text:
		return "Text"
	case tables.Blob:
		return "Data"
	case tables.Moment:
		return "Moment"
	case tables.Record:
		return fmt.Sprint("T", v.Table.N)
	}
	return "List(" + name(v.Elem) + ")"
}

// annotations declares the two annotations of capnpc-go that a file needs. capnpc-go recognises
// them by their names and the number of their file.
const annotations = `@0xd12a1c51fedd6c88;
annotation package(file) :Text;
annotation import(file) :Text;
`

// schema returns the text for capnp. Each file needs a 64-bit id whose highest bit is set. Its
// other bits are arbitrary. A time in a table is two fields, sec and nsec, since a struct would
// cost a pointer. A time in a list is a Moment.
func schema(m *tables.Model) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "@0xb5e1f3c2a4d60789;\nusing Go = import \"go.capnp\";\n$Go.package(\"zzcp\");\n$Go.import(%q);\n",
		contender.ModulePath+"/zzcp")
	b.WriteString("struct Moment { sec @0 :Int64; nsec @1 :Int32; }\n")
	for _, t := range m.Tables {
		fmt.Fprintf(&b, "struct T%d {\n", t.N)
		n := 0
		for i, f := range t.Fields {
			if f.Value.Form == tables.Moment {
				fmt.Fprintf(&b, "\tf%d @%d :Int64;\n\tf%dn @%d :Int32;\n", i, n, i, n+1)
				n += 2
				continue
			}
			fmt.Fprintf(&b, "\tf%d @%d :%s;\n", i, n, name(f.Value))
			n++
		}
		b.WriteString("}\n")
	}
	return []byte(b.String())
}

// compile runs capnp, and then the Go generator on its output. The generator must have the version
// of the library that module pins, so compile builds it in dir, with the go.mod and go.sum of
// module.
func compile(ctx context.Context, dir string, module map[string][]byte) error {
	for name, data := range map[string][]byte{"go.capnp": []byte(annotations), "go.mod": module["go.mod"], "go.sum": module["go.sum"]} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			return err
		}
	}
	request, err := tables.Call(ctx, dir, nil, Compiler, "compile", "-o-", "--no-standard-import", schemaFile)
	if err != nil {
		return err
	}
	if _, err := tables.Call(ctx, dir, nil, "go", "build", "-o", "capnpc-go", "capnproto.org/go/capnp/v3/capnpc-go"); err != nil {
		return err
	}
	// Promises serve RPC only, and schemas only code that inspects its own messages.
	_, err = tables.Call(ctx, dir, request, filepath.Join(dir, "capnpc-go"), "-promises=false", "-schemas=false", "-structstrings=false")
	return err
}
