package load

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
)

// prune removes from the syntax what types do not depend on: function bodies, functions, variables,
// and then the imports that are no longer used. If a package also serves HTTP, checking its types
// without net/http is ten times as fast.
//
// prune keeps methods (for hooks, and for constraints of type arguments), variables that a constant
// or type mentions or may mention (in len and the like), and the sample functions of the root
// package.
func (u *unit) prune(root bool) {
	mentioned := map[string]bool{}
	for _, f := range u.files {
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && (g.Tok == token.TYPE || g.Tok == token.CONST) {
				eachIdent(g, func(name string) { mentioned[name] = true })
			}
		}
	}
	for _, f := range u.files {
		f.Decls = slices.DeleteFunc(f.Decls, func(d ast.Decl) bool {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if goesRound(d) {
					u.round = append(u.round, d)
				}
				d.Body = nil
				sample := root && strings.HasPrefix(d.Name.Name, "Sample") && d.Type.TypeParams == nil
				if d.Recv == nil && !sample {
					u.dropped[d.Name.Name] = true
					return true
				}
			case *ast.GenDecl:
				if d.Tok == token.VAR {
					d.Specs = slices.DeleteFunc(d.Specs, func(s ast.Spec) bool { return !u.keepVar(s.(*ast.ValueSpec), mentioned) })
					return len(d.Specs) == 0
				}
			}
			return false
		})
		u.pruneImports(f)
	}
}

func (u *unit) keepVar(s *ast.ValueSpec, mentioned map[string]bool) bool {
	for _, n := range s.Names {
		if mentioned[n.Name] {
			return true
		}
		if n.IsExported() && s.Type != nil { // unsafe.Sizeof in another package may use it
			s.Values = nil
			return true
		}
	}
	for _, n := range s.Names {
		u.dropped[n.Name] = true
	}
	return false
}

// pruneImports removes the import declarations that the rest of the file does not use. f.Imports
// still lists them all.
func (u *unit) pruneImports(f *ast.File) {
	used := map[string]bool{}
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := sel.X.(*ast.Ident); ok {
					used[x.Name] = true
				}
			}
			return true
		})
	}
	f.Decls = slices.DeleteFunc(f.Decls, func(d ast.Decl) bool {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			return false
		}
		g.Specs = slices.DeleteFunc(g.Specs, func(s ast.Spec) bool {
			_, name := u.importName(s.(*ast.ImportSpec))
			return name != "." && !used[name]
		})
		return len(g.Specs) == 0
	})
}

// importName returns the path of an import, and its name in the file.
func (u *unit) importName(s *ast.ImportSpec) (path, name string) {
	path, err := strconv.Unquote(s.Path.Value)
	switch {
	case err != nil:
		return "", ""
	case s.Name != nil:
		return path, s.Name.Name
	case path == "C" || path == "unsafe":
		return path, path
	}
	if meta := u.meta.Imports[path]; meta != nil && meta.Name != "" {
		return path, meta.Name
	}
	return path, filepath.Base(path)
}

func eachIdent(n ast.Node, do func(name string)) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			do(id.Name)
		}
		return true
	})
}

func dirOf(meta *packages.Package) string { return filepath.Dir(meta.GoFiles[0]) }
