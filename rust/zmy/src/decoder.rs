//! Reading: the state of one decoding.

use crate::limits::Walk;
use crate::{Code, Fault, Result};

/// What a slot takes of the budget.
pub const SLOT: u64 = 24;

/// The state of one decoding: what may still be taken, and which versions.
#[derive(Debug)]
pub struct Decoder {
    left: u64, // units of the budget that may still be taken
    free: u64, // units granted for what takes more memory than its units
    fat: u64,  // bytes of memory taken beyond two for each unit
    held: u64, // units that are not in `left` any more, since memory was taken for them
    exact: bool,
}

impl Decoder {
    /// Decodes a message of `n` bytes.
    pub(crate) fn new(budget: u64, exact: bool, n: usize) -> Self {
        Decoder {
            left: budget,
            free: (n as u64 / 2) + (32 << 10),
            fat: 0,
            held: 0,
            exact,
        }
    }

    /// Only the reader's own version is accepted.
    #[inline(always)]
    pub fn exact(&self) -> bool {
        self.exact
    }

    /// What a check of a slot obeys.
    #[inline(always)]
    pub(crate) fn walk(&self, left: u32) -> Walk {
        Walk {
            left,
            exact: self.exact,
        }
    }

    /// Takes `n` elements of `cost` units each from the budget, before their memory is
    /// taken: `mem` bytes each. Memory beyond two bytes for each unit counts against the
    /// budget too, as far as it is not free (spec/FORMAT.md, section 9).
    #[inline(always)]
    pub fn charge(&mut self, n: usize, cost: u64, mem: usize) -> Result<()> {
        if mem as u64 > 2 * cost {
            return self.charge_fat(n, cost, mem as u64 - 2 * cost);
        }
        match (n as u64)
            .checked_mul(cost)
            .and_then(|c| self.left.checked_sub(c))
        {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(self.over(n, cost)),
        }
    }

    /// Takes `n` elements, each of which takes `more` bytes beyond two for each unit.
    #[inline(never)]
    fn charge_fat(&mut self, n: usize, cost: u64, more: u64) -> Result<()> {
        let fat = self.fat.saturating_add((n as u64).saturating_mul(more));
        let held = fat.div_ceil(2).saturating_sub(self.free);
        let budget = self.left.saturating_add(self.held);
        let left = (n as u64)
            .checked_mul(cost)
            .and_then(|c| budget.checked_sub(c))
            .and_then(|left| left.checked_sub(held));
        match left {
            Some(left) => {
                (self.left, self.fat, self.held) = (left, fat, held);
                Ok(())
            }
            None => Err(self.over(n, cost)),
        }
    }

    /// The fault of what does not fit: BUDGET in every language, or MEMORY in this one.
    #[cold]
    fn over(&self, n: usize, cost: u64) -> Fault {
        let budget = self.left.saturating_add(self.held);
        match (n as u64).checked_mul(cost) {
            Some(units) if units <= budget => Code::Memory.into(),
            _ => Code::Budget.into(),
        }
    }
}
