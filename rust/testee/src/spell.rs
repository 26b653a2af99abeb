//! Values as the vectors spell them, in JSON: spec/vectors/README.md.

use std::collections::BTreeSet;
use std::fmt::Write;
use zmy::{
    AnyView, ArrayView, BigFloat, BigInt, Complex, Duration, FloatView, IntegerView, ListView, Map,
    MapView, SetView, Time, Value, ZonedTime,
};

/// A value that can be spelled.
pub trait Spell {
    /// Whether the value has a slot as an element of a list. Else it is a scalar.
    const SLOT: bool = true;
    /// Reports whether this is the zero value, which structs leave out, and which is an empty slot
    /// in lists.
    fn is_zero(&self) -> bool;
    fn spell(&self, out: &mut String);

    /// Spells the value as an element of a list or a map.
    fn element(&self, out: &mut String) {
        if Self::SLOT && self.is_zero() {
            out.push_str("null");
        } else {
            self.spell(out);
        }
    }

    /// Spells the value behind a pointer.
    fn target(&self, out: &mut String) {
        self.spell(out);
    }
}

/// The text of a value.
pub fn text<T: Spell>(v: &T) -> String {
    let mut out = String::new();
    v.spell(&mut out);
    out
}

fn quote(s: &str, out: &mut String) {
    out.push('"');
    for c in s.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '\0'..='\x1f' => write!(out, "\\u{:04x}", c as u32).unwrap(),
            c => out.push(c),
        }
    }
    out.push('"');
}

pub fn hex(b: &[u8]) -> String {
    b.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn quote_hex(b: &[u8], out: &mut String) {
    quote(&hex(b), out);
}

/// Spells items between brackets.
pub fn joined<T>(
    items: impl Iterator<Item = T>,
    out: &mut String,
    mut each: impl FnMut(T, &mut String),
) {
    out.push('[');
    for (i, item) in items.enumerate() {
        if i > 0 {
            out.push(',');
        }
        each(item, out);
    }
    out.push(']');
}

macro_rules! scalar {
    ($($t:ty: |$v:ident| $zero:expr, $text:expr;)*) => {$(
        impl Spell for $t {
            const SLOT: bool = false;

            fn is_zero(&self) -> bool {
                let $v = *self;
                $zero
            }

            fn spell(&self, out: &mut String) {
                let $v = *self;
                out.push_str(&$text);
            }
        }
    )*};
}

fn instant(t: Time) -> String {
    format!("{}.{:09}", t.seconds, t.nanos)
}

scalar! {
    bool: |v| !v, v.to_string();
    i8: |v| v == 0, v.to_string();
    u8: |v| v == 0, v.to_string();
    i16: |v| v == 0, v.to_string();
    u16: |v| v == 0, v.to_string();
    i32: |v| v == 0, v.to_string();
    u32: |v| v == 0, v.to_string();
    i64: |v| v == 0, format!("\"{v}\"");
    u64: |v| v == 0, format!("\"{v}\"");
    f32: |v| v.to_bits() == 0, format!("\"f32:{:08x}\"", v.to_bits());
    f64: |v| v.to_bits() == 0, format!("\"f64:{:016x}\"", v.to_bits());
    Complex<f32>: |v| v.re.to_bits() | v.im.to_bits() == 0,
        format!("\"c64:{:08x},{:08x}\"", v.re.to_bits(), v.im.to_bits());
    Complex<f64>: |v| v.re.to_bits() | v.im.to_bits() == 0,
        format!("\"c128:{:016x},{:016x}\"", v.re.to_bits(), v.im.to_bits());
    Duration: |v| v.as_nanos() == 0, format!("\"{}\"", v.as_nanos());
    Time: |v| v == Time::ZERO, format!("\"{}\"", instant(v));
    ZonedTime: |v| v == ZonedTime::default(), format!("\"{}@{}\"", instant(v.time), v.east);
}

/// Arrays of scalars of at most 255 bytes are scalars. Longer arrays, and those of other values,
/// have a slot.
impl<T: Spell, const N: usize> Spell for [T; N] {
    const SLOT: bool = T::SLOT || size_of::<[T; N]>() > 255;

    fn is_zero(&self) -> bool {
        self.iter().all(T::is_zero)
    }

    fn spell(&self, out: &mut String) {
        joined(self.iter(), out, T::element);
    }

    fn target(&self, out: &mut String) {
        if Self::SLOT && self.is_zero() {
            out.push_str("\"zero\"");
        } else {
            self.spell(out);
        }
    }
}

impl Spell for &str {
    fn is_zero(&self) -> bool {
        self.is_empty()
    }

    fn spell(&self, out: &mut String) {
        quote(self, out);
    }

    fn element(&self, out: &mut String) {
        self.spell(out);
    }
}

impl Spell for String {
    fn is_zero(&self) -> bool {
        self.is_empty()
    }

    fn spell(&self, out: &mut String) {
        self.as_str().spell(out);
    }

    fn element(&self, out: &mut String) {
        self.as_str().element(out);
    }
}

/// Elements of an owned list: lists of `u8` are bytes, in hexadecimal.
pub trait Elements: Sized {
    fn list(v: &[Self], out: &mut String);

    /// A list as an element of another one.
    fn list_element(v: &[Self], out: &mut String) {
        if v.is_empty() {
            out.push_str("null");
        } else {
            Self::list(v, out);
        }
    }
}

impl Elements for u8 {
    fn list(v: &[u8], out: &mut String) {
        quote_hex(v, out);
    }

    fn list_element(v: &[u8], out: &mut String) {
        quote_hex(v, out);
    }
}

macro_rules! elements {
    ($({$($p:ident)*} $t:ty;)*) => {$(
        impl<$($p: Spell),*> Elements for $t {
            fn list(v: &[Self], out: &mut String) {
                $crate::spell::joined(v.iter(), out, <$t as $crate::spell::Spell>::element);
            }
        }
    )*};
}
pub(crate) use elements;

elements! {
    {} bool; {} i8; {} i16; {} u16; {} i32; {} u32; {} i64; {} u64; {} f32; {} f64;
    {} Complex<f32>; {} Duration; {} Time; {} ZonedTime; {} String; {} Value; {} [u8; 4];
    {} [[u8; 300]; 2];
    {T} Option<T>; {K V} Map<K, V>;
}

impl<T: Elements> Elements for Vec<T> {
    fn list(v: &[Self], out: &mut String) {
        joined(v.iter(), out, Spell::element);
    }
}

impl<T: Elements> Spell for Vec<T> {
    fn is_zero(&self) -> bool {
        self.is_empty()
    }

    fn spell(&self, out: &mut String) {
        T::list(self, out);
    }

    fn element(&self, out: &mut String) {
        T::list_element(self, out);
    }
}

impl Spell for &[u8] {
    fn is_zero(&self) -> bool {
        self.is_empty()
    }

    fn spell(&self, out: &mut String) {
        quote_hex(self, out);
    }

    fn element(&self, out: &mut String) {
        self.spell(out);
    }
}

impl<'a, C: zmy::rt::Column<View<'a>: Spell>> Spell for ListView<'a, C> {
    fn is_zero(&self) -> bool {
        self.is_empty()
    }

    fn spell(&self, out: &mut String) {
        joined(self.iter(), out, |v, out| v.element(out));
    }
}

impl<'a, C: zmy::rt::Column<View<'a>: Spell>, const N: usize> Spell for ArrayView<'a, C, N> {
    fn is_zero(&self) -> bool {
        self.iter().all(|v| v.is_zero())
    }

    fn spell(&self, out: &mut String) {
        joined(self.iter(), out, |v, out| v.element(out));
    }

    fn target(&self, out: &mut String) {
        if self.is_zero() {
            out.push_str("\"zero\"");
        } else {
            self.spell(out);
        }
    }
}

fn pair(key: &impl Spell, out: &mut String, value: impl FnOnce(&mut String)) {
    out.push('[');
    key.spell(out);
    out.push(',');
    value(out);
    out.push(']');
}

impl<K: Spell, V: Spell> Spell for Map<K, V> {
    fn is_zero(&self) -> bool {
        self.is_empty()
    }

    fn spell(&self, out: &mut String) {
        joined(self.iter(), out, |(k, v), out| {
            pair(k, out, |out| v.element(out))
        });
    }
}

impl<K: Spell> Spell for BTreeSet<K> {
    fn is_zero(&self) -> bool {
        self.is_empty()
    }

    fn spell(&self, out: &mut String) {
        joined(self.iter(), out, |k, out| {
            pair(k, out, |out| out.push_str("null"))
        });
    }
}

impl<'a, K, C> Spell for MapView<'a, K, C>
where
    K: zmy::rt::Key<View<'a>: Spell> + 'a,
    C: zmy::rt::Column<View<'a>: Spell> + 'a,
{
    fn is_zero(&self) -> bool {
        self.is_empty()
    }

    fn spell(&self, out: &mut String) {
        joined(self.iter(), out, |(k, v), out| {
            pair(&k, out, |out| v.element(out))
        });
    }
}

impl<'a, K: zmy::rt::Key<View<'a>: Spell> + 'a> Spell for SetView<'a, K> {
    fn is_zero(&self) -> bool {
        self.is_empty()
    }

    fn spell(&self, out: &mut String) {
        joined(self.iter(), out, |k, out| {
            pair(&k, out, |out| out.push_str("null"))
        });
    }
}

impl<T: Spell> Spell for Option<T> {
    fn is_zero(&self) -> bool {
        self.is_none()
    }

    fn spell(&self, out: &mut String) {
        match self {
            Some(v) => v.target(out),
            None => out.push_str("null"),
        }
    }
}

impl<T: Spell> Spell for Box<T> {
    fn is_zero(&self) -> bool {
        T::is_zero(self)
    }

    fn spell(&self, out: &mut String) {
        T::spell(self, out);
    }

    fn target(&self, out: &mut String) {
        T::target(self, out);
    }
}

impl Spell for BigInt {
    fn is_zero(&self) -> bool {
        self.magnitude().is_empty()
    }

    fn spell(&self, out: &mut String) {
        write!(out, "\"{self}\"").unwrap();
    }
}

impl Spell for IntegerView<'_> {
    fn is_zero(&self) -> bool {
        self.magnitude.is_empty()
    }

    fn spell(&self, out: &mut String) {
        BigInt::from_bytes(self.negative, self.magnitude).spell(out);
    }
}

impl Spell for BigFloat {
    fn is_zero(&self) -> bool {
        *self == BigFloat::default()
    }

    fn spell(&self, out: &mut String) {
        quote_hex(&self.to_bytes(), out);
    }
}

impl Spell for FloatView<'_> {
    fn is_zero(&self) -> bool {
        *self == FloatView::default()
    }

    fn spell(&self, out: &mut String) {
        match BigFloat::from_parts(*self) {
            Ok(v) => v.spell(out),
            Err(code) => quote(code.name(), out),
        }
    }
}

impl Spell for AnyView<'_> {
    fn is_zero(&self) -> bool {
        self.is_null()
    }

    fn spell(&self, out: &mut String) {
        match self.to_value() {
            Ok(v) => v.spell(out),
            Err(err) => quote(&err.to_string(), out),
        }
    }
}

impl Spell for Value {
    fn is_zero(&self) -> bool {
        *self == Value::Null
    }

    fn spell(&self, out: &mut String) {
        let mut of = |kind: &str, v: &dyn Fn(&mut String)| {
            write!(out, "{{\"{kind}\":").unwrap();
            v(out);
            out.push('}');
        };
        match self {
            Value::Null => out.push_str("null"),
            Value::Bool(v) => of("bool", &|out| v.spell(out)),
            Value::Int(v) => of("int", &|out| v.spell(out)),
            Value::Uint(v) => of("uint", &|out| v.spell(out)),
            Value::Float64(v) => of("float64", &|out| v.spell(out)),
            Value::String(v) => of("string", &|out| v.spell(out)),
            Value::Bytes(v) => of("bytes", &|out| v.spell(out)),
            Value::Time(v) => of("time", &|out| v.spell(out)),
            Value::List(v) => of("list", &|out| v.spell(out)),
            Value::Map(v) => of("map", &|out| v.spell(out)),
            Value::Struct { lineage, slot } => of("struct", &|out| {
                let head = hex(&lineage.to_le_bytes());
                quote(&(head + &hex(slot)), out);
            }),
            Value::Duration(v) => of("duration", &|out| v.spell(out)),
            Value::Decimal(v) => of("decimal", &|out| {
                write!(out, "[{},\"{}\"]", v.scale, v.unscaled).unwrap();
            }),
            Value::BigInt(v) => of("bigint", &|out| v.spell(out)),
            Value::BigFloat(v) => of("bigfloat", &|out| v.spell(out)),
            Value::RawJson(v) => of("json", &|out| v.spell(out)),
            Value::Float32(v) => of("float32", &|out| v.spell(out)),
            Value::Complex64(v) => of("complex64", &|out| v.spell(out)),
            Value::Complex128(v) => of("complex128", &|out| v.spell(out)),
            Value::Number(v) => of("number", &|out| v.spell(out)),
            Value::Bools(v) => of("bools", &|out| v.spell(out)),
            Value::Int8s(v) => of("int8s", &|out| v.spell(out)),
            Value::Int16s(v) => of("int16s", &|out| v.spell(out)),
            Value::Int32s(v) => of("int32s", &|out| v.spell(out)),
            Value::Int64s(v) => of("int64s", &|out| v.spell(out)),
            Value::Uint16s(v) => of("uint16s", &|out| v.spell(out)),
            Value::Uint32s(v) => of("uint32s", &|out| v.spell(out)),
            Value::Uint64s(v) => of("uint64s", &|out| v.spell(out)),
            Value::Float32s(v) => of("float32s", &|out| v.spell(out)),
            Value::Float64s(v) => of("float64s", &|out| v.spell(out)),
            Value::Times(v) => of("times", &|out| v.spell(out)),
            Value::Durations(v) => of("durations", &|out| v.spell(out)),
            Value::Strings(v) => of("strings", &|out| v.spell(out)),
            Value::StringMap(v) => of("stringmap", &|out| v.spell(out)),
            Value::Unknown { kind, payload } => {
                write!(out, "{{\"kind\":{kind},\"raw\":\"{}\"}}", hex(payload)).unwrap();
            }
            _ => out.push_str("\"not known to the testee\""),
        }
    }
}

/// A struct that is being spelled.
pub struct Object<'o> {
    out: &'o mut String,
    empty: bool,
}

impl<'o> Object<'o> {
    pub fn new(out: &'o mut String) -> Self {
        out.push('{');
        Object { out, empty: true }
    }

    pub fn field(&mut self, name: &str, v: &impl Spell) {
        if v.is_zero() {
            return;
        }
        if !self.empty {
            self.out.push(',');
        }
        self.empty = false;
        quote(name, self.out);
        self.out.push(':');
        v.spell(self.out);
    }

    pub fn end(self) {
        self.out.push('}');
    }
}
