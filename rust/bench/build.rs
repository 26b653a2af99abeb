//! Runs flatc, where it is: its output is not committed.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=schema/bench.fbs");
    println!("cargo::rustc-check-cfg=cfg(flatc)");
    let out = std::env::var("OUT_DIR").expect("cargo sets it");
    let flatc = Command::new("flatc")
        .args(["--rust", "-o", &out, "schema/bench.fbs"])
        .status();
    match flatc {
        Ok(status) if status.success() => println!("cargo::rustc-cfg=flatc"),
        _ => println!("cargo::warning=no flatc: the rows of flatbuffers are left out (Debian: flatbuffers-compiler)"),
    }
}
