//! The memory of absent values, and faults of other versions than the reader's.

#![cfg(feature = "std")]
#![allow(clippy::unwrap_used, missing_docs)]

mod golden {
    pub mod carriers;
    pub mod wide;
}

use golden::{carriers, wide};
use std::mem::size_of;
use zmy::{Code, Decode, DecodeOptions, Encode};

/// Units of the budget for an empty slot.
const SLOT: usize = 24;

#[test]
fn empty_slots_take_little() {
    const N: usize = 10_000;
    let b = wide::Shapes {
        list: vec![None; N],
        keys: vec![None; N],
        codes: vec![None; N],
        one: Some(wide::Shape::Bitmap(Box::default())),
    }
    .encode()
    .unwrap();
    // For the outermost struct's slots and the one bitmap, beside the lists.
    let rest = 1 << 15;
    let budget = (3 * N * SLOT + rest) as u64;
    let o = DecodeOptions {
        budget,
        ..Default::default()
    };
    let v = wide::Shapes::decode_with(&b, &o).unwrap();
    let taken = v.list.capacity() * size_of::<Option<wide::Shape>>()
        + v.keys.capacity() * size_of::<Option<Box<[u8; 32]>>>()
        + v.codes.capacity() * size_of::<Option<[u8; 4]>>();
    assert!(taken as u64 <= 2 * budget, "{taken} bytes for {budget}");
    let o = DecodeOptions {
        budget: (3 * N * SLOT) as u64 - 1,
        ..o
    };
    let e = wide::Shapes::decode_with(&b, &o).unwrap_err();
    assert_eq!(e.code(), Code::Budget);
}

#[test]
fn boxed_values_survive() {
    let mut pixels = wide::Bitmap::default();
    pixels.pixels[4095] = 7;
    let v = wide::Shapes {
        list: vec![
            Some(wide::Shape::Bitmap(Box::new(pixels))),
            Some(wide::Dot { x: 1, y: -1 }.into()),
            None,
        ],
        keys: vec![Some(Box::new([9; 32])), None],
        codes: vec![None, Some([0; 4])],
        one: None,
    };
    let b = v.encode().unwrap();
    assert_eq!(wide::Shapes::decode(&b).unwrap(), v);
    let view = zmy::view::<wide::Shapes>(&b).unwrap();
    assert_eq!(view.keys().get(0), Some(Some([9; 32])));
}

/// With `exact`, the verifier refuses the same messages as decoding.
#[test]
fn exact_in_place() {
    let exact = DecodeOptions {
        exact: true,
        ..Default::default()
    };
    fn same<T: Decode>(b: &[u8], o: &DecodeOptions, want: Option<Code>) {
        let (decoded, verified) = (T::decode_with(b, o).err(), zmy::verify::<T>(b, o).err());
        assert_eq!(decoded, verified);
        assert_eq!(decoded.map(|e| e.code()), want);
        assert_eq!(zmy::view_with::<T>(b, o).is_ok(), want.is_none());
    }
    let version = Some(Code::Version);
    let newer = carriers::V2::default().encode().unwrap();
    same::<carriers::V2>(&newer, &exact, None);
    same::<carriers::V1>(&newer, &exact, version);
    same::<carriers::V1>(&newer, &DecodeOptions::default(), None);
    // Dropped only reserves three fields of Full; Kept passes them on.
    let empty = carriers::Full::default().encode().unwrap();
    same::<carriers::Dropped>(&empty, &exact, None);
    for full in [
        carriers::Full {
            a: 1,
            ..Default::default()
        },
        carriers::Full {
            d: vec![String::new()],
            ..Default::default()
        },
    ] {
        let b = full.encode().unwrap();
        same::<carriers::Dropped>(&b, &exact, version);
        same::<carriers::Kept>(&b, &exact, None);
        same::<carriers::Dropped>(&b, &DecodeOptions::default(), None);
    }
}
