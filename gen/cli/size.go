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

// printSize says how large a generated file is, and how its lines are spread over the
// types.
func printSize(f gen.File, w io.Writer) {
	fmt.Fprintf(w, "%s: %d lines, %d bytes\n", filepath.Base(f.Path), bytes.Count(f.Src, []byte("\n")), len(f.Src))
	for _, s := range sizes(f.Src) {
		fmt.Fprintf(w, "  %s %d lines\n", s.name, s.lines)
	}
}

// size is what a type takes.
type size struct {
	name  string
	lines int
}

// sizes counts the lines of declarations for each type, in the order in which they
// come up. A declaration belongs to the type of its receiver, of the parameter that
// points to the value or of the literal assigned to it, and else to the type before.
func sizes(src []byte) (out []size) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", src, parser.ParseComments)
	if err != nil {
		return nil // it was formatted, so that it parses
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

// subject is the name of the type that a declaration is for, if it says so.
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

// named is the name of a type or of what it points to, "" if it has none.
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
