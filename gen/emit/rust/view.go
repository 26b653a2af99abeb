package rust

import (
	"fmt"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
)

// viewType prints the type that reads a struct in place.
func (g *gen) viewType(t *ir.ZMYType) {
	names, _ := fieldNames(t)
	b := &block{}
	b.p("/// Reads %s in place.", print.TypeExprIn(t.Type, g.pkg.Path))
	b.p("#[derive(Clone, Copy, Debug, Default)]")
	b.p("pub struct %s<'a>(rt::Raw<'a>);", g.view(t))
	g.item(b)
	b = &block{}
	b.p("#[allow(dead_code)] // no program reads all fields")
	b.p("impl<'a> %s<'a> {", g.view(t))
	f := &block{}
	f.p("/// The bytes of the struct on the wire.")
	f.p("pub fn as_bytes(&self) -> &'a [u8] {")
	f.p("    self.0.bytes()")
	f.p("}")
	b.add("    ", f)
	b.lines = append(b.lines[:2], b.lines[3:]...)
	taken := map[string]bool{"as_bytes": true}
	for i, field := range t.Fields {
		if field.Field == nil {
			continue
		}
		name := names[i]
		if taken[name] {
			name += "_field"
		}
		f := &block{}
		f.doc("", field.Field.Doc)
		if field.Deprecated {
			f.p("#[deprecated]")
		}
		f.p("pub fn %s(&self) -> %s {", name, g.seen(field.Type))
		f.p("    %s", g.read(t, field))
		f.p("}")
		b.add("    ", f)
	}
	b.p("}")
	g.item(b)
}

// read is the expression of a field in place.
func (g *gen) read(t *ir.ZMYType, f *ir.ZMYField) string {
	fixed := f.Tail < 0
	switch sparse := t.Shape == ir.ZMYSparse; {
	case sparse && fixed:
		return fmt.Sprintf("rt::Raw::sparse_fixed::<%s, %s, %d>(&self.0)", g.name(t), g.fixed(f.Type), f.Number)
	case sparse:
		return fmt.Sprintf("rt::Raw::sparse_tail::<%s, %s, %d>(&self.0)", g.name(t), g.form(f.Type), f.Number)
	case fixed:
		return fmt.Sprintf("rt::Raw::fixed::<%s, %d>(&self.0)", g.fixed(f.Type), f.Offset)
	}
	return fmt.Sprintf("rt::Raw::tail::<%s, %d>(&self.0)", g.form(f.Type), f.Tail)
}
