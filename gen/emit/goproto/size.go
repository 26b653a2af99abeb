package goproto

import (
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/pbtype"
	"github.com/zmylab/zmy/internal/pbwire"
)

// sizer prints the function that returns the length of a struct's fields.
func (g *gen) sizer(m *ir.ProtoMessage) {
	g.P("func ", g.funcs[m.Type].size, "(", g.v, " *", m.Type, g.whenDeep(m, ", "+g.left+" int"), ") int {")
	if g.facts[m.Type].deep {
		g.P("if ", g.left, "--; ", g.left, " < 0 {\nreturn -1\n}")
	}
	g.P(g.n, " := 0")
	for i := 0; i < len(m.Fields); {
		f := &m.Fields[i]
		if i++; f.Arm == nil {
			g.sizeField(f)
			continue
		}
		first := i - 1
		for i < len(m.Fields) && m.Fields[i].Oneof == f.Oneof {
			i++
		}
		g.sizeArms(m.Fields[first:i])
	}
	if m.Unknown != nil {
		g.P(g.n, " += len(", g.v, ".", m.Unknown.Name, ")")
	}
	g.P("return ", g.n, "\n}\n")
}

func (g *gen) sizeField(f *ir.ProtoField) {
	at := g.v + "." + f.Name
	switch f.Shape {
	case pbtype.Single:
		if f.Value.Message != nil {
			g.scope(g.present(f), func() {
				g.sizeMessage(g.n, f.Number, &f.Value, at, f.Presence == pbtype.Implicit, true, g.left)
			})
			return
		}
		g.when(g.present(f), func() {
			if f.Value.Kind.IsOwn() && f.Presence == pbtype.Implicit {
				g.sizeOwn(f, g.value(f))
				return
			}
			g.P(g.n, " += ", tagSize(f.Number), " + ", g.sizeOfValue(&f.Value, g.value(f)))
		})
	case pbtype.List:
		if f.Packed {
			g.P("if len(", at, ") > 0 {")
			g.P(g.n, " += ", tagSize(f.Number), " + ", g.rt("SizeBytes"), "(", g.sizeOfPack(f.Value.Kind, at), ")\n}")
			return
		}
		if f.Value.Message == nil && (isConstant(f.Value.Kind) || f.Value.Len > 0) {
			g.P(g.n, " += len(", at, ") * (", tagSize(f.Number), " + ", g.sizeOfValue(&f.Value, ""), ")")
			return
		}
		elem := at + "[" + g.k + "]"
		g.P("for ", g.k, " := range ", at, " {")
		if f.Value.Message != nil {
			g.sizeMessage(g.n, f.Number, &f.Value, elem, false, false, g.left)
		} else {
			g.P(g.n, " += ", tagSize(f.Number), " + ", g.sizeOfValue(&f.Value, elem))
		}
		g.P("}")
	case pbtype.Map:
		g.sizeMap(f, at)
	}
}

func (g *gen) sizeMap(f *ir.ProtoField, at string) {
	key, val := g.key, g.val
	if isConstant(f.Key.Kind) {
		key = "_"
	}
	if f.Value.Message == nil && (isConstant(f.Value.Kind) || f.Value.Len > 0) {
		val = "_"
	}
	if key == "_" && val == "_" {
		g.P("for range ", at, " {")
	} else {
		g.P("for ", key, ", ", val, " := range ", at, " {")
	}
	g.P(g.s, " := 1 + ", g.sizeOfValue(&f.Key, g.key))
	if f.Value.Message != nil {
		g.sizeMessage(g.s, entryValue, &f.Value, g.val, false, false, g.left+"-1")
	} else {
		g.P(g.s, " += 1 + ", g.sizeOfValue(&f.Value, g.val))
	}
	g.P(g.n, " += ", tagSize(f.Number), " + ", g.rt("SizeBytes"), "(", g.s, ")\n}")
}

// isConstant reports whether all values of the kind have the same length.
func isConstant(k pbtype.Kind) bool {
	return k == pbtype.Bool || k.Wire() == pbwire.Fixed32Type || k.Wire() == pbwire.Fixed64Type
}

// sizeMessage prints code that adds the length of a struct to the variable sum.
func (g *gen) sizeMessage(sum string, number int32, v *ir.ProtoValue, at string, drop, some bool, left string) {
	ref := "&" + at
	if v.Pointer {
		ref = at
	}
	if v.Pointer && !some {
		g.P(g.x, " := 0")
		g.P("if ", at, " != nil {")
		g.P(g.x, " = ", g.funcs[v.Type].size, "(", ref, g.whenDeep(v.Message, ", "+left), ")\n}")
	} else {
		g.P(g.x, " := ", g.funcs[v.Type].size, "(", ref, g.whenDeep(v.Message, ", "+left), ")")
	}
	if g.facts[v.Type].deep {
		g.P("if ", g.x, " < 0 {\nreturn -1\n}")
	}
	cond := ""
	if drop {
		cond = g.x + " > 0"
	}
	g.when(cond, func() {
		if v.Kind == pbtype.Group {
			g.P(sum, " += ", 2*tagSize(number), " + ", g.x)
		} else {
			g.P(sum, " += ", tagSize(number), " + ", g.rt("SizeBytes"), "(", g.x, ")")
		}
	})
}

// sizeOfValue returns the length of a value that is no struct, without its tag.
func (g *gen) sizeOfValue(v *ir.ProtoValue, at string) string {
	switch v.Kind {
	case pbtype.String, pbtype.Bytes:
		if v.Len > 0 {
			return itoa(pbwire.SizeBytes(v.Len))
		}
		return g.rt("SizeBytes") + "(len(" + at + "))"
	case pbtype.Text, pbtype.Binary:
		return g.rt("Size"+owns[v.Kind]) + "(" + ref(at) + ")"
	case pbtype.Timestamp:
		return g.rt("SizeTime") + "(" + at + ")"
	case pbtype.Duration:
		return g.rt("SizeDuration") + "(" + at + ")"
	case pbtype.Wrapper:
		return g.sizeOfWrapper(v, at)
	case pbtype.DynamicValue, pbtype.DynamicStruct, pbtype.DynamicList:
		return g.rt("Size"+dynamics[v.Kind]) + "(" + at + ", " + g.left + ")"
	case pbtype.Bool:
		return "1"
	}
	switch v.Kind.Wire() {
	case pbwire.Fixed32Type:
		return "4"
	case pbwire.Fixed64Type:
		return "8"
	}
	return g.rt("SizeVarint") + "(" + g.bits(v, at) + ")"
}
