package java

import (
	"fmt"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/zmytype"
)

// write prints the method that appends a struct. The method makes room for scalars and ends at
// once; their offsets are constants. A sparse struct is compacted at the end. A struct with many
// fields is written by several methods.
func (g *gen) write(f *source, t *ir.ZMYType, fields []field, unknown string) {
	name := g.names[t.Type]
	m := g.method(f, t, fields, "write")
	f.p("@Override")
	f.p("protected void write(%s e, %s v, int h, int head, int depth) throws %s {", f.wire("Encoder"), name, m.exception)
	f.p("e.enter(depth);")
	f.p("int s = e.reserve(head + %d);", t.Scalars+2*t.Tails)
	if len(t.Fields) > 0 {
		f.p("int x = s + head;")
	}
	head := "HEAD"
	if t.Shape == zmytype.ShapeSparse {
		head = fmt.Sprintf("%#x", t.Header())
	}
	f.p("if (head != 0) {\ne.i32(s, %s);\n}", head)
	steps := g.writeSteps(m, t, unknown)
	if m.many {
		f.p("int[] ends = new int[%d];", t.Tails)
		head := fmt.Sprintf("%s e, %s v, int s, int x, int[] ends, int depth", f.wire("Encoder"), name)
		m.parts(steps, "void", head, "", "e, v, s, x, ends, depth", "")
	} else {
		for i := range t.Tails {
			f.p("int e%d;", i)
		}
		m.print(steps, "")
	}
	g.writeEnds(f, t, unknown, m.many)
	f.p("}\n")
	m.printParts()
	if t.Shape != zmytype.ShapeSparse && unknown == "" && !m.many {
		g.writeFast(f, m, t)
	}
}

// writeFast prints the method that writes a narrow struct into an array. The position is a local variable, which the JVM keeps in a
// register; a position behind the end says that the method above must write the struct.
func (g *gen) writeFast(f *source, m *method, t *ir.ZMYType) {
	fast := f.wire("Fast")
	f.p("@Override")
	f.p("protected int writeFast(%s e, byte[] a, int s, int end, %s v, int head, int depth) throws %s {",
		f.wire("Encoder"), g.names[t.Type], m.exception)
	f.p("if (!%s.fits(e, head + %d, end - s, depth)) {\nreturn %s.NO;\n}", fast, t.Scalars+2*t.Tails, fast)
	f.p("int x = s + head;")
	f.p("int p = x + %d;", t.Scalars+2*t.Tails)
	f.p("if (head != 0) {\n%s.i32(a, s, HEAD);\n}", fast)
	for i, z := range t.Fields {
		switch at := plus("x", z.Offset); {
		case z.Tail >= 0:
		case z.Field == nil:
			f.p("e.zero(%s, %d); // reserved", at, z.Type.Size)
		default:
			f.p("%s;", g.putFast(f, z.Type, at, "v."+m.name[i]+"()"))
		}
	}
	for i, z := range t.Fields {
		if z.Tail < 0 {
			continue
		}
		if z.Field != nil {
			f.p("p = %s;", g.appendFast(f, z.Type, "v."+m.name[i]+"()"))
		}
		f.p("%s.i16(a, %s, p - s);", fast, plus("x", t.Scalars+2*z.Tail))
	}
	f.p("return p;\n}\n")
}

// putFast returns the statement that writes a fixed value to the array a.
func (g *gen) putFast(f *source, t *ir.ZMYType, at, v string) string {
	put := g.put(f, t, at, v)
	if rest, ok := strings.CutPrefix(put, "e."); ok && !writes(t) {
		name, args, _ := strings.Cut(rest, "(")
		return fmt.Sprintf("%s.%s(a, %s", f.wire("Fast"), name, args)
	}
	return put
}

// copied are the packed arrays that have the bytes of a message.
var copied = map[string]bool{"INT16": true, "INT32": true, "INT64": true, "FLOAT32": true, "FLOAT64": true}

// appendFast returns the expression that appends a value to the array a, with the position behind it.
func (g *gen) appendFast(f *source, t *ir.ZMYType, v string) string {
	fast := f.wire("Fast")
	switch {
	case t.Shape == zmytype.ShapeString:
		return fmt.Sprintf("%s.text(e, a, p, end, %s)", fast, v)
	case t.Shape == zmytype.ShapeBytes:
		return fmt.Sprintf("%s.bytes(a, p, end, %s)", fast, v)
	case t.Shape == zmytype.ShapePacked && copied[scalarOf(t.Elem).packed]:
		return fmt.Sprintf("%s.numbers(a, p, end, %s)", fast, v)
	case t.Shape == zmytype.ShapeList && t.Elem.Shape == zmytype.ShapeString:
		return fmt.Sprintf("%s.texts(e, a, p, end, %s)", fast, v)
	case t.Shape == zmytype.ShapeDense && t.Elem.Shape == zmytype.ShapeStruct:
		return fmt.Sprintf("%s.structs(e, a, p, end, %s, %s, depth)", fast, g.slot(f, t.Elem), v)
	case t.Shape == zmytype.ShapeStruct:
		return fmt.Sprintf("%s.struct(e, a, p, end, %s, %s, depth)", fast, g.slot(f, t), v)
	case t.Shape == zmytype.ShapeMap && !t.IsSet() && t.Key.Shape == zmytype.ShapeString && t.Elem.Shape == zmytype.ShapeString:
		return fmt.Sprintf("%s.textMap(e, a, p, end, %s, %s, depth)", fast, g.slot(f, t), v)
	}
	return fmt.Sprintf("%s.slot(e, a, p, end, %s, %s, depth)", fast, g.slot(f, t), v)
}

// put returns the statement that writes a fixed value, without its semicolon.
func (g *gen) put(f *source, t *ir.ZMYType, at, v string) string {
	if s := scalarOf(t); s.typ != "" {
		return fmt.Sprintf(f.scalars(s.put), at, v)
	}
	return fmt.Sprintf("%s.put(e, %s, %s)", g.fixed(f, t), at, v)
}

// writeSteps returns the code that writes each field: scalars in order, then tails.
func (g *gen) writeSteps(m *method, t *ir.ZMYType, unknown string) (steps []step) {
	f := m.f
	for i, z := range t.Fields {
		at := plus("x", z.Offset)
		switch {
		case z.Tail >= 0:
		case z.Field == nil && unknown == "":
			steps = append(steps, step{[]string{fmt.Sprintf("e.zero(%s, %d); // reserved", at, z.Type.Size)}, -1, false})
		case z.Field == nil:
			steps = append(steps, step{[]string{fmt.Sprintf("e.kept(%s, %d, v.%s().kept(%d));", at, z.Type.Size, unknown, i)}, -1, false})
		default:
			steps = append(steps, step{[]string{g.put(f, z.Type, at, "v."+m.name[i]+"()") + ";"}, m.index[i], writes(z.Type)})
		}
	}
	end := "e%d = e.at() - s;"
	if m.many {
		end = "ends[%d] = e.at() - s;"
	}
	for i, z := range t.Fields {
		if z.Tail < 0 {
			continue
		}
		var lines []string
		field := -1
		switch {
		case z.Field != nil:
			field = m.index[i]
			lines = append(lines, fmt.Sprintf("%s.write(e, v.%s(), depth);", g.slot(f, z.Type), m.name[i]))
		case unknown != "":
			lines = append(lines, fmt.Sprintf("if (v.%[1]s().kept(%[2]d) != null) {\ne.bytes(v.%[1]s().kept(%[2]d));\n}", unknown, i))
		}
		steps = append(steps, step{append(lines, fmt.Sprintf(end, z.Tail)), field, z.Field != nil || unknown != ""})
	}
	return steps
}

// writeEnds prints code that stores the ends of the tails.
func (g *gen) writeEnds(f *source, t *ir.ZMYType, unknown string, many bool) {
	var ends []string
	for i := range t.Tails {
		ends = append(ends, fmt.Sprintf("e%d", i))
	}
	all := "new int[] {" + strings.Join(ends, ", ") + "}"
	if many {
		all = "ends"
	}
	if t.Shape == zmytype.ShapeSparse {
		u := f.wire("Unknown") + ".NONE"
		if unknown != "" {
			u = "v." + unknown + "()"
		}
		f.p("e.endSparse(s, layout(), %s, %s);", all, u)
		return
	}
	if unknown != "" {
		f.p("if (h != HEAD) {\ne.endNewer(s, head, layout(), h, %s, v.%s());\nreturn;\n}", all, unknown)
	}
	if t.Tails == 0 {
		return
	}
	if many {
		f.p("e.end(s, %s, ends);", plus("x", t.Scalars))
		return
	}
	f.p("if (e%d <= %s.NARROW) {", t.Tails-1, f.wire("Layout"))
	for i := range t.Tails {
		f.p("e.i16(%s, e%d);", plus("x", t.Scalars+2*i), i)
	}
	f.line("} else {")
	f.p("e.end(s, %s, %s);", plus("x", t.Scalars), all)
	f.p("}")
}
