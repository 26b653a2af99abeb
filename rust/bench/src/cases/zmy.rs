//! ZMY native.

use super::{cycle, Cases, Op};
use crate::values;
use crate::zmy_types::{flat, order, result, sse};
use std::hint::black_box;
use zmy::{Decode, Encode, EncodeOptions, Message, Time};

impl From<&values::Order> for order::Order {
    fn from(v: &values::Order) -> Self {
        let items = v.items.iter().map(|i| order::Item {
            sku: i.sku.clone(),
            price: i.price,
            qty: i.qty,
            attrs: i.attrs.clone(),
        });
        order::Order {
            id: v.id.clone(),
            items: items.collect(),
            metadata: v.metadata.clone().into(),
            timestamp: Time::from_unix_nanos(v.timestamp),
        }
    }
}

impl From<&values::Event> for sse::SSEEvent {
    fn from(v: &values::Event) -> Self {
        sse::SSEEvent {
            id: v.id.clone(),
            event: v.event.clone(),
            data: v.data.clone(),
            replay: v.replay,
            meta: v.meta.clone().into(),
        }
    }
}

impl From<&values::Result> for result::Result {
    fn from(v: &values::Result) -> Self {
        result::Result {
            id: v.id,
            data: v.data.clone(),
            timestamp: v.timestamp,
        }
    }
}

impl From<&values::Person> for flat::Person {
    fn from(v: &values::Person) -> Self {
        flat::Person {
            name: v.name.clone(),
            birth_day: Time::from_unix_nanos(v.birth_day),
            phone: v.phone.clone(),
            siblings: v.siblings,
            spouse: v.spouse,
            money: v.money,
        }
    }
}

/// Adds encoding and decoding, and returns the messages.
fn both<'a, V: 'a, Z>(all: &mut Cases, subject: &str, values: &'a [V]) -> Vec<Vec<u8>>
where
    Z: Encode + Decode + Clone + From<&'a V> + 'static,
{
    let list: Vec<Z> = values.iter().map(Z::from).collect();
    let bytes: Vec<Vec<u8>> = list.iter().map(|v| v.encode().unwrap()).collect();
    let mut buffer = zmy::Buffer::new();
    let encode = cycle(list.clone(), move |v: &Z| {
        black_box(buffer.encode(v).unwrap().len());
    });
    all.add(subject, "encode", "zmy", encode);
    let mut out = Vec::new();
    let append = cycle(list.clone(), move |v: &Z| {
        out.clear();
        v.encode_into(&mut out, &EncodeOptions::default()).unwrap();
        black_box(&out);
    });
    all.add(subject, "encode", "zmy-append", append);
    let decode = cycle(bytes.clone(), |b| drop(black_box(Z::decode(b).unwrap())));
    all.add(subject, "decode", "zmy", decode);
    // The floor of a decoded value: its allocations and one copy of its content, nothing checked.
    let clone = cycle(list, |v| drop(black_box(v.clone())));
    all.add(subject, "decode", "clone", clone);
    bytes
}

/// Verifies a message and reads from its view.
fn checked<T: Message + 'static, R: 'static>(bytes: &[Vec<u8>], read: fn(T::View<'_>) -> R) -> Op {
    cycle(bytes.to_vec(), move |b| {
        black_box(read(zmy::view::<T>(b).unwrap()));
    })
}

/// [`checked`] without a check.
fn trusted<T: Message + 'static, R: 'static>(bytes: &[Vec<u8>], read: fn(T::View<'_>) -> R) -> Op {
    cycle(bytes.to_vec(), move |b| {
        black_box(read(zmy::view_unverified::<T>(b).unwrap()));
    })
}

/// Reads the ID, and SKU and quantity of each item.
fn read(v: order::OrderView<'_>) -> usize {
    let items = v.items().iter().map(|i| i.sku().len() + i.qty() as usize);
    v.id().len() + items.sum::<usize>()
}

/// [`read`] by the bytes of the strings, which are not checked for UTF-8 again.
fn read_bytes(v: order::OrderView<'_>) -> usize {
    let items = v.items().iter();
    let of = |i: order::ItemView<'_>| i.sku_bytes().len() + i.qty() as usize;
    v.id_bytes().len() + items.map(of).sum::<usize>()
}

pub(super) fn cases(
    all: &mut Cases,
    orders: &[values::Order],
    events: &[values::Event],
    results: &[values::Result],
    people: &[values::Person],
) {
    type Order = order::Order;
    let b = both::<_, Order>(all, "order", orders);
    let last = |v: order::OrderView<'_>| {
        let items = v.items();
        items.get(items.len() - 1).map(|i| i.qty())
    };
    all.add("order", "field", "zmy", checked::<Order, _>(&b, last));
    all.add(
        "order",
        "verify+access",
        "zmy",
        checked::<Order, _>(&b, read),
    );
    all.add("order", "access", "zmy", trusted::<Order, _>(&b, read));
    let by_bytes = trusted::<Order, _>(&b, read_bytes);
    all.add("order", "access", "zmy-bytes", by_bytes);

    type Event = sse::SSEEvent;
    let b = both::<_, Event>(all, "sse", events);
    let field = checked::<Event, _>(&b, |v| v.event().len());
    all.add("sse", "field", "zmy", field);

    type Result = result::Result;
    let b = both::<_, Result>(all, "result", results);
    let field = checked::<Result, _>(&b, |v| v.data().get(1023));
    all.add("result", "field", "zmy", field);
    let sum = trusted::<Result, _>(&b, |v| v.data().iter().sum::<f64>());
    all.add("result", "access", "zmy", sum);
    // Clearing memory and one copy of the bytes: the least that safe Rust does to get the numbers of
    // a message.
    let clear = cycle(b.clone(), |b| {
        let data = &b[22..];
        let mut out = vec![0; black_box(data.len())];
        black_box(&mut out).copy_from_slice(data);
        black_box(&out);
    });
    all.add("result", "decode", "clear-copy", clear);
    let mut out = vec![0; 1 << 16];
    let copy = cycle(b.clone(), move |b| {
        out[..b.len()].copy_from_slice(b);
        black_box(&out);
    });
    all.add("result", "encode", "copy", copy);
    // The numbers alone, to where a message has them: 22 bytes behind its start.
    let mut out = vec![0; 1 << 16];
    let copy = cycle(b, move |b| {
        out[22..b.len()].copy_from_slice(&b[..b.len() - 22]);
        black_box(&out);
    });
    all.add("result", "encode", "copy-odd", copy);

    type Person = flat::Person;
    let b = both::<_, Person>(all, "flat", people);
    let field = checked::<Person, _>(&b, |v| v.money());
    all.add("flat", "field", "zmy", field);
}
