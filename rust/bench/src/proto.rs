//! prost: the types as prost-build would write them.

use prost::Message;
use std::collections::{BTreeMap, HashMap};

#[derive(Clone, PartialEq, Message)]
pub struct Order {
    #[prost(string, tag = "1")]
    pub id: String,
    #[prost(message, repeated, tag = "2")]
    pub items: Vec<Item>,
    #[prost(map = "string, string", tag = "3")]
    pub metadata: HashMap<String, String>,
    #[prost(sfixed64, tag = "4")]
    pub timestamp: i64,
}

/// The order with prost-build's option `btree_map`.
#[derive(Clone, PartialEq, Message)]
pub struct SortedOrder {
    #[prost(string, tag = "1")]
    pub id: String,
    #[prost(message, repeated, tag = "2")]
    pub items: Vec<Item>,
    #[prost(btree_map = "string, string", tag = "3")]
    pub metadata: BTreeMap<String, String>,
    #[prost(sfixed64, tag = "4")]
    pub timestamp: i64,
}

#[derive(Clone, PartialEq, Message)]
pub struct Item {
    #[prost(string, tag = "1")]
    pub sku: String,
    #[prost(double, tag = "2")]
    pub price: f64,
    #[prost(int32, tag = "3")]
    pub qty: i32,
    #[prost(bytes = "vec", tag = "4")]
    pub attrs: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Result {
    #[prost(fixed64, tag = "1")]
    pub id: u64,
    #[prost(double, repeated, tag = "2")]
    pub data: Vec<f64>,
    #[prost(sfixed64, tag = "3")]
    pub timestamp: i64,
}

#[derive(Clone, PartialEq, Message)]
pub struct Event {
    #[prost(string, tag = "1")]
    pub id: String,
    #[prost(string, tag = "2")]
    pub event: String,
    #[prost(string, tag = "3")]
    pub data: String,
    #[prost(bool, tag = "4")]
    pub replay: bool,
    #[prost(map = "string, string", tag = "5")]
    pub meta: HashMap<String, String>,
}

#[derive(Clone, PartialEq, Message)]
pub struct SortedEvent {
    #[prost(string, tag = "1")]
    pub id: String,
    #[prost(string, tag = "2")]
    pub event: String,
    #[prost(string, tag = "3")]
    pub data: String,
    #[prost(bool, tag = "4")]
    pub replay: bool,
    #[prost(btree_map = "string, string", tag = "5")]
    pub meta: BTreeMap<String, String>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Person {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(sfixed64, tag = "2")]
    pub birth_day: i64,
    #[prost(string, tag = "3")]
    pub phone: String,
    #[prost(int64, tag = "4")]
    pub siblings: i64,
    #[prost(bool, tag = "5")]
    pub spouse: bool,
    #[prost(double, tag = "6")]
    pub money: f64,
}

fn item(v: &crate::Item) -> Item {
    Item {
        sku: v.sku.clone(),
        price: v.price,
        qty: v.qty,
        attrs: v.attrs.clone(),
    }
}

impl From<&crate::Order> for Order {
    fn from(v: &crate::Order) -> Order {
        Order {
            id: v.id.clone(),
            items: v.items.iter().map(item).collect(),
            metadata: v.metadata.clone().into_iter().collect(),
            timestamp: v.timestamp,
        }
    }
}

impl From<&crate::Order> for SortedOrder {
    fn from(v: &crate::Order) -> SortedOrder {
        SortedOrder {
            id: v.id.clone(),
            items: v.items.iter().map(item).collect(),
            metadata: v.metadata.clone(),
            timestamp: v.timestamp,
        }
    }
}

impl From<&crate::Result> for Result {
    fn from(v: &crate::Result) -> Result {
        Result {
            id: v.id,
            data: v.data.clone(),
            timestamp: v.timestamp,
        }
    }
}

impl From<&crate::Event> for Event {
    fn from(v: &crate::Event) -> Event {
        Event {
            id: v.id.clone(),
            event: v.event.clone(),
            data: v.data.clone(),
            replay: v.replay,
            meta: v.meta.clone().into_iter().collect(),
        }
    }
}

impl From<&crate::Event> for SortedEvent {
    fn from(v: &crate::Event) -> SortedEvent {
        SortedEvent {
            id: v.id.clone(),
            event: v.event.clone(),
            data: v.data.clone(),
            replay: v.replay,
            meta: v.meta.clone(),
        }
    }
}

impl From<&crate::Person> for Person {
    fn from(v: &crate::Person) -> Person {
        Person {
            name: v.name.clone(),
            birth_day: v.birth_day,
            phone: v.phone.clone(),
            siblings: v.siblings,
            spouse: v.spouse,
            money: v.money,
        }
    }
}
