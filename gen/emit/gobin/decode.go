package gobin

import (
	"fmt"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/zmytype"
)

// zero returns the zero value of t's Go type.
func (g *gen) zero(t *ir.Type) string {
	switch t.Kind {
	case ir.Struct, ir.Array, ir.Time, ir.BigInt, ir.BigFloat:
		return g.Type(t) + "{}"
	case ir.Pointer, ir.Slice, ir.Bytes, ir.Map, ir.Any, ir.Interface, ir.Chan, ir.Func, ir.RawJSON:
		return "nil"
	case ir.String, ir.Number:
		return `""`
	case ir.Bool:
		return "false"
	}
	return "0"
}

// decodeSlot prints code that sets v, an addressable expression, from ·y, the content of its slot.
// On an error the code returns from the current function.
func (g *gen) decodeSlot(t *ir.ZMYType, v string, where at) {
	ret := func(err string) string { return fmt.Sprintf("return %s", where.on(err)) }
	empty := func() { g.p("if len(·y) == 0 {\n%s = %s\n} else {", v, g.zero(t.Type)) }
	switch t.Shape {
	case zmytype.ShapeString:
		g.p("if !@@Valid(·y) {\nreturn %s\n}", where.fail("ErrUTF8"))
		g.p("%s = %s(·d.String(·y))", v, g.Type(t.Type))
	case zmytype.ShapeBytes:
		g.p("%s = ·d.Bytes(·y)", v)
	case zmytype.ShapeFixedTail:
		empty()
		g.p("if len(·y) != %d {\nreturn %s\n}", t.Size, where.fail("ErrLength"))
		g.getFixed(t, v, "·y", "0", where)
		g.p("if @@IsZero(·y) {\nreturn %s\n}\n}", where.fail("ErrZero"))
	case zmytype.ShapeStruct, zmytype.ShapeSparse:
		empty()
		g.p("·h, ·err := @@Head(·y)\nif ·err == nil {")
		if t.Skips {
			g.p("%s = %s", v, g.zero(t.Type))
		}
		g.p("·err = %s(·d, ·y, ·h, 4, &%s, ·left-1)\n}", g.fn("Decode", t), v)
		g.p("if ·err == nil && @@IsZeroStruct(·y) {\n·err = @@Fail(@@ErrZero, 0)\n}")
		g.p("if ·err != nil {\n%s\n}\n}", ret("·err"))
	case zmytype.ShapePtrStruct:
		empty()
		g.p("·h, ·err := @@Head(·y)\nif ·err == nil {\n·err = %s\n}", charge("1", t.Elem.Cost, t.Elem.Memory))
		g.p("if ·err == nil {\n·n := new(%s)", g.Type(t.Elem.Type))
		g.p("·err = %s(·d, ·y, ·h, 4, ·n, ·left-1)\n%s = ·n\n}", g.fn("Decode", t.Elem), v)
		g.p("if ·err != nil {\n%s\n}\n}", ret("·err"))
	case zmytype.ShapePtrFixed:
		empty()
		g.p("if len(·y) != %d {\nreturn %s\n}", t.Elem.Size, where.fail("ErrLength"))
		g.p("if ·err := %s; ·err != nil {\n%s\n}", charge("1", t.Elem.Cost, t.Elem.Memory), ret("·err"))
		g.p("·n := new(%s)", g.Type(t.Elem.Type))
		g.getFixed(t.Elem, "(*·n)", "·y", "0", where)
		g.p("%s = ·n\n}", v)
	case zmytype.ShapeOpt:
		g.decodeOpt(t, v, where)
	case zmytype.ShapeMethods:
		if t.Via == zmytype.ViaJSON {
			g.p("if ·err := %s(·y, &%s); ·err != nil {\n%s\n}", g.Ident(zmyPkg.Ident("DecodeJSON")), v, ret("·err"))
			return
		}
		name := [...]string{zmytype.ViaZMY: "UnmarshalZMY", zmytype.ViaBinary: "UnmarshalBinary", zmytype.ViaText: "UnmarshalText"}[t.Via]
		g.p("%s = %s\nif len(·y) > 0 {", v, g.zero(t.Type))
		g.p("if ·err := @@UnmarshalMethod(·y, %s.%s, %v); ·err != nil {\n%s\n}\n}", v, name, t.Via == zmytype.ViaText, ret("·err"))
	case zmytype.ShapeAny:
		g.p("{\n·n, ·err := @@DecodeAny(·d, ·y, ·left-1)\nif ·err != nil {\n%s\n}\n%s = ·n\n}", ret("·err"), v)
	case zmytype.ShapeBigInt, zmytype.ShapeBigFloat, zmytype.ShapePtrBigInt, zmytype.ShapePtrBigFloat:
		g.decodeBig(t, v, where)
	default:
		call := fmt.Sprintf("%s(·d, ·y, &%s, ·left)", "%s", v)
		if h, ok := helperOf(t); ok {
			call = fmt.Sprintf(h.decode, "&"+v)
		} else {
			call = fmt.Sprintf(call, g.fn("Decode", t))
		}
		g.p("if ·err := %s; ·err != nil {\n%s\n}", call, ret("·err"))
	}
}

// decodeOpt prints code that decodes a slot in which nil and empty differ.
func (g *gen) decodeOpt(t *ir.ZMYType, v string, where at) {
	g.p("if len(·y) == 0 {\n%s = nil\n} else {", v)
	g.p("if ·y[0] != 1 {\nreturn %s\n}\n·y := ·y[1:]", where.fail("ErrDomain"))
	where = where.plus(1)
	if t.Type.Kind == ir.Pointer {
		if !t.Nilable() {
			g.p("if ·err := %s; ·err != nil {\nreturn %s\n}", charge("1", t.Elem.Cost, t.Elem.Memory), where.on("·err"))
		}
		g.p("·n := new(%s)", g.Type(t.Elem.Type))
		g.decodeSlot(t.Elem, "(*·n)", where)
		if t.Nilable() && t.Elem.Type.Kind != ir.RawJSON {
			g.p("if *·n == nil {\n*·n = %s{}\n}", g.Type(t.Elem.Type))
		}
		g.p("%s = ·n\n}", v)
		return
	}
	g.decodeSlot(t.Elem, v, where)
	g.p("if %s == nil {\n%s = %s{}\n}\n}", v, v, g.Type(t.Type))
}

func (g *gen) decodeBig(t *ir.ZMYType, v string, where at) {
	parse, isZero := "ParseBigInt", "·n.Sign() == 0"
	if t.Shape == zmytype.ShapeBigFloat || t.Shape == zmytype.ShapePtrBigFloat {
		parse, isZero = "ParseBigFloat", "@@IsZeroFloat(·n)"
	}
	value := t.Shape == zmytype.ShapeBigInt || t.Shape == zmytype.ShapeBigFloat
	g.p("if len(·y) == 0 {\n%s = %s\n} else {", v, g.zero(t.Type))
	g.p("·n, ·c := @@%s(·y)", parse)
	if value {
		g.p("if ·c == @@OK && %s {\n·c = @@ErrZero\n}", isZero)
	}
	g.p("if ·c != @@OK {\nreturn %s\n}", where.on("@@Fail(·c, 0)"))
	if value {
		g.p("%s = *·n\n}", v)
	} else {
		g.p("%s = ·n\n}", v)
	}
}

// charge returns a call that takes n values from the decoder's budget. Each costs cost units and
// needs mem bytes of memory. The budget allows two bytes of memory for each unit. mem is increased
// by an eighth, because the allocator rounds sizes up. Only values that need more memory than that
// get the slower call, ChargeFat.
func charge(n string, cost int, mem int) string {
	if mem+mem/8 <= 2*cost {
		return fmt.Sprintf("·d.Charge(%s, %d)", n, cost)
	}
	return fmt.Sprintf("·d.ChargeFat(%s, %d, %d)", n, cost, mem)
}
