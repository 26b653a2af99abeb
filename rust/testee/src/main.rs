//! Reads messages for the conformance runner, by the protocol of spec/CONFORMANCE.md:
//! requests on standard input, responses on standard output.

mod inflate;
#[cfg(test)]
mod json;
#[cfg(test)]
mod memory;
#[cfg(test)]
mod property;
mod read;
#[cfg(test)]
mod sha256;
mod spell;
#[cfg(test)]
mod tests;
mod types;
mod vectors;

use read::{Outcome, MODES};
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Write};
use zmy::DecodeOptions;

/// The size of the buffers of standard input and output.
const PIPE: usize = 64 << 10;

fn main() -> io::Result<()> {
    let mut input = BufReader::with_capacity(PIPE, io::stdin().lock());
    let mut output = BufWriter::with_capacity(PIPE, io::stdout().lock());
    let mut request = Vec::new();
    while next(&mut input, &mut request)? {
        let response = answer(&request);
        output.write_all(&(response.len() as u32).to_le_bytes())?;
        output.write_all(&response)?;
        if input.buffer().is_empty() {
            output.flush()?; // nothing more to read at once
        }
    }
    Ok(())
}

/// Reads the next request, and reports whether there is one.
fn next(input: &mut impl Read, request: &mut Vec<u8>) -> io::Result<bool> {
    let mut head = [0; 4];
    match input.read_exact(&mut head) {
        Err(e) if e.kind() == ErrorKind::UnexpectedEof => return Ok(false),
        result => result?,
    }
    request.resize(u32::from_le_bytes(head) as usize, 0);
    input.read_exact(request)?;
    Ok(true)
}

fn answer(request: &[u8]) -> Vec<u8> {
    if request == [0] {
        let mut out = vec![0];
        out.extend_from_slice(MODES.join("\n").as_bytes());
        return out;
    }
    let outcome = serve(request).unwrap_or(Outcome::Unsupported("request too short".into()));
    match outcome {
        Outcome::Ok(again, fields) => {
            let mut out = vec![0];
            out.extend_from_slice(&(again.len() as u32).to_le_bytes());
            out.extend_from_slice(&again);
            out.extend_from_slice(fields.as_bytes());
            out
        }
        Outcome::Refused(code, offset, path) => {
            let mut out = vec![1, code.len() as u8];
            out.extend_from_slice(code.as_bytes());
            out.extend_from_slice(&offset.to_le_bytes());
            out.extend_from_slice(path.as_bytes());
            out
        }
        Outcome::Unsupported(why) => {
            let mut out = vec![2];
            out.extend_from_slice(why.as_bytes());
            out
        }
    }
}

/// A request: mode, length and name of the reader, limits, exact, and the input.
fn serve(request: &[u8]) -> Option<Outcome> {
    let (&[mode, len], rest) = request.split_first_chunk()?;
    let (reader, rest) = rest.split_at_checked(len.into())?;
    let (max_wire, rest) = rest.split_first_chunk()?;
    let (max_raw, rest) = rest.split_first_chunk()?;
    let (max_depth, rest) = rest.split_first_chunk()?;
    let (budget, rest) = rest.split_first_chunk()?;
    let (exact, input) = rest.split_first()?;
    let o = DecodeOptions {
        max_wire: u32::from_le_bytes(*max_wire) as usize,
        max_raw: u32::from_le_bytes(*max_raw) as usize,
        max_depth: u32::from_le_bytes(*max_depth),
        budget: u64::from_le_bytes(*budget),
        exact: *exact == 1,
    };
    Some(read::read(
        mode,
        &String::from_utf8_lossy(reader),
        input,
        &o,
    ))
}
