//! From a change to the findings for it, without a server around it.
//!
//! It uses one thread and no protocol, so that a tool that counts instructions only sees the work
//! of a keystroke.

use crate::latency::{milliseconds, percentile, place};
use crate::{Error, definitions};
use clap::Args;
use ide::{Project, Settings, SourceFile, diagnose};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// The file to change, and how often.
#[derive(Args)]
pub(crate) struct Options {
    /// The file. Without it, a policy with `--validations`.
    file: Option<PathBuf>,
    /// The number of validations of the policy.
    #[arg(long, default_value_t = 1_000)]
    validations: usize,
    /// The number of changes.
    #[arg(long, default_value_t = 200)]
    edits: u32,
}

/// Adds a character to the first expression and removes it again. Returns milliseconds and counts.
pub(crate) fn run(options: &Options) -> Result<Value, Error> {
    let text = match &options.file {
        Some(file) => {
            let io = |source| Error::Io(format!("cannot read {}", file.display()), source);
            fs::read_to_string(file).map_err(io)?
        }
        None => definitions::policy(options.validations, 0, 1),
    };
    let (line, column) = place(&text)?;
    let before = text.split_inclusive('\n').take(line).map(str::len);
    let at = before.sum::<usize>() + column;
    let parts = text.split_at_checked(at);
    let (before, after) =
        parts.ok_or_else(|| Error::Program("the first expression is not ASCII".into()))?;
    let changed = format!("{before}x{after}");
    let (project, results) = (Arc::new(Project::default()), Arc::default());
    let settings = Settings::default();
    let mut times = Vec::new();
    let mut found = 0;
    for edit in 0..=options.edits {
        let text = if edit.is_multiple_of(2) {
            &text
        } else {
            &changed
        };
        let start = Instant::now();
        let file = SourceFile::next(text.as_str(), Arc::clone(&project), Arc::clone(&results));
        found = diagnose(&file, &settings).len();
        times.push(start.elapsed());
    }
    // Nothing is known before the first version.
    let open = times.remove(0);
    times.sort();
    Ok(json!({
        "open": milliseconds(open),
        "findings": found,
        "edits": times.len(),
        "p50": milliseconds(percentile(&times, 50)),
        "p99": milliseconds(percentile(&times, 99)),
    }))
}
