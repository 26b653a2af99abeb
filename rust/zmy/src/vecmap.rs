//! Owned maps.

use alloc::collections::BTreeMap;
use alloc::vec::{self, Vec};
use core::borrow::Borrow;
use core::{fmt, slice};

/// A map whose pairs are in one vector, in the order of their keys, which is the order in messages.
/// Looking up is a binary search, and inserting moves the pairs behind. This is the fast form for
/// messages: decoding makes one allocation, and encoding iterates over the vector. To build a map
/// from thousands of pairs in no order, collect them, or build a `BTreeMap` and convert it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Map<K, V>(Vec<(K, V)>);

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Map(Vec::new())
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for Map<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<K, V> Map<K, V> {
    /// A map without pairs.
    pub const fn new() -> Self {
        Map(Vec::new())
    }

    /// The map of these pairs. The caller has checked that their keys strictly increase.
    pub(crate) fn from_sorted(pairs: Vec<(K, V)>) -> Self {
        Map(pairs)
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Reports whether there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Removes all pairs and keeps the memory.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The pairs in the order of their keys.
    pub fn iter(&self) -> Iter<'_, K, V> {
        Iter(self.0.iter())
    }

    /// The keys in order.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &K> + Clone {
        self.0.iter().map(|(k, _)| k)
    }

    /// The values in the order of their keys.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &V> + Clone {
        self.0.iter().map(|(_, v)| v)
    }

    /// The values in the order of their keys, to be changed.
    pub fn values_mut(&mut self) -> impl ExactSizeIterator<Item = &mut V> {
        self.0.iter_mut().map(|(_, v)| v)
    }
}

impl<K: Ord, V> Map<K, V> {
    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.0.binary_search_by(|(k, _)| k.borrow().cmp(key))
    }

    /// The value under a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.0.get(self.find(key).ok()?).map(|(_, v)| v)
    }

    /// The value under a key, to be changed.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let i = self.find(key).ok()?;
        self.0.get_mut(i).map(|(_, v)| v)
    }

    /// Reports whether there is a value under a key.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).is_ok()
    }

    /// Sets the value under a key and returns the one that was there.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        let at = match self.0.last() {
            Some((last, _)) if *last >= key => self.find(&key),
            _ => Err(self.0.len()), // most maps are built in order
        };
        match at {
            Ok(i) => self.0.get_mut(i).map(|(_, v)| core::mem::replace(v, value)),
            Err(i) => {
                self.0.insert(i, (key, value));
                None
            }
        }
    }

    /// Removes a key and returns its value.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let i = self.find(key).ok()?;
        Some(self.0.remove(i).1)
    }
}

/// The pairs of a [`Map`] in order.
pub struct Iter<'a, K, V>(slice::Iter<'a, (K, V)>);

impl<'a, K, V> Iterator for Iter<'a, K, V> {
    type Item = (&'a K, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(k, v)| (k, v))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<K, V> ExactSizeIterator for Iter<'_, K, V> {}

impl<'a, K, V> IntoIterator for &'a Map<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, K, V>;

    fn into_iter(self) -> Iter<'a, K, V> {
        self.iter()
    }
}

impl<K, V> IntoIterator for Map<K, V> {
    type Item = (K, V);
    type IntoIter = vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for Map<K, V> {
    /// Of pairs with the same key the last one stays.
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        let mut pairs: Vec<(K, V)> = pairs.into_iter().collect();
        pairs.sort_by(|(a, _), (b, _)| a.cmp(b));
        pairs.dedup_by(|next, first| {
            let same = next.0 == first.0;
            if same {
                core::mem::swap(next, first);
            }
            same
        });
        Map(pairs)
    }
}

impl<K: Ord, V> Extend<(K, V)> for Map<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, pairs: I) {
        *self = core::mem::take(self).into_iter().chain(pairs).collect();
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for Map<K, V> {
    fn from(pairs: [(K, V); N]) -> Self {
        pairs.into_iter().collect()
    }
}

impl<K, V> From<BTreeMap<K, V>> for Map<K, V> {
    fn from(map: BTreeMap<K, V>) -> Self {
        Map(map.into_iter().collect())
    }
}

impl<K: Ord, V> From<Map<K, V>> for BTreeMap<K, V> {
    fn from(map: Map<K, V>) -> Self {
        map.0.into_iter().collect()
    }
}

#[cfg(feature = "serde")]
impl<K: serde::Serialize, V: serde::Serialize> serde::Serialize for Map<K, V> {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_map(self)
    }
}

#[cfg(feature = "serde")]
impl<'de, K, V> serde::Deserialize<'de> for Map<K, V>
where
    K: serde::Deserialize<'de> + Ord,
    V: serde::Deserialize<'de>,
{
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        BTreeMap::deserialize(d).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use super::Map;
    use alloc::collections::BTreeMap;
    use alloc::vec::Vec;

    /// Operations drawn at random, against a `BTreeMap`.
    #[test]
    fn as_a_btree_map() {
        let mut seed = 88_172_645_463_325_252u64;
        let mut draw = move |n: u64| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed % n
        };
        let (mut map, mut want) = (Map::new(), BTreeMap::new());
        for _ in 0..5000 {
            let key = draw(50);
            match draw(5) {
                0 => assert_eq!(map.remove(&key), want.remove(&key)),
                1 => assert_eq!(map.get_mut(&key), want.get_mut(&key)),
                2 => {
                    let more: Vec<_> = (0..draw(4)).map(|_| (draw(50), draw(9))).collect();
                    map.extend(more.clone());
                    want.extend(more);
                }
                _ => {
                    let value = draw(9);
                    assert_eq!(map.insert(key, value), want.insert(key, value));
                }
            }
            assert_eq!(map.contains_key(&key), want.contains_key(&key));
            assert!(map.iter().eq(want.iter()) && map.len() == want.len());
        }
        assert_eq!(BTreeMap::from(map.clone()), want);
        assert_eq!(Map::from(want), map);
    }
}
