//! The requests that an editor sends for an open document.
//!
//! Every request of a feature is sent at many positions of a document whose findings are there, one
//! after the other. The first round warms up the results, as in an editor; the second one is
//! measured.

use crate::Error;
use crate::client::Client;
use crate::latency::{milliseconds, percentile};
use clap::Args;
use serde_json::{Map, Value, json};
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The server to drive, and how.
#[derive(Args)]
pub(crate) struct Options {
    /// The document, in its folder.
    file: PathBuf,
    /// The number of bytes from one position to the next.
    #[arg(long, default_value_t = 31)]
    step: usize,
    /// The server: a program and its arguments.
    #[arg(last = true, required = true)]
    server: Vec<String>,
}

/// The requests at a position.
const AT_POSITION: [&str; 13] = [
    "textDocument/completion",
    "textDocument/hover",
    "textDocument/signatureHelp",
    "textDocument/definition",
    "textDocument/declaration",
    "textDocument/typeDefinition",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/prepareRename",
    "textDocument/prepareCallHierarchy",
    "textDocument/onTypeFormatting",
    "textDocument/selectionRange",
    "textDocument/codeAction",
];

/// The requests for the whole document.
const OF_DOCUMENT: [&str; 9] = [
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/documentLink",
    "textDocument/semanticTokens/full",
    "textDocument/semanticTokens/range",
    "textDocument/inlayHint",
    "textDocument/codeLens",
    "textDocument/formatting",
    "workspace/symbol",
];

/// How often a request for the whole document is sent.
const REPEATS: usize = 100;

/// Drives the server. Returns milliseconds by request.
pub(crate) fn run(options: &Options) -> Result<Value, Error> {
    let io = |source| Error::Io(format!("cannot use {}", options.file.display()), source);
    let path = fs::canonicalize(&options.file).map_err(io)?;
    let text = fs::read_to_string(&path).map_err(io)?;
    let folder = path.parent().unwrap_or(&path);
    let uri = format!("file://{}", path.display());
    let client = Client::start_editor(&options.server, &format!("file://{}", folder.display()))?;
    let document = json!({ "uri": uri, "languageId": "yaml", "version": 1, "text": text });
    client.notify("textDocument/didOpen", &json!({ "textDocument": document }))?;
    client.findings(&uri, 1)?;
    let positions = positions(&text, options.step);
    let mut run = Run { client, uri, id: 1 };
    let mut figures = Map::new();
    for method in AT_POSITION.into_iter().chain(OF_DOCUMENT) {
        let is_of_document = OF_DOCUMENT.contains(&method);
        let repeated = vec![(0, 0); REPEATS];
        let positions = if is_of_document {
            &repeated
        } else {
            &positions
        };
        run.times(method, positions)?;
        let mut times = run.times(method, positions)?;
        times.sort();
        figures.insert(method.to_owned(), summary(&times));
    }
    Ok(Value::Object(figures))
}

fn summary(times: &[Duration]) -> Value {
    json!({
        "count": times.len(),
        "p50": milliseconds(percentile(times, 50)),
        "p99": milliseconds(percentile(times, 99)),
        "worst": milliseconds(times.last().copied().unwrap_or_default()),
    })
}

struct Run {
    client: Client,
    uri: String,
    id: i64,
}

impl Run {
    /// Sends a request at each position.
    fn times(
        &mut self,
        method: &str,
        positions: &[(usize, usize)],
    ) -> Result<Vec<Duration>, Error> {
        let mut times = Vec::with_capacity(positions.len());
        for position in positions {
            self.id += 1;
            let params = params(&self.uri, *position, method);
            let start = Instant::now();
            let (at, answer) = self.client.request(self.id, method, &params)?;
            // A position without a name cannot be renamed.
            let is_error = answer.get("error").is_some() && method != "textDocument/prepareRename";
            if is_error {
                return Err(Error::Program(format!("{method}: {answer}")));
            }
            times.push(at - start);
        }
        Ok(times)
    }
}

/// Returns the parameters of a request. Each request uses those that it needs.
fn params(uri: &str, (line, character): (usize, usize), method: &str) -> Value {
    let position = json!({ "line": line, "character": character });
    let whole = json!({
        "start": { "line": 0, "character": 0 },
        "end": { "line": 100_000, "character": 0 },
    });
    let range = match method {
        "textDocument/codeAction" => json!({ "start": position, "end": position }),
        _ => whole,
    };
    json!({
        "textDocument": { "uri": uri },
        "position": position,
        "positions": [position],
        "range": range,
        // A user requests them: refactorings are a part of the response.
        "context": {
            "includeDeclaration": true, "diagnostics": [], "triggerKind": 1, "isRetrigger": false,
        },
        "options": { "tabSize": 2, "insertSpaces": true },
        "ch": "\n",
        "query": "",
    })
}

/// Returns a position for every `step` bytes of ASCII text: a line and a column.
fn positions(text: &str, step: usize) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut offset = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let columns =
            (0..line.len()).filter(|column| (offset + column).is_multiple_of(step.max(1)));
        found.extend(columns.map(|column| (number, column)));
        offset += line.len();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::positions;

    #[test]
    fn positions_go_through_the_lines() {
        assert_eq!(positions("abc\nde\n", 2), [(0, 0), (0, 2), (1, 0), (1, 2)]);
        assert_eq!(positions("", 2), []);
    }
}
