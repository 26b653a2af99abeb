//! Flat values: the size of their message is known before it is written, so they are written in
//! one pass into memory of that size. The generator marks the types whose fields all have forms
//! with [`Codec::FLAT`]. Writing gives up in rare cases: a message that is not narrow, a value that
//! is refused, or too little depth. Then the functions named `put` write the message from its
//! start. They are the reference, and only they return errors (tests/flat.rs compares both).
//!
//! A function that writes takes the memory that is left, and returns what is left behind its part.

use crate::codec::{Codec, Record};
use crate::fixed::store_at;
use crate::wire::{self, HEAD, NARROW};
use crate::Fixed;
use alloc::vec::Vec;

/// The size of the message of a flat value, at most, if it is narrow and within `max` bytes.
#[inline(always)]
pub(crate) fn size<T: Record>(v: &T, max: usize) -> Option<usize> {
    if !T::FLAT {
        return None;
    }
    let n = HEAD + v.room();
    (n <= NARROW && n <= max).then_some(n)
}

/// Writes the message of a flat value to the start of `x` and returns its length. It gives up if
/// the message is not narrow, is longer than `max` or does not fit.
#[inline(always)]
pub(crate) fn message<T: Record>(v: &T, x: &mut [u8], depth: u32, max: usize) -> Option<usize> {
    if !T::FLAT {
        return None;
    }
    let all = x.len().min(NARROW).min(max);
    let (x, _) = x.split_at_mut_checked(all)?;
    let (head, rest) = x.split_first_chunk_mut()?;
    *head = T::HEAD.to_le_bytes();
    Some(all - v.write(rest, HEAD, depth)?.len())
}

/// Appends the message of a flat value, or leaves `out` as it is and returns false.
#[inline(always)]
pub(crate) fn append<T: Record>(v: &T, out: &mut Vec<u8>, depth: u32, max: usize) -> bool {
    let Some(n) = size(v, max) else {
        return false;
    };
    let start = out.len();
    out.resize(start + n, 0);
    let n = message(v, out.get_mut(start..).unwrap_or_default(), depth, max);
    out.truncate(start + n.unwrap_or(0));
    n.is_some()
}

/// The words of a list of `n` elements that is being written: where each element ends.
pub(crate) struct Words<'x> {
    words: core::slice::ChunksExactMut<'x, u8>,
    all: usize, // bytes of the list and of the memory behind it
}

impl<'x> Words<'x> {
    /// Reserves the words, behind `head` bytes of the list.
    #[inline(always)]
    pub fn begin(n: usize, x: &'x mut [u8], head: usize) -> Option<(Self, &'x mut [u8])> {
        let all = head + x.len();
        let (words, rest) = x.split_at_mut_checked(2 * (n + 1))?;
        let words = words.chunks_exact_mut(2);
        let mut w = Words { words, all };
        w.mark(rest);
        Some((w, rest))
    }

    /// Stores the boundary where `rest` begins.
    #[inline(always)]
    pub fn mark(&mut self, rest: &[u8]) {
        if let Some(word) = self.words.next() {
            word.copy_from_slice(&((self.all - rest.len()) as u16).to_le_bytes());
        }
    }
}

/// A flat struct that is being written, with `N` tails.
pub struct Flat<'x, const N: usize> {
    words: &'x mut [u8], // where the ends of the tails go
    rest: &'x mut [u8],
    all: usize, // bytes of the struct and of the memory behind it
    left: u32,
    ends: [usize; N],
}

/// Begins a flat struct by its scalars. `head` bytes of the struct are before `x`.
#[inline(always)]
pub fn begin<'x, const S: usize, const N: usize>(
    scalars: &[u8; S],
    x: &'x mut [u8],
    head: usize,
    left: u32,
) -> Option<Flat<'x, N>> {
    let all = head + x.len();
    let (front, rest) = x.split_at_mut_checked(S + 2 * N)?;
    let (to, words) = front.split_first_chunk_mut()?;
    *to = *scalars;
    (left > 0).then_some(Flat {
        words,
        rest,
        all,
        left,
        ends: [0; N],
    })
}

impl<'x, const N: usize> Flat<'x, N> {
    /// Writes the field in tail `I`.
    #[inline(always)]
    pub fn tail<F: Codec, const I: usize>(mut self, v: &F::Value) -> Option<Self> {
        self.rest = F::write(v, self.rest, self.left)?;
        Some(self.empty::<I>())
    }

    /// Ends tail `I` where it starts, if it is reserved.
    #[inline(always)]
    pub fn empty<const I: usize>(mut self) -> Self {
        if let Some(end) = self.ends.get_mut(I) {
            *end = self.all - self.rest.len();
        }
        self
    }

    /// Finishes the struct.
    #[inline(always)]
    pub fn close(self) -> Option<&'x mut [u8]> {
        for (word, end) in self.words.chunks_exact_mut(2).zip(self.ends) {
            word.copy_from_slice(&(end as u16).to_le_bytes());
        }
        Some(self.rest)
    }
}

/// Stores a scalar field `AT` bytes into the section, or returns None if the value is refused.
#[inline(always)]
pub fn keep<F: Fixed, const AT: usize>(v: &F::Value, x: &mut [u8]) -> Option<()> {
    store_at::<F>(v, x, AT).ok()
}

/// The size of a column of `n` flat structs with header `h`, without the structs.
pub(crate) fn front(h: u32, n: usize) -> usize {
    match wire::split(h) {
        (_, 0, _) => HEAD,
        _ => HEAD + 2 * (n + 1),
    }
}
