package java

import (
	"fmt"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/zmytype"
)

// Java initializes the constants of a class in order, so each constant is declared after those that
// it is made of. Codecs of structs and unions may refer to each other in circles. So they are
// created first, without their fields, and a static block at the end adds the fields.

// constantOf is a constant of the holder class, for a slot or a fixed type that is composed of
// others.
type constantOf struct {
	name string
	t    *ir.ZMYType
}

// collect chooses a constant's name for each type that needs a constant. Parts come before the
// types that consist of them.
func (g *gen) collect() {
	g.known = map[*ir.ZMYType]string{}
	names := scope{}
	for _, t := range g.plan.Types {
		if t.IsStruct() || isInline(t) || t.Shape == zmytype.ShapeUnion {
			g.known[t] = names.fresh(constant(g.names[t.Type]) + map[bool]string{true: "_INLINE"}[isInline(t)])
		}
	}
	done := map[*ir.ZMYType]bool{}
	var visit func(t *ir.ZMYType)
	visit = func(t *ir.ZMYType) {
		if done[t] || t.Words != "" {
			return
		}
		done[t] = true
		for _, p := range t.Parts() {
			if isRecord(p) && isRecord(t) || t.Shape == zmytype.ShapeUnion {
				continue // the loop below visits them
			}
			visit(p)
		}
		if g.made(t) {
			g.known[t] = names.fresh(g.constantName(t))
			g.consts = append(g.consts, constantOf{g.known[t], t})
		}
	}
	for _, t := range g.plan.Types {
		visit(t)
	}
}

func (g *gen) constantName(t *ir.ZMYType) string {
	s := constant(spelling.Word(t.Type))
	switch t.Shape {
	case zmytype.ShapeOpt:
		if t.Type.Kind != ir.Pointer { // the pointer's word ends in OrNull already
			s += "_OR_NULL"
		}
	}
	switch {
	case t.Time == zmytype.Zone || t.Elem != nil && t.Elem.Time == zmytype.Zone:
		s += "_ZONE"
	case t.Time == zmytype.UnixNano || t.Elem != nil && t.Elem.Time == zmytype.UnixNano:
		s += "_NANO"
	}
	return s
}

// made reports whether a type's slot is composed of the slots of others.
func (g *gen) made(t *ir.ZMYType) bool {
	switch t.Shape {
	case zmytype.ShapeFixed:
		return t.Type.Kind == ir.Array
	case zmytype.ShapeFixedTail, zmytype.ShapePacked, zmytype.ShapeList, zmytype.ShapeDense, zmytype.ShapeArray, zmytype.ShapeMap,
		zmytype.ShapePtrStruct, zmytype.ShapePtrFixed, zmytype.ShapeOpt:
		return true
	}
	return false
}

// constantFor returns the expression for a type's constant in the file f.
func (g *gen) constantFor(f *source, t *ir.ZMYType) string {
	if f.holds {
		return g.known[t]
	}
	return g.holder + "." + g.known[t]
}

// used returns the types that occur other than as keys of maps. Keys have forms of their own.
func (g *gen) used() map[*ir.ZMYType]bool {
	out := map[*ir.ZMYType]bool{}
	for _, t := range g.plan.Types {
		for _, p := range t.Parts() {
			if p != t.Key {
				out[p] = true
			}
		}
	}
	return out
}

// version is the version of the contract between generated code and the library. It grows by one
// when older code stops working with the library, or newer code would not work with an older
// library. The library's class Generated says which versions it supports.
const version = 1

// table prints the holder class, which has all codecs of the output. If they were in several
// classes, two threads that load classes could deadlock.
func (g *gen) table() {
	f := g.file()
	f.holds = true
	used := g.used()
	f.doc("All codecs of this output. They are in one class because types hold each other: classes that wait for each other's " +
		"initialization could wait for ever.")
	f.top("final class %s {", g.holder)
	f.p("private %s() {}\n", g.holder)
	f.p("static {\n%s.check(%d, %s.class);\n}\n", f.wire("Generated"), version, g.holder)
	for _, t := range g.plan.Types {
		switch {
		case g.plan.InSetsOnly(t):
		case t.IsStruct():
			f.p("static final %[1]sCodec %[2]s = new %[1]sCodec();", g.names[t.Type], g.known[t])
		case isInline(t):
			f.p("static final %[1]sInline %[2]s = new %[1]sInline();", g.names[t.Type], g.known[t])
		case t.Shape == zmytype.ShapeUnion:
			f.p("static final %[1]sSlot %[2]s = new %[1]sSlot();", g.names[t.Type], g.known[t])
		}
	}
	var body []string
	for _, c := range g.consts {
		if !used[c.t] {
			continue
		}
		typ := f.wire("Slot")
		if c.t.Shape == zmytype.ShapeFixed {
			typ = f.wire("Fixed")
		}
		body = append(body, fmt.Sprintf("static final %s<%s> %s = %s;", typ, g.javaType(f, c.t, true), c.name, g.make(f, c.t)))
	}
	if len(body) > 0 {
		f.p("")
		for _, line := range body {
			f.p("%s", line)
		}
	}
	f.p("\nstatic {")
	for _, t := range g.plan.Types {
		switch {
		case g.plan.InSetsOnly(t):
		case t.IsStruct():
			g.layout(f, t)
		case t.Shape == zmytype.ShapeUnion:
			var numbers, arms []string
			for _, a := range t.Arms {
				numbers = append(numbers, fmt.Sprint(a.Disc))
				arms = append(arms, g.known[a.Type])
			}
			f.p("%s.define(new int[] {%s}, %s);", g.known[t], strings.Join(numbers, ", "), strings.Join(arms, ", "))
		}
	}
	f.p("}")
	f.p("}")
	g.done(g.holder, f)
}

// layout prints code that gives a codec its fields.
func (g *gen) layout(f *source, t *ir.ZMYType) {
	calls := []string{f.wire("Layout") + ".builder()"}
	if t.Shape == zmytype.ShapeSparse {
		calls = append(calls, ".sparse()")
	}
	if t.Unknown != nil {
		calls = append(calls, ".keeps()")
	}
	for _, z := range t.Fields {
		switch {
		case z.Field == nil:
			calls = append(calls, fmt.Sprintf(".reserved(%d)", map[bool]int{true: z.Type.Size}[z.Tail < 0]))
		case z.Tail < 0:
			calls = append(calls, fmt.Sprintf(".fixed(%q, %s)", z.Field.Name, g.fixed(f, z.Type)))
		default:
			calls = append(calls, fmt.Sprintf(".tail(%q, %s)", z.Field.Name, g.slot(f, z.Type)))
		}
	}
	head := g.known[t] + ".define("
	if one := head + strings.Join(calls, "") + ");"; len(one)+4 <= width {
		f.p("%s", one)
		return
	}
	f.p("%s", head)
	indent := strings.Repeat("  ", f.depth)
	for i, c := range calls {
		more := "    "
		if i > 0 {
			more = "        "
		}
		end := ""
		if i == len(calls)-1 {
			end = ");"
		}
		f.body.WriteString(indent + more + c + end + "\n")
	}
}
