package rust

import (
	"fmt"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
)

// union prints an enum with the arms, and an enum that reads them in place. Every arm is in a box.
// Only some arms need one, because they contain the union or are large. But that changes with the
// arm's fields, and would break programs that use the arm.
func (g *gen) union(t *ir.ZMYType) {
	name, view := g.name(t), g.view(t)
	b := &block{}
	b.doc("", g.docOf(t))
	g.derive(b, t, "Clone, Debug, PartialEq")
	b.p("pub enum %s {", name)
	for _, a := range t.Arms {
		b.p("    /// Arm %d.", a.Disc)
		b.p("    %s(%s<%[1]s>),", g.name(a.Type), g.expand("{Box}", t))
	}
	b.p("    /// An arm that this program does not know, passed on.")
	b.p("    Unknown(zmy::UnknownArm),")
	g.braced(b)
	for _, a := range t.Arms {
		g.from(name, g.name(a.Type))
	}

	b = &block{}
	b.p("/// Reads %s in place.", print.TypeExprIn(t.Type, g.pkg.Path))
	b.p("#[derive(Clone, Copy, Debug)]")
	g.public(b)
	b.p("pub enum %s<'a> {", view)
	for _, a := range t.Arms {
		b.p("    /// Arm %d.", a.Disc)
		b.p("    %s(%s<'a>),", g.name(a.Type), g.view(a.Type))
	}
	b.p("    /// An arm that this program does not know: its number and its slot.")
	b.p("    Unknown(u16, &'a [u8]),")
	g.braced(b)
	g.arms(t, name, view)
	g.armsCodec(t, name)
}

// from prints the conversion of a struct to an arm.
func (g *gen) from(union, arm string) {
	b := &block{}
	b.p("impl From<%s> for %s {", arm, union)
	b.p("    fn from(v: %s) -> Self {", arm)
	b.p("        Self::%s(v.into())", arm)
	b.p("    }")
	g.braced(b)
}

func (g *gen) arms(t *ir.ZMYType, name, view string) {
	b := &block{}
	b.p("impl rt::Arms for %s {", name)
	b.p("    type View<'a> = %s<'a>;", view)
	f := &block{}
	f.p("fn check(disc: u16, b: &[u8], walk: rt::Walk) -> rt::Result<()> {")
	f.p("    match disc {")
	for _, a := range t.Arms {
		f.p("        %d => rt::check_arm::<%s>(b, walk),", a.Disc, g.name(a.Type))
	}
	f.p("        _ => Ok(()),")
	f.p("    }")
	b.add(f)
	f = &block{}
	f.p("fn view(disc: u16, b: &[u8]) -> %s<'_> {", view)
	f.p("    match disc {")
	for _, a := range t.Arms {
		f.p("        %d => %s::%s(rt::view_arm::<%[3]s>(b)),", a.Disc, view, g.name(a.Type))
	}
	f.p("        _ => %s::Unknown(disc, b),", view)
	f.p("    }")
	b.add(f)
	g.braced(b)
}

func (g *gen) armsCodec(t *ir.ZMYType, name string) {
	var discs []string
	for _, a := range t.Arms {
		discs = append(discs, fmt.Sprint(a.Disc))
	}
	b := &block{}
	b.p("impl rt::ArmsCodec for %s {", name)
	f := &block{}
	f.p("fn put(&self, e: &mut rt::Encoder<'_>, left: u32) -> rt::Result<()> {")
	f.p("    match self {")
	for _, a := range t.Arms {
		f.p("        Self::%s(v) => rt::put_arm(%d, v.as_ref(), e, left),", g.name(a.Type), a.Disc)
	}
	f.p("        Self::Unknown(v) => rt::put_unknown_arm(v, &[%s], e),", strings.Join(discs, ", "))
	f.p("    }")
	b.add(f)
	f = &block{}
	f.p("fn get(disc: u16, b: &[u8], d: &mut rt::Decoder, left: u32) -> rt::Result<Self> {")
	f.p("    match disc {")
	for _, a := range t.Arms {
		f.p("        %d => rt::get_arm(b, d, left).map(Self::%s),", a.Disc, g.name(a.Type))
	}
	f.p("        _ => rt::get_unknown_arm(disc, b, d).map(Self::Unknown),")
	f.p("    }")
	b.add(f)
	g.braced(b)
}
