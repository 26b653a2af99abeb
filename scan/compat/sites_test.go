package compat

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// TestNamed: types are spelled in the package of the code base that they are made of.
func TestNamed(t *testing.T) {
	const source = `package shop

import (
	"database/sql"
	"sync/atomic"
	"time"
)

type Order struct{ ID string }

type box[T any] struct{ V T }

var (
	A map[time.Duration]Order
	B *sql.Null[Order]
	C []*box[time.Time]
	D map[string]time.Time
	E atomic.Pointer[Order]
	F map[string]any
	G **Order
)
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "shop.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	cfg := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	pkg, err := cfg.Check("example.org/shop", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"A": "map[time.Duration]Order", "B": "sql.Null[Order]", "C": "[]*box[time.Time]", "D": "",
		"E": "atomic.Pointer[Order]", "F": "", "G": "Order"} {
		s, why := named(pkg.Scope().Lookup(name).Type(), map[string]bool{"example.org/shop": true})
		if why != "" || s.Type != want || want != "" && s.Package != "example.org/shop" {
			t.Errorf("%s: %+v %s, want %s", name, s, why, want)
		}
	}
}
