//! Errors of single messages.

use crate::{Code, Fault};
use core::fmt;

/// Bytes that are no message of the type: what is wrong, where, and the way there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    name: &'static str,
    fault: Fault,
}

impl DecodeError {
    pub(crate) fn new(name: &'static str, fault: Fault) -> Self {
        DecodeError { name, fault }
    }

    /// What is wrong.
    pub fn code(&self) -> Code {
        self.fault.code()
    }

    /// Where, in bytes from the start of the message.
    pub fn offset(&self) -> usize {
        self.fault.offset()
    }

    /// The fields on the way from the message: `Items[3].Price`. Empty for the message
    /// itself.
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

/// A value that has no message: what is wrong, and the way there.
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

    /// What is wrong.
    pub fn code(&self) -> Code {
        self.fault.code()
    }

    /// The fields on the way from the message: `Items[3].Price`.
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
