//! From a change in an editor to the live values.
//!
//! In live mode the values of all expressions follow every keystroke. A policy gets twenty inputs
//! next to it, in a separate directory; then a character is added to its first expression and
//! removed again, many times. Each time is measured from writing the change, through the server's
//! refresh request, to reading the values for the new version.

use crate::Error;
use crate::client::Client;
use crate::latency::{change, milliseconds, percentile, place};
use clap::Args;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The server to drive, and how.
#[derive(Args)]
pub(crate) struct Options {
    /// The policy that is edited. It has an `expression:` and matches Deployments.
    file: PathBuf,
    /// The number of changes.
    #[arg(long, default_value_t = 200)]
    edits: u32,
    /// The number of inputs next to the policy.
    #[arg(long, default_value_t = 20)]
    inputs: usize,
    /// An empty or missing folder for the policy and its inputs.
    #[arg(long)]
    folder: PathBuf,
    /// The server: a program and its arguments.
    #[arg(last = true, required = true)]
    server: Vec<String>,
}

/// Drives the server. Returns milliseconds and counts.
pub(crate) fn run(options: &Options) -> Result<Value, Error> {
    let (path, text) = prepare(options)?;
    let folder = path.parent().unwrap_or(&path);
    let uri = format!("file://{}", path.display());
    let client = Client::start_live(&options.server, &format!("file://{}", folder.display()))?;
    let document = json!({ "uri": uri, "languageId": "yaml", "version": 1, "text": text });
    let start = Instant::now();
    client.notify("textDocument/didOpen", &json!({ "textDocument": document }))?;
    let (at, shown) = values(&client, &uri, 1)?;
    let opened = at - start;

    let place = place(&text)?;
    let (mut times, mut fewest) = (Vec::new(), shown);
    for edit in 0..options.edits {
        let params = change(&uri, place, edit);
        let start = Instant::now();
        client.notify("textDocument/didChange", &params)?;
        client.asked("workspace/inlayHint/refresh")?;
        let (at, shown) = values(&client, &uri, i64::from(edit) + 2)?;
        fewest = fewest.min(shown);
        times.push(at - start);
    }
    times.sort();
    let worst: Duration = times.last().copied().unwrap_or_default();
    Ok(json!({
        "open": milliseconds(opened),
        "values": shown,
        "fewest": fewest,
        "edits": times.len(),
        "p50": milliseconds(percentile(&times, 50)),
        "p99": milliseconds(percentile(&times, 99)),
        "worst": milliseconds(worst),
    }))
}

/// Requests all values. Returns the time of the response, and how many values it has.
fn values(client: &Client, uri: &str, id: i64) -> Result<(Instant, usize), Error> {
    let params = json!({
        "textDocument": { "uri": uri },
        "range": {
            "start": { "line": 0, "character": 0 },
            "end": { "line": 100_000, "character": 0 },
        },
    });
    // The first number was used for `initialize`.
    let (at, answer) = client.request(id + 1, "textDocument/inlayHint", &params)?;
    let shown = answer.pointer("/result").and_then(Value::as_array);
    match shown {
        Some(shown) => Ok((at, shown.len())),
        None => Err(Error::Program(format!("no values came: {answer}"))),
    }
}

/// Writes the policy and its inputs.
fn prepare(options: &Options) -> Result<(PathBuf, String), Error> {
    let io = |path: &Path| {
        let path = path.display().to_string();
        move |source| Error::Io(format!("cannot use {path}"), source)
    };
    let text = fs::read_to_string(&options.file).map_err(io(&options.file))?;
    fs::create_dir_all(&options.folder).map_err(io(&options.folder))?;
    let folder = fs::canonicalize(&options.folder).map_err(io(&options.folder))?;
    let policy = folder.join("policy.yaml");
    let inputs = folder.join("policy.inputs.yaml");
    fs::write(&policy, &text).map_err(io(&policy))?;
    fs::write(&inputs, documents(options.inputs)).map_err(io(&inputs))?;
    Ok((policy, text))
}

/// Deployments that are created in a production namespace, with the parameters of a platform.
#[expect(clippy::too_many_lines, reason = "one text")]
fn documents(count: usize) -> String {
    let mut out = String::new();
    for number in 0..count {
        let replicas = number % 7;
        let memory = if number % 3 == 0 { "" } else { "memory: 64Mi" };
        let _ = write!(
            out,
            "---
name: deployment {number}
object:
  apiVersion: apps/v1
  kind: Deployment
  metadata: {{name: web-{number}, namespace: shop, labels: {{team: shop}}}}
  spec:
    replicas: {replicas}
    selector: {{matchLabels: {{app: web}}}}
    template:
      metadata: {{labels: {{app: web, app.kubernetes.io/name: web}}}}
      spec:
        containers:
        - name: web
          image: registry.example.com/web:{number}
          resources: {{limits: {{{memory}}}}}
          ports: [{{containerPort: {port}}}]
          securityContext: {{allowPrivilegeEscalation: false}}
          readinessProbe: {{httpGet: {{path: /, port: 8080}}}}
        - name: proxy
          image: docker.io/proxy
namespaceObject:
  apiVersion: v1
  kind: Namespace
  metadata: {{name: shop, labels: {{environment: production}}}}
params:
  apiVersion: platform.example.com/v1
  kind: WorkloadBaseline
  metadata: {{name: baseline}}
  spec: {{registries: [registry.example.com], hostPaths: [/var/log], maxReplicas: 5}}
",
            port = 80 + number * 100,
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_document_is_an_input() {
        let file = evaluation::input::read(Path::new("policy.inputs.yaml"), &documents(3));
        assert_eq!(file.errors, []);
        let names = file.inputs.iter().map(|input| input.key.name.as_str());
        let names: Vec<&str> = names.collect();
        assert_eq!(names, ["deployment 0", "deployment 1", "deployment 2"]);
    }
}
