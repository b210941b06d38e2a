//! Runs all targets on variations of their inputs, with any compiler.
//!
//! `cargo xtask fuzz` starts it if libFuzzer is missing. An input that fails is written to
//! `target/fuzz/failures`; it belongs in `server/fuzz/corpus` once the failure is fixed.

use clap::Parser;
use fuzz::variation::Variations;
use fuzz::{TARGETS, Target, corpus};
use std::io::{self, Write};
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Limit: the time for one input.
const PATIENCE: Duration = Duration::from_secs(5);

/// Random input for all targets.
#[derive(Parser)]
struct Options {
    /// The seconds for all targets together.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// The seed of the variations.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The folder for inputs that fail.
    #[arg(long, default_value = "target/fuzz/failures")]
    failures: PathBuf,
}

fn main() -> io::Result<ExitCode> {
    let options = Options::parse();
    let time = Duration::from_secs(options.seconds) / u32::try_from(TARGETS.len()).unwrap_or(1);
    let mut failed = false;
    for target in TARGETS {
        let (count, failure) = search(*target, time, options.seed)?;
        writeln!(io::stdout(), "{}: {count} inputs", target.name)?;
        if let Some(input) = failure {
            failed = true;
            let path = keep(&options.failures, target.name, &input)?;
            writeln!(io::stdout(), "{}: fails on {}", target.name, path.display())?;
        }
    }
    Ok(ExitCode::from(u8::from(failed)))
}

/// Runs a target for some time, or until an input fails. Returns the number of inputs.
fn search(target: Target, time: Duration, seed: u64) -> io::Result<(u64, Option<Vec<u8>>)> {
    let known = corpus(target.name)?;
    let mut variations = Variations::new(known.clone(), seed);
    let mut known = known.into_iter();
    let (started, mut count) = (Instant::now(), 0);
    while started.elapsed() < time {
        let input = known.next().unwrap_or_else(|| variations.next_input());
        let begun = Instant::now();
        count += 1;
        if catch_unwind(|| (target.run)(&input)).is_err() || begun.elapsed() > PATIENCE {
            return Ok((count, Some(input)));
        }
    }
    Ok((count, None))
}

fn keep(folder: &Path, target: &str, input: &[u8]) -> io::Result<PathBuf> {
    std::fs::create_dir_all(folder)?;
    let path = folder.join(format!("{target}-{}", input.len()));
    std::fs::write(&path, input)?;
    Ok(path)
}
