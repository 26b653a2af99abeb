//! The vectors of spec/vectors in each mode, and mutants of them.

use crate::json::{parse, Json};
use crate::property::Random;
use crate::read::{read, Outcome, MODES};
use crate::sha256;
use crate::spell::hex;
use std::fmt::Write;
use std::path::Path;
use zmy::DecodeOptions;

pub(crate) struct Vector {
    line: Json,
    pub(crate) input: Vec<u8>,
    limits: DecodeOptions,
}

impl Vector {
    fn new(line: &str) -> Vector {
        let line = parse(line);
        let of = |name| line.get("limits").get(name).number();
        let limits = DecodeOptions {
            max_wire: of("maxWire") as usize,
            max_raw: of("maxRaw") as usize,
            max_depth: of("maxDepth") as u32,
            budget: of("budget"),
            exact: *line.get("limits").get("exact") == Json::Bool(true),
        };
        Vector {
            input: unpack(line.get("hex").str()),
            line,
            limits,
        }
    }

    fn id(&self) -> &str {
        self.line.get("id").str()
    }

    pub(crate) fn reader(&self) -> &str {
        self.line.get("reader").str()
    }

    fn read(&self, mode: u8, b: &[u8]) -> Outcome {
        read(mode, self.line.get("reader").str(), b, &self.limits)
    }
}

fn unhex(s: &str) -> Vec<u8> {
    let s: Vec<u8> = s.bytes().filter(|c| *c != b' ').collect();
    let digit = |c: u8| (c as char).to_digit(16).expect("a digit") as u8;
    s.chunks(2)
        .map(|c| digit(c[0]) << 4 | digit(c[1]))
        .collect()
}

/// Decodes hexadecimal. (78)*65536 repeats a group; a blank ends the count.
fn unpack(mut s: &str) -> Vec<u8> {
    let mut out = Vec::new();
    while let Some((before, rest)) = s.split_once('(') {
        out.extend(unhex(before));
        let (group, rest) = rest.split_once(")*").expect("a count");
        let (count, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        out.extend(unhex(group).repeat(count.parse().expect("a count")));
        s = rest;
    }
    out.extend(unhex(s));
    out
}

pub(crate) fn vectors() -> Vec<Vector> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/vectors");
    let mut files = Vec::new();
    for category in std::fs::read_dir(&dir).expect("spec/vectors") {
        let category = category.expect("a folder").path();
        if category.is_dir() {
            files.extend(
                std::fs::read_dir(category)
                    .expect("a folder")
                    .map(|f| f.expect("a file").path()),
            );
        }
    }
    files.sort();
    let text: Vec<String> = files
        .iter()
        .map(|f| std::fs::read_to_string(f).expect("a file"))
        .collect();
    let all: Vec<Vector> = text
        .iter()
        .flat_map(|t| t.lines())
        .map(Vector::new)
        .collect();
    assert!(all.len() > 1400, "only {} vectors", all.len());
    all
}

fn code(o: &Outcome) -> &str {
    match o {
        Outcome::Ok(..) => "ok",
        Outcome::Refused(code, ..) => code,
        Outcome::Unsupported(why) => why,
    }
}

fn check(v: &Vector, mode: u8) {
    let got = v.read(mode, &v.input);
    assert_eq!(code(&got), v.line.get("expect").str(), "{}", v.id());
    match &got {
        Outcome::Ok(again, fields) => {
            match v.line.get("reencode").str() {
                "same" => assert_eq!(again, &v.input, "{}", v.id()),
                want if want.starts_with('#') => {
                    assert_eq!(sha256::short(again), want[1..], "{}", v.id())
                }
                want => assert_eq!(again, &unpack(want), "{}", v.id()),
            }
            match v.line.get("fields") {
                Json::String(long) if long.starts_with('#') => {}
                want => assert_eq!(&parse(fields), want, "{}", v.id()),
            }
        }
        Outcome::Refused(_, at, path) => {
            if !matches!(v.line.get("reader").str(), "envelope" | "stream") {
                assert_eq!(u64::from(*at), v.line.get("at").number(), "{}", v.id());
                assert_eq!(path, v.line.get("path").str(), "{}", v.id());
            }
        }
        Outcome::Unsupported(why) => panic!("{}: {why}", v.id()),
    }
    check_truncated(v, mode);
}

/// Every proper prefix, then the input with a zero byte behind it.
fn check_truncated(v: &Vector, mode: u8) {
    let want = v.line.get("truncated").str();
    if want.is_empty() {
        return;
    }
    let mut longer = v.input.clone();
    longer.push(0);
    let inputs = (0..v.input.len())
        .map(|n| &v.input[..n])
        .chain([&longer[..]]);
    let codes: Vec<String> = inputs.map(|b| code(&v.read(mode, b)).into()).collect();
    let runs = codes
        .chunk_by(|a, b| a == b)
        .map(|run| format!("{}*{}", run[0], run.len()));
    assert_eq!(runs.collect::<Vec<_>>().join(" "), want, "{}", v.id());
}

/// The input with each bit flipped in turn.
fn check_flips(v: &Vector, mode: u8) {
    let want = v.line.get("flips").str();
    if want.is_empty() {
        return;
    }
    let (mut b, mut text) = (v.input.clone(), String::new());
    for i in 0..8 * b.len() {
        b[i / 8] ^= 1 << (i % 8);
        let got = v.read(mode, &b);
        text.push_str(code(&got));
        if let Outcome::Ok(again, _) = &got {
            write!(text, " {}", hex(again)).expect("a string");
        }
        text.push('\n');
        b[i / 8] ^= 1 << (i % 8);
    }
    assert_eq!(sha256::short(text.as_bytes()), want, "{}", v.id());
}

/// One in this many vectors is tried with each of its bits flipped. `make conformance` tries all.
const FLIPPED: usize = 5;

fn check_all(mode: u8) {
    for (i, v) in vectors().iter().enumerate() {
        check(v, mode);
        if i % FLIPPED == 0 {
            check_flips(v, mode);
        }
    }
}

#[test]
fn vectors_owned() {
    assert_eq!(MODES[0], "owned");
    check_all(1);
}

#[test]
fn vectors_in_place() {
    assert_eq!(MODES[1], "view");
    check_all(2);
}

/// The types in the order of `rust/fuzz/fuzz_targets/agree.rs`.
const TYPES: [&str; 23] = [
    "Scalars",
    "Lists",
    "Maps",
    "Optional",
    "Numbers",
    "Raw",
    "Dynamic",
    "Tree",
    "Cast",
    "V1",
    "V2",
    "V3",
    "Keep1",
    "Keep2",
    "Sparse1",
    "Sparse2",
    "SparseDrop",
    "Retired",
    "RetiredKeep",
    "Wide",
    "Empty",
    "Order",
    "Tables",
];

/// Writes the vectors as the first inputs of cargo-fuzz: for `agree` behind a byte for the type,
/// for `frames` as they are.
#[test]
#[ignore = "writes rust/fuzz/corpus"]
fn corpus() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus");
    for name in ["agree", "frames"] {
        std::fs::create_dir_all(dir.join(name)).expect("a folder");
    }
    for v in vectors().iter().filter(|v| v.input.len() <= 4096) {
        let exact = u8::from(v.limits.exact);
        let reader = v.line.get("reader").str();
        let file = v.id().replace('/', "-");
        let (name, input) = match TYPES.iter().position(|t| *t == reader) {
            Some(i) => (
                dir.join("agree").join(file),
                [&[2 * i as u8 + exact], &v.input[..]].concat(),
            ),
            None => (dir.join("frames").join(file), v.input.clone()),
        };
        std::fs::write(name, input).expect("a file");
    }
}

/// A number below `n`, or 0 if that is 0.
fn below(r: &mut Random, n: usize) -> usize {
    r.below(n.max(1) as u64) as usize
}

/// Damages bytes as transport and attackers do.
fn mutate(r: &mut Random, b: &mut Vec<u8>, other: &[u8]) {
    for _ in 0..1 + below(r, 2) * below(r, 3) {
        let at = below(r, b.len());
        match below(r, 6) {
            _ if b.is_empty() => b.push(below(r, 256) as u8),
            0 => b[at] ^= 1 << below(r, 8),
            1 => b[at] = [0, 1, 2, 3, 4, 0x7f, 0x80, 0xff][below(r, 8)],
            2 => b.truncate(at),
            3 => b.insert(at, below(r, 256) as u8),
            4 => drop(b.remove(at)),
            _ => {
                let from = below(r, other.len());
                let n = below(r, 8).min(other.len() - from).min(b.len() - at);
                b[at..at + n].copy_from_slice(&other[from..from + n]);
            }
        }
    }
}

/// Both modes agree on mutants. A mutant that is accepted is a fixed point: its value is written as
/// bytes that are read and written as themselves. Reading never panics, verified or not.
#[test]
fn mutants() {
    let all: Vec<Vector> = vectors()
        .into_iter()
        .filter(|v| v.input.len() < 4096)
        .collect();
    let mut r = Random(0x2545_f491_4f6c_dd1d);
    let rounds = std::env::var("ZMY_MUTANTS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(20_000);
    let mut accepted = 0;
    for round in 0..rounds {
        let (v, other) = (
            &all[below(&mut r, all.len())],
            &all[below(&mut r, all.len())],
        );
        let mut b = v.input.clone();
        mutate(&mut r, &mut b, &other.input);
        let about = format!(
            "round {round}, {} as {}: {}",
            v.id(),
            v.line.get("reader").str(),
            hex(&b)
        );
        match (v.read(1, &b), v.read(2, &b)) {
            (Outcome::Ok(x, fields), Outcome::Ok(y, seen)) => {
                accepted += 1;
                assert!(x == y && parse(&fields) == parse(&seen), "{about}");
                let limits = DecodeOptions {
                    max_wire: 1 << 30,
                    max_raw: 1 << 30,
                    ..v.limits
                };
                match read(1, v.line.get("reader").str(), &x, &limits) {
                    Outcome::Ok(again, _) => assert_eq!(again, x, "{about}"),
                    Outcome::Refused("VERSION", ..) => {} // it carries what a newer version has
                    _ => panic!("what was written is refused: {about}"),
                }
            }
            (Outcome::Refused(x, at, path), Outcome::Refused(y, there, way)) => {
                assert_eq!((x, at, path), (y, there, way), "{about}");
            }
            (x, y) => panic!("{} and {}: {about}", code(&x), code(&y)),
        }
    }
    assert!(
        accepted > rounds / 100,
        "only {accepted} mutants of {rounds} were accepted"
    );
}
