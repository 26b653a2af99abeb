package goproto

import (
	"fmt"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/pbtype"
	"github.com/zmylab/zmy/internal/pbwire"
)

// encoder prints the function that writes the fields of a struct.
func (g *gen) encoder(m *ir.ProtoMessage) {
	g.P("func ", g.funcs[m.Type].encode, "(", g.b, " []byte, ", g.i, " int, ", g.v, " *", m.Type,
		g.whenDeep(m, ", "+g.e+" *"+g.rt("Encoder")+", "+g.left+" int"), ") ([]byte, int) {")
	if g.facts[m.Type].deep {
		g.P("if ", g.left, "--; ", g.left, " < 0 {\nreturn ", g.b, ", -1\n}")
	}
	g.oneArm(m)
	for i := 0; i < len(m.Fields); {
		n := i
		if m.Fields[i].Arm != nil {
			for n < len(m.Fields) && m.Fields[n].Oneof == m.Fields[i].Oneof {
				n++
			}
			g.encodeArms(m.Fields[i:n])
			i = n
			continue
		}
		for n < len(m.Fields) && isFlat(&m.Fields[n]) {
			n++
		}
		if n > i {
			g.flat(m.Fields[i:n])
			i = n
			continue
		}
		g.encodeField(m, &m.Fields[i])
		i++
	}
	if m.Unknown != nil {
		at := g.v + "." + m.Unknown.Name
		g.P("if len(", at, ") > 0 {")
		g.ask(room{terms: []string{"len(" + at + ")"}})
		g.P(g.i, " = ", g.rt("Copy"), "(", g.b, ", ", g.i, ", ", at, ")\n}")
	}
	g.P("return ", g.b, ", ", g.i, "\n}\n")
	for i := range m.Fields {
		if f := &m.Fields[i]; f.Shape == pbtype.Map && !isStringMap(f) {
			g.encodeEntry(m, f)
		}
	}
}

// oneArm prints code that refuses a value with two arms of a oneof.
func (g *gen) oneArm(m *ir.ProtoMessage) {
	for k := range m.Oneofs {
		var arms []string
		for i := range m.Fields {
			if m.Fields[i].Oneof == k {
				arms = append(arms, m.Fields[i].Name)
			}
		}
		if len(arms) < 2 || arms[0] == arms[1] { // an interface holds one arm
			continue
		}
		g.scope("", func() {
			g.P(g.n, " := 0")
			for _, a := range arms {
				g.P("if ", g.v, ".", a, " != nil {\n", g.n, "++\n}")
			}
			g.P("if ", g.n, " > 1 {\nreturn ", g.b, ", -1\n}")
		})
	}
}

// flat prints code for fields whose room is asked for at once.
func (g *gen) flat(fields []ir.ProtoField) {
	var all room
	for i := range fields {
		f := &fields[i]
		all.add(room{n: tagSize(f.Number)})
		all.add(roomOf(&f.Value, g.v+"."+f.Name))
	}
	g.ask(all)
	for i := range fields {
		f := &fields[i]
		g.when(g.present(f), func() {
			g.put(f.Number, &f.Value, g.value(f))
		})
	}
}

// value returns the value of a single field, without its pointer.
func (g *gen) value(f *ir.ProtoField) string {
	if f.Value.Pointer {
		return "*" + g.v + "." + f.Name
	}
	return g.v + "." + f.Name
}

// when prints a block under a condition, "" for always.
func (g *gen) when(cond string, block func()) {
	if cond != "" {
		g.P("if ", cond, " {")
		defer g.P("}")
	}
	block()
}

// scope is when, but the block always has a scope of its own.
func (g *gen) scope(cond string, block func()) {
	if cond != "" {
		cond = "if " + cond
	}
	g.P(cond, " {")
	block()
	g.P("}")
}

// present returns the condition under which a single field is written, "" for always.
func (g *gen) present(f *ir.ProtoField) string {
	at := g.v + "." + f.Name
	switch {
	case f.Presence == pbtype.Always:
		return ""
	case f.Presence == pbtype.Nilable:
		return at + " != nil"
	}
	v := unwrapped(&f.Value)
	switch v.Kind {
	case pbtype.Text, pbtype.Binary:
		return "!" + g.rt("IsZero") + "(&" + at + ")"
	case pbtype.Bool:
		return convert(f.Value.Type, "bool", at)
	case pbtype.Float, pbtype.Double:
		return g.bits(&v, at) + " != 0"
	case pbtype.String:
		return at + ` != ""`
	case pbtype.Bytes:
		if f.Value.Len > 0 {
			return at + " != (" + g.Type(f.Value.Type) + "{})"
		}
		return "len(" + at + ") > 0"
	case pbtype.Timestamp:
		return g.rt("HasTime") + "(" + at + ")"
	case pbtype.Message, pbtype.Group:
		return ""
	}
	return at + " != 0"
}

// putTag prints code that writes a tag at i. It returns where the tag ends, as an expression.
func (g *gen) putTag(number int32, t pbwire.Type) (end string) {
	tag := pbwire.AppendTag(nil, number, t)
	for k, c := range tag {
		g.P(g.b, "[", plus(g.i, k), "] = ", fmt.Sprintf("%#02x", c))
	}
	return plus(g.i, len(tag))
}

func plus(name string, n int) string {
	if n == 0 {
		return name
	}
	return fmt.Sprintf("%s+%d", name, n)
}

// put prints code that writes the tag of a value that is no struct, and the value.
func (g *gen) put(number int32, v *ir.ProtoValue, at string) {
	from := g.putTag(number, v.Kind.Wire())
	call := func(name, arg string) { g.P(g.i, " = ", g.rt(name), "(", g.b, ", ", from, ", ", arg, ")") }
	switch v.Kind {
	case pbtype.String:
		s := convert(v.Type, "string", at)
		if v.Raw {
			call("RawText", s)
			return
		}
		g.P("if ", g.i, " = ", g.rt("Text"), "(", g.b, ", ", from, ", ", s, "); ", g.i, " < 0 {\nreturn ", g.b, ", -1\n}")
	case pbtype.Bytes:
		if v.Len > 0 {
			at = "(" + at + ")[:]"
		}
		call("Blob", at)
	case pbtype.Text, pbtype.Binary:
		g.P("if ", g.b, ", ", g.i, " = ", g.rt("Marshal"+owns[v.Kind]), "(", g.b, ", ", from, ", ", ref(at), "); ", g.i, " < 0 {")
		g.P("return ", g.b, ", -1\n}")
	case pbtype.Timestamp:
		call("Time", at)
	case pbtype.Duration:
		call("Duration", at)
	case pbtype.Wrapper:
		g.putWrapper(from, v, at)
	case pbtype.DynamicValue, pbtype.DynamicStruct, pbtype.DynamicList:
		g.P("if ", g.b, ", ", g.i, " = ", g.rt(dynamics[v.Kind]), "(", g.b, ", ", from, ", ", at, ", ", g.e, ", ", g.left, "); ", g.i,
			" < 0 {\nreturn ", g.b, ", -1\n}")
	default:
		switch v.Kind.Wire() {
		case pbwire.Fixed32Type:
			call("Put32", g.bits(v, at))
		case pbwire.Fixed64Type:
			call("Put64", g.bits(v, at))
		default:
			call("Varint", g.bits(v, at))
		}
	}
}

// convert returns a conversion to a predeclared type, if the value has another one.
func convert(t *ir.Type, to, at string) string {
	if t.Name != nil && t.Name.Pkg == "" && t.Name.Name == to {
		return at
	}
	return to + "(" + at + ")"
}

// bits returns the bits of a number as its encoding has them.
func (g *gen) bits(v *ir.ProtoValue, at string) string {
	switch v.Kind {
	case pbtype.Bool:
		return g.rt("Bit") + "(" + convert(v.Type, "bool", at) + ")"
	case pbtype.Sint32, pbtype.Sint64:
		return g.rt("ZigZag") + "(" + convert(v.Type, "int64", at) + ")"
	case pbtype.Float:
		return g.Ident(mathPkg.Ident("Float32bits")) + "(" + convert(v.Type, "float32", at) + ")"
	case pbtype.Double:
		return g.Ident(mathPkg.Ident("Float64bits")) + "(" + convert(v.Type, "float64", at) + ")"
	case pbtype.Fixed32, pbtype.Sfixed32:
		return convert(v.Type, "uint32", at)
	}
	return convert(v.Type, "uint64", at)
}

// encodeField prints code that asks for the room of a field itself.
func (g *gen) encodeField(m *ir.ProtoMessage, f *ir.ProtoField) {
	at := g.v + "." + f.Name
	switch f.Shape {
	case pbtype.List:
		g.encodeList(f, at)
	case pbtype.Map:
		g.encodeMap(m, f, at)
	default:
		g.scope(g.present(f), func() {
			if f.Value.Message != nil {
				g.encodeMessage(f.Number, &f.Value, at, f.Presence == pbtype.Implicit, true, g.left)
				return
			}
			if f.Value.Kind.IsOwn() {
				g.encodeOwn(f, g.value(f), f.Presence == pbtype.Implicit)
				return
			}
			g.encodeTagged(f.Number, &f.Value, g.value(f))
		})
	}
}

// encodeTagged prints code that writes a value that is no struct, with its tag.
func (g *gen) encodeTagged(number int32, v *ir.ProtoValue, at string) {
	r := roomOf(v, at)
	r.n += tagSize(number)
	g.ask(r)
	g.put(number, v, at)
}

// encodeMessage prints code that writes a struct, or the struct that a pointer points to. A nil
// pointer is an empty message, unless some is true: then the pointer is not nil. If drop is true, an
// empty message is not written.
func (g *gen) encodeMessage(number int32, v *ir.ProtoValue, at string, drop, some bool, left string) {
	size := tagSize(number)
	group := v.Kind == pbtype.Group
	lead := size
	if !group {
		lead++ // for the length
	}
	g.ask(room{n: lead})
	g.putTag(number, v.Kind.Wire())
	g.P(g.i, " += ", lead)
	if !group || drop {
		g.open(g.start, g.pends(v) && !group)
	}
	ref := at
	if !v.Pointer {
		ref = "&" + at
	}
	cond := ""
	if v.Pointer && !some {
		cond = at + " != nil"
	}
	g.when(cond, func() {
		g.P("if ", g.b, ", ", g.i, " = ", g.funcs[v.Type].encode, "(", g.b, ", ", g.i, ", ", ref,
			g.whenDeep(v.Message, ", "+g.e+", "+left), "); ", g.i, " < 0 {\nreturn ", g.b, ", -1\n}")
	})
	if drop {
		g.P("if ", g.i, " == ", g.start, " {\n", g.i, " -= ", lead, "\n} else {")
		defer g.P("}")
	}
	if group {
		g.ask(room{n: size})
		g.P(g.i, " = ", g.putTag(number, pbwire.EndGroupType))
		return
	}
	g.closeLength(g.pends(v))
}

// open prints code that keeps where a content begins. pends says that lengths within may be set later.
func (g *gen) open(start string, pends bool) {
	if pends {
		g.P(start, ", ", g.before, " := ", g.i, ", ", g.e, ".Extra()")
	} else {
		g.P(start, " := ", g.i)
	}
}

// closeLength prints code that writes the length of the content from start on.
func (g *gen) closeLength(pends bool) {
	if pends {
		g.P("if ", g.n, " := ", g.i, " - ", g.start, " + ", g.e, ".Extra() - ", g.before, "; ", g.n, " < 0x80 {")
		g.P(g.b, "[", g.start, "-1] = byte(", g.n, ")\n} else {")
		g.P(g.e, ".Close(", g.start, ", ", g.n, ")\n}")
		return
	}
	g.P("if ", g.n, " := ", g.i, " - ", g.start, "; ", g.n, " < 0x80 {\n", g.b, "[", g.start, "-1] = byte(", g.n, ")\n} else {")
	g.P(g.b, ", ", g.i, " = ", g.rt("Close"), "(", g.b, ", ", g.start, ", ", g.i, ")\n}")
}

// packs has the functions of the runtime that write packed lists, and the expression of their length.
var packs = map[pbtype.Kind]struct{ put, size string }{
	pbtype.Bool: {"Bools", "len"}, pbtype.Enum: {"Varints", ""}, pbtype.Int32: {"Varints", ""}, pbtype.Int64: {"Varints", ""},
	pbtype.Uint32: {"Varints", ""}, pbtype.Uint64: {"Varints", ""}, pbtype.Sint32: {"ZigZags", ""}, pbtype.Sint64: {"ZigZags", ""},
	pbtype.Fixed32: {"Fixed32", "4*len"}, pbtype.Sfixed32: {"Fixed32", "4*len"}, pbtype.Float: {"Float32", "4*len"},
	pbtype.Fixed64: {"Fixed64", "8*len"}, pbtype.Sfixed64: {"Fixed64", "8*len"}, pbtype.Double: {"Float64", "8*len"},
}

// sizeOfPack returns the length of the content of a packed list.
func (g *gen) sizeOfPack(k pbtype.Kind, at string) string {
	p := packs[k]
	if p.size == "" {
		return g.rt("Size"+p.put) + "(" + at + ")"
	}
	return p.size + "(" + at + ")"
}

func (g *gen) encodeList(f *ir.ProtoField, at string) {
	if f.Packed {
		g.P("if len(", at, ") > 0 {")
		g.P(g.n, " := ", g.sizeOfPack(f.Value.Kind, at))
		g.ask(room{tagSize(f.Number) + pbwire.MaxVarint, []string{g.n}})
		end := g.putTag(f.Number, pbwire.BytesType)
		g.P(g.i, " = ", g.rt("Varint"), "(", g.b, ", ", end, ", uint64(", g.n, "))")
		g.P(g.i, " = ", g.rt(packs[f.Value.Kind].put), "(", g.b, ", ", g.i, ", ", at, ")\n}")
		return
	}
	g.P("for ", g.k, " := range ", at, " {")
	elem := at + "[" + g.k + "]"
	if f.Value.Message != nil {
		g.encodeMessage(f.Number, &f.Value, elem, false, false, g.left)
	} else {
		g.encodeTagged(f.Number, &f.Value, elem)
	}
	g.P("}")
}
