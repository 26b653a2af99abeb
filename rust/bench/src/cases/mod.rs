//! The operations of each contender, as closures over prepared values. The benchmarks time them,
//! and `count` runs them under callgrind. Each format is called as its documentation advises for
//! speed: every encoder writes into memory that it is given again and again.

mod derives;
#[cfg(flatc)]
mod flatbuffers;
mod rkyv;
mod zmy;

use crate::{proto, values};
use prost::Message;
use std::hint::black_box;

/// An operation. Each call is for the next value.
pub type Op = Box<dyn FnMut()>;

/// One operation of one format.
pub struct Case {
    /// The subject and what is done: `order/encode`.
    pub op: String,
    pub format: &'static str,
    pub run: Op,
}

/// The cases that are collected.
#[derive(Default)]
struct Cases(Vec<Case>);

impl Cases {
    fn add(&mut self, subject: &str, op: &str, format: &'static str, run: Op) {
        let op = format!("{subject}/{op}");
        self.0.push(Case { op, format, run });
    }
}

fn cycle<T: 'static>(list: Vec<T>, mut f: impl FnMut(&T) + 'static) -> Op {
    let mut i = 0;
    Box::new(move || {
        i = if i + 1 < list.len() { i + 1 } else { 0 };
        f(black_box(&list[i]));
    })
}

/// The operations of all formats, those of one operation side by side.
pub fn cases() -> Vec<Case> {
    let (orders, events) = (values::orders(), values::events());
    let (results, people) = (values::results(), values::people());
    let mut all = Cases::default();
    zmy::cases(&mut all, &orders, &events, &results, &people);
    prost_cases::<_, proto::Order>(&mut all, "order", "prost", &orders);
    prost_cases::<_, proto::SortedOrder>(&mut all, "order", "prost-btree", &orders);
    prost_cases::<_, proto::Event>(&mut all, "sse", "prost", &events);
    prost_cases::<_, proto::SortedEvent>(&mut all, "sse", "prost-btree", &events);
    prost_cases::<_, proto::Result>(&mut all, "result", "prost", &results);
    prost_cases::<_, proto::Person>(&mut all, "flat", "prost", &people);
    derives::cases(&mut all, "order", &orders);
    derives::cases(&mut all, "sse", &events);
    derives::cases(&mut all, "result", &results);
    derives::cases(&mut all, "flat", &people);
    rkyv::cases(&mut all, &orders, &events, &results, &people);
    #[cfg(flatc)]
    flatbuffers::cases(&mut all, &orders, &results);
    let mut all = all.0;
    let ops: Vec<String> = all.iter().map(|c| c.op.clone()).collect();
    all.sort_by_key(|c| ops.iter().position(|op| *op == c.op));
    all
}

fn prost_cases<'a, V: 'a, P>(all: &mut Cases, subject: &str, format: &'static str, values: &'a [V])
where
    P: Message + Default + From<&'a V> + PartialEq + 'static,
{
    let list: Vec<P> = values.iter().map(P::from).collect();
    let bytes: Vec<Vec<u8>> = list.iter().map(Message::encode_to_vec).collect();
    for (v, b) in list.iter().zip(&bytes) {
        assert!(P::decode(b.as_slice()).unwrap() == *v, "{format}");
    }
    let mut out = Vec::new();
    let encode = cycle(list, move |v: &P| {
        out.clear();
        v.encode(&mut out).unwrap();
        black_box(&out);
    });
    all.add(subject, "encode", format, encode);
    let decode = cycle(bytes, |b| drop(black_box(P::decode(b.as_slice()).unwrap())));
    all.add(subject, "decode", format, decode);
}
