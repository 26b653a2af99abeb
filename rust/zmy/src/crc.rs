//! CRC32C (Castagnoli), eight bytes a step.

const POLYNOMIAL: u32 = 0x82f6_3b78;

/// `TABLES[k][byte]` is what a byte contributes that stands k bytes before the end.
static TABLES: [[u32; 256]; 8] = tables();

#[allow(clippy::indexing_slicing)] // at compile time
const fn tables() -> [[u32; 256]; 8] {
    let mut t = [[0; 256]; 8];
    let mut i = 0;
    while i < 256 {
        let (mut crc, mut bit) = (i as u32, 0);
        while bit < 8 {
            crc = if crc & 1 == 1 {
                crc >> 1 ^ POLYNOMIAL
            } else {
                crc >> 1
            };
            bit += 1;
        }
        t[0][i] = crc;
        i += 1;
    }
    let mut k = 1;
    while k < 8 {
        let mut i = 0;
        while i < 256 {
            let before = t[k - 1][i];
            t[k][i] = before >> 8 ^ t[0][before as usize & 0xff];
            i += 1;
        }
        k += 1;
    }
    t
}

#[inline(always)]
fn look(table: &[u32; 256], byte: u8) -> u32 {
    // The index has eight bits: this is no check at run time.
    table.get(usize::from(byte)).copied().unwrap_or(0)
}

fn update(mut crc: u32, b: &[u8]) -> u32 {
    let [t0, t1, t2, t3, t4, t5, t6, t7] = &TABLES;
    let mut eights = b.chunks_exact(8);
    for x in &mut eights {
        let [a, b, c, d, e, f, g, h] = (crate::wire::u64(x) ^ u64::from(crc)).to_le_bytes();
        crc = look(t7, a) ^ look(t6, b) ^ look(t5, c) ^ look(t4, d);
        crc ^= look(t3, e) ^ look(t2, f) ^ look(t1, g) ^ look(t0, h);
    }
    for byte in eights.remainder() {
        let [low, ..] = crc.to_le_bytes();
        crc = crc >> 8 ^ look(t0, low ^ byte);
    }
    crc
}

/// The checksum over the parts, one after the other.
pub(crate) fn checksum(parts: &[&[u8]]) -> u32 {
    !parts.iter().fold(!0, |crc, part| update(crc, part))
}

#[cfg(test)]
mod tests {
    use super::checksum;

    #[test]
    fn known_values() {
        assert_eq!(checksum(&[b"123456789"]), 0xe306_9283); // RFC 3720, B.4
        assert_eq!(checksum(&[&[0; 32]]), 0x8a91_36aa);
        assert_eq!(checksum(&[&[0xff; 32]]), 0x62a8_ab43);
    }

    #[test]
    fn parts_are_one_text() {
        let text: [u8; 99] = core::array::from_fn(|i| i as u8);
        for cut in 0..text.len() {
            let (head, tail) = text.split_at(cut);
            assert_eq!(checksum(&[head, tail]), checksum(&[&text]), "cut at {cut}");
        }
    }
}
