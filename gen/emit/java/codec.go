package java

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/zmytype"
)

// If a message is narrow and of the codec's own version, the codec reads and writes scalars and
// ends at constant offsets. The library handles all other messages by the codec's layout. Methods
// of many fields would never be compiled (see method.go), so such structs are handled in parts,
// through a builder.

// internals are names of variables that methods of codecs use for themselves.
const internals = "d e from to h head depth x s w p z failed f fields u v"

// locals returns the name of a variable for each field, by the field's index in the type.
func locals(fields []field) map[int]string {
	names := scope(set(internals))
	out := map[int]string{}
	for _, f := range fields {
		want := f.name
		if strings.TrimLeft(want, "e0123456789") == "" { // the ends of tails have such names
			want += "_"
		}
		out[f.at] = names.fresh(want)
	}
	return out
}

// codec prints the class that reads and writes a struct.
func (g *gen) codec(t *ir.ZMYType) {
	f := g.file()
	name := g.names[t.Type]
	fields, unknown := g.fields(t)
	f.doc("Reads and writes {@link " + name + "}.")
	f.top("final class %sCodec extends %s<%s> {", name, f.wire("StructCodec"), name)
	if t.Shape != zmytype.ShapeSparse {
		f.p("private static final int HEAD = %#x;", t.Header())
	}
	if anyField(fields, reads) || anyField(fields, writes) {
		g.fieldNames(f, fields)
	}
	f.p("\n%sCodec() {\nsuper(%q, %#xL, %d);\n}\n", name, name, ir.ZMYFingerprint(t), t.Cost)
	f.p("@Override\npublic %s zero() {\nreturn %s.ZERO;\n}\n", name, name)
	if unknown != "" && t.Shape != zmytype.ShapeSparse {
		f.p("@Override\nprotected int head(%s v) {\nreturn v.%s().head(HEAD);\n}\n", name, unknown)
	}
	g.read(f, t, fields, unknown)
	g.write(f, t, fields, unknown)
	f.p("}")
	g.done(name+"Codec", f)
}

// fieldNames prints the constant with the names of fields, for paths in errors.
func (g *gen) fieldNames(f *source, fields []field) {
	var names []string
	for _, x := range fields {
		names = append(names, fmt.Sprintf("%q", x.Field.Name))
	}
	f.p("private static final String[] FIELDS = {%s};", strings.Join(names, ", "))
}

// read prints the method that reads a struct. A message of exactly this version in a narrow slot is
// read at constant offsets. For any other, the method open of the library sets the same variables.
// A struct with many fields is read by several methods into a builder, from a table of offsets.
func (g *gen) read(f *source, t *ir.ZMYType, fields []field, unknown string) {
	name := g.names[t.Type]
	m := g.method(f, t, fields, "read")
	f.p("@Override")
	f.p("protected %s read(%s d, int from, int to, int h, int head, int depth) throws %s {", name, f.wire("Decoder"), m.exception)
	f.p("enter(d, from, depth);")
	switch {
	case t.Shape == zmytype.ShapeSparse:
		f.p("%s z = d.openSparse(layout(), from, to, h);", f.wire("Sparse"))
		if unknown != "" {
			f.p("%s u = z.unknown(d, from);", f.wire("Unknown"))
		}
	case m.many:
		f.p("%s z = d.sections(layout(), from, to, h, head);", f.wire("Sections"))
		if unknown != "" {
			f.p("%s u = unknown(d, from, to, h, head);", f.wire("Unknown"))
		}
	default:
		g.open(f, t, unknown)
	}
	local := locals(fields)
	var args []string
	for _, x := range fields {
		args = append(args, local[x.at])
	}
	if unknown != "" {
		args = append(args, "u")
	}
	steps := g.readSteps(m, t, unknown, local)
	if !m.many {
		m.print(steps, fmt.Sprintf("return new %s(%s);", name, strings.Join(args, ", ")))
		f.p("}\n")
		return
	}
	f.p("%s.Builder b = %s.builder();", name, name)
	head := fmt.Sprintf("%s d, %s z, %s.Builder b, int from, int depth", f.wire("Decoder"), f.wire("Sections"), name)
	call := "d, z, b, from, depth"
	if unknown == "" {
		m.parts(steps, "void", head, "", call, "")
		f.p("return b.build();\n}\n")
	} else {
		m.parts(steps, f.wire("Unknown"), head+", "+f.wire("Unknown")+" u", "u = ", call+", u", "return u;")
		f.p("return b.%s(u).build();\n}\n", unknown)
	}
	m.printParts()
}

// readSteps returns the code that reads each field: scalars in order, then tails.
func (g *gen) readSteps(m *method, t *ir.ZMYType, unknown string, local map[int]string) (steps []step) {
	f := m.f
	set := func(z *ir.ZMYField, i int, value string) string {
		if m.many {
			return fmt.Sprintf("b.%s(%s);", m.name[i], value)
		}
		return fmt.Sprintf("%s %s = %s;", g.valueType(f, z.Type, false), local[i], value)
	}
	for i, z := range t.Fields {
		switch {
		case z.Field == nil:
			steps = append(steps, step{g.readReserved(m, t, z, i, unknown), -1, anyField(m.fields, reads)})
		case z.Tail < 0:
			steps = append(steps, step{[]string{set(z, i, g.readScalar(m, t, z, i))}, m.index[i], reads(z.Type)})
		}
	}
	for i, z := range t.Fields {
		if z.Field != nil && z.Tail >= 0 {
			lo, hi := tailBounds(m, t, z, i)
			value := fmt.Sprintf("%s.read(d, %s, %s, depth)", g.slot(f, z.Type), lo, hi)
			steps = append(steps, step{[]string{set(z, i, value)}, m.index[i], true})
		}
	}
	return steps
}

// reads reports whether some bytes are not a valid value of the type, so that reading may throw.
func reads(t *ir.ZMYType) bool {
	s := scalarOf(t)
	return t.Shape != zmytype.ShapeFixed || s.typ == "" || s.reads
}

// writes reports whether some values of the type cannot be written, so that writing may throw.
func writes(t *ir.ZMYType) bool {
	s := scalarOf(t)
	return t.Shape != zmytype.ShapeFixed || s.typ == "" || s.writes
}

// anyField reports whether the function is returns true for the type of any field.
func anyField(fields []field, is func(*ir.ZMYType) bool) bool {
	return slices.ContainsFunc(fields, func(f field) bool { return is(f.Type) })
}

// tailBounds returns expressions for the start and the end of a field's tail.
func tailBounds(m *method, t *ir.ZMYType, z *ir.ZMYField, i int) (lo, hi string) {
	if t.Shape == zmytype.ShapeSparse || m.many {
		return fmt.Sprintf("z.from(%d)", i), fmt.Sprintf("z.to(%d)", i)
	}
	lo = "p"
	if z.Tail > 0 {
		lo = fmt.Sprintf("e%d", z.Tail-1)
	}
	return lo, fmt.Sprintf("e%d", z.Tail)
}

// open prints code that finds the sections of a dense struct.
func (g *gen) open(f *source, t *ir.ZMYType, unknown string) {
	code, layout := f.zmy("ErrorCode"), f.wire("Layout")
	if t.Scalars > 0 {
		f.p("int x = from + head;")
		f.p("int s = %d;", t.Scalars)
	}
	if t.Tails > 0 {
		f.p("int p;")
		for i := range t.Tails {
			f.p("int e%d;", i)
		}
	}
	if unknown != "" {
		f.p("%s u = %s.NONE;", f.wire("Unknown"), f.wire("Unknown"))
	}
	fixed := t.Scalars + 2*t.Tails
	f.p("if (h == HEAD && to - from <= %s.NARROW) {", layout)
	f.p("if (to - from < head + %d) {\nthrow d.fail(%s.TRUNCATED, to);\n}", fixed, code)
	if t.Tails == 0 {
		f.p("if (to - from != head + %d) {\nthrow d.fail(%s.ENDS, from);\n}", fixed, code)
	} else {
		f.p("int w = from + head + %d;", t.Scalars)
		f.p("p = w + %d;", 2*t.Tails)
		prev := "p"
		var bad []string
		for i := range t.Tails {
			f.p("e%d = from + d.u16(%s);", i, plus("w", 2*i))
			bad = append(bad, fmt.Sprintf("e%d < %s", i, prev))
			prev = fmt.Sprintf("e%d", i)
		}
		bad = append(bad, prev+" != to")
		f.p("if (%s) {\nthrow d.fail(%s.ENDS, from);\n}", strings.Join(bad, " || "), code)
	}
	f.line("} else {")
	f.p("d.open(layout(), from, to, h, head);")
	if t.Scalars > 0 {
		f.p("s = d.scalars();")
	}
	if t.Tails > 0 {
		f.p("p = d.first();")
		for i := range t.Tails {
			f.p("e%d = d.tail(%d);", i, i)
		}
	}
	if unknown != "" {
		f.p("u = unknown(d, from, to, h, head);")
	}
	f.p("}")
}

func plus(x string, n int) string {
	if n == 0 {
		return x
	}
	return fmt.Sprintf("%s + %d", x, n)
}

// readReserved returns code that keeps or drops the content of a reserved field.
func (g *gen) readReserved(m *method, t *ir.ZMYType, z *ir.ZMYField, i int, unknown string) (lines []string) {
	scalar := z.Tail < 0
	lo, hi := plus("x", z.Offset), plus("x", z.Offset+z.Type.Size)
	has := fmt.Sprintf("s >= %d", z.Offset+z.Type.Size)
	if !scalar || t.Shape == zmytype.ShapeSparse || m.many {
		lo, hi = tailBounds(m, t, z, i)
		has = lo + " >= 0"
	}
	if scalar {
		lines = append(lines, fmt.Sprintf("if (%s) {", has))
	}
	if unknown != "" {
		lines = append(lines, fmt.Sprintf("u = keep(d, u, %d, %s, %s, %t, from);", i, lo, hi, scalar))
	} else {
		lines = append(lines, fmt.Sprintf("drop(d, %s, %s, %t, from);", lo, hi, scalar))
	}
	if scalar {
		lines = append(lines, "}")
	}
	return lines
}

// readScalar returns the expression that reads a scalar. If the message lacks the field, because it
// is of an older version or the struct is sparse, the expression yields the zero value.
func (g *gen) readScalar(m *method, t *ir.ZMYType, z *ir.ZMYField, i int) string {
	at, lacks := plus("x", z.Offset), fmt.Sprintf("s < %d", z.Offset+z.Type.Size)
	if t.Shape == zmytype.ShapeSparse || m.many {
		at = fmt.Sprintf("z.from(%d)", i)
		lacks = at + " < 0"
	}
	zero := scalarOf(z.Type).zero
	if zero == "" {
		zero = g.zero(m.f, z.Type)
	}
	return fmt.Sprintf("%s ? %s : %s", lacks, zero, g.get(m.f, z.Type, at))
}

// scalars replaces the class Scalars at the start of a call by the name that this file uses for the
// class.
func (f *source) scalars(call string) string {
	if rest, ok := strings.CutPrefix(call, "Scalars."); ok {
		return f.wire("Scalars") + "." + rest
	}
	return call
}

// get returns the expression that reads a fixed value.
func (g *gen) get(f *source, t *ir.ZMYType, at string) string {
	if s := scalarOf(t); s.typ != "" {
		return fmt.Sprintf(f.scalars(s.get), at)
	}
	return g.fixed(f, t) + ".get(d, " + at + ")"
}

// inline prints the class that reads and writes a struct inline, among the scalars of another
// struct.
func (g *gen) inline(t *ir.ZMYType) {
	f := g.file()
	name := g.names[t.Type]
	fields, _ := g.fields(t)
	exception := f.zmy("ZmyException")
	local := locals(fields)
	var args []string
	f.doc("Reads and writes {@link " + name + "} where it stands inline.")
	f.top("final class %sInline extends %s<%s> {", name, f.wire("Fixed"), name)
	if anyField(fields, reads) || anyField(fields, writes) {
		g.fieldNames(f, fields)
	}
	f.p("\n%sInline() {\nsuper(%d);\n}\n", name, t.Size)
	f.p("@Override\npublic %s zero() {\nreturn %s.ZERO;\n}\n", name, name)
	f.p("@Override\npublic %s get(%s d, int x) throws %s {", name, f.wire("Decoder"), exception)
	m := g.method(f, t, fields, "get")
	var steps []step
	for i, x := range fields {
		line := fmt.Sprintf("%s %s = %s;", g.javaType(f, x.Type, false), local[x.at], g.get(f, x.Type, plus("x", x.Offset)))
		steps = append(steps, step{[]string{line}, i, reads(x.Type)})
		args = append(args, local[x.at])
	}
	m.print(steps, fmt.Sprintf("return new %s(%s);", name, strings.Join(args, ", ")))
	f.p("}\n")
	f.p("@Override\npublic void put(%s e, int x, %s v) throws %s {", f.wire("Encoder"), name, exception)
	steps = nil
	for i, x := range fields {
		steps = append(steps, step{[]string{g.put(f, x.Type, plus("x", x.Offset), "v."+x.name+"()") + ";"}, i, writes(x.Type)})
	}
	m.print(steps, "")
	f.p("}\n")
	f.p("@Override\npublic void verify(%s d, int x) throws %s {\nget(d, x);\n}\n}", f.wire("Decoder"), exception)
	g.done(name+"Inline", f)
}
