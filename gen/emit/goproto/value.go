package goproto

import (
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/pbtype"
	"github.com/zmylab/zmy/internal/pbwire"
)

// sizeOf returns the size of a type in memory, as an expression.
func (g *gen) sizeOf(t string) string { return g.rt("SizeOf") + "[" + t + "]()" }

// oneByte returns the condition under which the varint at j has one byte, which is read at once.
func (g *gen) oneByte() string { return g.j + " < len(" + g.b + ") && " + g.b + "[" + g.j + "] < 0x80" }

// span prints code that reads a length at j: the content is from j to i then.
func (g *gen) span() {
	g.P("if ", g.oneByte(), " {")
	g.P(g.i, " = ", g.j, " + 1 + int(", g.b, "[", g.j, "])\n", g.j, "++\n} else {")
	g.P(g.j, ", ", g.i, " = ", g.rt("LongSpan"), "(", g.b, ", ", g.j, ")\n}")
	g.fails("uint(" + g.i + ") > uint(len(" + g.b + "))") // it is negative if the length is none
}

// decodeValue prints code that merges the value that starts at j into at, and sets i to its end. If
// empty is true, no bytes are the same as nil.
func (g *gen) decodeValue(number int32, v *ir.ProtoValue, at string, empty bool) {
	switch wire := v.Kind.Wire(); {
	case v.Kind == pbtype.Group:
		g.allocate(v, at)
		g.decodeGroup(number, v, at)
	case wire == pbwire.BytesType:
		g.span()
		g.decodeContent(v, at, empty)
	default:
		g.allocate(v, at)
		switch {
		case v.Narrow:
			g.readNumber(wire)
			g.decodeNarrow(v, at)
		case g.verify:
			g.skipNumber(wire)
		default:
			g.readNumber(wire)
			g.P(target(v, at), " = ", g.number(v))
		}
	}
}

// readNumber prints code that reads the bits of the number that starts at j into x.
func (g *gen) readNumber(wire pbwire.Type) {
	switch wire {
	case pbwire.Fixed32Type:
		g.P(g.x, ", ", g.n, " := ", g.rt("Uint32"), "(", g.b, ", ", g.j, ")")
	case pbwire.Fixed64Type:
		g.P(g.x, ", ", g.n, " := ", g.rt("Uint64"), "(", g.b, ", ", g.j, ")")
	default:
		g.P("var ", g.x, " uint64")
		g.P("if ", g.oneByte(), " {\n", g.x, ", ", g.i, " = uint64(", g.b, "[", g.j, "]), ", g.j, "+1\n} else if ", g.x, ", ", g.i, " = ",
			g.rt("LongUvarint"), "(", g.b, ", ", g.j, "); ", g.i, " < 0 {\nreturn ", g.fail, "\n}")
		return
	}
	g.fails(g.n + " < 0")
	g.P(g.i, " = ", g.n)
}

// skipNumber prints code that skips the number that starts at j.
func (g *gen) skipNumber(wire pbwire.Type) {
	skip := func(width int) {
		g.fails("len(" + g.b + ")-" + g.j + " < " + itoa(width))
		g.P(g.i, " = ", g.j, " + ", width)
	}
	switch wire {
	case pbwire.Fixed32Type:
		skip(4)
	case pbwire.Fixed64Type:
		skip(8)
	default:
		g.P("if _, ", g.i, " = ", g.rt("Uvarint"), "(", g.b, ", ", g.j, "); ", g.i, " < 0 {\nreturn ", g.fail, "\n}")
	}
}

// allocate prints code that allocates the value that a pointer points to.
func (g *gen) allocate(v *ir.ProtoValue, at string) {
	if v.Pointer {
		g.fails(g.d + ".Charge(" + g.sizeOf(g.Type(v.Type)) + ")")
		if !g.verify {
			g.P("if ", at, " == nil {")
			g.unkeep(v, at)
			g.P("}")
		}
	}
}

// target returns the variable that a value is stored into.
func target(v *ir.ProtoValue, at string) string {
	if v.Pointer {
		return "*" + at
	}
	return at
}

// pointer returns a pointer to the value.
func pointer(v *ir.ProtoValue, at string) string {
	if v.Pointer {
		return at
	}
	if to, ok := strings.CutPrefix(at, "(*"); ok { // what a variable points to
		return strings.TrimSuffix(to, ")")
	}
	return "&" + at
}

// number returns the number whose bits are in x.
func (g *gen) number(v *ir.ProtoValue) string {
	x := g.x
	basic := ""
	switch v.Kind {
	case pbtype.Bool:
		x, basic = x+" != 0", "bool"
	case pbtype.Sint32:
		x, basic = g.rt("UnZigZag")+"("+x+"&(1<<32-1))", "int64"
	case pbtype.Sint64:
		x, basic = g.rt("UnZigZag")+"("+x+")", "int64"
	case pbtype.Float:
		x, basic = g.Ident(mathPkg.Ident("Float32frombits"))+"("+x+")", "float32"
	case pbtype.Double:
		x, basic = g.Ident(mathPkg.Ident("Float64frombits"))+"("+x+")", "float64"
	}
	if n := v.Type.Name; n != nil && n.Pkg == "" && n.Name == basic {
		return x
	}
	return g.Type(v.Type) + "(" + x + ")"
}

// decodeContent prints code that merges the value that is the bytes from j to i.
func (g *gen) decodeContent(v *ir.ProtoValue, at string, empty bool) {
	g.allocate(v, at)
	content := g.b + "[" + g.j + ":" + g.i + "]"
	if g.verify && v.Kind != pbtype.Message {
		g.verifyContent(v, content)
		return
	}
	switch v.Kind {
	case pbtype.Message:
		g.fails(g.call(v, content, at) + g.whenGroup(v.Message, ", 0, 0") + ") < 0")
	case pbtype.Text, pbtype.Binary:
		g.fails("!" + g.rt("Unmarshal"+owns[v.Kind]) + "(" + g.d + ", " + pointer(v, at) + ", " + content + ")")
	case pbtype.Timestamp:
		g.fails("!" + g.rt("MergeTime") + "(" + pointer(v, at) + ", " + content + ", " + g.left + ")")
	case pbtype.Duration:
		g.fails("!" + g.rt("MergeDuration") + "(" + pointer(v, at) + ", " + content + ", " + g.left + ")")
	case pbtype.Wrapper:
		g.decodeWrapper(v, at, content)
	case pbtype.DynamicValue, pbtype.DynamicStruct, pbtype.DynamicList:
		g.P(g.s, ", ", g.ok, " := ", g.rt("Merge"+dynamics[v.Kind]), "(", g.d, ", ", at, ", ", content, ", ", g.left, ")")
		g.fails("!" + g.ok)
		g.P(at, " = ", g.s)
	case pbtype.String:
		s := g.s
		if v.Raw {
			s = g.d + ".RawText(" + content + ")"
		} else {
			g.P(g.s, ", ", g.ok, " := ", g.d, ".Text(", content, ")")
			g.fails("!" + g.ok)
		}
		if n := v.Type.Name; n == nil || n.Pkg != "" {
			s = g.Type(v.Type) + "(" + s + ")"
		}
		g.P(target(v, at), " = ", s)
	case pbtype.Bytes:
		switch {
		case v.Len > 0:
			g.fails("!" + g.rt("Array") + "((" + target(v, at) + ")[:], " + content + ")")
		case empty:
			g.P("if ", g.j, " == ", g.i, " {\n", at, " = nil\n} else {\n", at, " = ", g.d, ".Bytes(", content, ")\n}")
		default:
			g.P(at, " = ", g.d, ".Bytes(", content, ")")
		}
	}
}

// call returns the beginning of the call that decodes or verifies a message.
func (g *gen) call(v *ir.ProtoValue, content, at string) string {
	if g.verify {
		return g.funcs[v.Type].verify + "(" + g.d + ", " + content + ", " + g.left
	}
	return g.funcs[v.Type].decode + "(" + g.d + ", " + content + ", " + pointer(v, at) + ", " + g.left
}

// verifyContent prints code that verifies a value that is the bytes from j to i.
func (g *gen) verifyContent(v *ir.ProtoValue, content string) {
	switch {
	case v.Kind.IsOwn():
		g.fails("!" + g.rt("Verify"+owns[v.Kind]) + "[" + g.Type(v.Type) + "](" + g.d + ", " + content + ")")
	case v.Kind == pbtype.Timestamp:
		g.fails("!" + g.rt("ValidTime") + "(" + content + ", " + g.left + ")")
	case v.Kind == pbtype.Duration:
		g.fails("!" + g.rt("ValidDuration") + "(" + content + ", " + g.left + ")")
	case v.Kind == pbtype.Wrapper:
		g.fails("!" + g.validWrapper(v, content))
	case v.Kind.IsDynamic():
		g.fails("!" + g.d + ".Valid" + dynamics[v.Kind] + "(" + content + ", " + g.left + ")")
	case v.Kind == pbtype.String && !v.Raw:
		g.fails("!" + g.d + ".Valid(" + content + ")")
	case v.Len > 0:
		g.fails(g.i + " != " + g.j + " && " + g.i + "-" + g.j + " != " + itoa(v.Len))
	default:
		g.P(g.d, ".Count(", g.i, " - ", g.j, ")")
	}
}

// decodeGroup prints code that merges the group that starts at j.
func (g *gen) decodeGroup(number int32, v *ir.ProtoValue, at string) {
	groups := "1"
	if g.inGroup {
		groups = g.groups + "+1"
		g.fails(g.rt("Deep") + "(" + g.groups + ")")
	}
	g.P(g.n, " := ", g.call(v, g.b+"["+g.j+":]", at), ", ", number, ", ", groups, ")")
	g.fails(g.n + " < 0")
	g.P(g.i, " = ", g.j, " + ", g.n)
}
