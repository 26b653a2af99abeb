package fromproto

import (
	"strconv"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/zmylab/zmy/gen/print"
	"github.com/zmylab/zmy/internal/pbtype"
)

// enum prints the integer type of an enum with its constants and methods.
func (g *generator) enum(e protoreflect.EnumDescriptor) {
	name := g.names[e.FullName()]
	opts, _ := e.Options().(*descriptorpb.EnumOptions)
	constants := g.constants(e, name)
	g.comment(e, opts.GetDeprecated())
	var numbers []string
	for i := range e.ReservedRanges().Len() {
		r := e.ReservedRanges().Get(i)
		numbers = append(numbers, span(int64(r[0]), int64(r[1]), 1<<31-1))
	}
	g.reserved(leading(e) != "" || opts.GetDeprecated(), numbers, e.ReservedNames())
	for i, c := range constants {
		if v := string(e.Values().Get(i).Name()); pbtype.EnumValue(name, name, c) != v {
			g.P("//zmy:proto-value ", c, " ", v)
		}
	}
	g.P("type ", name, " int32\n")
	g.P("// The values of ", name, ".")
	g.P("const (")
	for i, c := range constants {
		v := e.Values().Get(i)
		vo, _ := v.Options().(*descriptorpb.EnumValueOptions)
		g.comment(v, vo.GetDeprecated())
		g.P(c, " ", name, " = ", int32(v.Number()))
	}
	g.P(")\n")
	g.enumMethods(e, name, constants)
}

// constants returns the names of the constants for the values of an enum.
func (g *generator) constants(e protoreflect.EnumDescriptor, name string) (out []string) {
	for i := range e.Values().Len() {
		out = append(out, g.Unique(name+valueName(string(e.Values().Get(i).Name()), string(e.Name()))))
	}
	return out
}

// enumMethods prints String, which returns the first name of a number, and ProtoValues.
func (g *generator) enumMethods(e protoreflect.EnumDescriptor, name string, constants []string) {
	g.P("// String returns the name in the .proto file, or the number if it has none.")
	g.P("func (e ", name, ") String() string {")
	g.P("switch e {")
	seen := map[protoreflect.EnumNumber]bool{}
	for i, c := range constants {
		if v := e.Values().Get(i); !seen[v.Number()] {
			seen[v.Number()] = true
			g.P("case ", c, ":\nreturn ", strconv.Quote(string(v.Name())))
		}
	}
	g.P("}")
	g.P("return ", print.Package("strconv").Ident("Itoa"), "(int(e))")
	g.P("}\n")
	table := g.Unique("protoValuesOf" + name)
	g.P("var ", table, " = map[string]int32{")
	for i := range constants {
		v := e.Values().Get(i)
		g.P(strconv.Quote(string(v.Name())), ": ", int32(v.Number()), ",")
	}
	g.P("}\n")
	g.P("// ProtoValues returns the numbers of the names in the .proto file. The map must not be changed.")
	g.P("func (", name, ") ProtoValues() map[string]int32 { return ", table, " }\n")
}
