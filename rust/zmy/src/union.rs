//! Unions: one of several structs, by number.

use crate::form::{Form, Struct};
use crate::layout::Layout;
use crate::wire;
use crate::{Code, Fault, Result};
use core::marker::PhantomData;

/// A union; empty for none.
pub struct Union<U>(PhantomData<U>);

/// The arms of a union. Generated code implements it.
pub trait Arms {
    /// An arm in place.
    type View<'a>;
    /// Checks the slot of arm `disc`, which is not empty.
    fn check(disc: u16, b: &[u8], left: u32) -> Result<()>;
    /// Reads the slot of arm `disc` in place.
    fn view(disc: u16, b: &[u8]) -> Self::View<'_>;
}

/// Splits the slot into the number of the arm and its slot.
fn open(b: &[u8]) -> Result<(u16, &[u8])> {
    match b.split_first_chunk() {
        Some((&[0, 0], _)) => Err(Code::Domain.into()),
        Some((disc, arm)) => Ok((u16::from_le_bytes(*disc), arm)),
        None => Err(Fault::new(Code::Truncated, b.len())),
    }
}

/// Checks the slot of an arm.
pub fn check_arm<T: Layout>(b: &[u8], left: u32) -> Result<()> {
    Struct::<T>::check(b, left)
}

/// Reads the slot of an arm in place.
pub fn view_arm<T: Layout>(b: &[u8]) -> T::View<'_> {
    Struct::<T>::view(b)
}

impl<U: Arms> Form for Union<U> {
    type View<'a> = Option<U::View<'a>>;

    fn check(b: &[u8], left: u32) -> Result<()> {
        let (disc, arm) = open(b)?;
        if arm.is_empty() {
            return Ok(());
        }
        U::check(disc, arm, left).map_err(|f| f.shift(2))
    }

    fn view(b: &[u8]) -> Self::View<'_> {
        (b.len() >= 2).then(|| U::view(wire::u16(b), wire::rest(b, 2)))
    }
}

#[cfg(feature = "alloc")]
pub use owned::{get_arm, get_unknown_arm, put_arm, put_unknown_arm, ArmsCodec, UnknownArm};

#[cfg(feature = "alloc")]
mod owned {
    use super::*;
    use crate::codec::{Codec, Record, SLOT};
    use crate::decoder::Decoder;
    use crate::encoder::Encoder;
    use alloc::vec::Vec;

    /// An arm of a union that this program does not know, carried unchanged.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub struct UnknownArm {
        /// Its number.
        pub number: u16,
        /// Its slot.
        pub slot: Vec<u8>,
    }

    /// The arms of a union that can be owned. Generated code implements it.
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

    /// Appends an arm that is none of those `known`.
    pub fn put_unknown_arm(v: &UnknownArm, known: &[u16], e: &mut Encoder<'_>) -> Result<()> {
        if v.number == 0 || known.contains(&v.number) {
            return Err(Code::Domain.into());
        }
        e.bytes(&v.number.to_le_bytes());
        e.bytes(&v.slot);
        Ok(())
    }

    /// Reads the slot of an arm.
    pub fn get_arm<T: Record>(b: &[u8], d: &mut Decoder, left: u32) -> Result<T> {
        d.charge(1, T::COST)?;
        Struct::<T>::get(b, d, left).map_err(|f| f.shift(2))
    }

    /// Keeps the slot of an arm that is not known.
    pub fn get_unknown_arm(number: u16, b: &[u8], d: &mut Decoder) -> Result<UnknownArm> {
        d.charge(1, SLOT)?;
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
            let (disc, arm) = open(b)?;
            U::get(disc, arm, d, left).map(Some)
        }
    }
}
