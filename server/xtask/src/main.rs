//! The project's own chores, run as `cargo xtask COMMAND`.

fn main() {}
