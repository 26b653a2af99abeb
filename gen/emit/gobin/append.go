package gobin

import (
	"fmt"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/zmytype"
)

// helper has the functions of package wire for a list or map. Only common types have such
// functions.
type helper struct {
	append string // call, with %s for the value
	decode string // call, with %s for the value's address
}

func helperOf(t *ir.ZMYType) (h helper, ok bool) {
	switch t.Shape {
	case zmytype.ShapePacked:
		if n := numeric(t.Elem.Type.Kind); n != "" {
			size := t.Elem.Size
			return helper{
				fmt.Sprintf("·b = @@Append%s(·b, %%s, %d)", n, size),
				fmt.Sprintf("@@Decode%s(·d, ·y, %%s, %d)", n, size),
			}, true
		}
		if t.Elem.Type.Kind == ir.Time && t.Elem.Time == zmytype.Instant {
			return helper{"·b, ·err = @@AppendTimes(·b, %s)", "@@DecodeTimes(·d, ·y, %s)"}, true
		}
	case zmytype.ShapeList:
		switch e := t.Elem; {
		case e.Shape == zmytype.ShapeString:
			return helper{"·b, ·err = @@AppendStrings(·b, %s)", "@@DecodeStrings(·d, ·y, %s)"}, true
		case e.Shape == zmytype.ShapeBytes:
			return helper{"·b = @@AppendBytesList(·b, %s)", "@@DecodeBytesList(·d, ·y, %s)"}, true
		case plainAny(e):
			return helper{"·b, ·err = @@AppendAnyList(·e, ·b, %s, ·left-1)", "@@DecodeAnyList(·d, ·y, %s, ·left-1)"}, true
		}
	case zmytype.ShapeMap:
		switch {
		case t.Key.Shape == zmytype.ShapeString && t.Elem.Shape == zmytype.ShapeString:
			return helper{"·b, ·err = @@AppendStringMap(·e, ·b, %s)", "@@DecodeStringMap(·d, ·y, %s)"}, true
		case t.Key.Shape == zmytype.ShapeString && plainAny(t.Elem):
			return helper{"·b, ·err = @@AppendAnyMap(·e, ·b, %s, ·left-1)", "@@DecodeAnyMap(·d, ·y, %s, ·left-1)"}, true
		}
	}
	return h, false
}

// plainAny reports whether t is the type any itself. Slices and maps of a named any have another Go
// type, which the helpers do not take.
func plainAny(t *ir.ZMYType) bool {
	return t.Shape == zmytype.ShapeAny && (t.Type.Name == nil || t.Type.Name.Pkg == "")
}

// ownFunc reports whether t is a list, array or map that functions are generated for.
func ownFunc(t *ir.ZMYType) bool {
	switch t.Shape {
	case zmytype.ShapePacked, zmytype.ShapeList, zmytype.ShapeDense, zmytype.ShapeArray, zmytype.ShapeMap:
		_, ok := helperOf(t)
		return !ok
	}
	return false
}

// usesErr reports whether code that appends a value sets ·err. Without such code the variable must not
// be declared, since Go refuses variables that are not used.
func usesErr(t *ir.ZMYType) bool {
	switch t.Shape {
	case zmytype.ShapeFixed, zmytype.ShapeString, zmytype.ShapeBytes, zmytype.ShapeFixedTail, zmytype.ShapePtrFixed,
		zmytype.ShapeBigInt, zmytype.ShapePtrBigInt:
		return false
	case zmytype.ShapeOpt:
		return usesErr(t.Elem)
	case zmytype.ShapePacked:
		h, ok := helperOf(t)
		return !ok || h.append[:len("·b, ")] == "·b, "
	case zmytype.ShapeList:
		return t.Elem.Shape != zmytype.ShapeBytes
	}
	return true
}

// appendSlot prints code that appends the content of v's slot to b. v is an addressable expression.
func (g *gen) appendSlot(t *ir.ZMYType, v string, where at) {
	check := func() { g.p("if ·err != nil {\nreturn ·b, %s\n}", where.on("·err")) }
	switch t.Shape {
	case zmytype.ShapeString:
		g.p("if !@@ValidString(string(%s)) {\nreturn ·b, %s\n}", v, where.fail("ErrUTF8"))
		g.p("·b = append(·b, %s...)", v)
	case zmytype.ShapeBytes:
		g.p("·b = append(·b, %s...)", v)
	case zmytype.ShapeFixedTail:
		g.p("{\n·at := len(·b)\n·b = @@Extend(·b, %d)\n·x := ·b[·at:]", t.Size)
		g.putFixed(t, "·x", "0", v, where)
		g.p("if @@IsZero(·x) {\n·b = ·b[:·at]\n}\n}")
	case zmytype.ShapeStruct, zmytype.ShapeSparse:
		g.p("{\n·at := len(·b)")
		g.p("if ·b, ·err = %s; ·err != nil {\nreturn ·b, %s\n}", g.appendCall(t, "&"+v, v, "", "·left-1"), where.on("·err"))
		g.p("if @@IsZeroStruct(·b[·at:]) {\n·b = ·b[:·at]\n}\n}")
	case zmytype.ShapePtrStruct:
		g.p("if %s != nil {", v)
		g.p("if ·b, ·err = %s; ·err != nil {\nreturn ·b, %s\n}\n}", g.appendCall(t.Elem, v, v, "", "·left-1"), where.on("·err"))
	case zmytype.ShapePtrFixed:
		g.p("if %s != nil {\n·at := len(·b)\n·b = @@Extend(·b, %d)\n·x := ·b[·at:]", v, t.Elem.Size)
		g.putFixed(t.Elem, "·x", "0", "(*"+v+")", where)
		g.P("}")
	case zmytype.ShapeOpt:
		g.p("if %s != nil {\n·b = append(·b, 1)", v)
		if t.Type.Kind == ir.Pointer {
			v = "(*" + v + ")"
		}
		g.appendSlot(t.Elem, v, where)
		g.P("}")
	case zmytype.ShapeMethods:
		g.appendMethods(t, v)
		check()
	case zmytype.ShapeAny:
		g.p("·b, ·err = @@AppendAny(·e, ·b, %s, ·left-1)", v)
		check()
	case zmytype.ShapeBigInt:
		g.p("if %s.Sign() != 0 {\n·b = @@AppendBigInt(·b, &%s)\n}", v, v)
	case zmytype.ShapePtrBigInt:
		g.p("if %s != nil {\n·b = @@AppendBigInt(·b, %s)\n}", v, v)
	case zmytype.ShapeBigFloat:
		g.p("if !@@IsZeroFloat(&%s) {\n·b, ·err = @@AppendBigFloat(·b, &%s)", v, v)
		check()
		g.P("}")
	case zmytype.ShapePtrBigFloat:
		g.p("if %s != nil {\n·b, ·err = @@AppendBigFloat(·b, %s)", v, v)
		check()
		g.P("}")
	default:
		if h, ok := helperOf(t); ok {
			g.p(h.append, v)
			if usesErr(t) {
				check()
			}
			return
		}
		if t.Shape == zmytype.ShapeArray {
			v = "&" + v
		}
		g.p("·b, ·err = %s(·e, ·b, %s, ·left)", g.fn("Append", t), v)
		check()
	}
}

// appendMethods prints code that appends what a type's own methods return.
func (g *gen) appendMethods(t *ir.ZMYType, v string) {
	if t.Via == zmytype.ViaJSON {
		g.p("·b, ·err = %s(·b, &%s)", g.Ident(zmyPkg.Ident("AppendJSON")), v)
		return
	}
	name, appends := "", true
	switch t.Via {
	case zmytype.ViaBinary:
		name, appends = "Binary", t.Appends
	case zmytype.ViaText:
		name, appends = "Text", t.Appends
	}
	switch text := t.Via == zmytype.ViaText; {
	case !appends:
		g.p("·b, ·err = @@AppendMarshaled(·b, %s.Marshal%s, %v)", v, name, text)
	case t.Via == zmytype.ViaZMY:
		g.p("·b, ·err = @@AppendMethod(·b, %s.AppendZMY, false)", v)
	default:
		g.p("·b, ·err = @@AppendMethod(·b, %s.Append%s, %v)", v, name, text)
	}
}
