//! The values, as types of the language with serde and rkyv, and how they are drawn.

use rkyv::{Archive, Deserialize as RkyvDeserialize, Serialize as RkyvSerialize};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(
    Clone, Debug, PartialEq, Serialize, Deserialize, Archive, RkyvSerialize, RkyvDeserialize,
)]
pub struct Order {
    pub id: String,
    pub items: Vec<Item>,
    pub metadata: BTreeMap<String, String>,
    pub timestamp: i64,
}

#[derive(
    Clone, Debug, PartialEq, Serialize, Deserialize, Archive, RkyvSerialize, RkyvDeserialize,
)]
pub struct Item {
    pub sku: String,
    pub price: f64,
    pub qty: i32,
    pub attrs: Vec<u8>,
}

#[derive(
    Clone, Debug, PartialEq, Serialize, Deserialize, Archive, RkyvSerialize, RkyvDeserialize,
)]
pub struct Result {
    pub id: u64,
    pub data: Vec<f64>,
    pub timestamp: i64,
}

/// A small generator of numbers: xorshift64*.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 32) * n >> 32
    }

    fn letter(&mut self) -> char {
        (b'A' + self.below(26) as u8) as char
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }
}

/// The number of items of an order, for a tenth of the orders each: 4.2 on average, as in
/// examples/order-lite of the project.
const ITEMS: [u64; 10] = [1, 2, 3, 3, 4, 4, 5, 5, 7, 8];

impl Order {
    pub fn draw(r: &mut Random) -> Order {
        let items = (0..ITEMS[r.below(10) as usize])
            .map(|_| Item::draw(r))
            .collect();
        let metadata = [
            (
                "channel",
                r.pick(&["web", "ios", "android", "phone", "store"]),
            ),
            ("region", r.pick(&["eu-central", "us-east", "ap-south"])),
            (
                "customer-tier",
                r.pick(&["bronze", "silver", "gold", "platinum"]),
            ),
            ("currency", r.pick(&["EUR", "USD", "GBP", "JPY"])),
        ];
        Order {
            id: format!(
                "ORD-2025-{:07}-{}{}",
                r.below(10_000_000),
                r.letter(),
                r.below(10)
            ),
            items,
            metadata: metadata.map(|(k, v)| (k.to_string(), v.to_string())).into(),
            timestamp: 1_700_000_000_000_000_000 + r.below(1 << 50) as i64,
        }
    }
}

impl Item {
    fn draw(r: &mut Random) -> Item {
        let attrs = r.below(24);
        Item {
            sku: format!("SKU-{:06}-{}{}", r.below(1_000_000), r.letter(), r.letter()),
            price: (100 + r.below(9900)) as f64 / 100.0,
            qty: 1 + r.below(10) as i32,
            attrs: (0..attrs).map(|_| r.next() as u8).collect(),
        }
    }
}

impl Result {
    pub fn draw(r: &mut Random) -> Result {
        let data = (0..1024)
            .map(|_| (r.next() >> 11) as f64 / (1u64 << 53) as f64)
            .collect();
        Result {
            id: r.next(),
            data,
            timestamp: 1_700_000_000_000,
        }
    }
}

/// 64 orders, so that the processor cannot predict the branches of a codec for one of them.
pub fn orders() -> Vec<Order> {
    let mut r = Random(0x9e37_79b9_7f4a_7c15);
    (0..64).map(|_| Order::draw(&mut r)).collect()
}

pub fn results() -> Vec<Result> {
    let mut r = Random(0x9e37_79b9_7f4a_7c15);
    (0..4).map(|_| Result::draw(&mut r)).collect()
}
