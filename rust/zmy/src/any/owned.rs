//! Owned values of any kind.

use super::*;
use crate::codec::Codec;
use crate::decoder::Decoder;
use crate::encoder::Encoder;
use crate::vecmap;
use crate::{BigFloat, BigInt, Complex, Decimal, DecodeError, DecodeOptions, Fault};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

/// A value of any kind.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Value {
    /// No value.
    #[default]
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// An integer; one that fits i64 is read back as [`Value::Int`].
    Uint(u64),
    /// A float of 64 bits.
    Float64(f64),
    /// A string.
    String(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// A time.
    Time(Time),
    /// A list.
    List(Vec<Value>),
    /// A map.
    Map(vecmap::Map<String, Value>),
    /// A struct. Its type is not known here, so its slot is carried.
    Struct {
        /// The lineage id of its type.
        lineage: u64,
        /// Its slot.
        slot: Vec<u8>,
    },
    /// A duration.
    Duration(Duration),
    /// A decimal.
    Decimal(Decimal),
    /// An integer of any size.
    BigInt(BigInt),
    /// A float of any precision.
    BigFloat(BigFloat),
    /// JSON that is not parsed.
    RawJson(Vec<u8>),
    /// A float of 32 bits.
    Float32(f32),
    /// A complex number of two floats of 32 bits.
    Complex64(Complex<f32>),
    /// A complex number of two floats of 64 bits.
    Complex128(Complex<f64>),
    /// A number as text.
    Number(String),
    /// A list of booleans.
    Bools(Vec<bool>),
    /// A list of integers of 8 bits.
    Int8s(Vec<i8>),
    /// A list of integers of 16 bits.
    Int16s(Vec<i16>),
    /// A list of integers of 32 bits.
    Int32s(Vec<i32>),
    /// A list of integers of 64 bits.
    Int64s(Vec<i64>),
    /// A list of unsigned integers of 16 bits.
    Uint16s(Vec<u16>),
    /// A list of unsigned integers of 32 bits.
    Uint32s(Vec<u32>),
    /// A list of unsigned integers of 64 bits.
    Uint64s(Vec<u64>),
    /// A list of floats of 32 bits.
    Float32s(Vec<f32>),
    /// A list of floats of 64 bits.
    Float64s(Vec<f64>),
    /// A list of times.
    Times(Vec<Time>),
    /// A list of durations.
    Durations(Vec<Duration>),
    /// A list of strings.
    Strings(Vec<String>),
    /// A map from strings to strings.
    StringMap(vecmap::Map<String, String>),
    /// A value of a kind that this version does not know, carried unchanged.
    Unknown {
        /// Its kind.
        kind: u8,
        /// The bytes behind the kind.
        payload: Vec<u8>,
    },
}

impl AnyView<'_> {
    /// The value, in memory of its own.
    ///
    /// # Errors
    /// The first fault of the bytes, if the view was not verified; `BUDGET`, if the value would
    /// take more than the default.
    pub fn to_value(&self) -> Result<Value, DecodeError> {
        let o = DecodeOptions::default();
        let mut d = Decoder::new(o.budget(o.message()), false, self.0.len());
        // Any::get takes a level for the struct around a value, which is not here.
        let value = Any::get(self.0, &mut d, o.depth().saturating_add(1));
        value.map_err(|f| DecodeError::new("any", f))
    }
}

fn put_fixed<F: Fixed>(kind: u8, v: &F::Value, e: &mut Encoder<'_>) -> Result<()> {
    e.bytes(&[kind]);
    e.fixed::<F>(v)
}

fn put_slot<F: Codec>(kind: u8, v: &F::Value, e: &mut Encoder<'_>, left: u32) -> Result<()> {
    e.bytes(&[kind]);
    F::put(v, e, left)
}

fn put_bytes(kind: u8, v: &[u8], e: &mut Encoder<'_>) -> Result<()> {
    e.bytes(&[kind]);
    e.bytes(v);
    Ok(())
}

/// Appends an integer in the smallest kind that holds it: the only encoding of its value.
fn put_int(n: i64, e: &mut Encoder<'_>) -> Result<()> {
    if let Ok(n) = i8::try_from(n) {
        return put_fixed::<i8>(kind::INT8, &n, e);
    }
    if let Ok(n) = i16::try_from(n) {
        return put_fixed::<i16>(kind::INT16, &n, e);
    }
    match i32::try_from(n) {
        Ok(n) => put_fixed::<i32>(kind::INT32, &n, e),
        Err(_) => put_fixed::<i64>(kind::INT64, &n, e),
    }
}

fn put_packed<F: Fixed>(kind: u8, v: &Vec<F::Value>, e: &mut Encoder<'_>) -> Result<()> {
    put_slot::<List<Packed<F>>>(kind, v, e, 1)
}

/// Reads a packed list, whose payload has been checked.
fn packed<F: Fixed>(p: &[u8], d: &mut Decoder) -> Result<Vec<F::Value>> {
    d.charge(p.len() / F::SIZE, F::SIZE as u64, size_of::<F::Value>())?;
    Ok(p.chunks_exact(F::SIZE).map(F::load).collect())
}

impl Codec for Any {
    type Value = Value;
    const COST: u64 = 32;

    fn zero() -> Value {
        Value::Null
    }

    fn put(v: &Value, e: &mut Encoder<'_>, left: u32) -> Result<()> {
        let left = left.saturating_sub(1);
        if left == 0 && *v != Value::Null {
            return Err(Code::Depth.into());
        }
        match v {
            Value::Null => Ok(()),
            Value::Bool(v) => put_bytes(if *v { kind::TRUE } else { kind::FALSE }, &[], e),
            Value::Int(v) => put_int(*v, e),
            Value::Uint(v) => match i64::try_from(*v) {
                Ok(v) => put_int(v, e),
                Err(_) => put_fixed::<u64>(kind::UINT64, v, e),
            },
            Value::Float64(v) => put_fixed::<f64>(kind::FLOAT64, v, e),
            Value::String(v) => put_bytes(kind::STRING, v.as_bytes(), e),
            Value::Bytes(v) => put_bytes(kind::BYTES, v, e),
            Value::Time(v) => put_fixed::<Time>(kind::TIME, v, e),
            Value::List(v) => put_slot::<List<Slots<Any>>>(kind::LIST, v, e, left),
            Value::Map(v) => put_slot::<Map<Text, Slots<Any>>>(kind::MAP, v, e, left),
            Value::Struct { lineage, slot } => {
                put_fixed::<u64>(kind::STRUCT, lineage, e)?;
                e.bytes(slot);
                Ok(())
            }
            Value::Duration(v) => put_fixed::<Duration>(kind::DURATION, v, e),
            Value::Decimal(v) => {
                e.bytes(&[kind::DECIMAL]);
                v.append(e)
            }
            Value::BigInt(v) => {
                e.bytes(&[kind::BIG_INT]);
                v.append(e);
                Ok(())
            }
            Value::BigFloat(v) => put_bytes(kind::BIG_FLOAT, &v.to_bytes(), e),
            Value::RawJson(v) => put_bytes(kind::RAW_JSON, v, e),
            Value::Float32(v) => put_fixed::<f32>(kind::FLOAT32, v, e),
            Value::Complex64(v) => put_fixed::<Complex<f32>>(kind::COMPLEX64, v, e),
            Value::Complex128(v) => put_fixed::<Complex<f64>>(kind::COMPLEX128, v, e),
            Value::Number(v) => put_bytes(kind::NUMBER, v.as_bytes(), e),
            Value::Bools(v) => put_packed::<bool>(kind::BOOLS, v, e),
            Value::Int8s(v) => put_packed::<i8>(kind::INT8S, v, e),
            Value::Int16s(v) => put_packed::<i16>(kind::INT16S, v, e),
            Value::Int32s(v) => put_packed::<i32>(kind::INT32S, v, e),
            Value::Int64s(v) => put_packed::<i64>(kind::INT64S, v, e),
            Value::Uint16s(v) => put_packed::<u16>(kind::UINT16S, v, e),
            Value::Uint32s(v) => put_packed::<u32>(kind::UINT32S, v, e),
            Value::Uint64s(v) => put_packed::<u64>(kind::UINT64S, v, e),
            Value::Float32s(v) => put_packed::<f32>(kind::FLOAT32S, v, e),
            Value::Float64s(v) => put_packed::<f64>(kind::FLOAT64S, v, e),
            Value::Times(v) => put_packed::<Time>(kind::TIMES, v, e),
            Value::Durations(v) => put_packed::<Duration>(kind::DURATIONS, v, e),
            Value::Strings(v) => put_slot::<List<Texts>>(kind::STRINGS, v, e, left),
            Value::StringMap(v) => put_slot::<Map<Text, Texts>>(kind::STRING_MAP, v, e, left),
            Value::Unknown { kind, payload } => match shape(*kind) {
                Shape::Unknown if *kind != 0 => put_bytes(*kind, payload, e),
                _ => Err(Code::Domain.into()),
            },
        }
    }

    fn get(b: &[u8], d: &mut Decoder, left: u32) -> Result<Value> {
        if b.is_empty() {
            return Ok(Value::Null);
        }
        let (kind, p, left) = open(b, left)?;
        let inside = |f: Fault| f.shift(1);
        Ok(match kind {
            kind::FALSE => Value::Bool(false),
            kind::TRUE => Value::Bool(true),
            kind::INT8 => Value::Int(i8::load(p).into()),
            kind::INT16 => Value::Int(i16::load(p).into()),
            kind::INT32 => Value::Int(i32::load(p).into()),
            kind::INT64 => Value::Int(i64::load(p)),
            kind::UINT64 => Value::Uint(u64::load(p)),
            kind::FLOAT64 => Value::Float64(f64::load(p)),
            kind::STRING => Value::String(Text::view(p).to_owned()),
            kind::BYTES => Value::Bytes(p.to_vec()),
            kind::TIME => Value::Time(Time::load(p)),
            kind::LIST => Value::List(List::<Slots<Any>>::get(p, d, left).map_err(inside)?),
            kind::MAP => Value::Map(Map::<Text, Slots<Any>>::get(p, d, left).map_err(inside)?),
            kind::STRUCT => Value::Struct {
                lineage: u64::load(p),
                slot: wire::rest(p, 8).to_vec(),
            },
            kind::DURATION => Value::Duration(Duration::load(p)),
            kind::DECIMAL => Value::Decimal(Decimal::read(p)),
            kind::BIG_INT => Value::BigInt(BigInt::read(p)),
            kind::BIG_FLOAT => Value::BigFloat(BigFloat::read(p)),
            kind::RAW_JSON => Value::RawJson(p.to_vec()),
            kind::FLOAT32 => Value::Float32(f32::load(p)),
            kind::COMPLEX64 => Value::Complex64(Complex::<f32>::load(p)),
            kind::COMPLEX128 => Value::Complex128(Complex::<f64>::load(p)),
            kind::NUMBER => Value::Number(Text::view(p).to_owned()),
            kind::BOOLS => Value::Bools(packed::<bool>(p, d)?),
            kind::INT8S => Value::Int8s(packed::<i8>(p, d)?),
            kind::INT16S => Value::Int16s(packed::<i16>(p, d)?),
            kind::INT32S => Value::Int32s(packed::<i32>(p, d)?),
            kind::INT64S => Value::Int64s(packed::<i64>(p, d)?),
            kind::UINT16S => Value::Uint16s(packed::<u16>(p, d)?),
            kind::UINT32S => Value::Uint32s(packed::<u32>(p, d)?),
            kind::UINT64S => Value::Uint64s(packed::<u64>(p, d)?),
            kind::FLOAT32S => Value::Float32s(packed::<f32>(p, d)?),
            kind::FLOAT64S => Value::Float64s(packed::<f64>(p, d)?),
            kind::TIMES => Value::Times(packed::<Time>(p, d)?),
            kind::DURATIONS => Value::Durations(packed::<Duration>(p, d)?),
            kind::STRINGS => Value::Strings(List::<Texts>::get(p, d, left).map_err(inside)?),
            kind::STRING_MAP => {
                Value::StringMap(Map::<Text, Texts>::get(p, d, left).map_err(inside)?)
            }
            kind => Value::Unknown {
                kind,
                payload: p.to_vec(),
            },
        })
    }
}

impl From<bool> for Value {
    fn from(v: bool) -> Self {
        Value::Bool(v)
    }
}

impl From<i64> for Value {
    fn from(v: i64) -> Self {
        Value::Int(v)
    }
}

impl From<f64> for Value {
    fn from(v: f64) -> Self {
        Value::Float64(v)
    }
}

impl From<&str> for Value {
    fn from(v: &str) -> Self {
        Value::String(v.to_owned())
    }
}

impl From<String> for Value {
    fn from(v: String) -> Self {
        Value::String(v)
    }
}
