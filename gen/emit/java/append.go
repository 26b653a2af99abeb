package java

import (
	"fmt"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
)

// write prints the method that appends a struct: scalars and ends are reserved at
// once and stand at constant offsets; a sparse one is pressed together at the end.
func (g *gen) write(f *source, t *ir.ZMYType, fields []field, unknown string) {
	name := g.names[t.Type]
	exception := f.zmy("ZmyException")
	f.p("@Override")
	f.p("protected void write(%s e, %s v, int h, int head, int depth) throws %s {", f.wire("Encoder"), name, exception)
	f.p("e.enter(depth);")
	f.p("int s = e.reserve(head + %d);", t.Scalars+2*t.Tails)
	if len(t.Fields) > 0 {
		f.p("int x = s + head;")
	}
	f.p("if (head != 0) {\ne.i32(s, %s);\n}", map[bool]string{true: fmt.Sprintf("%#x", t.Header()), false: "HEAD"}[t.Shape == ir.ZMYSparse])
	local := map[int]string{}
	index := map[int]int{}
	for i, x := range fields {
		local[x.at], index[x.at] = x.name, i
	}
	for i := range t.Tails {
		f.p("int e%d;", i)
	}
	end := f.try(anyField(fields, writes), false, exception)
	step := stepper{f: f}
	for i, z := range t.Fields {
		at := plus("x", z.Offset)
		switch {
		case z.Tail >= 0:
		case z.Field == nil && unknown == "":
			f.p("e.zero(%s, %d); // reserved", at, z.Type.Size)
		case z.Field == nil:
			f.p("e.kept(%s, %d, v.%s().kept(%d));", at, z.Type.Size, unknown, i)
		default:
			if writes(z.Type) {
				step.to(index[i])
			}
			f.p("%s;", g.put(f, z.Type, at, "v."+local[i]+"()"))
		}
	}
	g.writeTails(f, t, local, index, unknown, &step)
	end()
	g.writeEnds(f, t, unknown)
	f.p("}\n")
}

// put is the statement that writes a fixed value, without its semicolon.
func (g *gen) put(f *source, t *ir.ZMYType, at, v string) string {
	if s, ok := scalarOf(t); ok {
		return fmt.Sprintf(f.scalars(s.put), at, v)
	}
	return fmt.Sprintf("%s.put(e, %s, %s)", g.fixed(f, t), at, v)
}

func (g *gen) writeTails(f *source, t *ir.ZMYType, local map[int]string, index map[int]int, unknown string, step *stepper) {
	for i, z := range t.Fields {
		switch {
		case z.Tail < 0:
			continue
		case z.Field != nil:
			step.to(index[i])
			f.p("%s.write(e, v.%s(), depth);", g.slot(f, z.Type), local[i])
		case unknown != "":
			f.p("if (v.%[1]s().kept(%[2]d) != null) {\ne.bytes(v.%[1]s().kept(%[2]d));\n}", unknown, i)
		}
		f.p("e%d = e.at() - s;", z.Tail)
	}
}

// writeEnds prints what stores the ends of the tails.
func (g *gen) writeEnds(f *source, t *ir.ZMYType, unknown string) {
	var ends []string
	for i := range t.Tails {
		ends = append(ends, fmt.Sprintf("e%d", i))
	}
	all := "new int[] {" + strings.Join(ends, ", ") + "}"
	if t.Shape == ir.ZMYSparse {
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
	f.p("if (e%d <= %s.NARROW) {", t.Tails-1, f.wire("Layout"))
	for i := range t.Tails {
		f.p("e.i16(%s, e%d);", plus("x", t.Scalars+2*i), i)
	}
	f.line("} else {")
	f.p("e.end(s, %s, %s);", plus("x", t.Scalars), all)
	f.p("}")
}
