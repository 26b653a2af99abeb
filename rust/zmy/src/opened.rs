//! Structs that are opened for checking and decoding, whatever version wrote them.

use crate::form::Form;
use crate::layout::Layout;
use crate::limits::{enter, Walk};
use crate::section::sections;
use crate::sparse;
use crate::wire::{self, word, NARROW};
use crate::{Code, Fault, Fixed, Result};
use core::marker::PhantomData;

#[cfg(feature = "alloc")]
use crate::{codec::Codec, decoder::Decoder, unknown, Unknown};

/// A struct of type `T`, spread out as the reader's version has it: `S` bytes of scalars and `N`
/// tails.
pub struct Opened<'a, T, const S: usize, const N: usize> {
    b: &'a [u8],
    head: usize,
    x: &'a [u8; S],
    start: u32, // of the first tail
    ends: [u32; N],
    types: PhantomData<T>,
}

/// Opens the struct in `b`, which is given as to [`Layout::check`]. With `exact`, only the reader's
/// own version is accepted. That version has constant offsets in a narrow slot, so it is opened
/// here, and its scalars are read in place. Others are opened by functions that are not inlined,
/// into the same parts; their scalars are spread out in `x`, which is zero.
#[inline(always)]
pub fn open<'a, T: Layout, const S: usize, const N: usize>(
    b: &'a [u8],
    h: u32,
    head: usize,
    exact: bool,
    left: u32,
    x: &'a mut [u8; S],
) -> Result<Opened<'a, T, S, N>> {
    enter(left)?;
    if T::SPARSE.is_some() || h != T::HEAD || b.len() > NARROW {
        let mut ends = [0; N];
        let start = match T::SPARSE {
            Some(sizes) => sparse::open(b, h, sizes, exact, x, &mut ends)?,
            None => open_other(b, h, head, (T::HEAD, T::OLDER), exact, x, &mut ends)?,
        };
        return Ok(Opened {
            b,
            head,
            x,
            start,
            ends,
            types: PhantomData,
        });
    }
    let (x, words) = match wire::rest(b, head).split_first_chunk::<S>() {
        Some((x, words)) if words.len() >= 2 * N => (x, words),
        _ => return Err(Fault::new(Code::Truncated, b.len())),
    };
    let start = (head + S + 2 * N) as u32;
    // An array of its own: its address is given to no function, so that it stays in registers.
    let mut ends = [0; N];
    let (mut prev, mut ordered) = (start, true);
    for (end, word) in ends.iter_mut().zip(words.chunks_exact(2)) {
        *end = u32::from(wire::u16(word));
        ordered &= *end >= prev;
        prev = *end;
    }
    if !ordered || prev as usize != b.len() {
        return Err(Code::Ends.into());
    }
    Ok(Opened {
        b,
        head,
        x,
        start,
        ends,
        types: PhantomData,
    })
}

/// Opens a dense struct of another version, or a wide one.
#[inline(never)]
fn open_other(
    b: &[u8],
    h: u32,
    head: usize,
    (mine, older): (u32, &[u32]),
    exact: bool,
    x: &mut [u8],
    ends: &mut [u32],
) -> Result<u32> {
    sections(b, h, head, mine, older).map_err(|c| Fault::slot(c, b))?;
    if exact && h != mine {
        return Err(Code::Version.into());
    }
    let (s, n, _) = wire::split(h);
    let es = wire::word_size(b.len());
    let at = head + s;
    let start = (at + es * n) as u32;
    let mut prev = start;
    for (i, end) in ends.iter_mut().enumerate() {
        if i < n {
            prev = word(b, at + es * i, es) as u32;
        }
        *end = prev;
    }
    for (to, from) in x.iter_mut().zip(wire::part(b, head, at)) {
        *to = *from;
    }
    Ok(start)
}

impl<'a, T: Layout, const S: usize, const N: usize> Opened<'a, T, S, N> {
    /// Tail `I`, and where it starts.
    #[inline(always)]
    fn slot<const I: usize>(&self) -> (&'a [u8], usize) {
        let from = match I.checked_sub(1) {
            Some(before) => self.ends.get(before),
            None => Some(&self.start),
        };
        let from = *from.unwrap_or(&0) as usize;
        let to = *self.ends.get(I).unwrap_or(&0) as usize;
        (wire::part(self.b, from, to), from)
    }

    /// The place, for a fault, of the scalar `at` bytes into the section.
    #[cold]
    fn place(&self, at: usize) -> usize {
        match T::SPARSE {
            Some(sizes) => sparse::place(self.b, sizes, at),
            None => self.head + at,
        }
    }

    /// Checks the scalar field `AT` bytes into the section.
    #[inline(always)]
    pub fn check_fixed<F: Fixed, const AT: usize>(&self, name: &str) -> Result<()> {
        match F::check(wire::part(self.x, AT, AT + F::SIZE)) {
            Ok(()) => Ok(()),
            Err(f) => Err(f.field(name, self.place(AT))),
        }
    }

    /// Checks the field in tail `I`. `walk` has the limits of the struct.
    #[inline(always)]
    pub fn check_tail<F: Form, const I: usize>(&self, walk: Walk, name: &str) -> Result<()> {
        let (b, from) = self.slot::<I>();
        if b.is_empty() {
            return Ok(());
        }
        F::check(b, walk).map_err(|f| f.field(name, from))
    }

    /// Refuses the content of a reserved scalar field, if only the reader's own version is
    /// accepted. It is for structs that do not carry the field.
    #[inline]
    pub fn check_reserved_fixed<const AT: usize, const SIZE: usize>(
        &self,
        walk: Walk,
    ) -> Result<()> {
        walk.reserved(wire::is_zero(wire::part(self.x, AT, AT + SIZE)))
    }

    /// [`Opened::check_reserved_fixed`] for a tail.
    #[inline]
    pub fn check_reserved_tail<const I: usize>(&self, walk: Walk) -> Result<()> {
        walk.reserved(self.slot::<I>().0.is_empty())
    }
}

#[cfg(feature = "alloc")]
impl<T: Layout, const S: usize, const N: usize> Opened<'_, T, S, N> {
    /// The scalar field `AT` bytes into the section.
    #[inline(always)]
    pub fn fixed<F: Fixed, const AT: usize>(&self, name: &str) -> Result<F::Value> {
        self.check_fixed::<F, AT>(name)?;
        Ok(F::load(wire::part(self.x, AT, AT + F::SIZE)))
    }

    /// The field in tail `I`. `left` is the depth that the struct has left.
    #[inline(always)]
    pub fn tail<F: Codec, const I: usize>(
        &self,
        d: &mut Decoder,
        left: u32,
        name: &str,
    ) -> Result<F::Value> {
        let (b, from) = self.slot::<I>();
        F::get(b, d, left).map_err(|f| f.field(name, from))
    }

    /// The parts of a newer version that the type does not know.
    #[inline]
    pub fn unknown(&self, h: u32, d: &mut Decoder) -> Result<Unknown> {
        if h == T::HEAD {
            return Ok(Unknown::default());
        }
        match T::SPARSE {
            Some(sizes) => Unknown::take_sparse(self.b, h, sizes, d),
            None => Unknown::take(self.b, h, self.head, T::HEAD, d),
        }
    }

    /// Moves the content of the reserved scalar field `number` to `keep`, if the struct carries it.
    pub fn reserved_fixed<const AT: usize, const SIZE: usize>(
        &self,
        keep: Option<&mut Unknown>,
        number: u32,
        d: &mut Decoder,
    ) -> Result<()> {
        let x = wire::part(self.x, AT, AT + SIZE);
        let x = if wire::is_zero(x) { &[] } else { x };
        unknown::reserved(x, keep, number, d)
    }

    /// [`Opened::reserved_fixed`] for a tail.
    pub fn reserved_tail<const I: usize>(
        &self,
        keep: Option<&mut Unknown>,
        number: u32,
        d: &mut Decoder,
    ) -> Result<()> {
        unknown::reserved(self.slot::<I>().0, keep, number, d)
    }
}
