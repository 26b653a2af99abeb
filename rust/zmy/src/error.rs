//! Errors of single messages.

use crate::{Code, Fault};
use core::fmt;

/// Bytes are no message of the type. The error has the fault, its place and its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    name: &'static str,
    fault: Fault,
}

impl DecodeError {
    pub(crate) fn new(name: &'static str, fault: Fault) -> Self {
        DecodeError { name, fault }
    }

    /// The kind of the fault.
    pub fn code(&self) -> Code {
        self.fault.code()
    }

    /// The place of the fault, in bytes from the start of the message.
    pub fn offset(&self) -> usize {
        self.fault.offset()
    }

    /// The path of fields from the message to the fault: `Items[3].Price`. It is empty for the
    /// message itself.
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

/// A value has no message. The error has the fault and its path.
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

    /// The kind of the fault.
    pub fn code(&self) -> Code {
        self.fault.code()
    }

    /// The path of fields from the message to the fault: `Items[3].Price`.
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
