package load

import (
	"go/types"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
)

// union converts the arms of an interface, which are the types in its directive //zmy:union, and
// the interface's methods. Package check reports errors in the directive; union does not.
func (b *builder) union(out *ir.Type, t types.Type, u *types.Interface) {
	n, ok := t.(*types.Named)
	if !ok || out.Name == nil || n.Obj().Pkg() == nil {
		return
	}
	var words []string
	for _, d := range out.Name.Dirs {
		if args, ok := strings.CutPrefix(d, "zmy:union"); ok {
			words = append(words, strings.Fields(args)...)
		}
	}
	if len(words) == 0 {
		if b.deriving && n.Obj().Pkg() == b.p.types && !u.Empty() {
			b.methods(out, u)
			b.implementers(out, u)
		}
		return
	}
	for _, text := range words {
		name, _, _ := strings.Cut(text, "=")
		arm := ir.Arm{}
		if obj, ok := n.Obj().Pkg().Scope().Lookup(name).(*types.TypeName); ok && !obj.IsAlias() {
			arm = b.arm(obj, u)
		}
		arm.Text = text
		out.Arms = append(out.Arms, arm)
	}
	b.methods(out, u)
}

func (b *builder) arm(obj *types.TypeName, u *types.Interface) ir.Arm {
	return ir.Arm{
		Text: obj.Name(), Type: b.under("", obj.Type()),
		Value: types.Implements(obj.Type(), u), Pointer: types.Implements(types.NewPointer(obj.Type()), u),
	}
}

// implementers lists the types of the package that implement an interface, by name. A generic type
// is listed by name only, since its instances are unknown.
func (b *builder) implementers(out *ir.Type, u *types.Interface) {
	scope := b.p.types.Scope()
	for _, name := range scope.Names() {
		obj, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || obj.IsAlias() || types.IsInterface(obj.Type()) || !types.Implements(types.NewPointer(obj.Type()), u) {
			continue
		}
		if n, ok := obj.Type().(*types.Named); ok && n.TypeParams().Len() > 0 {
			out.Implementers = append(out.Implementers, ir.Arm{Text: name})
			continue
		}
		out.Implementers = append(out.Implementers, b.arm(obj, u))
	}
}

// methods lists the methods of an interface, including those of embedded interfaces, by name.
func (b *builder) methods(out *ir.Type, u *types.Interface) {
	if len(out.Methods) > 0 {
		return
	}
	for m := range u.Methods() {
		sig := m.Signature()
		method := ir.Method{Name: m.Name(), Exported: m.Exported(), Variadic: sig.Variadic(), Pos: b.p.world.pos(m.Pos())}
		method.Doc, method.Dirs = b.p.world.doc(m.Pos())
		for p := range sig.Params().Variables() {
			method.Params = append(method.Params, b.under("", p.Type()))
		}
		for r := range sig.Results().Variables() {
			method.Results = append(method.Results, b.under("", r.Type()))
		}
		out.Methods = append(out.Methods, method)
	}
}
