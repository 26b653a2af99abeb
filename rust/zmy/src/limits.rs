//! Limits of what is written and read: options, their defaults, and depth.

use crate::{Code, Result};

/// Bytes of a message, where an option is 0.
pub const DEFAULT_MAX_WIRE: usize = 128 << 10;
/// Bytes of a message before compression, where an option is 0.
pub const DEFAULT_MAX_RAW: usize = 4 << 20;
/// Structs and values of any kind inside each other, where an option is 0.
pub const DEFAULT_MAX_DEPTH: u32 = 64;
/// Units of a decoded value, where an option is 0, or 16 for each byte of the limit
/// on the message if that is more.
pub const DEFAULT_BUDGET: u64 = 16 << 20;

fn limit(set: usize, default: usize) -> usize {
    match set {
        0 => default,
        n => n.min(i32::MAX as usize),
    }
}

fn depth(set: u32) -> u32 {
    match set {
        0 => DEFAULT_MAX_DEPTH,
        n => n.min(i32::MAX as u32),
    }
}

fn raw(max_wire: usize, max_raw: usize) -> usize {
    limit(
        max_raw,
        DEFAULT_MAX_RAW.max(limit(max_wire, DEFAULT_MAX_WIRE)),
    )
}

/// Limits of what is written. 0 is the default of each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EncodeOptions {
    /// The largest message, envelope or chunk, in bytes: 128 KiB.
    pub max_wire: usize,
    /// The largest message before compression: 4 MiB. What is not compressed obeys
    /// both.
    pub max_raw: usize,
    /// Structs and values of any kind inside each other, the message being 1: 64.
    pub max_depth: u32,
}

#[cfg(feature = "alloc")]
impl EncodeOptions {
    pub(crate) fn wire(&self) -> usize {
        limit(self.max_wire, DEFAULT_MAX_WIRE)
    }

    pub(crate) fn raw(&self) -> usize {
        raw(self.max_wire, self.max_raw)
    }

    /// The largest bare message.
    pub(crate) fn message(&self) -> usize {
        self.wire().min(self.raw())
    }

    pub(crate) fn depth(&self) -> u32 {
        depth(self.max_depth)
    }
}

/// Limits of what is read, which hold on hostile bytes. 0 is the default of each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DecodeOptions {
    /// The largest message, envelope or chunk, in bytes: 128 KiB.
    pub max_wire: usize,
    /// The largest message once decompressed: 4 MiB. What is not compressed obeys both.
    pub max_raw: usize,
    /// Structs and values of any kind inside each other, the message being 1: 64. Each
    /// level takes stack, some hundred bytes and what its struct takes.
    pub max_depth: u32,
    /// What the decoded value may take, in the units of the specification, about one a
    /// byte: 16 Mi, or 16 for each byte of `max_wire` if that is more. In memory it takes at
    /// most two bytes for each unit of the budget, four for each byte of the message, and 64 KiB.
    pub budget: u64,
    /// Refuses messages of older and of newer versions, and content in the place of a
    /// reserved field that is not passed on.
    pub exact: bool,
}

impl DecodeOptions {
    pub(crate) fn wire(&self) -> usize {
        limit(self.max_wire, DEFAULT_MAX_WIRE)
    }

    pub(crate) fn raw(&self) -> usize {
        raw(self.max_wire, self.max_raw)
    }

    /// The largest bare message.
    pub(crate) fn message(&self) -> usize {
        self.wire().min(self.raw())
    }

    pub(crate) fn depth(&self) -> u32 {
        depth(self.max_depth)
    }

    pub(crate) fn walk(&self) -> Walk {
        Walk {
            left: self.depth(),
            exact: self.exact,
        }
    }

    /// The units that a message may take, of which `n` bytes are expected.
    #[cfg(feature = "alloc")]
    pub(crate) fn budget(&self, n: usize) -> u64 {
        match self.budget {
            0 => DEFAULT_BUDGET.max(16 * n as u64),
            n => n,
        }
    }
}

/// What a check obeys on its way down.
#[derive(Clone, Copy, Debug)]
pub struct Walk {
    /// How many more levels may be entered, the current one included.
    pub left: u32,
    /// Only the reader's own version is accepted.
    pub exact: bool,
}

impl Walk {
    /// One level down.
    #[inline(always)]
    pub(crate) fn enter(self) -> Self {
        Walk {
            left: self.left.saturating_sub(1),
            ..self
        }
    }

    pub(crate) fn reserved(self, empty: bool) -> Result<()> {
        if self.exact && !empty {
            return Err(Code::Version.into());
        }
        Ok(())
    }
}

/// Refuses to enter another level.
#[inline(always)]
pub fn enter(left: u32) -> Result<()> {
    if left == 0 {
        return Err(Code::Depth.into());
    }
    Ok(())
}

/// Refuses a message of more bytes than the limit.
pub(crate) fn too_large(len: usize, limit: usize) -> Result<()> {
    if len > limit {
        return Err(Code::TooLarge.into());
    }
    Ok(())
}
