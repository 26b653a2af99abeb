//! Writing streams.

use super::*;
use crate::crc::checksum;
use crate::envelope::{SealOptions, ENVELOPE_OVERHEAD, STREAM};
use crate::message::{self, Encode, Message};
use crate::Code;
use alloc::vec::Vec;
use std::io::Write;

/// Writes a stream of records, each usually one message. Each chunk is one call of `write_all`: for
/// many small records, put a `BufWriter` below. Readers refuse a stream that is not
/// [finished](StreamWriter::finish) as cut off.
pub struct StreamWriter<'c, W> {
    w: W,
    o: SealOptions<'c>,
    begun: bool,
    number: u64, // of the next chunk
    identity: (u64, Option<Vec<u8>>),
    typed: Option<u64>, // fingerprint of the type that `identity` is from
    failed: Option<Failure>,
    buf: Vec<u8>,
    message: Vec<u8>,
}

impl<W: Write> StreamWriter<'static, W> {
    /// Starts a stream. Nothing is written before the first record.
    pub fn new(w: W) -> Self {
        StreamWriter::with(w, SealOptions::default())
    }
}

impl<'c, W: Write> StreamWriter<'c, W> {
    /// Starts a stream under options: `max_wire` limits each chunk, `max_raw` each
    /// record.
    pub fn with(w: W, o: SealOptions<'c>) -> Self {
        let (buf, message) = (Vec::new(), Vec::new());
        StreamWriter {
            w,
            o,
            begun: false,
            number: 0,
            identity: (0, None),
            typed: None,
            failed: None,
            buf,
            message,
        }
    }

    /// Sets fingerprint and schema block of the header, in place of those of the first value's
    /// type. It has no effect after the first record.
    pub fn describe(&mut self, fingerprint: u64, schema: Option<&[u8]>) {
        self.identity = (fingerprint, schema.map(<[u8]>::to_vec));
        self.typed = None;
    }

    /// Writes a value as one record. Under `describe` the stream has the schema of its
    /// first value, and values of other types are refused.
    ///
    /// # Errors
    /// The value has no message or is not of the schema's type, after which the stream goes on, or
    /// writing failed, after which it does not.
    pub fn write<T: Encode>(&mut self, v: &T) -> Result<(), Error> {
        let mut message = core::mem::take(&mut self.message);
        message.clear();
        let encode = &self.o.encode;
        let done = message::put(v, &mut message, encode, encode.raw())
            .map_err(Error::from)
            .and_then(|()| self.identify::<T>())
            .and_then(|()| self.write_message(&message));
        self.message = message;
        done
    }

    /// Takes fingerprint and schema of the type for the header, if that has not been written. If it
    /// has, with a schema, the type must be the same.
    fn identify<T: Message>(&mut self) -> Result<(), Error> {
        if !self.begun && (self.typed.is_some() || self.identity == (0, None)) {
            self.describe(T::FINGERPRINT, self.o.describe.then_some(T::SCHEMA));
            self.typed = Some(T::FINGERPRINT);
        }
        let other = self.typed.is_some_and(|f| f != T::FINGERPRINT);
        if self.o.describe && other {
            return Err(EnvelopeError::new(Code::Sequence, 0).into());
        }
        Ok(())
    }

    /// Writes a message that has been encoded as one record.
    ///
    /// # Errors
    /// The message is beyond the limit, after which the stream goes on, or writing failed, after
    /// which it does not.
    pub fn write_message(&mut self, message: &[u8]) -> Result<(), Error> {
        if message.len() > self.o.encode.raw() {
            return Err(EnvelopeError::new(Code::TooLarge, 0).into());
        }
        let most = self
            .o
            .encode
            .wire()
            .saturating_sub(CHUNK_HEAD)
            .clamp(1, MAX_CHUNK);
        let size = match self.o.chunk_size {
            0 => CHUNK_SIZE.min(most),
            n => n.min(most),
        };
        let (mut flags, mut rest) = (FIRST, message);
        while let Some((chunk, behind)) = rest.split_at_checked(size) {
            if behind.is_empty() {
                break;
            }
            self.chunk(flags, chunk)?;
            (flags, rest) = (0, behind);
        }
        self.chunk(flags | LAST, rest)
    }

    /// Ends the stream, flushes it and returns the writer below.
    ///
    /// # Errors
    /// Writing failed, now or before.
    pub fn finish(mut self) -> Result<W, Error> {
        self.chunk(END, &[])?;
        self.w.flush().map_err(Error::Io)?;
        Ok(self.w)
    }

    /// Writes a chunk. If that fails, an unknown part of it has been written, so no other may
    /// follow.
    fn chunk(&mut self, flags: u32, raw: &[u8]) -> Result<(), Error> {
        if let Some(failed) = &self.failed {
            return Err(failed.error());
        }
        let done = self.put(flags, raw);
        self.failed = done.as_ref().err().and_then(Failure::of);
        done
    }

    fn put(&mut self, mut flags: u32, raw: &[u8]) -> Result<(), Error> {
        self.buf.clear();
        if !self.begun {
            let (fingerprint, schema) = &self.identity;
            let body = schema.as_deref().unwrap_or(&[]);
            if body.len() + ENVELOPE_OVERHEAD > self.o.encode.wire() {
                return Err(EnvelopeError::new(Code::TooLarge, 0).into());
            }
            let mut h = self.o.header(*fingerprint, schema.is_some(), true);
            h.flags |= STREAM;
            self.buf.extend_from_slice(&h.bytes(body));
            self.buf.extend_from_slice(body);
        }
        let squeezed = self.o.squeeze(raw)?;
        if squeezed.is_some() {
            flags |= COMPRESSED;
        }
        let payload = squeezed.as_deref().unwrap_or(raw);
        let head = (payload.len() as u32 | flags << 24).to_le_bytes();
        let sum = match self.o.no_checksum {
            true => 0,
            false => checksum(&[&self.number.to_le_bytes(), &head, payload]),
        };
        self.buf.extend_from_slice(&head);
        self.buf.extend_from_slice(&sum.to_le_bytes());
        self.buf.extend_from_slice(payload);
        self.w.write_all(&self.buf).map_err(Error::Io)?;
        self.begun = true;
        self.number += 1;
        Ok(())
    }
}
