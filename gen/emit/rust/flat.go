package rust

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/zmytype"
)

// A flat struct has functions of its own that compute the size of its message and write it in one
// pass: module flat of the crate says how. Its tails are text, bytes, lists of scalars, of text and
// of flat structs, and maps from keys to any of these elements. Types that contain themselves are
// not flat, since their values would be followed without a limit of depth.

// isFlat reports whether t is a flat struct.
func isFlat(t *ir.ZMYType) bool { return isFlatIn(t, nil) }

// isFlatIn is isFlat for a struct inside the structs around.
func isFlatIn(t *ir.ZMYType, around []*ir.ZMYType) bool {
	if t.Shape != zmytype.ShapeStruct || t.Unknown != nil || len(t.Fields) == 0 || slices.Contains(around, t) {
		return false
	}
	around = append(around, t)
	element := func(e *ir.ZMYType) bool {
		return e.Shape == zmytype.ShapeFixed || e.Shape == zmytype.ShapeString || isFlatIn(e, around)
	}
	return !slices.ContainsFunc(t.Fields, func(f *ir.ZMYField) bool {
		if f.Tail < 0 || f.Field == nil {
			return false
		}
		switch t := f.Type; {
		case t.IsSet() || t.Nilable():
			return true
		case t.Carried() == zmytype.ShapeString || t.Carried() == zmytype.ShapeBytes:
			return false
		case t.Shape == zmytype.ShapePacked || t.Shape == zmytype.ShapeList || t.Shape == zmytype.ShapeDense || t.Shape == zmytype.ShapeMap:
			return !element(t.Elem)
		}
		return true
	})
}

// flat adds the functions of a flat struct to the impl of Record.
func (g *gen) flat(b *block, t *ir.ZMYType, names []string) {
	f := &block{}
	f.deprecated(t)
	f.p("fn room(&self) -> usize {")
	own := fmt.Sprint(t.Scalars + 2*t.Tails)
	var rooms []string
	for i, field := range t.Fields {
		if field.Tail >= 0 && field.Field != nil {
			rooms = append(rooms, fmt.Sprintf("n += <%s as rt::Codec>::room(&self.%s);", g.form(field.Type), names[i]))
		}
	}
	if len(rooms) == 0 {
		f.p("    %s", own)
	} else {
		f.p("    let mut n = %s;", own)
		for _, r := range rooms {
			f.p("    %s", r)
		}
		f.p("    n")
	}
	b.add(f)

	f = &block{}
	f.deprecated(t)
	f.p("#[inline]")
	f.p("fn write<'x>(&self, x: &'x mut [u8], head: usize, left: u32) -> Option<&'x mut [u8]> {")
	var stores, tails []string
	for i, field := range t.Fields {
		switch {
		case field.Field == nil && field.Tail >= 0:
			tails = append(tails, fmt.Sprintf("let w = w.empty::<%d>();", field.Tail))
		case field.Field == nil:
		case field.Tail >= 0:
			tails = append(tails, fmt.Sprintf("let w = w.tail::<%s, %d>(&self.%s)?;", g.form(field.Type), field.Tail, names[i]))
		default:
			stores = append(stores, fmt.Sprintf("rt::keep::<%s, %d>(&self.%s, &mut s)?;", g.fixed(field.Type), field.Offset, names[i]))
		}
	}
	scalars := fmt.Sprintf("let s = [0; %d];", t.Scalars)
	if len(stores) > 0 {
		scalars = strings.Replace(scalars, "let", "let mut", 1)
	}
	f.p("    %s", scalars)
	for _, s := range stores {
		f.p("    %s", s)
	}
	f.p("    let w = rt::begin::<%s>(&s, x, head, left)?;", sizes(t))
	for _, s := range tails {
		f.p("    %s", s)
	}
	f.p("    w.close()")
	b.add(f)
}
