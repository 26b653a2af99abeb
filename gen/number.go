package gen

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/gen/check"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/load"
)

// NumberProto returns the package's source files with struct tags that number the fields of the types,
// and of all structs of the package that they reach, for protobuf: see [check.ProtoNumbers]. Fields
// with such a tag keep it. Numbers that directives reserve, or that the package's zmy.proto.lock has, are
// not given out again. There is no file if every field has a tag. The notes of the files name structs of
// other packages that lack tags.
func NumberProto(p *load.Pkg, exprs []string) ([]File, error) {
	k, err := p.Build(exprs...)
	if err != nil {
		return nil, err
	}
	past, err := protoPast(p)
	if err != nil {
		return nil, err
	}
	n := &numbering{pkg: k.Path, past: past, seen: map[*ir.Type]bool{}, tags: map[string]map[position]string{}}
	for _, t := range k.Roots {
		n.visit(t)
	}
	if err := n.full.Err(); err != nil {
		return nil, err
	}
	var out []File
	for _, name := range slices.Sorted(maps.Keys(n.tags)) {
		src, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		tagged, err := addTags(name, src, n.tags[name])
		if err != nil {
			return nil, err
		}
		out = append(out, File{Path: name, Src: tagged, edited: true})
	}
	if _, err := check.Proto(k, check.ProtoOptions{Number: true}); err != nil {
		return nil, err // before a file is changed
	}
	switch {
	case len(out) > 0:
		out[0].notes = n.foreign
	case len(n.foreign) > 0:
		return nil, n.foreign
	}
	return out, nil
}

// position is that of a field's name in its file. Both count from 1, columns in bytes.
type position struct{ line, col int }

type numbering struct {
	pkg     string
	past    func(*ir.Type) check.Reserved
	seen    map[*ir.Type]bool
	tags    map[string]map[position]string // by file
	foreign ir.Problems
	full    ir.Problems // fields for which no number is left
}

// visit collects the tags of t and of all types within it.
func (n *numbering) visit(t *ir.Type) {
	if t == nil || n.seen[t] {
		return
	}
	n.seen[t] = true
	n.visit(t.Key)
	n.visit(t.Elem)
	for _, arm := range t.Arms {
		n.visit(arm.Type)
	}
	if t.Kind != ir.Struct {
		return
	}
	tags := check.ProtoNumbers(t, n.past(t).Numbers)
	if len(tags) > 0 && t.Name != nil && t.Name.Pkg != n.pkg {
		n.foreign = append(n.foreign, ir.Problem{Pos: t.Pos, Path: t.Name.PkgName + "." + t.Name.Name, Msg: "has fields without numbers",
			Hint: fmt.Sprintf("run fxproto -number -type=%s in package %s, or declare a struct of your own in its place if that is another's module",
				t.Name.Name, t.Name.Pkg)})
		return
	}
	for f, tag := range tags {
		if tag == "" {
			n.full = append(n.full, ir.Problem{Pos: f.Pos, Path: "field " + f.Name, Msg: "no number above those in use is left",
				Hint: "give it a number by hand, or reserve fewer"})
		}
		file := n.tags[f.Pos.File]
		if file == nil {
			file = map[position]string{}
			n.tags[f.Pos.File] = file
		}
		file[position{f.Pos.Line, f.Pos.Col}] = tag
	}
	for _, f := range t.Fields {
		if tags[f] != `proto:"-"` {
			n.visit(f.Type)
		}
	}
}

// addTags adds struct tags to the fields whose names are at the given positions. Several names of one
// declaration, as in A, B int, get declarations of their own. The result is formatted if src is.
func addTags(name string, src []byte, tags map[position]string) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	if ast.IsGenerated(file) {
		return nil, fmt.Errorf("%s: is generated code, whose struct tags its generator would lose: write them where it takes them from, "+
			"or declare a struct of your own", name)
	}
	type edit struct {
		from, to int
		text     string
	}
	var edits []edit
	at := func(p token.Pos) position { q := fset.PositionFor(p, false); return position{q.Line, q.Column} }
	offset := func(p token.Pos) int { return fset.PositionFor(p, false).Offset }
	add := func(f *ast.Field, tag string) {
		if f.Tag != nil {
			edits = append(edits, edit{offset(f.Tag.Pos()), offset(f.Tag.End()), joinTag(f.Tag.Value, tag)})
			return
		}
		end := offset(f.Type.End())
		edits = append(edits, edit{end, end, " " + joinTag("", tag)})
	}
	done := 0
	ast.Inspect(file, func(node ast.Node) bool {
		f, ok := node.(*ast.Field)
		if !ok || err != nil {
			return err == nil
		}
		names := f.Names
		if len(names) == 0 {
			names = []*ast.Ident{embedded(f.Type)}
		}
		var found []string
		for _, id := range names {
			if tag, ok := tags[at(id.Pos())]; ok {
				found = append(found, tag)
			}
		}
		done += len(found)
		switch {
		case len(found) == 0:
		case f.Tag != nil && malformed(f.Tag.Value):
			err = fmt.Errorf("%s: struct tag %s of field %s is not of the form `key:\"value\"`: mend it first", fset.Position(f.Tag.Pos()),
				f.Tag.Value, names[0].Name)
		case len(names) == 1:
			add(f, found[0])
		case f.Tag != nil || len(found) < len(names) || isLiteral(f.Type) || commented(file, f):
			err = fmt.Errorf("%s: fields %s and %s share one declaration: give each one of its own", fset.Position(f.Pos()),
				names[0].Name, names[1].Name)
		default:
			declared := string(src[offset(f.Type.Pos()):offset(f.Type.End())])
			var lines []string
			for i, id := range names {
				lines = append(lines, id.Name+" "+declared+" "+joinTag("", found[i]))
			}
			edits = append(edits, edit{offset(f.Pos()), offset(f.Type.End()), strings.Join(lines, "; ")})
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	if done != len(tags) {
		return nil, fmt.Errorf("%s: %d of %d fields to number were not found: it has changed since it was loaded; try again",
			name, len(tags)-done, len(tags))
	}
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Compare(b.from, a.from) })
	out := slices.Clone(src)
	for _, e := range edits {
		out = slices.Replace(out, e.from, e.to, []byte(e.text)...)
	}
	if nice, err := format.Source(src); err == nil && bytes.Equal(nice, src) {
		return format.Source(out)
	}
	return out, nil
}

// commented reports whether there are comments between the names of a field and its type.
func commented(file *ast.File, f *ast.Field) bool {
	return slices.ContainsFunc(file.Comments, func(c *ast.CommentGroup) bool { return c.Pos() >= f.Pos() && c.End() <= f.Type.End() })
}

// isLiteral reports whether a type is or contains the literal of a struct, whose fields have edits of
// their own.
func isLiteral(x ast.Expr) (found bool) {
	ast.Inspect(x, func(n ast.Node) bool {
		_, ok := n.(*ast.StructType)
		found = found || ok
		return !found
	})
	return found
}

// embedded returns the name of an embedded type: T of *pkg.T.
func embedded(x ast.Expr) *ast.Ident {
	switch x := x.(type) {
	case *ast.Ident:
		return x
	case *ast.StarExpr:
		return embedded(x.X)
	case *ast.SelectorExpr:
		return x.Sel
	case *ast.IndexExpr:
		return embedded(x.X)
	case *ast.IndexListExpr:
		return embedded(x.X)
	case *ast.ParenExpr:
		return embedded(x.X)
	}
	return ast.NewIdent("_")
}

// malformed reports whether a struct tag has text that package reflect does not read: proto: "1".
func malformed(literal string) bool {
	tag, err := strconv.Unquote(literal)
	rest := strings.TrimSpace(tag)
	for err == nil && rest != "" {
		key, value, _ := strings.Cut(rest, ":")
		var text string
		if text, err = strconv.QuotedPrefix(value); err == nil && (key == "" || strings.ContainsAny(key, " \"")) {
			err = strconv.ErrSyntax
		}
		rest = strings.TrimLeft(strings.TrimPrefix(value, text), " ")
	}
	return err != nil
}

// joinTag adds a key to the source text of a struct tag, "" for none.
func joinTag(literal, add string) string {
	old, err := strconv.Unquote(literal)
	if err != nil {
		old = ""
	}
	all := strings.TrimSpace(old + " " + add)
	switch {
	case all == "":
		return ""
	case strconv.CanBackquote(all):
		return "`" + all + "`"
	}
	return strconv.Quote(all)
}
