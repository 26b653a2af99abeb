//! Forms: how the values of one type stand in a slot. Generated code names a form
//! for each field; what the form does is written once, here and beside.

use crate::limits::Walk;
use crate::wire;
use crate::{Code, Fixed, Result};
use core::marker::PhantomData;

/// The content of a slot, as far as reading it in place goes.
pub trait Form {
    /// What reads a value in place.
    type View<'a>;
    /// Checks the content of a slot, which is not empty; `walk` is that of the struct
    /// around.
    fn check(b: &[u8], walk: Walk) -> Result<()>;
    /// Reads the slot in place, the zero value if it is empty. Over bytes that were
    /// not checked it is some value.
    fn view(b: &[u8]) -> Self::View<'_>;
}

/// A string.
pub enum Text {}
/// Bytes, and JSON that is not parsed.
pub enum Blob {}
/// A long array of values of fixed size, among the tails: `F` is `[T; N]`.
pub struct Long<F>(PhantomData<F>);
/// A pointer to a value of fixed size.
pub struct PtrFixed<F>(PhantomData<F>);
/// A pointer to a value of fixed size that is kept in a box: an absent one takes no
/// more than the slot's share of the budget.
pub struct PtrBoxed<F>(PhantomData<F>);
/// A pointer to a string or an array: a byte 1, then what it points to.
pub struct Opt<F>(PhantomData<F>);
/// A list or map of which none and empty differ.
pub struct Nilable<F>(PhantomData<F>);
/// What is kept in a box, since its type contains itself.
pub struct Boxed<F>(PhantomData<F>);

impl Form for Text {
    type View<'a> = &'a str;

    #[inline]
    fn check(b: &[u8], _: Walk) -> Result<()> {
        match core::str::from_utf8(b) {
            Ok(_) => Ok(()),
            Err(_) => Err(Code::Utf8.into()),
        }
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

/// Splits off the byte 1 that stands before what may be empty without being absent.
pub(crate) fn present(b: &[u8]) -> Result<&[u8]> {
    match b.split_first() {
        Some((1, content)) => Ok(content),
        _ => Err(Code::Domain.into()),
    }
}

fn check_present<F: Form>(b: &[u8], walk: Walk) -> Result<()> {
    let content = present(b)?;
    if content.is_empty() {
        return Ok(());
    }
    F::check(content, walk).map_err(|f| f.shift(1))
}

impl<F: Form> Form for Opt<F> {
    type View<'a> = Option<F::View<'a>>;

    fn check(b: &[u8], walk: Walk) -> Result<()> {
        check_present::<F>(b, walk)
    }

    fn view(b: &[u8]) -> Self::View<'_> {
        b.split_first().map(|(_, content)| F::view(content))
    }
}

impl<F: Form> Form for Nilable<F> {
    type View<'a> = Option<F::View<'a>>;

    fn check(b: &[u8], walk: Walk) -> Result<()> {
        check_present::<F>(b, walk)
    }

    fn view(b: &[u8]) -> Self::View<'_> {
        b.split_first().map(|(_, content)| F::view(content))
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
