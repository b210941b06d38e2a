//! `replay` of the pods of a large cluster, as before a rollout.

use crate::{Error, pods, runs};
use clap::Args;
use serde_json::Value;
use std::path::PathBuf;

/// The number of pods in the dump.
const PODS: usize = 100_000;

/// The measured programs and numbers.
#[derive(Args)]
pub(crate) struct Options {
    /// The policies.
    policies: PathBuf,
    /// The dump; it is created if it is missing.
    dump: PathBuf,
    /// The number of runs; the fastest one counts, since the others were disturbed.
    #[arg(long, default_value_t = 5)]
    runs: u32,
    /// The program and its arguments; the policies and the dump are added to them.
    #[arg(last = true, required = true)]
    program: Vec<String>,
}

/// Runs the program. Returns milliseconds, megabytes (2^20 bytes), the exit code, and how many
/// objects there are.
pub(crate) fn run(options: &Options) -> Result<Value, Error> {
    if !options.dump.exists() {
        pods::write(&options.dump, PODS)?;
    }
    let mut said = runs::fastest(
        options.runs,
        &options.program,
        &[&options.policies, &options.dump],
    )?;
    if let Some(fields) = said.as_object_mut() {
        fields.insert("objects".to_owned(), PODS.into());
    }
    Ok(said)
}
