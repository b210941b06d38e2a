//! `replay` of the pods of a large cluster: what somebody waits for before a rollout.

use crate::{Error, pods, runs};
use clap::Args;
use serde_json::Value;
use std::path::PathBuf;

/// How many pods the dump has.
const PODS: usize = 100_000;

/// What is measured.
#[derive(Args)]
pub(crate) struct Options {
    /// The policies.
    policies: PathBuf,
    /// The dump; it is written if it is not there.
    dump: PathBuf,
    /// How many times; the fastest run counts, since every other one was disturbed.
    #[arg(long, default_value_t = 5)]
    runs: u32,
    /// The program and its arguments; the policies and the dump are added to them.
    #[arg(last = true, required = true)]
    program: Vec<String>,
}

/// Runs the program. Gives milliseconds, megabytes (2^20 bytes), the exit code, and how many
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
