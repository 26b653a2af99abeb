//! Faults: codes with their places.

use crate::Code;
use core::fmt;

#[cfg(feature = "alloc")]
use alloc::{boxed::Box, format, string::String};

/// A [`Code`] with its place. It is made where the fault is found, and each caller
/// on the way out adds its part of the place: success pays nothing for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    code: Code,
    offset: u32,
    // A thin pointer: a result that holds a fault then takes two registers.
    #[cfg(feature = "alloc")]
    #[allow(clippy::box_collection)]
    path: Option<Box<String>>,
}

/// The result of a function that can meet a fault, or only its code, where the caller knows the
/// place.
pub type Result<T, E = Fault> = core::result::Result<T, E>;

impl Fault {
    /// A fault `offset` bytes into the slot at hand.
    #[cold]
    pub fn new(code: Code, offset: usize) -> Self {
        Fault {
            code,
            offset: u32::try_from(offset).unwrap_or(u32::MAX),
            #[cfg(feature = "alloc")]
            path: None,
        }
    }

    /// The kind of the fault.
    pub fn code(&self) -> Code {
        self.code
    }

    /// The place of the fault, in bytes from the start of the message.
    pub fn offset(&self) -> usize {
        self.offset as usize
    }

    /// The path of fields from the message to the fault: `Items[3].Price`. It is empty for the
    /// message itself, and without the feature `alloc`.
    pub fn path(&self) -> &str {
        #[cfg(feature = "alloc")]
        if let Some(path) = &self.path {
            return path;
        }
        ""
    }

    /// The fault of the slot `b` as a whole: at its start, or at its end if it is too short.
    #[cold]
    pub(crate) fn slot(code: Code, b: &[u8]) -> Self {
        Fault::new(code, if code == Code::Truncated { b.len() } else { 0 })
    }

    /// Moves the fault by `offset` bytes, without a step of the path.
    #[cold]
    pub fn shift(mut self, offset: usize) -> Self {
        let offset = u32::try_from(offset).unwrap_or(u32::MAX);
        self.offset = self.offset.saturating_add(offset);
        self
    }

    /// Places the fault inside a field whose slot starts at `offset`.
    #[cold]
    pub fn field(self, name: &str, offset: usize) -> Self {
        #[cfg(feature = "alloc")]
        return self.shift(offset).step(|rest| match rest {
            "" => name.into(),
            rest if rest.starts_with('[') => format!("{name}{rest}"),
            rest => format!("{name}.{rest}"),
        });
        #[cfg(not(feature = "alloc"))]
        {
            let _ = name;
            self.shift(offset)
        }
    }

    /// Places the fault inside element `i` of a list, or the value under an integer key.
    #[cold]
    pub(crate) fn at(self, i: impl fmt::Display) -> Self {
        #[cfg(feature = "alloc")]
        return self.step(|rest| {
            let dot = if rest.is_empty() || rest.starts_with('[') {
                ""
            } else {
                "."
            };
            format!("[{i}]{dot}{rest}")
        });
        #[cfg(not(feature = "alloc"))]
        {
            let _ = i;
            self
        }
    }

    /// Places the fault inside the value under the key of these bytes.
    #[cold]
    pub(crate) fn at_key(self, key: &[u8]) -> Self {
        self.at(Quoted(key))
    }

    #[cfg(feature = "alloc")]
    fn step(mut self, join: impl FnOnce(&str) -> String) -> Self {
        self.path = Some(Box::new(join(self.path())));
        self
    }
}

impl From<Code> for Fault {
    #[cold]
    fn from(code: Code) -> Self {
        Fault::new(code, 0)
    }
}

/// A key in a path: in double quotes, in ASCII, cut after [`KEY_CUT`] bytes. The escapes are those
/// of Go, so that every language reports the same path.
struct Quoted<'a>(&'a [u8]);

/// Keys come from the message: a long one would fill a log.
const KEY_CUT: usize = 40;

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        let (shown, more) = match self.0.get(..KEY_CUT) {
            Some(head) if self.0.len() > KEY_CUT => (head, "\\u2026"),
            _ => (self.0, ""),
        };
        for chunk in shown.utf8_chunks() {
            for c in chunk.valid().chars() {
                match c {
                    '"' | '\\' => write!(f, "\\{c}")?,
                    '\x07' => f.write_str("\\a")?,
                    '\x08' => f.write_str("\\b")?,
                    '\x0b' => f.write_str("\\v")?,
                    '\x0c' => f.write_str("\\f")?,
                    '\n' => f.write_str("\\n")?,
                    '\r' => f.write_str("\\r")?,
                    '\t' => f.write_str("\\t")?,
                    ' '..='~' => write!(f, "{c}")?,
                    c if c.is_ascii() => write!(f, "\\x{:02x}", c as u32)?,
                    c if (c as u32) < 0x1_0000 => write!(f, "\\u{:04x}", c as u32)?,
                    c => write!(f, "\\U{:08x}", c as u32)?,
                }
            }
            for byte in chunk.invalid() {
                write!(f, "\\x{byte:02x}")?;
            }
        }
        write!(f, "{more}\"")
    }
}
