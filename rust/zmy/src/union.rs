//! Unions: one of several structs, each under a number.

use crate::form::Form;
use crate::layout::{Layout, Struct};
use crate::limits::Walk;
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
    fn check(disc: u16, b: &[u8], walk: Walk) -> Result<()>;
    /// Reads the slot of arm `disc` in place.
    fn view(disc: u16, b: &[u8]) -> Self::View<'_>;
}

/// Splits the slot into the number of the arm and its slot. 0 is no arm: the absent union is an
/// empty slot.
fn open(b: &[u8]) -> Result<(u16, &[u8])> {
    match b.split_first_chunk() {
        Some((&[0, 0], _)) => Err(Code::Domain.into()),
        Some((disc, arm)) => Ok((u16::from_le_bytes(*disc), arm)),
        None => Err(Fault::new(Code::Truncated, b.len())),
    }
}

/// Checks the slot of an arm.
pub fn check_arm<T: Layout>(b: &[u8], walk: Walk) -> Result<()> {
    Struct::<T>::check(b, walk)
}

/// Reads the slot of an arm in place.
pub fn view_arm<T: Layout>(b: &[u8]) -> T::View<'_> {
    Struct::<T>::view(b)
}

impl<U: Arms> Form for Union<U> {
    type View<'a> = Option<U::View<'a>>;

    fn check(b: &[u8], walk: Walk) -> Result<()> {
        let (disc, arm) = open(b)?;
        if arm.is_empty() {
            return Ok(());
        }
        U::check(disc, arm, walk).map_err(|f| f.shift(2))
    }

    fn view(b: &[u8]) -> Self::View<'_> {
        (b.len() >= 2).then(|| U::view(wire::u16(b), wire::rest(b, 2)))
    }
}

#[cfg(feature = "alloc")]
pub use owned::{get_arm, get_unknown_arm, put_arm, put_unknown_arm, ArmsCodec, UnknownArm};

#[cfg(feature = "alloc")]
mod owned;
