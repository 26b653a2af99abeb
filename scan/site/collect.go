package site

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// collector gathers the sites. Instances of a generic function, and the two versions of a package
// that its tests make, have their sites in common.
type collector struct {
	f     *finder
	sites map[siteKey]*Site
	work  []task
}

type siteKey struct {
	pos       token.Position
	fn        string // Kind.Func
	direction Direction
	value     int
}

type task struct {
	site *Site
	v    ssa.Value // nil if the type is known without a trace
	typ  types.Type
	why  string
	via  []Call
}

// scan adds the sites of fn.
func (c *collector) scan(fn *ssa.Function) {
	if wrapper(fn) || abstract(fn) {
		return
	}
	generated := c.f.match.generatedMethod(objectOf(outermost(fn)))
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch x := instr.(type) {
			case *ssa.Return:
				c.reply(fn, x)
			case ssa.CallInstruction:
				if x.Pos().IsValid() {
					c.call(fn, x, generated)
				}
			}
		}
	}
}

// wrapper reports whether go/ssa made fn to adapt another function.
func wrapper(fn *ssa.Function) bool {
	return fn.Syntax() == nil && fn.Name() != "init" || strings.HasPrefix(fn.Synthetic, "wrapper") ||
		strings.HasPrefix(fn.Synthetic, "bound") || strings.HasPrefix(fn.Synthetic, "thunk")
}

// abstract reports whether fn has type parameters: its instances are looked at in its place.
func abstract(fn *ssa.Function) bool {
	fn = outermost(fn)
	if fn.Origin() != nil {
		return false
	}
	if recv := fn.Signature.Recv(); recv != nil {
		if n := namedOf(recv.Type()); n != nil && n.TypeParams().Len() > 0 && n.TypeArgs().Len() == n.TypeParams().Len() {
			_, ok := n.TypeArgs().At(0).(*types.TypeParam)
			return ok
		}
	}
	return fn.TypeParams().Len() > 0
}

func outermost(fn *ssa.Function) *ssa.Function {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn
}

func (c *collector) call(fn *ssa.Function, call ssa.CallInstruction, generated bool) {
	common := call.Common()
	if common.IsInvoke() {
		kinds := c.f.match.of(common.Method)
		for _, k := range kinds {
			c.add(fn, call, nil, k)
		}
		if kinds != nil {
			return
		}
	} else if d := grpcDecoder(fn, common); d != nil {
		c.add(fn, call, nil, d)
		return
	}
	if load, ok := common.Value.(*ssa.UnOp); ok {
		if global, ok := load.X.(*ssa.Global); ok {
			v, _ := global.Object().(*types.Var)
			for _, k := range c.f.match.ofVariable(v) {
				c.add(fn, call, nil, k)
			}
		}
	}
	for _, callee := range c.f.g.callees[call] {
		obj := objectOf(callee)
		for _, k := range c.f.match.of(obj) {
			if generated && k.Value == Receiver { // generated code that calls generated code
				continue
			}
			c.add(fn, call, callee, k)
		}
	}
}

// grpcRequest is the call of the function that decodes a request, in the handler of a generated
// server. grpcReply is a return of that handler: the server encodes the value then.
var (
	grpcRequest = Kind{Codec: "protobuf", Func: "(google.golang.org/grpc.methodHandler).dec", Direction: Unmarshal, Format: "protobuf"}
	grpcReply   = Kind{Codec: "protobuf", Func: "google.golang.org/grpc.methodHandler", Direction: Marshal, Format: "protobuf"}
)

// grpcHandler reports whether fn handles the requests for one method of a gRPC server.
func grpcHandler(fn *ssa.Function) bool {
	params := fn.Signature.Params()
	return params.Len() == 4 && strings.HasSuffix(fn.Name(), "_Handler") &&
		strings.HasSuffix(params.At(3).Type().String(), "google.golang.org/grpc.UnaryServerInterceptor")
}

// grpcDecoder returns grpcRequest if c calls the parameter dec of a handler of gRPC.
func grpcDecoder(fn *ssa.Function, c *ssa.CallCommon) *Kind {
	p, ok := c.Value.(*ssa.Parameter)
	if !ok || len(c.Args) != 1 || !grpcHandler(fn) || slices.Index(fn.Params, p) != 2 {
		return nil
	}
	return &grpcRequest
}

// reply adds what a handler of gRPC returns, if its type is known there. A handler has a second
// return, of what the interceptor returns: it is the same reply.
func (c *collector) reply(fn *ssa.Function, r *ssa.Return) {
	if len(r.Results) != 2 || !grpcHandler(fn) {
		return
	}
	if v, ok := r.Results[0].(*ssa.MakeInterface); ok {
		if s := c.site(fn, r.Pos(), &grpcReply); s != nil {
			c.work = append(c.work, task{site: s, typ: v.X.Type()})
		}
	}
}

func (c *collector) add(fn *ssa.Function, call ssa.CallInstruction, callee *ssa.Function, k *Kind) {
	s := c.site(fn, call.Pos(), k)
	if s == nil {
		return
	}
	if _, ok := call.(*ssa.Defer); ok {
		s.Deferred = true
	}
	if k.Result {
		c.result(s, call, k)
		return
	}
	if k.TypeArg {
		if args := callee.TypeArgs(); k.Value < len(args) {
			c.work = append(c.work, task{site: s, typ: types.NewPointer(args[k.Value])})
		}
		return
	}
	v := k.argument(call, callee)
	switch {
	case v == nil:
		c.work = append(c.work, task{site: s, why: "the call has no such argument"})
	default:
		c.work = append(c.work, task{site: s, v: v})
	}
}

// site returns the site of kind k at p in fn, a new one if need be; nil if p is not in the code base.
func (c *collector) site(fn *ssa.Function, p token.Pos, k *Kind) *Site {
	pos, fi := c.f.place(p)
	if fi == nil {
		return nil
	}
	key := siteKey{pos, k.Func, k.Direction, k.Value}
	s := c.sites[key]
	if s == nil {
		s = &Site{Kind: k, Call: Call{Pos: pos, Func: c.f.names.name(fn)}, Package: fi.pkg, Generated: fi.generated, Test: fi.test}
		c.sites[key] = s
	}
	return s
}

func (c *collector) result(s *Site, call ssa.CallInstruction, k *Kind) {
	results := call.Common().Signature().Results()
	if k.Value >= results.Len() {
		return
	}
	c.work = append(c.work, task{site: s, typ: results.At(k.Value).Type()})
}

// place returns where p is, and the file; nil if it is not in the code base.
func (f *finder) place(p token.Pos) (token.Position, *file) {
	tf := f.prog.fset.File(p)
	if tf == nil {
		return token.Position{}, nil
	}
	fi := f.files[tf.Name()]
	if fi == nil {
		return token.Position{}, nil
	}
	pos := tf.PositionFor(p, false)
	pos.Filename, pos.Offset = fi.rel, 0
	return pos, fi
}

// resolve traces the values of all sites.
func (c *collector) resolve() error {
	traced := map[ssa.Value][]leaf{}
	for i, t := range c.work {
		if i%64 == 0 {
			if err := c.f.ctx.Err(); err != nil {
				return err
			}
			if i%4096 == 0 && i > 0 {
				c.f.say(fmt.Sprintf("trace types: %d of %d values", i, len(c.work)))
			}
		}
		if t.why != "" {
			t.site.lack(t.why)
			continue
		}
		if t.v == nil {
			t.site.take(t.typ, nil)
			continue
		}
		leaves, ok := traced[t.v]
		if !ok {
			leaves = c.f.g.run(t.v)
			traced[t.v] = leaves
		}
		for _, l := range leaves {
			if l.typ != nil {
				t.site.take(l.typ, c.calls(l.via))
			} else {
				t.site.lack(l.why)
			}
		}
		if len(leaves) == 0 {
			t.site.lack("no value reaches it")
		}
	}
	for _, s := range c.sites {
		s.finish()
	}
	return nil
}

func (c *collector) calls(via *chain) []Call {
	var all []Call
	for ; via != nil; via = via.inner {
		if pos, fi := c.f.place(via.call.Pos()); fi != nil {
			all = append(all, Call{Pos: pos, Func: c.f.names.name(via.call.Parent())})
		}
	}
	return all
}

func (c *collector) sorted() []*Site {
	all := make([]*Site, 0, len(c.sites))
	for _, s := range c.sites {
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b *Site) int {
		return cmp.Or(cmp.Compare(a.Pos.Filename, b.Pos.Filename), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Column, b.Pos.Column),
			cmp.Compare(a.Kind.Func, b.Kind.Func), cmp.Compare(a.Kind.Direction, b.Kind.Direction))
	})
	return all
}

// take adds a type to s.
func (s *Site) take(t types.Type, via []Call) {
	t = payload(t)
	name := nameOf(t)
	for i := range s.Values {
		if s.Values[i].Name == name {
			if compareCalls(via, s.Values[i].Via) < 0 {
				s.Values[i].Via = via
			}
			return
		}
	}
	s.Values = append(s.Values, Value{Type: t, Name: name, Via: via})
}

// compareCalls orders lists of calls: the shortest is first and, of those with the same length, the one that is
// first in the source. The functions of a program have no order from run to run.
func compareCalls(a, b []Call) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), slices.CompareFunc(a, b, func(x, y Call) int {
		return cmp.Or(cmp.Compare(x.Pos.Filename, y.Pos.Filename), cmp.Compare(x.Pos.Line, y.Pos.Line), cmp.Compare(x.Pos.Column, y.Pos.Column))
	}))
}

func (s *Site) lack(why string) {
	if s.Open == "" || why < s.Open {
		s.Open = why
	}
}

// finish sorts the values, and moves the reason to Why if there are none.
func (s *Site) finish() {
	slices.SortFunc(s.Values, func(a, b Value) int { return cmp.Compare(a.Name, b.Name) })
	if len(s.Values) == 0 {
		s.Why, s.Open = s.Open, ""
	}
}

// payload returns the message within the types that connect wraps around it.
func payload(t types.Type) types.Type {
	n := namedOf(t)
	if n == nil || n.Obj().Pkg() == nil || n.TypeArgs().Len() != 1 {
		return t
	}
	if n.Obj().Pkg().Path() == "connectrpc.com/connect" && (n.Obj().Name() == "Request" || n.Obj().Name() == "Response") {
		return types.NewPointer(n.TypeArgs().At(0))
	}
	return t
}

// nameOf spells t with package paths.
func nameOf(t types.Type) string {
	return strings.ReplaceAll(types.TypeString(unalias(t), nil), "interface{}", "any")
}

// unalias resolves aliases of t and of what it consists of.
func unalias(t types.Type) types.Type {
	t = types.Unalias(t)
	switch x := t.(type) {
	case *types.Pointer:
		if e := unalias(x.Elem()); e != x.Elem() {
			return types.NewPointer(e)
		}
	case *types.Slice:
		if e := unalias(x.Elem()); e != x.Elem() {
			return types.NewSlice(e)
		}
	case *types.Map:
		k, e := unalias(x.Key()), unalias(x.Elem())
		if k != x.Key() || e != x.Elem() {
			return types.NewMap(k, e)
		}
	}
	return t
}

func isPointer(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.Pointer)
	return ok
}
