//! `cargo xtask conformance`: compares our results with those of Kubernetes.
//!
//! `tests/conformance` holds cases with the recorded results of Kubernetes. Those of Admissible
//! are compared with them by the rules in the README there. The number of cases that
//! pass is the measure of the whole project, so it is kept in a floor file and never falls.

mod availability;
mod case;
mod case_files;
mod compilation;
mod defaults;
mod difference;
mod encode;
mod engine;
mod evaluation;
mod findings;
mod floor;
mod formatting;
mod kinds;
mod mutation;
mod recorded;
mod refusal;
mod report;
mod request;
mod scenario;
#[cfg(test)]
mod silence;
mod specification;
#[cfg(test)]
mod tests;
mod traps;
mod validation;

use crate::error::Error;
use crate::repository;
use clap::{Args, ValueEnum};
use std::io::Write;
use std::path::PathBuf;

/// The options of the command.
#[derive(Args)]
pub(crate) struct Options {
    /// The folder with the files of cases [default: the project's own].
    dir: Option<PathBuf>,
    /// Output format.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Print for each failed case why it failed.
    #[arg(long)]
    why: bool,
    /// Keep what passes now as what must pass from now on.
    #[arg(long, conflicts_with = "dir")]
    update_floor: bool,
}

/// Output format.
#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// One JSON object a line, one line a file.
    Json,
}

/// Runs the cases of every known file in the directory. Failed cases are a result and not a failure
/// of the command: the floor determines which of them must pass.
///
/// # Errors
/// If the directory or a file in it cannot be read.
pub(crate) fn run(options: &Options, out: &mut dyn Write) -> Result<(), Error> {
    let own = own_folder();
    let folder = options.dir.as_ref().unwrap_or(&own);
    let mut reports = case_files::run(folder)?;
    case_files::format(folder, &mut reports)?;
    for report in &reports {
        match options.format {
            Format::Json => writeln!(out, "{}", report.json())?,
            Format::Text => out.write_all(report.text(options.why).as_bytes())?,
        }
    }
    if options.update_floor {
        floor::write(folder, &reports)?;
    }
    Ok(())
}

/// Returns the project's own folder of cases.
fn own_folder() -> PathBuf {
    repository::root().join("tests/conformance")
}
