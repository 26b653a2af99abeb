//! The values, as types of the language that every format with derives of its own writes, and
//! how they are drawn.

use std::collections::BTreeMap;

/// Derives what the formats need for their reading and writing.
macro_rules! derived {
    ($($item:item)*) => {$(
        #[derive(
            Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize, rkyv::Archive,
            rkyv::Serialize, rkyv::Deserialize, bincode::Encode, bincode::Decode, bitcode::Encode,
            bitcode::Decode, speedy::Readable, speedy::Writable,
        )]
        $item
    )*};
}

derived! {
    pub struct Order {
        pub id: String,
        pub items: Vec<Item>,
        pub metadata: BTreeMap<String, String>,
        pub timestamp: i64,
    }

    pub struct Item {
        pub sku: String,
        pub price: f64,
        pub qty: i32,
        #[serde(with = "serde_bytes")]
        pub attrs: Vec<u8>,
    }

    pub struct Event {
        pub id: String,
        pub event: String,
        pub data: String,
        pub replay: bool,
        pub meta: BTreeMap<String, String>,
    }

    pub struct Result {
        pub id: u64,
        pub data: Vec<f64>,
        pub timestamp: i64,
    }

    pub struct Person {
        pub name: String,
        pub birth_day: i64,
        pub phone: String,
        pub siblings: i64,
        pub spouse: bool,
        pub money: f64,
    }
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

    fn order_id(&mut self) -> String {
        let (n, letter) = (self.below(10_000_000), self.letter());
        format!("ORD-2025-{n:07}-{letter}{}", self.below(10))
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
            id: r.order_id(),
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

impl Event {
    /// Two of three have metadata, of one to three pairs, as in examples/sse.
    pub fn draw(r: &mut Random) -> Event {
        let at = 1_700_000_000_000 + r.below(1 << 34);
        let mut meta = BTreeMap::new();
        let pairs = if r.below(3) < 2 { 1 + r.below(3) } else { 0 };
        if pairs > 0 {
            meta.insert("trace".into(), format!("{:016x}", r.next()));
        }
        if pairs > 1 {
            let region = r.pick(&["eu-central", "us-east", "ap-south"]);
            meta.insert("region".into(), region.into());
        }
        if pairs > 2 {
            meta.insert("tenant".into(), format!("t-{}", r.below(10_000)));
        }
        Event {
            id: format!("{at}-{}", r.below(1000)),
            event: r
                .pick(&[
                    "order.created",
                    "order.updated",
                    "order.shipped",
                    "payment.captured",
                    "stock.changed",
                ])
                .into(),
            data: format!(
                r#"{{"order":"{}","state":"{}","total":{:.2},"currency":"EUR","note":"{} {}"}}"#,
                r.order_id(),
                r.pick(&["pending", "confirmed", "packed", "in transit", "delivered"]),
                (100 + r.below(9900)) as f64 / 100.0,
                r.pick(NOUNS),
                r.pick(NOUNS),
            ),
            replay: r.below(10) == 0,
            meta,
        }
    }
}

impl Person {
    /// One name in six has a letter outside ASCII, as in examples/flat.
    pub fn draw(r: &mut Random) -> Person {
        let last = if r.below(6) == 0 {
            r.pick(&["Müller", "Søndergaard", "Nováková", "Lefèvre", "Çelik"])
        } else {
            r.pick(&[
                "Smith", "Okafor", "Rossi", "Tanaka", "Silva", "Kowalski", "Haas",
            ])
        };
        let first = r.pick(&["Ada", "Benedikt", "Chiara", "Dmitri", "Eun-ji", "Fatima"]);
        Person {
            name: format!("{first} {last}"),
            birth_day: 1_000_000_000_000_000_000 - r.below(1 << 60) as i64,
            phone: format!("+1-{}-555-01{:02}", 200 + r.below(800), r.below(100)),
            siblings: r.below(5) as i64,
            spouse: r.below(5) < 3,
            money: r.below(1_000_000) as f64 / 100.0,
        }
    }
}

const NOUNS: &[&str] = &[
    "lamp", "kitchen", "notebook", "garden", "bottle", "charger", "window", "cushion", "rack",
];

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

/// This many values, from a fixed seed.
fn drawn<T>(n: usize, draw: fn(&mut Random) -> T) -> Vec<T> {
    let mut r = Random(0x9e37_79b9_7f4a_7c15);
    (0..n).map(|_| draw(&mut r)).collect()
}

/// 64 orders, so that the processor cannot predict the branches of a codec for one of them.
pub fn orders() -> Vec<Order> {
    drawn(64, Order::draw)
}

pub fn events() -> Vec<Event> {
    drawn(64, Event::draw)
}

pub fn results() -> Vec<Result> {
    drawn(4, Result::draw)
}

pub fn people() -> Vec<Person> {
    drawn(64, Person::draw)
}
