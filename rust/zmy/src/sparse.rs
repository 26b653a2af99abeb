//! Sparse structs: a bitmap says which fields are there, and zero fields take no bytes. Reading
//! spreads the fields out to where a dense struct would have them.

use crate::wire::{self, word, HEAD, NARROW, SPARSE_BIT};
use crate::{Code, Fault, Result};

/// An opened sparse struct, whose sections are as the bitmap says.
pub(crate) struct Sparse<'a> {
    pub bits: &'a [u8],
    pub at: usize, // where the scalars start
    pub s: usize,
    pub n: usize,
    pub es: usize,    // size of the words
    pub known: usize, // bytes of the scalars that the reader's type knows
    pub tails: usize, // tails that the type knows
    pub more: usize,  // fields that the type does not know
}

/// Reports whether the bitmap has field `i`.
fn has(bits: &[u8], i: usize) -> bool {
    bits.get(i / 8).is_some_and(|byte| byte >> (i % 8) & 1 != 0)
}

impl<'a> Sparse<'a> {
    /// The offset of the first tail.
    pub fn first(&self) -> usize {
        self.at + self.s + self.es * self.n
    }

    /// Checks the struct against its length, its bitmap and the reader's type, which has fields of
    /// these sizes, 0 for a tail.
    pub fn open(b: &'a [u8], h: u32, sizes: &[u8]) -> Result<Self, Code> {
        let (s, n, bits) = wire::split(h);
        if bits != SPARSE_BIT >> 28 {
            return Err(Code::Reserved);
        }
        let at = match b.get(HEAD) {
            Some(&k) => HEAD + 1 + usize::from(k),
            None => return Err(Code::Truncated),
        };
        let bits = b.get(HEAD + 1..at).ok_or(Code::Truncated)?;
        let es = wire::word_size(b.len());
        let mut o = Sparse {
            bits,
            at,
            s,
            n,
            es,
            known: 0,
            tails: 0,
            more: 0,
        };
        if o.first() > b.len() {
            return Err(Code::Truncated);
        }
        if bits.last() == Some(&0) {
            return Err(Code::Sparse);
        }
        let (mut prev, mut empty) = (o.first(), false);
        for i in 0..n {
            let end = word(b, at + s + es * i, es);
            if end < prev || end > b.len() {
                return Err(Code::Ends);
            }
            empty |= end == prev;
            prev = end;
        }
        if prev != b.len() {
            return Err(Code::Ends);
        }
        if es == 4 && b.len() - 2 * n <= NARROW {
            return Err(Code::Width);
        }
        o.count(b, sizes)?;
        if empty {
            return Err(Code::Zero);
        }
        Ok(o)
    }

    /// Checks the bitmap against the sections, and counts fields by it.
    fn count(&mut self, b: &[u8], sizes: &[u8]) -> Result<(), Code> {
        let mut zero = false;
        for (i, &size) in sizes.iter().enumerate() {
            let size = usize::from(size);
            if !has(self.bits, i) {
                continue;
            }
            if size == 0 {
                self.tails += 1;
            } else if self.known + size > self.s {
                return Err(Code::Sparse);
            } else {
                let from = self.at + self.known;
                zero |= wire::is_zero(wire::part(b, from, from + size));
                self.known += size;
            }
        }
        let all = 8 * self.bits.len();
        self.more = (sizes.len()..all).filter(|&i| has(self.bits, i)).count();
        // Each unknown field is a tail, or takes a byte of the scalars at least.
        let bytes = self.s - self.known;
        let fits = self.n.checked_sub(self.tails).is_some_and(|tails| {
            tails <= self.more && bytes >= self.more - tails && (tails < self.more || bytes == 0)
        });
        match fits {
            false => Err(Code::Sparse),
            true if zero => Err(Code::Zero),
            true => Ok(()),
        }
    }
}

/// Opens the sparse struct `b` and spreads it out: scalars into `x`, the ends of the
/// tails into `ends`. Returns where the first tail starts.
#[inline(never)]
pub(crate) fn open(
    b: &[u8],
    h: u32,
    sizes: &[u8],
    exact: bool,
    x: &mut [u8],
    ends: &mut [u32],
) -> Result<u32> {
    let o = Sparse::open(b, h, sizes).map_err(|c| Fault::slot(c, b))?;
    if exact && o.more > 0 {
        return Err(Code::Version.into());
    }
    let (mut from, mut to) = (o.at, 0);
    let (mut words, mut prev) = (o.at + o.s, o.first());
    let mut ends = ends.iter_mut();
    for (i, &size) in sizes.iter().enumerate() {
        let size = usize::from(size);
        let has = has(o.bits, i);
        if size > 0 {
            if let (true, Some(x)) = (has, x.get_mut(to..to + size)) {
                x.copy_from_slice(wire::part(b, from, from + size));
                from += size;
            }
            to += size;
            continue;
        }
        if has {
            prev = word(b, words, o.es);
            words += o.es;
        }
        if let Some(end) = ends.next() {
            *end = prev as u32;
        }
    }
    Ok(o.first() as u32)
}

/// The place, for a fault, of the scalar that a dense struct would have `at` bytes into its
/// section.
pub(crate) fn place(b: &[u8], sizes: &[u8], at: usize) -> usize {
    let mut dense = 0;
    let number = sizes.iter().position(|&size| {
        let here = dense == at && size > 0;
        dense += usize::from(size);
        here
    });
    let start = HEAD + 1 + usize::from(b.get(HEAD).copied().unwrap_or(0));
    let (off, _) = before(wire::part(b, HEAD + 1, start), sizes, number.unwrap_or(0));
    start + off
}

/// The number of bytes of scalars, and of tails, before those of field `number`.
fn before(bits: &[u8], sizes: &[u8], number: usize) -> (usize, usize) {
    let (mut off, mut tails) = (0, 0);
    for (i, &size) in sizes.iter().take(number).enumerate() {
        if has(bits, i) {
            off += usize::from(size);
            tails += usize::from(size == 0);
        }
    }
    (off, tails)
}

/// The place of field `number`, if it is there: the offset in the scalars, and the index among the
/// tails.
pub(crate) fn find(bits: &[u8], sizes: &[u8], number: usize) -> Option<(usize, usize)> {
    has(bits, number).then(|| before(bits, sizes, number))
}
