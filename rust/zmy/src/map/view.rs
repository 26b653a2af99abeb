//! Maps and sets in place.

use super::Key;
use crate::form::Blob;
use crate::list::{Column, Slots, Texts};
use core::cmp::Ordering;
use core::marker::PhantomData;

/// Returns the index of the key `probe`, by binary search.
fn find<K: Key>(keys: &[u8], probe: &K::Probe) -> Option<usize> {
    let (mut lo, mut hi) = (0, K::count(keys));
    while lo < hi {
        let mid = (lo + hi) / 2;
        match K::compare(keys, mid, probe) {
            Ordering::Less => lo = mid + 1,
            Ordering::Equal => return Some(mid),
            Ordering::Greater => hi = mid,
        }
    }
    None
}

/// A map in place.
pub struct MapView<'a, K, C> {
    pub(super) keys: &'a [u8],
    pub(super) vals: &'a [u8],
    pub(super) forms: PhantomData<(K, C)>,
}

impl<K, C> Clone for MapView<'_, K, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K, C> Copy for MapView<'_, K, C> {}

impl<K: Key, C: Column> core::fmt::Debug for MapView<'_, K, C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("MapView")
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}

impl<'a, K: Key, C: Column> MapView<'a, K, C> {
    /// The number of pairs.
    pub fn len(&self) -> usize {
        K::count(self.keys)
    }

    /// Reports whether there are no keys.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value under a key, by binary search.
    pub fn get(&self, key: &K::Probe) -> Option<C::View<'a>> {
        find::<K>(self.keys, key).map(|i| C::at(self.vals, i))
    }

    /// The pairs in the order of their keys.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (K::View<'a>, C::View<'a>)> + 'a
    where
        K: 'a,
        C: 'a,
    {
        let (keys, vals) = (self.keys, self.vals);
        (0..self.len()).map(move |i| (K::at(keys, i), C::at(vals, i)))
    }
}

impl<'a, K: Key> MapView<'a, K, Texts> {
    /// The same map with its values as bytes, which are not checked for UTF-8 again.
    pub fn text_bytes(&self) -> MapView<'a, K, Slots<Blob>> {
        MapView {
            keys: self.keys,
            vals: self.vals,
            forms: PhantomData,
        }
    }
}

/// A set in place.
pub struct SetView<'a, K> {
    pub(super) keys: &'a [u8],
    pub(super) forms: PhantomData<K>,
}

impl<K> Clone for SetView<'_, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for SetView<'_, K> {}

impl<K: Key> core::fmt::Debug for SetView<'_, K> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("SetView")
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}

impl<'a, K: Key> SetView<'a, K> {
    /// The number of keys.
    pub fn len(&self) -> usize {
        K::count(self.keys)
    }

    /// Reports whether there are no keys.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reports whether the set has a key, by binary search.
    pub fn contains(&self, key: &K::Probe) -> bool {
        find::<K>(self.keys, key).is_some()
    }

    /// The keys in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = K::View<'a>> + 'a
    where
        K: 'a,
    {
        let keys = self.keys;
        (0..self.len()).map(move |i| K::at(keys, i))
    }
}
