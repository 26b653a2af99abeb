//! The ZMY native format: compact, with one encoding for each value, readable in place, compatible
//! with older and newer versions of a type, and safe on hostile bytes. `spec/FORMAT.md` of the
//! project specifies the format. `zmy gen -lang rust` writes the types, from Go structs.
//!
//! ```
//! # #[cfg(feature = "alloc")] {
//! # mod shop {
//! #     include!("../tests/golden/order_lite.rs");
//! # }
//! use shop::{Item, Order};
//! use zmy::{Decode, Encode};
//!
//! let tea = Item { sku: "tea".into(), price: 3.5, qty: 2, ..Item::default() };
//! let order = Order { id: "A-1".into(), items: vec![tea], ..Order::default() };
//! let bytes = order.encode()?;
//!
//! assert_eq!(Order::decode(&bytes)?, order); // a value of its own
//! let view = zmy::view::<Order>(&bytes)?; // or in place: checked once, nothing copied
//! assert_eq!(view.items().get(0).map(|item| item.sku()), Some("tea"));
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! | feature | |
//! |---|---|
//! | `std` (default) | streams over `std::io`, conversions from and to `std::time` |
//! | `alloc` | owned types: [`Encode`], [`Decode`], envelopes |
//! | none | views and the verifier, without any memory of their own |
//! | `serde` | `Serialize` and `Deserialize` for the values of this crate |
//! | `zerocopy` | `ListView::as_slice` for lists of numbers |
//!
//! # Hostile bytes
//!
//! There is no `unsafe` in this crate, and no input that makes it panic or loop. Memory is charged
//! to the budget of [`DecodeOptions`] before it is allocated, in units of the specification: the
//! heap takes at most two bytes for each unit, four for each byte of the message, and 64 KiB. The
//! stack takes a frame for each level up to [`DecodeOptions::max_depth`]: some hundred bytes, and a
//! few times the scalars of the level's struct, arrays among them. A recursive type with 16 KiB of
//! scalars needs a thread with some MiB of stack, or a smaller depth.

#![no_std]

#[cfg(feature = "alloc")]
#[doc(hidden)]
pub extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

// The modules form layers: each uses only modules that are declared above it. The house's tests
// in Go assert that.

// Bytes, codes of faults, and types without a format.
mod code;
mod fault;
mod text;
mod time;
#[cfg(feature = "alloc")]
mod vecmap;
mod wire;

// Errors, scalars, limits, and the sections of a struct whose type does not matter.
mod error;
mod fixed;
mod limits;
mod section;
mod sparse;

// The state of one decoding or encoding, and slots and structs that are read in place.
#[cfg(feature = "alloc")]
mod decoder;
#[cfg(feature = "alloc")]
mod encoder;
mod form;
mod layout;
#[cfg(feature = "alloc")]
mod unknown;

// Owned values, and structs as generated code reads and writes them.
#[cfg(feature = "alloc")]
mod codec;
#[cfg(feature = "alloc")]
mod flat;
mod opened;
#[cfg(feature = "alloc")]
mod writer;

// Forms of many values, or of any size.
mod big;
mod list;
mod map;
mod union;
#[cfg(feature = "zerocopy")]
mod zero;

mod any;

// Functions and traits for programs.
mod message;

#[cfg(feature = "alloc")]
mod crc;
#[cfg(feature = "alloc")]
mod envelope;
#[cfg(feature = "std")]
mod stream;

pub use any::{kind, AnyView};
pub use big::{FloatView, IntegerView};
pub use code::Code;
pub use error::{DecodeError, EncodeError};
pub use fault::Fault;
pub use fixed::Fixed;
pub use limits::{
    DecodeOptions, EncodeOptions, DEFAULT_BUDGET, DEFAULT_MAX_DEPTH, DEFAULT_MAX_RAW,
    DEFAULT_MAX_WIRE,
};
pub use list::{ArrayView, ListView};
pub use map::{MapView, SetView};
pub use message::{verify, view, view_unverified, view_with, Message};
pub use time::{Complex, Duration, Time, ZonedTime};

pub(crate) use fault::Result;

#[cfg(feature = "alloc")]
pub use {
    any::Value,
    big::{BigFloat, BigInt, Decimal},
    envelope::{
        seal, unseal, Compression, Compressor, Envelope, EnvelopeError, Error, OpenOptions,
        SealOptions, ENVELOPE_OVERHEAD,
    },
    message::{Buffer, Decode, Encode},
    union::UnknownArm,
    unknown::Unknown,
    vecmap::Map,
};

#[cfg(feature = "std")]
pub use stream::{StreamReader, StreamWriter};

/// The parts of generated code. They change with the generator, so no other code should use them.
pub mod rt {
    pub use crate::any::Any;
    pub use crate::big::{Float, Integer, PtrFloat, PtrInteger};
    pub use crate::fault::{Fault, Result};
    pub use crate::fixed::{check_at, Fixed, UnixNano};
    pub use crate::form::{Blob, Boxed, Form, Long, Nilable, Opt, PtrBoxed, PtrFixed, Text};
    pub use crate::layout::{Layout, Ptr, Raw, Struct};
    pub use crate::limits::Walk;
    pub use crate::list::{Array, Column, Dense, List, Packed, Slots, Texts};
    pub use crate::map::{Key, Map, Set};
    pub use crate::opened::{open, Opened};
    pub use crate::union::{check_arm, view_arm, Arms, Union};
    pub use crate::wire::part;

    #[cfg(feature = "alloc")]
    pub use {
        crate::codec::{Codec, Record},
        crate::decoder::Decoder,
        crate::encoder::Encoder,
        crate::flat::{begin, keep, Flat},
        crate::limits::enter,
        crate::list::ColumnCodec,
        crate::map::KeyCodec,
        crate::union::{get_arm, get_unknown_arm, put_arm, put_unknown_arm, ArmsCodec},
        crate::writer::{store, Writer},
    };
}
