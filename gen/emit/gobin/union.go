package gobin

import (
	"fmt"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
)

// unknownArm returns the name of the type that keeps arms of t which the program does not know.
func (g *gen) unknownArm(t *ir.ZMYType) string { return g.shared("Unknown", t) }

func (g *gen) unionAppend(t *ir.ZMYType) {
	g.p("func %s(·e *@@Encoder, ·b []byte, ·v %s, ·left int) (_ []byte, ·err *@@Error) {", g.fn("Append", t), g.Type(t.Type))
	g.p("switch ·v := ·v.(type) {\ncase nil:")
	for _, a := range t.Arms {
		if a.Arm.Value {
			g.p("case %s:", g.Type(a.Type.Type))
			g.appendArm(a, "&·v")
		}
		g.p("case *%s:", g.Type(a.Type.Type))
		g.p("if ·v == nil {\nreturn ·b, @@Fail(@@ErrNil, 0)\n}")
		g.appendArm(a, "·v")
	}
	known := make([]string, len(t.Arms))
	for i, a := range t.Arms {
		known[i] = fmt.Sprint(a.Disc)
	}
	g.p("case %s:", g.unknownArm(t))
	g.p("switch ·v.Disc {\ncase 0, %s:\nreturn ·b, @@Fail(@@ErrDomain, 0)\n}", strings.Join(known, ", "))
	g.p("·b = append(@@AppendDisc(·b, ·v.Disc), ·v.Raw...)")
	g.p("default:\nreturn ·b, &@@Error{Code: @@ErrNoWireType, Value: ·v}\n}")
	g.p("return ·b, nil\n}\n")
}

func (g *gen) appendArm(a ir.ZMYArm, addr string) {
	g.p("·b = @@AppendDisc(·b, %d)\n·at := len(·b)", a.Disc)
	g.p("if ·b, ·err = %s; ·err != nil {\nreturn ·b, ·err\n}", g.appendCall(a.Type, addr, "·v", "", "·left-1"))
	g.p("if @@IsZeroStruct(·b[·at:]) {\n·b = ·b[:·at]\n}")
}

func (g *gen) unionDecode(t *ir.ZMYType) {
	g.p("func %s(·d *@@Decoder, ·b []byte, ·v *%s, ·left int) *@@Error {", g.fn("Decode", t), g.Type(t.Type))
	g.p("if len(·b) == 0 {\n*·v = nil\nreturn nil\n}")
	g.p("·disc, ·y, ·err := @@OpenUnion(·b)\nif ·err != nil {\nreturn ·err\n}")
	g.p("switch ·disc {")
	for _, a := range t.Arms {
		g.p("case %d:", a.Disc)
		g.p("if ·err := %s; ·err != nil {\nreturn ·err\n}", charge("1", a.Type.Cost, a.Type.Memory))
		g.p("·n := new(%s)", g.Type(a.Type.Type))
		g.p("if len(·y) > 0 {\n·h, ·err := @@Head(·y)\nif ·err == nil {\n·err = %s(·d, ·y, ·h, 4, ·n, ·left-1)\n}", g.fn("Decode", a.Type))
		g.p("if ·err == nil && @@IsZeroStruct(·y) {\n·err = @@Fail(@@ErrZero, 0)\n}")
		g.p("if ·err != nil {\nreturn ·err.Shift(2)\n}\n}")
		if a.Arm.Value {
			g.p("*·v = *·n")
		} else {
			g.p("*·v = ·n")
		}
	}
	g.p("default:\nif ·err := ·d.Charge(1, @@SlotCost); ·err != nil {\nreturn ·err\n}")
	g.p("*·v = %s{Disc: ·disc, Raw: ·d.Bytes(·y)}\n}\nreturn nil\n}\n", g.unknownArm(t))
}

// unionUnknown prints the type that keeps arms which the program does not know. The type has the
// interface's methods, which return zero values.
func (g *gen) unionUnknown(t *ir.ZMYType) {
	if g.elsewhere("Unknown", t) {
		return
	}
	name := g.unknownArm(t)
	g.p("// %s keeps an arm of %s that this program does not know, and writes it", name, print.TypeExprIn(t.Type, g.pkg.Path))
	g.p("// as it was. Its methods return zero values.")
	g.p("type %s struct {\nDisc uint16 // the arm's number\nRaw []byte // its slot\n}\n", name)
	for _, m := range t.Type.Methods {
		var params, results []string
		for i, p := range m.Params {
			typ := g.Type(p)
			if m.Variadic && i == len(m.Params)-1 {
				typ = "..." + g.Type(p.Elem)
			}
			params = append(params, typ)
		}
		for _, r := range m.Results {
			results = append(results, "_ "+g.Type(r))
		}
		body := "{}"
		out := ""
		if len(results) > 0 {
			body, out = "{ return }", "("+strings.Join(results, ", ")+") "
		}
		g.p("// %s satisfies %s.", m.Name, print.TypeExprIn(t.Type, g.pkg.Path))
		g.p("func (%s) %s(%s) %s%s\n", name, m.Name, strings.Join(params, ", "), out, body)
	}
}
