//! The state of one decoding: the budget that is left.

use crate::limits::Walk;
use crate::{Code, Fault, Result};

/// The units of the budget that a slot takes.
pub const SLOT: u64 = 24;

/// The state of one decoding: the budget that is left, and which versions are accepted.
#[derive(Debug)]
pub struct Decoder {
    left: u64, // units of the budget that are left
    free: u64, // units of memory beyond the budget that are granted
    fat: u64,  // bytes of memory taken beyond two for each unit
    held: u64, // units taken from `left` for such memory
    exact: bool,
}

impl Decoder {
    /// The state before a message of `n` bytes. A unit is two bytes of memory. One byte of memory
    /// for each byte of the message, and 64 KiB, are free (spec/FORMAT.md, section 9).
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

    /// The limits of a check of a slot.
    #[inline(always)]
    pub(crate) fn walk(&self, left: u32) -> Walk {
        Walk {
            left,
            exact: self.exact,
        }
    }

    /// Charges `n` elements of `cost` units and `mem` bytes of memory each. Callers do so before
    /// they allocate. Memory beyond two bytes for each unit counts against the budget too, as far
    /// as it is not free (spec/FORMAT.md, section 9).
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

    /// Charges `n` elements that take `more` bytes each beyond two for each unit. It is apart from
    /// [`Decoder::charge`], which is inlined, because most types take less.
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

    /// The fault of elements beyond the budget: BUDGET if they are so in every language, MEMORY if
    /// only their memory in this one is.
    #[cold]
    fn over(&self, n: usize, cost: u64) -> Fault {
        let budget = self.left.saturating_add(self.held);
        match (n as u64).checked_mul(cost) {
            Some(units) if units <= budget => Code::Memory.into(),
            _ => Code::Budget.into(),
        }
    }
}
