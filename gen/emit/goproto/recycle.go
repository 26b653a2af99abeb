package goproto

import (
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/pbtype"
)

// mostKept is how many pointers of a message are kept to be used again. Each takes a variable.
const mostKept = 8

// recycle prints the beginning of a decoder: if its value is used again, it is emptied, but the pointers
// are kept in variables until a field needs them.
func (g *gen) recycle(m *ir.ProtoMessage) {
	g.kept = map[string]string{}
	var names []string
	for i := range m.Fields {
		f := &m.Fields[i]
		whole := f.Value.Message != nil || !f.Value.Kind.IsMessage() // what reads it does not look at its old value, or empties it
		if f.Shape == pbtype.Single && f.Arm == nil && f.Value.Pointer && whole && len(names) < mostKept {
			name := g.Local("kept" + f.Name)
			g.kept[g.v+"."+f.Name] = name
			g.P("var ", name, " *", f.Value.Type)
			names = append(names, f.Name)
		}
	}
	g.P("if ", g.d, ".Recycles() {")
	for _, name := range names {
		g.P(g.kept[g.v+"."+name], " = ", g.v, ".", name)
	}
	g.P(g.funcs[m.Type].recycle, "(", g.v, ")\n}")
}

// unkeep prints code that sets a nil pointer to a kept value or to a new one.
func (g *gen) unkeep(v *ir.ProtoValue, at string) {
	kept := g.kept[at]
	if kept == "" {
		g.P(at, " = new(", v.Type, ")")
		return
	}
	g.P("if ", at, " = ", kept, "; ", at, " == nil {\n", at, " = new(", v.Type, ")")
	if v.Message != nil {
		g.P("} else {\n", kept, " = nil\n", g.d, ".Recycle()")
	}
	g.P("}")
}

// recycler prints the function that empties a struct and keeps the memory of its lists and maps.
func (g *gen) recycler(m *ir.ProtoMessage) {
	g.P("func ", g.funcs[m.Type].recycle, "(", g.v, " *", m.Type, ") {")
	for i := range m.Fields {
		f := &m.Fields[i]
		at := g.v + "." + f.Name
		switch {
		case i > 0 && f.Arm != nil && f.Name == m.Fields[i-1].Name: // the same interface
		case f.Shape == pbtype.List:
			g.P(at, " = ", at, "[:0]")
		case f.Shape == pbtype.Map:
			g.P("clear(", at, ")")
		case f.Value.Message != nil && !f.Value.Pointer && f.Arm == nil:
			g.P(g.funcs[f.Value.Type].recycle, "(&", at, ")")
		default:
			g.P(at, " = ", g.zero(f.Of.Type))
		}
	}
	if m.Unknown != nil {
		at := g.v + "." + m.Unknown.Name
		g.P(at, " = ", at, "[:0]")
	}
	g.P("}\n")
}
