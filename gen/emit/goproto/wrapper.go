package goproto

import (
	"strconv"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/pbtype"
	"github.com/zmylab/zmy/internal/pbwire"
)

// dynamics has the functions of the runtime that write messages of any content. With Size, Merge and Valid
// before them, these names are those of the others.
var dynamics = map[pbtype.Kind]string{pbtype.DynamicValue: "Value", pbtype.DynamicStruct: "Struct", pbtype.DynamicList: "List"}

// unwrapped returns the value within a wrapper, or v if it is none.
func unwrapped(v *ir.ProtoValue) ir.ProtoValue {
	if v.Kind != pbtype.Wrapper {
		return *v
	}
	return ir.ProtoValue{Type: v.Type, Kind: v.Wrapped, Narrow: v.Narrow}
}

// putWrapper prints code that writes a wrapper from an index on.
func (g *gen) putWrapper(from string, v *ir.ProtoValue, at string) {
	inner := unwrapped(v)
	name := "WrapVarint"
	switch inner.Kind.Wire() {
	case pbwire.Fixed32Type:
		name = "Wrap32"
	case pbwire.Fixed64Type:
		name = "Wrap64"
	case pbwire.BytesType:
		if inner.Kind == pbtype.String {
			g.P("if ", g.i, " = ", g.rt("WrapText"), "(", g.b, ", ", from, ", ", convert(v.Type, "string", at), "); ", g.i, " < 0 {\nreturn ", g.b,
				", -1\n}")
			return
		}
		g.P(g.i, " = ", g.rt("WrapBlob"), "(", g.b, ", ", from, ", ", at, ")")
		return
	}
	g.P(g.i, " = ", g.rt(name), "(", g.b, ", ", from, ", ", g.bits(&inner, at), ")")
}

// sizeOfWrapper returns the length of a wrapper with its length.
func (g *gen) sizeOfWrapper(v *ir.ProtoValue, at string) string {
	inner := unwrapped(v)
	switch inner.Kind.Wire() {
	case pbwire.BytesType:
		return g.rt("SizeWrapBytes") + "(len(" + at + "))"
	case pbwire.Fixed32Type:
		return g.rt("SizeWrap32") + "(" + g.bits(&inner, at) + ")"
	case pbwire.Fixed64Type:
		return g.rt("SizeWrap64") + "(" + g.bits(&inner, at) + ")"
	}
	return g.rt("SizeWrapVarint") + "(" + g.bits(&inner, at) + ")"
}

// decodeWrapper prints code that merges a wrapper into at.
func (g *gen) decodeWrapper(v *ir.ProtoValue, at, content string) {
	args := "(" + pointer(v, at) + ", " + content + ", " + g.left + ")"
	withDecoder := "(" + g.d + ", " + args[1:]
	call := g.rt
	switch v.Wrapped {
	case pbtype.Bool:
		g.fails("!" + call("UnwrapBool") + args)
	case pbtype.Float:
		g.fails("!" + call("UnwrapFloat32") + args)
	case pbtype.Double:
		g.fails("!" + call("UnwrapFloat64") + args)
	case pbtype.String:
		g.fails("!" + call("UnwrapText") + withDecoder)
	case pbtype.Bytes:
		g.fails("!" + call("UnwrapBytes") + withDecoder)
	default:
		name := "UnwrapVarint"
		if v.Narrow {
			name = "UnwrapNarrow"
		}
		g.fails("!" + call(name) + args)
	}
}

// validWrapper returns the call that verifies a wrapper.
func (g *gen) validWrapper(v *ir.ProtoValue, content string) string {
	if v.Narrow {
		return g.rt("ValidWrappedNarrow") + "[" + g.Type(v.Type) + "](" + content + ", " + g.left + ")"
	}
	args := []string{content, itoa(int(v.Wrapped.Wire())), strconv.FormatBool(v.Wrapped == pbtype.String), g.left}
	return g.d + ".ValidWrapper(" + strings.Join(args, ", ") + ")"
}
