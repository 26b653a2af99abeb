package fromproto

import (
	"unicode"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/zmylab/zmy/gen/print"
)

// services prints an interface for each service of a file.
func (g *generator) services(f protoreflect.FileDescriptor) {
	for i := range f.Services().Len() {
		s := f.Services().Get(i)
		opts, _ := s.Options().(*descriptorpb.ServiceOptions)
		name := g.Unique(camel(string(s.Name()), true))
		g.comment(s, opts.GetDeprecated())
		if leading(s) != "" || opts.GetDeprecated() {
			g.P("//")
		}
		g.P("//zmy:service ", string(s.FullName()))
		g.P("type ", name, " interface {")
		taken := map[string]bool{}
		for k := range s.Methods().Len() {
			g.rpc(s.Methods().Get(k), taken)
		}
		g.P("}\n")
	}
}

// rpc prints a method of a service.
func (g *generator) rpc(m protoreflect.MethodDescriptor, taken map[string]bool) {
	opts, _ := m.Options().(*descriptorpb.MethodOptions)
	name := string(m.Name())
	if !unicode.IsUpper(rune(name[0])) {
		name = camel(name, true)
	}
	name = fieldNameOf(name, taken)
	g.comment(m, opts.GetDeprecated())
	if name != string(m.Name()) {
		g.P("//zmy:rpc ", string(m.Name()))
	}
	in, out := "*"+g.typeName(m.Input()), "*"+g.typeName(m.Output())
	seq := func(t string) string { return g.Ident(print.Package("iter").Ident("Seq2")) + "[" + t + ", error]" }
	if m.IsStreamingClient() {
		in = seq(in)
	}
	if m.IsStreamingServer() {
		out = seq(out)
	} else {
		out = "(" + out + ", error)"
	}
	g.P(name, "(", print.Package("context").Ident("Context"), ", ", in, ") ", out)
}
