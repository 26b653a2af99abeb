//! Decompressors that are enough for the vectors.

use zmy::{Compression, Compressor};

/// One LZ4 block: <https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md>
pub struct Lz4;

/// Zstandard frames (RFC 8878) whose blocks are stored or repeat one byte, with neither
/// checksum nor dictionary.
pub struct ZstdStored;

impl Compressor for Lz4 {
    fn id(&self) -> Compression {
        Compression::Lz4
    }

    fn compress(&self, _: &[u8], _: &mut Vec<u8>) -> bool {
        false
    }

    fn decompress(&self, src: &[u8], raw_len: usize, out: &mut Vec<u8>) -> bool {
        lz4(src, raw_len, out).is_some()
    }
}

fn lz4(src: &[u8], limit: usize, out: &mut Vec<u8>) -> Option<()> {
    let mut src = src.iter().copied();
    fn length(nibble: u8, src: &mut impl Iterator<Item = u8>) -> Option<usize> {
        let mut n = usize::from(nibble);
        let mut more = 255;
        while n >= 15 && more == 255 {
            more = src.next()?;
            n += usize::from(more);
        }
        Some(n)
    }
    loop {
        let token = src.next()?;
        let n = length(token >> 4, &mut src)?;
        if n > src.len() || n > limit - out.len() {
            return None;
        }
        out.extend(src.by_ref().take(n));
        if src.len() == 0 {
            return Some(());
        }
        let back = usize::from(u16::from_le_bytes([src.next()?, src.next()?]));
        let n = length(token & 15, &mut src)? + 4;
        if back == 0 || back > out.len() || n > limit - out.len() {
            return None;
        }
        for _ in 0..n {
            out.push(out[out.len() - back]);
        }
    }
}

impl Compressor for ZstdStored {
    fn id(&self) -> Compression {
        Compression::Zstd
    }

    fn compress(&self, _: &[u8], _: &mut Vec<u8>) -> bool {
        false
    }

    fn decompress(&self, mut src: &[u8], raw_len: usize, out: &mut Vec<u8>) -> bool {
        loop {
            match frame(src, raw_len, out) {
                Some([]) => return true,
                Some(rest) => src = rest,
                None => return false,
            }
        }
    }
}

/// Reads one frame and returns the bytes behind it.
fn frame<'a>(src: &'a [u8], limit: usize, out: &mut Vec<u8>) -> Option<&'a [u8]> {
    let mut src = src.strip_prefix(b"\x28\xb5\x2f\xfd\x20")?; // a single segment, its size in a byte
    let size = usize::from(*src.first()?);
    src = &src[1..];
    let start = out.len();
    loop {
        let (&[a, b, c], rest) = src.split_first_chunk()?;
        let head = u32::from_le_bytes([a, b, c, 0]);
        let n = (head >> 3) as usize;
        if n > limit - out.len() {
            return None;
        }
        match head >> 1 & 3 {
            0 => {
                out.extend_from_slice(rest.get(..n)?);
                src = &rest[n..];
            }
            1 => {
                out.resize(out.len() + n, *rest.first()?);
                src = &rest[1..];
            }
            _ => return None,
        }
        if head & 1 != 0 {
            return (out.len() - start == size).then_some(src);
        }
    }
}
