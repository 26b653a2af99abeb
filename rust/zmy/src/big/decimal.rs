//! Integers in decimal, in less than the square of their size: the bytes are halved, each
//! half is converted by itself, and the upper one is multiplied by a power of 256, which is
//! in decimal too. Nothing is divided but small numbers.
//!
//! A number is a list of limbs in base 10⁹, the least significant first. There may be zero
//! limbs at its end.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::Write;

const BASE: u64 = 1_000_000_000;
/// Bytes that are converted by division, in the square of their number.
const SMALL: usize = 128;
/// Limbs up to which numbers are multiplied limb by limb.
const SHORT: usize = 32;

/// The magnitude, most significant byte first, in decimal.
pub(super) fn decimal(magnitude: &[u8]) -> String {
    let mut powers: Vec<Vec<u64>> = Vec::new(); // 256^SMALL, its square, and so on
    while SMALL << powers.len() < magnitude.len() {
        let next = match powers.last() {
            Some(p) => mul(p, p),
            None => {
                let one = core::iter::once(1).chain([0; SMALL]);
                small(&one.collect::<Vec<u8>>())
            }
        };
        powers.push(next);
    }
    text(&convert(magnitude, &powers))
}

/// Converts bytes that are at most twice as many as the last power has.
fn convert(b: &[u8], powers: &[Vec<u64>]) -> Vec<u64> {
    let Some((power, less)) = powers.split_last() else {
        return small(b);
    };
    match b.len().checked_sub(SMALL << less.len()) {
        None | Some(0) => convert(b, less),
        Some(at) => {
            let (high, low) = b.split_at(at);
            let mut out = mul(&convert(high, less), power);
            add(&mut out, &convert(low, less));
            out
        }
    }
}

/// Converts a few bytes: each makes the number 256 times as large.
fn small(b: &[u8]) -> Vec<u64> {
    let mut out = Vec::new();
    for bytes in b.rchunks(4).rev() {
        let mut carry = bytes.iter().fold(0, |n, &byte| n << 8 | u64::from(byte));
        for limb in &mut out {
            let n = (*limb << (8 * bytes.len())) + carry;
            (*limb, carry) = (n % BASE, n / BASE);
        }
        while carry > 0 {
            out.push(carry % BASE);
            carry /= BASE;
        }
    }
    out
}

fn text(limbs: &[u64]) -> String {
    let mut out = String::with_capacity(9 * limbs.len() + 1);
    for limb in limbs.iter().rev().skip_while(|&&limb| limb == 0) {
        // Writing to a String does not fail.
        let _ = match out.is_empty() {
            true => write!(out, "{limb}"),
            false => write!(out, "{limb:09}"),
        };
    }
    if out.is_empty() {
        out.push('0');
    }
    out
}

/// Adds y to x, which has room for the sum.
fn add(x: &mut [u64], y: &[u64]) {
    let (head, tail) = x.split_at_mut(y.len().min(x.len()));
    let mut carry = 0;
    for (x, y) in head.iter_mut().zip(y) {
        let n = *x + y + carry;
        (*x, carry) = if n < BASE { (n, 0) } else { (n - BASE, 1) };
    }
    for x in tail {
        if carry == 0 {
            return;
        }
        (*x, carry) = if *x + 1 < BASE { (*x + 1, 0) } else { (0, 1) };
    }
}

/// Subtracts y from x, which is not less.
fn sub(x: &mut [u64], y: &[u64]) {
    let (head, tail) = x.split_at_mut(y.len().min(x.len()));
    let mut borrow = 0;
    for (x, y) in head.iter_mut().zip(y) {
        let n = *x + BASE - y - borrow;
        (*x, borrow) = if n < BASE { (n, 1) } else { (n - BASE, 0) };
    }
    for x in tail {
        if borrow == 0 {
            return;
        }
        (*x, borrow) = if *x > 0 { (*x - 1, 0) } else { (BASE - 1, 1) };
    }
}

/// The product, of as many limbs as both have.
fn mul(a: &[u64], b: &[u64]) -> Vec<u64> {
    let (a, b) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if a.len() <= SHORT {
        return mul_short(a, b);
    }
    if 2 * a.len() <= b.len() {
        return mul_parts(a, b);
    }
    // Karatsuba: three products of half the length in place of four.
    let half = b.len().div_ceil(2);
    let ((a0, a1), (b0, b1)) = (a.split_at(half.min(a.len())), b.split_at(half));
    let (low, high) = (mul(a0, b0), mul(a1, b1));
    let mut middle = mul(&sum(a0, a1), &sum(b0, b1));
    sub(&mut middle, &low);
    sub(&mut middle, &high);
    let mut out = vec![0; a.len() + b.len()];
    add(&mut out, &low);
    if let Some(out) = out.get_mut(half..) {
        add(out, significant(&middle));
    }
    if let Some(out) = out.get_mut(2 * half..) {
        add(out, &high);
    }
    out
}

/// The limbs without zeros at the end.
fn significant(x: &[u64]) -> &[u64] {
    let zeros = x.iter().rev().take_while(|&&limb| limb == 0).count();
    x.split_at(x.len() - zeros).0
}

fn sum(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut out = vec![0; a.len().max(b.len()) + 1];
    add(&mut out, a);
    add(&mut out, b);
    out
}

/// The product with a number that is much longer, by parts as long as the other.
fn mul_parts(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut out = vec![0; a.len() + b.len()];
    for (i, part) in b.chunks(a.len()).enumerate() {
        if let Some(out) = out.get_mut(i * a.len()..) {
            add(out, significant(&mul(a, part)));
        }
    }
    out
}

/// The product limb by limb: at most 10¹⁸ with what is carried, below 2⁶⁴.
fn mul_short(a: &[u64], b: &[u64]) -> Vec<u64> {
    #[cfg(test)]
    tests::WORK.fetch_add(
        (a.len() * b.len()) as u64,
        core::sync::atomic::Ordering::Relaxed,
    );
    let mut out = vec![0; a.len() + b.len()];
    for (i, x) in a.iter().enumerate() {
        let row = out.get_mut(i..).unwrap_or_default();
        let mut carry = 0;
        let limbs = b.iter().chain([&0]); // and a place for what is carried at last
        for (to, y) in row.iter_mut().zip(limbs) {
            let n = *to + x * y + carry;
            (*to, carry) = (n % BASE, n / BASE);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::sync::atomic::{AtomicU64, Ordering};

    /// Products of limbs so far.
    pub(super) static WORK: AtomicU64 = AtomicU64::new(0);

    /// The slow twin: digits by dividing all of the number again and again.
    fn slow(magnitude: &[u8]) -> String {
        let mut n = magnitude.to_vec();
        let mut limbs = Vec::new();
        while n.iter().any(|&byte| byte != 0) {
            let mut rest = 0;
            for byte in &mut n {
                let m = rest << 8 | u64::from(*byte);
                (*byte, rest) = ((m / BASE) as u8, m % BASE);
            }
            limbs.push(rest);
        }
        text(&limbs)
    }

    fn work(bytes: usize) -> u64 {
        let before = WORK.load(Ordering::Relaxed);
        let text = decimal(&vec![0xa7; bytes]);
        assert!(text.len() > 2 * bytes && text.len() < 3 * bytes);
        WORK.load(Ordering::Relaxed) - before
    }

    /// One test, since others would add to the count.
    #[test]
    fn like_the_slow_twin_in_less_work() {
        let mut x = 1_u64;
        let mut random = || {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            x
        };
        for n in (0..300).chain([511, 512, 513, 1000, 1025, 2047, 3000, 5001]) {
            let bytes: Vec<u8> = (0..n).map(|_| random() as u8).collect();
            assert_eq!(decimal(&bytes), slow(&bytes), "{n} random bytes");
            for byte in [0, 1, 0xff] {
                let mut b = vec![byte; n];
                assert_eq!(decimal(&b), slow(&b), "{n} times {byte}");
                if let Some(first) = b.first_mut() {
                    *first = 1;
                    assert_eq!(decimal(&b), slow(&b), "1, then {byte}, {n} in all");
                }
            }
        }
        // Twice the size takes three times the work: in the square it is four.
        let (one, two) = (work(1 << 15), work(1 << 16));
        assert!(2 * two < 7 * one, "{one} products, then {two}");
        assert!(two < 1 << 25, "{two} products for 64 KiB");
    }
}
