//! Writing structs: their sections, and the ends of their tails.

use crate::codec::{Codec, Record};
use crate::encoder::Encoder;
use crate::fixed::store_at;
use crate::unknown::Rest;
use crate::wire::{self, is_zero, HEAD, MAX_SECTION, NARROW, SPARSE_BIT};
use crate::{Code, Fixed, Result, Unknown};
use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;

/// Stores a scalar field `AT` bytes into the section.
#[inline(always)]
pub fn store<F: Fixed, const AT: usize>(v: &F::Value, x: &mut [u8], name: &str) -> Result<()> {
    store_at::<F>(v, x, AT).map_err(|f| f.field(name, 0))
}

impl<'o> Encoder<'o> {
    /// Begins a struct: appends its header if `own` is set, the scalars `x`, and room for the ends
    /// of the tails.
    #[inline(always)]
    pub fn open<T: Record, const S: usize, const N: usize>(
        &mut self,
        x: &[u8; S],
        h: u32,
        own: bool,
        left: u32,
    ) -> Writer<'_, 'o, T, S, N> {
        let start = self.len();
        if own {
            self.out.extend_from_slice(&h.to_le_bytes());
        }
        self.section::<S, N>(x);
        Writer {
            e: self,
            start,
            own,
            left,
            ends: [0; N],
            types: PhantomData,
        }
    }

    /// Appends scalars and room for ends. If both are small, one copy of constant size does it.
    #[inline(always)]
    fn section<const S: usize, const N: usize>(&mut self, x: &[u8; S]) {
        const SMALL: usize = 64;
        let mut both = [0; SMALL];
        match both.first_chunk_mut() {
            Some(to) if S + 2 * N <= SMALL => {
                *to = *x;
                self.out.extend_from_slice(wire::part(&both, 0, S + 2 * N));
            }
            _ => {
                self.out.extend_from_slice(x);
                self.out.extend_from_slice([[0; 2]; N].as_flattened());
            }
        }
    }

    /// Stores the ends of a struct, counted from `start`, at `at`.
    #[inline(always)]
    fn ends(&mut self, start: usize, at: usize, ends: &[usize]) -> Result<()> {
        if self.out.len() - start > NARROW {
            return self.wide_ends(start, at, ends);
        }
        if let Some(words) = self.out.get_mut(at..at + 2 * ends.len()) {
            for (word, end) in words.chunks_exact_mut(2).zip(ends) {
                word.copy_from_slice(&(*end as u16).to_le_bytes());
            }
        }
        Ok(())
    }

    /// Makes the words of a finished struct wide, by moving its tails once. Writing the struct
    /// again with wide words would take time exponential in the depth.
    #[cold]
    fn wide_ends(&mut self, start: usize, at: usize, ends: &[usize]) -> Result<()> {
        let more = 2 * ends.len();
        if self.out.len() - start <= NARROW {
            return self.ends(start, at, ends);
        }
        self.insert(at + more, more);
        for (i, end) in ends.iter().enumerate() {
            self.set(at + 4 * i, &((end + more) as u32).to_le_bytes());
        }
        self.fits()
    }

    /// Finishes a struct with the header `h` of a newer version. The buffer has the struct as its
    /// own type `mine` has it, with scalars up to `at`. The carried parts are inserted behind each
    /// section. If the header has still more, as in a list of structs of several versions, the rest
    /// is zeros and empty tails.
    #[cold]
    fn newer(
        &mut self,
        start: usize,
        at: usize,
        (mine, h): (u32, u32),
        ends: &[usize],
        unknown: Option<&Unknown>,
    ) -> Result<()> {
        let ((ms, mn, _), (s, n, bits)) = (wire::split(mine), wire::split(h));
        let empty = Rest::default();
        let rest = unknown.and_then(Unknown::rest).unwrap_or(&empty);
        let (scalars, tails) = (s.checked_sub(ms), n.checked_sub(mn));
        let (Some(scalars), Some(tails), 0) = (scalars, tails, bits) else {
            return Err(Code::TooLarge.into()); // the program carried the parts to another type
        };
        let more = scalars + 2 * tails;
        self.insert(at, scalars);
        self.set(at, &vec![0; scalars]);
        self.set(at, wire::part(&rest.scalars, 0, scalars));
        self.insert(at + scalars + 2 * mn, 2 * tails);
        let behind = self.out.len() - start;
        self.bytes(&rest.tails);
        let known = ends.iter().map(|end| end + more);
        let carried = rest.ends.iter().map(|end| behind + *end as usize);
        let mut all: Vec<usize> = known.chain(carried).collect();
        all.resize(n, self.out.len() - start);
        self.ends(start, at + scalars, &all)
    }

    /// Finishes a sparse struct. The buffer has it as a dense one, with `s` bytes of scalars. Zero
    /// fields are removed, and the carried ones are appended to each section.
    fn sparse(
        &mut self,
        start: usize,
        s: usize,
        sizes: &[u8],
        ends: &[usize],
        unknown: Option<&Unknown>,
    ) -> Result<()> {
        let empty = Rest::default();
        let rest = unknown.and_then(Unknown::rest).unwrap_or(&empty);
        let mut bits = vec![0u8; sizes.len().div_ceil(8).max(rest.bits.len())];
        for (to, from) in bits.iter_mut().zip(&rest.bits) {
            *to = *from;
        }
        let old = HEAD + s + 2 * ends.len(); // where the tails start now
        let (mut scalars, mut kept) = (Vec::new(), Vec::new());
        let (mut off, mut prev, mut tails) = (start + HEAD, old, ends.iter());
        for (i, &size) in sizes.iter().enumerate() {
            let size = usize::from(size);
            let has = if size > 0 {
                let x = wire::part(self.out, off, off + size);
                off += size;
                let has = !is_zero(x);
                if has {
                    scalars.extend_from_slice(x);
                }
                has
            } else {
                let end = *tails.next().unwrap_or(&prev);
                let has = end > prev;
                if has {
                    kept.push(end - old);
                    prev = end;
                }
                has
            };
            if let (true, Some(byte)) = (has, bits.get_mut(i / 8)) {
                *byte |= 1 << (i % 8);
            }
        }
        scalars.extend_from_slice(&rest.scalars);
        kept.extend(rest.ends.iter().map(|end| prev - old + *end as usize));
        self.bytes(&rest.tails);
        if scalars.len() > MAX_SECTION || kept.len() > MAX_SECTION || bits.len() > 255 {
            return Err(Code::TooLarge.into());
        }
        while bits.last() == Some(&0) {
            bits.pop();
        }
        let words = HEAD + 1 + bits.len() + scalars.len();
        let front = words + 2 * kept.len();
        let len = self.out.len();
        self.out.resize(len.max(len + front - old.min(front)), 0);
        self.out.copy_within(start + old..len, start + front);
        self.out.truncate(len + front - old);
        let h = wire::header(scalars.len(), kept.len()) | SPARSE_BIT;
        self.set(start, &h.to_le_bytes());
        self.set(start + HEAD, &[bits.len() as u8]);
        self.set(start + HEAD + 1, &bits);
        self.set(start + HEAD + 1 + bits.len(), &scalars);
        for end in &mut kept {
            *end += front;
        }
        self.ends(start, start + words, &kept)
    }
}

/// A struct that is being written.
pub struct Writer<'e, 'o, T, const S: usize, const N: usize> {
    e: &'e mut Encoder<'o>,
    start: usize,
    own: bool,
    left: u32,
    ends: [usize; N],
    types: PhantomData<T>,
}

impl<T: Record, const S: usize, const N: usize> Writer<'_, '_, T, S, N> {
    /// Writes the field in tail `I`.
    #[inline(always)]
    pub fn tail<F: Codec, const I: usize>(&mut self, v: &F::Value, name: &str) -> Result<()> {
        match F::put(v, self.e, self.left) {
            Ok(()) => {
                self.end::<I>();
                Ok(())
            }
            Err(f) => Err(f.field(name, 0)),
        }
    }

    #[inline(always)]
    fn end<const I: usize>(&mut self) {
        let len = self.e.len() - self.start;
        if let Some(end) = self.ends.get_mut(I) {
            *end = len;
        }
    }

    /// Writes the carried content of tail `I`, which is reserved, or leaves the tail empty.
    pub fn reserved<const I: usize>(&mut self, keep: Option<&Unknown>, number: u32) {
        if let Some(keep) = keep {
            self.e.bytes(keep.kept(number));
        }
        self.end::<I>();
    }

    /// Finishes the struct. `h` is the header with which it was begun.
    #[inline(always)]
    pub fn close(self, h: u32, unknown: Option<&Unknown>) -> Result<()> {
        if let Some(sizes) = T::SPARSE {
            return self.e.sparse(self.start, S, sizes, &self.ends, unknown);
        }
        let at = self.start + if self.own { HEAD } else { 0 } + S;
        if T::KEEPS && h != T::HEAD {
            return self
                .e
                .newer(self.start, at, (T::HEAD, h), &self.ends, unknown);
        }
        self.e.ends(self.start, at, &self.ends)
    }
}
