package load

import (
	"cmp"
	"go/ast"
	"go/build"
	"go/build/constraint"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"go/version"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
)

// Generated code must compile in every build of its package. It names types, so it needs the build
// constraint under which they are declared. It also needs the constraint of the files with their
// hooks, because a type without its hook has another form. If several files for different systems
// declare a type in the same words, the type exists in the builds of all of them. Such files are
// called twins.
//
// A file's name may imply a system or an architecture. A list of systems here would soon be out of
// date. So package go/build decides whether it would build the file for a system and an
// architecture that it does not know.

// constrain sets the build constraints of the package, and of the types that it declares. Generated
// code can name the types only in builds that satisfy them.
func (b *builder) constrain() {
	files := &fileConstraints{p: b.p, known: map[string]constraint.Expr{}}
	var all []constraint.Expr
	for i, out := range b.pkg.Types {
		n, ok := b.from[i].(*types.Named)
		if !ok || n.Obj().Pkg() != b.p.types {
			continue
		}
		if x := simple(b.p.Module, and(files.of(n)...)); x != nil {
			out.Build = x.String()
			all = append(all, x)
		}
	}
	if x := simple(b.p.Module, and(all...)); x != nil {
		b.pkg.Build = x.String()
	}
}

// fileConstraints finds the build constraints of files, nil for none.
type fileConstraints struct {
	p     *Pkg
	known map[string]constraint.Expr // by path
	twins []*ast.File                // files that this build excludes, read when first needed
	read  bool
}

// of lists the constraints of the files that declare the type n and its hook methods.
func (c *fileConstraints) of(n *types.Named) (out []constraint.Expr) {
	if x := c.at(n.Obj().Pos()); x != nil {
		out = append(out, c.orTwins(x, n.Obj().Pos(), n.Obj().Name()))
	}
	for m := range n.Methods() {
		if x := c.at(m.Pos()); x != nil && slices.ContainsFunc(hooks, func(h hook) bool { return h.name == m.Name() }) {
			out = append(out, c.orTwins(x, m.Pos(), n.Obj().Name()+"."+m.Name()))
		}
	}
	return out
}

func (c *fileConstraints) at(pos token.Pos) constraint.Expr {
	name := c.p.world.fset.Position(pos).Filename
	x, ok := c.known[name]
	if !ok {
		if src, err := readFile(name, c.p.world.overlay); err == nil {
			x = constraintOf(name, src)
		}
		c.known[name] = x
	}
	return x
}

// orTwins widens x, the constraint of a declaration, by the constraints of excluded files that
// declare the same name: a type in the same words, or a method with the same signature.
func (c *fileConstraints) orTwins(x constraint.Expr, pos token.Pos, name string) constraint.Expr {
	if !c.read {
		c.read = true
		for _, file := range c.p.unit.meta.IgnoredFiles {
			src, err := readFile(file, c.p.world.overlay)
			if err != nil || hidden(generatedBy(src)) || strings.HasSuffix(file, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(c.p.world.fset, file, src, parser.SkipObjectResolution)
			if err == nil && f.Name.Name == c.p.Name {
				c.twins = append(c.twins, f)
				c.known[file] = constraintOf(file, src)
			}
		}
	}
	var mine string
	for _, f := range c.p.unit.files {
		if f.FileStart <= pos && pos <= f.FileEnd {
			mine = declaration(f, name)
		}
	}
	for _, f := range c.twins {
		if other := c.at(f.FileStart); other != nil && mine != "" && declaration(f, name) == mine {
			x = &constraint.OrExpr{X: x, Y: other}
		}
	}
	return x
}

// declaration returns the source of a type in a file, or the signature of a method "T.M". It
// returns "" if the file does not declare name.
func declaration(f *ast.File, name string) string {
	typ, method, isMethod := strings.Cut(name, ".")
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if isMethod && d.Recv != nil && d.Name.Name == method && receiver(d) == typ {
				return text(d.Recv.List[0].Type) + text(d.Type)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if s, ok := s.(*ast.TypeSpec); ok && !isMethod && s.Name.Name == typ {
					return text(s)
				}
			}
		}
	}
	return ""
}

// receiver returns the name of a method's receiver type.
func receiver(d *ast.FuncDecl) string {
	if name, ok := bare(d.Recv.List[0].Type).(*ast.Ident); ok {
		return name.Name
	}
	return ""
}

// text formats a node as gofmt does, without comments. The file set is new and empty, so that line
// breaks of the source have no effect.
func text(n ast.Node) string {
	var s strings.Builder
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			n.Doc, n.Comment = nil, nil
		case *ast.TypeSpec:
			n.Doc, n.Comment = nil, nil
		}
		return true
	})
	if err := format.Node(&s, token.NewFileSet(), n); err != nil {
		return ""
	}
	return s.String()
}

// constraintOf returns a Go file's build constraint: that of its name's suffix, of its //go:build
// line, and of importing "C", joined by and.
func constraintOf(name string, src []byte) constraint.Expr {
	list := []constraint.Expr{nameConstraint(name)}
	f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		return list[0]
	}
	for _, group := range f.Comments {
		for _, c := range group.List {
			if c.Pos() < f.Package && constraint.IsGoBuild(c.Text) {
				if x, err := constraint.Parse(c.Text); err == nil {
					list = append(list, x)
				}
			}
		}
	}
	for _, i := range f.Imports {
		if i.Path.Value == `"C"` {
			list = append(list, &constraint.TagExpr{Tag: "cgo"})
		}
	}
	return and(list...)
}

// nameConstraint returns the build constraint that a file's name implies: _GOOS, _GOARCH or both.
func nameConstraint(name string) constraint.Expr {
	name = filepath.Base(name)
	if selected(name, "") {
		return nil
	}
	stem, _, _ := strings.Cut(name, ".")
	words := strings.Split(strings.TrimSuffix(stem, "_test"), "_")
	last := words[len(words)-1]
	if selected(name, "", last) {
		return &constraint.TagExpr{Tag: last}
	}
	return and(&constraint.TagExpr{Tag: words[max(0, len(words)-2)]}, &constraint.TagExpr{Tag: last})
}

// anywhere is a GOOS or GOARCH that no constraint can name.
const anywhere = "(any other)"

// selected reports whether the go command would build a file with this name and constraint, given
// these tags, for a GOOS and GOARCH that go/build does not know.
func selected(name, line string, tags ...string) bool {
	return selectedOn(anywhere, name, line, tags...)
}

func selectedOn(goos, name, line string, tags ...string) bool {
	ctx := build.Context{
		GOOS: goos, GOARCH: anywhere, BuildTags: tags,
		OpenFile: func(string) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader(line + "\n\npackage p\n")), nil
		},
	}
	ok, err := ctx.MatchFile("", name)
	return ok && err == nil
}

// and joins constraints and drops duplicates. nil is no constraint.
func and(list ...constraint.Expr) (out constraint.Expr) {
	list = slices.DeleteFunc(list, func(x constraint.Expr) bool { return x == nil })
	slices.SortFunc(list, func(a, b constraint.Expr) int { return cmp.Compare(a.String(), b.String()) })
	list = slices.CompactFunc(list, func(a, b constraint.Expr) bool { return a.String() == b.String() })
	for _, x := range list {
		if out == nil {
			out = x
		} else {
			out = &constraint.AndExpr{X: out, Y: x}
		}
	}
	return out
}

// not negates a constraint. It avoids double negation, which is not valid in a constraint.
func not(x constraint.Expr) constraint.Expr {
	if n, ok := x.(*constraint.NotExpr); ok {
		return n.X
	}
	return &constraint.NotExpr{X: x}
}

// simple removes version tags that the module's go line satisfies already: such a tag would lower
// the language version of the file. It returns nil for a constraint that always holds.
func simple(m *Module, x constraint.Expr) constraint.Expr {
	if x == nil {
		return nil
	}
	if m != nil && m.GoVersion != "" {
		x = without(x, func(tag string) bool {
			return version.IsValid(tag) && version.Compare(tag, "go"+m.GoVersion) <= 0
		})
	}
	if x == nil || !holds(not(x)) {
		return nil
	}
	return x
}

// without removes the tags for which the argument true returns true, as if they were set. It
// returns nil if the constraint then always holds.
func without(x constraint.Expr, true func(tag string) bool) constraint.Expr {
	switch x := x.(type) {
	case *constraint.TagExpr:
		if true(x.Tag) {
			return nil
		}
	case *constraint.AndExpr:
		l, r := without(x.X, true), without(x.Y, true)
		switch {
		case l == nil:
			return r
		case r == nil:
			return l
		}
		return &constraint.AndExpr{X: l, Y: r}
	case *constraint.OrExpr:
		l, r := without(x.X, true), without(x.Y, true)
		if l == nil || r == nil {
			return nil
		}
		return &constraint.OrExpr{X: l, Y: r}
	}
	return x
}

// maxFreeTags is the number of free tags beyond which holds gives up its search.
const maxFreeTags = 10

// holds reports whether some build satisfies the constraint. A build has at most one system and one
// architecture. holds does not search constraints with more than maxFreeTags other tags: it returns
// true.
func holds(x constraint.Expr) bool {
	var oses, arches, free []string
	seen := map[string]bool{"unix": true}
	x.Eval(func(tag string) bool { // Eval calls the function for every tag, whatever it returns
		switch {
		case seen[tag]:
		case !selected("x_"+tag+"_amd64.go", "", "amd64"):
			oses = append(oses, tag)
		case !selected("x_"+tag+".go", ""):
			arches = append(arches, tag)
		default:
			free = append(free, tag)
		}
		seen[tag] = true
		return true
	})
	if len(free) > maxFreeTags {
		return true
	}
	oses = append(oses, anywhere, "linux", "android", "darwin", "ios", "freebsd", "solaris", "illumos", "windows", "plan9")
	for _, goos := range oses {
		for _, arch := range append(arches, anywhere) {
			for set := range 1 << len(free) {
				tags := []string{arch}
				for i, tag := range free {
					if set>>i&1 == 1 {
						tags = append(tags, tag)
					}
				}
				if selectedOn(goos, "x.go", "//go:build "+x.String(), tags...) {
					return true
				}
			}
		}
	}
	return false
}

// SameBuilds reports whether two constraints select the same builds.
func SameBuilds(a, b constraint.Expr) bool {
	return !holds(&constraint.AndExpr{X: a, Y: not(b)}) &&
		!holds(&constraint.AndExpr{X: b, Y: not(a)})
}

// Misnamed returns an error if a generated file for the types of k cannot have this name. Either
// the go command ignores such files, or it builds them only where the types are not declared.
func Misnamed(name string, k *ir.Package) error {
	name = filepath.Base(name)
	if strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") {
		return ir.Problems{{Msg: "the go command passes over the file " + strconv.Quote(name) + ", whose name begins with " + name[:1],
			Hint: "choose another name with -output"}}
	}
	mine := nameConstraint(name)
	if mine == nil {
		return nil
	}
	var ps ir.Problems
	refuse := func(pos ir.Pos, path, line string) {
		if x, err := constraint.Parse("//go:build " + line); line != "" && err == nil && !holds(and(x, mine)) {
			ps = append(ps, ir.Problem{Pos: pos, Path: path, Msg: "is declared in builds for " + line + " only, and the file " + name +
				" is built for " + mine.String(), Hint: "choose another name with -output"})
		}
	}
	for _, t := range k.Types {
		if t.Build != "" {
			refuse(t.Pos, t.Name.Name, t.Build)
		}
	}
	if len(ps) == 0 && len(k.Roots) > 0 {
		refuse(k.Roots[0].Pos, "what it needs", k.Build)
	}
	return ps.Err()
}
