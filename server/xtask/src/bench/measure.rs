//! Reads the output of `server/bench`.

use crate::error::Error;
use crate::process;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
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

/// From a change to the live values; times in milliseconds.
#[derive(Debug, Deserialize)]
pub(super) struct Live {
    pub(super) p50: f64,
    pub(super) p99: f64,
    /// The lowest number of values after a change.
    pub(super) fewest: usize,
}

/// A change and its findings in one thread, without a server; times in milliseconds.
#[derive(Debug, Deserialize)]
pub(super) struct Keystroke {
    pub(super) p50: f64,
    pub(super) p99: f64,
}

/// The requests of an editor, by their method; times in milliseconds.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(super) struct Requests(pub(super) BTreeMap<String, Request>);

/// A request at many positions; times in milliseconds.
#[derive(Debug, Deserialize)]
pub(super) struct Request {
    pub(super) p50: f64,
    pub(super) p99: f64,
}

impl Requests {
    /// Returns the slowest of some requests, by the 99th percentile.
    pub(super) fn slowest(&self, wanted: impl Fn(&str) -> bool) -> Option<(&str, &Request)> {
        let found = self.0.iter().filter(|(method, _)| wanted(method));
        let slowest = found.max_by(|(_, left), (_, right)| left.p99.total_cmp(&right.p99));
        slowest.map(|(method, request)| (method.as_str(), request))
    }
}

/// A run over the objects of a dump; the time in milliseconds, memory in MB.
#[derive(Debug, Deserialize)]
pub(super) struct Replay {
    pub(super) time: f64,
    pub(super) memory: Option<u64>,
    pub(super) exit: Option<i32>,
    pub(super) objects: u32,
}

/// A run over many files; the time in milliseconds, memory in MB.
#[derive(Debug, Deserialize)]
pub(super) struct Check {
    pub(super) time: f64,
    pub(super) memory: Option<u64>,
    pub(super) exit: Option<i32>,
}

/// `check` of files that grow, and of a large definition.
#[derive(Debug, Deserialize)]
pub(super) struct Growth {
    pub(super) curves: Vec<Curve>,
    pub(super) large: Check,
}

/// `check` of files of several sizes.
#[derive(Debug, Deserialize)]
pub(super) struct Curve {
    /// The name of the part that grows from file to file.
    pub(super) name: String,
    /// The number in each file, with the time in milliseconds.
    pub(super) times: Vec<(usize, f64)>,
}

/// A function's benchmark.
#[derive(Debug, PartialEq)]
pub(super) struct Function {
    /// The benchmark that it belongs to.
    pub(super) bench: String,
    /// Its name: in a comparison `ours`, or a peer's.
    pub(super) name: String,
    /// Its argument; empty if there is none.
    pub(super) case: String,
    /// The median time of a call.
    pub(super) nanoseconds: f64,
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

/// Drives our server in live mode, with a policy and its inputs in an empty folder.
///
/// # Errors
/// If it does not respond, or returns no values.
pub(super) fn live(bench: &Path, file: &Path, folder: &Path, product: &str) -> Result<Live, Error> {
    let mut command = Command::new(bench);
    command.arg("live").arg(file).arg("--folder").arg(folder);
    command.args(["--edits", EDITS, "--", product, "lsp"]);
    let live: Live = read(command)?;
    match live.fewest {
        0 => Err(Error::Failed("a change was followed by no values".into())),
        _ => Ok(live),
    }
}

/// Measures a keystroke in a file, or in a generated policy, as `options` name it.
///
/// # Errors
/// When the program cannot be run.
pub(super) fn keystroke(bench: &Path, options: &[&str]) -> Result<Keystroke, Error> {
    let mut command = Command::new(bench);
    command.arg("keystroke").args(options);
    command.args(["--edits", EDITS]);
    read(command)
}

/// Sends every request of an editor at many positions of a file.
///
/// # Errors
/// When the server does not answer.
pub(super) fn requests(bench: &Path, file: &Path, product: &str) -> Result<Requests, Error> {
    let mut command = Command::new(bench);
    command.arg("requests").arg(file);
    command.args(["--", product, "lsp"]);
    read(command)
}

/// Runs `replay` over a dump.
///
/// # Errors
/// If it cannot be run, or reports a failure.
pub(super) fn replay(
    bench: &Path,
    policies: &Path,
    dump: &Path,
    product: &str,
) -> Result<Replay, Error> {
    let mut command = Command::new(bench);
    command.arg("replay").arg(policies).arg(dump);
    command.args(["--", product, "replay", "--quiet", "--fail-on", "never"]);
    let replay: Replay = read(command)?;
    if replay.exit == Some(0) {
        return Ok(replay);
    }
    let exit = replay.exit;
    Err(Error::Failed(format!("`replay` ended with {exit:?}")))
}

/// Runs `check` over a folder.
///
/// # Errors
/// If it cannot be run, or reports a failure.
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

/// Measures `check` for files of growing size, which are written to `folder`.
///
/// # Errors
/// When a program cannot be run.
pub(super) fn growth(bench: &Path, folder: &Path, product: &str) -> Result<Growth, Error> {
    let mut command = Command::new(bench);
    command.arg("growth").arg(folder);
    command.args(["--", product, "check", "--fail-level", "never"]);
    read(command)
}

fn read<T: DeserializeOwned>(command: Command) -> Result<T, Error> {
    let text = process::output(command)?;
    serde_json::from_str(&text).map_err(|error| {
        Error::Failed(format!(
            "unexpected output of the benchmark, {text:?}: {error}"
        ))
    })
}

/// Runs the benchmarks of single functions and shows their output.
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

/// Reads the trees that divan prints: a line for the benchmark, below it one for each
/// function, and below that one for each case, `├─ name  fastest │ slowest │ median │ …`.
/// Between them are lines of throughput, which have no name.
pub(super) fn parse(lines: &[String]) -> Vec<Function> {
    /// Characters that a level of the tree is moved in by.
    const INDENT: usize = 3;
    let (mut bench, mut name) = (String::new(), String::new());
    let mut functions = Vec::new();
    for line in lines {
        let text = line.trim_start_matches([' ', '│', '├', '╰', '─']);
        let depth = (line.chars().count() - text.chars().count()) / INDENT;
        let mut columns = text.split('│').map(str::trim);
        let first = columns.next().unwrap_or_default();
        let (title, fastest) = first.split_once("  ").unwrap_or((first, ""));
        let median = columns.nth(1).unwrap_or_default();
        match depth {
            0 if median == "median" => bench = title.into(),
            1 => name = title.into(),
            _ => {}
        }
        let times = (nanoseconds(fastest.trim()), nanoseconds(median));
        if let (Some(_), Some(nanoseconds)) = times {
            functions.push(Function {
                bench: bench.clone(),
                name: name.clone(),
                case: if depth > 1 {
                    title.into()
                } else {
                    String::new()
                },
                nanoseconds,
            });
        }
    }
    functions
}

/// Returns a time like `1.2 ms`.
fn nanoseconds(text: &str) -> Option<f64> {
    let (number, unit) = text.split_once(' ')?;
    let unit = match unit {
        "ns" => 1.0,
        "µs" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        _ => return None,
    };
    Some(number.parse::<f64>().ok()? * unit)
}
