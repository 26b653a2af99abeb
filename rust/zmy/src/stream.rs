//! Streams: records, each usually a message, in chunks.

use crate::envelope::{EnvelopeError, Error};
use std::io::ErrorKind;
use std::string::{String, ToString};

mod reader;
mod writer;

pub use reader::StreamReader;
pub use writer::StreamWriter;

const FIRST: u32 = 1; // of a record
const LAST: u32 = 1 << 1;
const COMPRESSED: u32 = 1 << 2;
const END: u32 = 1 << 3; // of the stream
const CHUNK_HEAD: usize = 8;
const MAX_CHUNK: usize = (1 << 24) - 1;
const CHUNK_SIZE: usize = 64 << 10;

/// An error after which a stream does not go on. Every later call reports it again, so that a
/// caller that reads on does not take it for the end.
enum Failure {
    Envelope(EnvelopeError),
    Io(ErrorKind, String),
}

impl Failure {
    /// The failure of an error; none for an error of one message, after which the stream goes on.
    fn of(e: &Error) -> Option<Self> {
        match e {
            Error::Envelope(e) => Some(Failure::Envelope(e.clone())),
            Error::Io(e) => Some(Failure::Io(e.kind(), e.to_string())),
            Error::Decode(_) | Error::Encode(_) => None,
        }
    }

    fn error(&self) -> Error {
        match self {
            Failure::Envelope(e) => Error::Envelope(e.clone()),
            Failure::Io(kind, text) => Error::Io(std::io::Error::new(*kind, text.as_str())),
        }
    }
}
