//! A decoded value takes at most two bytes of memory for each unit of the budget, four for
//! each byte of the message, and 64 KiB: spec/FORMAT.md, section 9. Memory is counted by the
//! allocator, as much as the largest sum at any time while a message is decoded.

use crate::property::Random;
use crate::vectors::*;
use std::alloc::{GlobalAlloc, Layout as Piece, System};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::fmt::Debug;
use zmy::rt::{self, Codec};
use zmy::{Code, Complex, Decode, DecodeOptions, Encode, EncodeOptions, Map, Time, ZonedTime};

const SLACK: u64 = 64 << 10;

thread_local! {
    static LIVE: Cell<i64> = const { Cell::new(0) };
    static PEAK: Cell<i64> = const { Cell::new(0) };
}

/// Counts what each thread has taken, with the allocator's own share.
struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

/// The bytes that an allocation takes: malloc adds 8, in steps of 16, and takes at least 32.
fn taken(bytes: usize) -> i64 {
    ((bytes + 8 + 15) & !15).max(32) as i64
}

fn count(bytes: i64) {
    LIVE.with(|live| {
        live.set(live.get() + bytes);
        PEAK.with(|peak| peak.set(peak.get().max(live.get())));
    });
}

// SAFETY: every call is passed on to System as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, piece: Piece) -> *mut u8 {
        count(taken(piece.size()));
        System.alloc(piece)
    }

    unsafe fn dealloc(&self, at: *mut u8, piece: Piece) {
        count(-taken(piece.size()));
        System.dealloc(at, piece)
    }
}

/// The most memory that f had at a time, in bytes.
fn peak<T>(f: impl FnOnce() -> T) -> (T, u64) {
    let before = LIVE.with(Cell::get);
    PEAK.with(|peak| peak.set(before));
    let out = f();
    (out, (PEAK.with(Cell::get) - before) as u64)
}

fn options(b: &[u8], budget: u64) -> DecodeOptions {
    DecodeOptions {
        max_wire: b.len().max(1),
        max_raw: b.len().max(1),
        max_depth: 2 * zmy::DEFAULT_MAX_DEPTH,
        budget,
        ..Default::default()
    }
}

/// A message is refused under the largest budget that does not allow its memory.
fn holds<T: Decode>(name: &str, b: &[u8]) {
    let (v, used) = peak(|| T::decode_with(b, &options(b, 1 << 40)));
    if v.is_err() {
        return;
    }
    let given = 4 * b.len() as u64 + SLACK;
    let Some(over) = used.checked_sub(given + 1) else {
        return;
    };
    let budget = (over / 2).max(1); // 0 is the default
    match T::decode_with(b, &options(b, budget)) {
        Ok(_) => panic!(
            "{name}: {} bytes take {used} of memory at a budget of {budget}, {} are allowed",
            b.len(),
            2 * budget + given
        ),
        Err(e) => assert!(matches!(e.code(), Code::Budget | Code::Memory), "{e}"),
    }
}

/// A message of one tail of any form.
struct One<F: Codec>(F::Value);

impl<F: Codec> Default for One<F> {
    fn default() -> Self {
        One(F::zero())
    }
}

impl<F: Codec> rt::Layout for One<F> {
    const NAME: &'static str = "One";
    const HEAD: u32 = 0x4000;
    const OLDER: &'static [u32] = &[];
    const SPARSE: Option<&'static [u8]> = None;
    type View<'a> = ();

    fn view(_: rt::Raw<'_>) {}

    fn check(b: &[u8], h: u32, head: usize, walk: rt::Walk) -> rt::Result<()> {
        let mut x = [0; 0];
        let o = rt::open::<Self, 0, 1>(b, h, head, walk.exact, walk.left, &mut x)?;
        o.check_tail::<F, 0>(walk, "F")
    }
}

impl<F: Codec> rt::Record for One<F> {
    const COST: u64 = F::COST;
    const KEEPS: bool = false;

    fn put(&self, e: &mut rt::Encoder<'_>, h: u32, own: bool, left: u32) -> rt::Result<()> {
        let mut w = e.open::<Self, 0, 1>(&[], h, own, left);
        w.tail::<F, 0>(&self.0, "F")?;
        w.close(h, None)
    }

    fn get(b: &[u8], h: u32, head: usize, d: &mut rt::Decoder, left: u32) -> rt::Result<Self> {
        let mut x = [0; 0];
        let o = rt::open::<Self, 0, 1>(b, h, head, d.exact(), left, &mut x)?;
        Ok(One(o.tail::<F, 0>(d, left, "F")?))
    }
}

impl<F: Codec> zmy::Message for One<F> {
    const FINGERPRINT: u64 = 1;
    const SCHEMA: &'static [u8] = b"";
}

/// Writes a value, however deep it is.
fn message<T: Encode>(v: &T) -> Vec<u8> {
    let o = EncodeOptions {
        max_wire: 1 << 28,
        max_raw: 1 << 28,
        max_depth: 2 * zmy::DEFAULT_MAX_DEPTH,
    };
    let mut b = Vec::new();
    v.encode_into(&mut b, &o).expect("a value in its range");
    b
}

/// A struct inline with more padding than content: 40 bytes for 19 units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
struct Padded(u8, i64, u8, i64, u8);

impl rt::Fixed for Padded {
    type Value = Self;
    const SIZE: usize = 19;
    const ANY: bool = true;

    fn load(x: &[u8]) -> Self {
        let part = |from, to| rt::part(x, from, to);
        Padded(
            u8::load(part(0, 1)),
            i64::load(part(1, 9)),
            u8::load(part(9, 10)),
            i64::load(part(10, 18)),
            u8::load(part(18, 19)),
        )
    }

    fn check(_: &[u8]) -> rt::Result<()> {
        Ok(())
    }

    fn store(v: &Self, x: &mut [u8]) -> rt::Result<()> {
        rt::store::<u8, 0>(&v.0, x, "0")?;
        rt::store::<i64, 1>(&v.1, x, "1")?;
        rt::store::<u8, 9>(&v.2, x, "2")?;
        rt::store::<i64, 10>(&v.3, x, "3")?;
        rt::store::<u8, 18>(&v.4, x, "4")
    }
}

/// A random value, mostly small: the memory of the slot around it counts most then.
trait Draw {
    fn draw(r: &mut Random, n: u64) -> Self;
}

macro_rules! draw {
    ($($t:ty: |$r:ident, $n:ident| $e:expr;)*) => {$(
        impl Draw for $t {
            fn draw($r: &mut Random, $n: u64) -> Self {
                let _ = $n;
                $e
            }
        }
    )*};
}

draw! {
    bool: |r, n| r.below(4) > 0;
    u8: |r, n| r.next() as u8;
    u16: |r, n| r.next() as u16;
    i32: |r, n| r.next() as i32;
    i64: |r, n| r.next() as i64;
    Time: |r, n| r.time();
    ZonedTime: |r, n| ZonedTime { time: r.time(), east: r.below(3600) as i32 };
    Complex<f64>: |r, n| Complex { re: 1.0, im: r.below(9) as f64 };
    Padded: |r, n| Padded(1, 2, 3, r.next() as i64, 4);
    String: |r, n| ["", "a", "b", "ab", "abcdefg"][r.below(5) as usize].into();
    zmy::BigInt: |r, n| (r.next() as i64).into();
    zmy::Value: |r, n| r.value(1);
    zmy::BigFloat: |r, n| zmy::BigFloat::try_from(r.below(1 << 20) as f64).expect("no NaN");
    Point: |r, n| Point { x: r.next() as i32, ..Point::default() };
    Human: |r, n| Human { name: String::draw(r, n), enemy: None };
    Actor: |r, n| match r.below(3) {
        0 => Actor::from(Human::draw(r, n)),
        1 => Actor::from(Ghost { age: r.next() as i32, ..Ghost::default() }),
        _ => Actor::Unknown(zmy::UnknownArm { number: 99, slot: vec![1] }),
    };
    Sparse2: |r, n| Sparse2 { a: r.next() as i16, ..Sparse2::default() };
    Keep2: |r, n| Keep2 { price: r.below(9) as f64, note: String::draw(r, n), ..Keep2::default() };
}

impl<T: Draw> Draw for Option<T> {
    fn draw(r: &mut Random, n: u64) -> Self {
        (r.below(3) > 0).then(|| T::draw(r, n))
    }
}

impl<T: Draw> Draw for Box<T> {
    fn draw(r: &mut Random, n: u64) -> Self {
        Box::new(T::draw(r, n))
    }
}

impl<T: Draw> Draw for Vec<T> {
    fn draw(r: &mut Random, n: u64) -> Self {
        (0..n).map(|_| T::draw(r, 1 + n % 2)).collect()
    }
}

impl<T: Draw, const N: usize> Draw for [T; N] {
    fn draw(r: &mut Random, n: u64) -> Self {
        std::array::from_fn(|_| T::draw(r, n))
    }
}

impl<K: Draw + Ord, V: Draw> Draw for Map<K, V> {
    fn draw(r: &mut Random, n: u64) -> Self {
        let pairs: Vec<(K, V)> = (0..n)
            .map(|_| (K::draw(r, 1), V::draw(r, 1 + n % 2)))
            .collect();
        pairs.into_iter().collect()
    }
}

impl<K: Draw + Ord> Draw for BTreeSet<K> {
    fn draw(r: &mut Random, n: u64) -> Self {
        (0..n).map(|_| K::draw(r, 1)).collect()
    }
}

/// Tests lists of a form, with few elements and with many.
fn form<F: Codec<Value: Draw>>(name: &str) {
    let mut r = Random(7);
    for n in [1, 40, 900] {
        let b = message(&One::<F>(F::Value::draw(&mut r, n)));
        holds::<One<F>>(name, &b);
    }
}

/// Tests every form by itself and in lists, maps and options of lists: types of two and three
/// levels.
macro_rules! forms {
    ($($leaf:ty,)*) => {$(
        forms!(@ rt::Slots<$leaf>);
    )*};
    (@ $column:ty) => {
        forms!(# rt::List<$column>);
        forms!(# rt::List<rt::Slots<rt::List<$column>>>);
        forms!(# rt::List<rt::Slots<rt::Opt<rt::Boxed<rt::Array<$column, 3>>>>>);
        forms!(# rt::List<rt::Slots<rt::Nilable<rt::List<$column>>>>);
        forms!(# rt::Map<u16, $column>);
        forms!(# rt::Map<rt::Text, rt::Slots<rt::List<$column>>>);
        forms!(# rt::List<rt::Slots<rt::Map<u8, $column>>>);
        forms!(# rt::List<rt::Slots<rt::Ptr<One<rt::List<$column>>>>>);
        forms!(# rt::List<rt::Dense<One<rt::List<$column>>>>);
    };
    (# $form:ty) => { form::<$form>(stringify!($form)) };
}

impl<F: Codec<Value: Draw>> Draw for One<F> {
    fn draw(r: &mut Random, n: u64) -> Self {
        One(F::Value::draw(r, n))
    }
}

#[test]
fn drawn_types() {
    forms! {
        rt::Text, rt::Blob, rt::Any, rt::Integer, rt::PtrInteger, rt::Float, rt::PtrFloat,
        rt::Opt<rt::Text>, rt::PtrFixed<i64>, rt::PtrFixed<bool>, rt::PtrFixed<ZonedTime>,
        rt::PtrBoxed<[Padded; 2]>, rt::Opt<rt::Boxed<rt::Long<[Padded; 20]>>>, rt::Ptr<Point>,
        rt::Ptr<Human>, rt::Union<Actor>, rt::Struct<Sparse2>, rt::Ptr<Sparse2>,
        rt::Set<rt::Text>, rt::Set<u8>, rt::Set<i64>, rt::Map<bool, rt::Packed<bool>>,
    }
    forms!(@ rt::Packed<bool>);
    forms!(@ rt::Packed<Padded>);
    forms!(@ rt::Packed<Complex<f64>>);
    forms!(@ rt::Packed<Time>);
    forms!(@ rt::Packed<[Padded; 3]>);
    forms!(@ rt::Texts);
    forms!(@ rt::Dense<Point>);
    forms!(@ rt::Dense<Human>);
    forms!(@ rt::Dense<Keep2>);
}

/// Tests parts of newer versions, which take the most memory in types that keep them.
#[test]
fn newer_versions() {
    let mut r = Random(9);
    let lists = |r: &mut Random| One::<rt::List<rt::Dense<Keep2>>>(Vec::draw(r, 3000));
    holds::<One<rt::List<rt::Dense<Keep1>>>>("dense", &message(&lists(&mut r)));
    holds::<One<rt::List<rt::Dense<Retired>>>>("dropped", &message(&lists(&mut r)));
    // One byte more than Keep1 has takes some hundred bytes of memory for a unit.
    let (header, n) = (0xc005_u32, 2000);
    let end = 15_u16.to_le_bytes();
    let thin = [
        &header.to_le_bytes()[..],
        &[0, 0, 0, 0, 1],
        &end,
        &end,
        &end,
    ]
    .concat();
    let one = Keep1::decode(&thin).expect("a newer version");
    assert!(!one.unknown.is_empty());
    let many = One::<rt::List<rt::Slots<rt::Ptr<Keep1>>>>(vec![Some(Box::new(one.clone())); n]);
    holds::<One<rt::List<rt::Slots<rt::Ptr<Keep1>>>>>("pointers", &message(&many));
    let many = One::<rt::List<rt::Dense<Keep1>>>(vec![one; n]);
    holds::<One<rt::List<rt::Dense<Keep1>>>>("one byte more", &message(&many));
}

/// A message that is refused for its memory has not taken it.
#[test]
fn refused_before() {
    type Sets = One<rt::List<rt::Slots<rt::Set<rt::Text>>>>;
    let set = BTreeSet::from([String::new()]);
    let b = message(&One::<rt::List<rt::Slots<rt::Set<rt::Text>>>>(vec![
        set;
        60_000
    ]));
    let budget = 60_000 * (24 + 16 + 24);
    let (e, used) = peak(|| Sets::decode_with(&b, &options(&b, budget)).err());
    assert_eq!(e.map(|e| e.code()), Some(Code::Memory));
    assert!(used <= 2 * budget + 4 * b.len() as u64 + SLACK, "{used}");
    let e = Sets::decode_with(&b, &options(&b, budget - 1)).err();
    assert!(matches!(
        e.map(|e| e.code()),
        Some(Code::Budget | Code::Memory)
    ));
}

/// Tests the value of each vector, by itself and many times in a list.
fn amplified<T: Decode + Encode + Clone + Debug>(name: &str, b: &[u8]) {
    holds::<T>(name, b);
    let Ok(v) = T::decode(b) else { return };
    let n = 1 + 8000 / (1 + b.len());
    if b.len() > 4000 {
        return;
    }
    let dense = One::<rt::List<rt::Dense<T>>>(vec![v.clone(); n]);
    holds::<One<rt::List<rt::Dense<T>>>>(name, &message(&dense));
    let apart = One::<rt::List<rt::Slots<rt::Ptr<T>>>>(vec![Some(Box::new(v)); n]);
    holds::<One<rt::List<rt::Slots<rt::Ptr<T>>>>>(name, &message(&apart));
}

macro_rules! by_reader {
    ($reader:expr, $b:expr; $($dense:ident)*; $($sparse:ident)*) => {
        match $reader {
            $(stringify!($dense) => amplified::<$dense>(stringify!($dense), $b),)*
            $(stringify!($sparse) => holds::<$sparse>(stringify!($sparse), $b),)*
            _ => {}
        }
    };
}

#[test]
fn vectors() {
    for v in crate::tests::vectors() {
        by_reader!(v.reader(), &v.input;
            Scalars Lists Maps Optional Numbers Raw Dynamic Tree Cast V1 V2 V3 Keep1 Keep2
            Retired RetiredKeep Wide Empty Order Tables;
            Sparse1 Sparse2 SparseDrop);
    }
}
