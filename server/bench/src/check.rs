//! `check` over many files: what CI and a first look at a repository wait for.

use crate::latency::milliseconds;
use crate::memory::{self, Memory};
use crate::{Error, manifests};
use clap::Args;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How often the memory of the process is looked at.
const LOOK: Duration = Duration::from_millis(5);

/// What is measured.
#[derive(Args)]
pub(crate) struct Options {
    /// The folder of files; it is filled if it is not there.
    dir: PathBuf,
    /// How many times; the fastest run counts, since every other one was disturbed.
    #[arg(long, default_value_t = 5)]
    runs: u32,
    /// The program and its arguments; the folder is added to them.
    #[arg(last = true, required = true)]
    program: Vec<String>,
}

/// Runs the program. Gives milliseconds, megabytes (2^20 bytes) and counts.
pub(crate) fn run(options: &Options) -> Result<Value, Error> {
    if !options.dir.exists() {
        manifests::write(&options.dir, 5000)?;
    }
    let mut best = Duration::MAX;
    let mut peak = 0;
    let mut code = None;
    for _ in 0..options.runs {
        let (time, memory, exit) = once(options)?;
        best = best.min(time);
        peak = peak.max(memory.peak);
        code = exit;
    }
    let memory = (peak > 0).then_some(peak / 1024);
    Ok(json!({ "time": milliseconds(best), "memory": memory, "exit": code }))
}

/// One run: its time, what it held at most, and its exit code.
fn once(options: &Options) -> Result<(Duration, Memory, Option<i32>), Error> {
    let mut words = options.program.iter();
    let program = words.next().map_or("", String::as_str);
    let io = |source| Error::Io(format!("cannot run {program}"), source);
    let start = Instant::now();
    let mut process = Command::new(program)
        .args(words)
        .arg(&options.dir)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(io)?;
    let id = process.id();
    let watch = thread::spawn(move || {
        let mut last = Memory::default();
        while let Some(memory) = memory::of_process(id) {
            last = memory;
            thread::sleep(LOOK);
        }
        last
    });
    let status = process.wait().map_err(io)?;
    let time = start.elapsed();
    let memory = watch.join().unwrap_or_default();
    Ok((time, memory, status.code()))
}
