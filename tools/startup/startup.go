// Package startup measures what the generated code of many types costs a program before its main
// function runs. It writes a module with that many types and generates code for them. Then it runs
// a program with all of that code in turns with an empty program.
package startup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/zmylab/zmy/gen"
	"github.com/zmylab/zmy/gen/load"
	"github.com/zmylab/zmy/lab/contender"
)

const module = "zmylab.invalid/startup"

// perPackage is the number of types in one package, so that packages compile in parallel.
const perPackage = 50

// Programs are the two programs that are compared.
type Programs struct {
	Types int
	Full  string // imports the code of all types; with an argument it also uses all of it
	Empty string // has an empty main function
}

// Build writes the sources into dir, which must exist, and builds the programs. runtime is the
// folder of the project's module.
func Build(ctx context.Context, dir, runtime string, types int) (*Programs, error) {
	mod := fmt.Sprintf("module %s\n\ngo 1.26\n\nrequire %[2]s v0.0.0\n\nreplace %[2]s => %[3]q\n", module, contender.RuntimePath, runtime)
	err := errors.Join(
		write(dir, "go.mod", []byte(mod)),
		write(dir, "empty/main.go", []byte("package main\n\nfunc main() {}\n")))
	if err != nil {
		return nil, err
	}
	var packages []string
	for first := 0; first < types; first += perPackage {
		name := fmt.Sprintf("types%d", len(packages))
		if err := generate(ctx, dir, name, first, min(types-first, perPackage)); err != nil {
			return nil, err
		}
		packages = append(packages, name)
	}
	if err := write(dir, "full/main.go", mainFile(packages)); err != nil {
		return nil, err
	}
	p := &Programs{Types: types, Full: filepath.Join(dir, "full.exe"), Empty: filepath.Join(dir, "empty.exe")}
	for out, pkg := range map[string]string{p.Full: "./full", p.Empty: "./empty"} {
		if err := do(command(ctx, dir, "go", "build", "-o", out, pkg)); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func write(dir, name string, src []byte) error {
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, src, 0o644)
}

// generate writes a package with n types, numbered from first, and generates their code.
func generate(ctx context.Context, dir, name string, first, n int) error {
	src, err := format.Source(typesFile(name, first, n))
	if err != nil {
		return err
	}
	if err := write(dir, name+"/types.go", src); err != nil {
		return err
	}
	pkg, err := load.Load(ctx, load.Config{Dir: filepath.Join(dir, name), Env: environ()}, ".")
	if err != nil {
		return err
	}
	var exprs []string
	for i := range n {
		exprs = append(exprs, fmt.Sprintf("T%d", first+i))
	}
	file, err := gen.ZMY(pkg, exprs, gen.ZMYOptions{Options: gen.Options{By: "zmy gen"}})
	if err != nil {
		return err
	}
	return file.Write()
}

// typesFile returns source that declares n types with fields of many kinds.
func typesFile(name string, first, n int) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport \"time\"\n", name)
	for i := range n {
		id := first + i
		fmt.Fprintf(&b, "\n// T%d is a message.\ntype T%[1]d struct {\n", id)
		fmt.Fprintf(&b, "ID string `zmy:\"0\"`\nAt time.Time `zmy:\"1\"`\nItems []Item%d `zmy:\"2\"`\nBy map[string]int64 "+
			"`zmy:\"3\"`\nAny any `zmy:\"4\"`\n", id)
		fmt.Fprintf(&b, "Next *T%d `zmy:\"5\"`\nF%d [%d]int32 `zmy:\"6\"`\n}\n", id, id, 1+id%60)
		fmt.Fprintf(&b, "\n// Item%d is a part of it.\ntype Item%[1]d struct {\nSku string `zmy:\"0\"`\nPrice float64 "+
			"`zmy:\"1\"`\nQty int32 `zmy:\"2\"`\n}\n", id)
	}
	b.WriteString("\n// Use marshals and unmarshals a value of each type.\nfunc Use() error {\n")
	for i := range n {
		fmt.Fprintf(&b, "if b, err := (&T%d{ID: \"a\"}).AppendZMY(nil); err != nil {\nreturn err\n} else if err := "+
			"new(T%[1]d).UnmarshalZMY(b); err != nil {\nreturn err\n}\n", first+i)
		fmt.Fprintf(&b, "if _, err := ViewT%d(nil); err == nil {\nreturn nil\n}\n", first+i)
	}
	b.WriteString("return nil\n}\n")
	return []byte(b.String())
}

func mainFile(packages []string) []byte {
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n\"os\"\n")
	for _, p := range packages {
		fmt.Fprintf(&b, "%q\n", module+"/"+p)
	}
	b.WriteString(")\n\nfunc main() {\nif len(os.Args) == 1 {\nreturn\n}\n")
	for _, p := range packages {
		fmt.Fprintf(&b, "if err := %s.Use(); err != nil {\npanic(err)\n}\n", p)
	}
	b.WriteString("}\n")
	return []byte(b.String())
}

// environ returns the environment of builds, in which the module is used alone.
func environ() []string { return append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod") }

func command(ctx context.Context, dir, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, environ()
	return cmd
}

func do(cmd *exec.Cmd) error {
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, bytes.TrimSpace(out))
	}
	return nil
}

// Use runs the full program so that it marshals and unmarshals a value of each type.
func (p *Programs) Use(ctx context.Context) error { return do(exec.CommandContext(ctx, p.Full, "use")) }
