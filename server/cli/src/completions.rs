//! `admissible completions`: the commands and options, for a shell to complete.
//!
//! Packages install the completions as files. This command is for users who install only the
//! program, for example with `cargo install`.

use crate::arguments::Completions;
use crate::exit::Exit;
use crate::terminal::Terminal;
use std::io::{self, Write as _};

/// The name of the program in the completions.
const PROGRAM: &str = "admissible";

/// Runs the command.
///
/// # Errors
/// If the output cannot be written.
pub(crate) fn run(options: &Completions, terminal: &Terminal) -> io::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut crate::command(), PROGRAM, &mut script);
    terminal.stdout().write_all(&script)?;
    Ok(Exit::Clean)
}
