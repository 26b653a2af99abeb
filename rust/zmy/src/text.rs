//! Text: checks for UTF-8 that are fast for short strings. The standard library's check goes byte by
//! byte to the first aligned word and from the last one, and how many bytes that are is different
//! for each string: the processor guesses wrong. These go by words that may overlap.

/// Reports whether the bytes are UTF-8. Most text is ASCII, which takes a few loads.
#[inline(always)]
pub(crate) fn is_text(b: &[u8]) -> bool {
    is_ascii(b) || core::str::from_utf8(b).is_ok()
}

/// Reports whether all bytes are ASCII.
#[inline(always)]
pub(crate) fn is_ascii(b: &[u8]) -> bool {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let (Some(head), Some(tail)) = (b.first_chunk(), b.last_chunk()) else {
        return few_ascii(b);
    };
    if b.len() > 16 {
        return many_ascii(b);
    }
    (u64::from_le_bytes(*head) | u64::from_le_bytes(*tail)) & HIGH == 0
}

/// [`is_ascii`] for fewer than eight bytes.
#[inline(always)]
fn few_ascii(b: &[u8]) -> bool {
    if let (Some(head), Some(tail)) = (b.first_chunk(), b.last_chunk()) {
        return (u32::from_le_bytes(*head) | u32::from_le_bytes(*tail)) & 0x8080_8080 == 0;
    }
    let [first, .., last] = b else {
        return b.first().is_none_or(u8::is_ascii);
    };
    let mid = b.get(1).unwrap_or(first);
    (first | mid | last).is_ascii()
}

/// [`is_ascii`] for more than 16 bytes.
#[inline(always)]
fn many_ascii(b: &[u8]) -> bool {
    const HIGH: u128 = 0x8080_8080_8080_8080_8080_8080_8080_8080;
    let (Some(head), Some(tail)) = (b.first_chunk(), b.last_chunk()) else {
        return false; // b is shorter than the caller said
    };
    let mut all = u128::from_le_bytes(*head) | u128::from_le_bytes(*tail);
    if b.len() > 32 {
        for part in b.chunks_exact(16) {
            all |= part.first_chunk().map_or(0, |x| u128::from_le_bytes(*x));
        }
    }
    all & HIGH == 0
}
