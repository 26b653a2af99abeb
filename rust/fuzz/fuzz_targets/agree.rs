//! Decoding and the verifier agree on any bytes. A message that is accepted survives writing and
//! reading. Views of bytes that were not checked do not panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::fmt::Debug;
use zmy::{Decode, DecodeOptions, Encode, EncodeOptions};

#[allow(dead_code, clippy::type_complexity)]
#[path = "../../testee/src/vectors.rs"]
mod vectors;

use vectors::*;

const WRITING: EncodeOptions = EncodeOptions {
    max_wire: 1 << 30,
    max_raw: 1 << 30,
    max_depth: 0,
};

fn agree<T: Decode + Encode + Debug>(b: &[u8], exact: bool)
where
    for<'a> <T as zmy::rt::Layout>::View<'a>: Debug,
{
    if let Ok(view) = zmy::view_unverified::<T>(b) {
        let _ = format!("{view:?}");
    }
    let o = DecodeOptions {
        exact,
        ..DecodeOptions::default()
    };
    let read = T::decode_with(b, &o);
    match (&read, zmy::verify::<T>(b, &o)) {
        (Err(e), _) if matches!(e.code(), zmy::Code::Budget | zmy::Code::Memory) => return,
        (Err(x), Err(y)) => assert_eq!(x, &y),
        (Ok(_), Ok(())) => {}
        (x, y) => panic!("decoded {x:?}, verified {y:?}"),
    }
    let Ok(v) = read else { return };
    let mut again = Vec::new();
    v.encode_into(&mut again, &WRITING)
        .expect("what was read can be written");
    assert_eq!(zmy::Buffer::new().encode_with(&v, &WRITING), Ok(&again[..]));
    if exact {
        assert_eq!(again, b);
    }
    let limits = DecodeOptions {
        max_wire: 1 << 30,
        max_raw: 1 << 30,
        ..o
    };
    if let Ok(back) = T::decode_with(&again, &limits) {
        let mut third = Vec::new();
        back.encode_into(&mut third, &WRITING)
            .expect("what was read can be written");
        assert_eq!(again, third);
    } else {
        assert!(exact, "what was written is refused");
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((&which, b)) = data.split_first() else {
        return;
    };
    let run: &[fn(&[u8], bool)] = &[
        agree::<Scalars>,
        agree::<Lists>,
        agree::<Maps>,
        agree::<Optional>,
        agree::<Numbers>,
        agree::<Raw>,
        agree::<Dynamic>,
        agree::<Tree>,
        agree::<Cast>,
        agree::<V1>,
        agree::<V2>,
        agree::<V3>,
        agree::<Keep1>,
        agree::<Keep2>,
        agree::<Sparse1>,
        agree::<Sparse2>,
        agree::<SparseDrop>,
        agree::<Retired>,
        agree::<RetiredKeep>,
        agree::<Wide>,
        agree::<Empty>,
        agree::<Order>,
    ];
    run[usize::from(which / 2) % run.len()](b, which % 2 == 1);
});
