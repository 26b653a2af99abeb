package capnp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/tables"
)

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

// schema returns the text for capnp. A time in a table is two fields, sec and nsec, since a struct
// would cost a pointer. A time in a list is a Moment.
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

// compile runs capnp, and then the Go generator on its output. The generator has the version of the
// library that module pins. Both run in a folder of their own.
func compile(ctx context.Context, m *tables.Model, module map[string][]byte) error {
	dir, err := os.MkdirTemp("", "zmylab-capnp-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	text := schema(m)
	for name, data := range map[string][]byte{"subject.capnp": text, "go.capnp": []byte(annotations),
		"go.mod": module["go.mod"], "go.sum": module["go.sum"]} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			return err
		}
	}
	request, err := call(ctx, dir, nil, Compiler, "compile", "-o-", "--no-standard-import", "subject.capnp")
	if err != nil {
		return fmt.Errorf("%w\n%s", err, text)
	}
	if _, err := call(ctx, dir, nil, "go", "build", "-o", "capnpc-go", "capnproto.org/go/capnp/v3/capnpc-go"); err != nil {
		return err
	}
	// Promises are for RPC, and schemas for code that inspects its own messages.
	if _, err := call(ctx, dir, request, filepath.Join(dir, "capnpc-go"), "-promises=false", "-schemas=false",
		"-structstrings=false"); err != nil {
		return err
	}
	module["zzcp/subject.capnp.go"], err = os.ReadFile(filepath.Join(dir, "subject.capnp.go"))
	return err
}

// call runs one program and returns its standard output.
func call(ctx context.Context, dir string, input []byte, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(input)
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly -buildvcs=false", "PWD="+dir)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil, fmt.Errorf("%s: %w\n%s", filepath.Base(name), err, exit.Stderr)
	}
	return out, err
}
