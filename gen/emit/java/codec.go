package java

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
)

// internals are the names that methods of codecs use for themselves.
const internals = "d e from to h head depth x s w p z failed f fields u v"

// locals gives each field a variable.
func locals(fields []field) map[int]string {
	names := scope(set(internals))
	out := map[int]string{}
	for _, f := range fields {
		want := f.name
		if strings.TrimLeft(want, "e0123456789") == "" { // as the ends of tails are called
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
	f.p("final class %sCodec extends %s<%s> {", name, f.wire("StructCodec"), name)
	if t.Shape != ir.ZMYSparse {
		f.p("private static final int HEAD = %#x;", t.Header())
	}
	if anyField(fields, reads) || anyField(fields, writes) {
		g.fieldNames(f, fields)
	}
	f.p("\n%sCodec() {\nsuper(%q, %#xL, %d);\n}\n", name, name, t.Fingerprint, t.Cost)
	f.p("@Override\npublic %s zero() {\nreturn %s.ZERO;\n}\n", name, name)
	if unknown != "" && t.Shape != ir.ZMYSparse {
		f.p("@Override\nprotected int head(%s v) {\nreturn v.%s().head(HEAD);\n}\n", name, unknown)
	}
	g.read(f, t, fields, unknown)
	g.write(f, t, fields, unknown)
	f.p("}")
	g.done(name+"Codec", f)
}

// fieldNames prints the names for paths.
func (g *gen) fieldNames(f *source, fields []field) {
	var names []string
	for _, x := range fields {
		names = append(names, fmt.Sprintf("%q", x.Field.Name))
	}
	f.p("private static final String[] FIELDS = {%s};", strings.Join(names, ", "))
}

// read prints the method that reads a struct. The exact version in a narrow slot
// has constant offsets; open reads every other into the same variables.
func (g *gen) read(f *source, t *ir.ZMYType, fields []field, unknown string) {
	name := g.names[t.Type]
	exception := f.zmy("ZmyException")
	f.p("@Override")
	f.p("protected %s read(%s d, int from, int to, int h, int head, int depth) throws %s {", name, f.wire("Decoder"), exception)
	f.p("enter(d, from, depth);")
	if t.Shape == ir.ZMYSparse {
		f.p("%s z = d.openSparse(layout(), from, to, h);", f.wire("Sparse"))
		if unknown != "" {
			f.p("%s u = z.unknown(d, from);", f.wire("Unknown"))
		}
	} else {
		g.open(f, t, unknown)
	}
	local := locals(fields)
	end := f.try(anyField(fields, reads), len(fields) < len(t.Fields), exception)
	index := map[int]int{} // of a field in FIELDS
	for i, x := range fields {
		index[x.at] = i
	}
	step := stepper{f: f}
	for i, z := range t.Fields {
		switch {
		case z.Field == nil:
			if anyField(fields, reads) {
				step.to(-1)
			}
			g.readReserved(f, t, z, i, unknown)
		case z.Tail < 0:
			if reads(z.Type) {
				step.to(index[i])
			}
			g.readScalar(f, t, z, i, local[i])
		}
	}
	for i, z := range t.Fields {
		if z.Field == nil || z.Tail < 0 {
			continue
		}
		step.to(index[i])
		lo, hi := g.tailBounds(t, z, i)
		f.p("%s %s = %s.read(d, %s, %s, depth);", g.javaType(f, z.Type, false), local[i], g.slot(f, z.Type), lo, hi)
	}
	var args []string
	for _, x := range fields {
		args = append(args, local[x.at])
	}
	if unknown != "" {
		args = append(args, "u")
	}
	f.p("return new %s(%s);", name, strings.Join(args, ", "))
	end()
	f.p("}\n")
}

// stepper prints f = 3 where a method comes to field 3 and may fail there.
type stepper struct {
	f  *source
	at int
}

func (s *stepper) to(i int) {
	if i != s.at {
		s.f.p("f = %d;", i)
		s.at = i
	}
}

// reads reports a type some of whose bytes are refused when they are read.
func reads(t *ir.ZMYType) bool {
	s, ok := scalarOf(t)
	return t.Shape != ir.ZMYFixed || !ok || s.reads
}

// writes reports a type some of whose values are refused when they are written.
func writes(t *ir.ZMYType) bool {
	s, ok := scalarOf(t)
	return t.Shape != ir.ZMYFixed || !ok || s.writes
}

// anyField reports whether one of the fields is so.
func anyField(fields []field, is func(*ir.ZMYType) bool) bool {
	return slices.ContainsFunc(fields, func(f field) bool { return is(f.Type) })
}

// try prints the start of what may fail in a field, if anything may; the function
// that it returns prints the end. What fails in a reserved field is in none.
func (f *source) try(may, reserved bool, exception string) (end func()) {
	if !may {
		return func() {}
	}
	f.p("int f = 0;\ntry {")
	return func() {
		f.line("} catch (" + exception + " failed) {")
		if reserved {
			f.p("throw f < 0 ? failed : failed.in(FIELDS[f]);\n}")
		} else {
			f.p("throw failed.in(FIELDS[f]);\n}")
		}
	}
}

// tailBounds are where the tail of a field starts and ends.
func (g *gen) tailBounds(t *ir.ZMYType, z *ir.ZMYField, i int) (lo, hi string) {
	if t.Shape == ir.ZMYSparse {
		return fmt.Sprintf("z.from(%d)", i), fmt.Sprintf("z.to(%d)", i)
	}
	lo = "p"
	if z.Tail > 0 {
		lo = fmt.Sprintf("e%d", z.Tail-1)
	}
	return lo, fmt.Sprintf("e%d", z.Tail)
}

// open prints what finds the sections of a dense struct.
func (g *gen) open(f *source, t *ir.ZMYType, unknown string) {
	code, layout := f.zmy("ErrorCode"), f.wire("Layout")
	scalars := false
	for _, z := range t.Fields {
		scalars = scalars || z.Tail < 0
	}
	if scalars {
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
	if scalars {
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

// readReserved prints what becomes of the content of a reserved field.
func (g *gen) readReserved(f *source, t *ir.ZMYType, z *ir.ZMYField, i int, unknown string) {
	scalar := z.Tail < 0
	lo, hi := plus("x", z.Offset), plus("x", z.Offset+z.Type.Size)
	has := fmt.Sprintf("s >= %d", z.Offset+z.Type.Size)
	if !scalar || t.Shape == ir.ZMYSparse {
		lo, hi = g.tailBounds(t, z, i)
		has = lo + " >= 0"
	}
	if scalar {
		f.p("if (%s) {", has)
	}
	if unknown != "" {
		f.p("u = keep(d, u, %d, %s, %s, %t, from);", i, lo, hi, scalar)
	} else {
		f.p("drop(d, %s, %s, %t, from);", lo, hi, scalar)
	}
	if scalar {
		f.p("}")
	}
}

// readScalar prints what reads a scalar: the zero value where an older version, or
// a sparse struct, does not have it.
func (g *gen) readScalar(f *source, t *ir.ZMYType, z *ir.ZMYField, i int, name string) {
	at, lacks := plus("x", z.Offset), fmt.Sprintf("s < %d", z.Offset+z.Type.Size)
	if t.Shape == ir.ZMYSparse {
		at = fmt.Sprintf("z.from(%d)", i)
		lacks = at + " < 0"
	}
	zero := "0"
	if s, ok := scalarOf(z.Type); ok && s.zero != "" {
		zero = s.zero
	} else {
		zero = g.zero(f, z.Type)
	}
	f.p("%s %s = %s ? %s : %s;", g.javaType(f, z.Type, false), name, lacks, zero, g.get(f, z.Type, at))
}

// scalars spells the class Scalars in the template of a call.
func (f *source) scalars(call string) string {
	if rest, ok := strings.CutPrefix(call, "Scalars."); ok {
		return f.wire("Scalars") + "." + rest
	}
	return call
}

// get is the expression that reads a fixed value.
func (g *gen) get(f *source, t *ir.ZMYType, at string) string {
	if s, ok := scalarOf(t); ok {
		return fmt.Sprintf(f.scalars(s.get), at)
	}
	return g.fixed(f, t) + ".get(d, " + at + ")"
}

// inline prints the class of a struct that stands among the scalars of others.
func (g *gen) inline(t *ir.ZMYType) {
	f := g.file()
	name := g.names[t.Type]
	fields, _ := g.fields(t)
	exception := f.zmy("ZmyException")
	local := locals(fields)
	var args []string
	f.doc("Reads and writes {@link " + name + "} where it stands inline.")
	f.p("final class %sInline extends %s<%s> {", name, f.wire("Fixed"), name)
	if anyField(fields, reads) || anyField(fields, writes) {
		g.fieldNames(f, fields)
	}
	f.p("\n%sInline() {\nsuper(%d);\n}\n", name, t.Size)
	f.p("@Override\npublic %s zero() {\nreturn %s.ZERO;\n}\n", name, name)
	f.p("@Override\npublic %s get(%s d, int x) throws %s {", name, f.wire("Decoder"), exception)
	end := f.try(anyField(fields, reads), false, exception)
	step := stepper{f: f}
	for i, x := range fields {
		if reads(x.Type) {
			step.to(i)
		}
		f.p("%s %s = %s;", g.javaType(f, x.Type, false), local[x.at], g.get(f, x.Type, plus("x", x.Offset)))
		args = append(args, local[x.at])
	}
	f.p("return new %s(%s);", name, strings.Join(args, ", "))
	end()
	f.p("}\n")
	f.p("@Override\npublic void put(%s e, int x, %s v) throws %s {", f.wire("Encoder"), name, exception)
	end = f.try(anyField(fields, writes), false, exception)
	step = stepper{f: f}
	for i, x := range fields {
		if writes(x.Type) {
			step.to(i)
		}
		f.p("%s;", g.put(f, x.Type, plus("x", x.Offset), "v."+x.name+"()"))
	}
	end()
	f.p("}\n")
	f.p("@Override\npublic void verify(%s d, int x) throws %s {\nget(d, x);\n}\n}", f.wire("Decoder"), exception)
	g.done(name+"Inline", f)
}
