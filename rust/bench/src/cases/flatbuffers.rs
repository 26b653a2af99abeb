//! FlatBuffers.

use super::{cycle, Cases};
use crate::{flat, values};
use flatbuffers::FlatBufferBuilder;
use std::hint::black_box;

fn read(v: flat::Order<'_>) -> usize {
    let items = v.items().unwrap_or_default();
    let of = |i: flat::Item<'_>| i.sku().map_or(0, str::len) + i.qty() as usize;
    v.id().map_or(0, str::len) + items.iter().map(of).sum::<usize>()
}

fn last(v: flat::Order<'_>) -> Option<i32> {
    let items = v.items()?;
    Some(items.get(items.len() - 1).qty())
}

pub(super) fn cases(all: &mut Cases, orders: &[values::Order], results: &[values::Result]) {
    let mut f = FlatBufferBuilder::new();
    let encode = cycle(orders.to_vec(), move |v| {
        black_box(flat::encode(&mut f, v).len());
    });
    all.add("order", "encode", "flatbuffers", encode);
    let mut f = FlatBufferBuilder::new();
    let encode = cycle(results.to_vec(), move |v| {
        black_box(flat::encode_result(&mut f, v).len());
    });
    all.add("result", "encode", "flatbuffers", encode);
    let mut f = FlatBufferBuilder::new();
    let bytes: Vec<Vec<u8>> = orders
        .iter()
        .map(|v| flat::encode(&mut f, v).to_vec())
        .collect();
    let field = cycle(bytes.clone(), |b| {
        black_box(last(flatbuffers::root::<flat::Order>(b).unwrap()));
    });
    all.add("order", "field", "flatbuffers", field);
    let checked = cycle(bytes.clone(), |b| {
        black_box(read(flatbuffers::root::<flat::Order>(b).unwrap()));
    });
    all.add("order", "verify+access", "flatbuffers", checked);
    let trusted = cycle(bytes, |b| {
        // SAFETY: the bytes are those that the builder has just made.
        black_box(read(unsafe {
            flatbuffers::root_unchecked::<flat::Order>(b)
        }));
    });
    all.add("order", "access", "flatbuffers", trusted);
    let bytes: Vec<Vec<u8>> = results
        .iter()
        .map(|v| flat::encode_result(&mut f, v).to_vec())
        .collect();
    let sum = cycle(bytes, |b| {
        // SAFETY: as above.
        let v = unsafe { flatbuffers::root_unchecked::<flat::Outcome>(b) };
        black_box(v.data().unwrap().iter().sum::<f64>());
    });
    all.add("result", "access", "flatbuffers", sum);
}
