package jsonrt_test

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// generation is what generated code asks for at present.
const generation = 3

var update = flag.Bool("update", false, "record what was added to the API")

// TestGeneration holds the promise to generated code that is already in users'
// packages: what it may call does not change within a generation.
func TestGeneration(t *testing.T) {
	file := filepath.Join("testdata", fmt.Sprintf("generation%d.txt", generation))
	have := api(t)
	if *update {
		if err := os.WriteFile(file, []byte(strings.Join(have, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	promised := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for _, line := range promised {
		if !slices.Contains(have, line) {
			t.Errorf("generated code may rely on\n\t%s\nwhich is gone or has changed: rename Gen%dElseRunGoGenerate to the next "+
				"generation here, in gen/emit/gojson and in this test, run it with -update, and make generate", line, generation)
		}
	}
	for _, line := range have {
		if !slices.Contains(promised, line) {
			t.Errorf("new: %s\nrecord it with go test ./fxjson/jsonrt -run TestGeneration -update", line)
		}
	}
}

// others are declarations for package fxjson only, which is always of this version.
var others = []string{
	"type DuplicateError ", "type MissingError ", "type Funcs ", "func EncodeFunc[", "func DecodeFunc[", "func JoinFuncs(",
	"func AppendBy(", "func UnmarshalBy(", "func (e *MissingError)", "func (e *DuplicateError)", "func AppendWith(",
	"func StaleTypes(", "func OnStale(", "func MarshalWith(", "func UnmarshalWith(",
	"func UnmarshalFirst(", "const StdOnly ", "func Valid(", "func Indent(",
	"type Options ", "const ( PlainHTML ", "type SyntaxError ", "func (e *SyntaxError)",
}

// api lists the exported functions, methods, constants and struct fields.
func api(t *testing.T) (lines []string) {
	set := token.NewFileSet()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "_purego.go") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.FileExports(file)
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				f.Body = nil
			}
			var b bytes.Buffer
			if err := printer.Fprint(&b, set, d); err != nil {
				t.Fatal(err)
			}
			if text := strings.Join(strings.Fields(b.String()), " "); !strings.HasPrefix(text, "import ") &&
				!slices.ContainsFunc(others, func(s string) bool { return strings.HasPrefix(text, s) }) {
				lines = append(lines, text)
			}
		}
	}
	slices.Sort(lines)
	return lines
}

// TestStale builds a file of the last generation and looks for what the compiler
// says about it.
func TestStale(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	core, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.org/stale\n\ngo 1.25\n\nrequire github.com/zmylab/zmy v0.0.0\n\nreplace github.com/zmylab/zmy => " +
			core + "\n",
		"main.go": fmt.Sprintf("package main\n\nimport \"github.com/zmylab/zmy/fxjson/jsonrt\"\n\nconst _ = "+
			"jsonrt.Gen%dElseRunGoGenerate\n\nfunc main() {}\n", generation-1),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "build", "-o", os.DevNull, ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	out, err := cmd.CombinedOutput()
	if want := fmt.Sprintf("main.go:5:18: undefined: jsonrt.Gen%dElseRunGoGenerate", generation-1); err == nil ||
		!strings.Contains(string(out), want) {
		t.Errorf("%v\n%s\nwant %s", err, out, want)
	}
}
