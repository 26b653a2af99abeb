//! Forms of owned values: encoding and decoding.

use crate::decoder::{Decoder, SLOT};
use crate::encoder::Encoder;
use crate::form::{present, Blob, Boxed, Form, Long, Nilable, Opt, PtrBoxed, PtrFixed, Text};
use crate::layout::{Layout, Ptr, Struct};
use crate::section::head;
use crate::wire::{self, HEAD};
use crate::{Code, Fixed, Result};
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// Fails to compile if an empty slot takes much more memory than its units, of two bytes each,
/// allow. The generator boxes larger values.
pub(crate) const fn small<T>() {
    assert!(size_of::<T>() as u64 <= 3 * SLOT);
}

/// A form with owned values.
pub trait Codec: Form {
    /// The value in Rust.
    type Value;
    /// The units of the budget that a value takes, without what it points to.
    const COST: u64;

    /// The zero value, which is an empty slot.
    fn zero() -> Self::Value;
    /// Appends the content of a slot: nothing for the zero value. `left` is the depth that the
    /// struct around it has left.
    fn put(v: &Self::Value, e: &mut Encoder<'_>, left: u32) -> Result<()>;
    /// Whether values are flat: then their messages are written as the module flat describes.
    const FLAT: bool = false;
    /// The most bytes that the slot of a flat value takes in a narrow message.
    #[inline(always)]
    fn room(_: &Self::Value) -> usize {
        0
    }
    /// Writes the slot of a flat value to the start of `x`. It returns the rest of `x`, or None if
    /// it gives up.
    #[inline(always)]
    fn write<'x>(_: &Self::Value, _x: &'x mut [u8], _left: u32) -> Option<&'x mut [u8]> {
        None
    }

    /// Reads the content of a slot.
    fn get(b: &[u8], d: &mut Decoder, left: u32) -> Result<Self::Value>;
}

/// A type of structs with owned values. Generated code implements it.
pub trait Record: Layout + Sized + Default {
    /// The units of the budget that a value takes, without what it points to.
    const COST: u64;
    /// Whether a value carries the parts of newer versions that the type does not know.
    const KEEPS: bool;

    /// The header of the struct when it is written: that of its type, or of the newer version whose
    /// parts it carries.
    #[inline(always)]
    fn header(&self) -> u32 {
        Self::HEAD
    }
    /// Appends the struct with header `h`. The header itself is appended if `own` is set: elements
    /// of a list share one.
    fn put(&self, e: &mut Encoder<'_>, h: u32, own: bool, left: u32) -> Result<()>;
    /// Whether values are flat, as [`Codec::FLAT`].
    const FLAT: bool = false;
    /// The most bytes that a flat struct takes without its header, in a narrow message.
    #[inline(always)]
    fn room(&self) -> usize {
        0
    }
    /// Writes a flat struct without its header, as [`Codec::write`] does. The header takes `head`
    /// bytes before `x`: 4, or 0 in a list, whose elements share one.
    #[inline(always)]
    fn write<'x>(&self, _x: &'x mut [u8], _head: usize, _left: u32) -> Option<&'x mut [u8]> {
        None
    }
    /// Reads the struct, which is given as to [`Layout::check`].
    fn get(b: &[u8], h: u32, head: usize, d: &mut Decoder, left: u32) -> Result<Self>;
}

impl Codec for Text {
    type Value = String;
    const COST: u64 = SLOT;
    const FLAT: bool = true;

    #[inline(always)]
    fn room(v: &String) -> usize {
        v.len()
    }

    #[inline(always)]
    fn write<'x>(v: &String, x: &'x mut [u8], _: u32) -> Option<&'x mut [u8]> {
        wire::copy(v.as_bytes(), x)
    }

    fn zero() -> String {
        String::new()
    }

    #[inline(always)]
    fn put(v: &String, e: &mut Encoder<'_>, _: u32) -> Result<()> {
        e.bytes(v.as_bytes());
        Ok(())
    }

    #[inline(always)]
    fn get(b: &[u8], _: &mut Decoder, _: u32) -> Result<String> {
        match core::str::from_utf8(b) {
            Ok(s) => Ok(s.to_owned()),
            Err(_) => Err(Code::Utf8.into()),
        }
    }
}

impl Codec for Blob {
    type Value = Vec<u8>;
    const COST: u64 = SLOT;
    const FLAT: bool = true;

    #[inline(always)]
    fn room(v: &Vec<u8>) -> usize {
        v.len()
    }

    #[inline(always)]
    fn write<'x>(v: &Vec<u8>, x: &'x mut [u8], _: u32) -> Option<&'x mut [u8]> {
        wire::copy(v, x)
    }

    fn zero() -> Vec<u8> {
        Vec::new()
    }

    #[inline(always)]
    fn put(v: &Vec<u8>, e: &mut Encoder<'_>, _: u32) -> Result<()> {
        e.bytes(v);
        Ok(())
    }

    #[inline(always)]
    fn get(b: &[u8], _: &mut Decoder, _: u32) -> Result<Vec<u8>> {
        Ok(b.to_vec())
    }
}

impl<F: Fixed> Codec for Long<F> {
    type Value = F::Value;
    const COST: u64 = F::SIZE as u64;

    fn zero() -> F::Value {
        F::load(&[])
    }

    fn put(v: &F::Value, e: &mut Encoder<'_>, _: u32) -> Result<()> {
        let from = e.len();
        e.fixed::<F>(v)?;
        if wire::is_zero(e.since(from)) {
            e.truncate(from);
        }
        Ok(())
    }

    fn get(b: &[u8], d: &mut Decoder, left: u32) -> Result<F::Value> {
        if !b.is_empty() {
            Self::check(b, d.walk(left))?;
        }
        Ok(F::load(b))
    }
}

impl<T: Record> Codec for Struct<T> {
    type Value = T;
    const COST: u64 = T::COST;

    fn zero() -> T {
        T::default()
    }

    fn put(v: &T, e: &mut Encoder<'_>, left: u32) -> Result<()> {
        let from = e.len();
        v.put(e, v.header(), true, left.saturating_sub(1))?;
        if wire::is_zero_struct(e.since(from)) {
            e.truncate(from);
        }
        Ok(())
    }

    fn get(b: &[u8], d: &mut Decoder, left: u32) -> Result<T> {
        if b.is_empty() {
            return Ok(T::default());
        }
        let v = T::get(b, head(b)?, HEAD, d, left.saturating_sub(1))?;
        if wire::is_zero_struct(b) {
            return Err(Code::Zero.into());
        }
        Ok(v)
    }
}

impl<T: Record> Codec for Ptr<T> {
    type Value = Option<Box<T>>;
    const COST: u64 = SLOT;

    fn zero() -> Self::Value {
        None
    }

    fn put(v: &Self::Value, e: &mut Encoder<'_>, left: u32) -> Result<()> {
        match v {
            Some(v) => v.put(e, v.header(), true, left.saturating_sub(1)),
            None => Ok(()),
        }
    }

    fn get(b: &[u8], d: &mut Decoder, left: u32) -> Result<Self::Value> {
        if b.is_empty() {
            return Ok(None);
        }
        let h = head(b)?;
        d.charge(1, T::COST, size_of::<T>())?;
        Ok(Some(Box::new(T::get(
            b,
            h,
            HEAD,
            d,
            left.saturating_sub(1),
        )?)))
    }
}

/// Reads the value of fixed size behind a pointer, which takes `mem` bytes of memory.
#[inline]
fn target<F: Fixed>(b: &[u8], d: &mut Decoder, mem: usize) -> Result<F::Value> {
    if b.len() != F::SIZE {
        return Err(Code::Length.into());
    }
    d.charge(1, F::SIZE as u64, mem)?;
    F::get(b)
}

impl<F: Fixed> Codec for PtrFixed<F> {
    type Value = Option<F::Value>;
    const COST: u64 = SLOT;

    fn zero() -> Self::Value {
        None
    }

    fn put(v: &Self::Value, e: &mut Encoder<'_>, _: u32) -> Result<()> {
        match v {
            Some(v) => e.fixed::<F>(v),
            None => Ok(()),
        }
    }

    fn get(b: &[u8], d: &mut Decoder, _: u32) -> Result<Self::Value> {
        const { small::<Self::Value>() };
        if b.is_empty() {
            return Ok(None);
        }
        target::<F>(b, d, 0).map(Some)
    }
}

impl<F: Fixed> Codec for PtrBoxed<F> {
    type Value = Option<Box<F::Value>>;
    const COST: u64 = SLOT;

    fn zero() -> Self::Value {
        None
    }

    fn put(v: &Self::Value, e: &mut Encoder<'_>, _: u32) -> Result<()> {
        match v {
            Some(v) => e.fixed::<F>(v),
            None => Ok(()),
        }
    }

    fn get(b: &[u8], d: &mut Decoder, _: u32) -> Result<Self::Value> {
        if b.is_empty() {
            return Ok(None);
        }
        target::<F>(b, d, size_of::<F::Value>()).map(|v| Some(Box::new(v)))
    }
}

impl<F: Codec> Codec for Opt<F> {
    type Value = Option<F::Value>;
    const COST: u64 = SLOT;

    fn zero() -> Self::Value {
        None
    }

    fn put(v: &Self::Value, e: &mut Encoder<'_>, left: u32) -> Result<()> {
        match v {
            Some(v) => {
                e.bytes(&[1]);
                F::put(v, e, left)
            }
            None => Ok(()),
        }
    }

    fn get(b: &[u8], d: &mut Decoder, left: u32) -> Result<Self::Value> {
        if b.is_empty() {
            return Ok(None);
        }
        let content = present(b)?;
        match d
            .charge(1, F::COST, 0)
            .and_then(|()| F::get(content, d, left))
        {
            Ok(v) => Ok(Some(v)),
            Err(f) => Err(f.shift(1)),
        }
    }
}

impl<F: Codec> Codec for Nilable<F> {
    type Value = Option<F::Value>;
    const COST: u64 = SLOT;

    fn zero() -> Self::Value {
        None
    }

    fn put(v: &Self::Value, e: &mut Encoder<'_>, left: u32) -> Result<()> {
        Opt::<F>::put(v, e, left)
    }

    fn get(b: &[u8], d: &mut Decoder, left: u32) -> Result<Self::Value> {
        if b.is_empty() {
            return Ok(None);
        }
        F::get(present(b)?, d, left)
            .map(Some)
            .map_err(|f| f.shift(1))
    }
}

impl<F: Codec> Codec for Boxed<F> {
    type Value = Box<F::Value>;
    const COST: u64 = F::COST;

    fn zero() -> Self::Value {
        Box::new(F::zero())
    }

    fn put(v: &Self::Value, e: &mut Encoder<'_>, left: u32) -> Result<()> {
        F::put(v, e, left)
    }

    fn get(b: &[u8], d: &mut Decoder, left: u32) -> Result<Self::Value> {
        // The slot's units were charged with the value around it, but not the memory in the box.
        let more = (size_of::<F::Value>() as u64).saturating_sub(2 * F::COST);
        d.charge(1, 0, more as usize)?;
        F::get(b, d, left).map(Box::new)
    }
}
