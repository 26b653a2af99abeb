package layout

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// Reorder returns a Go file with the fields of one struct type in another order, and that
// declaration alone for people to read. order lists the indices of the fields; each name in `X, Y
// int` counts as a field. A field's doc comment and line comment move with the field. Other
// comments inside the struct are left out.
func Reorder(name string, src []byte, typ string, order []int) (file, decl []byte, err error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	spec, st := findStruct(f, typ)
	if st == nil {
		return nil, nil, fmt.Errorf("%s declares no struct %s", name, typ)
	}
	fields, err := ordered(st.Fields.List, order)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: type %s: %w", name, typ, err)
	}
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	var body bytes.Buffer
	body.WriteString("{\n")
	for _, x := range fields {
		from, to := x.Pos(), x.End()
		if x.Doc != nil {
			from = x.Doc.Pos()
		}
		if x.Comment != nil {
			to = x.Comment.End()
		}
		body.Write(src[at(from):at(to)])
		body.WriteString("\n")
	}
	body.WriteString("}")
	open, end := at(st.Fields.Opening), at(st.Fields.Closing)+1
	file = append(append(bytes.Clone(src[:open]), body.Bytes()...), src[end:]...)
	if file, err = format.Source(file); err != nil {
		return nil, nil, err
	}
	decl = append([]byte("type "), src[at(spec.Pos()):open]...)
	decl, err = format.Source(append(decl, body.Bytes()...))
	return file, decl, err
}

// findStruct finds the declaration of a struct type at package level.
func findStruct(f *ast.File, typ string) (*ast.TypeSpec, *ast.StructType) {
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.TYPE {
			continue
		}
		for _, s := range g.Specs {
			if spec := s.(*ast.TypeSpec); spec.Name.Name == typ {
				st, _ := spec.Type.(*ast.StructType)
				return spec, st
			}
		}
	}
	return nil, nil
}

// ordered sorts field declarations by the order of their names. Names that share a declaration have
// the same type. So they stay together in an order that depends on types only.
func ordered(list []*ast.Field, order []int) ([]*ast.Field, error) {
	var of []*ast.Field // of[i] is the declaration of the i-th name
	for _, x := range list {
		for range max(1, len(x.Names)) {
			of = append(of, x)
		}
	}
	if len(of) != len(order) {
		return nil, fmt.Errorf("it has %d fields, not %d", len(of), len(order))
	}
	var out []*ast.Field
	done := map[*ast.Field]bool{}
	for _, i := range order {
		if !done[of[i]] {
			done[of[i]] = true
			out = append(out, of[i])
		}
	}
	return out, nil
}

// Literal is a composite literal without field names. If the fields are reordered, it changes its
// meaning or does not compile.
type Literal struct {
	File string
	Line int
	Type string

	path string // absolute path of the file
}

// Unkeyed finds composite literals without field names whose type is in types. It goes by the
// syntax only: T{1, 2}, pkg.T{1, 2}, []T{{1, 2}}. So it can search all of the user's files without
// loading their packages, and may name a literal of another type with the same name.
func Unkeyed(name string, src []byte, types map[string]bool) []Literal {
	var out []Literal
	unkeyed(name, src, func(fset *token.FileSet, lit *ast.CompositeLit, typ string) {
		if types[typ] {
			out = append(out, Literal{File: name, Line: fset.Position(lit.Pos()).Line, Type: typ})
		}
	})
	return out
}

// Key adds the missing field names to composite literals. fields maps the name of a type to the
// names of its fields, in the order of the declaration.
func Key(name string, src []byte, fields map[string][]string) []byte {
	type insert struct {
		at   int
		text string
	}
	var inserts []insert
	unkeyed(name, src, func(fset *token.FileSet, lit *ast.CompositeLit, typ string) {
		names := fields[typ]
		if len(names) != len(lit.Elts) {
			return // the literal does not compile, or has another type of this name
		}
		for i, e := range lit.Elts {
			inserts = append(inserts, insert{fset.Position(e.Pos()).Offset, names[i] + ": "})
		}
	})
	slices.SortFunc(inserts, func(a, b insert) int { return a.at - b.at })
	var out []byte
	from := 0
	for _, x := range inserts {
		out = append(append(out, src[from:x.at]...), x.text...)
		from = x.at
	}
	return append(out, src[from:]...)
}

// unkeyed calls found for every literal without field names, with the name of its type.
func unkeyed(name string, src []byte, found func(fset *token.FileSet, lit *ast.CompositeLit, typ string)) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		return // the compiler will report it
	}
	var visit func(lit *ast.CompositeLit, typ ast.Expr)
	visit = func(lit *ast.CompositeLit, typ ast.Expr) {
		if t := typeName(typ); t != "" && len(lit.Elts) > 0 {
			if _, keyed := lit.Elts[0].(*ast.KeyValueExpr); !keyed {
				found(fset, lit, t)
			}
		}
		elem := elemOf(typ)
		for _, e := range lit.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				e = kv.Value
			}
			if inner, ok := e.(*ast.CompositeLit); ok && inner.Type == nil && elem != nil {
				visit(inner, elem)
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if lit, ok := n.(*ast.CompositeLit); ok && lit.Type != nil {
			visit(lit, lit.Type)
		}
		return true
	})
}

// elemOf returns the type of a literal's elements: T for []T, [2]T and map[K]T, and also for []*T
// and so on.
func elemOf(x ast.Expr) ast.Expr {
	switch t := x.(type) {
	case *ast.ArrayType:
		x = t.Elt
	case *ast.MapType:
		x = t.Value
	default:
		return nil
	}
	if p, ok := x.(*ast.StarExpr); ok {
		return p.X
	}
	return x
}

func typeName(x ast.Expr) string {
	switch t := x.(type) {
	case *ast.Ident:
		return t.Name
	case *ast.SelectorExpr:
		return t.Sel.Name
	case *ast.IndexExpr:
		return typeName(t.X)
	case *ast.IndexListExpr:
		return typeName(t.X)
	}
	return ""
}

// positional reports whether a struct tag makes a codec write fields by position, without their
// names.
func positional(tag string) bool {
	for _, word := range []string{"toarray", "as_array", "tuple"} {
		if strings.Contains(tag, word) {
			return true
		}
	}
	return false
}
