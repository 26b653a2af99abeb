// Package own makes a contender of a Go package of the user's: `-contender DIR`.
//
// The package exports Marshal and Unmarshal, and may export Append. Each takes values of any type,
// or is generic:
//
//	func Marshal(v any) ([]byte, error)
//	func Marshal[T any](v *T) ([]byte, error)
//	func Append(dst []byte, v any) ([]byte, error)
//	func Append[T any](dst []byte, v *T) ([]byte, error)
//	func Unmarshal(b []byte, v any) error
//	func Unmarshal[T any](b []byte, v *T) error
//
// The functions receive pointers to the subject. The worker is built in a temporary workspace that
// includes the package's module and its requirements. The package's folder is only read.
package own

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/gosrc"
	"github.com/zmylab/zmy/lab/run"
)

// Load makes a contender of the package in folder dir. known are the names of the other contenders.
// Errors are for the user: they say what failed, where, and what to do.
func Load(ctx context.Context, dir string, known []string) (contender.Info, error) {
	i, err := load(ctx, dir, known)
	if err != nil {
		return i, fmt.Errorf("-contender %s: %w", dir, err)
	}
	return i, nil
}

func load(ctx context.Context, dir string, known []string) (none contender.Info, err error) {
	p, err := list(ctx, dir)
	if err != nil {
		return none, err
	}
	c, err := read(p)
	if err != nil {
		return none, err
	}
	adopt, err := p.adopt()
	if err != nil {
		return none, err
	}
	const another = "give yours another name by `const Name = \"my%[1]s\"`"
	if strings.EqualFold(c.name, "all") {
		return none, fmt.Errorf("-codecs all means every codec; "+another, c.name)
	}
	if slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(k, c.name) }) {
		return none, fmt.Errorf("there is a codec %[1]s already; "+another, c.name)
	}
	return contender.Info{
		Name: c.name, Family: c.family, Text: "the package " + p.ImportPath,
		Use: p.use, Adopt: adopt, Plan: c.plan,
		Generate: func(context.Context, *contender.Target, contender.Tools) (*contender.Sources, error) {
			return c.sources()
		},
	}, nil
}

// codec describes the user's package.
type codec struct {
	pkg          *pkg
	name, family string
	funcs        map[string]bool // by name; true if the function is generic
}

// plan refuses a package that imports the subject's package. The worker is a test of the subject's
// package, which would then import itself.
func (c *codec) plan(t *contender.Target) *run.Why {
	if t.IR.Path != c.pkg.ImportPath && !slices.Contains(c.pkg.Deps, t.IR.Path) {
		return nil
	}
	return &run.Why{
		What:   "skipped: package " + c.pkg.ImportPath + " imports " + t.IR.Path + ", the package of the type",
		Where:  c.pkg.Dir,
		Reason: "its worker is built inside the package of the type, which would import itself",
		Next:   "take values as any, and call what methods they have by an interface: v.(interface{ AppendWire([]byte) []byte })",
	}
}

func (c *codec) sources() (*contender.Sources, error) {
	s, err := contender.Bind("own", "")
	if err != nil {
		return nil, err
	}
	s.Imports = append(s.Imports, "zzown "+strconv.Quote(c.pkg.ImportPath))
	var b strings.Builder
	b.WriteString("zzadapter.New(zzadapter.Codec[ZZSubject]{")
	for _, f := range forms {
		generic, ok := c.funcs[f.name]
		switch {
		case !ok:
		case generic:
			fmt.Fprintf(&b, "%s: zzown.%[1]s[ZZSubject], ", f.name)
		default:
			fmt.Fprintf(&b, "%s: %s, ", f.name, f.call)
		}
	}
	s.Main = b.String() + "})"
	if c.family != "json" { // the user's library is unknown, so the tags of several libraries count
		s.Main += contender.ByTags("msgpack", "msg", "cbor", "bson", "zmy", "json")
	}
	return s, nil
}

// form is one of the functions, with its two possible signatures.
type form struct {
	name            string
	params, results []string // types in the signature that takes any
	call            string   // Go source of a wrapper for *ZZSubject, for a function that takes any
	want            string   // the signatures, for the user
}

var forms = []form{
	{"Marshal", []string{"any"}, []string{"[]byte", "error"},
		"func(v *ZZSubject) ([]byte, error) { return zzown.Marshal(v) }",
		"func Marshal(v any) ([]byte, error), or func Marshal[T any](v *T) ([]byte, error)"},
	{"Unmarshal", []string{"[]byte", "any"}, []string{"error"},
		"func(b []byte, v *ZZSubject) error { return zzown.Unmarshal(b, v) }",
		"func Unmarshal(b []byte, v any) error, or func Unmarshal[T any](b []byte, v *T) error"},
	{"Append", []string{"[]byte", "any"}, []string{"[]byte", "error"},
		"func(dst []byte, v *ZZSubject) ([]byte, error) { return zzown.Append(dst, v) }",
		"func Append(dst []byte, v any) ([]byte, error), or func Append[T any](dst []byte, v *T) ([]byte, error)"},
}

// read finds the functions and constants of a package.
func read(p *pkg) (*codec, error) {
	c := &codec{pkg: p, name: filepath.Base(p.Dir), family: "binary", funcs: map[string]bool{}}
	for _, name := range p.GoFiles {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if err := c.function(gosrc.Describe(d)); err != nil {
					at := fset.Position(d.Pos())
					return nil, fmt.Errorf("%s:%d:%d: %w", name, at.Line, at.Column, err)
				}
			case *ast.GenDecl:
				if d.Tok == token.CONST {
					c.constants(d)
				}
			}
		}
	}
	var missing []string
	for _, f := range forms[:2] {
		if _, ok := c.funcs[f.name]; !ok {
			missing = append(missing, f.want)
		}
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("package %s lacks %s", p.ImportPath, strings.Join(missing, "; and "))
	}
	if c.family != "json" && c.family != "binary" {
		return nil, fmt.Errorf("const Family is %q: write \"json\" for what promises the documents of encoding/json, or \"binary\"", c.family)
	}
	if !isName(c.name) {
		return nil, errors.New("const Name is no word: write one of letters and digits; . _ + - may stand between them")
	}
	return c, nil
}

// isName reports whether s can be the name of a folder, needs no escaping in reports, and does not
// look like an option.
func isName(s string) bool {
	for i, c := range s {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) && (i == 0 || !strings.ContainsRune("._+-", c)) {
			return false
		}
	}
	return s != ""
}

// function records a function of the package if it is one of the forms.
func (c *codec) function(fn gosrc.Func) error {
	i := slices.IndexFunc(forms, func(x form) bool { return x.name == fn.Name })
	if i < 0 || fn.Recv != "" {
		return nil
	}
	generic, ok := forms[i].matches(fn)
	if !ok {
		return fmt.Errorf("func %s cannot be called with a type that it does not know; write %s", fn.Name, forms[i].want)
	}
	c.funcs[fn.Name] = generic
	return nil
}

// constants reads the constants Name and Family. Only string literals count, since the package is
// not type-checked.
func (c *codec) constants(d *ast.GenDecl) {
	into := map[string]*string{"Name": &c.name, "Family": &c.family}
	for _, s := range d.Specs {
		v := s.(*ast.ValueSpec) // const declarations have no other specs
		for i, x := range v.Values[:min(len(v.Values), len(v.Names))] {
			to, lit := into[v.Names[i].Name], literal(x)
			if to != nil && lit != nil {
				*to = *lit
			}
		}
	}
}

// literal returns the value of a string literal, or nil.
func literal(x ast.Expr) *string {
	lit, ok := x.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return nil
	}
	text, err := strconv.Unquote(lit.Value)
	if err != nil {
		return nil
	}
	return &text
}

// matches reports whether a function has one of the two signatures. A constraint other than any
// would refuse some subjects.
func (f *form) matches(fn gosrc.Func) (generic, ok bool) {
	params := f.params
	if generic = len(fn.TypeParams) > 0; generic {
		name, constraint, _ := strings.Cut(fn.TypeParams[0], " ")
		if len(fn.TypeParams) > 1 || constraint != "any" {
			return true, false
		}
		params = append(slices.Clone(params[:len(params)-1]), "*"+name)
	}
	return generic, slices.Equal(fn.Params, params) && slices.Equal(fn.Results, f.results)
}
