//! Limits of messages that are written or read: options, their defaults, and depth.

use crate::{Code, Result};

/// The limit of a message in bytes, if `max_wire` is 0.
pub const DEFAULT_MAX_WIRE: usize = 128 << 10;
/// The limit of a message in bytes before compression, if `max_raw` is 0.
pub const DEFAULT_MAX_RAW: usize = 4 << 20;
/// The limit of structs and values of any kind inside each other, if `max_depth` is 0.
pub const DEFAULT_MAX_DEPTH: u32 = 64;
/// The units of a decoded value, if `budget` is 0: this many, or 16 for each byte that the message
/// may have, if that is more.
pub const DEFAULT_BUDGET: u64 = 16 << 20;

/// The limit that an option sets. It fits 31 bits in every language.
#[inline]
fn limit(set: usize, default: usize) -> usize {
    match set {
        0 => default,
        n => n.min(i32::MAX as usize),
    }
}

#[inline]
fn depth(set: u32) -> u32 {
    match set {
        0 => DEFAULT_MAX_DEPTH,
        n => n.min(i32::MAX as u32),
    }
}

/// The limit before compression. It follows a larger `max_wire`, so that a program need not set
/// both options.
#[inline]
fn raw(max_wire: usize, max_raw: usize) -> usize {
    limit(
        max_raw,
        DEFAULT_MAX_RAW.max(limit(max_wire, DEFAULT_MAX_WIRE)),
    )
}

/// Limits of messages that are written. 0 is the default of each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EncodeOptions {
    /// The largest message, envelope or chunk, in bytes: 128 KiB.
    pub max_wire: usize,
    /// The largest message before compression: 4 MiB. Both limits apply to a message that is not
    /// compressed.
    pub max_raw: usize,
    /// Structs and values of any kind inside each other, the message being 1: 64.
    pub max_depth: u32,
}

#[cfg(feature = "alloc")]
impl EncodeOptions {
    #[inline]
    pub(crate) fn wire(&self) -> usize {
        limit(self.max_wire, DEFAULT_MAX_WIRE)
    }

    #[inline]
    pub(crate) fn raw(&self) -> usize {
        raw(self.max_wire, self.max_raw)
    }

    /// The largest bare message.
    #[inline]
    pub(crate) fn message(&self) -> usize {
        self.wire().min(self.raw())
    }

    #[inline]
    pub(crate) fn depth(&self) -> u32 {
        depth(self.max_depth)
    }
}

/// Limits of messages that are read, which hold on hostile bytes. 0 is the default of each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DecodeOptions {
    /// The largest message, envelope or chunk, in bytes: 128 KiB.
    pub max_wire: usize,
    /// The largest message once decompressed: 4 MiB. Both limits apply to a message that is not
    /// compressed.
    pub max_raw: usize,
    /// Structs and values of any kind inside each other, the message being 1: 64. Each
    /// level takes stack, some hundred bytes and what its struct takes.
    pub max_depth: u32,
    /// The size of the decoded value, in the units of the specification, about one for each byte:
    /// 16 Mi, or 16 for each byte of `max_wire` if that is more. In memory the value takes at most
    /// two bytes for each unit of the budget, four for each byte of the message, and 64 KiB.
    pub budget: u64,
    /// Refuses messages of older and of newer versions, and content of reserved fields that the
    /// type does not carry.
    pub exact: bool,
}

impl DecodeOptions {
    #[inline]
    pub(crate) fn wire(&self) -> usize {
        limit(self.max_wire, DEFAULT_MAX_WIRE)
    }

    #[inline]
    pub(crate) fn raw(&self) -> usize {
        raw(self.max_wire, self.max_raw)
    }

    /// The largest bare message.
    #[inline]
    pub(crate) fn message(&self) -> usize {
        self.wire().min(self.raw())
    }

    #[inline]
    pub(crate) fn depth(&self) -> u32 {
        depth(self.max_depth)
    }

    #[inline]
    pub(crate) fn walk(&self) -> Walk {
        Walk {
            left: self.depth(),
            exact: self.exact,
        }
    }

    /// The units of a value whose message has at most `n` bytes.
    #[cfg(feature = "alloc")]
    #[inline]
    pub(crate) fn budget(&self, n: usize) -> u64 {
        match self.budget {
            0 => DEFAULT_BUDGET.max(16 * n as u64),
            n => n,
        }
    }
}

/// The limits of a check on its way down.
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

    /// Refuses a reserved field that is not empty, if only the reader's own version is accepted.
    #[inline]
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
#[inline]
pub(crate) fn too_large(len: usize, limit: usize) -> Result<()> {
    if len > limit {
        return Err(Code::TooLarge.into());
    }
    Ok(())
}
