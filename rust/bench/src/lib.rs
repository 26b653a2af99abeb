//! The contenders: each format writes and reads the same four types, `order-lite` (an
//! order of 4.2 items and four pairs of strings), `sse` (three strings and up to three pairs),
//! `result` (1,024 floats) and `flat` (a record of six fields).

pub mod values;
pub mod zmy_types {
    //! The types as the generator writes them.
    pub mod order {
        include!("../../zmy/tests/golden/order_lite.rs");
    }
    pub mod sse {
        include!("../../zmy/tests/golden/sse.rs");
    }
    pub mod result {
        include!("../../zmy/tests/golden/result.rs");
    }
    pub mod flat {
        include!("../../zmy/tests/golden/flat.rs");
    }
}
pub mod cases;
#[cfg(flatc)]
pub mod flat;
pub mod proto;

pub use values::{Event, Item, Order, Person, Result};
