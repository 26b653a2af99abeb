//! Numbers of any size. Programs can carry, compare and print them. To compute with them, a program
//! converts their bytes to the numbers of a library.

use crate::form::Form;
use crate::limits::Walk;
use crate::wire;
use crate::{Code, Result};

/// An integer of any size; empty for 0.
pub enum Integer {}
/// A pointer to an integer of any size.
pub enum PtrInteger {}
/// A floating-point number of any precision; empty for zero.
pub enum Float {}
/// A pointer to a floating-point number of any precision.
pub enum PtrFloat {}

/// Bounds of the specification. Without them a dozen bytes could be a number of gigabytes.
const MAX_PRECISION: u32 = 1 << 16;
const MAX_EXPONENT: i32 = 1 << 16;
const MAX_SCALE: i16 = 10_000;
const MAX_UNSCALED: usize = 4096;
const FLOAT_HEAD: usize = 9;

pub(crate) fn check_integer(b: &[u8]) -> Result<(), Code> {
    match b {
        [] => Err(Code::Length),
        [1] | [2..=255, ..] => Err(Code::Domain),
        [_, 0, ..] => Err(Code::NotMinimal),
        _ => Ok(()),
    }
}

pub(crate) fn check_float(b: &[u8]) -> Result<(), Code> {
    let (Some(&form), Some(mantissa)) = (b.get(4), b.get(FLOAT_HEAD..)) else {
        return Err(Code::Length);
    };
    let (precision, exponent) = (wire::u32(b), wire::u32(wire::rest(b, 5)) as i32);
    let bounded = precision <= MAX_PRECISION && exponent.unsigned_abs() <= MAX_EXPONENT as u32;
    if !bounded || form >> 6 != 0 || form & 7 > 5 || form >> 3 & 3 == 3 {
        return Err(Code::Domain);
    }
    if form >> 3 & 3 != 1 {
        return match (exponent, mantissa) {
            (0, []) => Ok(()),
            _ => Err(Code::Domain),
        };
    }
    match (mantissa.first(), mantissa.last()) {
        (Some(0x80..), Some(&last)) if last != 0 => {
            let used = 8 * mantissa.len() as u64 - u64::from(last.trailing_zeros());
            if used > u64::from(precision) {
                return Err(Code::Domain);
            }
            Ok(())
        }
        _ => Err(Code::NotMinimal),
    }
}

pub(crate) fn check_decimal(b: &[u8]) -> Result<(), Code> {
    if b.len() < 3 {
        return Err(Code::Length);
    }
    let scale = wire::u16(b) as i16;
    if !(-MAX_SCALE..=MAX_SCALE).contains(&scale) || b.len() > 3 + MAX_UNSCALED {
        return Err(Code::Domain);
    }
    check_integer(wire::rest(b, 2))
}

/// The bytes of an integer in place: sign and magnitude.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IntegerView<'a> {
    /// Whether the integer is negative.
    pub negative: bool,
    /// The magnitude, most significant byte first, without zero bytes at the start.
    pub magnitude: &'a [u8],
}

/// A floating-point number in place: 0.mantissa × 2^exponent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FloatView<'a> {
    /// Bits of precision.
    pub precision: u32,
    /// Rounding mode in bits 0–2, kind in bits 3–4 (0 zero, 1 finite, 2 infinite),
    /// sign in bit 5.
    pub form: u8,
    /// The exponent of 2.
    pub exponent: i32,
    /// Most significant byte first, its top bit set, without zero bytes at the end.
    pub mantissa: &'a [u8],
}

fn integer_view(b: &[u8]) -> IntegerView<'_> {
    match b.split_first() {
        Some((sign, magnitude)) => IntegerView {
            negative: *sign == 1,
            magnitude,
        },
        None => IntegerView::default(),
    }
}

fn float_view(b: &[u8]) -> FloatView<'_> {
    FloatView {
        precision: wire::u32(b),
        form: b.get(4).copied().unwrap_or(0),
        exponent: wire::u32(wire::rest(b, 5)) as i32,
        mantissa: wire::rest(b, FLOAT_HEAD),
    }
}

impl Form for Integer {
    type View<'a> = IntegerView<'a>;

    fn check(b: &[u8], _: Walk) -> Result<()> {
        check_integer(b)?;
        if b.len() == 1 {
            return Err(Code::Zero.into());
        }
        Ok(())
    }

    fn view(b: &[u8]) -> IntegerView<'_> {
        integer_view(b)
    }
}

impl Form for PtrInteger {
    type View<'a> = Option<IntegerView<'a>>;

    fn check(b: &[u8], _: Walk) -> Result<()> {
        Ok(check_integer(b)?)
    }

    fn view(b: &[u8]) -> Self::View<'_> {
        (!b.is_empty()).then(|| integer_view(b))
    }
}

impl Form for Float {
    type View<'a> = FloatView<'a>;

    fn check(b: &[u8], _: Walk) -> Result<()> {
        check_float(b)?;
        if wire::is_zero(b) {
            return Err(Code::Zero.into());
        }
        Ok(())
    }

    fn view(b: &[u8]) -> FloatView<'_> {
        float_view(b)
    }
}

impl Form for PtrFloat {
    type View<'a> = Option<FloatView<'a>>;

    fn check(b: &[u8], _: Walk) -> Result<()> {
        Ok(check_float(b)?)
    }

    fn view(b: &[u8]) -> Self::View<'_> {
        (!b.is_empty()).then(|| float_view(b))
    }
}

#[cfg(feature = "alloc")]
pub use owned::{BigFloat, BigInt, Decimal};

#[cfg(feature = "alloc")]
mod decimal;
#[cfg(feature = "alloc")]
mod owned;
