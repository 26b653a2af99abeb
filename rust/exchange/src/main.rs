//! Reads a stream of orders from a file, or from a socket if there is one at the name
//! given, and prints a line for each: the Rust end of spec/exchange. Its types are newer
//! than those of the program that wrote the orders.

mod orders;

use orders::Order;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::net::{SocketAddr, TcpStream};
use zmy::StreamReader;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let name = std::env::args()
        .nth(1)
        .ok_or("usage: exchange FILE | ADDRESS")?;
    let source: Box<dyn Read> = match name.parse::<SocketAddr>() {
        Ok(address) => Box::new(TcpStream::connect(address)?),
        Err(_) => Box::new(File::open(name)?),
    };
    let mut stream = StreamReader::new(BufReader::new(source));
    let mut out = BufWriter::new(io::stdout().lock());
    while let Some(order) = stream.read::<Order>()? {
        print(&order, &mut out)?;
    }
    out.flush()?;
    Ok(())
}

fn print(o: &Order, out: &mut impl Write) -> io::Result<()> {
    assert!(
        o.priority == 0 && o.gift.is_none(),
        "nobody writes these yet"
    );
    let pieces: i32 = o.items.iter().map(|item| item.qty).sum();
    let price: f64 = o.items.iter().map(|item| item.price).sum();
    let labels: Vec<String> = o.labels.iter().map(|(k, v)| format!("{k}={v}")).collect();
    writeln!(
        out,
        "{}: {} items, {pieces} pieces, {price:.2}, {}, {}, \"{}\"",
        o.id,
        o.items.len(),
        labels.join(","),
        o.placed.unix().0,
        o.note,
    )
}
