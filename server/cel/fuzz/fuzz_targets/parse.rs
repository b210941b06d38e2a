//! Any text is read, formatted and expanded.

#![no_main]

use cel_fuzz::harness;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| harness::parse(data));
