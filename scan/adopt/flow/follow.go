package flow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// trail follows the bytes of one call.
type trail struct {
	f    *finder
	seen map[any]bool // values, and fields and variables that hold the bytes
	todo []ssa.Value
	ends []End
}

func (f *finder) trail() *trail { return &trail{f: f, seen: map[any]bool{}} }

// take adds a value that holds the bytes, or is or contains what holds them.
func (t *trail) take(v ssa.Value) {
	if v != nil && !t.seen[v] && carries(v.Type()) {
		t.seen[v] = true
		t.todo = append(t.todo, v)
	}
}

// carries reports whether values of a type can hold bytes: numbers, booleans and errors cannot.
func carries(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0 || u.Kind() == types.UnsafePointer
	case *types.Interface:
		return !types.Identical(t, types.Universe.Lookup("error").Type())
	}
	return true
}

func (t *trail) run() {
	for len(t.todo) > 0 {
		v := t.todo[len(t.todo)-1]
		t.todo = t.todo[:len(t.todo)-1]
		if v.Referrers() == nil {
			continue
		}
		for _, instr := range *v.Referrers() {
			t.step(v, instr)
		}
	}
}

// result takes result number n of a call.
func (t *trail) result(call ssa.CallInstruction, n int) {
	v := call.Value()
	if v == nil {
		return // go and defer drop results
	}
	if _, tuple := v.Type().(*types.Tuple); !tuple {
		t.take(v)
		return
	}
	for _, r := range *v.Referrers() {
		if x, ok := r.(*ssa.Extract); ok && x.Index == n {
			t.take(x)
		}
	}
}

// results takes all results of a call.
func (t *trail) results(call ssa.CallInstruction) {
	for n := range call.Common().Signature().Results().Len() {
		t.result(call, n)
	}
}

// step follows v into one instruction that uses it.
func (t *trail) step(v ssa.Value, instr ssa.Instruction) {
	switch i := instr.(type) {
	case ssa.CallInstruction:
		t.call(v, i)
	case *ssa.Return:
		t.returned(v, i)
	case *ssa.Store:
		if i.Val == v {
			t.into(i.Addr, 0)
		}
	case *ssa.MapUpdate:
		if i.Value == v || i.Key == v {
			t.into(i.Map, 0)
		}
	case *ssa.Send:
		if i.X == v {
			t.into(i.Chan, 0)
		}
	case *ssa.Select:
		t.selected(v, i)
	case *ssa.MakeClosure:
		for n, b := range i.Bindings {
			if b == v {
				t.take(i.Fn.(*ssa.Function).FreeVars[n])
			}
		}
	case *ssa.BinOp:
		t.compared(v, i)
	case *ssa.Field, *ssa.FieldAddr: // the other fields of what holds the bytes do not hold them
	case *ssa.IndexAddr:
		if i.X == v {
			t.take(i)
		}
	case *ssa.Lookup:
		if i.X == v {
			t.take(i)
		}
	case ssa.Value: // conversions, slices, loads, receives, ranges, phis, extracts
		t.take(i)
	}
}

// selected follows bytes through a select statement.
func (t *trail) selected(v ssa.Value, i *ssa.Select) {
	received := 0
	for _, s := range i.States {
		switch {
		case s.Dir == types.SendOnly && s.Send == v:
			t.into(s.Chan, 0)
		case s.Dir == types.RecvOnly:
			if s.Chan == v {
				t.result2(i, 2+received)
			}
			received++
		}
	}
}

func (t *trail) result2(v ssa.Value, n int) {
	for _, r := range *v.Referrers() {
		if x, ok := r.(*ssa.Extract); ok && x.Index == n {
			t.take(x)
		}
	}
}

func (t *trail) compared(v ssa.Value, i *ssa.BinOp) {
	switch i.Op {
	case token.ADD:
		t.take(i)
	case token.EQL, token.NEQ, token.LSS, token.GTR, token.LEQ, token.GEQ:
		other := i.X
		if other == v {
			other = i.Y
		}
		if c, ok := other.(*ssa.Const); ok && (c.IsNil() || c.Value != nil && c.Value.ExactString() == `""`) {
			return // whether there is a message, not what it is
		}
		t.end(i.Pos(), "a comparison", "it is compared")
	}
}

// deepest is how many fields, parameters and variables into follows to the thing that they stand for.
const deepest = 8

// into notes that the bytes are put into what x names: a variable, a field, an element, a channel.
func (t *trail) into(x ssa.Value, depth int) {
	if depth > deepest {
		return
	}
	depth++
	switch x := x.(type) {
	case *ssa.FieldAddr:
		t.field(fieldOf(x.X.Type(), x.Field))
		t.into(x.X, depth)
	case *ssa.IndexAddr:
		t.into(x.X, depth)
	case *ssa.Slice:
		t.into(x.X, depth)
	case *ssa.UnOp: // a pointer, slice, map or channel that lies somewhere
		t.take(x)
		t.into(x.X, depth)
	case *ssa.MakeInterface:
		t.into(x.X, depth)
	case *ssa.ChangeType:
		t.into(x.X, depth)
	case *ssa.Phi:
		t.take(x)
		for _, e := range x.Edges {
			t.into(e, depth)
		}
	case *ssa.Global:
		t.global(x)
	case *ssa.Parameter:
		t.take(x)
		t.argument(x, func(arg ssa.Value) { t.into(arg, depth) })
	case *ssa.FreeVar:
		t.take(x)
		t.binding(x, func(b ssa.Value) { t.into(b, depth) })
	default:
		t.take(x)
	}
}

// field notes that a field holds the bytes, in all values of its struct.
func (t *trail) field(v *types.Var) {
	if v == nil || t.seen[v] {
		return
	}
	t.seen[v] = true
	for _, at := range t.f.fields[v] {
		t.take(at)
	}
}

func (t *trail) global(g *ssa.Global) {
	if t.seen[g] {
		return
	}
	t.seen[g] = true
	for _, at := range t.f.globals[g] {
		if u, ok := at.(*ssa.UnOp); ok {
			t.take(u)
		}
	}
}

// argument calls each for the arguments that callers in the module pass for a parameter.
func (t *trail) argument(p *ssa.Parameter, each func(ssa.Value)) (any bool) {
	fn := p.Parent()
	n := -1
	for i, q := range fn.Params {
		if q == p {
			n = i
		}
	}
	for _, call := range t.f.callers[fn] {
		if args := arguments(call.Common()); n >= 0 && n < len(args) {
			any = true
			each(args[n])
		}
	}
	return any
}

// binding calls each for the values that closures bind to a free variable.
func (t *trail) binding(v *ssa.FreeVar, each func(ssa.Value)) {
	fn := v.Parent()
	if fn.Parent() == nil {
		return
	}
	for i, q := range fn.FreeVars {
		if q != v {
			continue
		}
		for _, b := range fn.Parent().Blocks {
			for _, instr := range b.Instrs {
				if c, ok := instr.(*ssa.MakeClosure); ok && c.Fn == fn {
					each(c.Bindings[i])
				}
			}
		}
	}
}

// arguments returns the arguments of a call with the receiver.
func arguments(c *ssa.CallCommon) []ssa.Value {
	if c.IsInvoke() {
		return append([]ssa.Value{c.Value}, c.Args...)
	}
	return c.Args
}

// returned follows bytes to the callers of a function.
func (t *trail) returned(v ssa.Value, r *ssa.Return) {
	fn := r.Parent()
	if how := document(fn); how != "" {
		t.end(r.Pos(), fn.String(), how)
		return
	}
	callers := t.f.callers[fn]
	for n, x := range r.Results {
		if x != v {
			continue
		}
		for _, call := range callers {
			t.result(call, n)
		}
	}
	switch {
	case t.f.taken[fn] || fn.Parent() != nil && len(callers) == 0:
		t.end(r.Pos(), fn.String(), "it is returned by a function that is used as a value")
	case len(callers) == 0:
		t.end(r.Pos(), fn.String(), "it is returned by "+fn.Name()+", which nothing in the module calls")
	}
}

// end records an end.
func (t *trail) end(pos token.Pos, what, leaves string) {
	t.ends = append(t.ends, End{t.f.where(pos), what, leaves})
}
