//! Measurements beside the peers.

fn main() {}
