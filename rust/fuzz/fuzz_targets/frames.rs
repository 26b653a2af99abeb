//! Envelopes and streams of any bytes do not panic. Those that are accepted survive writing and
//! reading.

#![no_main]

use libfuzzer_sys::fuzz_target;
use zmy::{OpenOptions, SealOptions, StreamReader, StreamWriter};

fuzz_target!(|b: &[u8]| {
    if let Ok(e) = OpenOptions::default().open(b) {
        let seal = SealOptions {
            no_checksum: !e.checksum,
            ..SealOptions::default()
        };
        let mut again = Vec::new();
        seal.wrap(e.fingerprint, e.schema.as_deref(), &e.message, &mut again)
            .expect("what was opened can be sealed");
        assert_eq!(again, b);
    }
    let mut r = StreamReader::new(b);
    let Ok(about) = r.about() else { return };
    let mut w = StreamWriter::new(Vec::new());
    w.describe(about.fingerprint, about.schema.as_deref());
    let mut records = Vec::new();
    while let Ok(Some(record)) = r.read_message() {
        w.write_message(record)
            .expect("what was read can be written");
        records.push(record.to_vec());
    }
    let again = w.finish().expect("memory takes all");
    let mut r = StreamReader::new(again.as_slice());
    for record in &records {
        assert_eq!(
            r.read_message().expect("it was written"),
            Some(record.as_slice())
        );
    }
    assert!(matches!(r.read_message(), Ok(None)));
});
