//! Lists, arrays, and the columns of maps: packed values, dense structs, or slots.

use crate::form::{Form, Text};
use crate::layout::{Layout, Raw};
use crate::limits::Walk;
use crate::section::{fits, head};
use crate::text;
use crate::wire::{self, word, HEAD, NARROW};
use crate::{Code, Fault, Fixed, Result};
use core::marker::PhantomData;

mod view;

pub use view::{ArrayView, ListView};

#[cfg(feature = "alloc")]
pub use owned::ColumnCodec;

/// Elements of fixed size side by side.
pub struct Packed<F>(PhantomData<F>);
/// Structs under one header.
pub struct Dense<T>(PhantomData<T>);
/// Slots.
pub struct Slots<F>(PhantomData<F>);
/// Slots of strings, which are checked together.
pub enum Texts {}

/// A list of the elements of a column.
pub struct List<C>(PhantomData<C>);
/// A list of exactly `N` elements.
pub struct Array<C, const N: usize>(PhantomData<C>);

/// How elements stand side by side.
pub trait Column {
    /// The type that reads an element in place.
    type View<'a>;
    /// An opened column, which is read element by element.
    type Cursor<'a>: Cursor;

    /// Opens a column, which has at least one element.
    fn open(b: &[u8]) -> Result<Self::Cursor<'_>>;
    /// Checks the next element. The place of a fault is relative to the column.
    fn check(c: &mut Self::Cursor<'_>, walk: Walk) -> Result<()>;
    /// Checks a column whose elements are checked when it is opened, and returns their number. None
    /// if elements are checked one by one.
    #[inline(always)]
    fn check_whole(_: &[u8]) -> Option<Result<usize>> {
        None
    }
    /// Reports whether all elements of a well-formed column are zero.
    fn is_zero(b: &[u8]) -> bool;
    /// The number of elements, 0 for an empty slot.
    fn count(b: &[u8]) -> usize;
    /// The offset where element `i` starts, and the one before ends.
    fn bound(b: &[u8], i: usize) -> usize;
    /// Reads the element in the bytes `x` of the column `b` in place.
    fn element<'a>(b: &'a [u8], x: &'a [u8]) -> Self::View<'a>;
    /// Reads element `i` in place.
    #[inline(always)]
    fn at(b: &[u8], i: usize) -> Self::View<'_> {
        Self::element(b, wire::part(b, Self::bound(b, i), Self::bound(b, i + 1)))
    }
}

/// An opened column.
pub trait Cursor {
    /// The number of elements.
    fn len(&self) -> usize;
}

/// An opened list with boundaries. Their number, the first and the last have been checked. Those
/// between are checked when they are reached.
#[derive(Clone)]
pub struct Words<'a> {
    b: &'a [u8],
    words: &'a [u8], // ends of the elements that are left
    wide: bool,
    pos: usize, // where the next element starts
    n: usize,
    h: u32, // of dense structs
}

impl Cursor for Words<'_> {
    fn len(&self) -> usize {
        self.n
    }
}

impl<'a> Words<'a> {
    /// Reads the boundaries that start at `at`. Each element has at least `least` bytes, which
    /// bounds the number of elements by the length before memory is taken for them.
    #[inline(always)]
    fn open(b: &'a [u8], at: usize, least: usize) -> Result<Self, Code> {
        let es = wire::word_size(b.len());
        if b.len() < at + 2 * es {
            return Err(Code::Truncated);
        }
        let first = word(b, at, es);
        if first < at + 2 * es || (first - at) % es != 0 || first > b.len() {
            return Err(Code::Count);
        }
        if word(b, first - es, es) != b.len() {
            return Err(Code::Ends);
        }
        let count = (first - at) / es;
        if es == 4 && b.len() - 2 * count <= NARROW {
            return Err(Code::Width);
        }
        if (count - 1) as u64 * least as u64 > (b.len() - first) as u64 {
            return Err(Code::Ends);
        }
        let words = wire::part(b, at + es, first);
        Ok(Words {
            b,
            words,
            wide: es == 4,
            pos: first,
            n: count - 1,
            h: 0,
        })
    }

    /// The next element, and where it starts, which is also the place of a fault.
    #[inline(always)]
    fn next(&mut self) -> Result<(&'a [u8], usize)> {
        let es = if self.wide { 4 } else { 2 };
        let (from, end) = (self.pos, word(self.words, 0, es));
        match self.b.get(from..end) {
            Some(x) => {
                self.words = wire::rest(self.words, es);
                self.pos = end;
                Ok((x, from))
            }
            None => Err(Fault::new(Code::Ends, from)),
        }
    }

    /// The offset where element `i` starts, in a list whose words start at `at`.
    #[inline(always)]
    fn bound(b: &[u8], at: usize, i: usize) -> usize {
        let es = wire::word_size(b.len());
        word(b, at + es * i, es)
    }

    #[inline(always)]
    fn count(b: &[u8], at: usize) -> usize {
        let es = wire::word_size(b.len());
        let words = word(b, at, es).saturating_sub(at) / es;
        words.min(b.len() / es).saturating_sub(1)
    }
}

impl<F: Form> Column for Slots<F> {
    type View<'a> = F::View<'a>;
    type Cursor<'a> = Words<'a>;

    fn open(b: &[u8]) -> Result<Words<'_>> {
        Words::open(b, 0, 0).map_err(|c| Fault::slot(c, b))
    }

    fn check(c: &mut Words<'_>, walk: Walk) -> Result<()> {
        let (x, from) = c.next()?;
        if x.is_empty() {
            return Ok(());
        }
        F::check(x, walk).map_err(|f| f.shift(from))
    }

    fn is_zero(b: &[u8]) -> bool {
        b.len() == wire::word_size(b.len()) * (Words::count(b, 0) + 1)
    }

    fn count(b: &[u8]) -> usize {
        Words::count(b, 0)
    }

    #[inline(always)]
    fn bound(b: &[u8], i: usize) -> usize {
        Words::bound(b, 0, i)
    }

    #[inline(always)]
    fn element<'a>(_: &'a [u8], x: &'a [u8]) -> F::View<'a> {
        F::view(x)
    }
}

/// Strings of a column that has been checked.
pub struct Strings<'a> {
    text: &'a str,
    base: usize, // of the text in the column
    words: Words<'a>,
}

impl Cursor for Strings<'_> {
    fn len(&self) -> usize {
        self.words.n
    }
}

impl<'a> Strings<'a> {
    /// Opens a list of strings and checks all of it. The bytes are checked as one run of UTF-8,
    /// which is faster than string by string: then only boundaries inside a character are wrong. If
    /// the strings are keys, they must strictly increase.
    #[inline]
    pub(crate) fn open(b: &'a [u8], keys: bool) -> Result<Self> {
        let words = Words::open(b, 0, 0).map_err(|c| Fault::slot(c, b))?;
        let base = words.pos;
        let run = wire::rest(b, base);
        let mut it = words.clone();
        let mut last: &[u8] = &[];
        for i in 0..words.n {
            let (x, from) = it.next().map_err(|f| f.at(i))?;
            if x.first().is_some_and(|byte| byte & 0xc0 == 0x80) {
                return Err(Fault::new(Code::Utf8, from).at(i));
            }
            if keys && i > 0 && x <= last {
                return Err(Fault::new(Code::KeyOrder, from).at(i));
            }
            last = x;
        }
        match core::str::from_utf8(run) {
            Ok(text) => Ok(Strings { text, base, words }),
            Err(_) => Err(Self::bad(words)),
        }
    }

    /// Checks all of a list of strings and returns their number. Whatever [`Strings::plain`] does
    /// not accept, [`Strings::open`] looks at again.
    #[inline]
    pub(crate) fn check(b: &'a [u8], keys: bool) -> Result<usize> {
        match Self::plain(b, keys) {
            Some(n) => Ok(n),
            None => Self::count_any(b, keys),
        }
    }

    #[inline(never)]
    fn count_any(b: &'a [u8], keys: bool) -> Result<usize> {
        Strings::open(b, keys).map(|s| s.words.n)
    }

    /// The number of strings in a list of narrow words that is well-formed and all ASCII, so that no
    /// boundary is inside a character. None for any other list. Most keys differ in their first eight
    /// bytes, which are compared as a number.
    #[inline(always)]
    fn plain(b: &[u8], keys: bool) -> Option<usize> {
        let first = usize::from(wire::u16(b));
        let (words, run) = b.split_at_checked(first)?;
        if first < 4 || first % 2 != 0 || b.len() > NARROW || !text::is_ascii(run) {
            return None;
        }
        let (mut from, mut good) = (first, true);
        let ends = wire::rest(words, 2).chunks_exact(2);
        if keys {
            let (mut last, mut before): (&[u8], u64) = (&[], 0);
            for (i, word) in ends.enumerate() {
                let end = usize::from(wire::u16(word));
                let key = b.get(from..end)?;
                let head = wire::front(wire::rest(b, from), key.len());
                good &= head > before || i == 0 || head == before && key > last;
                (last, before, from) = (key, head, end);
            }
        } else {
            for word in ends {
                let end = usize::from(wire::u16(word));
                good &= from <= end;
                from = end;
            }
        }
        (good && from == b.len()).then_some(first / 2 - 1)
    }

    /// Finds which string is not UTF-8.
    #[cold]
    fn bad(mut words: Words<'_>) -> Fault {
        for i in 0..words.n {
            if let Ok((x, from)) = words.next() {
                if core::str::from_utf8(x).is_err() {
                    return Fault::new(Code::Utf8, from).at(i);
                }
            }
        }
        Code::Utf8.into()
    }

    /// The next string.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> &'a str {
        let from = self.words.pos;
        match self.words.next() {
            Ok(_) => {
                let to = self.words.pos - self.base;
                self.text.get(from - self.base..to).unwrap_or("")
            }
            Err(_) => "",
        }
    }
}

impl Column for Texts {
    type View<'a> = &'a str;
    type Cursor<'a> = Strings<'a>;

    fn open(b: &[u8]) -> Result<Strings<'_>> {
        Strings::open(b, false)
    }

    fn check(_: &mut Strings<'_>, _: Walk) -> Result<()> {
        Ok(())
    }

    #[inline(always)]
    fn check_whole(b: &[u8]) -> Option<Result<usize>> {
        Some(Strings::check(b, false))
    }

    fn is_zero(b: &[u8]) -> bool {
        Slots::<Text>::is_zero(b)
    }

    fn count(b: &[u8]) -> usize {
        Words::count(b, 0)
    }

    #[inline(always)]
    fn bound(b: &[u8], i: usize) -> usize {
        Words::bound(b, 0, i)
    }

    #[inline(always)]
    fn element<'a>(_: &'a [u8], x: &'a [u8]) -> &'a str {
        Text::view(x)
    }
}

/// An opened list of dense structs.
pub enum Structs<'a> {
    /// Elements without tails, which have one size, and their header.
    Even(Side<'a>, u32),
    /// Elements with tails, between boundaries.
    Slots(Words<'a>),
}

impl Cursor for Structs<'_> {
    fn len(&self) -> usize {
        match self {
            Structs::Even(side, _) => side.len(),
            Structs::Slots(words) => words.n,
        }
    }
}

impl<'a> Structs<'a> {
    #[inline(always)]
    fn open(b: &'a [u8], mine: u32, older: &[u32]) -> Result<Self, Code> {
        let h = head(b).map_err(|f| f.code())?;
        let (s, n, reserved) = wire::split(h);
        if reserved != 0 {
            return Err(Code::Reserved);
        }
        if h != mine {
            fits(h, mine, older)?;
        }
        if n == 0 {
            let body = wire::rest(b, HEAD);
            if s == 0 || body.is_empty() || body.len() % s != 0 {
                return Err(Code::Length);
            }
            return Ok(Structs::Even(
                Side {
                    b: body,
                    base: HEAD,
                    size: s,
                },
                h,
            ));
        }
        let mut words = Words::open(b, HEAD, s + 2 * n)?;
        words.h = h;
        Ok(Structs::Slots(words))
    }

    /// The next element, where it starts, and the header of all.
    #[inline(always)]
    fn next(&mut self) -> Result<(&'a [u8], usize, u32)> {
        match self {
            Structs::Slots(words) => words.next().map(|(x, from)| (x, from, words.h)),
            Structs::Even(side, h) => {
                let (x, from) = side.next();
                Ok((x, from, *h))
            }
        }
    }
}

/// Elements of one size side by side.
pub struct Side<'a> {
    b: &'a [u8], // the elements that are left
    base: usize, // where they start in the column
    size: usize,
}

impl Cursor for Side<'_> {
    fn len(&self) -> usize {
        self.b.len() / self.size
    }
}

impl<'a> Side<'a> {
    /// The next element, and where it starts.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> (&'a [u8], usize) {
        let (x, from) = (wire::part(self.b, 0, self.size), self.base);
        self.b = wire::rest(self.b, self.size);
        self.base += self.size;
        (x, from)
    }
}

impl<T: Layout> Column for Dense<T> {
    type View<'a> = T::View<'a>;
    type Cursor<'a> = Structs<'a>;

    fn open(b: &[u8]) -> Result<Structs<'_>> {
        Structs::open(b, T::HEAD, T::OLDER).map_err(|c| Fault::slot(c, b))
    }

    fn check(c: &mut Structs<'_>, walk: Walk) -> Result<()> {
        let (x, from, h) = c.next()?;
        T::check(x, h, 0, walk.enter()).map_err(|f| f.shift(from))
    }

    fn is_zero(b: &[u8]) -> bool {
        let (s, n, _) = wire::split(wire::u32(b));
        if n == 0 {
            return wire::is_zero(wire::rest(b, HEAD));
        }
        let mut all = 0..Words::count(b, HEAD);
        all.all(|i| {
            let x = wire::part(b, Self::bound(b, i), Self::bound(b, i + 1));
            wire::is_zero_body(x, 0, s, n)
        })
    }

    fn count(b: &[u8]) -> usize {
        match wire::split(wire::u32(b)) {
            (s, 0, _) => b.len().saturating_sub(HEAD).checked_div(s).unwrap_or(0),
            _ => Words::count(b, HEAD),
        }
    }

    #[inline(always)]
    fn bound(b: &[u8], i: usize) -> usize {
        match wire::split(wire::u32(b)) {
            (s, 0, _) => HEAD + i * s,
            _ => Words::bound(b, HEAD, i),
        }
    }

    #[inline(always)]
    fn element<'a>(b: &'a [u8], x: &'a [u8]) -> T::View<'a> {
        T::view(Raw::element(x, wire::u32(b)))
    }
}

impl<F: Fixed> Column for Packed<F> {
    type View<'a> = F::Value;
    type Cursor<'a> = Side<'a>;

    fn open(b: &[u8]) -> Result<Side<'_>> {
        if b.is_empty() || b.len() % F::SIZE != 0 {
            return Err(Code::Length.into());
        }
        Ok(Side {
            b,
            base: 0,
            size: F::SIZE,
        })
    }

    #[inline(always)]
    fn check_whole(b: &[u8]) -> Option<Result<usize>> {
        F::ANY.then(|| Self::open(b).map(|c| c.len()))
    }

    fn check(c: &mut Side<'_>, _: Walk) -> Result<()> {
        let (x, from) = c.next();
        F::check(x).map_err(|f| Fault::new(f.code(), from))
    }

    fn is_zero(b: &[u8]) -> bool {
        wire::is_zero(b)
    }

    fn count(b: &[u8]) -> usize {
        b.len() / F::SIZE
    }

    #[inline(always)]
    fn bound(_: &[u8], i: usize) -> usize {
        i * F::SIZE
    }

    #[inline(always)]
    fn element(_: &[u8], x: &[u8]) -> F::Value {
        F::load(x)
    }
}

impl<C: Column> Form for List<C> {
    type View<'a> = ListView<'a, C>;

    fn check(b: &[u8], walk: Walk) -> Result<()> {
        if let Some(done) = C::check_whole(b) {
            return done.map(|_| ());
        }
        let mut c = C::open(b)?;
        for i in 0..c.len() {
            C::check(&mut c, walk).map_err(|f| f.at(i))?;
        }
        Ok(())
    }

    #[inline(always)]
    fn view(b: &[u8]) -> ListView<'_, C> {
        ListView::new(b)
    }
}

impl<C: Column, const N: usize> Form for Array<C, N> {
    type View<'a> = ArrayView<'a, C, N>;

    fn check(b: &[u8], walk: Walk) -> Result<()> {
        let mut c = C::open(b)?;
        if c.len() != N {
            return Err(Code::Count.into());
        }
        for i in 0..N {
            C::check(&mut c, walk).map_err(|f| f.at(i))?;
        }
        if C::is_zero(b) {
            return Err(Code::Zero.into());
        }
        Ok(())
    }

    fn view(b: &[u8]) -> ArrayView<'_, C, N> {
        ArrayView(ListView {
            b,
            n: N,
            column: PhantomData,
        })
    }
}

#[cfg(feature = "alloc")]
mod owned;
