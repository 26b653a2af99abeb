package adopt

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// rewrite returns the text of the file with its uses changed. It returns errNothing if all stay.
func (f *goFile) rewrite() ([]byte, error) {
	bySpec := map[*ast.ImportSpec][]*use{}
	changed := false
	for _, u := range f.uses {
		if u.spec != nil {
			bySpec[u.spec] = append(bySpec[u.spec], u)
		}
		changed = changed || len(u.edits) > 0
	}
	if !changed {
		return nil, errNothing
	}
	edits := slices.Clone(f.gone)
	name := f.imported()
	present := name != ""
	var dropped []*ast.ImportSpec
	for spec, uses := range bySpec {
		free, asBefore := true, true
		for _, u := range uses {
			free = free && !u.stays() && (u.same || len(u.edits) > 0)
			asBefore = asBefore && u.same
		}
		if !free {
			continue
		}
		dropped = append(dropped, spec)
		if local := localName(spec); asBefore && (spec.Name != nil || local == "json") && !present && name == "" {
			name = local // the uses keep their text
		}
	}
	slices.SortFunc(dropped, func(a, b *ast.ImportSpec) int { return int(a.Pos() - b.Pos()) })
	if name == "" {
		name = f.freeName()
	}
	for _, u := range f.uses {
		dropping := u.spec != nil && slices.Contains(dropped, u.spec)
		switch {
		case dropping && u.same && localName(u.spec) == name:
		case dropping && u.neutral():
			edits = append(edits, f.requalify(u, name)...)
		case u.stays():
		default:
			for _, e := range u.edits {
				if e.to > 0 {
					e.text = strings.ReplaceAll(e.text, "FX", name)
					edits = append(edits, e)
				}
			}
		}
	}
	needs := slices.ContainsFunc(f.uses, func(u *use) bool {
		return len(u.edits) > 0 && u.edits[0].to > 0 || u.neutral() && u.spec != nil && slices.Contains(dropped, u.spec)
	})
	more, err := f.imports(dropped, name, needs && !present)
	if err != nil {
		return nil, err
	}
	out, err := apply(f.text, append(edits, more...))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.name, err)
	}
	return formatted(f.text, out), nil
}

// requalify writes a neutral use with another name of the package.
func (f *goFile) requalify(u *use, name string) []edit {
	old := localName(u.spec)
	if old == name {
		return nil
	}
	start := f.startOf(u)
	return []edit{{start, start + len(old), name}}
}

// startOf returns the offset of a use.
func (f *goFile) startOf(u *use) int {
	file := f.pkg.Fset.File(f.syn.FileStart)
	return f.offset(file.LineStart(u.site.Pos.Line)) + u.site.Pos.Column - 1
}

// imported returns the name under which the file imports the target already, "" if it does not.
func (f *goFile) imported() string {
	for _, spec := range f.syn.Imports {
		if importOf(spec) == f.prog.to.path && (spec.Name == nil || spec.Name.Name != "_" && spec.Name.Name != ".") {
			return localName(spec)
		}
	}
	return ""
}

// freeName returns a name for the import that nothing in the file or package has.
func (f *goFile) freeName() string {
	taken := func(name string) bool {
		return f.pkg.Types.Scope().Lookup(name) != nil || f.names[name]
	}
	if f.prefer != "" {
		for _, spec := range f.syn.Imports {
			if localName(spec) == f.prefer {
				f.prefer = ""
			}
		}
	}
	if f.prefer != "" {
		return f.prefer
	}
	name := f.prog.to.local
	for i := 2; taken(name); i++ {
		name = f.prog.to.local + strconv.Itoa(i)
	}
	return name
}

// localName returns the name that an import has in its file. Without an explicit one it is guessed for
// packages other than codecs; the guess serves to avoid collisions only.
func localName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	switch path := importOf(spec); path {
	case "github.com/goccy/go-json":
		return "json"
	case "github.com/json-iterator/go":
		return "jsoniter"
	default:
		return path[strings.LastIndex(path, "/")+1:]
	}
}

// foreign reports whether an import is none of the standard library.
func foreign(spec *ast.ImportSpec) bool {
	first, _, _ := strings.Cut(importOf(spec), "/")
	return strings.Contains(first, ".")
}

// imports returns the edits of the import declarations: dropped ones go, and the target comes under name
// if add is set.
func (f *goFile) imports(dropped []*ast.ImportSpec, name string, add bool) (edits []edit, err error) {
	spelt := strconv.Quote(f.prog.to.path)
	if name != f.prog.to.local {
		spelt = name + " " + spelt
	}
	for _, spec := range dropped {
		gen := f.declOf(spec)
		switch {
		case add && (len(gen.Specs) == 1 || foreign(spec)): // it takes the place, where formatted sorts it
			edits = append(edits, edit{f.offset(spec.Pos()), f.offset(spec.Path.End()), spelt})
			add = false
		case !gen.Lparen.IsValid() || len(gen.Specs) == 1:
			edits = append(edits, f.lines(f.offset(gen.Pos()), f.offset(gen.End())))
		default:
			e := f.lines(f.offset(spec.Pos()), f.offset(spec.End()))
			if strings.Count(strings.TrimSpace(string(f.text[e.from:e.to])), "\n") > 0 || strings.Contains(string(f.text[e.from:e.to]), ";") {
				return nil, fmt.Errorf("%s:%d: the import shares its line with another one; run gofmt first",
					f.name, f.pkg.Fset.Position(spec.Pos()).Line)
			}
			edits = append(edits, e)
		}
	}
	if add {
		edits = append(edits, f.addImport(spelt, dropped))
	}
	return edits, nil
}

func (f *goFile) declOf(spec *ast.ImportSpec) *ast.GenDecl {
	for _, d := range f.syn.Decls {
		if gen, ok := d.(*ast.GenDecl); ok && gen.Tok == token.IMPORT && gen.Pos() <= spec.Pos() && spec.End() <= gen.End() {
			return gen
		}
	}
	return nil
}

// addImport returns the edit that adds an import: into the group of other modules' packages, in the
// order of paths, or as a group of its own behind the others.
func (f *goFile) addImport(spelt string, dropped []*ast.ImportSpec) edit {
	var block *ast.GenDecl
	for _, d := range f.syn.Decls {
		if gen, ok := d.(*ast.GenDecl); ok && gen.Tok == token.IMPORT && gen.Lparen.IsValid() && len(gen.Specs) > len(dropped)-1 {
			block = gen
			break
		}
	}
	if block == nil {
		for _, d := range f.syn.Decls { // a single import becomes a block
			if gen, ok := d.(*ast.GenDecl); ok && gen.Tok == token.IMPORT && !slices.Contains(dropped, gen.Specs[0].(*ast.ImportSpec)) {
				from, to := f.offset(gen.Specs[0].Pos()), f.offset(gen.Specs[0].End())
				return edit{from, to, "(\n\t" + string(f.text[from:to]) + "\n\n\t" + spelt + "\n)"}
			}
		}
		at := f.offset(f.syn.Name.End())
		return edit{at, at, "\n\nimport " + spelt}
	}
	var group []*ast.ImportSpec // the last group that has paths of other modules
	var current []*ast.ImportSpec
	line := 0
	consider := func() {
		others := slices.ContainsFunc(current, func(s *ast.ImportSpec) bool {
			return foreign(s) && !strings.HasPrefix(importOf(s)+"/", f.prog.module+"/")
		})
		if others && group == nil {
			group = current
		}
	}
	for _, s := range block.Specs {
		spec := s.(*ast.ImportSpec)
		begin := f.pkg.Fset.Position(spec.Pos()).Line
		if spec.Doc != nil {
			begin = f.pkg.Fset.Position(spec.Doc.Pos()).Line
		}
		if begin > line+1 && current != nil {
			consider()
			current = nil
		}
		current = append(current, spec)
		line = f.pkg.Fset.Position(spec.End()).Line
	}
	consider()
	if group == nil {
		end := f.offset(block.Rparen)
		return edit{end, end, "\n\t" + spelt + "\n"}
	}
	for _, spec := range group {
		if importOf(spec) > f.prog.to.path {
			at := spec.Pos()
			if spec.Doc != nil {
				at = spec.Doc.Pos()
			}
			return edit{f.offset(at), f.offset(at), spelt + "\n\t"}
		}
	}
	last := group[len(group)-1]
	at := f.lines(f.offset(last.Pos()), f.offset(last.Pos()))
	end := at.to
	if end > 0 && f.text[end-1] == '\n' && end >= 2 && f.text[end-2] == '\n' {
		end--
	}
	return edit{end, end, "\t" + spelt + "\n"}
}

// apply carries out edits, whose parts must not overlap.
func apply(text []byte, edits []edit) ([]byte, error) {
	sort.SliceStable(edits, func(i, j int) bool {
		if edits[i].from != edits[j].from {
			return edits[i].from < edits[j].from
		}
		return edits[i].to < edits[j].to
	})
	var out bytes.Buffer
	at := 0
	for _, e := range edits {
		if e.from < at {
			return nil, fmt.Errorf("two changes meet at byte %d; change one of them by hand", e.from)
		}
		out.Write(text[at:e.from])
		out.WriteString(e.text)
		at = e.to
	}
	out.Write(text[at:])
	return out.Bytes(), nil
}

// formatted formats the new text of a file if the old one was formatted. If all lines of the old one
// ended with CRLF, those of the new one do.
func formatted(old, text []byte) []byte {
	if n := bytes.Count(old, []byte("\r\n")); n > 0 && n == bytes.Count(old, []byte("\n")) {
		unix := func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")) }
		return bytes.ReplaceAll(formatted(unix(old), unix(text)), []byte("\n"), []byte("\r\n"))
	}
	if was, err := format.Source(old); err != nil || !bytes.Equal(was, old) {
		return text
	}
	if now, err := format.Source(text); err == nil {
		return now
	}
	return text
}

// direct adds a line //go:generate above the declaration of a type. src is the text of its file.
func direct(src []byte, typ, command string) ([]byte, error) {
	fset := token.NewFileSet()
	syn, err := parser.ParseFile(fset, "", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, d := range syn.Decls {
		gen, ok := d.(*ast.GenDecl)
		if !ok || gen.Tok != token.TYPE {
			continue
		}
		for _, s := range gen.Specs {
			if s.(*ast.TypeSpec).Name.Name != typ {
				continue
			}
			at := gen.Pos()
			if gen.Doc != nil {
				at = gen.Doc.Pos()
			}
			from := fset.Position(at).Offset
			out, err := apply(src, []edit{{from, from, "//go:generate " + command + "\n\n"}})
			return formatted(src, out), err
		}
	}
	return nil, fmt.Errorf("the file does not declare %s", typ)
}
