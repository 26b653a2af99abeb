//! Generated code has no warnings in a program that uses almost nothing of it.

#![deny(warnings, clippy::all)]
#![allow(missing_docs, clippy::unwrap_used)]

mod golden {
    pub mod carriers;
    pub mod kinds;
    pub mod names;
    pub mod order_lite;
    pub mod result;
    pub mod wide;
}

use golden::{names, order_lite, wide};
use std::collections::HashSet;
use std::fmt::Debug;
use std::hash::Hash;

/// Types without floats and any are keys of maps.
#[test]
fn types_are_keys() {
    fn key<T: Hash + Eq + Debug + Clone>(v: T) {
        assert!(HashSet::from([v.clone()]).contains(&v), "{v:?}");
    }
    key(wide::Shapes::default());
    key(wide::Shape::from(wide::Dot::default()));
    key(golden::carriers::Kept::default());
}

/// A type with floats derives only PartialEq, as they do, so it is no key.
#[test]
fn floats_are_no_keys() {
    let v = order_lite::Item {
        price: f64::NAN,
        ..Default::default()
    };
    assert_ne!(v, v.clone());
    assert_ne!(size_of::<names::Match>(), 0);
}
