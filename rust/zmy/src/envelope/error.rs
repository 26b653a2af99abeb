//! Errors of envelopes, streams, and the messages in them.

use crate::error::{DecodeError, EncodeError};
use crate::Code;
use core::fmt;

/// Bytes are no envelope or no stream, or content fits none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnvelopeError {
    code: Code,
    offset: u64,
}

impl EnvelopeError {
    pub(crate) fn new(code: Code, offset: usize) -> Self {
        EnvelopeError {
            code,
            offset: offset as u64,
        }
    }

    /// The kind of the fault.
    pub fn code(&self) -> Code {
        self.code
    }

    /// The place of the fault, in bytes from the start of the envelope or the stream.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    #[cfg(feature = "std")]
    pub(crate) fn shift(self, offset: u64) -> Self {
        EnvelopeError {
            offset: self.offset.saturating_add(offset),
            ..self
        }
    }
}

impl fmt::Display for EnvelopeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "zmy: envelope: {} at offset {}", self.code, self.offset)
    }
}

impl core::error::Error for EnvelopeError {}

/// An error of an envelope, a stream, or a message in them.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// An error of the envelope or the stream.
    Envelope(EnvelopeError),
    /// An error of a message that is read.
    Decode(DecodeError),
    /// An error of a value that is written.
    Encode(EncodeError),
    /// An error of the reader or writer below a stream.
    #[cfg(feature = "std")]
    Io(std::io::Error),
}

impl Error {
    /// The kind of the fault; none for an error of input or output.
    pub fn code(&self) -> Option<Code> {
        match self {
            Error::Envelope(e) => Some(e.code()),
            Error::Decode(e) => Some(e.code()),
            Error::Encode(e) => Some(e.code()),
            #[cfg(feature = "std")]
            Error::Io(_) => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Envelope(e) => e.fmt(f),
            Error::Decode(e) => e.fmt(f),
            Error::Encode(e) => e.fmt(f),
            #[cfg(feature = "std")]
            Error::Io(e) => write!(f, "zmy: stream: {e}"),
        }
    }
}

impl core::error::Error for Error {
    /// The error of input or output. The text says all of the others.
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            #[cfg(feature = "std")]
            Error::Io(e) => Some(e),
            _ => None,
        }
    }
}

impl From<EnvelopeError> for Error {
    fn from(e: EnvelopeError) -> Self {
        Error::Envelope(e)
    }
}

impl From<DecodeError> for Error {
    fn from(e: DecodeError) -> Self {
        Error::Decode(e)
    }
}

impl From<EncodeError> for Error {
    fn from(e: EncodeError) -> Self {
        Error::Encode(e)
    }
}
