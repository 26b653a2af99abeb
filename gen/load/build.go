package load

import (
	"fmt"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/zmylab/zmy/gen/ir"
)

// Build converts types of go/types to the IR in one walk. A type gets its place in the package
// before its parts are converted, so that the walk of a recursive type ends. Facts that depend on
// whole types (sizes, method sets, build constraints) are set after the walk.

// Build describes the types that the expressions name, and every type reached
// from them. An expression is evaluated in the package's scope: Order, order,
// Page[Order], or time.Time if a file of the package imports time.
//
// Build also describes types that no codec can carry (channels, functions); the checks refuse them
// later. It returns an error only for what the Go compiler would refuse, too.
func (p *Pkg) Build(exprs ...string) (*ir.Package, error) { return p.build(false, exprs) }

// BuildDeriving is Build for commands that derive field numbers. Interfaces of the package without
// a directive //zmy:union then have their methods and the types of the package that implement them.
func (p *Pkg) BuildDeriving(exprs ...string) (*ir.Package, error) { return p.build(true, exprs) }

func (p *Pkg) build(deriving bool, exprs []string) (*ir.Package, error) {
	if len(exprs) == 0 {
		return nil, fmt.Errorf("package %s: no type named; %s", p.Path, p.choices())
	}
	var errs []error
	var roots []types.Type
	for _, expr := range exprs {
		t, err := p.eval(expr)
		errs = append(errs, err)
		roots = append(roots, t)
	}
	if err := join(errs...); err != nil {
		return nil, err
	}
	p.world.mu.Lock()
	defer p.world.mu.Unlock()
	b := &builder{p: p, deriving: deriving, pkg: &ir.Package{Path: p.Path, Name: p.Name, Names: p.names()}}
	for i, t := range roots {
		b.path = exprs[i]
		root := b.typ(t)
		b.pkg.Roots = append(b.pkg.Roots, root)
		if u, ok := t.Underlying().(*types.Interface); ok {
			b.methods(root, u)
		}
	}
	if err := b.problems.Err(); err != nil {
		return nil, err
	}
	b.finish()
	b.constrain()
	return b.pkg, nil
}

// names lists the names that the package declares, including those that were left unchecked.
func (p *Pkg) names() []string {
	return slices.Sorted(slices.Values(append(p.types.Scope().Names(), slices.Collect(maps.Keys(p.unit.dropped))...)))
}

// builder converts types of go/types to types of the IR.
type builder struct {
	p        *Pkg
	pkg      *ir.Package
	deriving bool         // set by [Pkg.BuildDeriving]
	seen     typeutil.Map // types.Type to *ir.Type; identical types have one entry
	from     []types.Type // by ir.Type.ID
	path     string       // to the type that is being converted, for problems
	at       ir.Pos       // position of the field that is being converted
	problems ir.Problems
}

// typ converts a type, once. Its children follow it in Package.Types.
func (b *builder) typ(t types.Type) *ir.Type {
	t = types.Unalias(t)
	if known, ok := b.seen.At(t).(*ir.Type); ok {
		return known
	}
	out := &ir.Type{ID: len(b.pkg.Types)}
	b.seen.Set(t, out)
	b.pkg.Types = append(b.pkg.Types, out)
	b.from = append(b.from, t)
	if n, ok := t.(*types.Named); ok {
		b.name(out, n)
	}
	if out.Kind = wellKnown(t); out.Kind == ir.Invalid {
		b.shape(out, t)
	}
	return out
}

func (b *builder) name(out *ir.Type, n *types.Named) {
	obj := n.Obj()
	out.Name = typeName(obj)
	if obj.Pkg() != nil {
		out.Name.Doc, out.Name.Dirs = b.p.world.doc(obj.Pos())
	}
	out.Pos = b.p.world.pos(obj.Pos())
	for arg := range n.TypeArgs().Types() {
		out.Name.Args = append(out.Name.Args, b.typ(arg))
	}
}

// shape sets kind and children from the underlying type.
func (b *builder) shape(out *ir.Type, t types.Type) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		out.Kind = basicKinds[u.Kind()]
		if out.Kind == ir.Invalid {
			b.invalid()
		}
		if out.Name == nil && u.Kind() == types.UnsafePointer {
			out.Name = &ir.TypeName{Pkg: "unsafe", PkgName: "unsafe", Name: "Pointer", Exported: true}
		} else if out.Name == nil {
			out.Name = &ir.TypeName{Name: types.Typ[u.Kind()].Name(), Exported: true} // uint8 for byte
		}
		if n, ok := t.(*types.Named); ok && u.Info()&types.IsInteger != 0 {
			out.Values = values(n, out.Name.Dirs)
		} else if ok && u.Info()&types.IsString != 0 {
			out.Texts = texts(n)
		}
	case *types.Slice:
		out.Kind, out.Elem = ir.Slice, b.under("[]", u.Elem())
		if e, ok := u.Elem().Underlying().(*types.Basic); ok && e.Kind() == types.Uint8 {
			out.Kind = ir.Bytes
		}
	case *types.Array:
		out.Kind, out.Len, out.Elem = ir.Array, u.Len(), b.under("[]", u.Elem())
	case *types.Map:
		out.Kind = ir.Map
		out.Key, out.Elem = b.under("[key]", u.Key()), b.under("[]", u.Elem())
	case *types.Pointer:
		out.Kind, out.Elem = ir.Pointer, b.under("", u.Elem())
	case *types.Struct:
		out.Kind = ir.Struct
		b.fields(out, u)
	case *types.Interface:
		out.Kind = ir.Interface
		if u.Empty() {
			out.Kind = ir.Any
		} else if out.Name == nil {
			out.Words = spelling(u)
		}
		b.union(out, t, u)
	case *types.Chan:
		out.Kind, out.Elem = ir.Chan, b.under("", u.Elem())
		out.Words = spelling(u)
	case *types.Signature:
		out.Kind, out.Words = ir.Func, spelling(u)
	default:
		b.invalid()
	}
}

func (b *builder) under(step string, t types.Type) *ir.Type {
	saved := b.path
	b.path += step
	out := b.typ(t)
	b.path = saved
	return out
}

func (b *builder) fields(out *ir.Type, s *types.Struct) {
	path, at := b.path, b.at
	for i := range s.NumFields() {
		v := s.Field(i)
		f := &ir.Field{
			Name: v.Name(), Tag: s.Tag(i), Embedded: v.Embedded(), Exported: v.Exported(),
			Pos: b.p.world.pos(v.Pos()),
		}
		f.Doc, f.Dirs = b.p.world.doc(v.Pos())
		if v.Pkg() != nil {
			f.Pkg = v.Pkg().Path()
		}
		b.path, b.at = path+"."+f.Name, f.Pos
		f.Type = b.typ(v.Type())
		out.Fields = append(out.Fields, f)
	}
	b.path, b.at = path, at
}

// invalid records a problem: the current field has a type that does not type-check. The message
// has what the type checker reported for that line.
func (b *builder) invalid() {
	const unchecked = "the type does not check"
	msg := unchecked
	for _, u := range b.p.world.units {
		for _, e := range u.errs {
			if b.p.world.pos(e.Pos).Line == b.at.Line && b.p.world.pos(e.Pos).File == b.at.File {
				msg += ": " + firstLine(e.Msg)
			}
		}
	}
	if msg == unchecked {
		msg += ": types of cgo are out of sight"
	}
	b.problems = append(b.problems, ir.Problem{Pos: b.at, Path: b.path, Msg: msg, Hint: compileFirst + ", or use a type of Go"})
}

// finish sets what can be computed only when all types are converted: sizes, offsets, method sets.
func (b *builder) finish() {
	for i, out := range b.pkg.Types {
		t := b.from[i]
		out.Size, out.Align = sizes.Sizeof(t), sizes.Alignof(t)
		out.Hooks, out.Own = hooksOf(t)
		out.Compare = comparable(t)
		out.Lock = holdsLock(t)
		if s, ok := t.Underlying().(*types.Struct); ok && len(out.Fields) > 0 {
			for j, off := range sizes.Offsetsof(slices.Collect(s.Fields())) {
				out.Fields[j].Offset = off
			}
		}
	}
}

// comparable reports whether == is defined and cannot panic.
func comparable(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return false
	case *types.Array:
		return comparable(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if !comparable(f.Type()) {
				return false
			}
		}
		return true
	}
	return types.Comparable(t)
}

// holdsLock reports whether go vet's copylocks forbids copying values of type t: *t has the methods
// Lock and Unlock and t has not, or t is an array or struct that holds such a type.
func holdsLock(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return false
	case *types.Array:
		return holdsLock(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if holdsLock(f.Type()) {
				return true
			}
		}
	}
	return locks(types.NewMethodSet(types.NewPointer(t))) && !locks(types.NewMethodSet(t))
}

// locks reports whether ms has both Lock and Unlock.
func locks(ms *types.MethodSet) bool {
	plain := signature(nil)
	for _, name := range []string{"Lock", "Unlock"} {
		if sel := ms.Lookup(nil, name); sel == nil || !types.Identical(sel.Type(), plain) {
			return false
		}
	}
	return true
}

var basicKinds = map[types.BasicKind]ir.Kind{
	types.Bool: ir.Bool, types.String: ir.String, types.Uintptr: ir.Uintptr,
	types.Int: ir.Int, types.Int8: ir.Int8, types.Int16: ir.Int16, types.Int32: ir.Int32, types.Int64: ir.Int64,
	types.Uint: ir.Uint, types.Uint8: ir.Uint8, types.Uint16: ir.Uint16, types.Uint32: ir.Uint32, types.Uint64: ir.Uint64,
	types.Float32: ir.Float32, types.Float64: ir.Float64,
	types.Complex64: ir.Complex64, types.Complex128: ir.Complex128,
	types.UnsafePointer: ir.Unsafe,
}

var wellKnownKinds = map[[2]string]ir.Kind{
	{"time", "Time"}:                    ir.Time,
	{"time", "Duration"}:                ir.Duration,
	{"math/big", "Int"}:                 ir.BigInt,
	{"math/big", "Float"}:               ir.BigFloat,
	{"math/big", "Rat"}:                 ir.BigRat,
	{"encoding/json", "RawMessage"}:     ir.RawJSON,
	{"encoding/json/jsontext", "Value"}: ir.RawJSON, // RawMessage is an alias of this type when v2 implements encoding/json
	{"encoding/json", "Number"}:         ir.Number,
}

func wellKnown(t types.Type) ir.Kind {
	n, ok := t.(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return ir.Invalid
	}
	return wellKnownKinds[[2]string{n.Obj().Pkg().Path(), n.Obj().Name()}]
}
