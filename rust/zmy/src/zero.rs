//! Lists of numbers as slices in place, by the crate zerocopy.

use crate::list::{ListView, Packed};
use zerocopy::little_endian as le;
use zerocopy::FromBytes;

macro_rules! slices {
    ($($t:ty => $place:ty;)*) => {$(
        impl<'a> ListView<'a, Packed<$t>> {
            /// The numbers in place, of any alignment.
            pub fn as_slice(&self) -> &'a [$place] {
                // A list that was not verified may end inside a number.
                let whole = crate::wire::part(self.bytes(), 0, self.len() * size_of::<$t>());
                <[$place]>::ref_from_bytes(whole).unwrap_or(&[])
            }
        }
    )*};
}

slices! {
    u8 => u8; i8 => i8;
    u16 => le::U16; i16 => le::I16;
    u32 => le::U32; i32 => le::I32; f32 => le::F32;
    u64 => le::U64; i64 => le::I64; f64 => le::F64;
}
