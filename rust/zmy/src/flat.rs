//! Flat values: the size of their message is known before it is written, so they are written in
//! one pass into memory of that size. The generator marks the types whose fields all have forms
//! with [`Codec::FLAT`]. Writing gives up in rare cases: a message that is not narrow, a value that
//! is refused, or too little depth. Then the functions named `put` write the message from its
//! start. They are the reference, and only they return errors (tests/flat.rs compares both).

use crate::codec::{Codec, Record};
use crate::fixed::store_at;
use crate::wire::{self, HEAD, NARROW};
use crate::Fixed;
use alloc::vec::Vec;

/// The size of the message of a flat value, at most, if it is narrow and within `max` bytes.
#[inline(always)]
pub(crate) fn size<T: Record>(v: &T, max: usize) -> Option<usize> {
    let n = HEAD + v.room();
    (T::FLAT && n <= NARROW && n <= max).then_some(n)
}

/// Appends the message of a flat value, or leaves `out` as it is and returns false.
#[inline(always)]
pub(crate) fn append<T: Record>(v: &T, out: &mut Vec<u8>, depth: u32, max: usize) -> bool {
    let Some(n) = size(v, max) else {
        return false;
    };
    let start = out.len();
    out.resize(start + n, 0);
    let end = v.write(out, start, true, depth);
    out.truncate(end.unwrap_or(start));
    end.is_some()
}

/// Copies `b` to offset `at` and returns where it ends. Most strings are short: up to 32 bytes take
/// two loads and two stores that may overlap, which is faster than a call of memcpy.
#[inline(always)]
pub(crate) fn copy(b: &[u8], x: &mut [u8], at: usize) -> Option<usize> {
    let end = at + b.len();
    let to = x.get_mut(at..end)?;
    if !(ends::<16>(b, to) || ends::<8>(b, to) || ends::<4>(b, to)) {
        short(b, to);
    }
    Some(end)
}

/// Copies `N` to `2 * N` bytes by their first and their last `N`, or returns false. If `N` is 16,
/// it copies more bytes, too.
#[inline(always)]
fn ends<const N: usize>(b: &[u8], to: &mut [u8]) -> bool {
    let (Some(head), Some(tail)) = (b.first_chunk::<N>(), b.last_chunk::<N>()) else {
        return false;
    };
    if b.len() > 2 * N {
        to.copy_from_slice(b);
        return true;
    }
    let (head, tail) = (*head, *tail);
    if let Some(to) = to.first_chunk_mut() {
        *to = head;
    }
    if let Some(to) = to.last_chunk_mut() {
        *to = tail;
    }
    true
}

/// Copies up to three bytes.
#[inline(always)]
fn short(b: &[u8], to: &mut [u8]) {
    for (to, b) in to.iter_mut().zip(b).take(3) {
        *to = *b;
    }
}

/// Stores a word of two bytes.
#[inline(always)]
pub(crate) fn word(n: usize, x: &mut [u8], at: usize) -> Option<usize> {
    *x.get_mut(at..)?.first_chunk_mut()? = (n as u16).to_le_bytes();
    Some(at + 2)
}

/// A flat struct that is being written, with `S` bytes of scalars and `N` tails.
pub struct Flat<'x, const S: usize, const N: usize> {
    x: &'x mut [u8],
    start: usize,
    words: usize, // where the ends of the tails go
    at: usize,    // where the next tail goes
    left: u32,
    ends: [usize; N],
}

/// Begins a flat struct at offset `at`: writes its header `h` if `own` is set, and its scalars.
#[inline(always)]
pub fn begin<'x, const S: usize, const N: usize>(
    scalars: &[u8; S],
    (x, at): (&'x mut [u8], usize),
    h: u32,
    own: bool,
    left: u32,
) -> Option<Flat<'x, S, N>> {
    let mut from = at;
    if own {
        *x.get_mut(at..)?.first_chunk_mut()? = h.to_le_bytes();
        from += HEAD;
    }
    *x.get_mut(from..)?.first_chunk_mut()? = *scalars;
    let words = from + S;
    (left > 0).then_some(Flat {
        x,
        start: at,
        words,
        at: words + 2 * N,
        left,
        ends: [0; N],
    })
}

impl<const S: usize, const N: usize> Flat<'_, S, N> {
    /// Writes the field in tail `I`.
    #[inline(always)]
    pub fn tail<F: Codec, const I: usize>(&mut self, v: &F::Value) -> Option<()> {
        self.at = F::write(v, self.x, self.at, self.left)?;
        self.empty::<I>();
        Some(())
    }

    /// Ends tail `I` where it starts, if it is reserved.
    #[inline(always)]
    pub fn empty<const I: usize>(&mut self) {
        if let Some(end) = self.ends.get_mut(I) {
            *end = self.at - self.start;
        }
    }

    /// Finishes the struct, and returns where it ends.
    #[inline(always)]
    pub fn close(self) -> Option<usize> {
        let words = self.x.get_mut(self.words..self.words + 2 * N)?;
        for (word, end) in words.chunks_exact_mut(2).zip(self.ends) {
            word.copy_from_slice(&(end as u16).to_le_bytes());
        }
        Some(self.at)
    }
}

/// Stores a scalar field `AT` bytes into the section, or returns None if the value is refused.
#[inline(always)]
pub fn keep<F: Fixed, const AT: usize>(v: &F::Value, x: &mut [u8]) -> Option<()> {
    store_at::<F>(v, x, AT).ok()
}

/// The size of a column of flat structs without their contents, which starts with header `h`.
pub(crate) fn front(h: u32, n: usize) -> usize {
    match wire::split(h) {
        (_, 0, _) => HEAD,
        _ => HEAD + 2 * (n + 1),
    }
}
