//! Each operation of each format: `cargo bench`.

use criterion::{criterion_group, criterion_main, Criterion};

fn formats(c: &mut Criterion) {
    for mut case in bench::cases::cases() {
        c.bench_function(&format!("{}/{}", case.op, case.format), |b| {
            b.iter(|| (case.run)())
        });
    }
}

criterion_group!(benches, formats);
criterion_main!(benches);
