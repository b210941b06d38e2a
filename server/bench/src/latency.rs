//! From a change in an editor to the findings for it.
//!
//! This is the latency that an author notices. A character is inserted into the first expression of
//! a file and removed again, many times; each time is measured from writing the change to reading
//! the findings for that version.

use crate::Error;
use crate::client::Client;
use clap::Args;
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The server to drive, and how.
#[derive(Args)]
pub(crate) struct Options {
    /// The file that is edited. It holds an `expression:`.
    file: PathBuf,
    /// The number of changes.
    #[arg(long, default_value_t = 200)]
    edits: u32,
    /// The server: a program and its arguments.
    #[arg(last = true, required = true)]
    server: Vec<String>,
}

/// Drives the server. Returns milliseconds, megabytes (2^20 bytes) and counts.
pub(crate) fn run(options: &Options) -> Result<Value, Error> {
    let io = |source| Error::Io(format!("cannot read {}", options.file.display()), source);
    let text = fs::read_to_string(&options.file).map_err(io)?;
    let path = fs::canonicalize(&options.file).map_err(io)?;
    let folder = path.parent().unwrap_or(&path);
    let uri = format!("file://{}", path.display());

    let start = Instant::now();
    let client = Client::start(&options.server, &format!("file://{}", folder.display()))?;
    let greeted = start.elapsed();
    let document = json!({ "uri": uri, "languageId": "yaml", "version": 1, "text": text });
    let start = Instant::now();
    client.notify("textDocument/didOpen", &json!({ "textDocument": document }))?;
    let (at, found) = client.findings(&uri, 1)?;
    let opened = at - start;

    let place = place(&text)?;
    let mut times = Vec::new();
    for edit in 0..options.edits {
        let params = change(&uri, place, edit);
        let start = Instant::now();
        client.notify("textDocument/didChange", &params)?;
        let (at, _) = client.findings(&uri, i64::from(edit) + 2)?;
        times.push(at - start);
    }
    times.sort();
    Ok(json!({
        "initialize": milliseconds(greeted),
        "open": milliseconds(opened),
        "findings": found,
        "edits": times.len(),
        "p50": milliseconds(percentile(&times, 50)),
        "p99": milliseconds(percentile(&times, 99)),
        "memory": client.memory().map(|memory| memory.resident / 1024),
    }))
}

/// Returns the change with a number from 0, which adds or removes a character. The document has
/// version 2 after the first.
pub(crate) fn change(uri: &str, place: (usize, usize), edit: u32) -> Value {
    let (line, column) = place;
    let insert = edit.is_multiple_of(2);
    let (end, text) = if insert {
        (column, "x")
    } else {
        (column + 1, "")
    };
    let range = json!({
        "start": { "line": line, "character": column },
        "end": { "line": line, "character": end },
    });
    json!({
        "textDocument": { "uri": uri, "version": i64::from(edit) + 2 },
        "contentChanges": [{ "range": range, "text": text }],
    })
}

/// Returns the line and the UTF-16 column of a position inside the first expression, or the first
/// rule of a CustomResourceDefinition.
pub(crate) fn place(text: &str) -> Result<(usize, usize), Error> {
    let first = |field: &str| {
        text.lines().enumerate().find_map(|(line, content)| {
            let (before, _) = content.split_once(field)?;
            Some((line, before.encode_utf16().count() + field.len() + 2))
        })
    };
    let found = first("expression: ").or_else(|| first(" rule: "));
    found.ok_or_else(|| Error::Program("the file has no `expression: ` and no `rule: `".into()))
}

/// Returns the smallest time that is not smaller than `percent` of all, which are in order.
pub(crate) fn percentile(times: &[Duration], percent: usize) -> Duration {
    let index = (times.len() * percent / 100).min(times.len().saturating_sub(1));
    times.get(index).copied().unwrap_or_default()
}

/// Returns a time in milliseconds, rounded to a hundredth.
pub(crate) fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 100_000.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_inside_the_first_expression() {
        assert_eq!(place("a: b\n- expression: object\n").unwrap(), (1, 16));
        assert_eq!(place("a: b\n- rule: self > 1\n").unwrap(), (1, 10));
        assert!(place("a: b\n").is_err());
    }

    #[test]
    fn a_percentile_is_one_of_the_times() {
        let times: Vec<Duration> = (1..=100).map(Duration::from_millis).collect();
        assert_eq!(percentile(&times, 50), Duration::from_millis(51));
        assert_eq!(percentile(&times, 99), Duration::from_millis(100));
        assert_eq!(percentile(&[], 99), Duration::ZERO);
    }
}
