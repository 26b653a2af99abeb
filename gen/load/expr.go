package load

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/near"
	"github.com/zmylab/zmy/internal/zmytype"
)

// Candidate is a type that a generator can work on.
type Candidate struct {
	Name   string // as option -type takes it
	Pos    ir.Pos
	Sample bool // the package has a sample function for it
}

// Candidates lists the package's struct types with an exported or embedded field, in the order of
// declaration. It skips generic types, which need type arguments.
func (p *Pkg) Candidates() []Candidate {
	named := p.candidates(hasField)
	out := make([]Candidate, len(named))
	for i, obj := range named {
		_, sample := p.sampleOf(obj.Type())
		out[i] = Candidate{Name: obj.Name(), Pos: p.world.pos(obj.Pos()), Sample: sample}
	}
	return out
}

// candidates returns the named types without type parameters for which do returns true.
func (p *Pkg) candidates(do func(types.Type) bool) (named []types.Object) {
	scope := p.types.Scope()
	for _, name := range scope.Names() {
		obj, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || obj.IsAlias() {
			continue
		}
		t, ok := obj.Type().(*types.Named)
		if ok && t.TypeParams().Len() == 0 && do(t) {
			named = append(named, obj)
		}
	}
	slices.SortFunc(named, func(a, b types.Object) int { return int(a.Pos() - b.Pos()) })
	return named
}

// Tagged lists the package's struct types that have a struct tag zmy, in the order of declaration.
// It skips generic types.
func (p *Pkg) Tagged() (names []string) {
	for _, c := range p.candidates(isTagged) {
		names = append(names, c.Name())
	}
	return names
}

func isTagged(t types.Type) bool {
	s, ok := t.Underlying().(*types.Struct)
	for i := 0; ok && i < s.NumFields(); i++ {
		if zmytype.Numbered(reflect.StructTag(s.Tag(i))) {
			return true
		}
	}
	return false
}

// ProtoTagged lists the package's struct types with fields that struct tags number for protobuf, in the
// order of declaration. Those in legacy have struct tags protobuf only, as protoc-gen-go writes them. It
// skips generic types, and structs that are an arm of a oneof by a struct tag proto.
func (p *Pkg) ProtoTagged() (names, legacy []string) {
	own := func(t types.Type) bool { return isProtoTagged(t, "proto") }
	for _, c := range p.candidates(own) {
		names = append(names, c.Name())
	}
	for _, c := range p.candidates(func(t types.Type) bool { return !own(t) && isProtoTagged(t, "protobuf") }) {
		legacy = append(legacy, c.Name())
	}
	return names, legacy
}

func isProtoTagged(t types.Type, key string) bool {
	s, ok := t.Underlying().(*types.Struct)
	for i := 0; ok && i < s.NumFields(); i++ {
		text, has := reflect.StructTag(s.Tag(i)).Lookup(key)
		words := strings.Split(text, ",")
		if !has || key == "proto" && (text == "-" || text == "unknown") {
			continue
		}
		return key != "proto" || s.NumFields() > 1 || !slices.Contains(words[1:], "oneof")
	}
	return false
}

// IsType reports whether the expression names a type in the package's scope.
func (p *Pkg) IsType(expr string) bool {
	_, err := p.eval(expr)
	return err == nil
}

// Names lists the names that the package declares at package level, sorted.
func (p *Pkg) Names() []string { return p.names() }

func hasField(t types.Type) bool {
	s, ok := t.Underlying().(*types.Struct)
	return ok && slices.ContainsFunc(slices.Collect(s.Fields()), func(f *types.Var) bool { return f.Exported() || f.Embedded() })
}

func isNamed(t types.Type, pkg, name string) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == name && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == pkg
}

// eval evaluates a type expression in the scope of the package and of the imports of all its files.
func (p *Pkg) eval(expr string) (types.Type, error) {
	p.world.mu.Lock()
	defer p.world.mu.Unlock()
	x, err := parser.ParseExpr(expr)
	if err != nil {
		return nil, fmt.Errorf("type %q is not a Go expression: write Order, or Page[Order] for a generic type", expr)
	}
	if err := p.qualified(expr, x); err != nil {
		return nil, err
	}
	if err := p.known(expr, x); err != nil {
		return nil, err
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	if err := types.CheckExpr(p.world.fset, p.scopeFor(x), token.NoPos, x, info); err != nil {
		var te types.Error
		if errors.As(err, &te) {
			err = errors.New(te.Msg)
		}
		return nil, fmt.Errorf("type %s in package %s: %w", expr, p.Path, err)
	}
	tv := info.Types[x]
	if !tv.IsType() {
		return nil, fmt.Errorf("%s in package %s is a value, not a type; %s", expr, p.Path, p.choices())
	}
	if err := p.complete(expr, tv.Type); err != nil {
		return nil, err
	}
	return tv.Type, nil
}

// scopeFor returns a scope with the names of the package and the imported packages that the
// expression names.
func (p *Pkg) scopeFor(x ast.Expr) *types.Package {
	pkg := types.NewPackage(p.Path, p.Name)
	for _, name := range p.types.Scope().Names() {
		pkg.Scope().Insert(p.types.Scope().Lookup(name))
	}
	ast.Inspect(x, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		id, ok := sel.X.(*ast.Ident)
		if !ok || pkg.Scope().Lookup(id.Name) != nil {
			return true
		}
		for _, f := range p.unit.files {
			for _, s := range f.Imports {
				path, name := p.unit.importName(s)
				if name != id.Name {
					continue
				}
				imp, err := (&importer{p.world, p.unit}).Import(path)
				if err == nil && imp.Scope().Lookup(sel.Sel.Name) != nil {
					pkg.Scope().Insert(types.NewPkgName(token.NoPos, pkg, name, imp))
					return true
				}
			}
		}
		return true
	})
	return pkg
}

// qualified refuses a type that is written with the package's own name, and says how to write it.
func (p *Pkg) qualified(expr string, x ast.Expr) error {
	sel, ok := bare(x).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	id, ok := sel.X.(*ast.Ident)
	if !ok || id.Name != p.Name || p.types.Scope().Lookup(id.Name) != nil || p.scopeFor(x).Scope().Lookup(id.Name) != nil {
		return nil
	}
	name, rest, names := sel.Sel.Name, strings.TrimPrefix(expr, id.Name+"."+sel.Sel.Name), p.typeNames()
	if !slices.Contains(names, name) {
		meant := near.Names(name, names)
		if len(meant) == 0 {
			return fmt.Errorf("type %s in package %s: write the type without its package; %s", expr, p.Path, p.choices())
		}
		name = meant[0]
	}
	return fmt.Errorf("type %s in package %s: write the type without its package: %s", expr, p.Path, name+rest)
}

// typeNames returns the names of the package's types.
func (p *Pkg) typeNames() (names []string) {
	for _, name := range p.types.Scope().Names() {
		if _, ok := p.types.Scope().Lookup(name).(*types.TypeName); ok {
			names = append(names, name)
		}
	}
	return names
}

// known refuses an undeclared name before the type checker does, with a more helpful error.
func (p *Pkg) known(expr string, x ast.Expr) error {
	id, ok := bare(x).(*ast.Ident)
	if !ok || p.types.Scope().Lookup(id.Name) != nil || types.Universe.Lookup(id.Name) != nil {
		return nil
	}
	if p.unit.dropped[id.Name] {
		return fmt.Errorf("%s in package %s is a function or variable, not a type; %s", expr, p.Path, p.choices())
	}
	if pos, ok := p.inTests(id.Name); ok {
		return problemf(pos, "move it to a file whose name does not end with _test.go",
			"type %s is there for tests only: generated code could not name it", id.Name)
	}
	meant := ""
	if near := near.Names(id.Name, p.typeNames()); len(near) > 0 {
		meant = "did you mean " + strings.Join(near, " or ") + "? "
	}
	return fmt.Errorf("package %s has no type %s; %s%s", p.Path, id.Name, meant, p.choices())
}

// inTests looks for a type of that name in the package's test files.
func (p *Pkg) inTests(name string) (pos ir.Pos, ok bool) {
	files, err := filepath.Glob(filepath.Join(p.Dir, "*_test.go"))
	if err != nil {
		return ir.Pos{}, false
	}
	for _, file := range files {
		src, err := readFile(file, p.world.overlay)
		if err != nil {
			continue
		}
		f, _ := parser.ParseFile(p.world.fset, file, src, parser.SkipObjectResolution) // on an error f has the part that parsed
		if f == nil {
			continue
		}
		for _, d := range f.Decls {
			g, _ := d.(*ast.GenDecl)
			if g == nil || g.Tok != token.TYPE {
				continue
			}
			for _, s := range g.Specs {
				if t, ok := s.(*ast.TypeSpec); ok && t.Name.Name == name {
					return p.world.pos(t.Name.Pos()), true
				}
			}
		}
	}
	return ir.Pos{}, false
}

// complete refuses a generic type without type arguments.
func (p *Pkg) complete(expr string, t types.Type) error {
	g, ok := t.(interface { // *types.Named or *types.Alias
		Obj() *types.TypeName
		TypeArgs() *types.TypeList
		TypeParams() *types.TypeParamList
	})
	if !ok || g.TypeArgs().Len() > 0 || g.TypeParams().Len() == 0 {
		return nil
	}
	var form []string
	for tp := range g.TypeParams().TypeParams() {
		form = append(form, tp.Obj().Name())
	}
	return problemf(p.world.pos(g.Obj().Pos()), fmt.Sprintf("name one instance, such as %s[string]", expr),
		"%s is generic: it needs type arguments for [%s]", expr, strings.Join(form, ", "))
}

// maxChoices is the number of types that an error lists.
const maxChoices = 20

func (p *Pkg) choices() string {
	var names []string
	for _, c := range p.Candidates() {
		names = append(names, c.Name)
	}
	if len(names) == 0 {
		return "the package has no struct type with exported fields"
	}
	if len(names) > maxChoices {
		names = append(names[:maxChoices], "…")
	}
	return "its struct types: " + strings.Join(names, ", ")
}
