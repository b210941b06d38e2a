//! What `server/bench` says, read back.

use crate::error::Error;
use crate::process;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::path::Path;
use std::process::Command;

/// Limit: enough changes that the 99th percentile is not the worst alone.
const EDITS: &str = "200";

/// From a change to its findings; times in milliseconds, memory in MB.
#[derive(Debug, Deserialize)]
pub(super) struct Latency {
    pub(super) initialize: f64,
    pub(super) open: f64,
    pub(super) p50: f64,
    pub(super) p99: f64,
    pub(super) memory: Option<u64>,
}

/// A run over many files; the time in milliseconds, memory in MB.
#[derive(Debug, Deserialize)]
pub(super) struct Check {
    pub(super) time: f64,
    pub(super) memory: Option<u64>,
    pub(super) exit: Option<i32>,
}

/// A function's benchmark: its name with that of its group, and its median as it is printed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) median: String,
}

/// Drives a language server.
///
/// # Errors
/// When it does not answer.
pub(super) fn latency(bench: &Path, file: &Path, server: &[&str]) -> Result<Latency, Error> {
    let mut command = Command::new(bench);
    command.arg("latency").arg(file);
    command.args(["--edits", EDITS, "--"]).args(server);
    read(command)
}

/// Runs `check` over a folder.
///
/// # Errors
/// When it cannot be run, or says that it could not do its work.
pub(super) fn check(bench: &Path, folder: &Path, product: &str) -> Result<Check, Error> {
    let mut command = Command::new(bench);
    command.arg("check").arg(folder);
    command.args(["--", product, "check", "--fail-level", "never"]);
    let check: Check = read(command)?;
    if check.exit == Some(0) {
        return Ok(check);
    }
    let exit = check.exit;
    Err(Error::Failed(format!("`check` ended with {exit:?}")))
}

fn read<T: DeserializeOwned>(command: Command) -> Result<T, Error> {
    let text = process::output(command)?;
    serde_json::from_str(&text)
        .map_err(|error| Error::Failed(format!("the benchmark says {text:?}: {error}")))
}

/// Runs the benchmarks of single functions and shows what they print.
///
/// # Errors
/// When they cannot be built or run.
pub(super) fn functions() -> Result<Vec<Function>, Error> {
    let (status, lines) =
        process::watch(process::cargo(&["bench", "-p", "bench", "--bench", "*"]))?;
    if !status.success() {
        return Err(Error::Failed(format!("cargo bench ended with {status}")));
    }
    Ok(parse(&lines))
}

/// Reads the tree that divan prints: `├─ name  fastest │ slowest │ median │ mean │ …`.
pub(super) fn parse(lines: &[String]) -> Vec<Function> {
    let mut groups: Vec<String> = Vec::new();
    let mut functions = Vec::new();
    for line in lines {
        let text = line.trim_start_matches([' ', '│', '├', '╰', '─']);
        let indent = line.chars().count() - text.chars().count();
        let mut columns = text.split('│').map(str::trim);
        let Some((name, fastest)) = columns.next().and_then(name_and_fastest) else {
            continue;
        };
        groups.truncate(indent / 3);
        groups.push(name.into());
        let Some(median) = columns.nth(1).filter(|it| !it.is_empty()) else {
            continue;
        };
        if fastest.is_some() {
            functions.push(Function {
                name: groups.join(" / "),
                median: median.into(),
            });
        }
    }
    functions
}

/// The first column holds the name, and the fastest time where it is a benchmark.
fn name_and_fastest(column: &str) -> Option<(&str, Option<&str>)> {
    let mut words = column.splitn(2, "  ");
    let name = words.next().filter(|name| !name.is_empty())?;
    let fastest = words.next().map(str::trim);
    Some((
        name,
        fastest.filter(|it| it.starts_with(|c: char| c.is_ascii_digit())),
    ))
}
