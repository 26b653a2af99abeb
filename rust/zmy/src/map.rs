//! Maps and sets: a column of keys, then a column of values.

use crate::form::{Blob, Form, Text};
use crate::limits::Walk;
use crate::list::{Column, Cursor, Packed, Side, Slots, Strings, Texts};
use crate::wire::{self, word, NARROW};
use crate::{Code, Duration, Fault, Fixed, Result};
use core::cmp::Ordering;
use core::marker::PhantomData;

/// A map from keys `K` to the elements of the column `C`.
pub struct Map<K, C>(PhantomData<(K, C)>);
/// A map whose values take no bytes.
pub struct Set<K>(PhantomData<K>);

/// A type of keys: [`Text`] or a [`Fixed`] type.
pub trait Key {
    /// The type of values by which keys are looked up.
    type Probe: ?Sized;
    /// A key in place.
    type View<'a>;
    /// An opened column of keys.
    type Cursor<'a>: Cursor;

    /// Opens a column of keys and checks all of it.
    fn open(b: &[u8]) -> Result<Self::Cursor<'_>>;
    /// Checks all of a column of keys and returns their number.
    #[inline]
    fn check(b: &[u8]) -> Result<usize> {
        Self::open(b).map(|c| c.len())
    }
    /// The next key of an opened column.
    fn next<'a>(c: &mut Self::Cursor<'a>) -> Self::View<'a>
    where
        Self: 'a;
    /// Places a fault inside the value under a key.
    fn place(key: &Self::View<'_>, f: Fault) -> Fault;
    /// The number of keys in a column.
    fn count(b: &[u8]) -> usize;
    /// Key `i` of a column.
    fn at(b: &[u8], i: usize) -> Self::View<'_>;
    /// Compares key `i` of a column with the value that is looked up.
    fn compare(b: &[u8], i: usize, probe: &Self::Probe) -> Ordering;
}

impl Key for Text {
    type Probe = str;
    type View<'a> = &'a str;
    type Cursor<'a> = Strings<'a>;

    fn open(b: &[u8]) -> Result<Strings<'_>> {
        Strings::open(b, true)
    }

    #[inline]
    fn check(b: &[u8]) -> Result<usize> {
        Strings::check(b, true)
    }

    #[inline(always)]
    fn next<'a>(c: &mut Strings<'a>) -> &'a str
    where
        Self: 'a,
    {
        c.next()
    }

    fn place(key: &&str, f: Fault) -> Fault {
        f.at_key(key.as_bytes())
    }

    fn count(b: &[u8]) -> usize {
        Texts::count(b)
    }

    #[inline(always)]
    fn at(b: &[u8], i: usize) -> &str {
        Texts::at(b, i)
    }

    #[inline(always)]
    fn compare(b: &[u8], i: usize, probe: &str) -> Ordering {
        Slots::<Blob>::at(b, i).cmp(probe.as_bytes())
    }
}

/// A scalar that can be a key, and how paths spell it.
pub trait Scalar: Ord + Clone {
    /// Places a fault inside the value under this key.
    fn place(&self, f: Fault) -> Fault;
}

macro_rules! scalar {
    ($($t:ty),*) => {$(
        impl Scalar for $t {
            fn place(&self, f: Fault) -> Fault {
                f.at(self)
            }
        }
    )*};
}

scalar!(i8, u8, i16, u16, i32, u32, i64, u64);

impl Scalar for bool {
    fn place(&self, f: Fault) -> Fault {
        f.at("bool")
    }
}

impl Scalar for Duration {
    fn place(&self, f: Fault) -> Fault {
        f.at(self.as_nanos())
    }
}

impl<const N: usize> Scalar for [u8; N] {
    fn place(&self, f: Fault) -> Fault {
        f.at_key(self)
    }
}

impl<F: Fixed<Value: Scalar>> Key for F {
    type Probe = F::Value;
    type View<'a> = F::Value;
    type Cursor<'a> = Side<'a>;

    fn open(b: &[u8]) -> Result<Side<'_>> {
        let keys = Packed::<F>::open(b)?;
        F::check_all(b)?;
        let mut last = None;
        for (i, x) in b.chunks_exact(F::SIZE).enumerate() {
            let key = F::load(x);
            if last.is_some_and(|last| last >= key) {
                return Err(Fault::new(Code::KeyOrder, i * F::SIZE).at(i));
            }
            last = Some(key);
        }
        Ok(keys)
    }

    fn next<'a>(c: &mut Side<'a>) -> F::Value
    where
        Self: 'a,
    {
        F::load(c.next().0)
    }

    fn place(key: &F::Value, f: Fault) -> Fault {
        key.place(f)
    }

    fn count(b: &[u8]) -> usize {
        Packed::<F>::count(b)
    }

    fn at(b: &[u8], i: usize) -> F::Value {
        Packed::<F>::at(b, i)
    }

    fn compare(b: &[u8], i: usize, probe: &F::Value) -> Ordering {
        Self::at(b, i).cmp(probe)
    }
}

/// Splits the slot of a map, which is not empty, into its columns.
fn columns(b: &[u8]) -> Result<(&[u8], &[u8]), Code> {
    let es = wire::word_size(b.len());
    if b.len() < es {
        return Err(Code::Truncated);
    }
    if es == 4 && b.len() - 2 <= NARROW {
        return Err(Code::Width);
    }
    let keys_end = word(b, 0, es);
    if keys_end <= es {
        return Err(Code::Ends);
    }
    match (b.get(es..keys_end), b.get(keys_end..)) {
        (Some(keys), Some(vals)) => Ok((keys, vals)),
        _ => Err(Code::Ends),
    }
}

/// Opens the column of keys: the keys, the bytes of the values, and where these start.
#[inline(always)]
fn open_keys<K: Key>(b: &[u8]) -> Result<(K::Cursor<'_>, &[u8], usize)> {
    let (keys, vals) = columns(b).map_err(|c| Fault::slot(c, b))?;
    let at = b.len() - vals.len();
    let keys = K::open(keys).map_err(|f| f.shift(at - keys.len()))?;
    Ok((keys, vals, at))
}

/// Opens both columns of a map: the keys, the values, and where the values start.
#[inline(always)]
fn open<'a, K: Key, C: Column>(b: &'a [u8]) -> Result<(K::Cursor<'a>, C::Cursor<'a>, usize)> {
    let (ks, vals, at) = open_keys::<K>(b)?;
    let vs = C::open(vals).map_err(|f| f.shift(at))?;
    if ks.len() != vs.len() {
        return Err(Fault::new(Code::Count, at));
    }
    Ok((ks, vs, at))
}

/// Checks a map whose values are checked when their column is opened: what [`open`] does, without
/// what is needed to read the elements. None if values are checked one by one.
#[inline(always)]
fn check_whole<K: Key, C: Column>(b: &[u8]) -> Option<Result<()>> {
    let Ok((keys, vals)) = columns(b) else {
        return None;
    };
    let at = b.len() - vals.len();
    let (Ok(n), Some(m)) = (K::check(keys), C::check_whole(vals)) else {
        return None; // open has the place of the fault
    };
    Some(match m {
        Ok(m) if m == n => Ok(()),
        Ok(_) => Err(Fault::new(Code::Count, at)),
        Err(f) => Err(f.shift(at)),
    })
}

/// Opens the keys of a set.
fn open_set<K: Key>(b: &[u8]) -> Result<K::Cursor<'_>> {
    let (keys, vals, at) = open_keys::<K>(b)?;
    if !vals.is_empty() {
        return Err(Fault::new(Code::Ends, at));
    }
    Ok(keys)
}

impl<K: Key, C: Column> Form for Map<K, C> {
    type View<'a> = MapView<'a, K, C>;

    fn check(b: &[u8], walk: Walk) -> Result<()> {
        if let Some(done) = check_whole::<K, C>(b) {
            return done;
        }
        let (mut keys, mut vals, at) = open::<K, C>(b)?;
        for _ in 0..keys.len() {
            let key = K::next(&mut keys);
            C::check(&mut vals, walk).map_err(|f| K::place(&key, f.shift(at)))?;
        }
        Ok(())
    }

    fn view(b: &[u8]) -> MapView<'_, K, C> {
        let (keys, vals) = columns(b).unwrap_or_default();
        MapView {
            keys,
            vals,
            forms: PhantomData,
        }
    }
}

impl<K: Key> Form for Set<K> {
    type View<'a> = SetView<'a, K>;

    fn check(b: &[u8], _: Walk) -> Result<()> {
        open_set::<K>(b).map(|_| ())
    }

    fn view(b: &[u8]) -> SetView<'_, K> {
        let (keys, _) = columns(b).unwrap_or_default();
        SetView {
            keys,
            forms: PhantomData,
        }
    }
}

mod view;

pub use view::{MapView, SetView};

#[cfg(feature = "alloc")]
pub use owned::KeyCodec;

#[cfg(feature = "alloc")]
mod owned;
