package gosrc

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
)

// Drop returns a file without the functions that match accepts, and without the imports that are
// then unused.
func Drop(src []byte, match func(Func) bool) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("generated code does not parse: %w", err)
	}
	var gone []*ast.FuncDecl
	f.Decls = slices.DeleteFunc(f.Decls, func(d ast.Decl) bool {
		fn, ok := d.(*ast.FuncDecl)
		drop := ok && match(describe(fn))
		if drop {
			gone = append(gone, fn)
		}
		return drop
	})
	f.Comments = slices.DeleteFunc(f.Comments, func(c *ast.CommentGroup) bool {
		return slices.ContainsFunc(gone, func(fn *ast.FuncDecl) bool {
			start := fn.Pos()
			if fn.Doc != nil {
				start = fn.Doc.Pos()
			}
			return c.Pos() >= start && c.End() <= fn.End()
		})
	})
	unused(f)
	var out bytes.Buffer
	err = format.Node(&out, fset, f)
	return out.Bytes(), err
}

// unused drops the imports that nothing in the file refers to.
func unused(f *ast.File) {
	used := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok {
				used[x.Name] = true
			}
		}
		return true
	})
	keep := func(i *ast.ImportSpec) bool {
		name, err := importName(i)
		return err != nil || name == "_" || name == "." || used[name]
	}
	f.Imports = slices.DeleteFunc(f.Imports, func(i *ast.ImportSpec) bool { return !keep(i) })
	f.Decls = slices.DeleteFunc(f.Decls, func(d ast.Decl) bool {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			return false
		}
		g.Specs = slices.DeleteFunc(g.Specs, func(s ast.Spec) bool { return !keep(s.(*ast.ImportSpec)) })
		return len(g.Specs) == 0
	})
}
