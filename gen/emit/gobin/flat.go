package gobin

import (
	"fmt"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/zmytype"
)

// NOTE: The size of a flat struct is known before it is written: its tails are strings, bytes,
// numbers, lists of strings, small maps of strings and lists of other flat structs. A flat root
// gets a function that makes room for the whole message at once and writes it in one pass. A list
// of flat structs gets such a function too. These functions give up in rare cases: a message or
// list that is not narrow, a map of more than eight pairs, a value that is refused. Then the
// general functions write the message or the list from its start. They also do so if the options
// limit even narrow messages. The general functions are the reference, and only they return errors.
//
// A flat root whose tails are all strings or bytes is also read in one pass. These tails are
// adjacent, at the end of the message. So one copy has all of them, and needs no memory for
// scalars.

// isFlat reports whether a struct's size is known before it is written.
func isFlat(t *ir.ZMYType) bool {
	if t.Shape != zmytype.ShapeStruct || t.Unknown != nil || len(t.Fields) == 0 {
		return false
	}
	for _, f := range t.Fields {
		if f.Tail >= 0 && f.Field != nil && !isFlatTail(f.Type) {
			return false
		}
	}
	return true
}

func isFlatTail(t *ir.ZMYType) bool {
	if t.Shape == zmytype.ShapeMap {
		return t.Key.Shape == zmytype.ShapeString && t.Elem.Shape == zmytype.ShapeString
	}
	return isFlatLeaf(t) || isFlatList(t)
}

// isFlatLeaf reports whether t is text, or a list of text or numbers.
func isFlatLeaf(t *ir.ZMYType) bool {
	switch t.Shape {
	case zmytype.ShapeString, zmytype.ShapeBytes:
		return true
	case zmytype.ShapePacked:
		return numeric(t.Elem.Type.Kind) != ""
	case zmytype.ShapeList:
		return t.Elem.Shape == zmytype.ShapeString
	}
	return false
}

// isFlatList reports whether t is a list of flat structs whose tails are leaves. They have no maps,
// because the pairs of a map would have to be kept from the first pass to the second. They have no
// lists of structs, because values of a recursive type would be followed without a limit of depth.
func isFlatList(t *ir.ZMYType) bool {
	e := t.Elem
	if t.Shape != zmytype.ShapeDense || t.ElemPtr || e.Shape != zmytype.ShapeStruct || e.Unknown != nil || len(e.Fields) == 0 {
		return false
	}
	for _, f := range e.Fields {
		if f.Tail >= 0 && f.Field != nil && !isFlatLeaf(f.Type) {
			return false
		}
	}
	return true
}

// flatSize returns the expression for the encoded size of the tail f, whose value is v.
func (g *gen) flatSize(f *ir.ZMYField, v string) string {
	switch t := f.Type; t.Shape {
	case zmytype.ShapePacked:
		return fmt.Sprintf("%d*len(%s)", t.Elem.Size, v)
	case zmytype.ShapeList:
		return fmt.Sprintf("@@StringsSize(%s)", v)
	case zmytype.ShapeMap:
		return fmt.Sprintf("@@CollectMap(&·m%d, %s)", f.Tail, v)
	case zmytype.ShapeDense:
		return fmt.Sprintf("%s(%s)", g.fn("Size", t), v)
	}
	return fmt.Sprintf("len(%s)", v)
}

// flatEnds prints code that computes where the tails of ·v end, and returns the expression for the
// last end. head is the size of the header in bytes: 4, or 0 for an element of a list.
func (g *gen) flatEnds(t *ir.ZMYType, head int) string {
	end := fmt.Sprint(head + t.Scalars + 2*t.Tails)
	for _, f := range t.Fields {
		if f.Tail < 0 {
			continue
		}
		size := ""
		if f.Field != nil {
			if f.Type.Shape == zmytype.ShapeMap {
				g.p("var ·m%d @@SmallMap", f.Tail)
			}
			size = " + " + g.flatSize(f, "·v."+f.Field.Name)
		}
		g.p("·e%d := %s%s", f.Tail, end, size)
		end = fmt.Sprintf("·e%d", f.Tail)
	}
	return end
}

// flatPut prints code that writes the fields of ·v to ·x, after a header of head bytes. giveUp has
// the results that the generated function returns if a value is refused.
func (g *gen) flatPut(t *ir.ZMYType, head int, giveUp string) {
	body := head + t.Scalars + 2*t.Tails
	g.p("_ = ·x[%d]", body-1)
	for _, f := range t.Fields {
		switch off := fmt.Sprint(head + f.Offset); {
		case f.Tail >= 0:
		case f.Field == nil:
			g.p("clear(·x[%s:%d]) // reserved", off, head+f.Offset+f.Type.Size)
		default:
			g.putFixed(f.Type, "·x", off, "·v."+f.Field.Name, at{giveUp: giveUp})
		}
	}
	g.putEnds(t, "·x", head+t.Scalars)
	from := fmt.Sprint(body)
	var valid []string // the checks of the strings, which run unless all bytes are ASCII
	for _, f := range t.Fields {
		if f.Tail < 0 {
			continue
		}
		to := fmt.Sprintf("·e%d", f.Tail)
		if f.Field != nil {
			v, x := "·v."+f.Field.Name, fmt.Sprintf("·x[%s:%s]", from, to)
			switch f.Type.Shape {
			case zmytype.ShapeString:
				op := "|="
				if valid == nil {
					op = ":="
				}
				g.p("·text %s @@PutText(%s, string(%s))", op, x, v)
				valid = append(valid, "@@ValidString(string("+v+"))")
			case zmytype.ShapeBytes:
				g.p("copy(%s, %s)", x, v)
			case zmytype.ShapePacked:
				g.p("@@Put%s(%s, %s, %d)", numeric(f.Type.Elem.Type.Kind), x, v, f.Type.Elem.Size)
			case zmytype.ShapeList:
				g.p("if !@@PutStrings(%s, %s) {\nreturn %s\n}", x, v, giveUp)
			case zmytype.ShapeMap:
				g.p("if !·m%d.Put(%s) {\nreturn %s\n}", f.Tail, x, giveUp)
			case zmytype.ShapeDense:
				g.p("if !%s(%s, %s) {\nreturn %s\n}", g.fn("Put", f.Type), x, v, giveUp)
			}
		}
		from = to
	}
	if valid != nil {
		g.p("if ·text&@@High != 0 {")
		g.allValid(valid, giveUp)
		g.P("}")
	}
}

// allValid prints code that gives up unless all conditions hold.
func (g *gen) allValid(conditions []string, giveUp string) {
	for _, c := range conditions {
		g.p("if !%s {\nreturn %s\n}", c, giveUp)
	}
}

// flatAppend prints the body of the entry point that appends a message of a flat root. It returns
// what the general function does if it gives up.
func (g *gen) flatAppend(t *ir.ZMYType) {
	giveUp := g.fn("AppendMessage", t) + "(·dst, ·v, ·o)"
	g.p("if !·o.Flat() {\nreturn %s\n}", giveUp)
	end := g.flatEnds(t, 4)
	if t.Tails > 0 {
		g.p("if %s > @@Narrow {\nreturn %s\n}", end, giveUp)
	}
	g.p("·b := @@Room(·dst, %s)\n·x := ·b[len(·dst):]", end)
	g.p("@@PutU32(·x, %s)", head(t))
	g.flatPut(t, 4, giveUp)
	g.p("return ·b, nil")
}

// isText reports whether flatDecode can read messages of t: t is flat, has tails, and all of them
// are strings or bytes. It has neither reserved fields nor the method AfterUnmarshalZMY.
func isText(t *ir.ZMYType) bool {
	if !isFlat(t) || t.Tails == 0 || t.After {
		return false
	}
	for _, f := range t.Fields {
		if f.Field == nil || f.Tail >= 0 && f.Type.Shape != zmytype.ShapeString && f.Type.Shape != zmytype.ShapeBytes {
			return false
		}
	}
	return true
}

// flatDecode prints the body of the entry point that reads a message of a type for which isText
// holds. It returns what the general function does for a message that it cannot read.
func (g *gen) flatDecode(t *ir.ZMYType) {
	giveUp := g.fn("DecodeMessage", t) + "(·b, ·v, ·o)"
	words := 4 + t.Scalars
	from := fmt.Sprint(words + 2*t.Tails)
	g.p("if !·o.Flat() || len(·b) < %s || len(·b) > @@Narrow || @@U32(·b) != %s {\nreturn %s\n}", from, head(t), giveUp)
	for i := range t.Tails {
		g.p("·e%d := int(@@U16(·b[%d:]))", i, words+2*i)
	}
	cond, last := "", from
	for i := range t.Tails {
		cond += fmt.Sprintf("·e%d < %s || ", i, last)
		last = fmt.Sprintf("·e%d", i)
	}
	g.p("if %s%s != len(·b) {\nreturn %s\n}", cond, last, giveUp)
	var texts []*ir.ZMYField
	for _, f := range t.Fields {
		switch {
		case f.Tail < 0:
			g.getFixed(f.Type, "·v."+f.Field.Name, "·b", fmt.Sprint(4+f.Offset), at{giveUp: giveUp})
		case f.Type.Shape == zmytype.ShapeString:
			texts = append(texts, f)
		}
	}
	start := func(f *ir.ZMYField) string {
		if f.Tail == 0 {
			return from
		}
		return fmt.Sprintf("·e%d", f.Tail-1)
	}
	if len(texts) > 0 {
		var valid []string
		for _, f := range texts {
			valid = append(valid, fmt.Sprintf("@@Valid(·b[%s:·e%d])", start(f), f.Tail))
		}
		if len(texts) == t.Tails {
			g.p("if !@@ASCII(·b[%s:]) {", from)
		}
		g.allValid(valid, giveUp)
		if len(texts) == t.Tails {
			g.P("}")
		}
	}
	g.p("·text := @@Own(·b[%s:], ·o.NoCopy)", from)
	for _, f := range t.Fields {
		if f.Tail < 0 {
			continue
		}
		text := fmt.Sprintf("·text[:·e0-%s]", from)
		if f.Tail > 0 {
			text = fmt.Sprintf("·text[·e%d-%s:·e%d-%[2]s]", f.Tail-1, from, f.Tail)
		}
		if f.Type.Shape == zmytype.ShapeString {
			g.p("·v.%s = %s(@@String(%s))", f.Field.Name, g.Type(f.Type.Type), text)
		} else {
			g.p("·v.%s = @@Bytes(%s)", f.Field.Name, text)
		}
	}
	g.P("return nil")
}

// flatList prints the functions that measure and write a list of flat structs.
func (g *gen) flatList(t *ir.ZMYType) {
	e := t.Elem
	size, put := fmt.Sprintf("4 + %d*len(·s)", e.Scalars), "4"
	if e.Tails > 0 {
		size, put = fmt.Sprintf("6 + %d*len(·s)", e.Scalars+2*e.Tails+2), "6 + 2*len(·s)"
	}
	g.p("func %s(·s %s) int {\nif len(·s) == 0 {\nreturn 0\n}\n·n := %s", g.fn("Size", t), g.Type(t.Type), size)
	if e.Tails > 0 {
		g.p("for ·i := range ·s {")
		for _, f := range e.Fields {
			if f.Tail >= 0 && f.Field != nil {
				g.p("·n += %s", g.flatSize(f, "·s[·i]."+f.Field.Name))
			}
		}
		g.P("}")
	}
	g.p("return ·n\n}\n")
	g.p("func %s(·b []byte, ·s %s) bool {\nif len(·s) == 0 {\nreturn true\n}", g.fn("Put", t), g.Type(t.Type))
	g.p("@@PutU32(·b, %s)\n·at := %s", head(e), put)
	if e.Tails > 0 {
		g.p("@@PutU16(·b[4:], uint16(·at))")
	}
	g.p("for ·i := range ·s {\n·v := &·s[·i]")
	end := g.flatEnds(e, 0)
	g.p("·x := ·b[·at:]\n·x = ·x[:%s]", end)
	g.flatPut(e, 0, "false")
	g.p("·at += %s", end)
	if e.Tails > 0 {
		g.p("@@PutU16(·b[6+2*·i:], uint16(·at))")
	}
	g.p("}\nreturn true\n}\n")
}
