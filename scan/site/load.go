package site

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"
)

// Error is a package or module that could not be analysed as a whole.
type Error struct {
	Package string         // import path, if one is concerned
	Pos     token.Position // Filename as in Call; the zero Position if there is none
	Text    string         // what is wrong
	Next    string         // what to do: "run go mod tidy"
}

func (e *Error) Error() string {
	var b strings.Builder
	if e.Pos.IsValid() {
		fmt.Fprintf(&b, "%s: ", e.Pos)
	} else if e.Package != "" {
		fmt.Fprintf(&b, "%s: ", e.Package)
	}
	b.WriteString(e.Text)
	if e.Next != "" {
		b.WriteString(": " + e.Next)
	}
	return b.String()
}

// module is a main module: that of Config.Dir, or one of its workspace.
type module struct {
	Path, Dir, GoMod, GoVersion string
	Main                        bool
}

// mainModules lists the modules whose code is the code base.
func mainModules(ctx context.Context, cfg *Config) ([]module, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-m", "-json")
	cmd.Dir = cfg.Dir
	cmd.Env = cfg.environ()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		text := strings.TrimSpace(stderr.String())
		if errors.Is(err, exec.ErrNotFound) {
			return nil, fmt.Errorf("find the module of %s: no command go on the PATH: install Go, then try again", cfg.Dir)
		}
		if text == "" {
			text = err.Error()
		}
		return nil, fmt.Errorf("find the module of %s: %s: %s", cfg.Dir, text, nextFor(text, "run go list -m there"))
	}
	var all []module
	for dec := json.NewDecoder(&stdout); ; {
		var m module
		if err := dec.Decode(&m); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("find the module of %s: read the output of go list -m -json: %w", cfg.Dir, err)
		}
		if m.Main && m.Dir != "" {
			all = append(all, m)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("find the module of %s: there is no go.mod in it or above: "+
			"change to the folder of a module, or make one by go mod init", cfg.Dir)
	}
	return all, nil
}

// program is what was loaded.
type program struct {
	fset    *token.FileSet
	roots   []*packages.Package
	all     []*packages.Package // the dependencies too, each after those that it imports
	modules []module
}

// load loads the packages of cfg. Of the dependencies it keeps the declarations only: their
// functions have no bodies.
func load(ctx context.Context, cfg *Config, mods []module) (*program, error) {
	fset := token.NewFileSet()
	files := &ownFiles{mods: mods}
	pc := &packages.Config{
		Context: ctx, Dir: cfg.Dir, Env: cfg.environ(), Fset: fset, Tests: cfg.Tests,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedDeps | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedTypesSizes |
			packages.NeedModule | packages.NeedForTest,
		ParseFile: func(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
			if err := ctx.Err(); err != nil { // go/packages logs errors of types that it does not know
				return nil, &os.PathError{Op: "read", Path: name, Err: err}
			}
			if files.has(name) {
				return parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
			}
			f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
			if f != nil {
				dropBodies(f)
			}
			return f, err
		},
	}
	if cfg.Tags != "" {
		pc.BuildFlags = []string{"-tags=" + cfg.Tags}
	}
	patterns := cfg.Patterns
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	roots, err := packages.Load(pc, patterns...)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("load %s in %s: %w: %s", strings.Join(patterns, " "), cfg.Dir, err, nextFor(err.Error(), "run go list there"))
	}
	if len(roots) == 0 {
		return nil, fmt.Errorf("load %s in %s: the patterns match no packages: try ./... in the folder of the module",
			strings.Join(patterns, " "), cfg.Dir)
	}
	p := &program{fset: fset, roots: roots, modules: mods}
	packages.Visit(roots, nil, func(pkg *packages.Package) {
		if !own(pkg) { // half of the memory
			pkg.Syntax, pkg.TypesInfo = nil, nil
		}
		p.all = append(p.all, pkg)
	})
	return p, nil
}

// dropBodies removes the bodies of functions. Imports that only they use would be errors of the type
// checker, which nobody looks at: a dependency is there for its types.
func dropBodies(f *ast.File) {
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			fn.Body = nil
		}
	}
}

// ownFiles tells files of the main modules from those of dependencies.
type ownFiles struct {
	mods []module
	mu   sync.Mutex
	dirs map[string]bool
}

func (o *ownFiles) has(name string) bool {
	dir := filepath.Dir(name)
	o.mu.Lock()
	defer o.mu.Unlock()
	if known, ok := o.dirs[dir]; ok {
		return known
	}
	if o.dirs == nil {
		o.dirs = map[string]bool{}
	}
	o.dirs[dir] = slices.ContainsFunc(o.mods, func(m module) bool {
		rel, err := filepath.Rel(m.Dir, dir)
		return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) &&
			!slices.Contains(strings.Split(filepath.ToSlash(rel), "/"), "vendor")
	})
	return o.dirs[dir]
}

// own reports whether pkg belongs to the code base.
func own(pkg *packages.Package) bool {
	return pkg.Module != nil && pkg.Module.Main && !strings.HasSuffix(pkg.ID, ".test")
}

// nextFor says what to do about an error of the go command.
func nextFor(text, otherwise string) string {
	for _, n := range []struct{ part, next string }{
		{"missing go.sum entry", "run go mod tidy, or go mod download, then try again"},
		{"updates to go.mod needed", "run go mod tidy, then try again"},
		{"inconsistent vendoring", "run go mod vendor, then try again"},
		{"cannot find module providing package", "run go get for that package, then try again"},
		{"invalid package name", "run go get for that package, then try again"},
		{"no required module provides", "run go get for that package, then try again"},
		{"go.mod file not found", "change to the folder of a module, or make one by go mod init"},
		{"cannot find main module", "change to the folder of a module, or make one by go mod init"},
		{"not using modules", "unset GO111MODULE and GOFLAGS, or change to the folder of a module"},
		{"is not in std", "correct the import path"},
		{"requires go >=", "install that version of Go, or unset GOTOOLCHAIN"},
		{"C compiler", "install a C compiler, or set CGO_ENABLED=0"},
		{"could not import C", "install a C compiler, or set CGO_ENABLED=0"},
		{"build constraints exclude all Go files", "give the package's build tags by -tags"},
		{"no such file or directory", "check the folder and the patterns"},
		{"dial tcp", "the module cache lacks a module and the network is off: run go mod download where it is on"},
		{": reading http", "the module cannot be fetched: check its version in go.mod, and GOPROXY"},
		{"directory prefix", "add the module to go.work by go work use, or set GOWORK=off"},
	} {
		if strings.Contains(text, n.part) {
			return n.next
		}
	}
	return otherwise
}

// broken lists the errors of pkg, and reports whether its functions can be analysed all the same: the
// type checker has a type for each expression, although a package that it imports has errors.
func (p *program) broken(pkg *packages.Package, rel func(token.Position) token.Position) (errs []*Error, sound bool) {
	for _, e := range pkg.Errors {
		next := nextFor(e.Msg, "")
		if next == "" {
			next = "its calls are left out until go build passes"
		}
		errs = append(errs, &Error{Package: pkg.PkgPath, Pos: rel(position(e.Pos)), Text: firstLine(e.Msg), Next: next})
	}
	if len(errs) > 0 || pkg.Types == nil || pkg.TypesInfo == nil || len(pkg.Syntax) == 0 {
		return errs, false
	}
	if pkg.IllTyped && invalid(pkg.TypesInfo) {
		return append(errs, &Error{Package: pkg.PkgPath, Text: "a package that it imports does not build",
			Next: "its calls are left out until go build passes"}), false
	}
	return errs, true
}

// firstLine returns the first line of text: the go command adds advice below, which Next has, too.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.TrimSuffix(line, "; to add:")
}

// invalid reports whether an expression has no valid type.
func invalid(info *types.Info) bool {
	for _, tv := range info.Types {
		if !tv.IsBuiltin() && (tv.Type == nil || isInvalid(tv.Type)) {
			return true
		}
	}
	for _, o := range info.Defs {
		switch o.(type) {
		case *types.Var, *types.Const, *types.TypeName, *types.Func: // labels and imports have no types
			if isInvalid(o.Type()) {
				return true
			}
		}
	}
	return false
}

func isInvalid(t types.Type) bool {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	switch t := t.(type) {
	case *types.Basic:
		return t.Kind() == types.Invalid
	case *types.Signature:
		for _, tuple := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range tuple.Variables() {
				if v.Type() == types.Typ[types.Invalid] {
					return true
				}
			}
		}
	}
	return false
}

// position parses "file:line:col", as packages.Error has it.
func position(s string) token.Position {
	var p token.Position
	parts := strings.Split(s, ":")
	for len(parts) > 1 {
		var n int
		if _, err := fmt.Sscanf(parts[len(parts)-1], "%d", &n); err != nil {
			break
		}
		p.Line, p.Column = n, p.Line
		parts = parts[:len(parts)-1]
	}
	if p.Line > 0 {
		p.Filename = strings.Join(parts, ":")
	}
	return p
}

func (cfg *Config) environ() []string {
	env := cfg.Env
	if env == nil {
		env = os.Environ()
	}
	return append(slices.Clip(env), "PWD="+cfg.Dir)
}
