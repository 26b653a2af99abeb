package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen/lint"
)

// The page about changes knows every code and every rule.
func TestEvolutionPage(t *testing.T) {
	page := read(t, "../../docs/guide/evolution.md")
	var names []string
	for _, r := range lint.Rules() {
		name := r.Name
		if r.Off {
			name += " (not in default)"
		}
		names = append(names, "| "+name+" |")
	}
	for _, file := range []string{"../../schema/change.go", "../../gen/lock/compare.go"} {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			if lit, ok := spec.Values[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if code, err := strconv.Unquote(lit.Value); err == nil && code == strings.ToUpper(code) && strings.Contains(code, "_") {
					names = append(names, code)
				}
			}
			return true
		})
	}
	if len(names) < len(lint.Rules())+27 {
		t.Errorf("only %q", names)
	}
	for _, name := range names {
		if !strings.Contains(page, name) {
			t.Errorf("it does not know %s", name)
		}
	}
}
