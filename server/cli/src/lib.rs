//! The commands and their reports.
//!
//! This crate turns arguments into calls of `workspace` and `ide`, and what they answer
//! into text that a person or a program reads. It decides nothing about policies. All of
//! its output goes through handles, so that a reader who has seen enough and closes the
//! pipe ends the program quietly.

mod arguments;
mod check;
mod eval;
mod exit;
mod init_input;
mod mutation;
mod problem;
mod replay;
mod report;
mod rules;
mod terminal;
mod test;
mod texts;
mod trial;

use arguments::{Arguments, Command};
use clap::Parser as _;
use exit::Exit;
use std::io::{self, Write as _};
use std::process::ExitCode;
use terminal::Terminal;

/// Runs the command line of this process and gives the code that it ends with.
#[must_use]
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error).into(),
    };
    let terminal = Terminal::new(arguments.color);
    let result = match &arguments.command {
        Command::Check(options) => check::run(options, &terminal),
        Command::Eval(options) => eval::run(options, &terminal),
        Command::Test(options) => test::run(options, &terminal),
        Command::InitInput(options) => init_input::run(options, &terminal),
        Command::Replay(options) => replay::run(options, &terminal),
        Command::Rules(options) => rules::run(options, &terminal),
        Command::Lsp(_) => return serve(),
    };
    match result {
        Ok(exit) => exit.into(),
        // Whoever read the output has closed it and needs no more of it.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Clean.into(),
        Err(error) => failure(&error).into(),
    }
}

/// Serves an editor until it leaves.
fn serve() -> ExitCode {
    lsp::run_stdio().unwrap_or_else(|error| failure(&error).into())
}

/// Says why the process itself cannot go on.
fn failure(error: &io::Error) -> Exit {
    // Nothing can be said to someone who has closed standard error.
    let _ = writeln!(io::stderr(), "error: {error}");
    Exit::Failed
}

/// Prints what clap says: the help, the version, or how the arguments are wrong.
fn usage(error: &clap::Error) -> Exit {
    // Nothing can be said to someone who has closed both streams.
    let _ = error.print();
    if error.use_stderr() {
        Exit::Failed
    } else {
        Exit::Clean
    }
}
