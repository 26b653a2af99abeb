//! The state of one encoding, with words of maps and boundaries of lists.

use crate::limits::too_large;
use crate::wire::{self, NARROW};
use crate::{Fixed, Result};
use alloc::vec::Vec;

mod boundaries;

pub(crate) use boundaries::Boundaries;

/// The state of one encoding.
pub struct Encoder<'o> {
    pub(crate) out: &'o mut Vec<u8>,
    start: usize,
    max: usize, // bytes of the message
}

impl<'o> Encoder<'o> {
    pub(crate) fn new(out: &'o mut Vec<u8>, max: usize) -> Self {
        let start = out.len();
        Encoder { out, start, max }
    }

    /// The number of bytes in the buffer, where the next one goes.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.out.len()
    }

    /// The bytes written since `from`.
    pub(crate) fn since(&self, from: usize) -> &[u8] {
        wire::rest(self.out, from)
    }

    pub(crate) fn truncate(&mut self, to: usize) {
        self.out.truncate(to);
    }

    /// Appends bytes. Most strings are short, so up to 32 bytes are appended by stores of constant
    /// size, which is faster than a call of memcpy: the first and the last bytes, which overlap,
    /// are joined in an integer, and the buffer is cut to the length.
    #[inline(always)]
    pub(crate) fn bytes(&mut self, b: &[u8]) {
        let (from, n) = (self.out.len(), b.len());
        if let (Some(head), Some(tail)) = (b.first_chunk::<8>(), b.last_chunk::<8>()) {
            if n > 16 {
                return self.longer(b);
            }
            let tail = u128::from(u64::from_le_bytes(*tail)) << (8 * (n - 8));
            let both = u128::from(u64::from_le_bytes(*head)) | tail;
            self.out.extend_from_slice(&both.to_le_bytes());
        } else if let (Some(head), Some(tail)) = (b.first_chunk::<4>(), b.last_chunk::<4>()) {
            let tail = u64::from(u32::from_le_bytes(*tail)) << (8 * (n - 4));
            let both = u64::from(u32::from_le_bytes(*head)) | tail;
            self.out.extend_from_slice(&both.to_le_bytes());
        } else if let [a, .., z] | [a @ z] = b {
            let m = b.get(n / 2).copied().unwrap_or(0);
            let all =
                u32::from(*a) | u32::from(m) << (8 * (n / 2)) | u32::from(*z) << (8 * (n - 1));
            self.out.extend_from_slice(&all.to_le_bytes());
        }
        self.out.truncate(from + n);
    }

    /// Appends more than 16 bytes: up to 32 by two stores.
    #[inline(always)]
    fn longer(&mut self, b: &[u8]) {
        let (from, n) = (self.out.len(), b.len());
        match (b.first_chunk::<16>(), b.last_chunk::<16>()) {
            (Some(head), Some(tail)) if n <= 32 => {
                let mut both = [0; 32];
                let (first, second) = both.split_at_mut(16);
                first.copy_from_slice(head);
                let tail = u128::from_le_bytes(*tail) >> (8 * (32 - n).min(15));
                second.copy_from_slice(&tail.to_le_bytes());
                self.out.extend_from_slice(&both);
                self.out.truncate(from + n);
            }
            _ => self.out.extend_from_slice(b),
        }
    }

    /// Appends `n` zero bytes and returns them.
    #[inline(always)]
    pub(crate) fn grow(&mut self, n: usize) -> &mut [u8] {
        let from = self.out.len();
        self.out.resize(from + n, 0);
        self.out.get_mut(from..).unwrap_or_default()
    }

    #[inline]
    pub(crate) fn fixed<F: Fixed>(&mut self, v: &F::Value) -> Result<()> {
        F::store(v, self.grow(F::SIZE))
    }

    /// Overwrites the bytes at `at`, which were written before.
    #[inline(always)]
    pub(crate) fn set(&mut self, at: usize, b: &[u8]) {
        if let Some(to) = self.out.get_mut(at..at + b.len()) {
            to.copy_from_slice(b);
        }
    }

    /// Makes room for `n` bytes at `at`.
    pub(crate) fn insert(&mut self, at: usize, n: usize) {
        let len = self.out.len();
        self.out.resize(len + n, 0);
        self.out.copy_within(at..len, at + n);
    }

    /// Refuses the message so far if it is beyond its limit.
    pub(crate) fn fits(&self) -> Result<()> {
        too_large(self.out.len() - self.start, self.max)
    }

    /// Reserves the word that holds where a map's keys end, and returns where the map starts.
    pub(crate) fn begin_map(&mut self) -> usize {
        self.bytes(&[0; 2]);
        self.out.len() - 2
    }

    /// Stores the word of [`Encoder::begin_map`]: the map starts at `start`, its values at
    /// `keys_end`.
    pub(crate) fn end_map(&mut self, start: usize, keys_end: usize) -> Result<()> {
        if self.out.len() - start <= NARROW {
            self.set(start, &((keys_end - start) as u16).to_le_bytes());
            return Ok(());
        }
        self.insert(start + 2, 2);
        self.set(start, &((keys_end - start + 2) as u32).to_le_bytes());
        self.fits()
    }
}
