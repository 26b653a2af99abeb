//! Headers, words, and parts of slots. Reading is total here: beyond the end of a slot, parts are
//! empty and integers are zero, and nothing can panic. Callers that must refuse such bytes check
//! first.

/// The length of the largest container whose words take two bytes. Words are wide only where they
/// must be, so that a value has one encoding.
pub const NARROW: usize = 65_535;
/// The most bytes of a struct's scalar section, and the most tails of a struct.
pub const MAX_SECTION: usize = (1 << 14) - 1;
/// The size of a struct's header.
pub const HEAD: usize = 4;
/// The bit of the header that marks a sparse struct.
pub const SPARSE_BIT: u32 = 1 << 28;

/// The header of a struct with `s` bytes of scalars and `n` tails.
#[cfg(feature = "alloc")]
pub const fn header(s: usize, n: usize) -> u32 {
    s as u32 | (n as u32) << 14
}

/// The inverse of [`header`], and the four bits above, which are zero in a dense struct.
#[inline(always)]
pub const fn split(h: u32) -> (usize, usize, u32) {
    (
        h as usize & MAX_SECTION,
        (h >> 14) as usize & MAX_SECTION,
        h >> 28,
    )
}

/// The size of the words in a container of `len` bytes.
#[inline(always)]
pub const fn word_size(len: usize) -> usize {
    if len <= NARROW {
        2
    } else {
        4
    }
}

/// The bytes `from..to`; none if `b` ends before `to`.
#[inline(always)]
pub fn part(b: &[u8], from: usize, to: usize) -> &[u8] {
    b.get(from..to).unwrap_or(&[])
}

/// The bytes from `from` on; none if `b` ends before.
#[inline(always)]
pub fn rest(b: &[u8], from: usize) -> &[u8] {
    b.get(from..).unwrap_or(&[])
}

#[inline(always)]
fn first<const N: usize>(b: &[u8]) -> [u8; N] {
    match b.first_chunk() {
        Some(x) => *x,
        None => [0; N],
    }
}

/// The first bytes as an integer, 0 if there are too few.
#[inline(always)]
pub fn u16(b: &[u8]) -> u16 {
    u16::from_le_bytes(first(b))
}

/// [`u16()`] of another size.
#[inline(always)]
pub fn u32(b: &[u8]) -> u32 {
    u32::from_le_bytes(first(b))
}

/// [`u16()`] of another size.
#[inline(always)]
pub fn u64(b: &[u8]) -> u64 {
    u64::from_le_bytes(first(b))
}

/// The first `n` bytes of `b`, at most eight, as a big-endian number that is filled up with zeros:
/// such numbers compare as the bytes do, unless they are equal.
#[inline(always)]
pub fn front(b: &[u8], n: usize) -> u64 {
    let all = match b.first_chunk() {
        Some(x) => u64::from_be_bytes(*x),
        None => b
            .iter()
            .rev()
            .fold(0, |all, x| all >> 8 | u64::from(*x) << 56),
    };
    match n {
        0 => 0,
        1..8 => all & !0 << (64 - 8 * n),
        _ => all,
    }
}

/// The word of `size` bytes at `at`.
#[inline(always)]
pub fn word(b: &[u8], at: usize, size: usize) -> usize {
    if size == 2 {
        usize::from(u16(rest(b, at)))
    } else {
        u32(rest(b, at)) as usize
    }
}

/// Reports whether all bytes are zero.
#[inline]
pub fn is_zero(b: &[u8]) -> bool {
    let mut words = b.chunks_exact(8);
    words.all(|c| u64(c) == 0) && words.remainder().iter().all(|&c| c == 0)
}

/// Reports whether a struct with its header is the zero value: scalars zero, tails
/// empty. The struct is well-formed.
pub fn is_zero_struct(b: &[u8]) -> bool {
    let (s, n, bits) = split(u32(b));
    if bits != 0 {
        return b.len() == HEAD + 1; // sparse
    }
    is_zero_body(b, HEAD, s, n)
}

/// [`is_zero_struct`] for a struct of `s` bytes of scalars and `n` tails, behind a header of `head`
/// bytes.
pub fn is_zero_body(b: &[u8], head: usize, s: usize, n: usize) -> bool {
    b.len() == head + s + word_size(b.len()) * n && is_zero(part(b, head, head + s))
}

/// Copies `b` to the start of `x` and returns the rest of `x`, or None if `b` does not fit. Most
/// strings are short: up to 32 bytes take two loads and two stores that may overlap, which is
/// faster than a call of memcpy.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn copy<'x>(b: &[u8], x: &'x mut [u8]) -> Option<&'x mut [u8]> {
    let (to, rest) = x.split_at_mut_checked(b.len())?;
    if b.len() > 32 {
        to.copy_from_slice(b);
    } else if !(ends::<16>(b, to) || ends::<8>(b, to) || ends::<4>(b, to)) {
        short(b, to);
    }
    Some(rest)
}

/// Copies `N` to `2 * N` bytes by their first and their last `N`, or returns false.
#[cfg(feature = "alloc")]
#[inline(always)]
fn ends<const N: usize>(b: &[u8], to: &mut [u8]) -> bool {
    let (Some(head), Some(tail)) = (b.first_chunk::<N>(), b.last_chunk::<N>()) else {
        return false;
    };
    if let Some(to) = to.first_chunk_mut() {
        *to = *head;
    }
    if let Some(to) = to.last_chunk_mut() {
        *to = *tail;
    }
    true
}

/// Copies up to three bytes: the first, the middle and the last.
#[cfg(feature = "alloc")]
#[inline(always)]
fn short(b: &[u8], to: &mut [u8]) {
    let half = b.len() / 2;
    if let ([a, ..], [.., z]) = (b, b) {
        let m = *b.get(half).unwrap_or(a);
        if let Some(to) = to.first_mut() {
            *to = *a;
        }
        if let Some(to) = to.get_mut(half) {
            *to = m;
        }
        if let Some(to) = to.last_mut() {
            *to = *z;
        }
    }
}
