package adopt

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/build"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen"
	"github.com/zmylab/zmy/gen/cli"
)

// root is a named type of the module that is the value of a site, or a part of one.
type root struct {
	pkg, name string
	file      string // that declares it, relative to the module's folder
}

// namedIn returns the named struct types that a value consists of: it goes through pointers, slices,
// arrays and maps, which fxjson handles by reflection.
func namedIn(t types.Type) []*types.Named {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if _, ok := t.Underlying().(*types.Struct); ok {
			return []*types.Named{t}
		}
		return namedIn(t.Underlying())
	case *types.Pointer:
		return namedIn(t.Elem())
	case *types.Slice:
		return namedIn(t.Elem())
	case *types.Array:
		return namedIn(t.Elem())
	case *types.Map:
		return append(namedIn(t.Elem()), namedIn(t.Key())...)
	}
	return nil
}

// ownMethods are methods that decide on a type's JSON; fxjson calls them as encoding/json does.
var ownMethods = []string{"MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText",
	"MarshalJSONTo", "UnmarshalJSONFrom", "ProtoMessage"}

// unfit returns the reason why no code of fxjson is generated for a type, "" if it is.
func (p *program) unfit(n *types.Named) string {
	set := types.NewMethodSet(types.NewPointer(n))
	for _, name := range ownMethods {
		if set.Lookup(n.Obj().Pkg(), name) != nil {
			return "it has a method " + name
		}
	}
	return p.misplaced(n)
}

// misplaced returns the reason why no code is generated where a type is declared, "" if it is.
func (p *program) misplaced(n *types.Named) string {
	obj := n.Obj()
	switch {
	case obj.Pkg() == nil || p.all[obj.Pkg().Path()] == nil:
		return "it belongs to another module"
	case obj.Parent() != obj.Pkg().Scope():
		return "it is declared inside a function"
	case n.TypeArgs().Len() > 0:
		return "it is an instance of a generic type"
	}
	file := p.declares(obj.Pkg().Path(), obj.Name())
	switch name := filepath.Join(p.t.dir, filepath.FromSlash(file)); {
	case file == "":
		return "its source is not in the module"
	case isLink(name):
		return "its file is a symbolic link"
	case constrained(name):
		return "its file belongs to some builds only, by its name or its build constraint"
	}
	return ""
}

// roots returns the types for which code is generated, by package. It notes the others.
func (p *program) roots(files []*goFile, o *Options) map[string][]root {
	out := map[string][]root{}
	seen := map[string]bool{}
	for _, f := range files {
		for _, u := range f.uses {
			if u.stays() {
				continue
			}
			for _, n := range u.named() {
				id := types.TypeString(n, nil)
				if seen[id] {
					continue
				}
				seen[id] = true
				if obj := n.Obj(); p.easy.goes() && obj.Pkg() != nil && p.easy.has(obj.Pkg().Path(), obj.Name()) {
					continue // replaceEasyjson generates it
				}
				if why := p.unfit(n); why != "" {
					p.note(u.site.Pos, fmt.Sprintf("no code is generated for %s: %s; fxjson handles it by reflection",
						types.TypeString(n, func(p *types.Package) string { return p.Name() }), why))
					continue
				}
				pkg := n.Obj().Pkg().Path()
				out[pkg] = append(out[pkg], root{pkg, n.Obj().Name(), p.declares(pkg, n.Obj().Name())})
			}
		}
	}
	for pkg, list := range out {
		slices.SortFunc(list, func(a, b root) int { return strings.Compare(a.name, b.name) })
		out[pkg] = list
	}
	return out
}

// declares returns the file of a package that declares a type, relative to the module's folder, ""
// if there is none.
func (p *program) declares(pkg, typ string) string {
	for _, name := range p.all[pkg].GoFiles {
		if declaredIn(name, typ) != nil {
			return p.t.rel(name)
		}
	}
	return ""
}

// constrained reports whether builds may leave a file out: generated code for its types would not
// compile there.
func constrained(name string) bool {
	none := build.Context{GOOS: "none", GOARCH: "none", Compiler: "gc"}
	if ok, err := none.MatchFile(filepath.Dir(name), filepath.Base(name)); err != nil || !ok {
		return true
	}
	f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.PackageClauseOnly|parser.ParseComments)
	if err != nil {
		return true
	}
	for _, group := range f.Comments {
		for _, c := range group.List {
			if c.Pos() < f.Package && constraint.IsGoBuild(c.Text) {
				return true
			}
		}
	}
	return false
}

// longest is the length of a go:generate line above which it goes into a file of its own.
const longest = 140

// mostLines bounds the generated code of a package that is adopted as a whole.
const mostLines = 20_000

// generate generates the code of one package in the copy, and adds the go:generate line. A type that
// the generator refuses is left out, with a note. It returns nil if no type is left. more are further
// arguments of the generator.
func (p *program) generate(ctx context.Context, pkg string, list []root, more ...string) (*Types, error) {
	dir := p.dirOf(pkg)
	abs := filepath.Join(p.t.dir, filepath.FromSlash(dir))
	list = slices.DeleteFunc(slices.Clone(list), func(r root) bool {
		return declaredIn(filepath.Join(abs, path.Base(r.file)), r.name) == nil
	})
	fit, output, err := p.accepted(ctx, pkg, abs, list, more)
	if err != nil || len(fit) == 0 {
		return nil, err
	}
	text, err := p.t.read(path.Join(dir, output))
	if err != nil {
		return nil, err
	}
	if n := bytes.Count(text, []byte("\n")); n > mostLines && more == nil {
		p.note(token.Position{Filename: dir}, fmt.Sprintf("no code is generated: that of %s has %d lines, and compilers take long for it; "+
			"name the types that matter in the command", count(len(fit), "type", "types"), n))
		return nil, p.t.bring(path.Join(dir, output))
	}
	out := &Types{Package: pkg, Dir: dir, File: output, Lines: bytes.Count(text, []byte("\n"))}
	for _, r := range fit {
		out.Names = append(out.Names, r.name)
	}
	command := "go tool fxjson " + strings.Join(append(arguments(out.Names, output, "json"), more...), " ")
	p.wrote[filepath.Join(abs, output)] = true
	return out, p.directive(dir, abs, fit, command)
}

// accepted generates code for the types of a package, and returns those that the generator takes.
func (p *program) accepted(ctx context.Context, pkg, abs string, list []root, more []string) (fit []root, output string, err error) {
	names := func(list []root) (out []string) {
		for _, r := range list {
			out = append(out, r.name)
		}
		return out
	}
	for fit = list; len(fit) > 0; {
		if ctx.Err() != nil {
			return nil, "", ctx.Err()
		}
		output = outputName(abs, p.all[pkg].Name, names(fit), "json", p.wrote)
		var stderr bytes.Buffer
		if cli.FXJSON(slices.Concat(arguments(names(fit), output, "json"), more, []string{abs}), &bytes.Buffer{}, &stderr) == 0 {
			return fit, output, nil
		}
		var kept []root
		for _, r := range fit { // one by one: each message is about one type
			var msg bytes.Buffer
			if cli.FXJSON(slices.Concat([]string{"-type=" + r.name, "-output=-"}, more, []string{abs}), &bytes.Buffer{}, &msg) == 0 {
				kept = append(kept, r)
				continue
			}
			p.note(token.Position{Filename: r.file}, fmt.Sprintf("no code is generated for %s: %s", r.name, firstLine(p.t.shorten(msg.String()))))
		}
		if len(kept) == len(fit) {
			p.note(token.Position{Filename: fit[0].file}, "no code is generated: "+firstLine(p.t.shorten(stderr.String())))
			return nil, "", nil
		}
		fit = kept
	}
	return nil, "", nil
}

// arguments are those of the generator. The output is named only if it is not the generator's own
// choice.
func arguments(names []string, output, suffix string) []string {
	args := []string{"-type=" + strings.Join(names, ",")}
	if output != gen.OutputName(names[0], suffix) {
		args = append(args, "-output="+output)
	}
	return args
}

// outputName returns a name for the generated file that no other file has. suffix is json or zmy, and
// taken are files that other types have.
func outputName(dir, pkg string, names []string, suffix string, taken map[string]bool) string {
	by := map[string]string{"json": "fxjson", "zmy": "zmy gen"}[suffix]
	first := gen.OutputName(names[0], suffix)
	if len(names) > 1 {
		first = gen.OutputName(pkg, suffix)
	}
	name := first
	for i := 2; ; i++ {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if free := err != nil || bytes.HasPrefix(data, []byte("// Code generated by "+by)); free && !taken[filepath.Join(dir, name)] {
			return name
		}
		name = strings.TrimSuffix(first, ".go") + fmt.Sprint(i) + ".go"
	}
}

// directive adds the go:generate line beside the first type or, if it is long or the type's file is
// generated, in a file of its own.
func (p *program) directive(dir, abs string, list []root, command string) (err error) {
	line := "//go:generate " + command
	syn := declaredIn(filepath.Join(abs, path.Base(list[0].file)), list[0].name)
	if len(line) <= longest && !ast.IsGenerated(syn) {
		src, err := p.t.read(list[0].file)
		if err != nil || bytes.Contains(src, []byte("\n"+line+"\n")) {
			return err
		}
		out, err := direct(src, list[0].name, command)
		if err != nil {
			return fmt.Errorf("%s: %w", list[0].file, err)
		}
		return p.t.write(list[0].file, out)
	}
	name := path.Join(dir, p.to.local+"_generate.go")
	text := fmt.Appendf(nil, "package %s\n", syn.Name.Name)
	if p.wrote[name] {
		if text, err = p.t.read(name); err != nil {
			return err
		}
	}
	p.wrote[name] = true
	return p.t.write(name, fmt.Appendf(text, "\n%s\n", line))
}

// declaredIn parses a file and returns it if it declares the type at package level.
func declaredIn(file, typ string) *ast.File {
	syn, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	for _, d := range syn.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
			for _, s := range g.Specs {
				if s.(*ast.TypeSpec).Name.Name == typ {
					return syn
				}
			}
		}
	}
	return nil
}
