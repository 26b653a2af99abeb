package load

import (
	"go/ast"
	"go/token"
	"strings"
)

// fileDocs maps the positions of declared names in a file to their comments: of types, of fields of
// structs and of methods of interfaces.
type fileDocs map[token.Pos]doc

type doc struct {
	text string
	dirs []string
}

// doc returns the comment of the name at pos. Each file is read once.
func (w *world) doc(pos token.Pos) (text string, dirs []string) {
	file := w.fset.File(pos)
	if file == nil {
		return "", nil
	}
	docs, read := w.docs[file.Name()]
	if !read {
		for _, u := range w.units {
			for _, f := range u.files {
				if f.FileStart <= pos && pos <= f.FileEnd {
					docs = readDocs(f)
				}
			}
		}
		w.docs[file.Name()] = docs
	}
	return docs[pos].text, docs[pos].dirs
}

func readDocs(f *ast.File) fileDocs {
	d := fileDocs{}
	for _, decl := range f.Decls {
		g, ok := decl.(*ast.GenDecl)
		if !ok || g.Tok != token.TYPE {
			continue
		}
		for _, s := range g.Specs {
			spec := s.(*ast.TypeSpec)
			group := spec.Doc
			if group == nil && !g.Lparen.IsValid() {
				group = g.Doc
			}
			text := group
			if text == nil {
				text = spec.Comment
			}
			d[spec.Name.Pos()] = doc{strings.TrimSpace(text.Text()), directives(group)}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		var list *ast.FieldList
		switch n := n.(type) {
		case *ast.StructType:
			list = n.Fields
		case *ast.InterfaceType:
			list = n.Methods
		default:
			return true
		}
		for _, field := range list.List {
			group := field.Doc
			if group == nil {
				group = field.Comment
			}
			said := doc{strings.TrimSpace(group.Text()), append(directives(field.Doc), directives(field.Comment)...)}
			for _, pos := range fieldNames(field) {
				d[pos] = said
			}
		}
		return true
	})
	return d
}

// fieldNames returns the positions that the type checker gives to a field's names. An embedded
// field has the position of the last identifier of its type.
func fieldNames(f *ast.Field) []token.Pos {
	var out []token.Pos
	for _, n := range f.Names {
		out = append(out, n.Pos())
	}
	if len(f.Names) > 0 {
		return out
	}
	t := bare(f.Type)
	if x, ok := t.(*ast.SelectorExpr); ok {
		return []token.Pos{x.Sel.Pos()}
	}
	return []token.Pos{t.Pos()}
}

// bare returns t without pointers, parentheses and type arguments.
func bare(t ast.Expr) ast.Expr {
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		default:
			return t
		}
	}
}

// directives returns the lines of a comment that are directives of this project: "//zmy:sparse"
// gives "zmy:sparse".
func directives(g *ast.CommentGroup) []string {
	if g == nil {
		return nil
	}
	var out []string
	for _, c := range g.List {
		if rest, ok := strings.CutPrefix(c.Text, "//"); ok && strings.HasPrefix(rest, "zmy:") {
			out = append(out, strings.TrimSpace(rest))
		}
	}
	return out
}
