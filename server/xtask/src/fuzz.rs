//! `cargo xtask fuzz`: random input for every part that reads untrusted input.
//!
//! libFuzzer looks for input that reaches new code, and keeps it in `target/fuzz/corpus`. It needs
//! a nightly compiler and cargo-fuzz. Without them, the program of the crate `fuzz` runs the same
//! targets on variations of the inputs in `server/fuzz/corpus`.

use crate::error::Error;
use crate::{process, repository};
use clap::Args;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

/// The options of the command.
#[derive(Args)]
pub(crate) struct Options {
    /// The minutes for all targets together.
    #[arg(long, default_value_t = 10)]
    minutes: u64,
    /// The seed of the variations, without libFuzzer.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Do not use libFuzzer.
    #[arg(long)]
    stable: bool,
}

/// Runs all targets. Continues after one that fails.
///
/// # Errors
/// When a target fails.
pub(crate) fn run(options: &Options, out: &mut dyn Write) -> Result<(), Error> {
    let root = repository::root();
    if options.stable || !process::is_there(nightly(&["fuzz", "--version"])) {
        writeln!(
            out,
            "without libFuzzer: variations of the corpus, seed {}",
            options.seed
        )?;
        return variations(options);
    }
    let targets = targets(&root.join("server/fuzz/corpus"))?;
    let seconds = options.minutes * 60 / u64::try_from(targets.len().max(1)).unwrap_or(1);
    let mut failed = Vec::new();
    for target in targets {
        writeln!(out, "{target}: {seconds} s")?;
        if !search(&root, &target, seconds)? {
            failed.push(target);
        }
    }
    if failed.is_empty() {
        Ok(())
    } else {
        Err(Error::Failed(format!("failed: {}", failed.join(", "))))
    }
}

/// Runs the program of the crate `fuzz`.
fn variations(options: &Options) -> Result<(), Error> {
    let (seconds, seed) = ((options.minutes * 60).to_string(), options.seed.to_string());
    let program = ["run", "--release", "-p", "fuzz", "--"];
    let arguments = ["--seconds", &seconds, "--seed", &seed];
    let status = process::run(process::cargo(&[&program[..], &arguments].concat()))?;
    if status.success() {
        Ok(())
    } else {
        Err(Error::Failed("a target fails".into()))
    }
}

/// Runs one target with libFuzzer. Returns whether nothing was found.
fn search(root: &Path, target: &str, seconds: u64) -> Result<bool, Error> {
    let found = root.join("target/fuzz/corpus").join(target);
    fs::create_dir_all(&found).map_err(|source| Error::io("create", &found, source))?;
    let (kept, time) = (
        format!("server/fuzz/corpus/{target}"),
        format!("-max_total_time={seconds}"),
    );
    // There is no `unsafe` code whose memory a sanitizer could watch.
    let mut command = nightly(&["fuzz", "run", "--sanitizer", "none"]);
    command
        .args(["--fuzz-dir", "server/fuzz/libfuzzer", target])
        .arg(&found)
        .args([&kept, "--", &time])
        .args(["-max_len=8192", "-timeout=10", "-rss_limit_mb=2048"]);
    Ok(process::run(command)?.success())
}

/// Returns the names of all targets: each has a folder of inputs.
fn targets(corpus: &Path) -> Result<Vec<String>, Error> {
    let failed = |source| Error::io("list", corpus, source);
    let mut names = Vec::new();
    for folder in fs::read_dir(corpus).map_err(failed)? {
        let name = folder.map_err(failed)?.file_name();
        names.push(name.to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

/// Returns the nightly Cargo of rustup.
fn nightly(arguments: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command
        .current_dir(repository::root())
        .arg("+nightly")
        .args(arguments);
    command
}
