package goproto

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/pbtype"
	"github.com/zmylab/zmy/internal/pbwire"
)

func itoa[N int | int32](n N) string { return fmt.Sprint(n) }

// tagOf returns a tag as a literal.
func tagOf(number int32, t pbwire.Type) string {
	return fmt.Sprintf("%#02x", uint64(number)<<3|uint64(t))
}

// decoder prints the function that merges a message into a struct, or that verifies it.
func (g *gen) decoder(m *ir.ProtoMessage) {
	facts := g.facts[m.Type]
	g.fail, g.inGroup = "-1", facts.group
	name, value := g.funcs[m.Type].decode, g.v+" *"+g.Type(m.Type)+", "
	if g.verify {
		name, value = g.funcs[m.Type].verify, ""
	}
	g.P("func ", name, "(", g.d, " *", g.rt("Decoder"), ", ", g.b, " []byte, ", value, g.left, " int",
		g.whenGroup(m, ", "+g.group+" uint64, "+g.groups+" int"), ") int {")
	g.fails(g.left + "--; " + g.left + " < 0")
	if !g.verify {
		g.recycle(m)
	}
	if facts.maps {
		g.P(g.last, " := 0")
	}
	g.P(g.i, " := 0")
	g.P("for ", g.i, " < len(", g.b, ") {")
	if m.Unknown != nil {
		g.P(g.at, " := ", g.i)
	}
	g.readTag(slices.ContainsFunc(m.Fields, func(f ir.ProtoField) bool { return tagSize(f.Number) == 2 }))
	g.P("switch ", g.tag, " {")
	for i := range m.Fields {
		g.decodeField(m, &m.Fields[i])
	}
	g.P("default:")
	g.decodeOther(m)
	g.P("}\n}")
	if facts.group {
		g.fails(g.group + " != 0")
	}
	g.P("return ", g.i, "\n}\n")
	for i := range m.Fields {
		if f := &m.Fields[i]; f.Shape == pbtype.Map && (g.verify || !isStringMap(f)) {
			g.decodeEntry(m, f)
		}
	}
}

// readTag prints code that reads the tag at i, which ends at j. long says that tags of two bytes are usual.
func (g *gen) readTag(long bool) {
	g.P(g.tag, ", ", g.j, " := uint64(", g.b, "[", g.i, "]), ", g.i, "+1")
	g.P("if ", g.tag, " >= 0x80 {")
	if long {
		g.P("if ", g.oneByte(), " {")
		g.P(g.tag, ", ", g.j, " = ", g.tag, "&0x7f|uint64(", g.b, "[", g.j, "])<<7, ", g.j, "+1\n} else {")
		defer g.P("}")
	}
	g.fails(g.tag + ", " + g.j + " = " + g.rt("LongUvarint") + "(" + g.b + ", " + g.i + "); " + g.j + " < 0")
	g.P("}")
}

// fails prints code that fails under a condition.
func (g *gen) fails(cond string) { g.P("if ", cond, " {\nreturn ", g.fail, "\n}") }

// decodeOther prints code for the end of a group and for unknown fields.
func (g *gen) decodeOther(m *ir.ProtoMessage) {
	groups := "0"
	if g.facts[m.Type].group {
		groups = g.groups
		g.P("if ", g.group, " != 0 && ", g.tag, " == ", g.group, "<<3|", int(pbwire.EndGroupType), " {\nreturn ", g.j, "\n}")
	}
	var maps []string
	for i := range m.Fields {
		if f := &m.Fields[i]; f.Shape == pbtype.Map {
			maps = append(maps, g.tag+">>3 == "+itoa(f.Number))
		}
	}
	if len(maps) > 0 { // an entry is too deep even if its wire type is not that of a message
		g.fails(g.left + " < 1 && (" + strings.Join(maps, " || ") + ")")
	}
	g.P(g.i, " = ", g.rt("Skip"), "(", g.b, ", ", g.j, ", ", g.tag, ", ", groups, ")")
	g.fails(g.i + " < 0")
	switch {
	case m.Unknown != nil && g.verify:
		g.P(g.d, ".Unknown(", g.i, " - ", g.at, ")")
	case m.Unknown != nil:
		at := g.v + "." + m.Unknown.Name
		g.P(at, " = ", g.rt("Keep"), "(", g.d, ", ", at, ", ", g.b, "[", g.at, ":", g.i, "])")
	}
}

// decodeField prints the cases of a field.
func (g *gen) decodeField(m *ir.ProtoMessage, f *ir.ProtoField) {
	at := g.v + "." + f.Name
	wire := f.Value.Kind.Wire()
	if f.Shape == pbtype.Map {
		wire = pbwire.BytesType
	}
	g.P("case ", tagOf(f.Number, wire), ":")
	switch f.Shape {
	case pbtype.Single:
		if f.Arm != nil {
			g.decodeArm(f, at)
			break
		}
		if !g.verify {
			g.clearOthers(m, f)
		}
		empty := f.Presence == pbtype.Implicit && f.Value.Kind == pbtype.Bytes && f.Value.Len == 0
		g.decodeValue(f.Number, &f.Value, at, empty)
	case pbtype.List:
		g.decodeElem(f, at)
	case pbtype.Map:
		g.decodeMap(m, f, at)
	}
	if g.facts[m.Type].maps {
		g.P(g.last, " = ", f.Number)
	}
	if f.Shape == pbtype.List && f.Value.Kind.IsNumber() {
		g.P("case ", tagOf(f.Number, pbwire.BytesType), ":")
		g.decodePacked(f, at)
		if g.facts[m.Type].maps {
			g.P(g.last, " = ", f.Number)
		}
	}
}

// clearOthers prints code that clears the other arms of the oneof that has the arm f.
func (g *gen) clearOthers(m *ir.ProtoMessage, f *ir.ProtoField) {
	for i := range m.Fields {
		if o := &m.Fields[i]; f.Oneof >= 0 && o.Oneof == f.Oneof && o.Number != f.Number {
			g.P(g.v, ".", o.Name, " = nil")
		}
	}
}

// decodeElem prints code that appends an element to a list.
func (g *gen) decodeElem(f *ir.ProtoField, at string) {
	slot := g.slotType(f)
	spans := f.Value.Kind.Wire() == pbwire.BytesType
	if spans {
		g.span()
	}
	g.fails(g.d + ".Charge(2*" + g.sizeOf(slot) + ")")
	elem := ""
	if !g.verify {
		elem = g.extend(f, at, spans)
	}
	if spans {
		g.decodeContent(&f.Value, elem, false)
	} else {
		g.decodeValue(f.Number, &f.Value, elem, false)
	}
}

// extend prints code that adds an element to a list, and returns the element.
func (g *gen) extend(f *ir.ProtoField, at string, spans bool) (elem string) {
	run := "1"
	if spans && tagSize(f.Number) == 1 {
		run = g.rt("Run") + "(" + g.b + ", " + g.i + ", " + tagOf(f.Number, pbwire.BytesType) + ")"
	}
	g.P(g.k, " := len(", at, ")")
	g.P("if ", g.k, " == cap(", at, ") {\n", at, " = ", g.rt("Grow"), "(", g.d, ", ", at, ", ", run, ")\n}")
	g.P(at, " = ", at, "[:", g.k, "+1]")
	elem = at + "[" + g.k + "]"
	zero := g.zero(f.Value.Type)
	if f.Value.Pointer {
		zero = "nil"
	}
	switch {
	case f.Value.Message != nil && f.Value.Pointer:
		g.P("if !", g.d, ".Reuses() {\n", elem, " = nil\n} else if ", elem, " != nil {\n", g.d, ".Recycle()\n}")
	case f.Value.Message != nil:
		g.P("if ", g.d, ".Reuses() {\n", g.d, ".Recycle()\n} else {\n", elem, " = ", zero, "\n}")
	case f.Value.Kind.IsMessage():
		g.P(elem, " = ", zero)
	}
	return elem
}

// unpacks has the functions of the runtime that append packed lists.
var unpacks = map[pbtype.Kind]string{
	pbtype.Bool: "AppendBools", pbtype.Enum: "AppendVarints", pbtype.Int32: "AppendVarints", pbtype.Int64: "AppendVarints",
	pbtype.Uint32: "AppendVarints", pbtype.Uint64: "AppendVarints", pbtype.Sint32: "AppendZigZags", pbtype.Sint64: "AppendZigZags",
	pbtype.Fixed32: "AppendFixed32", pbtype.Sfixed32: "AppendFixed32", pbtype.Float: "AppendFloat32",
	pbtype.Fixed64: "AppendFixed64", pbtype.Sfixed64: "AppendFixed64", pbtype.Double: "AppendFloat64",
}

func (g *gen) decodePacked(f *ir.ProtoField, at string) {
	g.span()
	if g.verify {
		g.verifyPacked(f)
		return
	}
	name, last := unpacks[f.Value.Kind], ""
	switch {
	case f.Value.Narrow:
		name, last = "AppendNarrow", ", "+g.narrowForm(f.Value.Kind)
	case f.Value.Kind == pbtype.Sint32:
		last = ", 1<<32-1"
	case f.Value.Kind == pbtype.Sint64:
		last = ", 1<<64-1"
	}
	g.P(g.s, ", ", g.ok, " := ", g.rt(name), "(", g.d, ", ", at, ", ", g.b, "[", g.j, ":", g.i, "]", last, ")")
	g.fails("!" + g.ok)
	g.P(at, " = ", g.s)
}

// verifyPacked prints code that verifies the packed list from j to i.
func (g *gen) verifyPacked(f *ir.ProtoField) {
	content, size := g.b+"["+g.j+":"+g.i+"]", g.sizeOf(g.Type(f.Value.Type))
	if f.Value.Narrow {
		g.fails("!" + g.rt("ValidNarrow") + "[" + g.Type(f.Value.Type) + "](" + g.d + ", " + content + ", " + g.narrowForm(f.Value.Kind) + ")")
		return
	}
	switch f.Value.Kind.Wire() {
	case pbwire.Fixed32Type:
		g.fails("!" + g.d + ".ValidFixed(" + content + ", 4, " + size + ")")
	case pbwire.Fixed64Type:
		g.fails("!" + g.d + ".ValidFixed(" + content + ", 8, " + size + ")")
	default:
		g.fails("!" + g.d + ".ValidVarints(" + content + ", " + size + ")")
	}
}
