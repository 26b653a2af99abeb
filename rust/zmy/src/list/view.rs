//! Lists and arrays in place.

use super::{Column, Slots, Texts};
use crate::form::Blob;
use crate::wire;
use core::marker::PhantomData;

/// A list in place.
pub struct ListView<'a, C> {
    pub(super) b: &'a [u8],
    pub(super) n: usize,
    pub(super) column: PhantomData<C>,
}

impl<C> Clone for ListView<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for ListView<'_, C> {}

impl<C: Column> core::fmt::Debug for ListView<'_, C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("ListView")
            .field("len", &self.n)
            .field("bytes", &self.b)
            .finish()
    }
}

impl<'a, C: Column> ListView<'a, C> {
    #[inline(always)]
    pub(crate) fn new(b: &'a [u8]) -> Self {
        ListView {
            b,
            n: C::count(b),
            column: PhantomData,
        }
    }

    /// The number of elements.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.n
    }

    /// Reports whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// Element `i`.
    #[inline(always)]
    pub fn get(&self, i: usize) -> Option<C::View<'a>> {
        (i < self.n).then(|| C::at(self.b, i))
    }

    /// The elements in order. This takes less time than [`ListView::get`] for each: a boundary is
    /// read once.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = C::View<'a>> + 'a {
        let (b, mut from) = (self.b, C::bound(self.b, 0));
        (0..self.n).map(move |i| {
            let to = C::bound(b, i + 1);
            let x = wire::part(b, from, to);
            from = to;
            C::element(b, x)
        })
    }

    /// The bytes of the list on the wire.
    pub fn bytes(&self) -> &'a [u8] {
        self.b
    }
}

impl<'a> ListView<'a, Texts> {
    /// The same strings as bytes, which are not checked for UTF-8 again.
    pub fn text_bytes(&self) -> ListView<'a, Slots<Blob>> {
        ListView::new(self.b)
    }
}

/// An array in place. It has `N` elements even if it takes no bytes, as the zero array does.
pub struct ArrayView<'a, C, const N: usize>(pub(super) ListView<'a, C>);

impl<C, const N: usize> Clone for ArrayView<'_, C, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C, const N: usize> Copy for ArrayView<'_, C, N> {}

impl<C: Column, const N: usize> core::fmt::Debug for ArrayView<'_, C, N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.0.fmt(f)
    }
}

impl<'a, C, const N: usize> core::ops::Deref for ArrayView<'a, C, N> {
    type Target = ListView<'a, C>;

    fn deref(&self) -> &ListView<'a, C> {
        &self.0
    }
}
