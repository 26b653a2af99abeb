//! Owned values of numbers of any size.

use super::*;
use crate::codec::Codec;
use crate::decoder::{Decoder, SLOT};
use crate::encoder::Encoder;
use alloc::vec::Vec;
use core::fmt;

/// An integer of any size.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(from = "(bool, Vec<u8>)", into = "(bool, Vec<u8>)")
)]
pub struct BigInt {
    negative: bool,
    magnitude: Vec<u8>,
}

impl BigInt {
    /// The integer of this sign and magnitude, most significant byte first.
    pub fn from_bytes(negative: bool, magnitude: &[u8]) -> Self {
        let zeros = magnitude.iter().take_while(|&&byte| byte == 0).count();
        let magnitude = wire::rest(magnitude, zeros).to_vec();
        BigInt {
            negative: negative && !magnitude.is_empty(),
            magnitude,
        }
    }

    /// Reports whether the integer is negative.
    pub fn is_negative(&self) -> bool {
        self.negative
    }

    /// The magnitude, most significant byte first, without zero bytes at the start.
    pub fn magnitude(&self) -> &[u8] {
        &self.magnitude
    }

    /// The integer, if it fits 128 bits.
    pub fn to_i128(&self) -> Option<i128> {
        let mut wide = [0; 16];
        let from = 16usize.checked_sub(self.magnitude.len())?;
        wide.get_mut(from..)?.copy_from_slice(&self.magnitude);
        let magnitude = u128::from_be_bytes(wide);
        if self.negative {
            0i128.checked_sub_unsigned(magnitude)
        } else {
            i128::try_from(magnitude).ok()
        }
    }

    fn is_zero(&self) -> bool {
        self.magnitude.is_empty()
    }

    pub(crate) fn append(&self, e: &mut Encoder<'_>) {
        e.bytes(&[u8::from(self.negative)]);
        e.bytes(&self.magnitude);
    }

    pub(crate) fn read(b: &[u8]) -> Self {
        let v = integer_view(b);
        BigInt {
            negative: v.negative,
            magnitude: v.magnitude.to_vec(),
        }
    }
}

impl From<(bool, Vec<u8>)> for BigInt {
    fn from((negative, magnitude): (bool, Vec<u8>)) -> Self {
        BigInt::from_bytes(negative, &magnitude)
    }
}

impl From<BigInt> for (bool, Vec<u8>) {
    fn from(v: BigInt) -> Self {
        (v.negative, v.magnitude)
    }
}

impl From<i128> for BigInt {
    fn from(n: i128) -> Self {
        BigInt::from_bytes(n < 0, &n.unsigned_abs().to_be_bytes())
    }
}

impl From<i64> for BigInt {
    fn from(n: i64) -> Self {
        i128::from(n).into()
    }
}

impl fmt::Display for BigInt {
    /// Decimal, in less time than the square of the number's size.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = super::decimal::decimal(&self.magnitude);
        f.pad_integral(!self.negative, "", &text)
    }
}

/// A floating-point number of any precision: 0.mantissa × 2^exponent. Its default
/// is the zero that takes no bytes: positive, of no precision, rounding to even.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "FloatParts", into = "FloatParts"))]
pub struct BigFloat {
    precision: u32,
    form: u8,
    exponent: i32,
    mantissa: Vec<u8>,
}

impl BigFloat {
    /// A number of these parts, as [`FloatView`] describes them.
    ///
    /// # Errors
    /// The code of what is wrong with them.
    pub fn from_parts(v: FloatView<'_>) -> Result<Self, Code> {
        let FloatView {
            precision,
            form,
            exponent,
            mantissa,
        } = v;
        let float = BigFloat {
            precision,
            form,
            exponent,
            mantissa: mantissa.to_vec(),
        };
        check_float(&float.to_bytes())?;
        Ok(float)
    }

    /// Its parts.
    pub fn parts(&self) -> FloatView<'_> {
        FloatView {
            precision: self.precision,
            form: self.form,
            exponent: self.exponent,
            mantissa: &self.mantissa,
        }
    }

    /// Its bytes on the wire.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut b = Vec::with_capacity(FLOAT_HEAD + self.mantissa.len());
        b.extend_from_slice(&self.precision.to_le_bytes());
        b.push(self.form);
        b.extend_from_slice(&self.exponent.to_le_bytes());
        b.extend_from_slice(&self.mantissa);
        b
    }

    pub(crate) fn read(b: &[u8]) -> Self {
        let FloatView {
            precision,
            form,
            exponent,
            mantissa,
        } = float_view(b);
        BigFloat {
            precision,
            form,
            exponent,
            mantissa: mantissa.to_vec(),
        }
    }
}

/// Precision, form, exponent, mantissa: as [`FloatView`] describes them.
type FloatParts = (u32, u8, i32, Vec<u8>);

impl TryFrom<FloatParts> for BigFloat {
    type Error = Code;

    fn try_from(parts: FloatParts) -> Result<Self, Code> {
        let (precision, form, exponent, mantissa) = parts;
        BigFloat::from_parts(FloatView {
            precision,
            form,
            exponent,
            mantissa: &mantissa,
        })
    }
}

impl From<BigFloat> for FloatParts {
    fn from(v: BigFloat) -> Self {
        (v.precision, v.form, v.exponent, v.mantissa)
    }
}

impl TryFrom<f64> for BigFloat {
    type Error = Code;

    /// The number with 53 bits of precision; NaN has no form.
    fn try_from(x: f64) -> Result<Self, Code> {
        let sign = u8::from(x.is_sign_negative()) << 5;
        let (bits, biased) = (x.to_bits() & ((1 << 52) - 1), x.to_bits() >> 52 & 0x7ff);
        let (form, exponent, mantissa) = match (biased, bits) {
            (0x7ff, 0) => (2 << 3, 0, 0),
            (0x7ff, _) => return Err(Code::Domain),
            (0, 0) => (0, 0, 0),
            (0, bits) => {
                let zeros = bits.leading_zeros();
                (1 << 3, -1010 - zeros as i32, bits << zeros)
            }
            (biased, bits) => (1 << 3, biased as i32 - 1022, (1 << 52 | bits) << 11),
        };
        let mut mantissa = mantissa.to_be_bytes().to_vec();
        while mantissa.last() == Some(&0) {
            mantissa.pop();
        }
        Ok(BigFloat {
            precision: 53,
            form: form | sign,
            exponent,
            mantissa,
        })
    }
}

/// `unscaled` × 10^−`scale`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Decimal {
    /// Within ±10,000.
    pub scale: i16,
    /// Of at most 4,096 bytes.
    pub unscaled: BigInt,
}

impl Decimal {
    pub(crate) fn append(&self, e: &mut Encoder<'_>) -> Result<()> {
        let from = e.len();
        e.bytes(&self.scale.to_le_bytes());
        self.unscaled.append(e);
        Ok(check_decimal(e.since(from))?)
    }

    pub(crate) fn read(b: &[u8]) -> Self {
        Decimal {
            scale: wire::u16(b) as i16,
            unscaled: BigInt::read(wire::rest(b, 2)),
        }
    }
}

impl Codec for Integer {
    type Value = BigInt;
    const COST: u64 = SLOT;

    fn zero() -> BigInt {
        BigInt::default()
    }

    fn put(v: &BigInt, e: &mut Encoder<'_>, _: u32) -> Result<()> {
        if !v.is_zero() {
            v.append(e);
        }
        Ok(())
    }

    fn get(b: &[u8], d: &mut Decoder, left: u32) -> Result<BigInt> {
        if !b.is_empty() {
            Self::check(b, d.walk(left))?;
        }
        Ok(BigInt::read(b))
    }
}

impl Codec for PtrInteger {
    type Value = Option<BigInt>;
    const COST: u64 = SLOT;

    fn zero() -> Self::Value {
        None
    }

    fn put(v: &Self::Value, e: &mut Encoder<'_>, _: u32) -> Result<()> {
        if let Some(v) = v {
            v.append(e);
        }
        Ok(())
    }

    fn get(b: &[u8], d: &mut Decoder, left: u32) -> Result<Self::Value> {
        if b.is_empty() {
            return Ok(None);
        }
        Self::check(b, d.walk(left))?;
        Ok(Some(BigInt::read(b)))
    }
}

impl Codec for Float {
    type Value = BigFloat;
    const COST: u64 = SLOT;

    fn zero() -> BigFloat {
        BigFloat::default()
    }

    fn put(v: &BigFloat, e: &mut Encoder<'_>, _: u32) -> Result<()> {
        if *v != BigFloat::default() {
            e.bytes(&v.to_bytes());
        }
        Ok(())
    }

    fn get(b: &[u8], d: &mut Decoder, left: u32) -> Result<BigFloat> {
        if !b.is_empty() {
            Self::check(b, d.walk(left))?;
        }
        Ok(BigFloat::read(b))
    }
}

impl Codec for PtrFloat {
    type Value = Option<BigFloat>;
    const COST: u64 = SLOT;

    fn zero() -> Self::Value {
        None
    }

    fn put(v: &Self::Value, e: &mut Encoder<'_>, _: u32) -> Result<()> {
        if let Some(v) = v {
            e.bytes(&v.to_bytes());
        }
        Ok(())
    }

    fn get(b: &[u8], d: &mut Decoder, left: u32) -> Result<Self::Value> {
        if b.is_empty() {
            return Ok(None);
        }
        Self::check(b, d.walk(left))?;
        Ok(Some(BigFloat::read(b)))
    }
}
