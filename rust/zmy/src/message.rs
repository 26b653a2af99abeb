//! What a program calls: encoding, decoding, verifying, and their limits.

use crate::layout::{self, Layout, Walk};
use crate::view::{too_large, Raw};
use crate::{Code, Fault};
use core::fmt;

#[cfg(feature = "alloc")]
use crate::{codec::Record, decoder::Decoder, encoder::Encoder, wire::HEAD};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

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

pub(crate) fn depth(set: u32) -> u32 {
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
    fn message(&self) -> usize {
        self.wire().min(self.raw())
    }

    pub(crate) fn depth(&self) -> u32 {
        depth(self.max_depth)
    }

    #[cfg(feature = "alloc")]
    pub(crate) fn budget(&self) -> u64 {
        match self.budget {
            0 => DEFAULT_BUDGET.max(16 * self.message() as u64),
            n => n,
        }
    }
}

/// Bytes that are no message of the type: what is wrong, where, and the way there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    name: &'static str,
    fault: Fault,
}

impl DecodeError {
    pub(crate) fn new(name: &'static str, fault: Fault) -> Self {
        DecodeError { name, fault }
    }

    /// What is wrong.
    pub fn code(&self) -> Code {
        self.fault.code()
    }

    /// Where, in bytes from the start of the message.
    pub fn offset(&self) -> usize {
        self.fault.offset()
    }

    /// The fields on the way from the message: `Items[3].Price`. Empty for the message
    /// itself.
    pub fn path(&self) -> &str {
        self.fault.path()
    }
}

fn write_place(f: &mut fmt::Formatter<'_>, name: &str, path: &str) -> fmt::Result {
    match path {
        "" => f.write_str(name),
        path if path.starts_with('[') => write!(f, "{name}{path}"),
        path => write!(f, "{name}.{path}"),
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("zmy: decode ")?;
        write_place(f, self.name, self.path())?;
        write!(f, ": {} at offset {}", self.code(), self.offset())
    }
}

impl core::error::Error for DecodeError {}

/// A value that has no message: what is wrong, and the way there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodeError {
    name: &'static str,
    fault: Fault,
}

impl EncodeError {
    #[cfg(feature = "alloc")]
    pub(crate) fn new(name: &'static str, fault: Fault) -> Self {
        EncodeError { name, fault }
    }

    /// What is wrong.
    pub fn code(&self) -> Code {
        self.fault.code()
    }

    /// The fields on the way from the message: `Items[3].Price`.
    pub fn path(&self) -> &str {
        self.fault.path()
    }
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("zmy: encode ")?;
        write_place(f, self.name, self.path())?;
        write!(f, ": {}", self.code())
    }
}

impl core::error::Error for EncodeError {}

/// A type of messages. Generated code implements it for the types that it was asked for.
pub trait Message: Layout {
    /// The fingerprint that envelopes carry: it stands for numbers, types and order of
    /// the fields, not for names.
    const FINGERPRINT: u64;
    /// The schema block, a message that describes the type.
    const SCHEMA: &'static [u8];
}

/// Checks all of the message `b` of type `T`; nothing is allocated. What it accepts
/// can be decoded, budget permitting, and viewed.
///
/// # Errors
/// What is wrong first, and where.
pub fn verify<T: Message>(b: &[u8], o: &DecodeOptions) -> Result<(), DecodeError> {
    let sized = too_large(b.len(), o.message());
    sized
        .and_then(|()| layout::verify::<T>(b, Walk::new(o.depth(), o.exact)))
        .map_err(|f| DecodeError::new(T::NAME, f))
}

/// Verifies the message `b` and opens it in place: nothing is copied, nothing
/// allocated.
///
/// # Errors
/// As [`verify`].
pub fn view<T: Message>(b: &[u8]) -> Result<T::View<'_>, DecodeError> {
    view_with::<T>(b, &DecodeOptions::default())
}

/// [`view`] under other limits.
///
/// # Errors
/// As [`verify`].
pub fn view_with<'a, T: Message>(
    b: &'a [u8],
    o: &DecodeOptions,
) -> Result<T::View<'a>, DecodeError> {
    verify::<T>(b, o)?;
    view_unverified::<T>(b)
}

/// Opens the message `b` in place and checks only the sections of its outermost
/// struct: for messages that were verified before, or are too large to be read whole.
/// Reading what is malformed gives some value, and never panics.
///
/// # Errors
/// What is wrong with the outermost struct.
pub fn view_unverified<T: Message>(b: &[u8]) -> Result<T::View<'_>, DecodeError> {
    Raw::open::<T>(b)
        .map(T::view)
        .map_err(|f| DecodeError::new(T::NAME, f))
}

/// A type whose values can be written as messages.
#[cfg(feature = "alloc")]
pub trait Encode: Message + Record {
    /// The value as a message, under the default limits.
    ///
    /// # Errors
    /// A value that has no message: a time beyond its years, nesting or size beyond the
    /// limits.
    fn encode(&self) -> Result<Vec<u8>, EncodeError> {
        let mut out = Vec::with_capacity(256);
        self.encode_into(&mut out, &EncodeOptions::default())?;
        Ok(out)
    }

    /// Appends the value as a message, under the given limits. On an error `out` is as
    /// it was.
    ///
    /// # Errors
    /// As [`Encode::encode`].
    fn encode_into(&self, out: &mut Vec<u8>, o: &EncodeOptions) -> Result<(), EncodeError> {
        put(self, out, o.wire().min(o.raw()), depth(o.max_depth))
    }
}

#[cfg(feature = "alloc")]
pub(crate) fn put<T: Record>(
    v: &T,
    out: &mut Vec<u8>,
    max: usize,
    depth: u32,
) -> Result<(), EncodeError> {
    let start = out.len();
    let mut e = Encoder::new(out, max);
    let done = v
        .put(&mut e, v.header(), true, depth)
        .and_then(|()| e.fits());
    done.map_err(|f| {
        out.truncate(start);
        EncodeError::new(T::NAME, f)
    })
}

#[cfg(feature = "alloc")]
impl<T: Message + Record> Encode for T {}

/// A type whose values can be read from messages.
#[cfg(feature = "alloc")]
pub trait Decode: Message + Record {
    /// Reads a message, under the default limits: safe on hostile bytes.
    ///
    /// # Errors
    /// What is wrong with the bytes first, and where.
    fn decode(b: &[u8]) -> Result<Self, DecodeError> {
        Self::decode_with(b, &DecodeOptions::default())
    }

    /// Reads a message, under the given limits.
    ///
    /// # Errors
    /// As [`Decode::decode`].
    fn decode_with(b: &[u8], o: &DecodeOptions) -> Result<Self, DecodeError> {
        get(b, o, o.message(), o.budget())
    }
}

#[cfg(feature = "alloc")]
pub(crate) fn get<T: Record>(
    b: &[u8],
    o: &DecodeOptions,
    max: usize,
    budget: u64,
) -> Result<T, DecodeError> {
    let mut d = Decoder::new(budget, o.exact, b.len());
    let h = too_large(b.len(), max).and_then(|()| layout::head(b));
    h.and_then(|h| T::get(b, h, HEAD, &mut d, o.depth()))
        .map_err(|f| DecodeError::new(T::NAME, f))
}

#[cfg(feature = "alloc")]
impl<T: Message + Record> Decode for T {}
