//! `--format github`: workflow commands, which GitHub Actions shows next to the lines.
//!
//! A command is one line, so line feeds and the characters that end its parts are escaped.
//! GitHub shows ten annotations of each level per step; the log has all of them.

use super::columns::Region;
use super::summary::Summary;
use super::{Report, shown_from_here};
use ide::{Diagnostic, Severity};
use std::io::{self, Write};
use text::clean::{for_command as data, for_command_property as property};

/// Writes a report.
///
/// # Errors
/// If the output cannot be written.
pub(crate) fn write(report: &Report, quiet: bool, out: &mut dyn Write) -> io::Result<()> {
    let mut out = io::BufWriter::new(out);
    for problem in &report.problems {
        let (path, message) = (property(&problem.path), data(&problem.message));
        writeln!(out, "::error file={path},title=cannot check::{message}")?;
    }
    for config in &report.configs {
        let path = config.path().map(shown_from_here).unwrap_or_default();
        let lines = text::LineIndex::new(config.text());
        for problem in config.problems() {
            let line = lines.line(problem.range.start()) + 1;
            let (path, message) = (property(&path), data(&problem.message));
            writeln!(
                out,
                "::error file={path},line={line},title=configuration::{message}"
            )?;
        }
    }
    for file in &report.files {
        let Some(source) = &file.source else { continue };
        for finding in &file.findings {
            let places = source.region(finding.range);
            writeln!(out, "{}", command(&file.path, finding, places))?;
        }
    }
    if !quiet {
        writeln!(out, "{}", Summary::new(report).line())?;
    }
    out.flush()
}

fn command(path: &str, finding: &Diagnostic, places: Region) -> String {
    let level = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Information | Severity::Hint => "notice",
    };
    let (start, end) = (places.start, places.end);
    let mut command = format!(
        "::{level} file={},line={},endLine={}",
        property(path),
        start.line,
        end.line
    );
    // Upstream: actions/toolkit, packages/core/src/core.ts, AnnotationProperties: columns
    // are for a range on one line.
    if start.line == end.line {
        let last = end.column.max(start.column + 1);
        command.push_str(&format!(",col={},endColumn={last}", start.column));
    }
    let code = property(finding.code);
    let message = data(&message(finding));
    format!("{command},title={code}::{message}")
}

/// Returns the message of the finding, that of Kubernetes and the titles of the fixes.
fn message(finding: &Diagnostic) -> String {
    let mut message = finding.message.clone();
    if let Some(upstream) = &finding.upstream {
        message.push_str("\nKubernetes reports: ");
        message.push_str(upstream);
    }
    for fix in &finding.fixes {
        message.push_str("\nhelp: ");
        message.push_str(&fix.title);
    }
    message
}
