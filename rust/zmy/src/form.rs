//! Forms: encodings of values in slots. Generated code names a form for each field, and the code of
//! a form is written once. Structs have theirs in `layout`; lists, maps, unions and others have
//! modules of their own.

use crate::limits::Walk;
use crate::text;
use crate::wire;
use crate::{Code, Fixed, Result};
use core::marker::PhantomData;

/// The form of a slot, for reading it in place. `codec` has what owned values need.
pub trait Form {
    /// The type that reads a value in place.
    type View<'a>;
    /// Checks the content of a slot, which is not empty. `walk` has the limits of the struct around
    /// it.
    fn check(b: &[u8], walk: Walk) -> Result<()>;
    /// Reads the slot in place: the zero value if it is empty, some value if the bytes were not
    /// checked.
    fn view(b: &[u8]) -> Self::View<'_>;
}

/// A string.
pub enum Text {}
/// Bytes, or JSON that is not parsed.
pub enum Blob {}
/// An array of values of fixed size that is too long for the scalars, so that it is a tail: `F` is
/// `[T; N]`.
pub struct Long<F>(PhantomData<F>);
/// A pointer to a value of fixed size.
pub struct PtrFixed<F>(PhantomData<F>);
/// A pointer to a value of fixed size that is kept in a box, so that an absent one takes no more
/// memory than the units of its slot.
pub struct PtrBoxed<F>(PhantomData<F>);
/// A pointer to a string or an array: a byte 1, then the string or the array.
pub struct Opt<F>(PhantomData<F>);
/// A list or a map whose absence differs from an empty one.
pub struct Nilable<F>(PhantomData<F>);
/// A value that is kept in a box, since its type contains itself.
pub struct Boxed<F>(PhantomData<F>);

impl Form for Text {
    type View<'a> = &'a str;

    #[inline]
    fn check(b: &[u8], _: Walk) -> Result<()> {
        if text::is_text(b) {
            return Ok(());
        }
        Err(Code::Utf8.into())
    }

    #[inline]
    fn view(b: &[u8]) -> &str {
        core::str::from_utf8(b).unwrap_or("")
    }
}

impl Form for Blob {
    type View<'a> = &'a [u8];

    #[inline(always)]
    fn check(_: &[u8], _: Walk) -> Result<()> {
        Ok(())
    }

    #[inline(always)]
    fn view(b: &[u8]) -> &[u8] {
        b
    }
}

impl<F: Fixed> Form for Long<F> {
    type View<'a> = F::Value;

    fn check(b: &[u8], _: Walk) -> Result<()> {
        if b.len() != F::SIZE {
            return Err(Code::Length.into());
        }
        F::check(b)?;
        if wire::is_zero(b) {
            return Err(Code::Zero.into());
        }
        Ok(())
    }

    fn view(b: &[u8]) -> F::Value {
        F::load(b)
    }
}

impl<F: Fixed> Form for PtrFixed<F> {
    type View<'a> = Option<F::Value>;

    fn check(b: &[u8], _: Walk) -> Result<()> {
        if b.len() != F::SIZE {
            return Err(Code::Length.into());
        }
        F::check(b)
    }

    fn view(b: &[u8]) -> Option<F::Value> {
        (!b.is_empty()).then(|| F::load(b))
    }
}

impl<F: Fixed> Form for PtrBoxed<F> {
    type View<'a> = Option<F::Value>;

    fn check(b: &[u8], walk: Walk) -> Result<()> {
        PtrFixed::<F>::check(b, walk)
    }

    fn view(b: &[u8]) -> Option<F::Value> {
        PtrFixed::<F>::view(b)
    }
}

/// Returns the content behind the byte 1, which tells an empty value from an absent one.
pub(crate) fn present(b: &[u8]) -> Result<&[u8]> {
    match b.split_first() {
        Some((1, content)) => Ok(content),
        _ => Err(Code::Domain.into()),
    }
}

impl<F: Form> Form for Opt<F> {
    type View<'a> = Option<F::View<'a>>;

    fn check(b: &[u8], walk: Walk) -> Result<()> {
        let content = present(b)?;
        if content.is_empty() {
            return Ok(());
        }
        F::check(content, walk).map_err(|f| f.shift(1))
    }

    fn view(b: &[u8]) -> Self::View<'_> {
        b.split_first().map(|(_, content)| F::view(content))
    }
}

impl<F: Form> Form for Nilable<F> {
    type View<'a> = Option<F::View<'a>>;

    fn check(b: &[u8], walk: Walk) -> Result<()> {
        Opt::<F>::check(b, walk)
    }

    fn view(b: &[u8]) -> Self::View<'_> {
        Opt::<F>::view(b)
    }
}

impl<F: Form> Form for Boxed<F> {
    type View<'a> = F::View<'a>;

    fn check(b: &[u8], walk: Walk) -> Result<()> {
        F::check(b, walk)
    }

    fn view(b: &[u8]) -> Self::View<'_> {
        F::view(b)
    }
}
