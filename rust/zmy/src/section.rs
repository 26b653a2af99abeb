//! The sections of a dense struct: header, scalars, ends of the tails, tails.

use crate::wire::{self, word, HEAD, NARROW};
use crate::{Code, Fault, Result};

/// Reads the header at the start of a struct's slot.
#[inline(always)]
pub fn head(b: &[u8]) -> Result<u32> {
    match b.first_chunk() {
        Some(h) => Ok(u32::from_le_bytes(*h)),
        None => Err(Fault::new(Code::Truncated, b.len())),
    }
}

/// Checks the sections of a dense struct against its length and against the reader's own header, in
/// the order of the specification: every language reports the same fault first.
pub(crate) fn sections(
    b: &[u8],
    h: u32,
    head: usize,
    mine: u32,
    older: &[u32],
) -> Result<(), Code> {
    let (s, n, reserved) = wire::split(h);
    if reserved != 0 {
        return Err(Code::Reserved);
    }
    let es = wire::word_size(b.len());
    let at = head + s;
    let first = at + es * n;
    if first > b.len() {
        return Err(Code::Truncated);
    }
    fits(h, mine, older)?;
    let mut prev = first;
    for i in 0..n {
        let end = word(b, at + es * i, es);
        if end < prev || end > b.len() {
            return Err(Code::Ends);
        }
        prev = end;
    }
    if prev != b.len() {
        return Err(Code::Ends);
    }
    if es == 4 && b.len() - 2 * n <= NARROW {
        return Err(Code::Width);
    }
    Ok(())
}

/// [`sections`] of a message whose header is the reader's own and whose words are narrow: the rest
/// of the rules, with offsets that the compiler knows.
#[inline(always)]
pub(crate) fn own_sections(b: &[u8], mine: u32) -> Result<(), Code> {
    let (s, n, _) = wire::split(mine);
    let first = HEAD + s + 2 * n;
    let Some(words) = b.get(HEAD + s..first) else {
        return Err(Code::Truncated);
    };
    let (mut prev, mut ordered) = (first, true);
    for word in words.chunks_exact(2) {
        let end = usize::from(wire::u16(word));
        ordered &= end >= prev;
        prev = end;
    }
    if !ordered || prev != b.len() {
        return Err(Code::Ends);
    }
    Ok(())
}

/// Refuses a header that is neither that of an older version nor at least the reader's own.
pub(crate) fn fits(h: u32, mine: u32, older: &[u32]) -> Result<(), Code> {
    let ((s, n, _), (ms, mn, _)) = (wire::split(h), wire::split(mine));
    if (s < ms || n < mn) && !older.contains(&h) {
        return Err(Code::Mixed);
    }
    Ok(())
}
