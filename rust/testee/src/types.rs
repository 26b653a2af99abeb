//! The generated types as the vectors spell them: their fields by the names of
//! spec/vectors/schemas.txt.

use crate::spell::{elements, Elements, Object, Spell};
use crate::vectors::*;
use std::fmt::Write;

/// Structs as objects, owned and in place. A list of dense structs spells also zero ones, since
/// they have no slots; `$slot` is for sparse structs.
macro_rules! structs {
    ($($name:ident $view:ident $slot:literal { $($go:ident $field:ident)* })*) => {$(
        impl Spell for $name {
            const SLOT: bool = $slot;

            fn is_zero(&self) -> bool {
                true $(&& self.$field.is_zero())*
            }

            #[allow(unused_mut)]
            fn spell(&self, out: &mut String) {
                let mut object = Object::new(out);
                $(object.field(stringify!($go), &self.$field);)*
                object.end();
            }
        }

        impl Spell for $view<'_> {
            const SLOT: bool = $slot;

            fn is_zero(&self) -> bool {
                true $(&& self.$field().is_zero())*
            }

            #[allow(unused_mut)]
            fn spell(&self, out: &mut String) {
                let mut object = Object::new(out);
                $(object.field(stringify!($go), &self.$field());)*
                object.end();
            }
        }

        elements! { {} $name; }
    )*};
}

structs! {
    Scalars ScalarsView false {
        Bool bool Int8 int8 Int16 int16 Int32 int32 Int64 int64 Uint8 uint8 Uint16 uint16
        Uint32 uint32 Uint64 uint64 Float32 float32 Float64 float64 Complex64 complex64
        Complex128 complex128 Time time Zone zone Nano nano Duration duration Grid grid
        Flags flags Times times At at
    }
    Point PointView false { X x Y y }
    Line LineView false { Sku sku Qty qty Attrs attrs }
    Lists ListsView false {
        Ints ints Longs longs Floats floats Pairs pairs Bools bools Times times Zones zones
        Keys keys Texts texts Blobs blobs Grid grid Points points Lines lines Refs refs
        Nums nums Anys anys Bigs bigs Table table Ticks ticks Names names Spots spots
        Rows rows Boxes boxes Spans spans Marks marks Sets sets Optionals optionals
    }
    Maps MapsView false {
        Text text Any any Signed signed Large large Bool bool Span span Key key Lines lines
        Refs refs Times times Set set Numbers numbers Nested nested Lists lists Spans spans
        Cast cast
    }
    Optional OptionalView false {
        Bool bool Int int Time time Text text Point point Line line Span span Table table
        Names names List list Bytes bytes Map map Key key Raw raw
    }
    Numbers NumbersView false {
        Int int Float float IntPtr int_ptr FloatPtr float_ptr Ints ints Floats floats
    }
    Raw RawView false { JSON json Number number List list Map map }
    Dynamic DynamicView false { Value value }
    Tree TreeView false { Value value Left left Kids kids Any any }
    Cast CastView false { Lead lead Actors actors }
    Human HumanView false { Name name Enemy enemy }
    Robot RobotView false { Serial serial }
    Ghost GhostView true { Age age Name name }
    V1 V1View false { ID id Name name List list One one }
    V2 V2View false { ID id Name name List list One one Price price Note note }
    V3 V3View false {
        ID id Name name List list One one Price price Note note Flag flag More more
    }
    Part1 Part1View false { A a }
    Part2 Part2View false { A a B b }
    Part3 Part3View false { A a B b C c D d }
    Keep1 Keep1View false { ID id Name name List list One one }
    Keep2 Keep2View false { ID id Name name List list One one Price price Note note }
    KeepPart1 KeepPart1View false { A a }
    KeepPart2 KeepPart2View false { A a B b }
    Sparse1 Sparse1View true { A a B b C c When when }
    Sparse2 Sparse2View true {
        A a B b C c When when Kids kids At at D d E e F f
    }
    SparseDrop SparseDropView true { A a B b C c When when Kids kids }
    Retired RetiredView false { List list One one Price price Note note }
    RetiredKeep RetiredKeepView false { List list One one Price price Note note }
    Wide WideView false {
        Text text Bytes bytes Lines lines Texts texts Map map Ints ints Fat fat Next next
    }
    Fat FatView false { B b Rest rest More more }
    Empty EmptyView false {}
    Order OrderView false { ID id Items items Metadata metadata Timestamp timestamp }
    Item ItemView false { Sku sku Price price Qty qty Attrs attrs }
    Tables TablesView false { Pages pages Deep deep Maybe maybe List list }
}

/// A struct inline has no view of its own.
impl Spell for Spot {
    const SLOT: bool = false;

    fn is_zero(&self) -> bool {
        self.x.is_zero() && self.on.is_zero() && self.when.is_zero()
    }

    fn spell(&self, out: &mut String) {
        let mut object = Object::new(out);
        object.field("X", &self.x);
        object.field("On", &self.on);
        object.field("When", &self.when);
        object.end();
    }
}

fn arm(number: u16, v: &impl Spell, out: &mut String) {
    write!(out, "{{\"arm\":{number},\"value\":").unwrap();
    v.spell(out);
    out.push('}');
}

fn unknown_arm(number: u16, slot: &[u8], out: &mut String) {
    let raw = crate::spell::hex(slot);
    write!(out, "{{\"arm\":{number},\"raw\":\"{raw}\"}}").unwrap();
}

impl Spell for Actor {
    fn is_zero(&self) -> bool {
        false
    }

    fn spell(&self, out: &mut String) {
        match self {
            Actor::Human(v) => arm(1, v, out),
            Actor::Robot(v) => arm(2, v, out),
            Actor::Ghost(v) => arm(7, v, out),
            Actor::Unknown(v) => unknown_arm(v.number, &v.slot, out),
        }
    }
}

impl Spell for ActorView<'_> {
    fn is_zero(&self) -> bool {
        false
    }

    fn spell(&self, out: &mut String) {
        match self {
            ActorView::Human(v) => arm(1, v, out),
            ActorView::Robot(v) => arm(2, v, out),
            ActorView::Ghost(v) => arm(7, v, out),
            ActorView::Unknown(number, slot) => unknown_arm(*number, slot, out),
        }
    }
}
