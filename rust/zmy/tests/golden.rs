//! The goldens of the generator compile, and their values survive.

#![cfg(feature = "std")]
#![allow(clippy::indexing_slicing, clippy::unwrap_used, missing_docs)]

mod golden {
    pub mod carriers;
    pub mod kinds;
    pub mod names;
    pub mod order_lite;
    pub mod result;
}

use golden::{carriers, kinds, names, order_lite, result};
use zmy::{Decode, Encode};

/// Writes a value, reads it back, and verifies it.
fn round_trip<T: Decode + Encode + PartialEq + std::fmt::Debug>(v: &T) -> Vec<u8> {
    let b = v.encode().unwrap();
    assert_eq!(T::decode(&b).unwrap(), *v);
    zmy::verify::<T>(&b, &Default::default()).unwrap();
    b
}

#[test]
fn zero_values() {
    round_trip(&kinds::All::default());
    round_trip(&kinds::Every::default());
    round_trip(&kinds::Visible::default());
    round_trip(&kinds::PageItem::default());
    round_trip(&carriers::Full::default());
    round_trip(&carriers::S2::default());
    round_trip(&result::Result::default());
}

#[test]
fn names_that_are_rusts_own() {
    let v = names::Match {
        r#type: "m".into(),
        self_: 1,
        url: "u".into(),
        url_2: "v".into(),
        as_bytes: vec![1],
        string: names::String2 {
            vec: vec!["x".into(), "é".into()],
        },
        http_code: names::CODE_NOT_FOUND,
        d: true,
        left: -1,
        table: [0.5; 40],
        ..Default::default()
    };
    let b = round_trip(&v);
    let view = zmy::view::<names::Match>(&b).unwrap();
    assert_eq!(
        (view.r#type(), view.http_code(), view.as_bytes_field()),
        ("m", 404, &[1][..])
    );
    assert_eq!(view.as_bytes(), b);
    let texts = view.string().vec();
    let bytes = texts.text_bytes();
    assert!(texts.iter().map(str::as_bytes).eq(bytes.iter()) && bytes.len() == 2);
    assert_eq!(
        (view.type_bytes(), view.url_2_bytes()),
        (&b"m"[..], &b"v"[..])
    );
}

#[test]
fn a_result_in_place() {
    let data: Vec<f64> = (0..1024).map(f64::from).collect();
    let b = round_trip(&result::Result {
        id: 7,
        data,
        timestamp: -1,
    });
    let view = zmy::view::<result::Result>(&b).unwrap();
    assert_eq!(
        (view.id(), view.data().len(), view.timestamp()),
        (7, 1024, -1)
    );
    assert_eq!(view.data().iter().sum::<f64>(), 1023.0 * 512.0);
}

#[test]
fn an_order_in_place() {
    let order = order_lite::Order {
        id: "A-1".into(),
        items: vec![order_lite::Item {
            sku: "tea".into(),
            price: 3.5,
            ..Default::default()
        }],
        metadata: [("channel", "web"), ("region", "eu")]
            .map(|(k, v)| (k.into(), v.into()))
            .into(),
        timestamp: zmy::Time::UNIX_EPOCH,
    };
    let b = round_trip(&order);
    let view = zmy::view::<order_lite::Order>(&b).unwrap();
    assert_eq!(view.metadata().get("region"), Some("eu"));
    assert_eq!(view.metadata().get("none"), None);
    assert_eq!(view.metadata().text_bytes().get("region"), Some(&b"eu"[..]));
    assert_eq!(
        view.items().iter().map(|item| item.price()).sum::<f64>(),
        3.5
    );
    assert!(view.items().get(1).is_none());
}

/// Iterating over a list is faster than getting one element after the other, and returns the same,
/// whatever the bytes are.
#[test]
fn lists_by_steps_and_by_number() {
    let item = |sku: &str| order_lite::Item {
        sku: sku.into(),
        qty: 3,
        ..Default::default()
    };
    let good = round_trip(&order_lite::Order {
        items: ["tea", "", "pot"].map(item).into(),
        ..Default::default()
    });
    let mut opened = 0;
    for at in 0..good.len() {
        for x in [0, 1, 2, 0x10, 0x40, 0x7f, 0x80, 0xff] {
            let mut b = good.clone();
            b[at] ^= x;
            let Ok(view) = zmy::view_unverified::<order_lite::Order>(&b) else {
                continue;
            };
            opened += 1;
            let items = view.items();
            let by_number = (0..items.len()).map(|i| items.get(i).unwrap().as_bytes());
            assert!(items.iter().map(|i| i.as_bytes()).eq(by_number), "{b:x?}");
            for item in items.iter() {
                assert!(item.sku().is_empty() || item.sku().as_bytes() == item.sku_bytes());
            }
        }
    }
    assert!(opened > 200, "{opened}");
}
