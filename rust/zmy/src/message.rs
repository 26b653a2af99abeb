//! Functions and traits for programs: encoding, decoding, verifying, viewing.

use crate::error::DecodeError;
use crate::layout::{Layout, Raw};
use crate::limits::{too_large, DecodeOptions};
use crate::section::head;
use crate::wire::HEAD;

#[cfg(feature = "alloc")]
use crate::{
    codec::Record, decoder::Decoder, encoder::Encoder, error::EncodeError, flat,
    limits::EncodeOptions, wire,
};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// A type of messages. Generated code implements it for the types that the generator was given.
pub trait Message: Layout {
    /// The fingerprint that envelopes carry. It depends on numbers, types and order of the fields,
    /// not on names.
    const FINGERPRINT: u64;
    /// The schema block, a message that describes the type.
    const SCHEMA: &'static [u8];
}

/// Checks all of the message `b` of type `T`, without allocations. A message that it accepts can be
/// viewed, and can be decoded if the budget allows it.
///
/// # Errors
/// The first fault, and its place.
#[inline]
pub fn verify<T: Message>(b: &[u8], o: &DecodeOptions) -> Result<(), DecodeError> {
    let sized = too_large(b.len(), o.message());
    sized
        .and_then(|()| T::check(b, head(b)?, HEAD, o.walk()))
        .map_err(|f| DecodeError::new(T::NAME, f))
}

/// Verifies the message `b` and opens it in place, without copies or allocations.
///
/// # Errors
/// As [`verify`].
#[inline(always)]
pub fn view<T: Message>(b: &[u8]) -> Result<T::View<'_>, DecodeError> {
    view_with::<T>(b, &DecodeOptions::default())
}

/// [`view`] under other limits.
///
/// # Errors
/// As [`verify`].
#[inline(always)]
pub fn view_with<'a, T: Message>(
    b: &'a [u8],
    o: &DecodeOptions,
) -> Result<T::View<'a>, DecodeError> {
    verify::<T>(b, o)?;
    Ok(T::view(Raw::slot(b)))
}

/// Opens the message `b` in place, and checks only the sections of its outermost struct. It is for
/// messages that were verified before, or are too large to be read whole. Reading malformed bytes
/// gives some value, and never panics.
///
/// # Errors
/// The fault of the outermost struct.
#[inline]
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
    /// The value has no message: a time is beyond its years, or nesting or size beyond the limits.
    fn encode(&self) -> Result<Vec<u8>, EncodeError> {
        let mut out = Vec::with_capacity(if Self::FLAT { 0 } else { 256 });
        self.encode_into(&mut out, &EncodeOptions::default())?;
        Ok(out)
    }

    /// Appends the value as a message, under the given limits. On an error `out` is as it was.
    ///
    /// # Errors
    /// As [`Encode::encode`].
    fn encode_into(&self, out: &mut Vec<u8>, o: &EncodeOptions) -> Result<(), EncodeError> {
        put(self, out, o, o.message())
    }
}

/// Memory in which messages are encoded one after the other. It is the fastest way to encode:
/// memory that is taken once is neither cleared nor freed between messages.
///
/// ```
/// # mod shop {
/// #     include!("../tests/golden/order_lite.rs");
/// # }
/// use shop::Order;
///
/// let mut buffer = zmy::Buffer::new();
/// for id in ["A-1", "A-2"] {
///     let order = Order { id: id.into(), ..Order::default() };
///     let message: &[u8] = buffer.encode(&order)?;
///     assert_eq!(zmy::view::<Order>(message)?.id(), id);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Debug, Default)]
pub struct Buffer(Vec<u8>); // the last message, and what is left of longer ones before it

#[cfg(feature = "alloc")]
impl Buffer {
    /// A buffer without memory.
    pub const fn new() -> Self {
        Buffer(Vec::new())
    }

    /// Takes memory for a message of `n` bytes. Sizes are powers of two, so that a message is too
    /// large for the memory at most a few times.
    #[cold]
    fn grow(&mut self, n: usize) {
        if n > self.0.len() {
            self.0.resize(n.next_power_of_two(), 0);
        }
    }

    /// Returns the value as a message, under the default limits.
    ///
    /// # Errors
    /// As [`Encode::encode`].
    #[inline]
    pub fn encode<T: Encode>(&mut self, v: &T) -> Result<&[u8], EncodeError> {
        self.encode_with(v, &EncodeOptions::default())
    }

    /// [`Buffer::encode`] under other limits.
    ///
    /// # Errors
    /// As [`Encode::encode`].
    #[inline]
    pub fn encode_with<T: Encode>(
        &mut self,
        v: &T,
        o: &EncodeOptions,
    ) -> Result<&[u8], EncodeError> {
        let (max, depth) = (o.message(), o.depth());
        let mut done = flat::message(v, &mut self.0, depth, max);
        if done.is_none() {
            self.grow(flat::size(v, max).unwrap_or(0));
            done = flat::message(v, &mut self.0, depth, max);
        }
        if let Some(n) = done {
            return Ok(wire::part(&self.0, 0, n));
        }
        self.0.clear();
        put(v, &mut self.0, o, max)?;
        Ok(&self.0)
    }
}

#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn put<T: Record>(
    v: &T,
    out: &mut Vec<u8>,
    o: &EncodeOptions,
    max: usize,
) -> Result<(), EncodeError> {
    if flat::append(v, out, o.depth(), max) {
        return Ok(());
    }
    let start = out.len();
    let mut e = Encoder::new(out, max);
    let done = v
        .put(&mut e, v.header(), true, o.depth())
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
    /// The first fault, and its place.
    fn decode(b: &[u8]) -> Result<Self, DecodeError> {
        Self::decode_with(b, &DecodeOptions::default())
    }

    /// Reads a message, under the given limits.
    ///
    /// # Errors
    /// As [`Decode::decode`].
    fn decode_with(b: &[u8], o: &DecodeOptions) -> Result<Self, DecodeError> {
        get(b, o, o.message(), o.budget(o.message()))
    }
}

#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn get<T: Record>(
    b: &[u8],
    o: &DecodeOptions,
    max: usize,
    budget: u64,
) -> Result<T, DecodeError> {
    let mut d = Decoder::new(budget, o.exact, b.len());
    let h = too_large(b.len(), max).and_then(|()| head(b));
    h.and_then(|h| T::get(b, h, HEAD, &mut d, o.depth()))
        .map_err(|f| DecodeError::new(T::NAME, f))
}

#[cfg(feature = "alloc")]
impl<T: Message + Record> Decode for T {}
