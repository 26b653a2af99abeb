package gobin

import (
	"fmt"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/zmytype"
)

// Adjacent tails whose length is known before they are written (strings, bytes) form a run. Room
// for a run is made at once, together with the scalars if it is the first run, and its strings are
// checked in one pass. docs/perf/zmy.md says what that gains. All other tails are appended one
// after the other.

// tail is a field whose value is in a tail of the struct.
type tail struct {
	*ir.ZMYField
	index int  // index of the field in the struct
	keeps bool // the field is reserved, and a field of type zmy.Unknown keeps its bytes
}

// plain reports whether the tail's length is known before it is written.
func (f tail) plain() bool {
	if f.Field == nil {
		return !f.keeps
	}
	return f.Type.Shape == zmytype.ShapeString || f.Type.Shape == zmytype.ShapeBytes
}

// tailRun is one tail, or several adjacent plain ones. Room for plain tails is made at once, and
// their strings are checked together.
type tailRun []tail

func (r tailRun) plain() bool { return r[0].plain() }

func tailRuns(t *ir.ZMYType) []tailRun {
	var runs []tailRun
	for i, f := range t.Fields {
		if f.Tail < 0 {
			continue
		}
		x := tail{f, i, f.Field == nil && t.Unknown != nil}
		if n := len(runs); n > 0 && x.plain() && runs[n-1].plain() {
			runs[n-1] = append(runs[n-1], x)
		} else {
			runs = append(runs, tailRun{x})
		}
	}
	return runs
}

// runEnds prints code that computes where the tails of a plain run end. The run starts at from.
// runEnds returns the variable of the last end.
func (g *gen) runEnds(r tailRun, from string) string {
	for _, f := range r {
		if f.Field == nil {
			g.p("·e%d := %s", f.Tail, from)
		} else {
			g.p("·e%d := %s + len(·v.%s)", f.Tail, from, f.Field.Name)
		}
		from = fmt.Sprintf("·e%d", f.Tail)
	}
	return from
}

// appendTails prints code that writes the tails; the first starts at from. If the first run is
// plain, room for it has been made already.
func (g *gen) appendTails(t *ir.ZMYType, runs []tailRun, from string) {
	for _, f := range t.Fields {
		if f.Tail >= 0 && usesErr(f.Type) {
			g.p("var ·err *@@Error")
			break
		}
	}
	for i, r := range runs {
		if r.plain() {
			if i > 0 {
				end := g.runEnds(r, from)
				g.p("·b = @@Extend(·b, %s - %s)", end, from)
			}
			from = g.putRun(r, from)
			continue
		}
		f := r[0]
		if f.Field == nil {
			g.p("·b = append(·b, ·v.%s.Kept(%d)...)", t.Unknown.Name, f.index)
		} else {
			g.appendSlot(f.Type, "·v."+f.Field.Name, inField(f.Field.Name, "0"))
		}
		g.p("·e%d := len(·b) - ·s", f.Tail)
		from = fmt.Sprintf("·e%d", f.Tail)
	}
}

// putRun prints code that writes a plain run, which starts at from. It returns the variable of the
// run's end. The strings are checked one by one only if not all of them are ASCII.
func (g *gen) putRun(r tailRun, from string) string {
	var checks []string
	for _, f := range r {
		if f.Field != nil {
			v, place := "·v."+f.Field.Name, fmt.Sprintf("·b[·s+%s:]", from)
			if f.Type.Shape == zmytype.ShapeString {
				op := "|="
				if checks == nil {
					op = ":="
				}
				g.p("·text%d %s @@PutText(%s, string(%s))", r[0].Tail, op, place, v)
				checks = append(checks, fmt.Sprintf("if !@@ValidString(string(%s)) {\nreturn ·b, %s\n}",
					v, inField(f.Field.Name, "0").fail("ErrUTF8")))
			} else {
				g.p("copy(%s, %s)", place, v)
			}
		}
		from = fmt.Sprintf("·e%d", f.Tail)
	}
	if checks != nil {
		g.p("if ·text%d&@@High != 0 {\n%s\n}", r[0].Tail, strings.Join(checks, "\n"))
	}
	return from
}

// decodeTails prints code that sets fields from the tails; the first starts at ·p.
func (g *gen) decodeTails(t *ir.ZMYType) {
	from := "·p"
	for _, r := range tailRuns(t) {
		if r.plain() {
			g.checkRun(r, from)
		}
		for _, f := range r {
			to := fmt.Sprintf("·e%d", f.Tail)
			switch {
			case f.Field == nil: // decodeReserved has read it
			case r.plain() && f.Type.Shape == zmytype.ShapeString:
				g.p("·v.%s = %s(·d.String(·b[%s:%s]))", f.Field.Name, g.Type(f.Type.Type), from, to)
			case r.plain():
				g.p("·v.%s = ·d.Bytes(·b[%s:%s])", f.Field.Name, from, to)
			default:
				g.p("{\n·y := ·b[%s:%s]", from, to)
				g.decodeSlot(f.Type, "·v."+f.Field.Name, inField(f.Field.Name, from))
				g.P("}")
			}
			from = to
		}
	}
}

// checkRun prints the UTF-8 check of the strings of a plain run. Adjacent strings pass together if
// all of their bytes are ASCII, which is the usual case.
func (g *gen) checkRun(r tailRun, from string) {
	for i := 0; i < len(r); {
		n := 0
		for i+n < len(r) && r[i+n].Field != nil && r[i+n].Type.Shape == zmytype.ShapeString {
			n++
		}
		if n > 1 {
			g.p("if !@@ASCII(·b[%s:·e%d]) {", from, r[i+n-1].Tail)
		}
		for _, f := range r[i : i+n] {
			to := fmt.Sprintf("·e%d", f.Tail)
			g.p("if !@@Valid(·b[%s:%s]) {\nreturn %s\n}", from, to, inField(f.Field.Name, from).fail("ErrUTF8"))
			from = to
		}
		if n > 1 {
			g.P("}")
		}
		if i += n; n == 0 {
			from = fmt.Sprintf("·e%d", r[i].Tail)
			i++
		}
	}
}
