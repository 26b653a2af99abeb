package gobin

import (
	"fmt"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/zmytype"
)

// A column holds the elements of a list or array, or the keys or values of a map. It consists of
// packed fixed values, of dense structs, or of slots.

// The functions of a list or map hold a column as ·l, and the index of the current element as ·i.
// Dense structs share one header, so if elements keep unknown parts, two loops are needed: one finds
// the header with room for all of them, the other writes.

// appendColumn prints code that appends the elements of list, an expression that can be ranged
// over. v is the expression of element ·i.
func (g *gen) appendColumn(e *ir.ZMYType, ptr bool, list, v string, where at) {
	switch e.Shape {
	case zmytype.ShapeFixed:
		g.p("·at := len(·b)\n·b = @@Extend(·b, len(%s)*%d)\n·x := ·b[·at:]", list, e.Size)
		g.p("for ·i := range %s {", list)
		g.putFixed(e, "·x", fmt.Sprintf("·i*%d", e.Size), v, where)
		g.P("}")
	case zmytype.ShapeStruct:
		g.appendDense(e, ptr, list, v, where)
	default:
		g.p("·b, ·w := @@BeginList(·b, len(·b), len(%s))", list)
		g.p("for ·i := range %s {", list)
		g.appendSlot(e, v, where)
		g.mark("}")
	}
}

// mark prints code that stores where an element ends, followed by the text in its argument. The
// code tries Put first, because the compiler inlines Put but not Mark.
func (g *gen) mark(after string) {
	g.p("if !·w.Put(·b) {\n·b = ·w.Mark(·b)\n}%s", after)
}

// appendDense prints code that appends structs under one header. That is the header of their type,
// or, if elements carry unknown parts, a header under which all of them fit.
func (g *gen) appendDense(e *ir.ZMYType, ptr bool, list, v string, where at) {
	h, addr := head(e), "&"+v
	if ptr {
		addr = v
	}
	noNil := func() {
		if ptr {
			g.p("if %s == nil {\nreturn ·b, %s\n}", v, where.fail("ErrNil"))
		}
	}
	if e.Unknown != nil {
		g.p("·h := uint32(%s)\nfor ·i := range %s {", h, list)
		noNil()
		h = "·h"
		g.p("·h = @@MaxHead(·h, %s.%s.Head(%s))\n}", v, e.Unknown.Name, head(e))
	}
	g.p("·at := len(·b)\n·b = @@AppendHeader(·b, %s)", h)
	words := e.Tails > 0
	switch {
	case words:
		g.p("·b, ·w := @@BeginList(·b, ·at, len(%s))", list)
	case e.Unknown != nil:
		g.p("var ·w @@Words\n_, ·tails, _ := @@SplitHeader(·h)")
		g.p("if ·tails > 0 {\n·b, ·w = @@BeginList(·b, ·at, len(%s))\n}", list)
	default:
		g.p("_ = ·at")
	}
	g.p("for ·i := range %s {", list)
	if e.Unknown == nil {
		noNil()
	}
	g.p("if ·b, ·err = %s; ·err != nil {\nreturn ·b, %s\n}", g.appendCall(e, addr, v, h, "·left-1"), where.on("·err"))
	switch {
	case words:
		g.mark("")
	case e.Unknown != nil:
		g.p("if ·tails > 0 {")
		g.mark("}")
	}
	g.P("}")
}

// listAppend prints the function that appends a list or array.
func (g *gen) listAppend(t *ir.ZMYType) {
	param := g.Type(t.Type)
	if t.Shape == zmytype.ShapeArray {
		param = "*" + param
	}
	g.p("func %s(·e *@@Encoder, ·b []byte, ·s %s, ·left int) (_ []byte, ·err *@@Error) {", g.fn("Append", t), param)
	if t.Shape != zmytype.ShapeArray {
		g.p("if len(·s) == 0 {\nreturn ·b, nil\n}")
	}
	g.p("·start := len(·b)")
	if isFlatList(t) {
		g.p("if ·n := %s(·s); ·n <= @@Narrow && ·left > 1 {", g.fn("Size", t))
		g.p("if ·b = @@Extend(·b, ·n); %s(·b[·start:], ·s) {\nreturn ·b, nil\n}\n·b = ·b[:·start]\n}", g.fn("Put", t))
	}
	g.appendColumn(t.Elem, t.ElemPtr, "·s", "·s[·i]", at{step: "At(·i", off: "0"})
	if t.Shape == zmytype.ShapeArray {
		g.p("if @@IsZeroList(·b[·start:], %v) {\n·b = ·b[:·start]\n}", t.Elem.Shape == zmytype.ShapeStruct)
	}
	g.p("if len(·b)-·start > @@Narrow {\nreturn ·b, ·e.Fits(·b)\n}\nreturn ·b, nil\n}\n")
}

// openColumn prints code that opens the column in the expression src as l. With the suffix n, or
// with .N, l is the number of elements: see columnLen. where adds the column's position to an error
// expression.
func (g *gen) openColumn(e *ir.ZMYType, src, l string, where func(err string) string) {
	switch e.Shape {
	case zmytype.ShapeFixed:
		g.p("%s, ·err := @@OpenPacked(%s, %d)", l+"n", src, e.Size)
	case zmytype.ShapeStruct:
		g.p("%s, ·err := @@OpenDense(%s, %s, %s.Older)", l, src, head(e), g.typeVar(e))
	case zmytype.ShapeString:
		g.p("%s, ·err := @@OpenStrings(%s)", l, src)
	default:
		g.p("%s, ·err := @@OpenList(%s)", l, src)
	}
	g.p("if ·err != nil {\nreturn %s\n}", where("·err"))
}

// columnLen returns the expression for the number of elements of the column that was opened as l.
func columnLen(e *ir.ZMYType, l string) string {
	if e.Shape == zmytype.ShapeFixed {
		return l + "n"
	}
	return l + ".N"
}

// decodeElem prints code that sets v from element ·i of the column in src, which was opened as l.
// where may use ·off, the element's offset.
func (g *gen) decodeElem(e *ir.ZMYType, ptr bool, src, l, v string, where at) {
	if e.Shape == zmytype.ShapeFixed {
		g.getFixed(e, v, src, fmt.Sprintf("·i*%d", e.Size), where)
		return
	}
	if e.Shape == zmytype.ShapeString { // OpenStrings has checked all strings
		g.p("·y, _, _ := %s.Next()\n%s = %s(·d.String(·y))", l, v, g.Type(e.Type))
		return
	}
	g.p("·y, ·off, ·ok := %s.Next()\nif !·ok {\nreturn %s\n}", l, where.fail("ErrEnds"))
	if e.Shape != zmytype.ShapeStruct {
		g.decodeSlot(e, v, where)
		return
	}
	addr := "&" + v
	if ptr {
		addr = "&·all[·i]"
	}
	g.p("if ·err := %s(·d, ·y, %s.Head, 0, %s, ·left-1); ·err != nil {\nreturn %s\n}", g.fn("Decode", e), l, addr, where.on("·err"))
	if ptr {
		g.p("%s = %s", v, addr)
	}
}

// listDecode prints the function that decodes a list or array.
func (g *gen) listDecode(t *ir.ZMYType) {
	e := t.Elem
	g.p("func %s(·d *@@Decoder, ·b []byte, ·v *%s, ·left int) *@@Error {", g.fn("Decode", t), g.Type(t.Type))
	g.p("if len(·b) == 0 {\n*·v = %s\nreturn nil\n}", g.zero(t.Type))
	g.openColumn(e, "·b", "·l", func(err string) string { return err })
	n := columnLen(e, "·l")
	where := at{step: "At(·i", off: "·off"}
	if e.Shape == zmytype.ShapeFixed {
		where.off = fmt.Sprintf("·i*%d", e.Size)
	}
	if t.Shape == zmytype.ShapeArray {
		g.p("if %s != %d {\nreturn @@Fail(@@ErrCount, 0)\n}\n·s := ·v", n, t.Size)
	} else {
		mem := e.Memory
		if t.ElemPtr {
			mem += int(t.Type.Elem.Size)
		}
		g.p("if ·err := %s; ·err != nil {\nreturn ·err\n}", charge(n, e.Cost, mem))
		g.p("·s := @@Make(·d, *·v, %s)", n)
	}
	if t.ElemPtr {
		g.p("·all := make([]%s, %s)", g.Type(e.Type), n)
	} else if e.Skips {
		g.p("clear(·s[:])")
	}
	if t.Shape == zmytype.ShapeArray {
		g.p("·it := ·l")
		g.p("for ·i := range ·s {")
		g.decodeElem(e, false, "·b", "·it", "·s[·i]", where)
		g.p("}\nif ·l.Zero() {\nreturn @@Fail(@@ErrZero, 0)\n}\nreturn nil\n}\n")
		return
	}
	g.p("for ·i := range ·s {")
	g.decodeElem(e, t.ElemPtr, "·b", "·l", "·s[·i]", where)
	g.p("}\n*·v = ·s\nreturn nil\n}\n")
}
