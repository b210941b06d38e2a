//! The `admissible` binary.

fn main() {}
