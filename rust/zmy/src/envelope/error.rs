//! What can be wrong with envelopes, streams, and the messages in them.

use crate::error::{DecodeError, EncodeError};
use crate::Code;
use core::fmt;

/// Bytes that are no envelope or no stream, or content that fits none.
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

    /// What is wrong.
    pub fn code(&self) -> Code {
        self.code
    }

    /// Where, in bytes from the start of the envelope or the stream.
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

/// What can be wrong with envelopes, streams, and the messages in them.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// With the envelope or the stream.
    Envelope(EnvelopeError),
    /// With a message that is read.
    Decode(DecodeError),
    /// With a value that is written.
    Encode(EncodeError),
    /// With what is below a stream.
    #[cfg(feature = "std")]
    Io(std::io::Error),
}

impl Error {
    /// What is wrong, unless it is an error of input or output.
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
    /// The error of input or output; the others are what the text says already.
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
