use crate::layout::Walk;
use crate::{Code, Fault, Result, Unknown};

/// The state of one decoding: what may still be taken, and which versions.
#[derive(Debug)]
pub struct Decoder {
    budget: u64,
    pub(crate) exact: bool,
}

impl Decoder {
    pub(crate) fn new(budget: u64, exact: bool) -> Self {
        Decoder { budget, exact }
    }

    /// Only the reader's own version is accepted.
    #[inline(always)]
    pub fn exact(&self) -> bool {
        self.exact
    }

    /// What a check of a slot obeys.
    #[inline(always)]
    pub(crate) fn walk(&self, left: u32) -> Walk {
        Walk::new(left, self.exact)
    }

    /// Takes `n` elements of `cost` units each from the budget, before their memory
    /// is taken.
    #[inline]
    pub fn charge(&mut self, n: usize, cost: u64) -> Result<()> {
        match (n as u64)
            .checked_mul(cost)
            .and_then(|c| self.budget.checked_sub(c))
        {
            Some(left) => {
                self.budget = left;
                Ok(())
            }
            None => Err(Code::Budget.into()),
        }
    }

    /// What becomes of the content `x` of a reserved field: it is carried, or dropped
    /// unless the caller forbids it. Nothing is content that is not there.
    pub(crate) fn reserved(
        &mut self,
        x: &[u8],
        keep: Option<&mut Unknown>,
        number: u32,
    ) -> Result<()> {
        match keep {
            _ if x.is_empty() => Ok(()),
            Some(keep) => {
                self.charge(1, 24)?;
                keep.keep(number, x);
                Ok(())
            }
            None if self.exact => Err(Fault::new(Code::Version, 0)),
            None => Ok(()),
        }
    }
}
