//! A program that is run several times: its time and its memory.

use crate::Error;
use crate::latency::milliseconds;
use crate::memory::{self, Memory};
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The interval at which the memory of the process is sampled.
const LOOK: Duration = Duration::from_millis(5);

/// Runs a program with arguments and paths. The fastest run counts, since every other one was
/// disturbed, and the highest memory. Returns milliseconds, megabytes (2^20 bytes) and the exit
/// code.
pub(crate) fn fastest(runs: u32, program: &[String], paths: &[&Path]) -> Result<Value, Error> {
    let mut best = Duration::MAX;
    let mut peak = 0;
    let mut code = None;
    for _ in 0..runs {
        let (time, memory, exit) = once(program, paths)?;
        best = best.min(time);
        peak = peak.max(memory.peak);
        code = exit;
    }
    let memory = (peak > 0).then_some(peak / 1024);
    Ok(json!({ "time": milliseconds(best), "memory": memory, "exit": code }))
}

/// Runs the program once. Returns its time, its peak memory, and its exit code.
fn once(program: &[String], paths: &[&Path]) -> Result<(Duration, Memory, Option<i32>), Error> {
    let mut words = program.iter();
    let program = words.next().map_or("", String::as_str);
    let io = |source| Error::Io(format!("cannot run {program}"), source);
    let start = Instant::now();
    let mut process = Command::new(program)
        .args(words)
        .args(paths)
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
