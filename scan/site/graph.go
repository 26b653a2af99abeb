package site

import (
	"context"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/ssa"
)

// graph answers the questions that tracing a value backwards asks: who calls a function, what is
// stored in a field, what does a closure capture.
type graph struct {
	callees  map[ssa.CallInstruction][]*ssa.Function
	callers  map[*ssa.Function][]ssa.CallInstruction
	closures map[*ssa.Function][]*ssa.MakeClosure
	stores   map[any][]ssa.Value    // by place
	elements map[any][]ssa.Value    // values put into a slice, a map or a channel that is in the place
	taken    map[any]bool           // places whose addresses are used otherwise than to load and to store
	indirect map[string][]ssa.Value // values stored through pointers that may point anywhere, by their type
	funcs    []*ssa.Function        // those with bodies
}

func newGraph() *graph {
	return &graph{
		callees: map[ssa.CallInstruction][]*ssa.Function{}, callers: map[*ssa.Function][]ssa.CallInstruction{},
		closures: map[*ssa.Function][]*ssa.MakeClosure{}, stores: map[any][]ssa.Value{}, elements: map[any][]ssa.Value{},
		taken: map[any]bool{}, indirect: map[string][]ssa.Value{},
	}
}

// build indexes funcs. The call graph is that of VTA over them. VTA knows no values that came from
// functions without bodies, so a call through an interface that it leaves without a callee gets the
// methods of all types of the program that implement the interface. Methods of incomplete types are
// kept from VTA, which would take them for callees of every method of their name, and panics if the
// results differ.
func (g *graph) build(ctx context.Context, prog *ssa.Program, funcs map[*ssa.Function]bool, named []*types.Named) error {
	var cg *callgraph.Graph
	whole := maps.Clone(funcs)
	maps.DeleteFunc(whole, func(fn *ssa.Function, _ bool) bool {
		recv := fn.Signature.Recv()
		return recv != nil && incomplete(recv.Type())
	})
	if err := abandon(ctx, func() { cg = vta.CallGraph(whole, nil) }); err != nil {
		return err
	}
	for fn, node := range cg.Nodes {
		for _, e := range node.Out {
			if e.Site != nil && fn != nil {
				g.edge(e.Site, e.Callee.Func)
			}
		}
	}
	implementers := &implementers{prog: prog, named: named, seen: map[*types.Func][]*ssa.Function{}}
	for fn := range funcs {
		if len(fn.Blocks) == 0 {
			continue
		}
		g.funcs = append(g.funcs, fn)
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if x, ok := instr.(*ssa.MakeClosure); ok {
					if fn, ok := x.Fn.(*ssa.Function); ok {
						g.closures[fn] = append(g.closures[fn], x)
					}
				}
			}
		}
	}
	for _, fn := range g.funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				g.index(instr, implementers)
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// abandon runs f, and returns early with ctx's error if ctx ends first. f then ends by itself.
func abandon(ctx context.Context, f func()) error {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (g *graph) edge(call ssa.CallInstruction, callee *ssa.Function) {
	g.callees[call] = append(g.callees[call], callee)
	g.callers[callee] = append(g.callers[callee], call)
}

func (g *graph) index(instr ssa.Instruction, impl *implementers) {
	switch x := instr.(type) {
	case ssa.CallInstruction:
		c := x.Common()
		switch callee := c.StaticCallee(); {
		case len(g.callees[x]) > 0:
		case c.IsInvoke():
			for _, m := range impl.of(c.Method) {
				g.edge(x, m)
			}
		case callee != nil: // the call is in a function that VTA has not seen
			g.edge(x, callee)
		}
	case *ssa.FieldAddr:
		if k := place(x); k != nil && escapes(x) {
			g.taken[k] = true
		}
	case *ssa.Store:
		g.store(x)
	case *ssa.MapUpdate:
		if k := g.container(x.Map); k != nil {
			g.elements[k] = append(g.elements[k], x.Value)
		}
	case *ssa.Send:
		if k := g.container(x.Chan); k != nil {
			g.elements[k] = append(g.elements[k], x.X)
		}
	}
}

func (g *graph) store(x *ssa.Store) {
	if global, ok := x.Val.(*ssa.Global); ok {
		g.taken[global] = true
	}
	switch a := x.Addr.(type) {
	case *ssa.Global, *ssa.FieldAddr:
		if k := place(a); k != nil {
			g.stores[k] = append(g.stores[k], x.Val)
		}
	case *ssa.IndexAddr:
		if k := g.container(a.X); k != nil {
			g.elements[k] = append(g.elements[k], x.Val)
		}
	case *ssa.Alloc, *ssa.FreeVar:
	default:
		k := types.TypeString(x.Val.Type(), nil)
		g.indirect[k] = append(g.indirect[k], x.Val)
	}
}

// escapes reports whether addr is used otherwise than to load from and to store to.
func escapes(addr ssa.Value) bool {
	for _, r := range *addr.Referrers() {
		switch x := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.MakeInterface, *ssa.Slice:
		case *ssa.Store:
			if x.Val == addr {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// place returns what an address is of, if it is of a field or of a global variable: a *types.Var or
// an *ssa.Global. Fields of all values of a struct type count as one.
func place(addr ssa.Value) any {
	switch a := addr.(type) {
	case *ssa.Global:
		return a
	case *ssa.FieldAddr:
		if f := fieldOf(a.X.Type(), a.Field); f != nil {
			return f
		}
	}
	return nil
}

// container returns the place that v was loaded from, if any, or the local variable.
func (g *graph) container(v ssa.Value) any {
	switch x := v.(type) {
	case *ssa.UnOp:
		if a := g.variable(x.X); a != nil {
			return a
		}
		return place(x.X)
	case *ssa.FieldAddr, *ssa.Global: // an array in place
		return place(x)
	}
	return nil
}

// variable returns the local variable at addr, also if addr is what a closure captured.
func (g *graph) variable(addr ssa.Value) any {
	for range 20 {
		switch x := addr.(type) {
		case *ssa.Alloc:
			return x
		case *ssa.FreeVar:
			made := g.closures[x.Parent()]
			i := slices.Index(x.Parent().FreeVars, x)
			if len(made) == 0 || i < 0 {
				return nil
			}
			addr = made[0].Bindings[i]
		default:
			return nil
		}
	}
	return nil
}

func fieldOf(t types.Type, i int) *types.Var {
	t = types.Unalias(t)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || i >= s.NumFields() {
		return nil
	}
	return s.Field(i).Origin()
}

// implementers finds the methods behind a method of an interface among the named types of a program.
type implementers struct {
	prog  *ssa.Program
	named []*types.Named
	seen  map[*types.Func][]*ssa.Function
}

func (im *implementers) of(m *types.Func) []*ssa.Function {
	if all, ok := im.seen[m]; ok {
		return all
	}
	var all []*ssa.Function
	recv := m.Signature().Recv()
	if recv != nil && usefulMethod(m) {
		if iface, ok := recv.Type().Underlying().(*types.Interface); ok {
			for _, n := range im.named {
				if fn := im.method(n, iface, m); fn != nil {
					all = append(all, fn)
				}
			}
		}
	}
	im.seen[m] = all
	return all
}

// usefulMethod reports whether a value may pass through m: it has a parameter that can hold values of
// several types, or returns such a value.
func usefulMethod(m *types.Func) bool {
	for _, t := range []*types.Tuple{m.Signature().Params(), m.Signature().Results()} {
		for v := range t.Variables() {
			if s, ok := v.Type().Underlying().(*types.Slice); types.IsInterface(v.Type()) && v.Type().String() != "error" &&
				!strings.HasPrefix(v.Type().String(), "context.") || ok && types.IsInterface(s.Elem()) {
				return true
			}
		}
	}
	return false
}

// nonesuch is an interface that no complete type implements: its method is of no package.
var nonesuch = types.NewInterfaceType([]*types.Func{
	types.NewFunc(token.NoPos, nil, "nonesuch", types.NewSignatureType(nil, nil, nil, nil, nil, false)),
}, nil).Complete()

// incomplete reports whether a part of t is missing, since a package that t's package imports does
// not build or could not be fetched. go/types lets such a type implement every interface, so that
// it reports no errors that follow from the first one.
func incomplete(t types.Type) bool {
	return !types.IsInterface(t) && types.Implements(t, nonesuch)
}

func (im *implementers) method(n *types.Named, iface *types.Interface, m *types.Func) *ssa.Function {
	var recv types.Type = n
	if types.IsInterface(n) || n.TypeParams().Len() > 0 || incomplete(n) {
		return nil
	}
	if !types.Implements(recv, iface) {
		if recv = types.NewPointer(n); !types.Implements(recv, iface) {
			return nil
		}
	}
	sel := im.prog.MethodSets.MethodSet(recv).Lookup(m.Pkg(), m.Name())
	if sel == nil {
		return nil
	}
	return im.prog.MethodValue(sel)
}
