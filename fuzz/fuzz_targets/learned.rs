//! Files of learned values.
//!
//! Whatever is accepted is written as it was read. Since hardly any random bytes have the right checksum, they are also
//! read with one.

#![no_main]

use libfuzzer_sys::fuzz_target;
use permutree_zoo::{Hasher, Learned};

fuzz_target!(|data: &[u8]| {
    check(data);
    let sum = Hasher::new().bytes(data).word(data.len() as u64).finish();
    check(&[data, &sum.to_le_bytes()].concat());
});

fn check(bytes: &[u8]) {
    if let Ok(learned) = Learned::read(bytes) {
        assert_eq!(learned.write(), bytes);
        // A position takes its hash, its visits and a value for each player at least.
        assert!(learned.positions() * 16 <= bytes.len());
    }
}
