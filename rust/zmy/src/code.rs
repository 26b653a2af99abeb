//! Codes of faults.

use core::fmt;

/// A kind of fault in bytes, or in a value that has no encoding. The names are those of the
/// specification, the same in every language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Code {
    /// Fewer bytes than a header, its sections or words need.
    Truncated,
    /// Bits that must be zero are not.
    Reserved,
    /// Scalars and tails fit neither an older nor a newer version of the type.
    Mixed,
    /// Ends or boundaries decrease, leave their container, or do not end with it.
    Ends,
    /// Four-byte words where two-byte ones would do.
    Width,
    /// A value outside of its type: bool 2, nanosecond 10⁹.
    Domain,
    /// The zero value, not written as an empty slot.
    Zero,
    /// A string is not UTF-8.
    Utf8,
    /// Keys of a map do not strictly increase.
    KeyOrder,
    /// The number of elements is impossible, or is not that of the array or of the keys.
    Count,
    /// Values are nested deeper than the limit.
    Depth,
    /// A number has a shorter encoding.
    NotMinimal,
    /// A length that the type does not have.
    Length,
    /// A message, an envelope or a section is larger than its limit.
    TooLarge,
    /// The decoded value would take more than the budget.
    Budget,
    /// The decoded value would take more than two bytes of memory for each unit of the
    /// budget. Other languages may accept the same message; a larger budget does.
    Memory,
    /// Another version of a type, where [`DecodeOptions::exact`](crate::DecodeOptions::exact)
    /// allows only the reader's own.
    Version,
    /// The bitmap of a sparse struct does not fit its sections.
    Sparse,
    /// An envelope or a stream does not begin as one.
    Magic,
    /// A checksum is not that of the bytes.
    Checksum,
    /// Bytes cannot be decompressed, or no compressor for them was given.
    Compression,
    /// Chunks of a stream are not in order, or a value is not of the stream's type.
    Sequence,
}

impl Code {
    /// The name in the specification and in its vectors: `"TRUNCATED"`.
    pub const fn name(self) -> &'static str {
        match self {
            Code::Truncated => "TRUNCATED",
            Code::Reserved => "RESERVED",
            Code::Mixed => "MIXED",
            Code::Ends => "ENDS",
            Code::Width => "WIDTH",
            Code::Domain => "DOMAIN",
            Code::Zero => "ZERO",
            Code::Utf8 => "UTF8",
            Code::KeyOrder => "KEY_ORDER",
            Code::Count => "COUNT",
            Code::Depth => "DEPTH",
            Code::NotMinimal => "NOT_MINIMAL",
            Code::Length => "LENGTH",
            Code::TooLarge => "TOO_LARGE",
            Code::Budget => "BUDGET",
            Code::Memory => "MEMORY",
            Code::Version => "VERSION",
            Code::Sparse => "SPARSE",
            Code::Magic => "MAGIC",
            Code::Checksum => "CHECKSUM",
            Code::Compression => "COMPRESSION",
            Code::Sequence => "SEQUENCE",
        }
    }

    const fn text(self) -> &'static str {
        match self {
            Code::Truncated => "unexpected end of input",
            Code::Reserved => "reserved bits are set",
            Code::Mixed => "struct sections fit neither an older nor a newer version of the type",
            Code::Ends => "tail ends are not in order",
            Code::Width => "words are wider than needed",
            Code::Domain => "value outside of its type's range",
            Code::Zero => "zero value not written as empty",
            Code::Utf8 => "invalid UTF-8",
            Code::KeyOrder => "map keys are not strictly increasing",
            Code::Count => "element counts disagree",
            Code::Depth => "nested deeper than the limit",
            Code::NotMinimal => "number not in its shortest form",
            Code::Length => "length does not fit the type",
            Code::TooLarge => "larger than the limit",
            Code::Budget => "decoded form would exceed the budget",
            Code::Memory => "decoded form would take more memory than the budget allows",
            Code::Version => "struct of another version of the type",
            Code::Sparse => "bitmap does not fit the struct",
            Code::Magic => "neither an envelope nor a stream of this version",
            Code::Checksum => "wrong checksum",
            Code::Compression => "cannot be decompressed",
            Code::Sequence => "chunks are not in order",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}
