//! Measurements compared with peers.
//!
//! The numbers in `server/docs/benchmarks.md` come from this program, through `cargo xtask bench`,
//! which builds and installs the measured programs. Ours and the peers are driven by one program on
//! one machine, so that the ratios hold. Benchmarks of single functions are in `benches`.

mod check;
mod client;
mod definitions;
mod growth;
mod keystroke;
mod latency;
mod live;
mod manifests;
mod memory;
mod pods;
mod repeat;
mod replay;
mod requests;
mod runs;

use clap::{Parser, Subcommand};
use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// The allocator of the product.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Measures programs as their users meet them.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// The measured programs and numbers.
#[derive(Subcommand)]
enum Command {
    /// The time from a change in an editor to the findings for it.
    Latency(latency::Options),
    /// The time from a change to the findings, without a server.
    Keystroke(keystroke::Options),
    /// The time from a change in an editor to the live values.
    Live(live::Options),
    /// The time of every request of an editor, at many positions.
    Requests(requests::Options),
    /// The time that `check` needs for many files.
    Check(check::Options),
    /// The time that `check` needs for files that grow.
    Growth(growth::Options),
    /// Work without a server and a file, for a tool that counts instructions.
    Repeat(repeat::Options),
    /// The time that `replay` needs for many objects.
    Replay(replay::Options),
    /// Writes the files that `check` is measured on.
    Manifests {
        /// The folder to write them to.
        dir: PathBuf,
        /// The number of objects.
        #[arg(long, default_value_t = 5000)]
        count: usize,
    },
    /// Writes a CustomResourceDefinition with a rule of each of its properties.
    Rules {
        /// The file to write it to.
        file: PathBuf,
        /// The number of rules.
        #[arg(long, default_value_t = 400)]
        count: usize,
    },
    /// Writes the dump of pods that `replay` is measured on.
    Pods {
        /// The file to write it to.
        file: PathBuf,
        /// The number of objects.
        #[arg(long, default_value_t = 100_000)]
        count: usize,
    },
}

/// Why the measurement failed.
#[derive(Debug)]
enum Error {
    /// A file or a program could not be used.
    Io(String, io::Error),
    /// The measured program did something that cannot be measured.
    Program(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(what, source) => write!(f, "{what}: {source}"),
            Self::Program(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Error {}

fn main() -> ExitCode {
    match run(&Arguments::parse().command) {
        Ok(text) => match writeln!(io::stdout(), "{text}") {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        },
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Measures, and returns the result as one JSON object.
fn run(command: &Command) -> Result<serde_json::Value, Error> {
    match command {
        Command::Latency(options) => latency::run(options),
        Command::Keystroke(options) => keystroke::run(options),
        Command::Live(options) => live::run(options),
        Command::Requests(options) => requests::run(options),
        Command::Check(options) => check::run(options),
        Command::Growth(options) => growth::run(options),
        Command::Repeat(options) => repeat::run(options),
        Command::Replay(options) => replay::run(options),
        Command::Manifests { dir, count } => manifests::write(dir, *count),
        Command::Rules { file, count } => growth::write_rules(file, *count),
        Command::Pods { file, count } => pods::write(file, *count),
    }
}
