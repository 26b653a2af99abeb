package gobin

import (
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/zmytype"
)

// changed is the name of a variable in assertions. If a type has changed, the user sees nothing but
// the compiler's message, which has this name.
const changed = "changedRunGoGenerate"

// assertions prints functions that do not compile once a type differs from the plan. They are
// printed first, since the compiler stops after ten errors.
func (g *gen) assertions() {
	asserted := map[*ir.Type]bool{}
	for _, t := range g.plan.Types {
		if t.Type.Name == nil || t.Shape == zmytype.ShapeMethods || asserted[t.Type] {
			continue
		}
		if len(asserted) == 0 {
			g.P("// A type that has changed since this file was generated does not compile here:")
			g.P("// run go generate.")
		}
		asserted[t.Type] = true
		if t.Type.Kind == ir.Struct {
			g.assertStruct(t)
		} else {
			g.assertNamed(t.Type)
		}
	}
}

// assertStruct prints an assignment of the struct to an unnamed struct with the same fields and
// tags. If the package cannot write that struct, it checks the types of the fields one by one.
func (g *gen) assertStruct(t *ir.ZMYType) {
	v := g.Local(changed)
	plain := &ir.Type{Kind: ir.Struct, Fields: t.Type.Fields}
	if plain.Spellable(g.pkg.Path) {
		if t.Type.Lock { // a parameter would be copied, a result is not
			g.P("func _(", v, " func() ", t.Type, ") { var _ ", plain, " = ", v, "() }")
			return
		}
		g.P("func _(", v, " ", t.Type, ") { var _ ", plain, " = ", v, " }")
		return
	}
	g.P("func _(", v, " *", t.Type, ") {")
	for _, f := range t.Fields {
		if f.Field != nil && f.Field.Type.Spellable(g.pkg.Path) {
			g.P("var _ *", f.Field.Type, " = &", v, ".", f.Field.Name)
		}
	}
	g.P("}")
}

// assertNamed prints a conversion of a pointer to the named type. It compiles only if the
// underlying type is unchanged: a Status that was an int32 must not become an int64.
func (g *gen) assertNamed(t *ir.Type) {
	plain := *t
	plain.Name = nil
	if t.Name.Pkg == "" || knownName(t) || t.Kind == ir.Interface || !plain.Spellable(g.pkg.Path) {
		return
	}
	v := g.Local(changed)
	g.P("func _(", v, " *", t, ") { _ = (*", &plain, ")(", v, ") }")
}

// knownName reports whether t is a type of the standard library that has a kind of its own.
func knownName(t *ir.Type) bool {
	switch t.Kind {
	case ir.Time, ir.Duration, ir.BigInt, ir.BigFloat, ir.RawJSON, ir.Number:
		return true
	}
	return false
}
