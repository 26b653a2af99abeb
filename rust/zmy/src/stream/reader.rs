//! Reading streams.

use super::*;
use crate::crc::checksum;
use crate::envelope::{Envelope, Header, OpenOptions, ENVELOPE_OVERHEAD, STREAM};
use crate::message::Decode;
use crate::{wire, Code, Compression};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use std::io::Read;

/// Reads a stream. It reads no byte beyond the end of the stream. It makes two small reads for each
/// chunk: if these are expensive, put a `BufReader` below.
pub struct StreamReader<'c, R> {
    r: R,
    o: OpenOptions<'c>,
    about: Option<Envelope<'static>>,
    number: u64, // of the next chunk
    offset: u64,
    buf: Vec<u8>, // the chunk, decompressed once it is checked
    record: Vec<u8>,
    done: bool, // the end has been read
    failed: Option<Failure>,
}

impl<R: Read> StreamReader<'static, R> {
    /// Reads a stream under the default limits.
    pub fn new(r: R) -> Self {
        StreamReader::with(r, OpenOptions::default())
    }
}

impl<'c, R: Read> StreamReader<'c, R> {
    /// Reads a stream under options.
    pub fn with(r: R, o: OpenOptions<'c>) -> Self {
        let (buf, record) = (Vec::new(), Vec::new());
        StreamReader {
            r,
            o,
            about: None,
            number: 0,
            offset: 0,
            buf,
            record,
            done: false,
            failed: None,
        }
    }

    /// The header, as an envelope without a message.
    ///
    /// # Errors
    /// The first fault of the header, or an error of input.
    pub fn about(&mut self) -> Result<Envelope<'static>, Error> {
        self.start().cloned()
    }

    /// Reads the next record as a message of type `T`; none after the last one. After a record that
    /// is no such message, the next call reads the next record.
    ///
    /// # Errors
    /// A fault of the stream, which every later call reports again, or of the message.
    pub fn read<T: Decode>(&mut self) -> Result<Option<T>, Error> {
        let fingerprint = self.start()?.fingerprint;
        if !self.next()? {
            return Ok(None);
        }
        Ok(Some(self.o.message(fingerprint, &self.record)??))
    }

    /// Reads the next record; none after the last one.
    ///
    /// # Errors
    /// A fault of the stream, which every later call reports again.
    pub fn read_message(&mut self) -> Result<Option<&[u8]>, Error> {
        self.start()?;
        Ok(self.next()?.then_some(&self.record))
    }

    /// Reads the header, unless that has been done.
    fn start(&mut self) -> Result<&Envelope<'static>, Error> {
        let about = match self.about.take() {
            Some(about) => about,
            None => self.attempt(Self::header)?,
        };
        Ok(self.about.insert(about))
    }

    /// Calls `f`, unless the stream has failed before.
    fn attempt<T>(&mut self, f: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        if let Some(failed) = &self.failed {
            return Err(failed.error());
        }
        let read = f(self);
        self.failed = read.as_ref().err().and_then(Failure::of);
        read
    }

    fn fail(&self, code: Code) -> Error {
        EnvelopeError::new(code, 0).shift(self.offset).into()
    }

    fn header(&mut self) -> Result<Envelope<'static>, Error> {
        let mut head = [0; ENVELOPE_OVERHEAD];
        self.fill(&mut head)?;
        let h = Header::parse(&head)?;
        let fail = |code, at| Err(EnvelopeError::new(code, at).into());
        if h.flags & STREAM == 0 {
            return fail(Code::Reserved, 4);
        }
        if h.body.saturating_add(ENVELOPE_OVERHEAD) > self.o.decode.wire() {
            return fail(Code::TooLarge, 16);
        }
        if !h.has_schema() && h.body > 0 {
            return fail(Code::Length, 16);
        }
        self.take(h.body)?;
        self.o.check(h, &head, &self.buf)?;
        Ok(Envelope {
            fingerprint: h.fingerprint,
            compression: h.compression(),
            checksum: h.has_checksum(),
            schema: h.has_schema().then(|| Cow::Owned(self.buf.clone())),
            message: Cow::default(),
        })
    }

    /// Reads the chunks of the next record, and reports whether there is one.
    fn next(&mut self) -> Result<bool, Error> {
        if self.done {
            return Ok(false);
        }
        let found = self.attempt(Self::chunks)?;
        self.done = !found;
        Ok(found)
    }

    fn chunks(&mut self) -> Result<bool, Error> {
        self.record.clear();
        let mut first = FIRST;
        loop {
            let flags = self.chunk()?;
            if flags & END != 0 {
                if first == 0 {
                    return Err(self.fail(Code::Sequence)); // inside a record
                }
                return Ok(false);
            }
            if flags & FIRST != first {
                return Err(self.fail(Code::Sequence));
            }
            if flags & LAST == 0 && self.buf.is_empty() {
                return Err(self.fail(Code::Length));
            }
            if self.buf.len() > self.o.decode.raw() - self.record.len() {
                return Err(self.fail(Code::TooLarge));
            }
            self.record.extend_from_slice(&self.buf);
            if flags & LAST != 0 {
                return Ok(true);
            }
            first = 0;
        }
    }

    /// Reads the next chunk, decompressed, and returns its flags.
    fn chunk(&mut self) -> Result<u32, Error> {
        let about = self.about.as_ref();
        let id = about.map_or(Compression::None, |about| about.compression);
        let has_checksum = about.is_some_and(|about| about.checksum);
        let mut head = [0; CHUNK_HEAD];
        self.fill(&mut head)?;
        let (word, sum) = (wire::u32(&head), wire::u32(wire::rest(&head, 4)));
        let (len, flags) = (word as usize & MAX_CHUNK, word >> 24);
        let end = flags & END != 0 && (flags != END || len > 0);
        let compressed = flags & COMPRESSED != 0;
        if flags >= END << 1 || end || compressed && id == Compression::None {
            return Err(self.fail(Code::Reserved));
        }
        if len + CHUNK_HEAD > self.o.decode.wire() {
            return Err(self.fail(Code::TooLarge));
        }
        self.take(len)?;
        if !has_checksum && sum != 0 {
            return Err(self.fail(Code::Reserved));
        }
        let right = || {
            checksum(&[
                &self.number.to_le_bytes(),
                wire::part(&head, 0, 4),
                &self.buf,
            ])
        };
        if has_checksum && right() != sum {
            return Err(self.fail(Code::Checksum));
        }
        self.number += 1;
        if compressed {
            self.buf = self
                .o
                .unsqueeze(id, &self.buf)
                .map_err(|code| self.fail(code))?;
        }
        Ok(flags)
    }

    /// Fills `b`, or fails.
    fn fill(&mut self, b: &mut [u8]) -> Result<(), Error> {
        match self.r.read_exact(b) {
            Ok(()) => {
                self.offset += b.len() as u64;
                Ok(())
            }
            Err(e) if e.kind() == ErrorKind::UnexpectedEof => Err(self.fail(Code::Truncated)),
            Err(e) => Err(Error::Io(e)),
        }
    }

    /// Reads this many bytes into `buf`. Memory grows with the bytes that arrive: a length that a
    /// hostile peer announces costs nothing.
    fn take(&mut self, len: usize) -> Result<(), Error> {
        self.buf.clear();
        let read = self.r.by_ref().take(len as u64).read_to_end(&mut self.buf);
        self.offset += read.map_err(Error::Io)? as u64;
        if self.buf.len() < len {
            return Err(self.fail(Code::Truncated));
        }
        Ok(())
    }
}
