//! Flat messages: what is written in one pass is what the general functions write.

#![allow(clippy::indexing_slicing, clippy::unwrap_used)]

use zmy::rt::{Encoder, Layout, Raw, Record, Result};
use zmy::{Buffer, Decode, DecodeError, DecodeOptions, Encode, EncodeOptions, Message, Time};

#[path = "golden/flat.rs"]
mod flat;
#[path = "golden/order_lite.rs"]
mod order_lite;
#[path = "golden/sse.rs"]
mod sse;

/// A value whose type hides that it is flat, so that the general functions write it.
#[derive(Default)]
struct General<T>(T);

impl<T: Layout> Layout for General<T> {
    const NAME: &'static str = T::NAME;
    const HEAD: u32 = T::HEAD;
    const OLDER: &'static [u32] = T::OLDER;
    const SPARSE: Option<&'static [u8]> = T::SPARSE;
    type View<'a> = T::View<'a>;

    fn view(raw: Raw<'_>) -> T::View<'_> {
        T::view(raw)
    }

    fn check(b: &[u8], h: u32, head: usize, walk: zmy::rt::Walk) -> Result<()> {
        T::check(b, h, head, walk)
    }
}

impl<T: Record> Record for General<T> {
    const COST: u64 = T::COST;
    const KEEPS: bool = T::KEEPS;

    fn put(&self, e: &mut Encoder<'_>, h: u32, own: bool, left: u32) -> Result<()> {
        self.0.put(e, h, own, left)
    }

    fn get(b: &[u8], h: u32, head: usize, d: &mut zmy::rt::Decoder, left: u32) -> Result<Self> {
        T::get(b, h, head, d, left).map(General)
    }
}

impl<T: Message> Message for General<T> {
    const FINGERPRINT: u64 = T::FINGERPRINT;
    const SCHEMA: &'static [u8] = T::SCHEMA;
}

/// Encodes in all ways, each of which must agree with the general one, in the message or the error.
fn agree<T>(v: T, buffer: &mut Buffer, o: &EncodeOptions) -> bool
where
    T: Message + Record + PartialEq + std::fmt::Debug,
{
    assert!(T::FLAT, "{} is not flat", T::NAME);
    let general = General(v);
    let mut want = b"before".to_vec();
    let done = general.encode_into(&mut want, o);
    let mut got = b"before".to_vec();
    assert_eq!(general.0.encode_into(&mut got, o), done);
    assert_eq!(got, want);
    let message = buffer.encode_with(&general.0, o);
    assert_eq!(
        message.map(<[u8]>::to_vec),
        done.clone().map(|()| want[6..].to_vec())
    );
    if done.is_err() {
        return false;
    }
    let wide = DecodeOptions {
        max_wire: 1 << 24,
        ..DecodeOptions::default()
    };
    assert_eq!(T::decode_with(&want[6..], &wide).unwrap(), general.0);
    true
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }

    /// Text of any length that a copy treats in its own way, at times beyond ASCII.
    fn text(&mut self) -> String {
        let letter = ["a", "z", "é", "語", "\0"][self.below(5)];
        letter.repeat(self.below(70))
    }

    fn order(&mut self, size: usize) -> order_lite::Order {
        order_lite::Order {
            id: self.text(),
            items: (0..self.below(size)).map(|_| self.item()).collect(),
            metadata: (0..self.below(size))
                .map(|_| (self.text(), self.text()))
                .collect(),
            timestamp: self.time(),
        }
    }

    fn item(&mut self) -> order_lite::Item {
        order_lite::Item {
            sku: self.text(),
            price: self.below(1000) as f64,
            qty: self.below(9) as i32,
            attrs: self.text().into_bytes(),
        }
    }

    /// A time; one in sixteen is refused.
    fn time(&mut self) -> Time {
        match self.below(16) {
            0 => Time::from_unix(i64::MAX, 0),
            n => Time::from_unix_nanos(n as i64 * 1_000_000_007),
        }
    }
}

/// The lengths of text at which copying changes its way.
const LENGTHS: [usize; 14] = [0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33];

#[test]
fn lengths() {
    let mut buffer = Buffer::new();
    for n in LENGTHS {
        let v = flat::Person {
            name: "x".repeat(n),
            phone: "0123456789".repeat(4)[..n].into(),
            ..Default::default()
        };
        assert!(agree(v, &mut buffer, &EncodeOptions::default()));
    }
}

#[test]
fn drawn() {
    let (mut r, mut buffer) = (Random(88_172_645_463_325_252), Buffer::new());
    let (mut good, mut bad) = (0, 0);
    for i in 0..3000 {
        // Few messages in a hundred are wide; limits fall inside messages.
        let size = if i % 64 == 0 { 1500 } else { 8 };
        let o = EncodeOptions {
            max_wire: [0, 1 << 24, 300][r.below(3)],
            max_depth: [0, 1, 2, 3][r.below(4)],
            ..EncodeOptions::default()
        };
        let v = r.order(size);
        if agree(v, &mut buffer, &o) {
            good += 1;
        } else {
            bad += 1;
        }
        let v = sse::SSEEvent {
            data: r.text().repeat(r.below(3)),
            replay: i % 2 == 0,
            meta: (0..r.below(4)).map(|_| (r.text(), r.text())).collect(),
            ..Default::default()
        };
        agree(v, &mut buffer, &o);
    }
    assert!(good > 500 && bad > 500, "{good} and {bad}");
}

/// Around the largest narrow message.
#[test]
fn narrow() {
    let mut buffer = Buffer::new();
    for n in 65_535 - 60..65_535 + 10 {
        let v = sse::SSEEvent {
            data: "d".repeat(n),
            ..Default::default()
        };
        assert!(agree(v, &mut buffer, &EncodeOptions::default()));
    }
}

/// Views of text that the fast checks refuse or pass on: one byte of each message is changed.
#[test]
fn changed() {
    let mut r = Random(1);
    for _ in 0..300 {
        let mut v = r.order(4);
        v.timestamp = Time::default();
        let mut b = v.encode().unwrap();
        for _ in 0..200 {
            let (at, to) = (r.below(b.len()), r.below(256) as u8);
            let was = std::mem::replace(&mut b[at], to);
            let verified = zmy::verify::<order_lite::Order>(&b, &DecodeOptions::default());
            let decoded: std::result::Result<_, DecodeError> = order_lite::Order::decode(&b);
            assert_eq!(verified, decoded.map(|_| ()));
            b[at] = was;
        }
    }
}
