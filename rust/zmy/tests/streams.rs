//! Streams with faults are refused, and their faults are not taken for the end.

#![cfg(feature = "std")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, missing_docs)]

mod golden {
    pub mod order_lite;
    pub mod result;
}

use golden::{order_lite::Order, result::Result as Sample};
use std::io::{self, Write};
use zmy::{
    Code, DecodeOptions, Encode, Error, OpenOptions, SealOptions, StreamReader, StreamWriter,
};

fn unhex(s: &str) -> Vec<u8> {
    let digits: Vec<u8> = s.bytes().filter(|c| *c != b' ').collect();
    digits
        .chunks(2)
        .map(|c| u8::from_str_radix(std::str::from_utf8(c).unwrap(), 16).unwrap())
        .collect()
}

fn code<T: std::fmt::Debug>(r: Result<T, Error>) -> Option<Code> {
    r.unwrap_err().code()
}

#[test]
fn limits_below_a_header() {
    // A header alone is more than the limit: the stream is refused before any chunk is read, even
    // one with wrong flags.
    let b = unhex("5a4d5901 1000 0000 0100000000000000 00000000 00000000 00000010 00000000");
    for (max_wire, want) in [(23, Code::TooLarge), (24, Code::Reserved)] {
        let decode = DecodeOptions {
            max_wire,
            ..Default::default()
        };
        let o = OpenOptions {
            decode,
            ..Default::default()
        };
        let got = code(StreamReader::with(&b[..], o).read_message());
        assert_eq!(got, Some(want), "{max_wire}");
    }
}

#[test]
fn one_type_for_a_schema() {
    let o = SealOptions {
        describe: true,
        ..Default::default()
    };
    let mut w = StreamWriter::with(Vec::new(), o);
    w.write(&Order::default()).unwrap();
    assert_eq!(code(w.write(&Sample::default())), Some(Code::Sequence));
    w.write(&Order::default()).unwrap(); // the stream goes on
    let b = w.finish().unwrap();
    let mut r = StreamReader::new(&b[..]);
    assert!(r.about().unwrap().schema.is_some());
    for _ in 0..2 {
        assert_eq!(r.read::<Order>().unwrap(), Some(Order::default()));
    }
    assert_eq!(r.read::<Order>().unwrap(), None);
    assert_eq!(r.read::<Order>().unwrap(), None);

    let mut w = StreamWriter::new(Vec::new()); // without a schema any type may follow
    w.write(&Order::default()).unwrap();
    w.write(&Sample::default()).unwrap();
}

#[test]
fn errors_of_readers_stay() {
    let mut w = StreamWriter::new(Vec::new());
    w.write_message(b"abcd").unwrap();
    w.write_message(b"efgh").unwrap();
    let b = w.finish().unwrap();
    let mut damaged = b.clone();
    damaged[24 + 8] ^= 1;
    let mut beheaded = b.clone();
    beheaded[0] = 0;
    for (name, b, want) in [
        ("cut off", &b[..b.len() - 1], Code::Truncated),
        ("damaged", &damaged, Code::Checksum),
        ("no header", &beheaded, Code::Magic),
    ] {
        let mut r = StreamReader::new(b);
        let first = loop {
            match r.read_message() {
                Ok(record) => assert!(record.is_some(), "{name}: it ends well"),
                Err(e) => break e.to_string(),
            }
        };
        for _ in 0..2 {
            let e = r.read_message().unwrap_err();
            assert_eq!(
                (e.code(), e.to_string()),
                (Some(want), first.clone()),
                "{name}"
            );
        }
        assert_eq!(r.about().is_err(), want == Code::Magic, "{name}");
    }
}

/// A writer that fails once, after this many calls.
struct Breaking(usize, Vec<u8>);

impl Write for Breaking {
    fn write(&mut self, b: &[u8]) -> io::Result<usize> {
        match self.0.checked_sub(1) {
            Some(left) => self.0 = left,
            None => {
                self.0 = usize::MAX; // what comes later would get through
                return Err(io::Error::new(
                    io::ErrorKind::BrokenPipe,
                    "the pipe is broken",
                ));
            }
        }
        self.1.write(b)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn errors_of_writers_stay() {
    let mut pipe = Breaking(1, Vec::new());
    let mut w = StreamWriter::new(&mut pipe);
    w.write_message(b"abcd").unwrap();
    for _ in 0..2 {
        let broken = w.write_message(b"efgh");
        assert!(matches!(broken, Err(Error::Io(e)) if e.kind() == io::ErrorKind::BrokenPipe));
    }
    let e = w.finish().map(drop).unwrap_err();
    let source = std::error::Error::source(&e).and_then(|e| e.downcast_ref::<io::Error>());
    assert_eq!(source.map(io::Error::kind), Some(io::ErrorKind::BrokenPipe));
    assert_eq!(pipe.1.len(), 24 + 8 + 4, "nothing follows what failed");
}

#[test]
fn a_message_that_is_refused_spoils_nothing() {
    let mut w = StreamWriter::new(Vec::new());
    assert_eq!(
        code(w.write_message(&vec![0; (4 << 20) + 1])),
        Some(Code::TooLarge)
    );
    w.write_message(&Order::default().encode().unwrap())
        .unwrap();
    w.write_message(b"no order").unwrap();
    w.write(&Order::default()).unwrap();
    let b = w.finish().unwrap();
    let mut r = StreamReader::new(&b[..]);
    assert!(r.read::<Order>().unwrap().is_some());
    assert!(matches!(r.read::<Order>(), Err(Error::Decode(_))));
    assert!(r.read::<Order>().unwrap().is_some());
    assert!(r.read::<Order>().unwrap().is_none());
}

#[test]
fn sizes_before_decompressors() {
    let header = "5a4d5901 0400 0000 0000000000000000 05000000 00000000";
    for (raw_len, want) in [
        ("ffffff7f", Code::TooLarge),
        ("00000000", Code::Length),
        ("01000000", Code::Compression),
    ] {
        let b = unhex(&format!("{header} {raw_len} 00"));
        let e = OpenOptions::default().open(&b).unwrap_err();
        assert_eq!(e.code(), want, "{raw_len}");
    }
}
