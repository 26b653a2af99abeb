//! The modes: ways to read a message.

use crate::inflate::{Lz4, ZstdStored};
use crate::spell::{self, hex, Spell};
use crate::vectors::*;
use zmy::{
    Decode, DecodeError, DecodeOptions, Encode, EncodeOptions, Error, OpenOptions, SealOptions,
    StreamReader, StreamWriter,
};

/// The outcome of a request.
pub enum Outcome {
    /// The value written again, and its fields in JSON.
    Ok(Vec<u8>, String),
    /// The name of the code, the offset, the path.
    Refused(&'static str, u32, String),
    /// Why the request cannot be served.
    Unsupported(String),
}

impl From<DecodeError> for Outcome {
    fn from(e: DecodeError) -> Self {
        Outcome::Refused(e.code().name(), e.offset() as u32, e.path().into())
    }
}

/// The names of the modes.
pub const MODES: [&str; 2] = ["owned", "view"];

const WRITING: EncodeOptions = EncodeOptions {
    max_wire: 1 << 30,
    max_raw: 1 << 30,
    max_depth: 0,
};

/// Reads an owned value.
fn owned<T: Decode + Encode + Spell>(b: &[u8], o: &DecodeOptions) -> Outcome {
    match T::decode_with(b, o) {
        Ok(v) => written(&v, spell::text(&v), o),
        Err(e) => e.into(),
    }
}

fn written<T: Encode>(v: &T, fields: String, o: &DecodeOptions) -> Outcome {
    let mut again = Vec::new();
    match v.encode_into(
        &mut again,
        &EncodeOptions {
            max_depth: o.max_depth.max(zmy::DEFAULT_MAX_DEPTH),
            ..WRITING
        },
    ) {
        Ok(()) => Outcome::Ok(again, fields),
        Err(e) => Outcome::Unsupported(e.to_string()),
    }
}

/// Reads in place: verifies, and spells the fields of views. Decoding is for the budget, which the
/// verifier does not have, and for the value to write again.
fn view<T: Decode + Encode>(
    b: &[u8],
    o: &DecodeOptions,
    fields: impl FnOnce(&[u8]) -> String,
) -> Outcome {
    let decoded = T::decode_with(b, o);
    match &decoded {
        Err(e) if matches!(e.code(), zmy::Code::Budget | zmy::Code::Memory) => {
            return e.clone().into()
        }
        _ => {}
    }
    match (zmy::verify::<T>(b, o), decoded) {
        (Err(e), _) => e.into(),
        (Ok(()), Ok(v)) => written(&v, fields(b), o),
        (Ok(()), Err(e)) => Outcome::Unsupported(format!("verified, and then {e}")),
    }
}

macro_rules! readers {
    ($reader:expr, $mode:expr, $b:expr, $o:expr, $($t:ident)*) => {
        match ($reader, $mode) {
            $((stringify!($t), 1) => owned::<$t>($b, $o),
            (stringify!($t), 2) => view::<$t>($b, $o, |b| match zmy::view_unverified::<$t>(b) {
                Ok(v) => spell::text(&v),
                Err(e) => e.to_string(),
            }),)*
            ("envelope", 1 | 2) => envelope($b, $o),
            ("stream", 1 | 2) => stream($b, $o),
            (reader, mode) => Outcome::Unsupported(format!("no reader {reader}, mode {mode}")),
        }
    };
}

/// Reads `b` as the type of that name.
pub fn read(mode: u8, reader: &str, b: &[u8], o: &DecodeOptions) -> Outcome {
    readers!(reader, mode, b, o,
        Scalars Lists Maps Optional Numbers Raw Dynamic Tree Cast V1 V2 V3 Keep1 Keep2
        Sparse1 Sparse2 SparseDrop Retired RetiredKeep Wide Empty Order Tables)
}

fn refused(e: Error) -> Outcome {
    match e.code() {
        Some(code) => Outcome::Refused(code.name(), 0, String::new()),
        None => Outcome::Unsupported(e.to_string()),
    }
}

const SEALING: EncodeOptions = EncodeOptions {
    max_wire: 1 << 24,
    max_raw: 1 << 24,
    max_depth: 0,
};

/// The content of an envelope or a stream, as the vectors spell it.
fn content(about: &zmy::Envelope<'_>, records: &[Vec<u8>]) -> String {
    let schema = match &about.schema {
        Some(schema) => format!("\"schema\":\"{}\",", hex(schema)),
        None => String::new(),
    };
    let records: Vec<String> = records.iter().map(|r| format!("\"{}\"", hex(r))).collect();
    format!(
        "{{\"fingerprint\":\"{}\",\"checksum\":{},{schema}\"records\":[{}]}}",
        about.fingerprint,
        about.checksum,
        records.join(",")
    )
}

fn envelope(b: &[u8], o: &DecodeOptions) -> Outcome {
    let open = OpenOptions {
        decode: *o,
        compressors: &[&Lz4, &ZstdStored],
        ..Default::default()
    };
    let e = match open.open(b) {
        Ok(e) => e,
        Err(e) => return refused(e.into()),
    };
    let seal = SealOptions {
        encode: SEALING,
        no_checksum: !e.checksum,
        ..Default::default()
    };
    let mut again = Vec::new();
    match seal.wrap(e.fingerprint, e.schema.as_deref(), &e.message, &mut again) {
        Ok(()) => Outcome::Ok(again, content(&e, &[e.message.to_vec()])),
        Err(e) => Outcome::Unsupported(e.to_string()),
    }
}

fn stream(b: &[u8], o: &DecodeOptions) -> Outcome {
    match stream_again(b, o) {
        Ok((again, fields)) => Outcome::Ok(again, fields),
        Err(e) => refused(e),
    }
}

fn stream_again(b: &[u8], o: &DecodeOptions) -> Result<(Vec<u8>, String), Error> {
    let open = OpenOptions {
        decode: *o,
        compressors: &[&Lz4, &ZstdStored],
        ..Default::default()
    };
    let mut r = StreamReader::with(b, open);
    let about = r.about()?;
    let mut records = Vec::new();
    while let Some(record) = r.read_message()? {
        records.push(record.to_vec());
    }
    let (no_checksum, chunk_size) = (!about.checksum, 1 << 23);
    let seal = SealOptions {
        encode: SEALING,
        no_checksum,
        chunk_size,
        ..Default::default()
    };
    let mut w = StreamWriter::with(Vec::new(), seal);
    w.describe(about.fingerprint, about.schema.as_deref());
    for record in &records {
        w.write_message(record)?;
    }
    Ok((w.finish()?, content(&about, &records)))
}
