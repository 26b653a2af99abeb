//! Reads the message in a file, writes it again, and prints what is in it.

mod shop;

use shop::Order;
use zmy::{Decode, Encode};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("usage: reader FILE")?;
    let message = std::fs::read(file)?;
    let order = Order::decode(&message)?;
    if order.encode()? != message {
        return Err("encode has written other bytes than it was read from".into());
    }
    let view = zmy::view::<Order>(&message)?;
    println!("{} {} {}", view.id(), order.total, order.tags.join(","));
    Ok(())
}
