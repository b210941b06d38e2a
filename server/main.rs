//! The `admissible` binary.

use mimalloc::MiMalloc;
use std::process::ExitCode;

/// Objects become many small values on all cores at once, which the allocators of most
/// systems are slow at.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    cli::main()
}
