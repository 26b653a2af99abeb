package cli

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"path/filepath"

	"github.com/zmylab/zmy/gen"
)

// printSize prints the size of a generated file, and how many of its lines belong to each type.
func printSize(f gen.File, w io.Writer) {
	fmt.Fprintf(w, "%s: %d lines, %d bytes\n", filepath.Base(f.Path), bytes.Count(f.Src, []byte("\n")), len(f.Src))
	for _, s := range sizes(f.Src) {
		fmt.Fprintf(w, "  %s %d lines\n", s.name, s.lines)
	}
}

// size is the number of lines for a type.
type size struct {
	name  string
	lines int
}

// sizes counts the lines of declarations for each type, in the order of their first declaration. A
// declaration belongs to the type of its receiver, of its last parameter if that is a pointer, or
// of the variable it declares. Otherwise it belongs to the same type as the declaration before.
func sizes(src []byte) (out []size) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", src, parser.ParseComments)
	if err != nil {
		return nil // cannot happen: the source was formatted, so it parses
	}
	at := map[string]int{}
	owner := ""
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			continue
		}
		if name := subject(d); name != "" {
			owner = name
		}
		if owner == "" {
			continue
		}
		i, ok := at[owner]
		if !ok {
			i = len(out)
			at[owner] = i
			out = append(out, size{name: owner})
		}
		out[i].lines += set.Position(d.End()).Line - set.Position(d.Pos()).Line + 1
	}
	return out
}

// subject returns the name of the type that a declaration belongs to, or "" if the declaration has
// no such type.
func subject(d ast.Decl) string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv != nil {
			return named(d.Recv.List[0].Type)
		}
		if list := d.Type.Params.List; len(list) > 0 {
			if p, ok := list[len(list)-1].Type.(*ast.StarExpr); ok {
				return named(p)
			}
		}
	case *ast.GenDecl:
		if v, ok := d.Specs[0].(*ast.ValueSpec); ok && v.Type != nil {
			return named(v.Type)
		}
	}
	return ""
}

// named returns the name of a type or of a pointer's target, or "".
func named(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return named(e.X)
	case *ast.IndexExpr:
		return named(e.X)
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return ""
}
