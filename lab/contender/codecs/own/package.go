package own

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/zmylab/zmy/gen/gocmd"
)

// pkg is a package as `go list` describes it.
type pkg struct {
	Dir, ImportPath, Name string
	GoFiles, Deps         []string
	Module                *struct{ Path, Dir string }
	Error                 *struct{ Err string }
	DepsErrors            []*struct{ Err string }

	use []string // folders of the modules that the package is built with
}

var errNoModule = errors.New("it belongs to no module: run `go mod init example.com/mycodec` there, and `go mod tidy`")

// list asks the go command about the package in a folder.
func list(ctx context.Context, dir string) (*pkg, error) {
	if info, err := os.Stat(dir); err != nil {
		return nil, errors.New("there is no such folder")
	} else if !info.IsDir() {
		return nil, errors.New("that is a file; name its folder")
	}
	out, err := gocmd.Output(ctx, dir, nil, "list", "-e", "-json=Dir,ImportPath,Name,GoFiles,Deps,Module,Error,DepsErrors", ".")
	if err != nil && strings.Contains(err.Error(), "go.mod file not found") {
		return nil, errNoModule
	}
	if err != nil {
		return nil, err
	}
	p := new(pkg)
	if err := json.Unmarshal(out, p); err != nil {
		return nil, fmt.Errorf("what go list prints: %w", err)
	}
	switch {
	case p.Error != nil:
		return nil, errors.New(p.Error.Err)
	case p.Module == nil:
		return nil, errNoModule
	case len(p.DepsErrors) > 0:
		return nil, fmt.Errorf("%s; run `go mod tidy` there", p.DepsErrors[0].Err)
	case p.Name == "main":
		return nil, errors.New("package main cannot be imported; give it another name")
	}
	return p, p.findModules(ctx)
}

// findModules sets use: to the package's module, or to all modules of its workspace.
func (p *pkg) findModules(ctx context.Context) error {
	p.use = []string{p.Module.Dir}
	out, err := gocmd.Output(ctx, p.Dir, nil, "env", "GOWORK")
	if err != nil {
		return err
	}
	work := strings.TrimSpace(string(out))
	if work == "" || work == "off" {
		return nil
	}
	data, err := os.ReadFile(work)
	if err != nil {
		return err
	}
	f, err := modfile.ParseWork(work, data, nil)
	if err != nil {
		return err
	}
	for _, u := range f.Use {
		dir := filepath.FromSlash(u.Path)
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(filepath.Dir(work), dir)
		}
		if !slices.Contains(p.use, dir) {
			p.use = append(p.use, dir)
		}
	}
	return nil
}

// file has the relevant parts of a source file.
type file struct {
	funcs  []function
	consts map[string]string // exported constants that are strings
}

// function is a function without a receiver. Its types are spelled as in the file.
type function struct {
	Name            string
	Params, Results []string
	typeParam       string // "T" if it is generic, with one type parameter of constraint any
	at              string // file:line:column
}

func parse(name string) (*file, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	out := &file{consts: map[string]string{}}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				at := fset.Position(d.Pos())
				at.Filename = filepath.Base(at.Filename)
				out.funcs = append(out.funcs, function{Name: d.Name.Name, Params: spell(d.Type.Params), Results: spell(d.Type.Results),
					typeParam: typeParam(d.Type.TypeParams), at: at.String()})
			}
		case *ast.GenDecl:
			if d.Tok == token.CONST {
				constants(d, out.consts)
			}
		}
	}
	return out, nil
}

// typeParam returns the name of the only type parameter, if its constraint is any. It returns ""
// for no list and "?" for other lists.
func typeParam(list *ast.FieldList) string {
	switch {
	case list == nil:
		return ""
	case len(list.List) == 1 && len(list.List[0].Names) == 1 && typeName(list.List[0].Type) == "any":
		return list.List[0].Names[0].Name
	}
	return "?"
}

func spell(list *ast.FieldList) []string {
	if list == nil {
		return nil
	}
	var out []string
	for _, f := range list.List {
		out = append(out, slices.Repeat([]string{typeName(f.Type)}, max(1, len(f.Names)))...)
	}
	return out
}

func typeName(x ast.Expr) string {
	s := types.ExprString(x)
	if s == "interface{}" {
		return "any"
	}
	return s
}

func constants(d *ast.GenDecl, into map[string]string) {
	for _, s := range d.Specs {
		v, ok := s.(*ast.ValueSpec)
		if !ok {
			continue
		}
		for i, id := range v.Names {
			if i >= len(v.Values) {
				break
			}
			if lit, ok := v.Values[i].(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if text, err := strconv.Unquote(lit.Value); err == nil {
					into[id.Name] = text
				}
			}
		}
	}
}
