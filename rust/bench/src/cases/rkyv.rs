//! rkyv, whose messages are its memory layout of the Rust type.

use super::{cycle, Cases};
use crate::values;
use rkyv::rancor::Error;
use rkyv::util::AlignedVec;
use std::hint::black_box;

/// Adds encoding, decoding, and reading one field of a message that is checked first. A macro,
/// since the bounds of a generic function would be longer than it.
macro_rules! subject {
    ($all:ident, $subject:literal, $list:ident, $value:ident, $archived:ident, $field:expr) => {{
        let mut out = AlignedVec::<16>::new();
        let encode = cycle($list.to_vec(), move |v| {
            let mut buf = std::mem::take(&mut out);
            buf.clear();
            out = rkyv::api::high::to_bytes_in::<_, Error>(v, buf).unwrap();
            black_box(&out);
        });
        $all.add($subject, "encode", "rkyv", encode);
        let to_bytes = |v| rkyv::to_bytes::<Error>(v).unwrap();
        let bytes: Vec<AlignedVec> = $list.iter().map(to_bytes).collect();
        let decode = cycle(bytes.clone(), |b| {
            drop(black_box(
                rkyv::from_bytes::<values::$value, Error>(b).unwrap(),
            ));
        });
        $all.add($subject, "decode", "rkyv", decode);
        let field = cycle(bytes.clone(), |b| {
            let v = rkyv::access::<values::$archived, Error>(b).unwrap();
            let field: fn(&values::$archived) -> _ = $field;
            black_box(field(v));
        });
        $all.add($subject, "field", "rkyv", field);
        bytes
    }};
}

pub(super) fn cases(
    all: &mut Cases,
    orders: &[values::Order],
    events: &[values::Event],
    results: &[values::Result],
    people: &[values::Person],
) {
    let bytes = subject!(all, "order", orders, Order, ArchivedOrder, |v| {
        v.items.last().map(|i| i.qty.to_native())
    });
    let read = cycle(bytes, |b| {
        let v = rkyv::access::<values::ArchivedOrder, Error>(b).unwrap();
        let of = |i: &values::ArchivedItem| i.sku.len() + i.qty.to_native() as usize;
        black_box(v.id.len() + v.items.iter().map(of).sum::<usize>());
    });
    all.add("order", "verify+access", "rkyv", read);
    subject!(all, "sse", events, Event, ArchivedEvent, |v| v.event.len());
    subject!(all, "result", results, Result, ArchivedResult, |v| {
        v.data.get(1023).map(|x| x.to_native())
    });
    subject!(all, "flat", people, Person, ArchivedPerson, |v| {
        v.money.to_native()
    });
}
