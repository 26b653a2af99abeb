// Package flow finds where the bytes that a call returns or writes go: into which functions of other
// modules, and whether they leave the code base on the way, as a response, a file or a log.
//
// It follows values through the static single assignment form of the module: through variables,
// fields, channels, maps, parameters and results, and through the methods that implement an interface
// of the module. It looks neither at the order of statements nor at the context of calls, so it may
// follow bytes to places that they do not reach. It does not follow reflection.
package flow

import (
	"context"
	"fmt"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// NOTE: find.go has the sources and callers, follow.go the steps of a value, ends.go the table of
// functions at which bytes end or leave.

// Config says what Find looks at.
type Config struct {
	Dir  string // folder of the module
	Tags string
	Env  []string
	// Results are functions whose first result is the bytes. Writers are methods of encoders, which a
	// function with what the bytes are written to has made. Names are as in (*types.Func).FullName.
	Results, Writers []string
}

// End is a place where bytes end.
type End struct {
	Pos    token.Position // Filename is relative to Dir, with slashes
	What   string         // "(*example.org/queue.Client).Publish"
	Leaves string         // how the bytes leave the code base; "" if they are not known to
}

// Find returns the ends of the bytes of each call of the functions in c, by "file:line" of the call.
func Find(ctx context.Context, c Config) (map[string][]End, error) {
	cfg := &packages.Config{Context: ctx, Dir: c.Dir, Env: c.Env, Mode: packages.LoadSyntax | packages.NeedModule}
	if c.Tags != "" {
		cfg.BuildFlags = []string{"-tags=" + c.Tags}
	}
	pkgs, err := packages.Load(cfg, "./...")
	if err != nil {
		return nil, err
	}
	pkgs = slices.DeleteFunc(pkgs, func(p *packages.Package) bool { return len(p.Errors) > 0 || p.IllTyped })
	prog, built, err := build(pkgs)
	if err != nil {
		return nil, err
	}
	f := &finder{dir: c.Dir, prog: prog, own: map[*types.Package]bool{}, callers: map[*ssa.Function][]ssa.CallInstruction{},
		fields: map[*types.Var][]ssa.Value{}, globals: map[*ssa.Global][]ssa.Value{}}
	for _, p := range built {
		if p != nil {
			f.own[p.Pkg] = true
		}
	}
	f.index()
	out := map[string][]End{}
	for _, call := range f.calls {
		name := calledName(call.Common())
		var t *trail
		switch {
		case slices.Contains(c.Results, name):
			t = f.trail()
			t.result(call, 0)
		case slices.Contains(c.Writers, name) && len(call.Common().Args) > 0:
			t = f.trail()
			t.encoded(call.Common().Args[0], call)
		default:
			continue
		}
		t.run()
		at := f.where(call.Pos())
		key := fmt.Sprintf("%s:%d", at.Filename, at.Line)
		for _, e := range t.ends {
			if !slices.Contains(out[key], e) {
				out[key] = append(out[key], e)
			}
		}
	}
	return out, ctx.Err()
}

// build builds the packages. Package ssa panics on what it does not know.
func build(pkgs []*packages.Package) (prog *ssa.Program, built []*ssa.Package, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("go/ssa cannot build the packages: %v", r)
		}
	}()
	prog, built = ssautil.Packages(pkgs, ssa.InstantiateGenerics)
	prog.Build()
	return prog, built, nil
}

// finder is the program.
type finder struct {
	dir     string
	prog    *ssa.Program
	own     map[*types.Package]bool
	calls   []ssa.CallInstruction
	callers map[*ssa.Function][]ssa.CallInstruction
	methods []*ssa.Function // of the module
	fields  map[*types.Var][]ssa.Value
	globals map[*ssa.Global][]ssa.Value // places that name the variable: their operands
	taken   map[*ssa.Function]bool      // functions that are used as values
}

// index goes through all functions of the module once.
func (f *finder) index() {
	f.taken = map[*ssa.Function]bool{}
	all := ssautil.AllFunctions(f.prog)
	for _, fn := range f.declared() {
		withLiterals(fn, all)
	}
	for fn := range all {
		if fn.Blocks != nil && fn.Signature.Recv() != nil && fn.Synthetic == "" {
			f.methods = append(f.methods, fn)
		}
	}
	slices.SortFunc(f.methods, func(a, b *ssa.Function) int { return strings.Compare(a.String(), b.String()) })
	for fn := range all {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				f.see(instr)
			}
		}
	}
	slices.SortFunc(f.calls, func(a, b ssa.CallInstruction) int { return int(a.Pos() - b.Pos()) })
}

// declared returns the methods of the module's types, which ssautil.AllFunctions leaves out if
// nothing calls them.
func (f *finder) declared() (out []*ssa.Function) {
	for pkg := range f.own {
		for _, name := range pkg.Scope().Names() {
			obj, ok := pkg.Scope().Lookup(name).(*types.TypeName)
			if !ok || obj.IsAlias() {
				continue
			}
			n, ok := obj.Type().(*types.Named)
			if !ok || n.TypeParams().Len() > 0 {
				continue
			}
			for m := range n.Methods() {
				if fn := f.prog.FuncValue(m); fn != nil {
					out = append(out, fn)
				}
			}
		}
	}
	return out
}

// withLiterals adds a function and the function literals in it.
func withLiterals(fn *ssa.Function, all map[*ssa.Function]bool) {
	all[fn] = true
	for _, lit := range fn.AnonFuncs {
		withLiterals(lit, all)
	}
}

// see records one instruction.
func (f *finder) see(instr ssa.Instruction) {
	switch i := instr.(type) {
	case ssa.CallInstruction:
		f.calls = append(f.calls, i)
		for _, fn := range f.callees(i.Common()) {
			f.callers[fn] = append(f.callers[fn], i)
		}
	case *ssa.FieldAddr:
		v := fieldOf(i.X.Type(), i.Field)
		f.fields[v] = append(f.fields[v], i)
	case *ssa.Field:
		v := fieldOf(i.X.Type(), i.Field)
		f.fields[v] = append(f.fields[v], i)
	}
	var called *ssa.Value
	if c, ok := instr.(ssa.CallInstruction); ok && !c.Common().IsInvoke() {
		called = &c.Common().Value
	}
	for _, op := range instr.Operands(nil) {
		switch v := (*op).(type) {
		case *ssa.Global:
			if u, ok := instr.(ssa.Value); ok {
				f.globals[v] = append(f.globals[v], u)
			}
		case *ssa.Function:
			f.taken[v] = f.taken[v] || op != called
		}
	}
}

// fieldOf returns the field of a struct, of a pointer to one, or of an instance's origin.
func fieldOf(t types.Type, i int) *types.Var {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	return s.Field(i).Origin()
}

// callees returns the functions of the module that a call may run: the static one or, for a method of
// an interface, all that implement it.
func (f *finder) callees(c *ssa.CallCommon) []*ssa.Function {
	if fn := c.StaticCallee(); fn != nil {
		if fn.Blocks == nil {
			return nil
		}
		return []*ssa.Function{fn}
	}
	if !c.IsInvoke() {
		return nil
	}
	iface, ok := c.Value.Type().Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	var out []*ssa.Function
	for _, m := range f.methods {
		if recv := m.Signature.Recv(); m.Name() == c.Method.Name() && recv != nil && types.Implements(recv.Type(), iface) {
			out = append(out, m)
		}
	}
	return out
}

// calledName returns the full name of the function that a call runs; "" for a value.
func calledName(c *ssa.CallCommon) string {
	if c.IsInvoke() {
		return c.Method.FullName()
	}
	if fn := c.StaticCallee(); fn != nil {
		if obj, ok := fn.Object().(*types.Func); ok {
			return obj.FullName()
		}
	}
	return ""
}

// where returns a position with a file relative to the module's folder.
func (f *finder) where(p token.Pos) token.Position {
	pos := f.prog.Fset.PositionFor(p, false)
	if rel, err := filepath.Rel(f.dir, pos.Filename); err == nil {
		pos.Filename = filepath.ToSlash(rel)
	}
	pos.Offset = 0
	return pos
}
