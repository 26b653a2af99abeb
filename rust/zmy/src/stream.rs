//! Streams: many messages, or one larger than any buffer, in chunks.

use crate::crc::checksum;
use crate::envelope::{
    identity, Envelope, EnvelopeError, Error, Header, OpenOptions, SealOptions, ENVELOPE_OVERHEAD,
    STREAM,
};
use crate::message::{self, Decode, Encode};
use crate::{wire, Code, Compression};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use std::io::{ErrorKind, Read, Write};

const FIRST: u32 = 1; // of a record
const LAST: u32 = 1 << 1;
const COMPRESSED: u32 = 1 << 2;
const END: u32 = 1 << 3; // of the stream
const CHUNK_HEAD: usize = 8;
const MAX_CHUNK: usize = (1 << 24) - 1;
const CHUNK_SIZE: usize = 64 << 10;

/// Writes a stream of records, each usually one message. Each chunk is one call of
/// `write_all`: many small records want a `BufWriter` below. A stream that is not
/// [finished](StreamWriter::finish) is refused as cut off.
pub struct StreamWriter<'c, W> {
    w: W,
    o: SealOptions<'c>,
    begun: bool,
    number: u64, // of the next chunk
    identity: (u64, Option<Vec<u8>>),
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
            buf,
            message,
        }
    }

    /// Sets fingerprint and schema block of the header, in place of those of the first
    /// value. It has no effect behind the first record.
    pub fn describe(&mut self, fingerprint: u64, schema: Option<&[u8]>) {
        self.identity = (fingerprint, schema.map(<[u8]>::to_vec));
    }

    /// Writes a value as one record.
    ///
    /// # Errors
    /// A value that has no message, after which the stream goes on, or what is wrong
    /// below.
    pub fn write<T: Encode>(&mut self, v: &T) -> Result<(), Error> {
        let mut message = core::mem::take(&mut self.message);
        message.clear();
        let depth = message::depth(self.o.encode.max_depth);
        message::put(v, &mut message, self.o.encode.raw(), depth)?;
        if !self.begun && self.identity == (0, None) {
            let (fingerprint, schema) = identity::<T>(self.o.describe);
            self.describe(fingerprint, schema);
        }
        let done = self.write_message(&message);
        self.message = message;
        done
    }

    /// Writes a message that has been encoded as one record.
    ///
    /// # Errors
    /// A message beyond the limit, or what is wrong below.
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

    /// Ends the stream, flushes and returns what is below.
    ///
    /// # Errors
    /// What is wrong below.
    pub fn finish(mut self) -> Result<W, Error> {
        self.chunk(END, &[])?;
        self.w.flush().map_err(Error::Io)?;
        Ok(self.w)
    }

    fn chunk(&mut self, mut flags: u32, raw: &[u8]) -> Result<(), Error> {
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

/// Reads a stream. It reads no byte beyond the end of the stream, and makes two small
/// reads for each chunk: a `BufReader` below helps where those are expensive.
pub struct StreamReader<'c, R> {
    r: R,
    o: OpenOptions<'c>,
    about: Option<Envelope<'static>>,
    number: u64, // of the next chunk
    offset: u64,
    buf: Vec<u8>, // the chunk as it came
    record: Vec<u8>,
    done: bool, // behind the end, or behind an error
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
        }
    }

    /// What the header says; the message is empty.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn about(&mut self) -> Result<Envelope<'static>, Error> {
        if let Some(about) = &self.about {
            return Ok(about.clone());
        }
        let about = self.header().inspect_err(|_| self.done = true)?;
        self.about = Some(about.clone());
        Ok(about)
    }

    /// Reads the next record as a message of type `T`; none is behind the last one. A
    /// record that is no such message spoils nothing: the next call reads the next.
    ///
    /// # Errors
    /// What is wrong with the stream, after which there are no more records, or with
    /// the message.
    pub fn read<T: Decode>(&mut self) -> Result<Option<T>, Error> {
        let fingerprint = self.about()?.fingerprint;
        if !self.next()? {
            return Ok(None);
        }
        Ok(Some(self.o.message(fingerprint, &self.record)??))
    }

    /// The next record; none is behind the last one.
    ///
    /// # Errors
    /// What is wrong with the stream, after which there are no more records.
    pub fn read_message(&mut self) -> Result<Option<&[u8]>, Error> {
        self.about()?;
        Ok(self.next()?.then_some(&self.record))
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
        if h.body > self.o.decode.wire().saturating_sub(ENVELOPE_OVERHEAD) {
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
        let found = self.chunks();
        self.done = !matches!(found, Ok(true));
        found
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

    /// Reads so many bytes. Memory grows with what arrives, not with what a length
    /// promises.
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
