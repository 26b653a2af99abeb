package gobin

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/zmytype"
	"github.com/zmylab/zmy/wire"
)

// at is a position for errors: the step of the path, and the offset of its slot.
type at struct {
	step   string // "In(%q" or "At(·i"
	off    string
	around *at    // the position of the enclosing value; nil at the top
	trusts bool   // decoding code does not check the bytes, because methods of views cannot return an error
	giveUp string // results that the generated function returns in place of an error: "false"; "" if it returns errors
}

func inField(name, off string) at { return at{step: fmt.Sprintf("In(%q", name), off: off} }

// field returns the position of a field inside a. off is the field's offset in bytes from the start
// of a.
func (a at) field(name string, off int) at {
	in := inField(name, fmt.Sprint(off))
	in.around, in.trusts, in.giveUp = &a, a.trusts, a.giveUp
	return in
}

func (a at) plus(n int) at {
	if a.off == "0" {
		a.off = fmt.Sprint(n)
	} else {
		a.off = fmt.Sprintf("%s+%d", a.off, n)
	}
	return a
}

// on returns the error expression err with the position added.
func (a at) on(err string) string {
	if a.step == "" {
		return err
	}
	err += "." + a.step + ", " + a.off + ")"
	if a.around != nil {
		return a.around.on(err)
	}
	return err
}

func (a at) fail(code string) string { return a.on("@@Fail(@@" + code + ", 0)") }

// refuse returns a return statement for the error code. The argument before has the text of the
// results that precede the error. If a.giveUp is set, the statement returns that instead.
func (a at) refuse(before, code string) string {
	return "return " + cmp.Or(a.giveUp, before+a.fail(code))
}

// slice returns the expression x[off:]. off is a number or an expression.
func slice(x, off string) string {
	if off == "0" {
		return x
	}
	return x + "[" + off + ":]"
}

// numeric returns the end of the names of package wire's functions for packed values of kind k,
// such as "Ints", or "" if there are none.
func numeric(k ir.Kind) string {
	switch {
	case k == ir.Bool:
		return "Bools"
	case k.IsInt(), k.IsUint():
		return "Ints"
	case k.IsFloat():
		return "Floats"
	case k == ir.Complex64, k == ir.Complex128:
		return "Complexes"
	}
	return ""
}

// putFixed prints code that writes the value v to the bytes of x at off. v is addressable. where is
// the position for errors.
func (g *gen) putFixed(t *ir.ZMYType, x, off, v string, where at) {
	dst := slice(x, off)
	switch k := t.Type.Kind; k {
	case ir.Bool:
		g.p("@@PutBool(%s, bool(%s))", dst, v)
	case ir.Int8, ir.Uint8:
		g.p("%s[%s] = byte(%s)", x, off, v)
	case ir.Int16, ir.Uint16, ir.Int32, ir.Uint32, ir.Int64, ir.Uint64, ir.Int, ir.Uint, ir.Uintptr, ir.Duration:
		g.p("@@PutU%d(%s, uint%d(%s))", 8*t.Size, dst, 8*t.Size, v)
	case ir.Float32, ir.Float64:
		g.p("@@PutF%d(%s, float%d(%s))", 8*t.Size, dst, 8*t.Size, v)
	case ir.Complex64, ir.Complex128:
		g.p("@@PutC%d(%s, complex%d(%s))", 8*t.Size, dst, 8*t.Size, v)
	case ir.Time:
		g.p("if !@@%s(%s, %s) {\n%s\n}", timeFunc("Put", t), dst, v, where.refuse("·b, ", "ErrDomain"))
	case ir.Struct:
		for _, f := range t.Fields {
			g.putFixed(f.Type, x, plus(off, f.Offset), v+"."+f.Field.Name, where.field(f.Field.Name, f.Offset))
		}
	case ir.Array:
		g.putArray(t, x, off, v, where)
	}
}

func (g *gen) putArray(t *ir.ZMYType, x, off, v string, where at) {
	e := t.Elem
	if n := numeric(e.Type.Kind); n != "" {
		g.p("@@Put%s(%s, %s[:], %d)", n, slice(x, off), v, e.Size)
		return
	}
	i := g.index()
	g.p("for %s := range %s {", i, v)
	g.putFixed(e, x, fmt.Sprintf("%s+%s*%d", off, i, e.Size), v+"["+i+"]", where)
	g.P("}")
}

// getFixed prints code that sets v from the bytes of x at off. If the bytes are not a valid value,
// the code returns from the current function. But if where.trusts is set, v gets an arbitrary
// value.
func (g *gen) getFixed(t *ir.ZMYType, v, x, off string, where at) {
	src := slice(x, off)
	switch k := t.Type.Kind; {
	case k == ir.Bool && !where.trusts:
		g.p("if %s[%s] > 1 {\n%s\n}", x, off, where.refuse("", "ErrDomain"))
		g.p("%s = %s[%s] != 0", v, x, off)
	case k == ir.Time && t.Time == zmytype.UnixNano:
		g.p("%s = @@UnixNano(%s)", v, src)
	case k == ir.Time && where.trusts:
		g.p("%s, _ = @@%s(%s)", v, timeFunc("", t), src)
	case k == ir.Time:
		g.p("{\nvar ·ok bool")
		g.p("if %s, ·ok = @@%s(%s); !·ok {\n%s\n}", v, timeFunc("", t), src, where.refuse("", "ErrDomain"))
		g.P("}")
	case k == ir.Struct:
		if t.Skips && !where.trusts {
			g.p("%s = %s{}", v, g.Type(t.Type))
		}
		for _, f := range t.Fields {
			g.getFixed(f.Type, v+"."+f.Field.Name, x, plus(off, f.Offset), where.field(f.Field.Name, f.Offset))
		}
	case k == ir.Array:
		g.getArray(t, v, x, off, where)
	default:
		g.p("%s = %s", v, g.fixedExpr(t, x, off))
	}
}

// timeFunc returns the name of package wire's function for the type's form of time.
func timeFunc(prefix string, t *ir.ZMYType) string {
	return prefix + [...]string{zmytype.Instant: "Time", zmytype.Zone: "ZoneTime", zmytype.UnixNano: "UnixNano"}[t.Time]
}

// plus returns the expression off+n.
func plus(off string, n int) string {
	if k, err := strconv.Atoi(off); err == nil {
		return strconv.Itoa(k + n)
	}
	return fmt.Sprintf("%s+%d", off, n)
}

// fixedExpr returns the expression of the number in x at off.
func (g *gen) fixedExpr(t *ir.ZMYType, x, off string) string {
	typ, src := g.Type(t.Type), slice(x, off)
	switch k := t.Type.Kind; k {
	case ir.Bool:
		return fmt.Sprintf("%s(%s[%s] != 0)", typ, x, off)
	case ir.Int8, ir.Uint8:
		return fmt.Sprintf("%s(%s[%s])", typ, x, off)
	case ir.Float32, ir.Float64:
		return fmt.Sprintf("%s(@@F%d(%s))", typ, 8*t.Size, src)
	case ir.Complex64, ir.Complex128:
		return fmt.Sprintf("%s(@@C%d(%s))", typ, 8*t.Size, src)
	}
	return fmt.Sprintf("%s(@@U%d(%s))", typ, 8*t.Size, src)
}

func (g *gen) getArray(t *ir.ZMYType, v, x, off string, where at) {
	e := t.Elem
	if n := numeric(e.Type.Kind); n != "" {
		if e.Domain == wire.BoolBytes && !where.trusts {
			g.p("if !@@BoolsOK(%s[:%d]) {\n%s\n}", slice(x, off), t.Size, where.refuse("", "ErrDomain"))
		}
		g.p("@@%s(%s[:], %s, %d)", n, v, slice(x, off), e.Size)
		return
	}
	i := g.index()
	g.p("for %s := range %s {", i, v)
	g.getFixed(e, v+"["+i+"]", x, fmt.Sprintf("%s+%s*%d", off, i, e.Size), where)
	g.P("}")
}

// index returns a loop variable that no enclosing loop uses.
func (g *gen) index() string {
	g.loops++
	return g.Local(fmt.Sprintf("j%d", g.loops))
}
