// Package gogrpc generates Go clients and servers of gRPC for interfaces whose messages have the
// native format. There is no .proto file, and the code calls generic functions of package stub.
package gogrpc

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
)

// Options are the options of [Emit].
type Options struct {
	By string // command that the file's header shows
}

// stubVersion is the version of the contract between generated code and package stub.
const stubVersion = 1

// Subtype is the content-subtype that generated clients use by default, and ProtoSubtype that for
// messages of protobuf.
const (
	Subtype      = "zmy"
	ProtoSubtype = "proto"
)

var (
	stubPkg    = print.Package("github.com/zmylab/zmy/adapters/grpcx/stub")
	grpcPkg    = print.Package("google.golang.org/grpc")
	contextPkg = print.Package("context")
	iterPkg    = print.Package("iter")
)

// Emit returns the source of a file of the package p.
func Emit(p *ir.Package, plan *ir.GRPCPlan, opt Options) ([]byte, error) {
	g := &gen{File: print.For(p, opt.By), plan: plan}
	name := plan.Interface.Name.Name
	upper := ir.Title(name)
	r, n := utf8.DecodeRuneInString(name)
	lower := string(unicode.ToLower(r)) + name[n:]
	g.register, g.newClient, g.constant = "Register"+upper, "New"+upper+"Client", name+"Service"
	if !plan.Interface.Name.Exported {
		g.register, g.newClient = "register"+upper, "new"+upper+"Client"
	}
	g.desc, g.client = lower+"Desc", lower+"Client"
	g.Reserve(g.register, g.newClient, g.constant, g.desc, g.client)
	g.head()
	g.server()
	g.clientType()
	for _, m := range plan.Methods {
		g.method(m)
	}
	return g.Bytes()
}

type gen struct {
	*print.File
	plan *ir.GRPCPlan
	// names in the generated package
	register, newClient, constant, desc, client string
}

func (g *gen) subtype() string {
	if g.plan.Proto {
		return ProtoSubtype
	}
	return Subtype
}

func (g *gen) head() {
	g.P("// This file and the stub package that it is built with must fit together.")
	g.P("const _ = uint(", stubPkg.Ident("Version"), " - ", stubVersion, ") + uint(", stubVersion, " - ", stubPkg.Ident("Version"), ")\n")
	g.P("// ", g.constant, " is the service's full name.")
	g.P("const ", g.constant, " = ", quote(g.plan.Service), "\n")
}

func quote(s string) string { return `"` + s + `"` } // only for names, which need no escapes

func (g *gen) server() {
	i := g.plan.Interface
	s, impl := g.Local("s"), g.Local("impl")
	g.P("// ", g.register, " lets impl answer the calls of the service that come to ", s, ", in each codec that the server has.")
	g.P("func ", g.register, "(", s, " ", grpcPkg.Ident("ServiceRegistrar"), ", ", impl, " ", i, ") {")
	g.P(s, ".RegisterService(&", g.desc, ", ", impl, ")")
	g.P("}\n")
	g.P("var ", g.desc, " = ", grpcPkg.Ident("ServiceDesc"), "{")
	g.P("ServiceName: ", g.constant, ",")
	g.P("HandlerType: (*", i, ")(nil),")
	g.descs("Methods", "MethodDesc", func(m ir.GRPCMethod) bool { return m.Kind == ir.GRPCUnary })
	g.descs("Streams", "StreamDesc", func(m ir.GRPCMethod) bool { return m.Kind != ir.GRPCUnary })
	g.P("}\n")
}

func (g *gen) descs(field, typ string, of func(ir.GRPCMethod) bool) {
	open := false
	for _, m := range g.plan.Methods {
		if !of(m) {
			continue
		}
		if !open {
			g.P(field, ": []", grpcPkg.Ident(typ), "{")
			open = true
		}
		service := ""
		if m.Kind == ir.GRPCUnary {
			service = g.constant + ", "
		}
		g.P(stubPkg.Ident(m.Kind.String()), "(", service, quote(m.Name), ", ", g.plan.Interface, ".", m.Method.Name, "),")
	}
	if open {
		g.P("},")
	}
}

func (g *gen) clientType() {
	cc, opts := g.Local("cc"), g.Local("opts")
	conn, option := grpcPkg.Ident("ClientConnInterface"), grpcPkg.Ident("CallOption")
	g.P("// ", g.newClient, " returns the service at the other end of a connection. Calls are made in the codec ",
		quote(g.subtype()), ", which")
	if g.plan.Proto {
		g.P("// must be grpcx.Proto() (grpcx.Register), or in that of an option grpc.CallContentSubtype.")
	} else {
		g.P("// is to be registered (grpcx.Register), or in that of an option grpc.CallContentSubtype.")
	}
	g.P("func ", g.newClient, "(", cc, " ", conn, ", ", opts, " ...", option, ") ", g.plan.Interface, " {")
	g.P("return &", g.client, "{", cc, ", ", stubPkg.Ident("Options"), "(", quote(g.subtype()), ", ", opts, ")}")
	g.P("}\n")
	g.P("type ", g.client, " struct {")
	g.P("cc ", conn)
	g.P("opts []", option)
	g.P("}\n")
}

func (g *gen) method(m ir.GRPCMethod) {
	c, ctx, in := g.Local("c"), g.Local("ctx"), g.Local("in")
	call := "Call"
	if m.Kind != ir.GRPCUnary {
		call += m.Kind.String()
	}
	g.P("func (", c, " *", g.client, ") ", m.Method.Name, "(", ctx, " ", contextPkg.Ident("Context"), ", ",
		in, " ", g.messages(m.In, m.Kind == ir.GRPCClientStream || m.Kind == ir.GRPCBidiStream), ") ", g.result(m), " {")
	g.P("return ", stubPkg.Ident(call), "[", m.In, ", ", m.Out, "](", ctx, ", ", c, ".cc, \"/\" + ", g.constant, " + ",
		quote("/"+m.Name), ", ", in, ", ", c, ".opts)")
	g.P("}\n")
}

func (g *gen) messages(t *ir.Type, many bool) string {
	if many {
		return g.Ident(iterPkg.Ident("Seq2")) + "[*" + g.Type(t) + ", error]"
	}
	return "*" + g.Type(t)
}

func (g *gen) result(m ir.GRPCMethod) string {
	many := m.Kind == ir.GRPCServerStream || m.Kind == ir.GRPCBidiStream
	out := g.messages(m.Out, many)
	if many {
		return out
	}
	return strings.Join([]string{"(", ", error)"}, out)
}
