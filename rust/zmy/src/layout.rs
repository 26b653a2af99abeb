//! Types of structs, and structs in place.

use crate::form::Form;
use crate::limits::Walk;
use crate::section::{head, own_sections, sections};
use crate::sparse::{self, Sparse};
use crate::wire::{self, word, HEAD, NARROW};
use crate::{Code, Fault, Fixed, Result};
use core::marker::PhantomData;

/// A type of structs, for reading them. Generated code implements it.
pub trait Layout {
    /// The name of the type, for errors.
    const NAME: &'static str;
    /// The header of this version, which has the sizes of its sections.
    const HEAD: u32;
    /// The headers of older versions, which have the first field, the first two, and so on.
    const OLDER: &'static [u32];
    /// If the struct is sparse, the size of each field: 0 for a tail.
    const SPARSE: Option<&'static [u8]>;
    /// The type that reads it in place.
    type View<'a>;

    /// A view of an opened struct.
    fn view(raw: Raw<'_>) -> Self::View<'_>;
    /// Checks the struct in `b`, whose header is `h`. The sections start behind `head` bytes: 4 for
    /// the header, or 0 in a list, whose elements share one.
    fn check(b: &[u8], h: u32, head: usize, walk: Walk) -> Result<()>;
}

/// A struct; empty if zero.
pub struct Struct<T>(PhantomData<T>);
/// A pointer to a struct.
pub struct Ptr<T>(PhantomData<T>);

/// A struct of any type in place. Views wrap it. Reading is total: from bytes that were not
/// verified it returns some value, and it never panics.
#[derive(Clone, Copy, Debug, Default)]
pub struct Raw<'a> {
    b: &'a [u8],
    at: u32, // where the scalars start
    s: u32,  // bytes of the scalars
    n: u32,  // tails
}

impl<'a> Raw<'a> {
    /// The struct in `b`, whose header `h` takes `head` bytes.
    #[inline(always)]
    pub(crate) fn new(b: &'a [u8], h: u32, head: usize) -> Raw<'a> {
        let (s, n, bits) = wire::split(h);
        let mut at = head as u32;
        if bits != 0 {
            at += 1 + u32::from(b.get(HEAD).copied().unwrap_or(0));
        }
        Raw {
            b,
            at,
            s: s as u32,
            n: n as u32,
        }
    }

    /// The struct in `b`, an element of a list whose header is `h`.
    #[inline(always)]
    pub(crate) fn element(b: &'a [u8], h: u32) -> Raw<'a> {
        let (s, n, _) = wire::split(h);
        Raw {
            b,
            at: 0,
            s: s as u32,
            n: n as u32,
        }
    }

    /// The struct in the slot `b`: the zero value if the slot is empty.
    #[inline(always)]
    pub(crate) fn slot(b: &'a [u8]) -> Raw<'a> {
        Raw::new(b, wire::u32(b), HEAD)
    }

    /// Opens the message `b` of type `T`, and checks the sections of this one struct.
    #[inline]
    pub fn open<T: Layout>(b: &'a [u8]) -> Result<Raw<'a>> {
        let h = head(b)?;
        match T::SPARSE {
            Some(sizes) => Sparse::open(b, h, sizes).map(|_| ()),
            None if h == T::HEAD && b.len() <= NARROW => own_sections(b, T::HEAD),
            None => sections(b, h, HEAD, T::HEAD, T::OLDER),
        }
        .map_err(|c| Fault::slot(c, b))?;
        Ok(Raw::new(b, h, HEAD))
    }

    /// The bytes of the struct on the wire.
    pub fn bytes(&self) -> &'a [u8] {
        self.b
    }

    /// The scalar field `AT` bytes into the section of a dense struct.
    #[inline(always)]
    pub fn fixed<F: Fixed, const AT: usize>(&self) -> F::Value {
        if AT + F::SIZE > self.s as usize {
            return F::load(&[]); // of an older version
        }
        let from = self.at as usize + AT;
        F::load(wire::part(self.b, from, from + F::SIZE))
    }

    /// The field in tail `I` of a dense struct.
    #[inline(always)]
    pub fn tail<F: Form, const I: usize>(&self) -> F::View<'a> {
        F::view(self.tail_bytes(I))
    }

    #[inline(always)]
    fn tail_bytes(&self, i: usize) -> &'a [u8] {
        let n = self.n as usize;
        if i >= n {
            return &[]; // of an older version
        }
        let es = wire::word_size(self.b.len());
        let at = (self.at + self.s) as usize;
        let from = match i.checked_sub(1) {
            Some(before) => word(self.b, at + es * before, es),
            None => at + es * n,
        };
        wire::part(self.b, from, word(self.b, at + es * i, es))
    }

    fn bits(&self) -> &'a [u8] {
        wire::part(self.b, HEAD + 1, self.at as usize)
    }

    /// Scalar field `NUMBER` of the sparse type `T`.
    pub fn sparse_fixed<T: Layout, F: Fixed, const NUMBER: usize>(&self) -> F::Value {
        match sparse::find(self.bits(), T::SPARSE.unwrap_or(&[]), NUMBER) {
            Some((off, _)) => F::load(wire::rest(self.b, self.at as usize + off)),
            None => F::load(&[]),
        }
    }

    /// Field `NUMBER`, a tail, of the sparse type `T`.
    pub fn sparse_tail<T: Layout, F: Form, const NUMBER: usize>(&self) -> F::View<'a> {
        match sparse::find(self.bits(), T::SPARSE.unwrap_or(&[]), NUMBER) {
            Some((_, tail)) => F::view(self.tail_bytes(tail)),
            None => F::view(&[]),
        }
    }
}

impl<T: Layout> Form for Struct<T> {
    type View<'a> = T::View<'a>;

    fn check(b: &[u8], walk: Walk) -> Result<()> {
        T::check(b, head(b)?, HEAD, walk.enter())?;
        if wire::is_zero_struct(b) {
            return Err(Code::Zero.into());
        }
        Ok(())
    }

    #[inline(always)]
    fn view(b: &[u8]) -> T::View<'_> {
        T::view(Raw::slot(b))
    }
}

impl<T: Layout> Form for Ptr<T> {
    type View<'a> = Option<T::View<'a>>;

    fn check(b: &[u8], walk: Walk) -> Result<()> {
        T::check(b, head(b)?, HEAD, walk.enter())
    }

    #[inline(always)]
    fn view(b: &[u8]) -> Option<T::View<'_>> {
        (!b.is_empty()).then(|| T::view(Raw::slot(b)))
    }
}
