package site

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// Config says what Find looks at.
type Config struct {
	Dir      string   // folder of a module or workspace; "" is the current one
	Patterns []string // as for the go command; none means ./...
	Tests    bool     // also calls in _test.go files
	Tags     string   // build tags, separated by commas
	Env      []string // environment of the go command; nil means that of the process
	Kinds    []Kind   // kinds beside those of this package
	Memory   int64    // most bytes of heap; 0 is GOMEMLIMIT or, if that is not set, three quarters of what is free
	Progress func(string)
}

// Result is what Find found.
type Result struct {
	Module    string // path of the module of Config.Dir, or of the first one of a workspace
	Dir       string // its folder, which Call.Pos is relative to
	Go        string // version in its go.mod
	Sites     []*Site
	Packages  []Package
	Functions map[string]Function // by name in profiles
	Errors    []*Error            // what was left out, and why
	Lines     int                 // lines of source of Packages
	Took      []Step
}

// Package is a package of the code base.
type Package struct {
	Path, Dir string // Dir is relative to Result.Dir, with slashes
	Lines     int
	Analysed  bool // false if it does not build
}

// Function is a function of the code base. Instances of a generic function count as one.
type Function struct {
	Package        string
	Pos            token.Position // of its declaration or literal, as in Call
	End            int            // its last line
	Generated, Own bool           // Own: false for wrappers that the compiler makes
	Test           bool
}

// Step is the time of one step of Find.
type Step struct {
	Name string
	Time time.Duration
}

// Find finds the sites of the packages of cfg and of those packages of the same modules that they
// import. Callers outside of these packages are not seen.
//
// A package that does not build is an Error in the result, not of Find, and the other packages are
// analysed. Find fails if no package can be loaded or the memory does not suffice, and returns ctx's
// error soon after ctx ends; a step that cannot be interrupted then ends by itself.
func Find(ctx context.Context, cfg Config) (*Result, error) {
	dir, err := filepath.Abs(cfg.Dir)
	if err != nil {
		return nil, fmt.Errorf("find the folder %s: %w: name a folder that exists", cfg.Dir, err)
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, fmt.Errorf("find the folder %s: %w: name a folder that exists", cfg.Dir, err)
	}
	cfg.Dir = dir
	ctx, limit, stop := bounded(ctx, cfg.Memory)
	defer stop()
	f := &finder{cfg: &cfg, ctx: ctx, res: &Result{Functions: map[string]Function{}}, match: newMatcher(cfg.Kinds)}
	steps := []struct {
		name string
		do   func() error
	}{
		{"load packages", f.load},
		{"build SSA", f.build},
		{"call graph", f.graph},
		{"trace types", f.trace},
	}
	for _, s := range steps {
		f.say(s.name)
		start := time.Now()
		err := s.do()
		if errors.Is(context.Cause(ctx), errMemory) {
			return nil, tooLarge(s.name, limit)
		}
		if err != nil {
			return nil, err
		}
		f.res.Took = append(f.res.Took, Step{s.name, time.Since(start)})
	}
	f.say(fmt.Sprintf("%d sites in %d packages", len(f.res.Sites), len(f.res.Packages)))
	return f.res, nil
}

type finder struct {
	cfg   *Config
	ctx   context.Context
	res   *Result
	match *matcher
	prog  *program
	files map[string]*file // by absolute name
	ssa   *ssa.Program
	built []*ssa.Package
	g     *graph
	names *namer
	all   map[*ssa.Function]bool
}

type file struct {
	rel       string
	generated bool
	test      bool
	pkg       string
}

func (f *finder) say(text string) {
	if f.cfg.Progress != nil {
		f.cfg.Progress(text)
	}
}

func (f *finder) load() error {
	mods, err := mainModules(f.ctx, f.cfg)
	if err != nil {
		return err
	}
	main := mods[0]
	for _, m := range mods {
		if within(m.Dir, f.cfg.Dir) && len(m.Dir) >= len(main.Dir) || !within(main.Dir, f.cfg.Dir) && within(m.Dir, f.cfg.Dir) {
			main = m
		}
	}
	f.res.Module, f.res.Dir, f.res.Go = main.Path, main.Dir, main.GoVersion
	if real, err := filepath.EvalSymlinks(main.Dir); err == nil {
		f.res.Dir = real
	}
	f.prog, err = load(f.ctx, f.cfg, mods)
	return err
}

func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// build makes SSA of the packages of the code base; of the others only what they declare.
func (f *finder) build() error {
	f.files = map[string]*file{}
	mode := ssa.InstantiateGenerics
	f.ssa = ssa.NewProgram(f.prog.fset, mode)
	made := map[*types.Package]bool{}
	seen := map[string]bool{}
	for _, pkg := range f.prog.all {
		if pkg.Types == nil || made[pkg.Types] {
			continue
		}
		if own(pkg) {
			errs, sound := f.prog.broken(pkg, f.relative)
			f.res.Errors = append(f.res.Errors, errs...)
			f.describe(pkg, sound, seen)
			if sound {
				made[pkg.Types] = true
				if p, err := f.create(pkg); err != nil {
					f.res.Errors = append(f.res.Errors, err)
				} else {
					f.built = append(f.built, p)
				}
				continue
			}
		} else if e := unlisted(pkg); e != nil {
			f.res.Errors = append(f.res.Errors, &Error{Package: pkg.PkgPath, Text: firstLine(e.Msg),
				Next: nextFor(e.Msg, "check that go build passes")})
		}
		made[pkg.Types] = true
		f.ssa.CreatePackage(pkg.Types, nil, nil, true)
	}
	if err := f.bodies(); err != nil {
		return err
	}
	for _, pkg := range f.prog.all { // go/ssa has what it needs of them
		pkg.Syntax, pkg.TypesInfo = nil, nil
	}
	slices.SortFunc(f.res.Packages, func(a, b Package) int { return cmp.Compare(a.Path, b.Path) })
	f.names = newNamer(f.prog.fset)
	return nil
}

// unlisted returns the error of the go command for a dependency that it does not find, nil if there is
// none. It may list the file that imports the dependency as a file of it.
func unlisted(pkg *packages.Package) *packages.Error {
	for i, e := range pkg.Errors {
		if e.Kind == packages.ListError {
			return &pkg.Errors[i]
		}
	}
	if len(pkg.Errors) > 0 && (pkg.Module == nil || strings.HasSuffix(pkg.ID, ".test")) && len(pkg.GoFiles) == 0 {
		return &pkg.Errors[0]
	}
	return nil
}

func (f *finder) create(pkg *packages.Package) (p *ssa.Package, err *Error) {
	defer func() {
		if r := recover(); r != nil {
			err = &Error{Package: pkg.PkgPath, Text: fmt.Sprintf("go/ssa cannot read it: %v", r), Next: "check that go vet passes"}
		}
	}()
	return f.ssa.CreatePackage(pkg.Types, pkg.Syntax, pkg.TypesInfo, true), nil
}

// bodies builds the functions of the code base, as many packages at once as there are processors.
func (f *finder) bodies() error {
	var wg sync.WaitGroup
	var mu sync.Mutex
	todo := make(chan *ssa.Package)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for p := range todo {
				if err := buildOne(p); err != nil {
					mu.Lock()
					f.res.Errors = append(f.res.Errors, err)
					mu.Unlock()
				}
			}
		})
	}
	for _, p := range f.built {
		if f.ctx.Err() != nil {
			break
		}
		todo <- p
	}
	close(todo)
	wg.Wait()
	return f.ctx.Err()
}

func buildOne(p *ssa.Package) (err *Error) {
	defer func() {
		if r := recover(); r != nil {
			err = &Error{Package: p.Pkg.Path(), Text: fmt.Sprintf("go/ssa cannot build it: %v", r),
				Next: "check that go vet passes"}
			if panics {
				debug.PrintStack()
			}
		}
	}()
	p.Build()
	return nil
}

// panics makes panics of go/ssa visible in the tests of this package.
var panics bool

// describe adds pkg and its files to the result.
func (f *finder) describe(pkg *packages.Package, sound bool, seen map[string]bool) {
	p := Package{Path: pkg.PkgPath, Analysed: sound}
	for _, syntax := range pkg.Syntax {
		tf := f.prog.fset.File(syntax.FileStart)
		if tf == nil {
			continue
		}
		name := tf.Name()
		if f.files[name] == nil {
			p.Lines += tf.LineCount()
			f.files[name] = &file{rel: f.rel(name), generated: ast.IsGenerated(syntax),
				test: strings.HasSuffix(name, "_test.go"), pkg: pkg.PkgPath}
		}
		p.Dir = f.rel(filepath.Dir(name))
	}
	f.res.Lines += p.Lines
	if !seen[pkg.PkgPath] {
		seen[pkg.PkgPath] = true
		f.res.Packages = append(f.res.Packages, p)
	}
}

// rel returns name relative to the module's folder, or as it is if it is elsewhere.
func (f *finder) rel(name string) string {
	if rel, err := filepath.Rel(f.res.Dir, name); err == nil && within(f.res.Dir, name) {
		return filepath.ToSlash(rel)
	} else if err == nil && slices.ContainsFunc(f.prog.modules, func(m module) bool { return within(m.Dir, name) }) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(name)
}

func (f *finder) relative(p token.Position) token.Position {
	if p.Filename != "" {
		p.Filename = f.rel(p.Filename)
	}
	return p
}

// graph builds the call graph over the functions of the code base.
func (f *finder) graph() error {
	if err := abandon(f.ctx, func() { f.all = ssautil.AllFunctions(f.ssa) }); err != nil {
		return err
	}
	var named []*types.Named
	for _, p := range f.built {
		scope := p.Pkg.Scope()
		for _, name := range scope.Names() {
			if tn, ok := scope.Lookup(name).(*types.TypeName); ok && !tn.IsAlias() {
				if n, ok := tn.Type().(*types.Named); ok {
					named = append(named, n)
				}
			}
		}
	}
	// Methods of unexported types that the code base never converts to an interface are not among them.
	for _, n := range named {
		for m := range n.Methods() {
			f.visit(f.ssa.FuncValue(m))
		}
	}
	f.g = newGraph()
	return f.g.build(f.ctx, f.ssa, f.all, named)
}

// visit adds fn, and the functions that it mentions.
func (f *finder) visit(fn *ssa.Function) {
	if fn == nil || f.all[fn] {
		return
	}
	f.all[fn] = true
	var space [10]*ssa.Value
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			for _, op := range instr.Operands(space[:0]) {
				if callee, ok := (*op).(*ssa.Function); ok {
					f.visit(callee)
				}
			}
		}
	}
}

// trace finds the sites and their types.
func (f *finder) trace() error {
	for _, fn := range f.g.funcs {
		f.function(fn)
	}
	c := &collector{f: f, sites: map[siteKey]*Site{}}
	for i, fn := range f.g.funcs {
		if i%256 == 0 && f.ctx.Err() != nil {
			return f.ctx.Err()
		}
		c.scan(fn)
	}
	if err := c.resolve(); err != nil {
		return err
	}
	f.res.Sites = c.sorted()
	packages := map[string]bool{}
	for _, p := range f.res.Packages {
		packages[p.Path] = true
	}
	slices.SortFunc(f.res.Errors, func(a, b *Error) int { // the errors of dependencies first: others follow from them
		switch x, y := packages[a.Package], packages[b.Package]; {
		case x && !y:
			return 1
		case y && !x:
			return -1
		}
		return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.Pos.Filename, b.Pos.Filename), cmp.Compare(a.Pos.Line, b.Pos.Line))
	})
	f.res.Errors = fewer(f.res.Errors)
	return nil
}

// maxErrors is how many errors of one package are listed.
const maxErrors = 3

// fewer drops errors that repeat the text of another one, and those of a package beyond maxErrors: a
// module that cannot be loaded has an error for each of its packages.
func fewer(all []*Error) (some []*Error) {
	texts, counts := map[string]*Error{}, map[string]int{}
	for _, e := range all {
		if texts[e.Text] != nil || counts[e.Package] == maxErrors {
			continue
		}
		texts[e.Text] = e
		counts[e.Package]++
		some = append(some, e)
	}
	return some
}

// function adds fn to the functions of the result.
func (f *finder) function(fn *ssa.Function) {
	syntax := fn.Syntax()
	if syntax == nil || !fn.Pos().IsValid() {
		return
	}
	pos := f.prog.fset.Position(syntax.Pos())
	fi := f.files[f.prog.fset.File(syntax.Pos()).Name()]
	if fi == nil {
		return
	}
	pos.Filename = fi.rel
	f.res.Functions[f.names.name(fn)] = Function{Package: fi.pkg, Pos: pos, End: f.prog.fset.Position(syntax.End()).Line,
		Generated: fi.generated, Test: fi.test, Own: true}
}
