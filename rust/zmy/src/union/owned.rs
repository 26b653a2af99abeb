//! Owned values of unions.

use super::*;
use crate::codec::{small, Codec, Record};
use crate::decoder::{Decoder, SLOT};
use crate::encoder::Encoder;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// An arm of a union that this program does not know, carried unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct UnknownArm {
    /// Its number.
    pub number: u16,
    /// Its slot.
    pub slot: Vec<u8>,
}

/// The arms of a union with owned values. Generated code implements it.
pub trait ArmsCodec: Arms + Sized {
    /// Appends number and slot of the arm.
    fn put(&self, e: &mut Encoder<'_>, left: u32) -> Result<()>;
    /// Reads the slot of arm `disc`.
    fn get(disc: u16, b: &[u8], d: &mut Decoder, left: u32) -> Result<Self>;
}

/// Appends the arm `disc`.
pub fn put_arm<T: Record>(disc: u16, v: &T, e: &mut Encoder<'_>, left: u32) -> Result<()> {
    e.bytes(&disc.to_le_bytes());
    Struct::<T>::put(v, e, left)
}

/// Appends an arm that this program does not know. One that is known must be a value of its type,
/// or a value would have two encodings.
pub fn put_unknown_arm(v: &UnknownArm, known: &[u16], e: &mut Encoder<'_>) -> Result<()> {
    if v.number == 0 || known.contains(&v.number) {
        return Err(Code::Domain.into());
    }
    e.bytes(&v.number.to_le_bytes());
    e.bytes(&v.slot);
    Ok(())
}

/// Reads the slot of an arm into a box.
pub fn get_arm<T: Record>(b: &[u8], d: &mut Decoder, left: u32) -> Result<Box<T>> {
    d.charge(1, T::COST, size_of::<T>())?;
    match Struct::<T>::get(b, d, left) {
        Ok(v) => Ok(Box::new(v)),
        Err(f) => Err(f.shift(2)),
    }
}

/// Copies the slot of an arm that is not known.
pub fn get_unknown_arm(number: u16, b: &[u8], d: &mut Decoder) -> Result<UnknownArm> {
    d.charge(1, SLOT, 0)?;
    Ok(UnknownArm {
        number,
        slot: b.to_vec(),
    })
}

impl<U: ArmsCodec> Codec for Union<U> {
    type Value = Option<U>;
    const COST: u64 = SLOT;

    fn zero() -> Option<U> {
        None
    }

    fn put(v: &Option<U>, e: &mut Encoder<'_>, left: u32) -> Result<()> {
        match v {
            Some(v) => v.put(e, left),
            None => Ok(()),
        }
    }

    fn get(b: &[u8], d: &mut Decoder, left: u32) -> Result<Option<U>> {
        if b.is_empty() {
            return Ok(None);
        }
        const { small::<Self::Value>() };
        let (disc, arm) = open(b)?;
        U::get(disc, arm, d, left).map(Some)
    }
}
