package gobin

import (
	"fmt"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
	"github.com/zmylab/zmy/internal/zmytype"
)

// A view reads fields in place, so each form needs an accessor of its own. Scalars, strings, bytes
// and structs are returned as they are; a value that may be nil comes with a bool; lists and maps
// have Len and an accessor by index or key. A field of any other form is decoded, and only then can
// a method return an error. Accessors do not check whether bytes are valid values of the type,
// because verification does. Without verification, invalid bytes give an arbitrary value.

// views prints a view for each struct, and for each root the functions that open its view.
func (g *gen) views() {
	for _, t := range g.plan.Types {
		if t.IsStruct() {
			g.viewName(t)
		}
	}
	for _, r := range g.plan.Roots {
		g.viewOpen(r)
	}
	for _, t := range g.plan.Types {
		if t.IsStruct() && !g.elsewhere("View", t) {
			g.viewType(t)
		}
	}
}

func (g *gen) viewName(t *ir.ZMYType) string { return g.shared("View", t) }

func (g *gen) viewOpen(r *ir.ZMYType) {
	name := print.TypeExprIn(r.Type, g.pkg.Path)
	view := g.viewName(r)
	opt := g.Ident(zmyPkg.Ident("UnmarshalOptions"))
	decoded := g.Ident(zmyPkg.Ident("Decoded"))
	word := typeWord(r.Type)
	open, with, lazy := g.Unique("View"+word), g.Unique("View"+word+"Options"), g.Unique("View"+word+"Lazy")
	verify, verifyWith := g.Unique("Verify"+word), g.Unique("Verify"+word+"Options")

	g.p("// %s reports what keeps b from being a message, all of it looked at; nothing is", verify)
	g.p("// allocated. What it accepts can be unmarshalled (memory permitting) and viewed.")
	g.p("func %s(·b []byte) error { return %s(·b, %s{}) }\n", verify, verifyWith, opt)
	g.p("// %s is %s under other limits.", verifyWith, verify)
	g.p("func %s(·b []byte, ·o %s) error {", verifyWith, opt)
	g.p("if !%s.Fits() {\nreturn %[1]s.Stale(\"verify\")\n}", g.codeName(r))
	g.p("_, ·left, ·err := ·o.Decoder(len(·b))")
	g.p("if ·err == nil {\n·err = @@Verify(%s[:], %d, ·b, ·left)\n}", g.table, r.ID)
	g.p("return %s(%q, ·err)\n}\n", decoded, name)
	g.p("// %s verifies the message b deeply and opens it in place: reading fields then", open)
	g.p("// cannot fail. b must stay unchanged while the view, and every string and byte")
	g.p("// slice taken from it, is in use.")
	g.p("func %s(·b []byte) (%s, error) { return %s(·b, %s{}) }\n", open, view, with, opt)
	g.p("// %s is %s under other limits.", with, open)
	g.p("func %s(·b []byte, ·o %s) (·v %s, ·err error) {", with, opt, view)
	g.p("if ·err = %s(·b, ·o); ·err != nil {\nreturn ·v, ·err\n}", verifyWith)
	g.p("·v, ·err = %s(·b)\n·d, ·left, _ := ·o.Decoder(len(·b))", lazy)
	g.p("·v.s = ·v.s.Verified(·left, ·d.Budget)\nreturn ·v, ·err\n}\n")
	g.p("// %s opens the message b in place and checks only the sections of the struct", lazy)
	g.p("// itself. A struct inside is checked when opened and reads as the zero value if")
	g.p("// it is malformed, which its Err tells; strings may not be UTF-8.")
	g.p("func %s(·b []byte) (%s, error) {", lazy, view)
	g.p("if !%s.Fits() {\nreturn %s{}, %[1]s.Stale(\"view\")\n}", g.codeName(r), view)
	g.p("·s, ·err := @@View(&%s, ·b)", g.typeVar(r))
	g.p("return %s{·s}, %s(%q, ·err)\n}\n", view, decoded, name)
}

func (g *gen) viewType(t *ir.ZMYType) {
	name := g.viewName(t)
	g.p("// %s reads a message's %s in place. The buffer must stay unchanged while the", name, print.TypeExprIn(t.Type, g.pkg.Path))
	g.p("// view, and every string and byte slice taken from it, is in use.")
	g.p("type %s struct{ s @@Struct }\n", name)
	m := methods{"s": true} // name of the view's field
	g.p("// %s tells what was wrong when the view was opened without verification.", m.name("Err"))
	g.p("func (·v %s) Err() error { return ·v.s.Err() }\n", name)
	for _, f := range t.Fields {
		if f.Field != nil {
			g.viewField(name, t, f, m)
		}
	}
}

// methods is the set of a view's names that are taken.
type methods map[string]bool

func (m methods) name(want string) string {
	for m[want] {
		want += "Field"
	}
	m[want] = true
	return want
}

func (g *gen) viewField(view string, of *ir.ZMYType, f *ir.ZMYField, m methods) {
	name := m.name(f.Field.Name)
	decl := func(suffix, params, results string) string {
		fn := name
		if suffix != "" {
			fn = m.name(name + suffix)
		}
		return fmt.Sprintf("func (·v %s) %s(%s) %s {", view, fn, params, results)
	}
	tail := fmt.Sprintf("·v.s.Tail(%d)", f.Tail)
	fixed := fmt.Sprintf("·v.s.Fixed(%d, %d)", f.Offset, f.Type.Size)
	if of.Shape == zmytype.ShapeSparse {
		tail = fmt.Sprintf("·v.s.SparseTail(&%s, %d)", g.typeVar(of), f.Number)
		fixed = fmt.Sprintf("·v.s.SparseFixed(&%s, %d, %d)", g.typeVar(of), f.Number, f.Type.Size)
	}
	t := f.Type
	typ := func(z *ir.ZMYType) string { return g.Type(z.Type) }
	switch {
	case t.Shape == zmytype.ShapeFixed:
		g.p("%s", decl("", "", typ(t)))
		g.p("·x := %s", fixed)
		g.viewFixed(t, "·x", "0", "")
		g.p("}\n")
	case g.oneValue(t):
		g.p("%s", decl("", "", g.valueType(t)))
		g.p("return %s\n}\n", g.valueExpr(t, tail))
	case t.Shape == zmytype.ShapePtrStruct:
		g.p("// %s reports false for nil.", name)
		g.p("%s", decl("", "", fmt.Sprintf("(%s, bool)", g.viewName(t.Elem))))
		g.p("·x := %s\nreturn %s, len(·x) > 0\n}\n", tail, g.valueExpr(t.Elem, "·x"))
	case t.Shape == zmytype.ShapePtrFixed:
		g.p("// %s reports false for nil.", name)
		g.p("%s", decl("", "", fmt.Sprintf("(·n %s, _ bool)", typ(t.Elem))))
		g.p("·x := %s\nif len(·x) != %d {\nreturn ·n, false\n}", tail, t.Elem.Size)
		g.viewFixed(t.Elem, "·x", "0", ", true")
		g.p("}\n")
	case t.Shape == zmytype.ShapeOpt && t.Elem.Shape == zmytype.ShapeString:
		g.p("// %s reports false for nil.", name)
		g.p("%s", decl("", "", fmt.Sprintf("(%s, bool)", typ(t.Elem))))
		g.p("·x := %s\nif len(·x) == 0 {\nreturn \"\", false\n}\nreturn %s, true\n}\n", tail, g.valueExpr(t.Elem, "·x[1:]"))
	case t.Shape == zmytype.ShapePacked:
		g.p("// %sLen is the number of elements of %s.", name, name)
		g.p("%s", decl("Len", "", "int"))
		g.p("return len(%s) / %d\n}\n", tail, t.Elem.Size)
		g.p("// %s returns element ·i.", name)
		g.p("%s", decl("", "·i int", typ(t.Elem)))
		g.p("·x := %s[·i*%d:][:%d]", tail, t.Elem.Size, t.Elem.Size)
		g.viewFixed(t.Elem, "·x", "0", "")
		g.p("}\n")
	case (t.Shape == zmytype.ShapeList || t.Shape == zmytype.ShapeArray || t.Shape == zmytype.ShapeDense) && g.oneValue(t.Elem):
		g.viewList(t, name, tail, decl)
	case t.Shape == zmytype.ShapeMap && t.Key.Shape == zmytype.ShapeString &&
		(g.oneValue(t.Elem) || t.Elem.Shape == zmytype.ShapeFixed || t.Elem.Shape == zmytype.ShapeAny) && !t.IsSet():
		g.viewMap(t, name, tail, decl)
	default:
		g.p("// %s decodes the field.", name)
		g.p("%s", decl("", "", fmt.Sprintf("(·out %s, _ error)", typ(t))))
		g.viewDecode(t, tail)
		g.p("}\n")
	}
}

// oneValue reports whether a view's method for such a slot returns one value, without an error or a
// flag.
func (g *gen) oneValue(t *ir.ZMYType) bool {
	return t.Shape == zmytype.ShapeString || t.Shape == zmytype.ShapeBytes || t.IsStruct()
}

func (g *gen) valueType(t *ir.ZMYType) string {
	if t.IsStruct() {
		return g.viewName(t)
	}
	return g.Type(t.Type)
}

// valueExpr returns the expression for the value of a slot. oneValue must hold for t.
func (g *gen) valueExpr(t *ir.ZMYType, slot string) string {
	switch t.Shape {
	case zmytype.ShapeString:
		return fmt.Sprintf("%s(@@String(%s))", g.Type(t.Type), slot)
	case zmytype.ShapeBytes:
		return fmt.Sprintf("@@Bytes(%s)", slot)
	}
	return fmt.Sprintf("%s{·v.s.Open(&%s, %s)}", g.viewName(t), g.typeVar(t), slot)
}

// viewFixed prints a return statement with the fixed value at off of x, followed by the text of
// further results in more. Bytes outside of the type's domain, which only an unverified message can
// have, give an arbitrary value.
func (g *gen) viewFixed(t *ir.ZMYType, x, off, more string) {
	switch t.Type.Kind {
	case ir.Time:
		if t.Time == zmytype.UnixNano {
			g.p("return @@UnixNano(%s)%s", slice(x, off), more)
			return
		}
		g.p("·t, _ := @@%s(%s)\nreturn ·t%s", timeFunc("", t), slice(x, off), more)
	case ir.Array, ir.Struct:
		g.p("var ·a %s", g.Type(t.Type))
		g.getFixed(t, "·a", x, off, at{trusts: true})
		g.p("return ·a%s", more)
	default:
		g.p("return %s%s", g.fixedExpr(t, x, off), more)
	}
}

func (g *gen) viewList(t *ir.ZMYType, name, tail string, decl func(suffix, params, results string) string) {
	open := fmt.Sprintf("@@OpenListView(%s)", tail)
	if t.Elem.Shape == zmytype.ShapeStruct {
		open = fmt.Sprintf("@@OpenDenseView(&%s, %s)", g.typeVar(t.Elem), tail)
	}
	g.p("// %sLen is the number of elements of %s.", name, name)
	g.p("%s", decl("Len", "", "int"))
	g.p("return %s.Len()\n}\n", open)
	g.p("// %s returns element ·i.", name)
	g.p("%s", decl("", "·i int", g.valueType(t.Elem)))
	if t.Elem.Shape == zmytype.ShapeStruct {
		g.p("return %s{·v.s.Element(&%s, %s, ·i)}\n}\n", g.viewName(t.Elem), g.typeVar(t.Elem), open)
		return
	}
	g.p("return %s\n}\n", g.valueExpr(t.Elem, open+".At(·i)"))
}

func (g *gen) viewMap(t *ir.ZMYType, name, tail string, decl func(suffix, params, results string) string) {
	e := t.Elem
	g.p("// %sLen is the number of pairs of %s.", name, name)
	g.p("%s", decl("Len", "", "int"))
	g.p("return @@OpenMapView(%s).Len()\n}\n", tail)
	g.p("// %sKey returns key ·i, in increasing order.", name)
	g.p("%s", decl("Key", "·i int", g.Type(t.Type.Key)))
	g.p("return %s(@@OpenMapView(%s).Key(·i))\n}\n", g.Type(t.Type.Key), tail)
	val := g.Type(t.Type.Elem)
	if e.Shape == zmytype.ShapeAny {
		g.p("// %s looks up a key and decodes its value. Of a key that is there it reports true,", name)
		g.p("// also with an error.")
		g.p("%s", decl("", "·key "+g.Type(t.Type.Key), fmt.Sprintf("(%s, bool, error)", val)))
		g.p("·n, ·ok, ·err := ·v.s.FindAny(%s, string(·key))", tail)
		g.p("return ·n, ·ok, %s(%q, ·err)\n}\n", g.Ident(zmyPkg.Ident("Decoded")), print.TypeExprIn(t.Type, g.pkg.Path))
		return
	}
	g.p("// %s looks up a key.", name)
	if e.IsStruct() {
		val = g.viewName(e)
	}
	g.p("%s", decl("", "·key "+g.Type(t.Type.Key), fmt.Sprintf("(·n %s, ·ok bool)", val)))
	g.p("·m := @@OpenMapView(%s)\n·i, ·ok := ·m.Find(string(·key))\nif !·ok {\nreturn ·n, false\n}", tail)
	switch e.Shape {
	case zmytype.ShapeFixed:
		g.p("·x := ·m.Values()\nif len(·x) < (·i+1)*%d {\nreturn ·n, false\n}\n·x = ·x[·i*%d:]", e.Size, e.Size)
		g.viewFixed(e, "·x", "0", ", true")
		g.p("}\n")
		return
	case zmytype.ShapeStruct:
		g.p("·l := @@OpenDenseView(&%s, ·m.Values())", g.typeVar(e))
	default:
		g.p("·l := @@OpenListView(·m.Values())")
	}
	g.p("if ·i >= ·l.Len() {\nreturn ·n, false\n}")
	switch e.Shape {
	case zmytype.ShapeStruct:
		g.p("return %s{·v.s.Element(&%s, ·l, ·i)}, true\n}\n", val, g.typeVar(e))
	default:
		g.p("return %s, true\n}\n", g.valueExpr(e, "·l.At(·i)"))
	}
}

// viewDecode prints the body of a method for a field that has no special accessor: it decodes the
// field.
func (g *gen) viewDecode(t *ir.ZMYType, tail string) {
	g.p("·state, ·left := ·v.s.Decoder()\n·d := &·state")
	g.p("·y := %s", tail)
	g.p("·err := func() *@@Error {")
	g.decodeSlot(t, "·out", at{})
	g.p("_, _ = ·d, ·left\nreturn nil\n}()")
	g.p("return ·out, %s(%q, ·err)", g.Ident(zmyPkg.Ident("Decoded")), print.TypeExprIn(t.Type, g.pkg.Path))
}
