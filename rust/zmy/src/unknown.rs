//! Parts of structs that newer versions have, carried from decoding to encoding.

use crate::decoder::{Decoder, SLOT};
use crate::sparse::Sparse;
use crate::wire::{self, word};
use crate::{Code, Fault, Result};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// The parts of a newer version of a struct that this version does not know, byte for byte: scalars
/// and tails behind those of the type, and the content of fields that the type only reserves.
/// Decoding sets it, and encoding writes it back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Unknown(Option<Box<Rest>>);

/// Bytes of memory that a [`Rest`] takes, with its five allocations, and that each reserved field
/// takes. The vector of these starts with room for four.
const REST_MEMORY: usize = size_of::<Rest>() + 5 * ALLOCATION;
const KEPT_MEMORY: usize = 4 * size_of::<(u32, Vec<u8>)>() + ALLOCATION;

/// The most bytes that an allocator adds to a piece of memory.
const ALLOCATION: usize = 32;

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Rest {
    pub scalars: Vec<u8>,
    pub tails: Vec<u8>, // joined
    pub ends: Vec<u32>, // of each tail, in tails
    pub bits: Vec<u8>,  // of a sparse struct: its bitmap without the known fields
    kept: Vec<(u32, Vec<u8>)>,
}

impl Unknown {
    /// Reports whether nothing is carried.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    pub(crate) fn rest(&self) -> Option<&Rest> {
        self.0.as_deref()
    }

    pub(crate) fn new(
        scalars: &[u8],
        tails: &[u8],
        ends: impl Iterator<Item = usize>,
        bits: Vec<u8>,
    ) -> Self {
        Unknown(Some(Box::new(Rest {
            scalars: scalars.to_vec(),
            tails: tails.to_vec(),
            ends: ends.map(|end| end as u32).collect(),
            bits,
            kept: Vec::new(),
        })))
    }

    /// Copies the parts of the dense struct `b` that are behind those of its type, whose header is
    /// `mine`. The struct has been opened, so its sections are well-formed.
    pub(crate) fn take(b: &[u8], h: u32, head: usize, mine: u32, d: &mut Decoder) -> Result<Self> {
        let ((s, n, _), (ms, mn, _)) = (wire::split(h), wire::split(mine));
        if s <= ms && n <= mn {
            return Ok(Unknown::default());
        }
        let cost = s - ms + SLOT as usize * (n - mn);
        d.charge(1, cost as u64, REST_MEMORY + cost)?;
        let es = wire::word_size(b.len());
        let at = head + s;
        let end = |i: usize| word(b, at + es * i, es);
        let from = match mn {
            _ if n == mn => b.len(),
            0 => at + es * n,
            _ => end(mn - 1),
        };
        let scalars = wire::part(b, head + ms, at);
        let ends = (mn..n).map(|i| end(i) - from);
        Ok(Unknown::new(scalars, wire::rest(b, from), ends, Vec::new()))
    }

    /// Copies the fields of the sparse struct `b` that are behind those of its type, which have
    /// these sizes.
    pub(crate) fn take_sparse(b: &[u8], h: u32, sizes: &[u8], d: &mut Decoder) -> Result<Self> {
        let o = Sparse::open(b, h, sizes).map_err(|c| Fault::slot(c, b))?;
        if o.more == 0 {
            return Ok(Unknown::default());
        }
        let more = o.n - o.tails;
        let cost = o.bits.len() + o.s - o.known + SLOT as usize * more;
        d.charge(1, cost as u64, REST_MEMORY + cost)?;
        let at = o.at + o.s;
        let from = match o.tails {
            0 => o.first(),
            n => word(b, at + o.es * (n - 1), o.es),
        };
        let ends = (0..more).map(|i| word(b, at + o.es * (o.tails + i), o.es) - from);
        let scalars = wire::part(b, o.at + o.known, at);
        let mut bits = o.bits.to_vec();
        for i in 0..sizes.len() {
            if let Some(byte) = bits.get_mut(i / 8) {
                *byte &= !(1 << (i % 8));
            }
        }
        Ok(Unknown::new(scalars, wire::rest(b, from), ends, bits))
    }

    /// Copies the content of reserved field `number`.
    pub(crate) fn keep(&mut self, number: u32, content: &[u8]) {
        self.0
            .get_or_insert_default()
            .kept
            .push((number, content.to_vec()));
    }

    /// The content of reserved field `number`.
    pub(crate) fn kept(&self, number: u32) -> &[u8] {
        let kept = self.0.iter().flat_map(|rest| &rest.kept);
        kept.filter(|(n, _)| *n == number)
            .map(|(_, x)| x.as_slice())
            .next()
            .unwrap_or(&[])
    }

    /// Sets the bytes of the reserved scalar field `number`.
    pub fn put_kept<const AT: usize>(&self, x: &mut [u8], number: u32) {
        for (to, from) in x.iter_mut().skip(AT).zip(self.kept(number)) {
            *to = *from;
        }
    }

    /// The header of a struct that carries these parts. `mine` is the header of its type.
    pub fn header(&self, mine: u32) -> u32 {
        match &self.0 {
            Some(rest) => mine + wire::header(rest.scalars.len(), rest.ends.len()),
            None => mine,
        }
    }
}

/// Decides on the content `x` of a reserved field. It is copied to `keep`, or dropped if the struct
/// does not carry it, or refused if only the reader's own version is accepted.
pub(crate) fn reserved(
    x: &[u8],
    keep: Option<&mut Unknown>,
    number: u32,
    d: &mut Decoder,
) -> Result<()> {
    match keep {
        _ if x.is_empty() => Ok(()),
        Some(keep) => {
            let rest = if keep.is_empty() { REST_MEMORY } else { 0 };
            d.charge(1, SLOT, rest + KEPT_MEMORY)?;
            keep.keep(number, x);
            Ok(())
        }
        None if d.exact() => Err(Code::Version.into()),
        None => Ok(()),
    }
}
