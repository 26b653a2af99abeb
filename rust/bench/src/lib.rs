//! The contenders: each format writes and reads the same two types, `order-lite` (an
//! order of 4.2 items and four pairs of strings) and `result` (1,024 floats).

pub mod values;
pub mod zmy_types {
    //! The types as the generator writes them.
    pub mod order {
        include!("../../zmy/tests/golden/order_lite.rs");
    }
    pub mod result {
        include!("../../zmy/tests/golden/result.rs");
    }
}
pub mod cases;
#[cfg(flatc)]
pub mod flat;
pub mod proto;

pub use values::{Item, Order, Result};
