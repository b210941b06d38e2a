//! Any text is checked, and its cost estimated, among variables of any types.

#![no_main]

use cel_fuzz::harness;
use libfuzzer_sys::fuzz_target;
use policy::environment::{NEWEST, Place, env};

fuzz_target!(|data: &[u8]| {
    harness::check(data, &env(NEWEST, Place::Language));
    harness::check(data, &env(NEWEST, Place::Schema));
});
