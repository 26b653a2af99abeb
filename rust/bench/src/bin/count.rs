//! Runs one operation of one format this many times, for callgrind:
//!
//! ```text
//! valgrind --tool=callgrind target/release/count order/decode zmy 2000
//! ```
//!
//! With one argument it times the operations whose name contains it, with none all of them, in
//! rounds of shuffled order, by the CPU time of the thread. It prints the median of the rounds and
//! its ratio to zmy.

use bench::cases::{cases, Case};
use bench::values::Random;
use cpu_time::ThreadTime;
use std::time::{Duration, Instant};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.as_slice() {
        [op, format, n] => {
            let mut found = cases()
                .into_iter()
                .find(|c| c.op == *op && c.format == format)
                .expect("no such case");
            for _ in 0..n.parse::<u64>().expect("a number") {
                (found.run)();
            }
        }
        [part] => compare(part),
        _ => compare(""),
    }
}

fn once(case: &mut Case, n: u32) -> Duration {
    let start = ThreadTime::now();
    for _ in 0..n {
        (case.run)();
    }
    start.elapsed()
}

fn compare(part: &str) {
    let mut cases: Vec<Case> = cases()
        .into_iter()
        .filter(|c| c.op.contains(part))
        .collect();
    let mut r = Random(1);
    let sizes: Vec<u32> = cases
        .iter_mut()
        .map(|c| {
            let start = Instant::now();
            let mut n = 0;
            while start.elapsed() < Duration::from_millis(10) {
                (c.run)();
                n += 1;
            }
            n.max(1)
        })
        .collect();
    let mut times: Vec<Vec<f64>> = cases.iter().map(|_| Vec::new()).collect();
    for _ in 0..31 {
        let mut order: Vec<usize> = (0..cases.len()).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, r.below(i as u64 + 1) as usize);
        }
        for i in order {
            let t = once(&mut cases[i], sizes[i]).as_secs_f64() / f64::from(sizes[i]);
            times[i].push(t * 1e9);
        }
    }
    let medians: Vec<f64> = times
        .iter_mut()
        .map(|t| {
            t.sort_by(f64::total_cmp);
            t[t.len() / 2]
        })
        .collect();
    println!(
        "{:<22} {:<14} {:>10} {:>8}",
        "operation", "format", "ns", "to zmy"
    );
    for (c, ns) in cases.iter().zip(&medians) {
        let zmy = cases
            .iter()
            .position(|z| z.op == c.op && z.format == "zmy")
            .map_or(*ns, |i| medians[i]);
        println!(
            "{:<22} {:<14} {:>10.1} {:>8.2}",
            c.op,
            c.format,
            ns,
            ns / zmy
        );
    }
}
