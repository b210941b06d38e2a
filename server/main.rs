//! The `admissible` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
