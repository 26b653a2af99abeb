//! Envelopes: a message together with what a reader needs who does not know it from
//! its context. `spec/ENVELOPE.md` of the project has the bytes.

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
    /// Not at all.
    #[default]
    None = 0,
    /// One LZ4 block.
    Lz4 = 1,
    /// Zstandard frames, RFC 8878.
    Zstd = 2,
}

/// Compresses bodies and chunks. This crate has none; libraries of the language are
/// wrapped in a few lines.
pub trait Compressor {
    /// The compression that the bytes are marked with.
    fn id(&self) -> Compression;
    /// Appends the compressed form of `src`, or returns false if it cannot.
    fn compress(&self, src: &[u8], out: &mut Vec<u8>) -> bool;
    /// Appends what `src` stands for, or returns false. That must be `raw_len` bytes,
    /// which are within the reader's limits: it must fail as soon as there are more.
    fn decompress(&self, src: &[u8], raw_len: usize, out: &mut Vec<u8>) -> bool;
}

/// Bytes that an envelope takes around its body.
pub const ENVELOPE_OVERHEAD: usize = 24;

const MAGIC: [u8; 4] = *b"ZMY\x01";
const CHECKSUM: u16 = 1;
const SCHEMA: u16 = 1 << 1;
const COMPRESSION: u16 = 3 << 2;
pub(crate) const STREAM: u16 = 1 << 4;
const KNOWN: u16 = CHECKSUM | SCHEMA | COMPRESSION | STREAM;

/// The first 24 bytes.
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

    /// Reads a header and refuses whatever this version gives no meaning to.
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

    /// Holds the checksum against the header as it came, and the body.
    pub fn check(self, head: &[u8], body: &[u8]) -> Result<(), EnvelopeError> {
        if self.has_checksum() && checksum(&[wire::part(head, 0, 20), body]) != self.sum {
            return Err(EnvelopeError::new(Code::Checksum, 20));
        }
        Ok(())
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

/// A message and what its envelope says. Both parts are those of the envelope, if it
/// was not compressed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Envelope<'a> {
    /// Of the message's type; 0 is unknown.
    pub fingerprint: u64,
    /// How the body travelled.
    pub compression: Compression,
    /// There was a checksum, which was right.
    pub checksum: bool,
    /// The schema block.
    pub schema: Option<Cow<'a, [u8]>>,
    /// The bare message.
    pub message: Cow<'a, [u8]>,
}

/// Directs what is sealed. The default makes envelopes with a checksum, neither
/// compressed nor with a schema.
#[derive(Clone, Copy, Default)]
pub struct SealOptions<'c> {
    /// `max_wire` limits the envelope, and each chunk of a stream; `max_raw` what is in
    /// it before compression.
    pub encode: EncodeOptions,
    /// Compresses bodies that get smaller by it.
    pub compressor: Option<&'c dyn Compressor>,
    /// The schema travels with the message.
    pub describe: bool,
    /// Leaves the checksum out, for channels that have their own.
    pub no_checksum: bool,
    /// Bytes of a record that a chunk of a stream holds before compression; 0 is 64 KiB.
    pub chunk_size: usize,
}

impl SealOptions<'_> {
    /// Appends the value as a message in an envelope.
    ///
    /// # Errors
    /// A value that has no message, or is beyond the limits; `out` is then as it was.
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
    /// What is beyond the limits; `out` is then as it was.
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

    /// The size of `raw` and its compressed form, if that is shorter.
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

/// Directs what is opened. The default is safe on hostile bytes.
#[derive(Clone, Copy, Default)]
pub struct OpenOptions<'c> {
    /// `max_wire` limits the envelope, and each chunk of a stream, as they come;
    /// `max_raw` the same once decompressed, each record, and the message.
    pub decode: DecodeOptions,
    /// What may be needed. Without any, compressed bodies are refused.
    pub compressors: &'c [&'c dyn Compressor],
    /// Refuses what has no checksum.
    pub need_checksum: bool,
}

impl OpenOptions<'_> {
    /// Takes an envelope apart and checks it, but not the message in it. It accepts
    /// envelopes only: bare messages are never guessed at.
    ///
    /// # Errors
    /// What is wrong with it first.
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
    /// What is wrong first, with the envelope or with the message.
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

    pub(crate) fn check(&self, h: Header, head: &[u8], body: &[u8]) -> Result<(), EnvelopeError> {
        if self.need_checksum && !h.has_checksum() {
            return Err(EnvelopeError::new(Code::Checksum, 4));
        }
        h.check(head, body)
    }

    /// What [`SealOptions::squeeze`] was given. Its size is held against the limit
    /// before it is asked who could decompress it.
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

/// Takes the schema block from the start of a payload.
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
/// A value that has no message, or is beyond the limits.
pub fn seal<T: Encode>(v: &T) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    SealOptions::default().seal(v, &mut out)?;
    Ok(out)
}

/// Reads the message in an envelope.
///
/// # Errors
/// What is wrong first, with the envelope or with the message.
pub fn unseal<T: Decode>(b: &[u8]) -> Result<T, Error> {
    OpenOptions::default().unseal(b)
}
