package gobin

import (
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/zmytype"
)

// changed is what the compiler calls a value of a type that is no longer what it
// was: its message is all that a user sees.
const changed = "changedRunGoGenerate"

// assertions print functions that do not compile once a type differs from what
// was planned. They come first, since the compiler stops after ten errors.
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

// assertStruct assigns a struct to an unnamed one of the same fields, tags
// included, or where that cannot be written down looks at the fields' types.
func (g *gen) assertStruct(t *ir.ZMYType) {
	v := g.Local(changed)
	plain := &ir.Type{Kind: ir.Struct, Fields: t.Type.Fields}
	if plain.Spellable(g.pkg.Path) {
		if t.Type.Lock { // parameters are copies, results are not
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

// assertNamed converts a pointer to a named type, which its underlying type
// alone allows: a Status that was an int32 must not become an int64.
func (g *gen) assertNamed(t *ir.Type) {
	plain := *t
	plain.Name = nil
	if t.Name.Pkg == "" || knownName(t) || t.Kind == ir.Interface || !plain.Spellable(g.pkg.Path) {
		return
	}
	v := g.Local(changed)
	g.P("func _(", v, " *", t, ") { _ = (*", &plain, ")(", v, ") }")
}

// knownName reports the types of the standard library that have a kind of their own.
func knownName(t *ir.Type) bool {
	switch t.Kind {
	case ir.Time, ir.Duration, ir.BigInt, ir.BigFloat, ir.RawJSON, ir.Number:
		return true
	}
	return false
}
