//! The job summary of GitHub Actions: a table of findings, in the file that the runner names.
//!
//! GitHub shows ten annotations of each level per step. The summary has the others too.

use super::Report;
use super::summary::Summary;
use crate::terminal::printable;
use std::fs::OpenOptions;
use std::io::{self, Write as _};
use text::clean::for_markdown;

/// The environment variable with the path of the file.
const VARIABLE: &str = "GITHUB_STEP_SUMMARY";

/// Limit: rows of the table. GitHub rejects a summary of more than 1 MiB.
const MAX_ROWS: usize = 500;

/// Limit: characters of a message in the table.
const MAX_MESSAGE: usize = 400;

/// Appends the summary of a report to the file that the environment names, if it names one.
///
/// # Errors
/// If the file cannot be written.
pub(crate) fn append(report: &Report) -> io::Result<()> {
    let Some(path) = std::env::var_os(VARIABLE).filter(|path| !path.is_empty()) else {
        return Ok(());
    };
    let mut file = OpenOptions::new().append(true).create(true).open(path)?;
    file.write_all(text(report).as_bytes())
}

/// Returns the summary, in Markdown.
fn text(report: &Report) -> String {
    let mut text = format!("## Admissible\n\n{}\n", Summary::new(report).line());
    let mut rows = Vec::new();
    for problem in &report.problems {
        rows.push(row("error", &problem.path, &problem.message, ""));
    }
    for config in &report.configs {
        let path = config
            .path()
            .map(super::shown_from_here)
            .unwrap_or_default();
        let lines = text::LineIndex::new(config.text());
        for problem in config.problems() {
            let line = lines.line(problem.range.start()) + 1;
            let location = format!("{path}:{line}");
            rows.push(row("error", &location, &problem.message, ""));
        }
    }
    for file in &report.files {
        let Some(source) = &file.source else { continue };
        for finding in &file.findings {
            let start = source.region(finding.range).start;
            let location = format!("{}:{}:{}", file.path, start.line, start.column);
            let severity = finding.severity.as_str();
            rows.push(row(severity, &location, &finding.message, finding.code));
        }
    }
    if !rows.is_empty() {
        text.push_str("\n| severity | place | finding | rule |\n|---|---|---|---|\n");
    }
    rows.iter()
        .take(MAX_ROWS)
        .for_each(|row| text.push_str(row));
    if let more @ 1.. = rows.len().saturating_sub(MAX_ROWS) {
        text.push_str(&format!("\nand {more} more\n"));
    }
    text.push('\n');
    text
}

/// Returns a row of the table. Each cell is one line of plain text.
fn row(severity: &str, place: &str, message: &str, code: &str) -> String {
    let cell = |text: &str| {
        let line: Vec<&str> = text.split_whitespace().collect();
        for_markdown(&printable(&line.join(" "))).into_owned()
    };
    let mut short: String = message.chars().take(MAX_MESSAGE).collect();
    if short.len() < message.len() {
        short.push('…');
    }
    let (place, short, code) = (cell(place), cell(&short), cell(code));
    format!("| {severity} | {place} | {short} | {code} |\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::PathProblem;

    #[test]
    fn names_and_messages_are_plain_text_in_one_row() {
        let report = Report {
            problems: vec![PathProblem {
                path: "a|b\n## <img src=x>[x](http://evil).yaml".to_owned(),
                message: "`x` | y\u{1b}[2J\n\n# title".to_owned(),
            }],
            ..Report::default()
        };
        let text = text(&report);
        let rows: Vec<&str> = text.lines().filter(|line| line.contains("evil")).collect();
        assert_eq!(
            rows,
            [
                "| error | a\\|b \\#\\# \\<img src=x\\>\\[x\\](http://evil).yaml | \
                 \\`x\\` \\| y␛\\[2J \\# title |  |"
            ]
        );
    }

    #[test]
    fn rows_are_bounded() {
        let problem = |at: usize| PathProblem {
            path: format!("{at}.yaml"),
            message: "é".repeat(5000),
        };
        let report = Report {
            problems: (0..600).map(problem).collect(),
            ..Report::default()
        };
        let text = text(&report);
        assert!(text.ends_with("\nand 100 more\n\n"));
        assert!(text.len() < 1 << 20, "{}", text.len());
    }
}
