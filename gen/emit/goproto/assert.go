package goproto

import "github.com/zmylab/zmy/gen/ir"

// changed is the name of a variable in assertions. If a type has changed, the user sees nothing but
// the compiler's message, which has this name.
const changed = "changedRunGoGenerate"

// assertions prints functions that do not compile once a type differs from the plan. They are
// printed first, since the compiler stops after ten errors. For a struct of another package with
// fields that this package cannot write, they check the types of the carried fields only.
func (g *gen) assertions() {
	g.P("// A type that has changed since this file was generated does not compile here:")
	g.P("// run go generate.")
	done := map[*ir.Type]bool{}
	for _, m := range g.plan.Messages {
		if m.Type.Name != nil && !done[m.Type] {
			g.assertStruct(m)
		}
		done[m.Type] = true
	}
	for _, m := range g.plan.Messages {
		for i := range m.Fields {
			f := &m.Fields[i]
			if f.Arm != nil && f.Arm.Inner != nil && !done[f.Arm.Type] {
				done[f.Arm.Type] = true
				g.assertStruct(&ir.ProtoMessage{Type: f.Arm.Type})
			}
			for _, t := range []*ir.Type{f.Of.Type, f.Value.Type, f.Key.Type} {
				if t != nil && !done[t] {
					done[t] = true
					g.assertNamed(t)
				}
			}
		}
	}
	g.P()
}

// assertStruct prints an assignment of the struct to an unnamed struct with the same fields and tags.
func (g *gen) assertStruct(m *ir.ProtoMessage) {
	t, v := m.Type, g.Local(changed)
	plain := &ir.Type{Kind: ir.Struct, Fields: t.Fields}
	switch {
	case !plain.Spellable(g.pkg.Path):
		g.P("func _(", v, " *", t, ") {")
		for i := range m.Fields {
			f := m.Fields[i].Of
			g.P("var _ *", f.Type, " = &", v, ".", f.Name)
		}
		g.P("}")
	case t.Lock: // a parameter would be copied, a result is not
		g.P("func _(", v, " func() ", t, ") { var _ ", plain, " = ", v, "() }")
	default:
		g.P("func _(", v, " ", t, ") { var _ ", plain, " = ", v, " }")
	}
}

// assertNamed prints a conversion of a pointer to a named type. It compiles only if the underlying
// type is unchanged.
func (g *gen) assertNamed(t *ir.Type) {
	if t.Name == nil || t.Name.Pkg == "" {
		return
	}
	switch t.Kind {
	case ir.Time, ir.Duration, ir.RawJSON, ir.Number, ir.Struct, ir.Interface, ir.Any, ir.BigInt, ir.BigFloat, ir.BigRat:
		return
	}
	plain := *t
	plain.Name = nil
	if plain.Spellable(g.pkg.Path) {
		v := g.Local(changed)
		g.P("func _(", v, " *", t, ") { _ = (*", basic(&plain), ")(", v, ") }")
	}
}

// basic returns a type that the printer can write: a predeclared one has a name.
func basic(t *ir.Type) *ir.Type {
	if t.Elem == nil && t.Kind != ir.Struct {
		t.Name = &ir.TypeName{Name: t.Kind.String()}
	}
	return t
}
