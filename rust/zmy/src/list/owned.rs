//! Lists and arrays that are owned.

use super::*;
use crate::codec::{Codec, Record};
use crate::decoder::{Decoder, SLOT};
use crate::encoder::{Boundaries, Encoder};
use crate::flat;
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

/// A column whose elements can be owned.
pub trait ColumnCodec: Column {
    /// An element in Rust.
    type Value;
    /// The units of the budget that an element takes, without what it points to.
    const COST: u64;

    /// The zero value of an element.
    fn zero() -> Self::Value;
    /// Appends the column of these `n` elements, at least one. `place` adds the index of the
    /// element to a fault, or the key of a map.
    fn put<'v, I>(
        values: I,
        n: usize,
        e: &mut Encoder<'_>,
        left: u32,
        place: impl Fn(Fault, usize) -> Fault,
    ) -> Result<()>
    where
        I: Iterator<Item = &'v Self::Value> + Clone,
        Self::Value: 'v;
    /// Whether elements are flat, as [`Codec::FLAT`].
    const FLAT: bool = false;
    /// The most bytes that the column of these `n` flat elements takes in a narrow message.
    #[inline(always)]
    fn room<'v>(_values: impl Iterator<Item = &'v Self::Value>, _n: usize) -> usize
    where
        Self::Value: 'v,
    {
        0
    }
    /// Writes the column of these `n` flat elements as [`Codec::write`] does.
    #[inline(always)]
    fn write<'v, 'x>(
        _values: impl Iterator<Item = &'v Self::Value>,
        _n: usize,
        _x: &'x mut [u8],
        _left: u32,
    ) -> Option<&'x mut [u8]>
    where
        Self::Value: 'v,
    {
        None
    }
    /// Writes the column of the elements of a list as [`Codec::write`] does.
    #[inline(always)]
    fn write_all<'x>(v: &[Self::Value], x: &'x mut [u8], left: u32) -> Option<&'x mut [u8]> {
        Self::write(v.iter(), v.len(), x, left)
    }

    /// Reads the next element. The place of a fault is relative to the column.
    fn next(c: &mut Self::Cursor<'_>, d: &mut Decoder, left: u32) -> Result<Self::Value>;

    /// Reads all elements. The caller has charged for them.
    #[inline(always)]
    fn all(mut c: Self::Cursor<'_>, d: &mut Decoder, left: u32) -> Result<Vec<Self::Value>> {
        let mut fault = None;
        let all = (0..c.len()).map(|i| match Self::next(&mut c, d, left) {
            Ok(v) => v,
            Err(f) => {
                fault.get_or_insert_with(|| f.at(i));
                Self::zero()
            }
        });
        let all: Vec<_> = all.collect();
        match fault {
            None => Ok(all),
            Some(f) => Err(f),
        }
    }
}

impl<F: Codec> ColumnCodec for Slots<F> {
    type Value = F::Value;
    const COST: u64 = F::COST;

    fn zero() -> F::Value {
        F::zero()
    }

    fn put<'v, I>(
        values: I,
        n: usize,
        e: &mut Encoder<'_>,
        left: u32,
        place: impl Fn(Fault, usize) -> Fault,
    ) -> Result<()>
    where
        I: Iterator<Item = &'v F::Value> + Clone,
        F::Value: 'v,
    {
        let start = e.len();
        let mut w = Boundaries::begin(e, start, n);
        for (i, v) in values.enumerate() {
            F::put(v, e, left).map_err(|f| place(f, i))?;
            w.mark(e);
        }
        Ok(())
    }

    fn next(c: &mut Words<'_>, d: &mut Decoder, left: u32) -> Result<F::Value> {
        let (x, from) = c.next()?;
        F::get(x, d, left).map_err(|f| f.shift(from))
    }
}

impl ColumnCodec for Texts {
    type Value = String;
    const COST: u64 = SLOT;
    const FLAT: bool = true;

    #[inline(always)]
    fn room<'v>(values: impl Iterator<Item = &'v String>, n: usize) -> usize {
        2 * (n + 1) + values.map(String::len).sum::<usize>()
    }

    #[inline(always)]
    fn write<'v, 'x>(
        values: impl Iterator<Item = &'v String>,
        n: usize,
        x: &'x mut [u8],
        _: u32,
    ) -> Option<&'x mut [u8]> {
        let (mut words, mut rest) = flat::Words::begin(n, x, 0)?;
        for v in values {
            rest = wire::copy(v.as_bytes(), rest)?;
            words.mark(rest);
        }
        Some(rest)
    }

    fn zero() -> String {
        String::new()
    }

    fn put<'v, I>(
        values: I,
        n: usize,
        e: &mut Encoder<'_>,
        left: u32,
        place: impl Fn(Fault, usize) -> Fault,
    ) -> Result<()>
    where
        I: Iterator<Item = &'v String> + Clone,
    {
        Slots::<Text>::put(values, n, e, left, place)
    }

    #[inline(always)]
    fn next(c: &mut Strings<'_>, _: &mut Decoder, _: u32) -> Result<String> {
        Ok(c.next().to_owned())
    }
}

impl<T: Record> ColumnCodec for Dense<T> {
    type Value = T;
    const COST: u64 = T::COST;
    const FLAT: bool = T::FLAT;

    #[inline(always)]
    fn room<'v>(values: impl Iterator<Item = &'v T>, n: usize) -> usize
    where
        T: 'v,
    {
        flat::front(T::HEAD, n) + values.map(T::room).sum::<usize>()
    }

    #[inline(always)]
    fn write<'v, 'x>(
        values: impl Iterator<Item = &'v T>,
        n: usize,
        x: &'x mut [u8],
        left: u32,
    ) -> Option<&'x mut [u8]>
    where
        T: 'v,
    {
        let left = left.saturating_sub(1);
        let (head, mut rest) = x.split_first_chunk_mut()?;
        *head = T::HEAD.to_le_bytes();
        if wire::split(T::HEAD).1 == 0 {
            for v in values {
                rest = v.write(rest, 0, left)?;
            }
            return Some(rest);
        }
        let (mut words, mut rest) = flat::Words::begin(n, rest, HEAD)?;
        for v in values {
            rest = v.write(rest, 0, left)?;
            words.mark(rest);
        }
        Some(rest)
    }

    fn zero() -> T {
        T::default()
    }

    fn put<'v, I>(
        values: I,
        n: usize,
        e: &mut Encoder<'_>,
        left: u32,
        place: impl Fn(Fault, usize) -> Fault,
    ) -> Result<()>
    where
        I: Iterator<Item = &'v T> + Clone,
        T: 'v,
    {
        let mut h = T::HEAD;
        if T::KEEPS {
            for v in values.clone() {
                h = larger(h, v.header());
            }
        }
        let (start, left) = (e.len(), left.saturating_sub(1));
        e.bytes(&h.to_le_bytes());
        if wire::split(h).1 == 0 {
            for (i, v) in values.enumerate() {
                v.put(e, h, false, left).map_err(|f| place(f, i))?;
            }
            return Ok(());
        }
        let mut w = Boundaries::begin(e, start, n);
        for (i, v) in values.enumerate() {
            v.put(e, h, false, left).map_err(|f| place(f, i))?;
            w.mark(e);
        }
        Ok(())
    }

    #[inline(always)]
    fn next(c: &mut Structs<'_>, d: &mut Decoder, left: u32) -> Result<T> {
        let (x, from, h) = c.next()?;
        T::get(x, h, 0, d, left.saturating_sub(1)).map_err(|f| f.shift(from))
    }
}

/// The smallest header that has room for structs of both headers.
fn larger(a: u32, b: u32) -> u32 {
    let ((s, n, bits), (t, m, more)) = (wire::split(a), wire::split(b));
    wire::header(s.max(t), n.max(m)) | (bits | more) << 28
}

impl<F: Fixed> ColumnCodec for Packed<F> {
    type Value = F::Value;
    const COST: u64 = F::SIZE as u64;
    const FLAT: bool = true;

    #[inline(always)]
    fn room<'v>(_: impl Iterator<Item = &'v F::Value>, n: usize) -> usize
    where
        F::Value: 'v,
    {
        n * F::SIZE
    }

    #[inline(always)]
    fn write<'v, 'x>(
        values: impl Iterator<Item = &'v F::Value>,
        n: usize,
        x: &'x mut [u8],
        _: u32,
    ) -> Option<&'x mut [u8]>
    where
        F::Value: 'v,
    {
        let (to, rest) = x.split_at_mut_checked(n * F::SIZE)?;
        for (x, v) in to.chunks_exact_mut(F::SIZE).zip(values) {
            F::store(v, x).ok()?;
        }
        Some(rest)
    }

    #[inline(always)]
    fn write_all<'x>(v: &[F::Value], x: &'x mut [u8], _: u32) -> Option<&'x mut [u8]> {
        let (to, rest) = x.split_at_mut_checked(v.len() * F::SIZE)?;
        F::store_all(v, to).ok()?;
        Some(rest)
    }

    fn zero() -> F::Value {
        F::load(&[])
    }

    fn put<'v, I>(
        values: I,
        n: usize,
        e: &mut Encoder<'_>,
        _: u32,
        place: impl Fn(Fault, usize) -> Fault,
    ) -> Result<()>
    where
        I: Iterator<Item = &'v F::Value> + Clone,
        F::Value: 'v,
    {
        let to = e.grow(n * F::SIZE).chunks_exact_mut(F::SIZE);
        for (i, (x, v)) in to.zip(values).enumerate() {
            F::store(v, x).map_err(|f| place(f, i))?;
        }
        Ok(())
    }

    fn next(c: &mut Side<'_>, _: &mut Decoder, _: u32) -> Result<F::Value> {
        let (x, from) = c.next();
        F::get(x).map_err(|f| Fault::new(f.code(), from))
    }

    fn all(c: Side<'_>, _: &mut Decoder, _: u32) -> Result<Vec<F::Value>> {
        F::check_all(c.b)?;
        Ok(F::load_all(c.b))
    }
}

impl<C: ColumnCodec> Codec for List<C> {
    type Value = Vec<C::Value>;
    const COST: u64 = SLOT;
    const FLAT: bool = C::FLAT;

    #[inline(always)]
    fn room(v: &Self::Value) -> usize {
        if v.is_empty() {
            return 0;
        }
        C::room(v.iter(), v.len())
    }

    #[inline(always)]
    fn write<'x>(v: &Self::Value, x: &'x mut [u8], left: u32) -> Option<&'x mut [u8]> {
        if v.is_empty() {
            return Some(x);
        }
        C::write_all(v, x, left)
    }

    fn zero() -> Self::Value {
        Vec::new()
    }

    fn put(v: &Self::Value, e: &mut Encoder<'_>, left: u32) -> Result<()> {
        if v.is_empty() {
            return Ok(());
        }
        let start = e.len();
        C::put(v.iter(), v.len(), e, left, Fault::at)?;
        if e.len() - start > NARROW {
            return e.fits();
        }
        Ok(())
    }

    #[inline]
    fn get(b: &[u8], d: &mut Decoder, left: u32) -> Result<Self::Value> {
        if b.is_empty() {
            return Ok(Vec::new());
        }
        let c = C::open(b)?;
        d.charge(c.len(), C::COST, size_of::<C::Value>())?;
        C::all(c, d, left)
    }
}

impl<C: ColumnCodec, const N: usize> Codec for Array<C, N> {
    type Value = [C::Value; N];
    const COST: u64 = N as u64 * C::COST;

    fn zero() -> Self::Value {
        core::array::from_fn(|_| C::zero())
    }

    fn put(v: &Self::Value, e: &mut Encoder<'_>, left: u32) -> Result<()> {
        let start = e.len();
        C::put(v.iter(), N, e, left, Fault::at)?;
        if C::is_zero(e.since(start)) {
            e.truncate(start);
        }
        if e.len() - start > NARROW {
            return e.fits();
        }
        Ok(())
    }

    fn get(b: &[u8], d: &mut Decoder, left: u32) -> Result<Self::Value> {
        if b.is_empty() {
            return Ok(Self::zero());
        }
        let c = C::open(b)?;
        if c.len() != N {
            return Err(Code::Count.into());
        }
        let v = C::all(c, d, left)?;
        if C::is_zero(b) {
            return Err(Code::Zero.into());
        }
        v.try_into().map_err(|_| Code::Count.into())
    }
}
