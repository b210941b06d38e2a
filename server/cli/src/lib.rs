//! The commands and their reports.
//!
//! This crate turns arguments into calls of `workspace` and `ide`, and their results into
//! output for people or programs. It contains no rules about policies. All output goes through
//! handles, so that a closed pipe ends the program quietly.

mod arguments;
mod check;
mod completions;
mod eval;
mod exit;
mod explain;
mod fmt;
mod init;
mod init_input;
mod invocation;
mod loader;
mod mutation;
mod problem;
mod progress;
mod reader;
mod replay;
mod report;
mod rules;
mod schema;
mod terminal;
mod test;

pub use schema::{config_schema, inputs_schema};

use arguments::{Arguments, Command};
use clap::{CommandFactory as _, FromArgMatches as _};
use exit::Exit;
use std::io::{self, Write as _};
use std::process::ExitCode;
use terminal::Terminal;

/// Returns the commands and options, for generated documentation and completions.
#[must_use]
pub fn command() -> clap::Command {
    Arguments::command()
}

/// Runs the command line of this process and returns its exit code.
#[must_use]
pub fn main() -> ExitCode {
    let matches = invocation::named(command()).try_get_matches();
    let arguments = match matches.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error).into(),
    };
    let terminal = Terminal::new(arguments.color);
    let result = match &arguments.command {
        Command::Init(options) => init::run(options, &terminal),
        Command::Check(options) => check::run(options, &terminal),
        Command::Fmt(options) => fmt::run(options, &terminal),
        Command::Eval(options) => eval::run(options, &terminal),
        Command::Test(options) => test::run(options, &terminal),
        Command::InitInput(options) => init_input::run(options, &terminal),
        Command::Replay(options) => replay::run(options, &terminal),
        Command::Rules(options) => rules::run(options, &terminal),
        Command::Explain(options) => explain::run(options, &terminal),
        Command::Schema(options) => schema::run(options, &terminal),
        Command::Completions(options) => completions::run(options, &terminal),
        Command::Lsp(_) => return serve(),
    };
    match result {
        Ok(exit) => exit.into(),
        // The reader has closed the pipe and needs no more output.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Clean.into(),
        Err(error) => failure(&error).into(),
    }
}

/// Serves an editor until it exits.
fn serve() -> ExitCode {
    lsp::run_stdio().unwrap_or_else(|error| failure(&error).into())
}

/// Reports why the process cannot continue.
fn failure(error: &io::Error) -> Exit {
    // If standard error is closed, there is nowhere to report it.
    let _ = writeln!(io::stderr(), "error: {error}");
    Exit::Failed
}

/// Prints the output of clap: the help, the version, or an error in the arguments.
fn usage(error: &clap::Error) -> Exit {
    // If both streams are closed, there is nowhere to report it.
    let _ = error.print();
    if error.use_stderr() {
        Exit::Failed
    } else {
        Exit::Clean
    }
}
