package load

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"regexp"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"

	"github.com/zmylab/zmy/gen/ir"
)

// world is the set of packages read so far. A package is read when a declaration first needs it.
type world struct {
	mu      sync.Mutex
	fset    *token.FileSet
	overlay map[string][]byte
	dir     string // of the root package; positions are relative to it
	units   map[*packages.Package]*unit
	docs    map[string]fileDocs // by file
}

// unit is one package. Its declarations are type-checked, but not the bodies of its functions.
type unit struct {
	meta      *packages.Package
	types     *types.Package
	files     []*ast.File
	scopes    []*types.Scope
	errs      []types.Error
	syntax    ir.Problems // files that do not parse
	generated []Generated
	hidden    []*ast.File     // generated files of this project, for the names that they declare
	round     []*ast.FuncDecl // methods that call generated ones; see Circles
	dropped   map[string]bool // package-level functions and variables left unchecked
}

// sizes are those of a 64-bit machine, whatever machine the build is for.
var sizes = types.SizesFor("gc", "amd64")

// unit reads and checks a package. For the root package it keeps declarations that the user may
// name.
func (w *world) unit(meta *packages.Package, root bool) *unit {
	if u := w.units[meta]; u != nil {
		return u
	}
	u := &unit{meta: meta, dropped: map[string]bool{}}
	w.units[meta] = u
	for _, name := range meta.GoFiles {
		w.parse(u, name)
	}
	u.prune(root)
	conf := types.Config{
		Importer:         &importer{w, u},
		Error:            func(err error) { u.typeError(err) },
		IgnoreFuncBodies: true,
		FakeImportC:      true,
		Sizes:            sizes,
	}
	if m := meta.Module; m != nil && m.GoVersion != "" {
		conf.GoVersion = "go" + m.GoVersion
	}
	u.types = types.NewPackage(meta.PkgPath, meta.Name)
	info := &types.Info{Scopes: map[ast.Node]*types.Scope{}}
	err := types.NewChecker(&conf, w.fset, u.types, info).Files(u.files)
	if err != nil && len(u.errs) == 0 {
		u.syntax = append(u.syntax, ir.Problem{Msg: err.Error(), Hint: compileFirst})
	}
	for _, f := range u.files {
		u.scopes = append(u.scopes, info.Scopes[f])
	}
	return u
}

func (u *unit) typeError(err error) {
	var te types.Error
	if errors.As(err, &te) && !te.Soft {
		u.errs = append(u.errs, te)
	}
}

// parse adds a file to the unit. A generated file of this project goes to u.hidden instead.
func (w *world) parse(u *unit, name string) {
	src, err := readFile(name, w.overlay)
	if err != nil {
		u.syntax = append(u.syntax, ir.Problem{Pos: ir.Pos{File: shortFile(name, w.dir)}, Msg: "the file cannot be read",
			Hint: "check its permissions"})
		return
	}
	by := generatedBy(src)
	if by != "" {
		u.generated = append(u.generated, Generated{File: name, By: by, Hidden: hidden(by)})
	}
	f, err := parser.ParseFile(w.fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if hidden(by) {
		if f != nil {
			u.hidden = append(u.hidden, f)
		}
		return
	}
	var list scanner.ErrorList
	if errors.As(err, &list) {
		list.RemoveMultiples()
		for _, e := range list {
			u.syntax = append(u.syntax, ir.Problem{Pos: w.place(e.Pos), Msg: e.Msg, Hint: compileFirst})
		}
	}
	if f != nil {
		u.files = append(u.files, f)
	}
}

// importer imports the packages that the declarations of a unit name.
type importer struct {
	w *world
	u *unit
}

func (im *importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	meta := im.u.meta.Imports[path]
	if meta == nil {
		return nil, fmt.Errorf("no such package")
	}
	if len(meta.GoFiles) == 0 {
		for _, e := range meta.Errors {
			return nil, errors.New(firstLine(e.Msg))
		}
		return nil, fmt.Errorf("it has no Go files")
	}
	return im.w.unit(meta, false).types, nil
}

// place converts a token's position for problems and the IR.
func (w *world) place(p token.Position) ir.Pos {
	if !p.IsValid() {
		return ir.Pos{}
	}
	return ir.Pos{File: shortFile(p.Filename, w.dir), Line: p.Line, Col: p.Column}
}

func (w *world) pos(p token.Pos) ir.Pos { return w.place(w.fset.Position(p)) }

var undefined = regexp.MustCompile(`^undefined: (\w+)$`)

// sortErrors separates the errors that stop the load (hard) from the others (soft). Soft are errors
// in signatures and variables, and undefined names that generated code may declare: names in hidden
// files, and names that look like views. A type with a soft error is refused later, if it is
// reached.
func (u *unit) sortErrors() (hard, soft ir.Problems) {
	hard = append(hard, u.syntax...)
	ours := map[string]bool{}
	for _, f := range u.hidden {
		for name := range declared(f) {
			ours[name] = true
		}
	}
	for _, e := range u.errs {
		p := ir.Problem{Pos: parsePos(e.Fset.Position(e.Pos).String(), dirOf(u.meta)), Msg: strings.ReplaceAll(e.Msg, "\n", " ")}
		// The user's declarations may name views and unknown arms that the first run is to generate.
		m := undefined.FindStringSubmatch(e.Msg)
		cured := m != nil && (ours[m[1]] || strings.HasSuffix(m[1], "View") || strings.HasSuffix(m[1], "Unknown"))
		switch u.declAt(e.Pos) {
		case token.TYPE, token.CONST, token.IMPORT, token.ILLEGAL:
			if !cured {
				p.Hint = hintFor(p.Msg)
				hard = append(hard, p)
				continue
			}
		}
		soft = append(soft, p)
	}
	return hard, soft
}

// declAt returns the kind of declaration that a position lies in.
func (u *unit) declAt(pos token.Pos) token.Token {
	for _, f := range u.files {
		for _, d := range f.Decls {
			if pos < d.Pos() || pos > d.End() {
				continue
			}
			if g, ok := d.(*ast.GenDecl); ok {
				return g.Tok
			}
			return token.FUNC
		}
	}
	return token.ILLEGAL
}
