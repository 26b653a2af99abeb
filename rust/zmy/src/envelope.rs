//! Envelopes: messages with their fingerprint, schema and checksum, for readers that do not know
//! them from the context. `spec/ENVELOPE.md` of the project specifies the bytes.

use crate::crc::checksum;
use crate::error::DecodeError;
use crate::limits::{DecodeOptions, EncodeOptions};
use crate::message::{self, Decode, Encode};
use crate::wire;
use crate::Code;
use alloc::borrow::Cow;
use alloc::vec::Vec;

mod error;

pub use error::{EnvelopeError, Error};

/// How bytes are compressed. The numbers are those of the format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compression {
    /// No compression.
    #[default]
    None = 0,
    /// One LZ4 block.
    Lz4 = 1,
    /// Zstandard frames, RFC 8878.
    Zstd = 2,
}

/// Compresses bodies and chunks. This crate has no compressor: a few lines of a program wrap a
/// library's.
pub trait Compressor {
    /// The compression that the bytes are marked with.
    fn id(&self) -> Compression;
    /// Appends the compressed form of `src`, or returns false if it cannot.
    fn compress(&self, src: &[u8], out: &mut Vec<u8>) -> bool;
    /// Appends the bytes whose compressed form is `src`, or returns false. There must be `raw_len`
    /// of them, which is within the reader's limits. It must fail as soon as there are more, or a
    /// few bytes could fill the memory.
    fn decompress(&self, src: &[u8], raw_len: usize, out: &mut Vec<u8>) -> bool;
}

/// The number of bytes that an envelope adds to its body.
pub const ENVELOPE_OVERHEAD: usize = 24;

const MAGIC: [u8; 4] = *b"ZMY\x01";
const CHECKSUM: u16 = 1;
const SCHEMA: u16 = 1 << 1;
const COMPRESSION: u16 = 3 << 2;
pub(crate) const STREAM: u16 = 1 << 4;
const KNOWN: u16 = CHECKSUM | SCHEMA | COMPRESSION | STREAM;

/// The header of an envelope, its first 24 bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Header {
    pub flags: u16,
    pub fingerprint: u64,
    pub body: usize,
    sum: u32,
}

impl Header {
    pub fn has_checksum(self) -> bool {
        self.flags & CHECKSUM != 0
    }

    pub fn has_schema(self) -> bool {
        self.flags & SCHEMA != 0
    }

    pub fn compression(self) -> Compression {
        match self.flags >> 2 & 3 {
            0 => Compression::None,
            1 => Compression::Lz4,
            _ => Compression::Zstd,
        }
    }

    /// Reads a header. It refuses all bits that have no meaning in this version, so that a later
    /// one can give them one.
    pub fn parse(b: &[u8]) -> Result<Self, EnvelopeError> {
        let fail = |code, at| Err(EnvelopeError::new(code, at));
        if b.len() < ENVELOPE_OVERHEAD {
            return fail(Code::Truncated, b.len());
        }
        if !b.starts_with(&MAGIC) {
            return fail(Code::Magic, 0);
        }
        let h = Header {
            flags: wire::u16(wire::rest(b, 4)),
            fingerprint: wire::u64(wire::rest(b, 8)),
            body: wire::u32(wire::rest(b, 16)) as usize,
            sum: wire::u32(wire::rest(b, 20)),
        };
        if h.flags & !KNOWN != 0 || h.flags & COMPRESSION == COMPRESSION {
            return fail(Code::Reserved, 4);
        }
        if wire::u16(wire::rest(b, 6)) != 0 {
            return fail(Code::Reserved, 6);
        }
        if !h.has_checksum() && h.sum != 0 {
            return fail(Code::Reserved, 20);
        }
        Ok(h)
    }

    /// The bytes of the header around this body.
    pub fn bytes(self, body: &[u8]) -> [u8; ENVELOPE_OVERHEAD] {
        let mut b = [0; ENVELOPE_OVERHEAD];
        let fields = MAGIC
            .into_iter()
            .chain(self.flags.to_le_bytes())
            .chain([0; 2])
            .chain(self.fingerprint.to_le_bytes())
            .chain((body.len() as u32).to_le_bytes());
        for (to, from) in b.iter_mut().zip(fields) {
            *to = from;
        }
        if self.has_checksum() {
            let sum = checksum(&[wire::part(&b, 0, 20), body]).to_le_bytes();
            for (to, from) in b.iter_mut().skip(20).zip(sum) {
                *to = from;
            }
        }
        b
    }
}

/// A message, and the rest of its envelope. If the envelope is not compressed, message and schema
/// are borrowed from it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Envelope<'a> {
    /// The fingerprint of the message's type; 0 if it is unknown.
    pub fingerprint: u64,
    /// The compression of the body.
    pub compression: Compression,
    /// Whether the envelope has a checksum, which is then right.
    pub checksum: bool,
    /// The schema block.
    pub schema: Option<Cow<'a, [u8]>>,
    /// The bare message.
    pub message: Cow<'a, [u8]>,
}

/// Options of envelopes and streams that are written. The default is a checksum, no compression and
/// no schema.
#[derive(Clone, Copy, Default)]
pub struct SealOptions<'c> {
    /// `max_wire` limits the envelope, and each chunk of a stream; `max_raw` limits its content
    /// before compression.
    pub encode: EncodeOptions,
    /// Compresses the bodies that get smaller by it.
    pub compressor: Option<&'c dyn Compressor>,
    /// Adds the schema.
    pub describe: bool,
    /// Leaves out the checksum, for channels that have their own.
    pub no_checksum: bool,
    /// The number of bytes of a record in a chunk of a stream, before compression; 0 is 64 KiB.
    pub chunk_size: usize,
}

impl SealOptions<'_> {
    /// Appends the value as a message in an envelope.
    ///
    /// # Errors
    /// The value has no message, or is beyond the limits; `out` is then as it was.
    pub fn seal<T: Encode>(&self, v: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        let mut message = Vec::new();
        let max = match self.compressor {
            Some(_) => self.encode.raw(),
            None => self.encode.message(),
        };
        message::put(v, &mut message, &self.encode, max)?;
        let schema = self.describe.then_some(T::SCHEMA);
        Ok(self.wrap(T::FINGERPRINT, schema, &message, out)?)
    }

    /// Appends an envelope around a message and, if given, a schema block.
    ///
    /// # Errors
    /// The limit that is exceeded; `out` is then as it was.
    pub fn wrap(
        &self,
        fingerprint: u64,
        schema: Option<&[u8]>,
        message: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), EnvelopeError> {
        let mut payload = Vec::with_capacity(message.len());
        if let Some(schema) = schema {
            payload.extend_from_slice(&(schema.len() as u32).to_le_bytes());
            payload.extend_from_slice(schema);
        }
        payload.extend_from_slice(message);
        if payload.len() > self.encode.raw() {
            return Err(EnvelopeError::new(Code::TooLarge, 0));
        }
        let squeezed = self.squeeze(&payload)?;
        let body = squeezed.as_deref().unwrap_or(&payload);
        if body.len() + ENVELOPE_OVERHEAD > self.encode.wire() {
            return Err(EnvelopeError::new(Code::TooLarge, 0));
        }
        let header = self.header(fingerprint, schema.is_some(), squeezed.is_some());
        out.extend_from_slice(&header.bytes(body));
        out.extend_from_slice(body);
        Ok(())
    }

    pub(crate) fn header(&self, fingerprint: u64, schema: bool, compressed: bool) -> Header {
        let mut flags = if self.no_checksum { 0 } else { CHECKSUM };
        if schema {
            flags |= SCHEMA;
        }
        if let (true, Some(c)) = (compressed, self.compressor) {
            flags |= (c.id() as u16) << 2;
        }
        Header {
            flags,
            fingerprint,
            ..Header::default()
        }
    }

    /// The size of `raw` and its compressed form, if both are shorter than `raw`.
    pub(crate) fn squeeze(&self, raw: &[u8]) -> Result<Option<Vec<u8>>, EnvelopeError> {
        let Some(c) = self.compressor.filter(|_| !raw.is_empty()) else {
            return Ok(None);
        };
        let mut out = (raw.len() as u32).to_le_bytes().to_vec();
        if !c.compress(raw, &mut out) {
            return Err(EnvelopeError::new(Code::Compression, 0));
        }
        Ok((out.len() < raw.len()).then_some(out))
    }
}

/// Options of envelopes and streams that are read. The default is safe on hostile bytes.
#[derive(Clone, Copy, Default)]
pub struct OpenOptions<'c> {
    /// `max_wire` limits the envelope, and each chunk of a stream, as they are received. `max_raw`
    /// limits the same once decompressed, each record, and the message.
    pub decode: DecodeOptions,
    /// The compressors that may be used. Compressed bodies that need another are refused.
    pub compressors: &'c [&'c dyn Compressor],
    /// Refuses envelopes and streams without a checksum.
    pub need_checksum: bool,
}

impl OpenOptions<'_> {
    /// Takes an envelope apart and checks it, but not the message in it. It accepts envelopes only,
    /// and does not guess at bare messages.
    ///
    /// # Errors
    /// The first fault of the envelope.
    pub fn open<'a>(&self, b: &'a [u8]) -> Result<Envelope<'a>, EnvelopeError> {
        let fail = |code, at| Err(EnvelopeError::new(code, at));
        if b.len() > self.decode.wire() {
            return fail(Code::TooLarge, 0);
        }
        let h = Header::parse(b)?;
        if h.flags & STREAM != 0 {
            return fail(Code::Reserved, 4);
        }
        let body = wire::rest(b, ENVELOPE_OVERHEAD);
        if h.body > body.len() {
            return fail(Code::Truncated, b.len());
        }
        if h.body < body.len() {
            return fail(Code::Length, ENVELOPE_OVERHEAD + h.body);
        }
        self.check(h, b, body)?;
        let payload = match h.compression() {
            Compression::None => Cow::Borrowed(body),
            id => Cow::Owned(
                self.unsqueeze(id, body)
                    .map_err(|c| EnvelopeError::new(c, 24))?,
            ),
        };
        let (schema, message) = match payload {
            payload if !h.has_schema() => (None, payload),
            Cow::Borrowed(b) => {
                let (schema, message) = split_schema(b)?;
                (Some(Cow::Borrowed(schema)), Cow::Borrowed(message))
            }
            Cow::Owned(b) => {
                let (schema, message) = split_schema(&b)?;
                (
                    Some(Cow::Owned(schema.to_vec())),
                    Cow::Owned(message.to_vec()),
                )
            }
        };
        Ok(Envelope {
            fingerprint: h.fingerprint,
            compression: h.compression(),
            checksum: h.has_checksum(),
            schema,
            message,
        })
    }

    /// Reads the message in an envelope.
    ///
    /// # Errors
    /// The first fault of the envelope or of the message.
    pub fn unseal<T: Decode>(&self, b: &[u8]) -> Result<T, Error> {
        let e = self.open(b)?;
        Ok(self.message(e.fingerprint, &e.message)??)
    }

    /// Reads a message that was in an envelope or a stream of this fingerprint.
    pub(crate) fn message<T: Decode>(
        &self,
        fingerprint: u64,
        b: &[u8],
    ) -> Result<Result<T, DecodeError>, EnvelopeError> {
        let differs = fingerprint != 0 && fingerprint != T::FINGERPRINT;
        if self.decode.exact && differs && T::FINGERPRINT != 0 {
            return Err(EnvelopeError::new(Code::Version, 8));
        }
        let budget = self.decode.budget(b.len());
        Ok(message::get(b, &self.decode, self.decode.raw(), budget))
    }

    /// Checks the checksum, which is over the bytes of the header before it and the body.
    pub(crate) fn check(&self, h: Header, head: &[u8], body: &[u8]) -> Result<(), EnvelopeError> {
        if !h.has_checksum() && self.need_checksum {
            return Err(EnvelopeError::new(Code::Checksum, 4));
        }
        if h.has_checksum() && checksum(&[wire::part(head, 0, 20), body]) != h.sum {
            return Err(EnvelopeError::new(Code::Checksum, 20));
        }
        Ok(())
    }

    /// The inverse of [`SealOptions::squeeze`]. The size is checked before a compressor is looked
    /// for: every language then reports the same fault, whichever compressors it has.
    pub(crate) fn unsqueeze(&self, id: Compression, b: &[u8]) -> Result<Vec<u8>, Code> {
        let Some((len, src)) = b.split_first_chunk() else {
            return Err(Code::Truncated);
        };
        let len = u32::from_le_bytes(*len) as usize;
        if len > self.decode.raw() {
            return Err(Code::TooLarge);
        }
        if len == 0 {
            return Err(Code::Length);
        }
        let mut known = self.compressors.iter();
        let c = known.find(|c| c.id() == id).ok_or(Code::Compression)?;
        let mut out = Vec::new();
        if !c.decompress(src, len, &mut out) {
            return Err(Code::Compression);
        }
        if out.len() != len {
            return Err(Code::Length);
        }
        Ok(out)
    }
}

/// Splits a payload into schema block and message.
fn split_schema(b: &[u8]) -> Result<(&[u8], &[u8]), EnvelopeError> {
    let split = b.split_first_chunk().and_then(|(len, rest)| {
        let len = u32::from_le_bytes(*len) as usize;
        rest.split_at_checked(len)
    });
    split.ok_or(EnvelopeError::new(Code::Truncated, ENVELOPE_OVERHEAD))
}

/// The value as a message in an envelope with a checksum.
///
/// # Errors
/// The value has no message, or is beyond the limits.
pub fn seal<T: Encode>(v: &T) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    SealOptions::default().seal(v, &mut out)?;
    Ok(out)
}

/// Reads the message in an envelope.
///
/// # Errors
/// The first fault of the envelope or of the message.
pub fn unseal<T: Decode>(b: &[u8]) -> Result<T, Error> {
    OpenOptions::default().unseal(b)
}
