//! Maps that are owned.

use super::*;
use crate::codec::Codec;
use crate::decoder::{Decoder, SLOT};
use crate::encoder::Encoder;
use crate::list::ColumnCodec;
use crate::vecmap;
use alloc::borrow::ToOwned;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

/// A type of keys with owned values.
pub trait KeyCodec: Key {
    /// The key in Rust, whose order is that of the wire.
    type Value: Ord;
    /// The units of the budget that a key takes, without what it points to.
    const COST: u64;

    /// Appends the column of these `n` keys, at least one.
    fn put<'v, I>(keys: I, n: usize, e: &mut Encoder<'_>) -> Result<()>
    where
        I: Iterator<Item = &'v Self::Value> + Clone,
        Self::Value: 'v;
    /// The most bytes that the column of these `n` keys takes in a narrow message.
    fn room<'v>(keys: impl Iterator<Item = &'v Self::Value>, n: usize) -> usize
    where
        Self::Value: 'v;
    /// Writes the column of these `n` keys as [`Codec::write`] does.
    fn write<'v, 'x>(
        keys: impl Iterator<Item = &'v Self::Value>,
        n: usize,
        x: &'x mut [u8],
    ) -> Option<&'x mut [u8]>
    where
        Self::Value: 'v;
    /// Returns an owned key.
    fn own(key: Self::View<'_>) -> Self::Value;
    /// Places a fault inside the value under a key.
    fn place_own(key: &Self::Value, f: Fault) -> Fault;
}

impl KeyCodec for Text {
    type Value = String;
    const COST: u64 = SLOT;

    fn put<'v, I>(keys: I, n: usize, e: &mut Encoder<'_>) -> Result<()>
    where
        I: Iterator<Item = &'v String> + Clone,
    {
        Texts::put(keys, n, e, 1, |f, _| f)
    }

    #[inline(always)]
    fn room<'v>(keys: impl Iterator<Item = &'v String>, n: usize) -> usize {
        Texts::room(keys, n)
    }

    #[inline(always)]
    fn write<'v, 'x>(
        keys: impl Iterator<Item = &'v String>,
        n: usize,
        x: &'x mut [u8],
    ) -> Option<&'x mut [u8]> {
        Texts::write(keys, n, x, 1)
    }

    #[inline(always)]
    fn own(key: &str) -> String {
        key.to_owned()
    }

    fn place_own(key: &String, f: Fault) -> Fault {
        f.at_key(key.as_bytes())
    }
}

impl<F: Fixed<Value: Scalar>> KeyCodec for F {
    type Value = F::Value;
    const COST: u64 = F::SIZE as u64;

    fn put<'v, I>(keys: I, n: usize, e: &mut Encoder<'_>) -> Result<()>
    where
        I: Iterator<Item = &'v F::Value> + Clone,
        F::Value: 'v,
    {
        Packed::<F>::put(keys, n, e, 1, |f, _| f)
    }

    #[inline(always)]
    fn room<'v>(keys: impl Iterator<Item = &'v F::Value>, n: usize) -> usize
    where
        F::Value: 'v,
    {
        Packed::<F>::room(keys, n)
    }

    #[inline(always)]
    fn write<'v, 'x>(
        keys: impl Iterator<Item = &'v F::Value>,
        n: usize,
        x: &'x mut [u8],
    ) -> Option<&'x mut [u8]>
    where
        F::Value: 'v,
    {
        Packed::<F>::write(keys, n, x, 1)
    }

    fn own(key: F::Value) -> F::Value {
        key
    }

    fn place_own(key: &F::Value, f: Fault) -> Fault {
        key.place(f)
    }
}

impl<K: KeyCodec, C: ColumnCodec> Codec for Map<K, C> {
    type Value = vecmap::Map<K::Value, C::Value>;
    const COST: u64 = SLOT;
    const FLAT: bool = C::FLAT;

    #[inline(always)]
    fn room(v: &Self::Value) -> usize {
        if v.is_empty() {
            return 0;
        }
        2 + K::room(v.keys(), v.len()) + C::room(v.values(), v.len())
    }

    #[inline(always)]
    fn write<'x>(v: &Self::Value, x: &'x mut [u8], left: u32) -> Option<&'x mut [u8]> {
        if v.is_empty() {
            return Some(x);
        }
        let all = x.len();
        let (keys_end, rest) = x.split_first_chunk_mut()?;
        let rest = K::write(v.keys(), v.len(), rest)?;
        *keys_end = ((all - rest.len()) as u16).to_le_bytes();
        C::write(v.values(), v.len(), rest, left)
    }

    fn zero() -> Self::Value {
        vecmap::Map::new()
    }

    fn put(v: &Self::Value, e: &mut Encoder<'_>, left: u32) -> Result<()> {
        if v.is_empty() {
            return Ok(());
        }
        let start = e.begin_map();
        K::put(v.keys(), v.len(), e)?;
        let keys_end = e.len();
        C::put(v.values(), v.len(), e, left, |f, i| match v.keys().nth(i) {
            Some(key) => K::place_own(key, f),
            None => f,
        })?;
        e.end_map(start, keys_end)
    }

    #[inline]
    fn get(b: &[u8], d: &mut Decoder, left: u32) -> Result<Self::Value> {
        if b.is_empty() {
            return Ok(vecmap::Map::new());
        }
        let (mut keys, mut vals, at) = open::<K, C>(b)?;
        let n = keys.len();
        d.charge(n, 16 + K::COST + C::COST, size_of::<(K::Value, C::Value)>())?;
        // The iterator knows its length, so that collect writes each pair to its place, and Vec::push
        // would copy it there: the copy waits for the stores of the pair.
        let mut fault = None;
        let pairs = (0..n).map(|_| {
            let key = K::next(&mut keys);
            match C::next(&mut vals, d, left) {
                Ok(v) => (K::own(key), v),
                Err(f) => {
                    fault.get_or_insert_with(|| K::place(&key, f.shift(at)));
                    (K::own(key), C::zero())
                }
            }
        });
        let pairs: Vec<_> = pairs.collect();
        match fault {
            None => Ok(vecmap::Map::from_sorted(pairs)),
            Some(f) => Err(f),
        }
    }
}

impl<K: KeyCodec> Codec for Set<K> {
    type Value = BTreeSet<K::Value>;
    const COST: u64 = SLOT;

    fn zero() -> Self::Value {
        BTreeSet::new()
    }

    fn put(v: &Self::Value, e: &mut Encoder<'_>, _: u32) -> Result<()> {
        if v.is_empty() {
            return Ok(());
        }
        let start = e.begin_map();
        K::put(v.iter(), v.len(), e)?;
        let keys_end = e.len();
        e.end_map(start, keys_end)
    }

    fn get(b: &[u8], d: &mut Decoder, _: u32) -> Result<Self::Value> {
        if b.is_empty() {
            return Ok(BTreeSet::new());
        }
        let mut keys = open_set::<K>(b)?;
        let n = keys.len();
        let units = (16 + K::COST).saturating_mul(n as u64);
        d.charge(1, units, set_memory::<K::Value>(n))?;
        Ok((0..n).map(|_| K::own(K::next(&mut keys))).collect())
    }
}

/// The most bytes that a `BTreeSet` takes while it is made from `n` keys: a vector of them,
/// then nodes of eleven keys, the last of which need not be full.
fn set_memory<K>(n: usize) -> usize {
    const FULL: usize = 11;
    let leaf = FULL * size_of::<K>() + 16;
    let node = match n {
        0..=FULL => leaf,
        _ => leaf + (FULL + 1) * size_of::<usize>(),
    };
    (n / FULL + 1) * node + n * size_of::<K>()
}
