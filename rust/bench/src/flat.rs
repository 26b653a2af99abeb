//! FlatBuffers, by the code of flatc.

use flatbuffers::FlatBufferBuilder;

#[allow(warnings, clippy::all)]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/bench_generated.rs"));
}

pub use generated::bench::*;

/// Writes an order into the builder, which is reset first.
pub fn encode<'b>(f: &'b mut FlatBufferBuilder<'_>, v: &crate::Order) -> &'b [u8] {
    f.reset();
    let items: Vec<_> = v
        .items
        .iter()
        .map(|i| {
            let (sku, attrs) = (f.create_string(&i.sku), f.create_vector_direct(&i.attrs));
            let args = ItemArgs {
                sku: Some(sku),
                price: i.price,
                qty: i.qty,
                attrs: Some(attrs),
            };
            Item::create(f, &args)
        })
        .collect();
    let pairs: Vec<_> = v
        .metadata
        .iter()
        .map(|(k, v)| {
            let (key, value) = (f.create_string(k), f.create_string(v));
            Pair::create(
                f,
                &PairArgs {
                    key: Some(key),
                    value: Some(value),
                },
            )
        })
        .collect();
    let args = OrderArgs {
        id: Some(f.create_string(&v.id)),
        items: Some(f.create_vector(&items)),
        metadata: Some(f.create_vector(&pairs)),
        timestamp: v.timestamp,
    };
    let root = Order::create(f, &args);
    f.finish(root, None);
    f.finished_data()
}

/// Writes a result into the builder, which is reset first.
pub fn encode_result<'b>(f: &'b mut FlatBufferBuilder<'_>, v: &crate::Result) -> &'b [u8] {
    f.reset();
    let data = Some(f.create_vector(&v.data));
    let root = Outcome::create(
        f,
        &OutcomeArgs {
            id: v.id,
            data,
            timestamp: v.timestamp,
        },
    );
    f.finish(root, None);
    f.finished_data()
}
