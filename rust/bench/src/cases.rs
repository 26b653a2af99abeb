//! The operations of each contender, as closures over prepared values. The benchmarks time them,
//! and `count` runs them under callgrind.

use crate::zmy_types::{order, result};
use crate::{proto, values};
use prost::Message;
use std::hint::black_box;
use zmy::{Decode, Encode, EncodeOptions, Time};

/// An operation. Each call is for the next value.
pub type Op = Box<dyn FnMut()>;

/// One operation of one format.
pub struct Case {
    pub op: &'static str,
    pub format: &'static str,
    pub run: Op,
}

fn cycle<T: 'static>(list: Vec<T>, mut f: impl FnMut(&T) + 'static) -> Op {
    let mut i = 0;
    Box::new(move || {
        i = if i + 1 < list.len() { i + 1 } else { 0 };
        f(black_box(&list[i]));
    })
}

pub fn order_of(v: &values::Order) -> order::Order {
    order::Order {
        id: v.id.clone(),
        items: v
            .items
            .iter()
            .map(|i| order::Item {
                sku: i.sku.clone(),
                price: i.price,
                qty: i.qty,
                attrs: i.attrs.clone(),
            })
            .collect(),
        metadata: v.metadata.clone().into(),
        timestamp: Time::from_unix_nanos(v.timestamp),
    }
}

pub fn result_of(v: &values::Result) -> result::Result {
    result::Result {
        id: v.id,
        data: v.data.clone(),
        timestamp: v.timestamp,
    }
}

fn zmy_encode<T: Encode + 'static>(list: Vec<T>) -> Op {
    let mut out = Vec::new();
    cycle(list, move |v| {
        out.clear();
        v.encode_into(&mut out, &EncodeOptions::default()).unwrap();
        black_box(&out);
    })
}

fn zmy_bytes<T: Encode>(list: &[T]) -> Vec<Vec<u8>> {
    list.iter().map(|v| v.encode().unwrap()).collect()
}

fn zmy_decode<T: Decode + Encode + 'static>(list: &[T]) -> Op {
    cycle(zmy_bytes(list), |b| drop(black_box(T::decode(b).unwrap())))
}

fn prost_encode<T: Message + 'static>(list: Vec<T>) -> Op {
    let mut out = Vec::new();
    cycle(list, move |v| {
        out.clear();
        v.encode(&mut out).unwrap();
        black_box(&out);
    })
}

fn prost_decode<T: Message + Default + 'static>(list: Vec<T>) -> Op {
    let bytes: Vec<Vec<u8>> = list.iter().map(Message::encode_to_vec).collect();
    cycle(bytes, |b| drop(black_box(T::decode(b.as_slice()).unwrap())))
}

/// Reads in place: the ID, and SKU and quantity of each item.
fn read_zmy(v: order::OrderView<'_>) -> usize {
    let items = v.items().iter().map(|i| i.sku().len() + i.qty() as usize);
    v.id().len() + items.sum::<usize>()
}

/// [`read_zmy`] by the bytes of the strings, which are not checked for UTF-8 again.
fn read_bytes(v: order::OrderView<'_>) -> usize {
    let items = v.items().iter();
    let of = |i: order::ItemView<'_>| i.sku_bytes().len() + i.qty() as usize;
    v.id_bytes().len() + items.map(of).sum::<usize>()
}

/// All operations of all formats.
pub fn cases() -> Vec<Case> {
    let mut all = Vec::new();
    let mut add = |op, format, run| all.push(Case { op, format, run });
    let (orders, results) = (values::orders(), values::results());
    let zmy_orders: Vec<_> = orders.iter().map(order_of).collect();
    let zmy_results: Vec<_> = results.iter().map(result_of).collect();

    add("order/encode", "zmy", zmy_encode(zmy_orders.clone()));
    add("order/decode", "zmy", zmy_decode(&zmy_orders));
    add("result/encode", "zmy", zmy_encode(zmy_results.clone()));
    add("result/decode", "zmy", zmy_decode(&zmy_results));
    let bytes = zmy_bytes(&zmy_orders);
    add(
        "order/verify+access",
        "zmy",
        cycle(bytes.clone(), |b| {
            black_box(read_zmy(zmy::view::<order::Order>(b).unwrap()));
        }),
    );
    add(
        "order/access",
        "zmy",
        cycle(bytes.clone(), |b| {
            black_box(read_zmy(zmy::view_unverified::<order::Order>(b).unwrap()));
        }),
    );
    add(
        "order/access",
        "zmy-bytes",
        cycle(bytes, |b| {
            black_box(read_bytes(zmy::view_unverified::<order::Order>(b).unwrap()));
        }),
    );
    let bytes = zmy_bytes(&zmy_results);
    add(
        "result/access",
        "zmy",
        cycle(bytes, |b| {
            let v = zmy::view_unverified::<result::Result>(b).unwrap();
            black_box(v.data().iter().sum::<f64>());
        }),
    );

    add(
        "order/encode",
        "prost",
        prost_encode(orders.iter().map(proto::Order::from).collect()),
    );
    add(
        "order/decode",
        "prost",
        prost_decode::<proto::Order>(orders.iter().map(Into::into).collect()),
    );
    let sorted: Vec<proto::SortedOrder> = orders.iter().map(Into::into).collect();
    add("order/encode", "prost-btree", prost_encode(sorted.clone()));
    add("order/decode", "prost-btree", prost_decode(sorted));
    add(
        "result/encode",
        "prost",
        prost_encode(results.iter().map(proto::Result::from).collect()),
    );
    add(
        "result/decode",
        "prost",
        prost_decode::<proto::Result>(results.iter().map(Into::into).collect()),
    );

    serde_cases(&mut add, &orders, &results);
    rkyv_cases(&mut add, &orders, &results);
    #[cfg(flatc)]
    flat_cases(&mut add, &orders, &results);
    all
}

fn serde_cases(
    add: &mut impl FnMut(&'static str, &'static str, Op),
    orders: &[values::Order],
    results: &[values::Result],
) {
    let config = bincode::config::standard();
    let mut out = vec![0; 1 << 16];
    add(
        "order/encode",
        "bincode",
        cycle(orders.to_vec(), move |v| {
            black_box(bincode::serde::encode_into_slice(v, &mut out, config).unwrap());
        }),
    );
    let mut out = vec![0; 1 << 16];
    add(
        "result/encode",
        "bincode",
        cycle(results.to_vec(), move |v| {
            black_box(bincode::serde::encode_into_slice(v, &mut out, config).unwrap());
        }),
    );
    let bytes: Vec<_> = orders
        .iter()
        .map(|v| bincode::serde::encode_to_vec(v, config).unwrap())
        .collect();
    add(
        "order/decode",
        "bincode",
        cycle(bytes, move |b| {
            drop(black_box(
                bincode::serde::decode_from_slice::<values::Order, _>(b, config).unwrap(),
            ));
        }),
    );
    let bytes: Vec<_> = results
        .iter()
        .map(|v| bincode::serde::encode_to_vec(v, config).unwrap())
        .collect();
    add(
        "result/decode",
        "bincode",
        cycle(bytes, move |b| {
            drop(black_box(
                bincode::serde::decode_from_slice::<values::Result, _>(b, config).unwrap(),
            ));
        }),
    );

    let mut out = Vec::new();
    add(
        "order/encode",
        "rmp-serde",
        cycle(orders.to_vec(), move |v| {
            out.clear();
            rmp_serde::encode::write(&mut out, v).unwrap();
            black_box(&out);
        }),
    );
    let mut out = Vec::new();
    add(
        "result/encode",
        "rmp-serde",
        cycle(results.to_vec(), move |v| {
            out.clear();
            rmp_serde::encode::write(&mut out, v).unwrap();
            black_box(&out);
        }),
    );
    let bytes: Vec<_> = orders
        .iter()
        .map(|v| rmp_serde::to_vec(v).unwrap())
        .collect();
    add(
        "order/decode",
        "rmp-serde",
        cycle(bytes, |b| {
            drop(black_box(
                rmp_serde::from_slice::<values::Order>(b).unwrap(),
            ));
        }),
    );
    let bytes: Vec<_> = results
        .iter()
        .map(|v| rmp_serde::to_vec(v).unwrap())
        .collect();
    add(
        "result/decode",
        "rmp-serde",
        cycle(bytes, |b| {
            drop(black_box(
                rmp_serde::from_slice::<values::Result>(b).unwrap(),
            ));
        }),
    );
}

fn rkyv_cases(
    add: &mut impl FnMut(&'static str, &'static str, Op),
    orders: &[values::Order],
    results: &[values::Result],
) {
    use rkyv::rancor::Error;
    use rkyv::util::AlignedVec;
    let mut out = AlignedVec::<16>::new();
    add(
        "order/encode",
        "rkyv",
        cycle(orders.to_vec(), move |v| {
            let mut buf = std::mem::take(&mut out);
            buf.clear();
            out = rkyv::api::high::to_bytes_in::<_, Error>(v, buf).unwrap();
            black_box(&out);
        }),
    );
    let mut out = AlignedVec::<16>::new();
    add(
        "result/encode",
        "rkyv",
        cycle(results.to_vec(), move |v| {
            let mut buf = std::mem::take(&mut out);
            buf.clear();
            out = rkyv::api::high::to_bytes_in::<_, Error>(v, buf).unwrap();
            black_box(&out);
        }),
    );
    let bytes: Vec<_> = orders
        .iter()
        .map(|v| rkyv::to_bytes::<Error>(v).unwrap())
        .collect();
    add(
        "order/decode",
        "rkyv",
        cycle(bytes.clone(), |b| {
            drop(black_box(
                rkyv::from_bytes::<values::Order, Error>(b).unwrap(),
            ));
        }),
    );
    add(
        "order/verify+access",
        "rkyv",
        cycle(bytes, |b| {
            let v = rkyv::access::<values::ArchivedOrder, Error>(b).unwrap();
            let items = v
                .items
                .iter()
                .map(|i| i.sku.len() + i.qty.to_native() as usize);
            black_box(v.id.len() + items.sum::<usize>());
        }),
    );
    let bytes: Vec<_> = results
        .iter()
        .map(|v| rkyv::to_bytes::<Error>(v).unwrap())
        .collect();
    add(
        "result/decode",
        "rkyv",
        cycle(bytes, |b| {
            drop(black_box(
                rkyv::from_bytes::<values::Result, Error>(b).unwrap(),
            ));
        }),
    );
}

#[cfg(flatc)]
fn flat_cases(
    add: &mut impl FnMut(&'static str, &'static str, Op),
    orders: &[values::Order],
    results: &[values::Result],
) {
    use crate::flat;
    use flatbuffers::FlatBufferBuilder;
    fn read(v: flat::Order<'_>) -> usize {
        let items = v.items().unwrap_or_default();
        let of = |i: flat::Item<'_>| i.sku().map_or(0, str::len) + i.qty() as usize;
        v.id().map_or(0, str::len) + items.iter().map(of).sum::<usize>()
    }
    let mut f = FlatBufferBuilder::new();
    add(
        "order/encode",
        "flatbuffers",
        cycle(orders.to_vec(), move |v| {
            black_box(flat::encode(&mut f, v).len());
        }),
    );
    let mut f = FlatBufferBuilder::new();
    add(
        "result/encode",
        "flatbuffers",
        cycle(results.to_vec(), move |v| {
            black_box(flat::encode_result(&mut f, v).len());
        }),
    );
    let mut f = FlatBufferBuilder::new();
    let bytes: Vec<_> = orders
        .iter()
        .map(|v| flat::encode(&mut f, v).to_vec())
        .collect();
    add(
        "order/verify+access",
        "flatbuffers",
        cycle(bytes.clone(), |b| {
            black_box(read(flatbuffers::root::<flat::Order>(b).unwrap()));
        }),
    );
    add(
        "order/access",
        "flatbuffers",
        cycle(bytes, |b| {
            // SAFETY: the bytes are those that the builder has just made.
            black_box(read(unsafe {
                flatbuffers::root_unchecked::<flat::Order>(b)
            }));
        }),
    );
    let bytes: Vec<_> = results
        .iter()
        .map(|v| flat::encode_result(&mut f, v).to_vec())
        .collect();
    add(
        "result/access",
        "flatbuffers",
        cycle(bytes, |b| {
            // SAFETY: as above.
            let v = unsafe { flatbuffers::root_unchecked::<flat::Outcome>(b) };
            black_box(v.data().unwrap().iter().sum::<f64>());
        }),
    );
}
