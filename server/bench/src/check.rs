//! `check` over many files: the time that CI and a first run in a repository take.

use crate::{Error, manifests, runs};
use clap::Args;
use serde_json::Value;
use std::path::PathBuf;

/// The measured programs and numbers.
#[derive(Args)]
pub(crate) struct Options {
    /// The folder of files; it is created if it is missing.
    dir: PathBuf,
    /// The number of runs; the fastest one counts, since the others were disturbed.
    #[arg(long, default_value_t = 5)]
    runs: u32,
    /// The program and its arguments; the folder is added to them.
    #[arg(last = true, required = true)]
    program: Vec<String>,
}

/// Runs the program. Returns milliseconds, megabytes (2^20 bytes) and the exit code.
pub(crate) fn run(options: &Options) -> Result<Value, Error> {
    if !options.dir.exists() {
        manifests::write(&options.dir, 5000)?;
    }
    runs::fastest(options.runs, &options.program, &[&options.dir])
}
