package adopt

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// program is the loaded part of the module.
type program struct {
	t      *tree
	to     *target
	module string
	all    map[string]*packages.Package // every package of the module, without syntax
	chosen []*packages.Package          // with syntax: those that match the patterns and import a codec
	broken []Site                       // first errors of chosen packages that do not type-check
	hidden []Site                       // files that this build leaves out
	count  int                          // packages that match the patterns
	notes  []Note
	easy   *easyjson
	golden map[string][]string     // types with documents in testdata, by package
	wrote  map[string]bool         // files of generated code and directives that this attempt has written
	hooks  string                  // where the module changes what json-iterator does; "" if nowhere
	found  map[string][]types.Type // types behind interfaces, by "file:line" of the call; nil: not looked for yet
}

// loadConfig returns the configuration for a copy.
func loadConfig(ctx context.Context, t *tree, o *Options, mode packages.LoadMode, patterns string) *packages.Config {
	cfg := &packages.Config{Context: ctx, Mode: mode, Dir: filepath.Join(t.dir, patterns), Env: o.env(t)}
	if o.Tags != "" {
		cfg.BuildFlags = []string{"-tags=" + o.Tags}
	}
	return cfg
}

// load loads the packages that match the patterns of the options.
func load(ctx context.Context, t *tree, p *place, o *Options) (*program, error) {
	const names = packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedModule
	prog := &program{t: t, to: o.target(), module: p.file.Module.Mod.Path, all: map[string]*packages.Package{},
		wrote: map[string]bool{}, golden: map[string][]string{}}
	all, err := packages.Load(loadConfig(ctx, t, o, names, "."), "./...")
	if err != nil {
		return nil, loadError(ctx, err)
	}
	for _, pkg := range all {
		prog.all[pkg.PkgPath] = pkg
		prog.hook(pkg)
	}
	matched, err := packages.Load(loadConfig(ctx, t, o, names, p.from), o.Patterns...)
	if err != nil {
		return nil, loadError(ctx, err)
	}
	var wanted []string
	for _, pkg := range matched {
		if prog.all[pkg.PkgPath] == nil {
			if len(pkg.Errors) > 0 {
				return nil, fmt.Errorf("%s: %s", pkg.PkgPath, t.shorten(pkg.Errors[0].Error()))
			}
			return nil, fmt.Errorf("package %s does not belong to module %s; run the command in its own module", pkg.PkgPath, prog.module)
		}
		prog.count++
		prog.hide(pkg, o)
		for path := range pkg.Imports {
			if prog.to.codec(path) != nil && !slices.Contains(wanted, pkg.PkgPath) {
				wanted = append(wanted, pkg.PkgPath)
			}
		}
	}
	if len(wanted) == 0 {
		return prog, nil
	}
	slices.Sort(wanted)
	const whole = names | packages.NeedCompiledGoFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo |
		packages.NeedTypesSizes
	loaded, err := packages.Load(loadConfig(ctx, t, o, whole, "."), wanted...)
	if err != nil {
		return nil, loadError(ctx, err)
	}
	for _, pkg := range loaded {
		if len(pkg.Errors) == 0 {
			prog.chosen = append(prog.chosen, pkg)
			continue
		}
		e := pkg.Errors[0]
		for _, other := range pkg.Errors { // one that says where
			if e.Pos == "" || e.Pos == "-" {
				e = other
			}
		}
		prog.broken = append(prog.broken, Site{Pos: t.errorPos(e.Pos), Call: "package " + pkg.PkgPath,
			Why: "the package does not build: " + firstLine(t.shorten(e.Msg))})
	}
	return prog, nil
}

// loadError returns ctx's error if ctx has ended, since the go command was then killed.
func loadError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fmt.Errorf("load the packages: %w", err)
}

// hook looks for what changes json-iterator for the whole program: its package extra, and functions
// and methods such as RegisterTypeEncoder.
func (p *program) hook(pkg *packages.Package) {
	const iterator = "github.com/json-iterator/go"
	extra := pkg.Imports[iterator+"/extra"] != nil
	if p.hooks != "" || !extra && pkg.Imports[iterator] == nil {
		return
	}
	fset := token.NewFileSet()
	for _, name := range pkg.GoFiles {
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			continue // the package is among the broken ones
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && p.hooks == "" && registers.MatchString(sel.Sel.Name) {
				p.hooks = fmt.Sprintf("%s:%d", p.t.rel(name), fset.Position(sel.Pos()).Line)
			}
			return true
		})
	}
	if extra && p.hooks == "" {
		p.hooks = "package " + pkg.PkgPath
	}
}

// registers are the functions by which programs change json-iterator, and those of its package extra.
var registers = regexp.MustCompile(`^(Register(Extension|(Type|Field)(En|De)coder(Func)?|FuzzyDecoders|` +
	`TimeAsInt64Codec|BinaryAsStringCodec)|SetNamingStrategy|SupportPrivateFields)$`)

// hooked returns the reason why no use of a codec changes: the program has changed what it does.
func (p *program) hooked(c *codec) string {
	if c.name != "jsoniter" || p.hooks == "" {
		return ""
	}
	return p.hooks + " changes what json-iterator does in the whole program, and fxjson knows nothing of that"
}

// hide notes files that import a codec and that this build leaves out.
func (p *program) hide(pkg *packages.Package, o *Options) {
	for _, name := range pkg.IgnoredFiles {
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			continue // not part of this build, so it may be anything
		}
		for _, spec := range f.Imports {
			if c := p.to.codec(importOf(spec)); c != nil {
				p.hidden = append(p.hidden, Site{Pos: token.Position{Filename: p.t.rel(name), Line: 1, Column: 1}, Call: "import " + spec.Path.Value,
					Why: "the file is left out of this build by its name or its build constraint; run the command with -tags, GOOS or GOARCH for it"})
			}
		}
	}
}

func importOf(spec *ast.ImportSpec) string { return strings.Trim(spec.Path.Value, "`\"") }

// rel returns the path of a file of the copy, relative to the module's folder.
func (t *tree) rel(name string) string {
	if rel, err := filepath.Rel(t.dir, name); err == nil {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(name)
}

// shorten takes the copy's folder out of a message of the go command.
func (t *tree) shorten(text string) string {
	text = strings.ReplaceAll(text, t.dir+string(os.PathSeparator), "")
	return strings.ReplaceAll(text, t.dir, ".")
}

// errorPos parses a position as packages.Error has it: "file:line:column".
func (t *tree) errorPos(s string) token.Position {
	var pos token.Position
	parts := strings.Split(t.shorten(s), ":")
	pos.Filename = filepath.ToSlash(parts[0])
	if len(parts) > 1 {
		_, _ = fmt.Sscan(parts[1], &pos.Line) // without a number the line stays 0
	}
	if len(parts) > 2 {
		_, _ = fmt.Sscan(parts[2], &pos.Column)
	}
	if pos.Filename == "-" {
		pos = token.Position{}
	}
	return pos
}

// firstLine returns the first line of an output of the go command that is no headline.
func firstLine(s string) string {
	for line := range strings.Lines(strings.TrimSpace(s)) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "# ") {
			return line
		}
	}
	return strings.TrimSpace(s)
}

// dirOf returns the folder of a package of the module, relative to the module's folder.
func (p *program) dirOf(pkg string) string {
	rel := strings.TrimPrefix(strings.TrimPrefix(pkg, p.module), "/")
	return path.Clean(rel)
}

// where returns a position with a file relative to the module.
func (p *program) where(fset *token.FileSet, at token.Pos) token.Position {
	pos := fset.PositionFor(at, false)
	pos.Filename, pos.Offset = p.t.rel(pos.Filename), 0
	return pos
}

// errNothing is returned by steps that have nothing to do.
var errNothing = errors.New("nothing to change")
