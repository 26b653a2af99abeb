package fidelity

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// The source is compiled into every worker, beside codecs and types that nobody here
// knows: it may bring nothing but the standard library, and of that not the network.
func TestImports(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range f.Imports {
			path := strings.Trim(i.Path.Value, "`\"")
			if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") || first == "net" {
				t.Errorf("%s imports %s", name, path)
			}
		}
	}
}
