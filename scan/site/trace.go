package site

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Limits of a trace. A value that has more sources is reported as incomplete.
const (
	maxCalls = 12   // calls from a site outwards
	maxNodes = 4000 // values looked at for one site
)

// NOTE: The file is long since it is one walk: each kind of SSA value is a case of the same queue, with the same frames.
//
// NOTE: a trace follows a value backwards, from the argument of a site to the conversions to an
// interface that it may come from, in the order of their distance. It follows variables, fields (all
// values of a struct type as one), elements of slices, maps and channels, parameters to all callers,
// and results to what the callee returns. Results remember the call that asked for them, so that a
// parameter that is returned leads to that call alone.

// node is a value to look at.
type node struct {
	v    ssa.Value
	elem int     // 0 asks for the value itself, 1 for its elements, 2 for their elements …
	in   *frame  // calls whose results are being followed
	must *narrow // interfaces that the program asserted on the way
}

// narrow is a list of interfaces. Types that lack one of their methods cannot reach the site.
type narrow struct {
	to    *types.Interface
	outer *narrow
}

func (n *narrow) allows(t types.Type) bool {
	for ; n != nil; n = n.outer {
		if !types.Implements(t, n.to) {
			return false
		}
	}
	return true
}

// with adds the interface that x asserts to those of n, unless n has it.
func (n *narrow) with(x *ssa.TypeAssert) *narrow {
	to, ok := x.AssertedType.Underlying().(*types.Interface)
	if !ok || to.NumMethods() == 0 {
		return n
	}
	for o := n; o != nil; o = o.outer {
		if types.Identical(o.to, to) {
			return n
		}
	}
	return &narrow{to, n}
}

// maxElem is the depth to which elements of elements are followed.
const maxElem = 3

type frame struct {
	call  ssa.CallInstruction
	outer *frame
	depth int
}

// step is a node with the calls that the value passed on its way to the site, the last one first.
type step struct {
	node
	via *chain
}

type chain struct {
	call  ssa.CallInstruction
	inner *chain // nearer to the site
	n     int
}

// leaf is a type that reaches a site, or the reason why a source has none.
type leaf struct {
	typ types.Type
	why string
	via *chain
}

type trace struct {
	g      *graph
	queue  []step
	seen   map[node]bool
	leaves []leaf
}

// run returns the sources of v.
func (g *graph) run(v ssa.Value) []leaf {
	t := &trace{g: g, seen: map[node]bool{}}
	t.push(step{}, v, 0)
	for len(t.queue) > 0 {
		s := t.queue[0]
		t.queue = t.queue[1:]
		if len(t.seen) > maxNodes {
			t.why(s, fmt.Sprintf("it has more than %d sources", maxNodes))
			break
		}
		if s.elem > 0 {
			t.elements(s)
		} else {
			t.value(s)
		}
	}
	return t.leaves
}

// push adds v to what is looked at, with the calls and interfaces of s.
func (t *trace) push(s step, v ssa.Value, elem int) {
	n := node{v, elem, s.in, s.must}
	if v == nil || t.seen[n] {
		return
	}
	if elem > maxElem {
		t.why(s, "it is an element of an element of an element of an element")
		return
	}
	t.seen[n] = true
	t.queue = append(t.queue, step{n, s.via})
}

func (t *trace) next(s step, v ssa.Value) { t.push(s, v, s.elem) }

func (t *trace) why(s step, why string) { t.leaves = append(t.leaves, leaf{why: why, via: s.via}) }

// value handles a value of its own: its type, if that is no interface.
func (t *trace) value(s step) {
	if m, ok := s.v.(*ssa.MakeInterface); ok {
		t.typ(s, m.X.Type())
		return
	}
	if !types.IsInterface(s.v.Type()) {
		t.typ(s, s.v.Type())
		return
	}
	if c, ok := s.v.(*ssa.Const); ok && c.Value == nil {
		t.why(s, "nil is passed")
		return
	}
	t.back(s)
}

func (t *trace) typ(s step, typ types.Type) {
	if _, ok := types.Unalias(typ).(*types.TypeParam); ok {
		t.why(s, "its type is a type parameter, and the code base has no instance")
		return
	}
	if !s.must.allows(typ) {
		return
	}
	t.leaves = append(t.leaves, leaf{typ: typ, via: s.via})
}

// elements handles a slice, array, map or channel whose elements are asked for.
func (t *trace) elements(s step) {
	switch x := s.v.(type) {
	case *ssa.MakeSlice, *ssa.MakeMap, *ssa.MakeChan, *ssa.Alloc:
		t.puts(s, x)
	case *ssa.Slice:
		t.next(s, x.X)
	case *ssa.Convert:
		t.why(s, "its elements come from a conversion")
	case *ssa.Const: // nil
	default:
		t.back(s)
	}
}

// puts follows what is put into a container: c is what makes it, or an alias.
func (t *trace) puts(s step, c ssa.Value) { t.putsOf(s, c, map[ssa.Value]bool{}) }

func (t *trace) putsOf(s step, c ssa.Value, seen map[ssa.Value]bool) {
	refs := c.Referrers()
	if refs == nil || seen[c] || len(seen) > 50 {
		return
	}
	seen[c] = true
	for _, r := range *refs {
		switch x := r.(type) {
		case *ssa.MapUpdate:
			if x.Map == c {
				t.push(s, x.Value, s.elem-1)
			}
		case *ssa.Send:
			if x.Chan == c {
				t.push(s, x.X, s.elem-1)
			}
		case *ssa.IndexAddr:
			for _, r := range *x.Referrers() {
				if st, ok := r.(*ssa.Store); ok && st.Addr == x {
					t.push(s, st.Val, s.elem-1)
				}
			}
		case *ssa.Slice:
			t.putsOf(s, x, seen)
		case *ssa.Store: // an array that is assigned as a whole
			if x.Addr == c {
				t.next(s, x.Val)
			} else if v := t.g.variable(x.Addr); v != nil {
				t.putsIn(s, v)
			}
		case ssa.CallInstruction:
			t.putsBy(s, x, c, seen)
		}
	}
}

// putsIn follows what is put into a container by a variable or field.
func (t *trace) putsIn(s step, place any) {
	for _, v := range t.g.elements[place] {
		t.push(s, v, s.elem-1)
	}
}

// putsBy follows what a function puts into the container c that it gets.
func (t *trace) putsBy(s step, call ssa.CallInstruction, c ssa.Value, seen map[ssa.Value]bool) {
	common := call.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		if b.Name() == "copy" && common.Args[0] == c {
			t.next(s, common.Args[1])
		}
		return
	}
	for _, fn := range t.g.callees[call] {
		for _, p := range fn.Params {
			if len(fn.Blocks) > 0 && actual(call, p) == c {
				t.putsOf(s, p, seen)
			}
		}
	}
}

// back goes from a value to the values that it is made of.
func (t *trace) back(s step) {
	switch x := s.v.(type) {
	case *ssa.Phi:
		for _, e := range x.Edges {
			t.next(s, e)
		}
	case *ssa.ChangeInterface:
		t.next(s, x.X)
	case *ssa.ChangeType:
		t.next(s, x.X)
	case *ssa.MakeInterface: // elements of a container within an interface
		t.next(s, x.X)
	case *ssa.TypeAssert:
		t.assert(s, x)
	case *ssa.Parameter:
		t.parameter(s, x)
	case *ssa.FreeVar:
		for _, b := range t.bindings(x) {
			t.next(s, b)
		}
	case *ssa.UnOp:
		if x.Op == token.ARROW {
			t.push(s, x.X, s.elem+1)
		} else {
			t.load(s, x.X)
		}
	case *ssa.Field:
		t.place(s, fieldOf(x.X.Type(), x.Field))
	case *ssa.Index:
		t.push(s, x.X, s.elem+1)
	case *ssa.Lookup:
		t.push(s, x.X, s.elem+1)
	case *ssa.Extract:
		t.extract(s, x)
	case *ssa.Call:
		t.result(s, x, 0)
	case *ssa.Global, *ssa.FieldAddr: // an array in place
		t.place(s, place(x))
	default:
		t.why(s, fmt.Sprintf("it comes from %s, which is not followed", describe(s.v)))
	}
}

// assert goes on with the operand of an assertion. Only types with the methods asked for pass it.
func (t *trace) assert(s step, x *ssa.TypeAssert) {
	if s.elem == 0 {
		s.must = s.must.with(x)
	}
	t.next(s, x.X)
}

func (t *trace) extract(s step, x *ssa.Extract) {
	switch tuple := x.Tuple.(type) {
	case *ssa.Call:
		t.result(s, tuple, x.Index)
	case *ssa.TypeAssert:
		t.assert(s, tuple)
	case *ssa.Lookup:
		t.push(s, tuple.X, s.elem+1)
	case *ssa.UnOp: // v, ok := <-c
		t.push(s, tuple.X, s.elem+1)
	case *ssa.Next:
		if r, ok := tuple.Iter.(*ssa.Range); ok && x.Index == 2 {
			t.push(s, r.X, s.elem+1)
			return
		}
		t.why(s, "it is the key of a map")
	case *ssa.Select:
		k := 2 // index, ok, then a value for each receive
		for _, st := range tuple.States {
			if st.Dir == types.RecvOnly {
				if k == x.Index {
					t.push(s, st.Chan, s.elem+1)
					return
				}
				k++
			}
		}
	default:
		t.why(s, "it comes from "+describe(x.Tuple))
	}
}

// bindings returns the values that a free variable stands for.
func (t *trace) bindings(v *ssa.FreeVar) []ssa.Value {
	fn := v.Parent()
	var all []ssa.Value
	for i, fv := range fn.FreeVars {
		if fv == v {
			for _, m := range t.g.closures[fn] {
				all = append(all, m.Bindings[i])
			}
		}
	}
	return all
}

// load follows what is stored at an address.
func (t *trace) load(s step, addr ssa.Value) {
	if p := place(addr); p != nil {
		t.place(s, p)
		return
	}
	if a, ok := addr.(*ssa.IndexAddr); ok {
		t.push(s, a.X, s.elem+1)
		return
	}
	found := false
	t.stored(s, addr, map[ssa.Value]bool{}, &found)
	if !found {
		t.why(s, "it is loaded through "+describe(addr)+", which is not followed")
	}
}

// stored follows the values that the program stores at addr: a variable whose address is taken, also
// by closures and by the functions that get the address.
func (t *trace) stored(s step, addr ssa.Value, seen map[ssa.Value]bool, found *bool) {
	if seen[addr] || len(seen) > 50 {
		return
	}
	seen[addr] = true
	switch x := addr.(type) {
	case *ssa.FreeVar:
		for _, b := range t.bindings(x) {
			t.stored(s, b, seen, found)
		}
	case *ssa.Parameter:
		for _, call := range t.g.callers[x.Parent()] {
			if a := actual(call, x); a != nil {
				t.stored(s, a, seen, found)
			}
		}
	case *ssa.Phi:
		for _, e := range x.Edges {
			t.stored(s, e, seen, found)
		}
		return
	case *ssa.Alloc:
		*found = true
		if s.elem > 0 {
			t.puts(s, x)
			t.putsIn(s, x)
		}
		if escapes(x) {
			t.indirect(s, x)
		}
	case *ssa.FieldAddr, *ssa.Global:
		if p := place(x); p != nil {
			*found = true
			t.place(s, p)
		}
		return
	case *ssa.UnOp, *ssa.Call, *ssa.Extract:
		t.pointees(s, addr, seen, found)
		return
	}
	refs := addr.Referrers()
	if refs == nil {
		return
	}
	for _, r := range *refs {
		switch x := r.(type) {
		case *ssa.Store:
			if x.Addr == addr {
				*found = true
				t.next(s, x.Val)
			}
		case *ssa.MakeInterface:
			t.decoded(s, x)
		case *ssa.MakeClosure:
			for i, b := range x.Bindings {
				if fn, ok := x.Fn.(*ssa.Function); ok && b == addr && i < len(fn.FreeVars) {
					t.storedIn(s, fn.FreeVars[i], seen, found)
				}
			}
		case ssa.CallInstruction:
			for _, fn := range t.g.callees[x] {
				for i, a := range x.Common().Args {
					if a == addr && len(fn.Blocks) > 0 && i < len(fn.Params) && !x.Common().IsInvoke() {
						t.storedIn(s, fn.Params[i], seen, found)
					}
				}
			}
		}
	}
}

// pointees follows the values that are stored where a pointer points to. The pointer was loaded, or
// a function returned it.
func (t *trace) pointees(s step, pointer ssa.Value, seen map[ssa.Value]bool, found *bool) {
	var all []ssa.Value
	index := 0
	if x, ok := pointer.(*ssa.Extract); ok {
		pointer, index = x.Tuple, x.Index
	}
	switch x := pointer.(type) {
	case *ssa.UnOp:
		if p := place(x.X); p != nil {
			all = t.g.stores[p]
		} else if v, ok := t.g.variable(x.X).(*ssa.Alloc); ok {
			for _, r := range *v.Referrers() {
				if st, ok := r.(*ssa.Store); ok && st.Addr == v {
					all = append(all, st.Val)
				}
			}
		}
	case *ssa.Call:
		for _, fn := range t.g.callees[x] {
			for _, b := range fn.Blocks {
				if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && index < len(ret.Results) {
					all = append(all, ret.Results[index])
				}
			}
		}
	}
	for _, v := range all {
		t.stored(s, v, seen, found)
	}
	if *found {
		t.indirect(s, pointer)
	}
}

// indirect follows all values that the code base stores through pointers of the type of addr.
func (t *trace) indirect(s step, addr ssa.Value) {
	if p, ok := addr.Type().Underlying().(*types.Pointer); ok {
		for _, v := range t.g.indirect[types.TypeString(p.Elem(), nil)] {
			t.next(s, v)
		}
	}
}

// decoded says that a variable of type any was handed to a function that may fill it.
func (t *trace) decoded(s step, x *ssa.MakeInterface) {
	p, ok := x.X.Type().Underlying().(*types.Pointer)
	if !ok || !types.IsInterface(p.Elem()) {
		return
	}
	for _, r := range *x.Referrers() {
		if call, ok := r.(ssa.CallInstruction); ok {
			if s.elem == 0 {
				t.typ(s, types.NewMap(types.Typ[types.String], types.Universe.Lookup("any").Type()))
			}
			t.why(s, calleeName(call.Common())+" fills it: with maps, lists, strings and numbers, if it decodes")
			return
		}
	}
}

// storedIn follows stores through a free variable or parameter, without going back to its origins.
func (t *trace) storedIn(s step, addr ssa.Value, seen map[ssa.Value]bool, found *bool) {
	if seen[addr] {
		return
	}
	seen[addr] = true
	for _, r := range *addr.Referrers() {
		switch x := r.(type) {
		case *ssa.Store:
			if x.Addr == addr {
				*found = true
				t.next(s, x.Val)
			}
		case *ssa.MakeClosure:
			for i, b := range x.Bindings {
				if fn, ok := x.Fn.(*ssa.Function); ok && b == addr && i < len(fn.FreeVars) {
					t.storedIn(s, fn.FreeVars[i], seen, found)
				}
			}
		}
	}
}

// place follows what is stored in a field or a global variable.
func (t *trace) place(s step, p any) {
	if v, ok := p.(*types.Var); p == nil || ok && v == nil {
		t.why(s, "it is a field of a type that is not followed")
		return
	}
	stores := t.g.stores[p]
	s.in = nil
	for _, v := range stores {
		t.next(s, v)
	}
	if t.g.taken[p] {
		t.taken(s, p)
	}
	elements := t.g.elements[p]
	if s.elem > 0 {
		for _, v := range elements {
			t.push(s, v, s.elem-1)
		}
	}
	if len(stores) == 0 && (s.elem == 0 || len(elements) == 0) {
		t.why(s, "the code base stores nothing in "+placeName(p))
	}
}

// taken follows the values that may be stored through a pointer to a field or global variable.
func (t *trace) taken(s step, p any) {
	var typ types.Type
	switch x := p.(type) {
	case *types.Var:
		typ = x.Type()
	case *ssa.Global:
		typ = x.Type().Underlying().(*types.Pointer).Elem()
	}
	for _, v := range t.g.indirect[types.TypeString(typ, nil)] {
		t.next(s, v)
	}
}

func placeName(p any) string {
	switch x := p.(type) {
	case *types.Var:
		if x.Pkg() != nil {
			return "field " + x.Name() + " of a struct of " + x.Pkg().Path()
		}
		return "field " + x.Name()
	case *ssa.Global:
		return "variable " + x.String()
	}
	return "it"
}

// parameter goes to the arguments of the calls.
func (t *trace) parameter(s step, p *ssa.Parameter) {
	fn := p.Parent()
	if s.in != nil && calls(t.g, s.in.call, fn) {
		if a := actual(s.in.call, p); a != nil {
			s.in = s.in.outer
			t.next(s, a)
			return
		}
	}
	if s.via != nil && s.via.n >= maxCalls {
		t.why(s, fmt.Sprintf("it passes through more than %d calls", maxCalls))
		return
	}
	n := 0
	for _, call := range t.g.callers[fn] {
		a := actual(call, p)
		if a == nil {
			continue
		}
		n++
		via := s.via
		if call.Pos().IsValid() {
			via = &chain{call: call, inner: s.via, n: 1}
			if s.via != nil {
				via.n = s.via.n + 1
			}
		}
		t.next(step{node{elem: s.elem, must: s.must}, via}, a)
	}
	if n == 0 && !wrapper(fn) {
		t.why(s, fmt.Sprintf("no call of %s is known, whose parameter %s it is", fn.RelString(nil), p.Name()))
	}
}

func calls(g *graph, call ssa.CallInstruction, fn *ssa.Function) bool {
	for _, f := range g.callees[call] {
		if f == fn {
			return true
		}
	}
	return false
}

// actual returns the argument of call for parameter p of the function that it calls.
func actual(call ssa.CallInstruction, p *ssa.Parameter) ssa.Value {
	c := call.Common()
	for i, q := range p.Parent().Params {
		if q != p {
			continue
		}
		if c.IsInvoke() {
			if i == 0 {
				return c.Value
			}
			i--
		}
		return at(c.Args, i)
	}
	return nil
}

// same are functions without bodies that return a value of the type of an argument.
var same = map[string]int{
	"maps.Clone": 0, "slices.Clone": 0, "slices.Grow": 0, "slices.Clip": 0, "slices.Sorted": 0, "slices.Compact": 0,
	"google.golang.org/protobuf/proto.Clone": 0, "google.golang.org/protobuf/proto.CloneOf": 0,
	"github.com/golang/protobuf/proto.Clone": 0, "github.com/gogo/protobuf/proto.Clone": 0,
	"github.com/golang/protobuf/proto.MessageV2": 0, "github.com/golang/protobuf/proto.MessageV1": 0,
	"google.golang.org/protobuf/protoadapt.MessageV2Of": 0, "google.golang.org/protobuf/protoadapt.MessageV1Of": 0,
}

const maxFrames = 4 // results within results that remember their calls

// result follows what a call returns.
func (t *trace) result(s step, call *ssa.Call, i int) {
	c := call.Common()
	if b, ok := c.Value.(*ssa.Builtin); ok {
		if b.Name() == "append" {
			for _, a := range c.Args {
				t.next(s, a)
			}
			return
		}
		t.why(s, "it comes from "+b.Name())
		return
	}
	callees := t.g.callees[call]
	in := &frame{call: call, outer: s.in, depth: 1}
	if s.in != nil {
		in.depth = s.in.depth + 1
		for f := s.in; f != nil; f = f.outer {
			if f.call == call {
				return // a recursion adds nothing
			}
		}
	}
	if in.depth > maxFrames {
		in = nil
	}
	inside := s
	inside.in = in
	for _, fn := range callees {
		if len(fn.Blocks) == 0 {
			t.external(s, c, fn, i)
			continue
		}
		for _, b := range fn.Blocks {
			if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && i < len(ret.Results) {
				t.next(inside, ret.Results[i])
			}
		}
	}
	if len(callees) == 0 {
		t.why(s, "it is a result of "+calleeName(c)+", whose code is outside of the code base")
	}
}

func (t *trace) external(s step, c *ssa.CallCommon, fn *ssa.Function, i int) {
	obj := objectOf(fn)
	if obj != nil {
		if k, ok := same[obj.FullName()]; ok && i == 0 {
			t.next(s, at(c.Args, k))
			return
		}
		if strings.HasPrefix(obj.FullName(), "(reflect.") || strings.HasPrefix(obj.FullName(), "reflect.") {
			t.why(s, "reflection makes it: "+obj.FullName())
			return
		}
	}
	t.why(s, "it is a result of "+calleeName(c)+", whose code is outside of the code base")
}

func calleeName(c *ssa.CallCommon) string {
	if c.IsInvoke() {
		return c.Method.FullName()
	}
	if fn := c.StaticCallee(); fn != nil {
		return fn.RelString(nil)
	}
	return "a function value"
}

// describe names the kind of expression that v is.
func describe(v ssa.Value) string {
	switch x := v.(type) {
	case *ssa.Call:
		return "a result of " + calleeName(x.Common())
	case *ssa.UnOp:
		return "a pointer"
	case *ssa.Parameter:
		return "parameter " + x.Name() + " of " + x.Parent().RelString(nil)
	case *ssa.Extract:
		return describe(x.Tuple)
	}
	return strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", v), "*ssa.")) + " " + v.Name()
}
