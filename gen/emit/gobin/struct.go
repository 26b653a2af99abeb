package gobin

import (
	"fmt"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/zmytype"
)

// The functions of a struct are written for the usual case: a message of exactly this version in a
// slot of at most 65,535 bytes. Then all offsets except those of the tails are constants, and one
// check of the length is enough for all scalars: `_ = ·x[n]` tells the compiler that they are in
// bounds. For a struct that is sparse, wide, of another version or has unknown parts, they call a
// function of package wire.

// structAppend prints the function that appends a struct. The function's parameter head is the size
// of the header: 4, or 0 if a list shares the header of its elements. The code makes room for
// scalars and ends at once; their offsets are constants.
func (g *gen) structAppend(t *ir.ZMYType) {
	fixed := t.Scalars + 2*t.Tails
	shared := ""
	if t.Unknown != nil && t.Shape == zmytype.ShapeStruct {
		shared = "·h uint32, "
	}
	g.p("func %s(·e *@@Encoder, ·b []byte, ·v *%s, %s·head, ·left int) ([]byte, *@@Error) {", g.fn("Append", t), g.Type(t.Type), shared)
	g.p("if ·left <= 0 {\nreturn ·b, @@Fail(@@ErrDepth, 0)\n}")
	runs, reserve := tailRuns(t), fmt.Sprintf("·head+%d", fixed)
	whole := len(runs) == 1 && runs[0].plain() && t.Shape == zmytype.ShapeStruct // room for the whole struct is made at once
	g.p("·s := len(·b)")
	if len(runs) > 0 && runs[0].plain() {
		reserve = g.runEnds(runs[0], reserve)
	}
	g.p("·b = @@Extend(·b, %s)", reserve)
	g.p("if ·head != 0 {\n@@PutU32(·b[·s:], %s)\n}", head(t))
	switch {
	case whole:
		g.p("·x := ·b[·s+·head:]\n_ = ·x[%d]", fixed-1)
	case t.Scalars > 0:
		g.p("·x := ·b[·s+·head:]\n_ = ·x[%d]", t.Scalars-1)
	}
	for i, f := range t.Fields {
		switch place := fmt.Sprintf("·x[%d:%d]", f.Offset, f.Offset+f.Type.Size); {
		case f.Tail >= 0:
		case f.Field == nil && t.Unknown == nil:
			g.p("clear(%s) // reserved", place)
		case f.Field == nil:
			g.p("·v.%s.PutKept(%s, %d)", t.Unknown.Name, place, i)
		default:
			g.putFixed(f.Type, "·x", fmt.Sprint(f.Offset), "·v."+f.Field.Name, inField(f.Field.Name, fmt.Sprint(f.Offset)))
		}
	}
	if t.Tails == 0 {
		g.appendNewer(t)
		if t.Shape != zmytype.ShapeSparse {
			g.p("return ·b, nil\n}\n")
		}
		return
	}
	if whole {
		g.putEnds(t, "·x", t.Scalars)
	}
	g.appendTails(t, runs, fmt.Sprintf("·head+%d", fixed))
	g.appendNewer(t)
	if t.Shape == zmytype.ShapeSparse {
		return
	}
	g.p("if ·e%d > @@Narrow {\nreturn ·e.EndStruct(·b, ·s, ·s+·head+%d, []int{%s}, %s)\n}", t.Tails-1, t.Scalars, ends(t, "·e%d"),
		tailNames(t))
	if !whole {
		g.p("·w := ·b[·s+·head+%d:]\n_ = ·w[%d]", t.Scalars, 2*t.Tails-1)
		g.putEnds(t, "·w", 0)
	}
	g.p("return ·b, nil\n}\n")
}

// putEnds prints code that stores the ends of the tails as two-byte words at off of x.
func (g *gen) putEnds(t *ir.ZMYType, x string, off int) {
	for i := 0; i < t.Tails; {
		size, n := 16, 1
		switch {
		case t.Tails-i >= 4:
			size, n = 64, 4
		case t.Tails-i >= 2:
			size, n = 32, 2
		}
		word := fmt.Sprintf("uint%d(·e%d)", size, i)
		for k := 1; k < n; k++ {
			word += fmt.Sprintf("|uint%d(·e%d)<<%d", size, i+k, 16*k)
		}
		g.p("@@PutU%d(%s, %s)", size, slice(x, fmt.Sprint(off+2*i)), word)
		i += n
	}
}

// appendNewer prints the end of the function that appends a struct for two cases: the struct is
// sparse, or it or another element of its list carries unknown parts. If neither is possible, it
// prints nothing.
func (g *gen) appendNewer(t *ir.ZMYType) {
	if t.Shape == zmytype.ShapeSparse {
		unknown := "@@Unknown{}"
		if t.Unknown != nil {
			unknown = "·v." + t.Unknown.Name
		}
		g.p("return ·e.EndSparse(·b, ·s, &%s, []int{%s}, %s)\n}\n", g.typeVar(t), ends(t, "·e%d"), unknown)
		return
	}
	if t.Unknown == nil {
		return
	}
	names := ""
	if t.Tails > 0 {
		names = ", " + tailNames(t)
	}
	g.p("if ·h != %s {\nreturn ·e.EndNewer(·b, ·s, ·head, %s, ·h, []int{%s}, ·v.%s%s)\n}", head(t), head(t), ends(t, "·e%d"),
		t.Unknown.Name, names)
}

// appendCall returns the call that appends the struct at addr. h is the header that the elements of
// a list share, "" for a struct with a header of its own.
func (g *gen) appendCall(t *ir.ZMYType, addr, v, h, left string) string {
	return g.appendTo("·e, ·b", t, addr, v, h, left)
}

// appendTo is appendCall with dst as the arguments for encoder and buffer.
func (g *gen) appendTo(dst string, t *ir.ZMYType, addr, v, h, left string) string {
	size := "0"
	if h == "" {
		size = "4"
		h = fmt.Sprintf("%s.%s.Head(%s)", v, unknownName(t), head(t))
	}
	if t.Unknown == nil || t.Shape == zmytype.ShapeSparse {
		return fmt.Sprintf("%s(%s, %s, %s, %s)", g.fn("Append", t), dst, addr, size, left)
	}
	return fmt.Sprintf("%s(%s, %s, %s, %s, %s)", g.fn("Append", t), dst, addr, h, size, left)
}

func unknownName(t *ir.ZMYType) string {
	if t.Unknown == nil {
		return ""
	}
	return t.Unknown.Name
}

func tailNames(t *ir.ZMYType) string {
	var list []string
	for _, f := range t.Fields {
		switch {
		case f.Tail >= 0 && f.Field == nil:
			list = append(list, `"reserved"`)
		case f.Tail >= 0:
			list = append(list, fmt.Sprintf("%q", f.Field.Name))
		}
	}
	return strings.Join(list, ", ")
}

func ends(t *ir.ZMYType, format string) string {
	list := make([]string, t.Tails)
	for i := range list {
		list[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(list, ", ")
}

// structDecode prints the function that decodes a struct. A message of exactly this version in a
// narrow slot is read at constant offsets. For any other, OpenStruct sets the same variables.
func (g *gen) structDecode(t *ir.ZMYType) {
	g.p("func %s(·d *@@Decoder, ·b []byte, ·h uint32, ·head int, ·v *%s, ·left int) *@@Error {", g.fn("Decode", t), g.Type(t.Type))
	g.p("if ·left <= 0 {\nreturn @@Fail(@@ErrDepth, 0)\n}")
	if t.Scalars > 0 {
		g.p("var ·x []byte")
	}
	if t.Tails > 0 {
		g.p("var ·p, %s int", ends(t, "·e%d"))
	}
	if t.Shape == zmytype.ShapeSparse {
		g.open(t)
	} else {
		g.openFast(t)
		g.P("} else {")
		g.open(t)
		g.P("}")
	}
	if t.Scalars > 0 {
		g.p("_ = ·x[%d]", t.Scalars-1)
	}
	for i, f := range t.Fields {
		if f.Field == nil {
			g.decodeReserved(t, f, i)
			continue
		}
		if f.Tail < 0 {
			where := inField(f.Field.Name, fmt.Sprintf("·head+%d", f.Offset))
			if t.Shape == zmytype.ShapeSparse {
				where.off = fmt.Sprintf("@@SparseOffset(·b, &%s, %d)", g.typeVar(t), i)
			}
			g.getFixed(f.Type, "·v."+f.Field.Name, "·x", fmt.Sprint(f.Offset), where)
		}
	}
	g.decodeTails(t)
	if t.After {
		g.p("if ·err := ·v.AfterUnmarshalZMY(); ·err != nil {\nreturn @@FailMethod(·err)\n}")
	}
	g.p("return nil\n}\n")
}

// decodeReserved prints code for a reserved field, which the Go type no longer has. The code keeps
// the bytes if the struct can carry unknown parts. Otherwise it drops them, or refuses them under
// the option Exact.
func (g *gen) decodeReserved(t *ir.ZMYType, f *ir.ZMYField, i int) {
	bytes, keep := fmt.Sprintf("·x[%d:%d]", f.Offset, f.Offset+f.Type.Size), "Keep"
	content := fmt.Sprintf("!@@IsZero(%s)", bytes)
	if f.Tail >= 0 {
		from := "·p"
		if f.Tail > 0 {
			from = fmt.Sprintf("·e%d", f.Tail-1)
		}
		bytes, keep = fmt.Sprintf("·b[%s:·e%d]", from, f.Tail), "KeepTail"
		content = fmt.Sprintf("·e%d > %s", f.Tail, from) // in a tail, bytes that are 0 are content too
	}
	if t.Unknown != nil {
		g.p("if ·err := ·d.%s(&·v.%s, %d, %s); ·err != nil {\nreturn ·err\n}", keep, t.Unknown.Name, i, bytes)
		return
	}
	g.p("if ·d.Exact && %s {\nreturn @@Fail(@@ErrVersion, 0) // reserved\n}", content)
}

func (g *gen) openFast(t *ir.ZMYType) {
	fixed := t.Scalars + 2*t.Tails
	g.p("if ·h == %s && len(·b) <= @@Narrow {", head(t))
	if t.Unknown != nil {
		g.p("·v.%s = %s", t.Unknown.Name, g.zero(t.Unknown.Type))
	}
	g.p("if len(·b) < ·head+%d {\nreturn @@FailShort(·head+%d, len(·b))\n}", fixed, fixed)
	if t.Tails == 0 {
		g.p("if len(·b) != ·head+%d {\nreturn @@Fail(@@ErrEnds, 0)\n}", fixed)
		if t.Scalars > 0 {
			g.p("·x = ·b[·head:]")
		}
		return
	}
	if t.Scalars > 0 {
		g.p("·x = ·b[·head:·head+%d]", t.Scalars)
	}
	g.p("·w := ·b[·head+%d:]\n_ = ·w[%d]\n·p = ·head+%d", t.Scalars, 2*t.Tails-1, fixed)
	cond := make([]string, 0, t.Tails+1)
	prev := "·p"
	for i := range t.Tails {
		e := fmt.Sprintf("·e%d", i)
		g.p("%s = int(@@U16(%s))", e, slice("·w", fmt.Sprint(2*i)))
		cond = append(cond, e+" < "+prev)
		prev = e
	}
	cond = append(cond, prev+" != len(·b)")
	g.p("if %s {\nreturn @@Fail(@@ErrEnds, 0)\n}", strings.Join(cond, " || "))
}

// open prints code that finds the sections of any version of a struct, and expands a sparse one.
func (g *gen) open(t *ir.ZMYType) {
	x, p, es := "_", "_", "nil"
	if t.Scalars > 0 {
		x = "·x"
	}
	if t.Tails > 0 {
		p, es = "·p", "·ends[:]"
		g.p("var ·ends [%d]int", t.Tails)
	}
	sparse := t.Shape == zmytype.ShapeSparse
	call := fmt.Sprintf("OpenStruct(·b, ·h, ·head, %s, %s.Older, %s)", head(t), g.typeVar(t), es)
	if sparse {
		keep := "nil"
		if t.Unknown != nil {
			keep = "&·v." + t.Unknown.Name
		}
		call = fmt.Sprintf("OpenSparse(·b, ·h, &%s, %s, %s)", g.typeVar(t), es, keep)
		g.p("_ = ·head")
	}
	g.p("var ·err *@@Error")
	g.p("if %s, %s, ·err = ·d.%s; ·err != nil {\nreturn ·err\n}", x, p, call)
	if t.Tails > 0 {
		g.p("%s = %s", ends(t, "·e%d"), ends(t, "·ends[%d]"))
	}
	if t.Unknown != nil && !sparse {
		g.p("if ·v.%s, ·err = ·d.Unknown(·b, ·h, ·head, %s); ·err != nil {\nreturn ·err\n}", t.Unknown.Name, head(t))
	}
}
