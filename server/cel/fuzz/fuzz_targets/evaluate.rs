//! Any text that the checker accepts runs on any values within its limits.

#![no_main]

use cel_fuzz::harness;
use libfuzzer_sys::fuzz_target;
use policy::environment::{NEWEST, Place, env};

fuzz_target!(|data: &[u8]| {
    harness::evaluate(data, &env(NEWEST, Place::Language));
    harness::evaluate(data, &env(NEWEST, Place::Schema));
});
