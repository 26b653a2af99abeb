package goproto

import (
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/pbtype"
	"github.com/zmylab/zmy/internal/pbwire"
)

// The field numbers of the entries of maps.
const (
	entryKey   = 1
	entryValue = 2
)

// isStringMap reports whether a function of the runtime writes the map.
func isStringMap(f *ir.ProtoField) bool {
	plain := func(v *ir.ProtoValue) bool {
		return v.Kind == pbtype.String && !v.Raw && !v.Pointer && v.Type.Name != nil && v.Type.Name.Pkg == "" && v.Type.Kind == ir.String
	}
	return f.Shape == pbtype.Map && plain(&f.Key) && plain(&f.Value) && tagSize(f.Number) == 1
}

func (g *gen) encodeMap(m *ir.ProtoMessage, f *ir.ProtoField, at string) {
	if isStringMap(f) {
		g.P("if len(", at, ") > 0 {")
		g.P("if ", g.b, ", ", g.i, " = ", g.rt("StringMap"), "(", g.b, ", ", g.i, ", ", tagOf(f.Number, pbwire.BytesType), ", ", at, ", ",
			g.e, ".Sorted); ", g.i, " < 0 {\nreturn ", g.b, ", -1\n}\n}")
		return
	}
	call := func(key, val string) {
		if f.Value.Message != nil && !f.Value.Pointer {
			val = "&" + val
		}
		g.P("if ", g.b, ", ", g.i, " = ", g.entryFunc("encode", m, f), "(", g.b, ", ", g.i, ", ", key, ", ", val, ", ", g.e, ", ",
			g.left, "-1); ", g.i, " < 0 {\nreturn ", g.b, ", -1\n}")
	}
	sorted := "Sorted"
	if f.Key.Kind == pbtype.Bool {
		sorted = "SortedBools"
	}
	g.P("if ", g.e, ".Sorted && len(", at, ") > 1 {")
	g.P(g.s, " := ", g.rt(sorted), "(nil, ", at, ")")
	g.P("for ", g.k, " := range ", g.s, " {")
	call(g.s+"["+g.k+"].Key", g.s+"["+g.k+"].Value")
	g.P("}\n} else {")
	g.P("for ", g.key, ", ", g.val, " := range ", at, " {")
	call(g.key, g.val)
	g.P("}\n}")
}

// entries identifies a function for the entries of a map.
type entries struct {
	verb   string
	of     *ir.Type
	number int32
}

// entryFunc returns the name of the function for the entries of a map. Words of types and fields do not
// tell functions apart: two packages may have one name.
func (g *gen) entryFunc(verb string, m *ir.ProtoMessage, f *ir.ProtoField) string {
	at := entries{verb, m.Type, f.Number}
	name, ok := g.entries[at]
	if !ok {
		name = g.Unique(verb + g.funcs[m.Type].word + f.Name + "Proto")
		g.entries[at] = name
	}
	return name
}

// valueType returns the type of the values of a map as entries are encoded from it.
func (g *gen) valueType(f *ir.ProtoField) string {
	if f.Value.Pointer || f.Value.Message != nil {
		return "*" + g.Type(f.Value.Type)
	}
	return g.Type(f.Value.Type)
}

// encodeEntry prints the function that writes an entry of a map.
func (g *gen) encodeEntry(m *ir.ProtoMessage, f *ir.ProtoField) {
	g.P("func ", g.entryFunc("encode", m, f), "(", g.b, " []byte, ", g.i, " int, ", g.key, " ", f.Key.Type, ", ", g.val, " ",
		g.valueType(f), ", ", g.e, " *", g.rt("Encoder"), ", ", g.left, " int) ([]byte, int) {")
	r := room{n: tagSize(f.Number) + 1 + 1}
	r.add(roomOf(&f.Key, g.key))
	if f.Value.Message == nil {
		r.add(room{n: 1})
		r.add(roomOf(&f.Value, g.val))
	}
	g.ask(r)
	g.P(g.i, " = ", g.putTag(f.Number, pbwire.BytesType), " + 1")
	pends := g.pends(&f.Value)
	if pends {
		g.P(g.at, ", ", g.entry, " := ", g.i, ", ", g.e, ".Extra()")
	} else {
		g.P(g.at, " := ", g.i)
	}
	g.put(entryKey, &f.Key, g.key)
	if f.Value.Message != nil {
		v := f.Value
		v.Pointer = true
		g.encodeMessage(entryValue, &v, g.val, false, !f.Value.Pointer, g.left)
	} else {
		g.put(entryValue, &f.Value, g.val)
	}
	start, before := g.start, g.before
	g.start, g.before = g.at, g.entry
	g.closeLength(pends)
	g.start, g.before = start, before
	g.P("return ", g.b, ", ", g.i, "\n}\n")
}

// decodeMap prints code that stores an entry of a map, which starts at j.
func (g *gen) decodeMap(m *ir.ProtoMessage, f *ir.ProtoField, at string) {
	size := g.sizeOf(g.rt("Entry") + "[" + g.Type(f.Key.Type) + ", " + g.slotType(f) + "]")
	g.P("if ", g.left, " < 1 {\nreturn -1\n}")
	g.span()
	g.fails(g.d + ".ChargeEntry(" + size + ", " + g.last + " == " + itoa(f.Number) + ")")
	if g.verify {
		g.fails("!" + g.entryFunc("verify", m, f) + "(" + g.d + ", " + g.b + "[" + g.j + ":" + g.i + "], " + g.left + "-1)")
		return
	}
	g.P("if ", at, " == nil {")
	if tagSize(f.Number) == 1 {
		g.P(at, " = make(", f.Of.Type, ", ", g.d, ".RunOf(", g.b, ", ", g.i, ", ", tagOf(f.Number, pbwire.BytesType), ", ", size, "))")
	} else {
		g.P(at, " = make(", f.Of.Type, ")")
	}
	g.P("}")
	if isStringMap(f) {
		g.fails("!" + g.rt("MergeStrings") + "(" + g.d + ", " + g.b + "[" + g.j + ":" + g.i + "], " + at + ")")
		return
	}
	g.fails("!" + g.entryFunc("decode", m, f) + "(" + g.d + ", " + g.b + "[" + g.j + ":" + g.i + "], " + at + ", " + g.left + "-1)")
}

// decodeEntry prints the function that reads an entry of a map and stores it, or that verifies it.
func (g *gen) decodeEntry(m *ir.ProtoMessage, f *ir.ProtoField) {
	verb, value := "decode", g.v+" "+g.Type(f.Of.Type)+", "
	if g.verify {
		verb, value = "verify", ""
	}
	g.P("func ", g.entryFunc(verb, m, f), "(", g.d, " *", g.rt("Decoder"), ", ", g.b, " []byte, ", value, g.left, " int) bool {")
	if !g.verify {
		g.P("var ", g.key, " ", f.Key.Type)
	}
	switch v := &f.Value; {
	case v.Pointer:
		g.P("if ", g.d, ".Charge(", g.sizeOf(g.Type(v.Type)), ") {\nreturn false\n}")
		if !g.verify {
			g.P(g.val, " := new(", v.Type, ")")
		}
	case g.verify:
	case v.Kind == pbtype.Timestamp:
		g.P(g.val, " := ", g.rt("Epoch"), "()")
	default:
		g.P("var ", g.val, " ", v.Type)
	}
	old := g.fail
	g.fail = "false"
	g.P("for ", g.i, " := 0; ", g.i, " < len(", g.b, "); {")
	g.readTag(false)
	g.P("switch ", g.tag, " {")
	g.P("case ", tagOf(entryKey, f.Key.Kind.Wire()), ":")
	g.decodeValue(entryKey, &f.Key, g.key, false)
	g.P("case ", tagOf(entryValue, f.Value.Kind.Wire()), ":")
	g.decodeValue(entryValue, &f.Value, g.val, false)
	g.P("default:")
	g.P("if ", g.i, " = ", g.rt("Skip"), "(", g.b, ", ", g.j, ", ", g.tag, ", 0); ", g.i, " < 0 {\nreturn false\n}")
	g.P("}\n}")
	g.fail = old
	if !g.verify {
		g.P(g.v, "[", g.key, "] = ", g.val)
	}
	g.P("return true\n}\n")
}

// slotType returns the type of an element in the list, or of a value in the map.
func (g *gen) slotType(f *ir.ProtoField) string {
	if f.Value.Pointer {
		return "*" + g.Type(f.Value.Type)
	}
	return g.Type(f.Value.Type)
}
