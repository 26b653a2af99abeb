//! SHA-256 (FIPS 180-4), whose first bytes stand in the vectors for long texts.

/// The first 8 bytes in hexadecimal.
pub fn short(b: &[u8]) -> String {
    crate::spell::hex(&digest(b)[..8])
}

/// The first 32 bits of the fractional parts of a root of the first primes.
fn fractions(n: usize, root: impl Fn(u128, u32) -> u32) -> Vec<u32> {
    let primes = (2u128..).filter(|p| (2..*p).take_while(|d| d * d <= *p).all(|d| p % d != 0));
    primes.take(n).map(|p| root(p, 32)).collect()
}

/// The largest x with x^k ≤ p × 2^(32k), of which the low 32 bits are the fraction.
fn root(k: u32) -> impl Fn(u128, u32) -> u32 {
    move |p, bits| {
        let target = p << (bits * k);
        let (mut lo, mut hi) = (0u128, 1u128 << 36);
        while hi - lo > 1 {
            let mid = (lo + hi) / 2;
            if mid.pow(k) <= target {
                lo = mid;
            } else {
                hi = mid;
            }
        }
        lo as u32
    }
}

fn digest(b: &[u8]) -> [u8; 32] {
    let (k, mut h) = (fractions(64, root(3)), fractions(8, root(2)));
    let mut text = b.to_vec();
    text.push(0x80);
    while text.len() % 64 != 56 {
        text.push(0);
    }
    text.extend_from_slice(&(8 * b.len() as u64).to_be_bytes());
    for block in text.chunks_exact(64) {
        let mut w: Vec<u32> = block
            .chunks_exact(4)
            .map(|c| u32::from_be_bytes([c[0], c[1], c[2], c[3]]))
            .collect();
        for t in 16..64 {
            let (x, y) = (w[t - 15], w[t - 2]);
            let s0 = x.rotate_right(7) ^ x.rotate_right(18) ^ x >> 3;
            let s1 = y.rotate_right(17) ^ y.rotate_right(19) ^ y >> 10;
            w.push(
                w[t - 16]
                    .wrapping_add(s0)
                    .wrapping_add(w[t - 7])
                    .wrapping_add(s1),
            );
        }
        let mut v: Vec<u32> = h.clone();
        for t in 0..64 {
            let (a, e) = (v[0], v[4]);
            let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let choose = e & v[5] ^ !e & v[6];
            let t1 = v[7]
                .wrapping_add(s1)
                .wrapping_add(choose)
                .wrapping_add(k[t])
                .wrapping_add(w[t]);
            let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let majority = a & v[1] ^ a & v[2] ^ v[1] & v[2];
            v.rotate_right(1);
            v[0] = t1.wrapping_add(s0).wrapping_add(majority);
            v[4] = v[4].wrapping_add(t1);
        }
        for (h, v) in h.iter_mut().zip(v) {
            *h = h.wrapping_add(v);
        }
    }
    let mut out = [0; 32];
    for (to, from) in out.iter_mut().zip(h.iter().flat_map(|h| h.to_be_bytes())) {
        *to = from;
    }
    out
}

#[test]
fn known_value() {
    assert_eq!(short(b"abc"), "ba7816bf8f01cfea");
}
