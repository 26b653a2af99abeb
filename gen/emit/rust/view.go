package rust

import (
	"fmt"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
	"github.com/zmylab/zmy/internal/zmytype"
)

// viewType prints the type that reads a struct in place.
func (g *gen) viewType(t *ir.ZMYType) {
	names, _ := fieldNames(t)
	b := &block{}
	b.p("/// Reads %s in place.", print.TypeExprIn(t.Type, g.pkg.Path))
	b.p("#[derive(Clone, Copy, Debug, Default)]")
	b.p(lints)
	b.p("pub struct %s<'a>(rt::Raw<'a>);", g.view(t))
	g.item(b)
	b = &block{}
	b.p(lints)
	b.p("impl<'a> %s<'a> {", g.view(t))
	f := &block{}
	f.p("/// The bytes of the struct on the wire.")
	f.p("pub fn as_bytes(&self) -> &'a [u8] {")
	f.p("    self.0.bytes()")
	b.add(f)
	taken := map[string]bool{"as_bytes": true}
	for _, name := range names {
		taken[name] = true
	}
	for i, field := range t.Fields {
		if field.Field == nil {
			continue
		}
		name := names[i]
		if name == "as_bytes" {
			name += "_field"
		}
		f := &block{}
		f.doc("", field.Field.Doc)
		f.getter(name, g.seen(field.Type), g.read(t, field, g.form(field.Type)), field.Deprecated)
		b.add(f)
		if g.form(field.Type) != "rt::Text" {
			continue
		}
		f = &block{}
		f.p("/// The bytes of `%s`, which nobody looks at again.", name)
		f.getter(bytesName(name, taken), "&'a [u8]", g.read(t, field, "rt::Blob"), field.Deprecated)
		b.add(f)
	}
	g.braced(b)
}

// getter prints a method that reads a field.
func (b *block) getter(name, result, expr string, deprecated bool) {
	if deprecated {
		b.p("#[deprecated]")
	}
	b.p("pub fn %s(&self) -> %s {", name, result)
	b.p("    %s", expr)
}

// bytesName returns the name of the method for the bytes of the text field called name.
func bytesName(name string, taken map[string]bool) string {
	name = strings.TrimPrefix(name, "r#") + "_bytes"
	for taken[name] {
		name += "_"
	}
	taken[name] = true
	return name
}

// read returns the expression that reads a field in place. If the field is a tail, it is read in
// the given form.
func (g *gen) read(t *ir.ZMYType, f *ir.ZMYField, form string) string {
	fixed := f.Tail < 0
	switch sparse := t.Shape == zmytype.ShapeSparse; {
	case sparse && fixed:
		return fmt.Sprintf("rt::Raw::sparse_fixed::<%s, %s, %d>(&self.0)", g.name(t), g.fixed(f.Type), f.Number)
	case sparse:
		return fmt.Sprintf("rt::Raw::sparse_tail::<%s, %s, %d>(&self.0)", g.name(t), form, f.Number)
	case fixed:
		return fmt.Sprintf("rt::Raw::fixed::<%s, %d>(&self.0)", g.fixed(f.Type), f.Offset)
	}
	return fmt.Sprintf("rt::Raw::tail::<%s, %d>(&self.0)", form, f.Tail)
}
