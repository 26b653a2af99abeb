//! The boundaries of lists.

use super::Encoder;
use crate::wire::{self, NARROW};
use alloc::vec::Vec;

/// The boundaries of a list that is being written: one before the first element, and one after
/// each.
pub(crate) struct Boundaries {
    start: usize, // of the list
    at: usize,    // of the words
    done: usize,  // words stored
    n: usize,     // words in all
    wide: bool,
}

impl Boundaries {
    /// Reserves the words of a list of `n` elements that starts at `start`. A header may be before
    /// them.
    #[inline]
    pub fn begin(e: &mut Encoder<'_>, start: usize, n: usize) -> Self {
        let at = e.len();
        e.grow(2 * (n + 1));
        let mut w = Boundaries {
            start,
            at,
            done: 0,
            n: n + 1,
            wide: false,
        };
        w.mark(e);
        w
    }

    /// Stores the boundary where the buffer ends.
    #[inline(always)]
    pub fn mark(&mut self, e: &mut Encoder<'_>) {
        let end = e.len() - self.start;
        if end > NARROW {
            return self.mark_wide(e);
        }
        e.set(self.at + 2 * self.done, &(end as u16).to_le_bytes());
        self.done += 1;
    }

    /// Stores a boundary past [`NARROW`]; on the first one, widens the words before it.
    #[cold]
    fn mark_wide(&mut self, e: &mut Encoder<'_>) {
        if !self.wide {
            let narrow = e
                .out
                .get(self.at..self.at + 2 * self.done)
                .unwrap_or_default();
            let words: Vec<u32> = narrow
                .chunks_exact(2)
                .map(|w| u32::from(wire::u16(w)))
                .collect();
            e.insert(self.at + 2 * self.n, 2 * self.n);
            for (i, word) in words.iter().enumerate() {
                e.set(self.at + 4 * i, &(word + 2 * self.n as u32).to_le_bytes());
            }
            self.wide = true;
        }
        let end = (e.len() - self.start) as u32;
        e.set(self.at + 4 * self.done, &end.to_le_bytes());
        self.done += 1;
    }
}
