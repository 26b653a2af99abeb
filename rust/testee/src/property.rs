//! Random values: what is written is read again, in each way, and is the only encoding of its
//! value.

use crate::vectors::{Dynamic, Lists, Maps, Order, Tree};
use zmy::{
    BigFloat, BigInt, Code, Complex, Decimal, Decode, DecodeOptions, Duration, Encode,
    EncodeOptions, Map, Time, Value,
};

/// A small generator of numbers: xorshift64*.
pub(crate) struct Random(pub u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 32) % n
    }

    /// An integer. Each number of bits is about as likely as another.
    fn integer(&mut self) -> i64 {
        let shift = self.below(64);
        self.next() as i64 >> shift
    }

    fn text(&mut self) -> String {
        const LETTERS: [char; 8] = ['a', 'B', '0', ' ', 'é', '€', '😀', '\u{0}'];
        let n = [0, 1, 3, 8, 17, 40][self.below(6) as usize];
        (0..n).map(|_| LETTERS[self.below(8) as usize]).collect()
    }

    fn bytes(&mut self) -> Vec<u8> {
        (0..self.below(20)).map(|_| self.next() as u8).collect()
    }

    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let n = self.below(6);
        (0..n).map(|_| item(self)).collect()
    }

    pub(crate) fn time(&mut self) -> Time {
        Time {
            seconds: self.integer() >> 9,
            nanos: self.below(1_000_000_000) as u32,
        }
    }

    fn big(&mut self) -> BigInt {
        BigInt::from_bytes(self.below(2) == 1, &self.bytes())
    }

    pub(crate) fn value(&mut self, depth: u64) -> Value {
        match self.below(if depth == 0 { 26 } else { 28 }) {
            0 => Value::Null,
            1 => Value::Bool(self.below(2) == 1),
            2 | 3 => Value::Int(self.integer()),
            4 => Value::Uint(self.next() | 1 << 63),
            5 => Value::Float64(self.integer() as f64 / 8.0),
            6 => Value::String(self.text()),
            7 => Value::Bytes(self.bytes()),
            8 => Value::Time(self.time()),
            9 => Value::Duration(Duration::from_nanos(self.integer())),
            10 => Value::Decimal(Decimal {
                scale: self.below(20_001) as i16 - 10_000,
                unscaled: self.big(),
            }),
            11 => Value::BigInt(self.big()),
            12 => Value::BigFloat(BigFloat::try_from(self.integer() as f64).expect("no NaN")),
            13 => Value::RawJson(b"[1]".to_vec()),
            14 => Value::Float32(self.integer() as f32),
            15 => Value::Complex128(Complex {
                re: 0.5,
                im: self.integer() as f64,
            }),
            16 => Value::Number(self.integer().to_string()),
            17 => Value::Bools(self.list(|r| r.below(2) == 1)),
            18 => Value::Int16s(self.list(|r| r.next() as i16)),
            19 => Value::Uint64s(self.list(Self::next)),
            20 => Value::Times(self.list(Self::time)),
            21 => Value::Strings(self.list(Self::text)),
            22 => Value::StringMap(self.list(|r| (r.text(), r.text())).into_iter().collect()),
            23 => Value::Unknown {
                kind: 200,
                payload: self.bytes(),
            },
            24 => Value::Struct {
                lineage: self.next(),
                slot: self.bytes(),
            },
            25 => Value::Int8s(self.list(|r| r.next() as i8)),
            26 => Value::List(self.list(|r| r.value(depth - 1))),
            _ => Value::Map(
                self.list(|r| (r.text(), r.value(depth - 1)))
                    .into_iter()
                    .collect(),
            ),
        }
    }

    fn tree(&mut self, depth: u64) -> Tree {
        let left = (depth > 0 && self.below(2) == 1).then(|| Box::new(self.tree(depth - 1)));
        let kids = if depth > 0 {
            self.list(|r| r.tree(depth - 1))
        } else {
            Vec::new()
        };
        Tree {
            value: self.integer() as i32,
            left,
            kids,
            any: self.value(2),
        }
    }
}

/// Writes a value, and reads it in all ways.
fn round<T: Decode + Encode + PartialEq + std::fmt::Debug>(v: &T) -> Vec<u8> {
    let o = DecodeOptions {
        exact: true,
        ..DecodeOptions::default()
    };
    let b = v.encode().expect("a value in its range");
    zmy::verify::<T>(&b, &o).expect("it was written");
    let back = T::decode_with(&b, &o).expect("it was written");
    assert_eq!(back, *v);
    assert_eq!(back.encode().expect("it was read"), b);
    b
}

#[test]
fn values() {
    let mut r = Random(1);
    for _ in 0..3000 {
        let value = r.value(4);
        let b = round(&Dynamic {
            value: value.clone(),
        });
        let view = zmy::view::<Dynamic>(&b).expect("it was written");
        assert_eq!(view.value().to_value(), Ok(value));
        round(&r.tree(3));
    }
}

#[test]
fn lists_and_maps() {
    let mut r = Random(2);
    for _ in 0..1000 {
        round(&Lists {
            ints: r.list(|r| r.next() as i16),
            texts: r.list(Random::text),
            blobs: r.list(Random::bytes),
            grid: r.list(|r| r.list(|r| r.integer() as i32)),
            nums: r.list(|r| (r.below(2) == 1).then(|| r.integer() as i32)),
            anys: r.list(|r| r.value(1)),
            names: [r.text(), r.text()],
            ..Lists::default()
        });
        let maps = Maps {
            text: r.list(|r| (r.text(), r.text())).into_iter().collect(),
            signed: r.list(|r| (r.next() as i8, r.text())).into_iter().collect(),
            large: r
                .list(|r| (r.next(), r.integer() as i32))
                .into_iter()
                .collect(),
            set: r.list(Random::text).into_iter().collect(),
            lists: r
                .list(|r| (r.text(), r.list(|r| r.integer() as i32)))
                .into_iter()
                .collect(),
            ..Maps::default()
        };
        let b = round(&maps);
        let view = zmy::view::<Maps>(&b).expect("it was written");
        for (k, v) in &maps.text {
            assert_eq!(view.text().get(k), Some(v.as_str()));
        }
        assert!(view
            .signed()
            .iter()
            .map(|(k, _)| k)
            .eq(maps.signed.keys().copied()));
        assert_eq!(view.set().contains("é"), maps.set.contains("é"));
    }
}

/// Equal maps have equal bytes, in whatever order they were built.
#[test]
fn one_encoding() {
    let mut r = Random(3);
    for _ in 0..200 {
        let mut pairs = r.list(|r| (r.text(), r.text()));
        pairs.sort();
        pairs.dedup_by(|a, b| a.0 == b.0);
        let mut other = Map::new();
        while !pairs.is_empty() && other.len() < pairs.len() {
            let (k, v) = &pairs[r.below(pairs.len() as u64) as usize];
            other.insert(k.clone(), v.clone());
        }
        let a = Order {
            metadata: pairs.into_iter().collect(),
            ..Order::default()
        };
        assert_eq!(
            round(&a),
            round(&Order {
                metadata: other,
                ..Order::default()
            })
        );
    }
}

#[test]
fn limits() {
    let order = Order {
        id: "x".repeat(200_000),
        ..Order::default()
    };
    let err = order.encode().expect_err("128 KiB");
    assert_eq!((err.code(), err.path()), (Code::TooLarge, ""));
    assert_eq!(err.to_string(), "zmy: encode Order: larger than the limit");
    let mut out = vec![7];
    order
        .encode_into(&mut out, &EncodeOptions::default())
        .expect_err("128 KiB");
    assert_eq!(out, [7], "what was there stays, and nothing else");
    let large = EncodeOptions {
        max_wire: 1 << 20,
        ..EncodeOptions::default()
    };
    order.encode_into(&mut out, &large).expect("1 MiB");
    let err = Order::decode(&out[1..]).expect_err("128 KiB");
    assert_eq!((err.code(), err.offset()), (Code::TooLarge, 0));

    let mut deep = Value::Null;
    for _ in 0..70 {
        deep = Value::List(vec![deep]);
    }
    let err = Dynamic { value: deep }.encode().expect_err("64 levels");
    assert_eq!(err.code(), Code::Depth);
    assert!(err.path().starts_with("Value[0][0]"), "{}", err.path());

    let time = Time {
        seconds: i64::MAX,
        nanos: 0,
    };
    let err = Order {
        timestamp: time,
        ..Order::default()
    }
    .encode()
    .expect_err("no such year");
    assert_eq!(
        err.to_string(),
        "zmy: encode Order.Timestamp: value outside of its type's range"
    );
}
