package rust

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
	"github.com/zmylab/zmy/internal/zmytype"
	"github.com/zmylab/zmy/wire"
)

// A struct gets up to four impls, which the crate's generic code calls: Layout (positions, for reading
// in place), Record (to and from the owned value), Fixed (inline among the scalars of another struct)
// and Default where Rust cannot derive it. Their functions name forms and positions as const
// arguments, so that the compiler sees constants wherever hand-written code would have them.

// structure prints a struct or a union; for other types it does nothing.
func (g *gen) structure(t *ir.ZMYType) {
	switch {
	case t.Shape == zmytype.ShapeUnion:
		g.union(t)
	case g.plan.InSetsOnly(t):
	case t.IsStruct():
		g.define(t)
		g.layout(t)
		g.record(t)
		g.viewType(t)
	case t.Shape == zmytype.ShapeFixed && t.Type.Kind == ir.Struct:
		g.define(t)
		g.inline(t)
	}
}

// docOf returns the comment of the Go type, or a sentence with its name.
func (g *gen) docOf(t *ir.ZMYType) string {
	if n := t.Type.Name; n != nil && strings.TrimSpace(n.Doc) != "" {
		return n.Doc
	}
	return "The Go type " + print.TypeExprIn(t.Type, g.pkg.Path) + "."
}

// define prints the owned type, once for all forms in which a struct occurs.
func (g *gen) define(t *ir.ZMYType) {
	if g.defined[t.Type] {
		return
	}
	g.defined[t.Type] = true
	names, unknown := fieldNames(t)
	plain := true
	for _, f := range t.Fields {
		plain = plain && (f.Field == nil || plainDefault(f.Type))
	}
	b := &block{}
	b.doc("", g.docOf(t))
	if plain {
		g.derive(b, t, "Clone, Debug, Default, PartialEq")
	} else {
		g.derive(b, t, "Clone, Debug, PartialEq")
	}
	if len(t.Fields) == 0 && unknown == "" {
		b.p("pub struct %s {}", g.name(t))
		g.item(b)
		return
	}
	b.p("pub struct %s {", g.name(t))
	for i, f := range t.Fields {
		if f.Field == nil {
			continue
		}
		b.doc("    ", f.Field.Doc)
		if f.Deprecated {
			b.p("    #[deprecated]")
		}
		line := &block{}
		line.p("    pub %s: %s,", names[i], g.value(f.Type))
		if line.long("") {
			b.p("    #[rustfmt::skip]")
		}
		b.p("%s", line.lines[0])
	}
	if unknown != "" {
		b.p("    /// What newer versions have, passed on.")
		if g.serde {
			b.p("    #[serde(skip)]")
		}
		b.p("    pub %s: zmy::Unknown,", unknown)
	}
	g.braced(b)
	if plain {
		return
	}
	b = &block{}
	b.p("impl Default for %s {", g.name(t))
	f := &block{}
	f.p("fn default() -> Self {")
	f.p("    Self {")
	for i, field := range t.Fields {
		switch {
		case field.Field == nil:
		case plainDefault(field.Type):
			f.p("        %s: Default::default(),", names[i])
		case field.Type.Shape == zmytype.ShapeArray:
			f.p("        %s: <%s as rt::Codec>::zero(),", names[i], g.form(field.Type))
		default:
			f.p("        %s: <%s as rt::Fixed>::load(&[]),", names[i], g.fixed(field.Type))
		}
	}
	if unknown != "" {
		f.p("        %s: Default::default(),", unknown)
	}
	f.p("    }")
	b.add(f)
	g.braced(b)
}

// sizes returns the const arguments for a struct: bytes of scalars, and number of tails.
func sizes(t *ir.ZMYType) string { return fmt.Sprintf("%d, %d", t.Scalars, t.Tails) }

// deprecated prints an attribute that allows the use of deprecated fields, if the struct has some.
func (f *block) deprecated(t *ir.ZMYType) {
	if slices.ContainsFunc(t.Fields, func(field *ir.ZMYField) bool { return field.Deprecated && field.Field != nil }) {
		f.p("#[allow(deprecated)]")
	}
}

// layout prints the impl of Layout, which is needed to read the struct in place.
func (g *gen) layout(t *ir.ZMYType) {
	b := &block{}
	b.p("impl rt::Layout for %s {", g.name(t))
	b.p("    const NAME: &'static str = %q;", print.TypeExprIn(t.Type, g.pkg.Path))
	b.p("    const HEAD: u32 = %#x;", t.Header())
	older, sparse := []string{}, "None"
	if t.Shape == zmytype.ShapeSparse {
		var list []string
		for _, f := range t.Fields {
			size := 0
			if f.Tail < 0 {
				size = f.Type.Size
			}
			list = append(list, fmt.Sprint(size))
		}
		sparse = "Some(&[" + strings.Join(list, ", ") + "])"
	} else {
		for _, h := range t.Older {
			older = append(older, fmt.Sprintf("%#x", h))
		}
	}
	b.array("    const OLDER: &'static [u32] = &", older)
	line := "    const SPARSE: Option<&'static [u8]> = " + sparse + ";"
	if len(line) > lineWidth || len(sparse) > 60 {
		b.p("    #[rustfmt::skip]")
	}
	b.p("%s", line)
	b.p("    type View<'a> = %s<'a>;", g.view(t))
	f := &block{}
	f.p("fn view(raw: rt::Raw<'_>) -> %s<'_> {", g.view(t))
	f.p("    %s(raw)", g.view(t))
	b.add(f)
	f = &block{}
	f.p("#[inline]")
	f.p("fn check(b: &[u8], h: u32, head: usize, walk: rt::Walk) -> rt::Result<()> {")
	var checks []string
	for _, field := range t.Fields {
		switch {
		case field.Field == nil && t.Unknown != nil: // the struct keeps the content of reserved fields
		case field.Field == nil && field.Tail < 0:
			checks = append(checks, fmt.Sprintf("o.check_reserved_fixed::<%d, %d>(walk)?;", field.Offset, field.Type.Size))
		case field.Field == nil:
			checks = append(checks, fmt.Sprintf("o.check_reserved_tail::<%d>(walk)?;", field.Tail))
		case field.Tail < 0 && checked(field.Type):
			checks = append(checks, fmt.Sprintf("o.check_fixed::<%s, %d>(%q)?;", g.fixed(field.Type), field.Offset, field.Field.Name))
		}
	}
	for _, field := range t.Fields {
		if field.Field != nil && field.Tail >= 0 && field.Type.Carried() != zmytype.ShapeBytes {
			checks = append(checks, fmt.Sprintf("o.check_tail::<%s, %d>(walk, %q)?;", g.form(field.Type), field.Tail, field.Field.Name))
		}
	}
	open := fmt.Sprintf("rt::open::<Self, %s>(b, h, head, walk.exact, walk.left, &mut x)?;", sizes(t))
	if len(checks) > 0 {
		open = "let o = " + open
	}
	f.p("    let mut x = [0; %d];", t.Scalars)
	f.p("    %s", open)
	for _, c := range checks {
		f.p("    %s", c)
	}
	f.p("    Ok(())")
	b.add(f)
	g.braced(b)
}

// checked reports whether some bytes are not a valid value of the fixed type.
func checked(t *ir.ZMYType) bool {
	return t.Domain != wire.AnyBytes || slices.ContainsFunc(t.Fields, func(f *ir.ZMYField) bool { return checked(f.Type) })
}

// array prints a constant list of short words. It fills lines as rustfmt does.
func (b *block) array(head string, words []string) {
	text := strings.Join(words, ", ")
	if len(text) <= 58 && len(head+text)+3 <= maxWidth {
		b.p("%s[%s];", head, text)
		return
	}
	b.p("%s[", head)
	line := "       "
	for _, w := range words {
		if len(line)+len(w)+2 > maxWidth {
			b.p("%s", line)
			line = "       "
		}
		line += " " + w + ","
	}
	b.p("%s", line)
	b.p("    ];")
}

// record prints the functions that write and read values.
func (g *gen) record(t *ir.ZMYType) {
	names, unknown := fieldNames(t)
	b := &block{}
	b.p("impl rt::Record for %s {", g.name(t))
	b.p("    const COST: u64 = %d;", t.Cost)
	b.p("    const KEEPS: bool = %v;", unknown != "")
	flat := isFlat(t)
	if flat {
		b.p("    const FLAT: bool = true;")
	}
	if unknown != "" && t.Shape == zmytype.ShapeStruct {
		f := &block{}
		f.p("fn header(&self) -> u32 {")
		f.p("    self.%s.header(<Self as rt::Layout>::HEAD)", unknown)
		b.add(f)
	}
	b.add(g.put(t, names, unknown))
	if flat {
		g.flat(b, t, names)
	}
	b.add(g.get(t, names, unknown))
	g.braced(b)
}

// put prints the function that writes a struct.
func (g *gen) put(t *ir.ZMYType, names []string, unknown string) *block {
	f := &block{}
	f.deprecated(t)
	f.p("fn put(&self, e: &mut rt::Encoder<'_>, h: u32, own: bool, left: u32) -> rt::Result<()> {")
	f.p("    rt::enter(left)?;")
	keep := "None"
	if unknown != "" {
		keep = "Some(&self." + unknown + ")"
	}
	var stores []string
	for i, field := range t.Fields {
		switch {
		case field.Tail >= 0 || field.Field == nil && unknown == "":
		case field.Field == nil:
			stores = append(stores, fmt.Sprintf("self.%s.put_kept::<%d>(&mut x, %d);", unknown, field.Offset, i))
		default:
			stores = append(stores, fmt.Sprintf("rt::store::<%s, %d>(&self.%s, &mut x, %q)?;", g.fixed(field.Type), field.Offset, names[i],
				field.Field.Name))
		}
	}
	x := fmt.Sprintf("&[0; %d]", t.Scalars)
	if t.Scalars == 0 {
		x = "&[]"
	}
	if len(stores) > 0 {
		x = "&x"
		f.p("    let mut x = [0; %d];", t.Scalars)
	}
	for _, s := range stores {
		f.p("    %s", s)
	}
	mut := ""
	if t.Tails > 0 {
		mut = "mut "
	}
	f.p("    let %sw = e.open::<Self, %s>(%s, h, own, left);", mut, sizes(t), x)
	for i, field := range t.Fields {
		switch {
		case field.Tail < 0:
		case field.Field == nil:
			f.p("    w.reserved::<%d>(%s, %d);", field.Tail, keep, i)
		default:
			f.p("    w.tail::<%s, %d>(&self.%s, %q)?;", g.form(field.Type), field.Tail, names[i], field.Field.Name)
		}
	}
	f.p("    w.close(h, %s)", keep)
	return f
}

// get prints the function that reads a struct: first scalars and reserved fields, then tails, each
// in the order of numbers. If there are reserved fields, scalars are read into variables, since the
// expressions in a struct literal would be evaluated after all reserved fields.
func (g *gen) get(t *ir.ZMYType, names []string, unknown string) *block {
	f := &block{}
	f.deprecated(t)
	f.p("#[inline]")
	f.p("fn get(b: &[u8], h: u32, head: usize, d: &mut rt::Decoder, left: u32) -> rt::Result<Self> {")
	reserves := slices.ContainsFunc(t.Fields, (*ir.ZMYField).Reserved)
	open := fmt.Sprintf("rt::open::<Self, %s>(b, h, head, d.exact(), left, &mut x)?;", sizes(t))
	if len(t.Fields) > 0 || unknown != "" {
		open = "let o = " + open
	}
	f.p("    let mut x = [0; %d];", t.Scalars)
	f.p("    %s", open)
	keep := "None"
	switch {
	case unknown != "" && reserves:
		f.p("    let mut unknown = o.unknown(h, d)?;")
		keep = "Some(&mut unknown)"
	case unknown != "":
		f.p("    let unknown = o.unknown(h, d)?;")
	}
	var inits []string
	for i, field := range t.Fields {
		switch {
		case field.Field == nil && field.Tail < 0:
			f.p("    o.reserved_fixed::<%d, %d>(%s, %d, d)?;", field.Offset, field.Type.Size, keep, i)
		case field.Field == nil:
			f.p("    o.reserved_tail::<%d>(%s, %d, d)?;", field.Tail, keep, i)
		case field.Tail < 0:
			expr := fmt.Sprintf("o.fixed::<%s, %d>(%q)?", g.fixed(field.Type), field.Offset, field.Field.Name)
			if reserves {
				f.p("    let f%d = %s;", i, expr)
				expr = fmt.Sprintf("f%d", i)
			}
			inits = append(inits, fmt.Sprintf("%s: %s,", names[i], expr))
		}
	}
	for i, field := range t.Fields {
		if field.Field != nil && field.Tail >= 0 {
			inits = append(inits, fmt.Sprintf("%s: o.tail::<%s, %d>(d, left, %q)?,", names[i], g.form(field.Type), field.Tail, field.Field.Name))
		}
	}
	if unknown == "unknown" {
		inits = append(inits, "unknown,")
	} else if unknown != "" {
		inits = append(inits, unknown+": unknown,")
	}
	if len(inits) == 0 {
		f.p("    Ok(Self {})")
		return f
	}
	f.p("    Ok(Self {")
	for _, l := range inits {
		f.p("        %s", l)
	}
	f.p("    })")
	return f
}

// inline prints how a struct is stored inline, among the scalars of another struct.
func (g *gen) inline(t *ir.ZMYType) {
	names, _ := fieldNames(t)
	b := &block{}
	b.p("impl rt::Fixed for %s {", g.name(t))
	b.p("    type Value = Self;")
	b.p("    const SIZE: usize = %d;", t.Size)
	b.p("    const ANY: bool = %v;", !checked(t))
	part := func(f *ir.ZMYField) string {
		return fmt.Sprintf("rt::part(x, %d, %d)", f.Offset, f.Offset+f.Type.Size)
	}
	f := &block{}
	f.deprecated(t)
	f.p("fn load(x: &[u8]) -> Self {")
	f.p("    Self {")
	for i, field := range t.Fields {
		f.p("        %s: <%s as rt::Fixed>::load(%s),", names[i], g.fixed(field.Type), part(field))
	}
	f.p("    }")
	b.add(f)
	f = &block{}
	x := "_"
	if checked(t) {
		x = "x"
	}
	f.p("fn check(%s: &[u8]) -> rt::Result<()> {", x)
	for _, field := range t.Fields {
		if checked(field.Type) {
			f.p("    rt::check_at::<%s>(%s, %d, %q)?;", g.fixed(field.Type), part(field), field.Offset, field.Field.Name)
		}
	}
	f.p("    Ok(())")
	b.add(f)
	f = &block{}
	f.deprecated(t)
	f.p("fn store(v: &Self, x: &mut [u8]) -> rt::Result<()> {")
	for i, field := range t.Fields {
		f.p("    rt::store::<%s, %d>(&v.%s, x, %q)?;", g.fixed(field.Type), field.Offset, names[i], field.Field.Name)
	}
	f.p("    Ok(())")
	b.add(f)
	g.braced(b)
}
