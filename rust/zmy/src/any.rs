//! Values of any kind: a byte for the kind, then a payload.

use crate::big::{check_decimal, check_float, check_integer};
use crate::form::{Blob, Form, Text};
use crate::limits::{enter, Walk};
use crate::list::{List, ListView, Packed, Slots, Texts};
use crate::map::{Map, MapView};
use crate::wire;
use crate::{Code, Duration, Fixed, Result, Time};

#[cfg(feature = "alloc")]
pub use owned::Value;

/// A value of any kind; empty for none.
pub enum Any {}

/// The kinds, which are the first byte of a slot. The numbers are those of the specification.
pub mod kind {
    #![allow(missing_docs)]
    pub const FALSE: u8 = 1;
    pub const TRUE: u8 = 2;
    pub const INT8: u8 = 3;
    pub const INT16: u8 = 4;
    pub const INT32: u8 = 5;
    pub const INT64: u8 = 6;
    pub const UINT64: u8 = 7;
    pub const FLOAT64: u8 = 8;
    pub const STRING: u8 = 9;
    pub const BYTES: u8 = 10;
    pub const TIME: u8 = 11;
    pub const LIST: u8 = 12;
    pub const MAP: u8 = 13;
    pub const STRUCT: u8 = 14;
    pub const DURATION: u8 = 15;
    pub const DECIMAL: u8 = 16;
    pub const BIG_INT: u8 = 17;
    pub const BIG_FLOAT: u8 = 18;
    pub const RAW_JSON: u8 = 19;
    pub const FLOAT32: u8 = 20;
    pub const COMPLEX64: u8 = 21;
    pub const COMPLEX128: u8 = 22;
    pub const NUMBER: u8 = 23;
    pub const BOOLS: u8 = 32;
    pub const INT8S: u8 = 33;
    pub const INT16S: u8 = 34;
    pub const INT32S: u8 = 35;
    pub const INT64S: u8 = 36;
    pub const UINT16S: u8 = 37;
    pub const UINT32S: u8 = 38;
    pub const UINT64S: u8 = 39;
    pub const FLOAT32S: u8 = 40;
    pub const FLOAT64S: u8 = 41;
    pub const TIMES: u8 = 42;
    pub const DURATIONS: u8 = 43;
    pub const STRINGS: u8 = 44;
    pub const STRING_MAP: u8 = 45;
}

/// The shape of a kind's payload.
enum Shape {
    /// This many bytes.
    Fixed(usize),
    /// Elements of this many bytes each.
    Packed(usize),
    Other,
    Unknown,
}

const fn shape(kind: u8) -> Shape {
    use kind::*;
    match kind {
        FALSE | TRUE => Shape::Fixed(0),
        INT8 => Shape::Fixed(1),
        INT16 => Shape::Fixed(2),
        INT32 | FLOAT32 => Shape::Fixed(4),
        INT64 | UINT64 | FLOAT64 | DURATION | COMPLEX64 => Shape::Fixed(8),
        TIME => Shape::Fixed(12),
        COMPLEX128 => Shape::Fixed(16),
        BOOLS | INT8S => Shape::Packed(1),
        INT16S | UINT16S => Shape::Packed(2),
        INT32S | UINT32S | FLOAT32S => Shape::Packed(4),
        INT64S | UINT64S | FLOAT64S | DURATIONS => Shape::Packed(8),
        TIMES => Shape::Packed(12),
        STRING | BYTES | RAW_JSON | NUMBER | LIST | MAP | STRUCT | DECIMAL | BIG_INT
        | BIG_FLOAT | STRINGS | STRING_MAP => Shape::Other,
        _ => Shape::Unknown,
    }
}

/// Checks a payload, but not the values inside lists and maps.
fn check_payload(kind: u8, p: &[u8]) -> Result<(), Code> {
    match shape(kind) {
        _ if kind == 0 => return Err(Code::Domain),
        Shape::Fixed(size) if p.len() != size => return Err(Code::Length),
        Shape::Packed(size) if p.len() % size != 0 => return Err(Code::Length),
        _ => {}
    }
    match kind {
        kind::INT16 => minimal(i8::try_from(i16::load(p)).is_err()),
        kind::INT32 => minimal(i16::try_from(i32::load(p)).is_err()),
        kind::INT64 => minimal(i32::try_from(i64::load(p)).is_err()),
        kind::UINT64 => minimal(i64::try_from(u64::load(p)).is_err()),
        kind::STRING | kind::NUMBER => match core::str::from_utf8(p) {
            Ok(_) => Ok(()),
            Err(_) => Err(Code::Utf8),
        },
        kind::TIME | kind::TIMES => Time::check_all(p).map_err(|f| f.code()),
        kind::BOOLS => bool::check_all(p).map_err(|f| f.code()),
        kind::BIG_INT => check_integer(p),
        kind::BIG_FLOAT => check_float(p),
        kind::DECIMAL => check_decimal(p),
        kind::STRUCT if p.len() < 8 => Err(Code::Length),
        _ => Ok(()),
    }
}

fn minimal(yes: bool) -> Result<(), Code> {
    if yes {
        Ok(())
    } else {
        Err(Code::NotMinimal)
    }
}

/// Splits a slot, which is not empty, into kind and payload, checks the payload as
/// [`check_payload`] does, and returns the depth that is left inside. `left` is that of the struct
/// or the value around.
fn open(b: &[u8], left: u32) -> Result<(u8, &[u8], u32)> {
    let left = left.saturating_sub(1);
    let Some((&kind, p)) = b.split_first() else {
        return Ok((0, b, left));
    };
    enter(left)?;
    check_payload(kind, p)?;
    Ok((kind, p, left))
}

impl Form for Any {
    type View<'a> = AnyView<'a>;

    fn check(b: &[u8], walk: Walk) -> Result<()> {
        let (kind, p, left) = open(b, walk.left)?;
        if p.is_empty() {
            return Ok(());
        }
        let walk = Walk { left, ..walk };
        match kind {
            kind::LIST => List::<Slots<Any>>::check(p, walk),
            kind::MAP => Map::<Text, Slots<Any>>::check(p, walk),
            kind::STRING_MAP => Map::<Text, Texts>::check(p, walk),
            kind::STRINGS => List::<Texts>::check(p, walk),
            _ => Ok(()),
        }
        .map_err(|f| f.shift(1))
    }

    fn view(b: &[u8]) -> AnyView<'_> {
        AnyView(b)
    }
}

/// A value of any kind in place.
#[derive(Clone, Copy, Debug, Default)]
pub struct AnyView<'a>(&'a [u8]);

impl<'a> AnyView<'a> {
    /// One of [`kind`], or 0 for no value. Later versions may have others.
    pub fn kind(&self) -> u8 {
        self.0.first().copied().unwrap_or(0)
    }

    /// The bytes behind the kind.
    pub fn payload(&self) -> &'a [u8] {
        wire::rest(self.0, 1)
    }

    /// The payload read as this form, if the value is of this kind.
    fn as_form<F: Form>(&self, kind: u8) -> Option<F::View<'a>> {
        (self.kind() == kind).then(|| F::view(self.payload()))
    }

    fn as_fixed<F: Fixed>(&self, kind: u8) -> Option<F::Value> {
        (self.kind() == kind).then(|| F::load(self.payload()))
    }

    /// Reports whether there is no value.
    pub fn is_null(&self) -> bool {
        self.0.is_empty()
    }

    /// A boolean.
    pub fn as_bool(&self) -> Option<bool> {
        match self.kind() {
            kind::FALSE => Some(false),
            kind::TRUE => Some(true),
            _ => None,
        }
    }

    /// An integer of any size that i64 holds.
    pub fn as_i64(&self) -> Option<i64> {
        let p = self.payload();
        match self.kind() {
            kind::INT8 => Some(i8::load(p).into()),
            kind::INT16 => Some(i16::load(p).into()),
            kind::INT32 => Some(i32::load(p).into()),
            kind::INT64 => Some(i64::load(p)),
            _ => None,
        }
    }

    /// An integer that is not negative.
    pub fn as_u64(&self) -> Option<u64> {
        match self.kind() {
            kind::UINT64 => Some(u64::load(self.payload())),
            _ => u64::try_from(self.as_i64()?).ok(),
        }
    }

    /// A float of 64 bits.
    pub fn as_f64(&self) -> Option<f64> {
        self.as_fixed::<f64>(kind::FLOAT64)
    }

    /// A string.
    pub fn as_str(&self) -> Option<&'a str> {
        self.as_form::<Text>(kind::STRING)
    }

    /// Bytes.
    pub fn as_bytes(&self) -> Option<&'a [u8]> {
        self.as_form::<Blob>(kind::BYTES)
    }

    /// A time.
    pub fn as_time(&self) -> Option<Time> {
        self.as_fixed::<Time>(kind::TIME)
    }

    /// A duration.
    pub fn as_duration(&self) -> Option<Duration> {
        self.as_fixed::<Duration>(kind::DURATION)
    }

    /// A list of values.
    pub fn as_list(&self) -> Option<ListView<'a, Slots<Any>>> {
        self.as_form::<List<Slots<Any>>>(kind::LIST)
    }

    /// A map from strings to values.
    pub fn as_map(&self) -> Option<MapView<'a, Text, Slots<Any>>> {
        self.as_form::<Map<Text, Slots<Any>>>(kind::MAP)
    }

    /// A packed list of floats of 64 bits.
    pub fn as_f64s(&self) -> Option<ListView<'a, Packed<f64>>> {
        self.as_form::<List<Packed<f64>>>(kind::FLOAT64S)
    }
}

#[cfg(feature = "alloc")]
mod owned;
