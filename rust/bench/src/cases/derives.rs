//! The formats with a derive of their own, or by serde: bincode, bitcode, postcard, speedy,
//! MessagePack.

use super::{cycle, Cases};
use serde::{de::DeserializeOwned, Serialize};
use speedy::LittleEndian;
use std::hint::black_box;

/// Room for the largest message.
const ROOM: usize = 1 << 16;

/// A type with the derives of all formats.
pub trait Value:
    Clone
    + PartialEq
    + Serialize
    + DeserializeOwned
    + bincode::Encode
    + bincode::Decode<()>
    + bitcode::Encode
    + bitcode::DecodeOwned
    + speedy::Writable<LittleEndian>
    + for<'a> speedy::Readable<'a, LittleEndian>
    + 'static
{
}

impl<T> Value for T where
    T: Clone
        + PartialEq
        + Serialize
        + DeserializeOwned
        + bincode::Encode
        + bincode::Decode<()>
        + bitcode::Encode
        + bitcode::DecodeOwned
        + speedy::Writable<LittleEndian>
        + for<'a> speedy::Readable<'a, LittleEndian>
        + 'static
{
}

/// Adds encoding by `encode`, and decoding of what `to_vec` returns by `decode`, after a check that
/// values come back.
fn both<V: Value>(
    all: &mut Cases,
    (subject, format): (&str, &'static str),
    list: &[V],
    encode: impl FnMut(&V) + 'static,
    to_vec: impl Fn(&V) -> Vec<u8>,
    mut decode: impl FnMut(&[u8]) -> V + 'static,
) {
    let bytes: Vec<Vec<u8>> = list.iter().map(to_vec).collect();
    for (v, b) in list.iter().zip(&bytes) {
        assert!(decode(b) == *v, "{format}");
    }
    all.add(subject, "encode", format, cycle(list.to_vec(), encode));
    let op = cycle(bytes, move |b| drop(black_box(decode(b))));
    all.add(subject, "decode", format, op);
}

pub(super) fn cases<V: Value>(all: &mut Cases, subject: &str, list: &[V]) {
    // bincode's documents call varint the smaller and fixed the faster way to write integers, so
    // both are here.
    bincoded(all, (subject, "bincode"), list, bincode::config::standard());
    let fixed = bincode::config::standard().with_fixed_int_encoding();
    bincoded(all, (subject, "bincode-fixed"), list, fixed);

    let mut out = vec![0; ROOM];
    both(
        all,
        (subject, "postcard"),
        list,
        move |v| {
            black_box(postcard::to_slice(v, &mut out).unwrap().len());
        },
        |v| postcard::to_stdvec(v).unwrap(),
        |b| postcard::from_bytes(b).unwrap(),
    );

    let (mut writer, mut reader) = (bitcode::Buffer::new(), bitcode::Buffer::new());
    both(
        all,
        (subject, "bitcode"),
        list,
        move |v| {
            black_box(writer.encode(v).len());
        },
        |v| bitcode::encode(v),
        move |b| reader.decode(b).unwrap(),
    );

    let mut out = vec![0; ROOM];
    both(
        all,
        (subject, "speedy"),
        list,
        move |v| {
            v.write_to_buffer(&mut out).unwrap();
            black_box(&out);
        },
        |v| v.write_to_vec().unwrap(),
        |b| V::read_from_buffer(b).unwrap(),
    );

    let mut out = Vec::new();
    both(
        all,
        (subject, "rmp-serde"),
        list,
        move |v| {
            out.clear();
            rmp_serde::encode::write(&mut out, v).unwrap();
            black_box(&out);
        },
        |v| rmp_serde::to_vec(v).unwrap(),
        |b| rmp_serde::from_slice(b).unwrap(),
    );
}

fn bincoded<V: Value, C: bincode::config::Config + 'static>(
    all: &mut Cases,
    of: (&str, &'static str),
    list: &[V],
    config: C,
) {
    let mut out = vec![0; ROOM];
    both(
        all,
        of,
        list,
        move |v| {
            black_box(bincode::encode_into_slice(v, &mut out, config).unwrap());
        },
        move |v| bincode::encode_to_vec(v, config).unwrap(),
        move |b| bincode::decode_from_slice(b, config).unwrap().0,
    );
}
