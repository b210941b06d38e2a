//! `--format sarif`: SARIF 2.1.0, which code scanning services read.
//!
//! Columns are UTF-16 code units, as `columnKind` declares. Paths below the current directory
//! are relative to `%SRCROOT%`, so that a service can place them in a repository.

use super::columns::Region;
use super::{Report, Source, shown_from_here};
use crate::exit::Exit;
use crate::report::json::write_value;
use crate::report::page::summary;
use ide::diagnostics::RULES;
use ide::{Diagnostic, Fix, Rule, Severity};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use std::io::{self, Write};
use text::TextEdit;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Value,
    column_kind: &'static str,
    invocations: [Value; 1],
    results: Results<'a>,
}

/// The findings of a report, each created when it is written: together they may be larger
/// than all files.
struct Results<'a>(&'a Report);

impl Serialize for Results<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let files = self.0.files.iter();
        let sources = files.filter_map(|file| Some((file, file.source.as_ref()?)));
        serializer.collect_seq(sources.flat_map(|(file, source)| {
            let findings = file.findings.iter();
            findings.map(move |finding| result(&file.path, finding, source))
        }))
    }
}

/// Writes a report. `exit` is the exit code of the run.
///
/// # Errors
/// If the output cannot be written.
pub(crate) fn write(report: &Report, exit: Exit, out: &mut dyn Write) -> io::Result<()> {
    let log = Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [Run {
            tool: json!({"driver": {
                "name": "admissible",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": RULES.iter().map(rule).collect::<Vec<_>>(),
            }}),
            column_kind: "utf16CodeUnits",
            invocations: [json!({
                "executionSuccessful": exit != Exit::Failed,
                "toolExecutionNotifications": problems(report),
                "toolConfigurationNotifications": config_problems(report),
            })],
            results: Results(report),
        }],
    };
    write_value(&log, out)
}

fn rule(rule: &Rule) -> Value {
    let summary = summary(rule.page);
    json!({
        "id": rule.code,
        "shortDescription": {"text": summary},
        "help": {"text": rule.page, "markdown": rule.page},
        "defaultConfiguration": {"level": level(rule.severity), "enabled": !rule.is_optional},
    })
}

fn result(path: &str, finding: &Diagnostic, source: &Source) -> Value {
    let mut result = json!({
        "ruleId": finding.code,
        "level": level(finding.severity),
        "message": {"text": message(finding)},
        "locations": [location(path, source.region(finding.range))],
    });
    let Some(fields) = result.as_object_mut() else {
        return result;
    };
    if let Some(index) = RULES.iter().position(|rule| rule.code == finding.code) {
        fields.insert("ruleIndex".to_owned(), json!(index));
    }
    let related: Vec<Value> = finding
        .related
        .iter()
        .enumerate()
        .map(|(id, related)| {
            let mut location = match &related.elsewhere {
                Some(place) => location(&shown_from_here(&place.file), Region::elsewhere(place)),
                None => location(path, source.region(related.range)),
            };
            if let Some(fields) = location.as_object_mut() {
                fields.insert("id".to_owned(), json!(id));
                fields.insert("message".to_owned(), json!({"text": related.message}));
            }
            location
        })
        .collect();
    if !related.is_empty() {
        fields.insert("relatedLocations".to_owned(), Value::Array(related));
    }
    let fixes: Vec<Value> = finding
        .fixes
        .iter()
        .map(|fix| sarif_fix(path, fix, source))
        .collect();
    if !fixes.is_empty() {
        fields.insert("fixes".to_owned(), Value::Array(fixes));
    }
    result
}

fn message(finding: &Diagnostic) -> String {
    match &finding.upstream {
        Some(upstream) => format!("{}\nKubernetes reports: {upstream}", finding.message),
        None => finding.message.clone(),
    }
}

fn sarif_fix(path: &str, fix: &Fix, source: &Source) -> Value {
    let replacement = |edit: &TextEdit| {
        json!({
            "deletedRegion": region(source.region(edit.range)),
            "insertedContent": {"text": edit.insert},
        })
    };
    let replacements: Vec<Value> = fix.edits.iter().map(replacement).collect();
    json!({
        "description": {"text": fix.title},
        "artifactChanges": [{
            "artifactLocation": artifact(path),
            "replacements": replacements,
        }],
    })
}

fn problems(report: &Report) -> Vec<Value> {
    report
        .problems
        .iter()
        .map(|problem| {
            let location =
                json!({"physicalLocation": {"artifactLocation": artifact(&problem.path)}});
            notification(&problem.message, &location)
        })
        .collect()
}

fn config_problems(report: &Report) -> Vec<Value> {
    let mut notifications = Vec::new();
    for config in &report.configs {
        let path = config.path().map(shown_from_here).unwrap_or_default();
        let source = Source::new(config.text().into());
        for problem in config.problems() {
            let related = location(&path, source.region(problem.range));
            notifications.push(notification(&problem.message, &related));
        }
    }
    notifications
}

fn notification(message: &str, location: &Value) -> Value {
    json!({
        "level": "error",
        "message": {"text": message},
        "locations": [location],
    })
}

fn location(path: &str, places: Region) -> Value {
    json!({"physicalLocation": {
        "artifactLocation": artifact(path),
        "region": region(places),
    }})
}

fn region(places: Region) -> Value {
    json!({
        "startLine": places.start.line,
        "startColumn": places.start.utf16,
        "endLine": places.end.line,
        "endColumn": places.end.utf16,
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Information | Severity::Hint => "note",
    }
}

/// Returns the URI of a file: relative below `%SRCROOT%`, or absolute.
fn artifact(path: &str) -> Value {
    let uri = uri(path);
    if path.starts_with('/') {
        return json!({"uri": format!("file://{uri}")});
    }
    if path.as_bytes().get(1) == Some(&b':') {
        return json!({"uri": format!("file:///{uri}")});
    }
    json!({"uri": uri, "uriBaseId": "%SRCROOT%"})
}

/// Returns a path as a URI, with the characters that RFC 3986 does not allow escaped.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => uri.push(char::from(byte)),
            b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_becomes_a_uri() {
        assert_eq!(uri("a b/é#1.yaml"), "a%20b/%C3%A9%231.yaml");
        assert_eq!(
            artifact("a.yaml"),
            json!({"uri": "a.yaml", "uriBaseId": "%SRCROOT%"})
        );
        assert_eq!(artifact("/a.yaml"), json!({"uri": "file:///a.yaml"}));
        assert_eq!(artifact("C:/a.yaml"), json!({"uri": "file:///C%3A/a.yaml"}));
    }
}
