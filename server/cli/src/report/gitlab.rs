//! `--format gitlab`: a Code Quality report, which GitLab shows in merge requests.
//!
//! GitLab compares the fingerprints of two reports to find what a merge request adds. So a
//! fingerprint does not depend on the line of a finding.

use super::json::write_value;
use super::{Report, shown_from_here};
use ide::Severity;
use serde::Serialize;
use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;
use text::LineIndex;

/// The name of the check for problems.
const PROBLEM: &str = "problem";

/// Upstream: GitLab, doc/ci/testing/code_quality.md, Code Quality report format.
#[derive(Serialize)]
struct Issue<'a> {
    description: String,
    check_name: &'a str,
    fingerprint: String,
    severity: &'static str,
    location: Location,
}

#[derive(Serialize)]
struct Location {
    path: String,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u32,
}

/// The issues of a report, and how often each combination of file, check and message is in it.
#[derive(Default)]
struct Issues<'a> {
    all: Vec<Issue<'a>>,
    counts: HashMap<u64, u32>,
}

/// Writes a report.
///
/// # Errors
/// If the output cannot be written.
pub(crate) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let mut issues = Issues::default();
    for problem in &report.problems {
        issues.add(&problem.path, 0, PROBLEM, "blocker", &problem.message);
    }
    for config in &report.configs {
        let path = config.path().map(shown_from_here).unwrap_or_default();
        let lines = LineIndex::new(config.text());
        for problem in config.problems() {
            let line = lines.line(problem.range.start());
            issues.add(&path, line, PROBLEM, "blocker", &problem.message);
        }
    }
    for (file, source, finding) in report.findings() {
        let line = source.lines.line(finding.range.start());
        let severity = severity(finding.severity);
        issues.add(&file.path, line, finding.code, severity, &finding.message);
    }
    write_value(&issues.all, out)
}

impl<'a> Issues<'a> {
    /// Adds an issue. `line` begins at 0.
    fn add(
        &mut self,
        path: &str,
        line: u32,
        check_name: &'a str,
        severity: &'static str,
        description: &str,
    ) {
        let path = shown_from_here(Path::new(path.trim_start_matches("./")));
        let key = hash(&[&path, check_name, description]);
        let count = self.counts.entry(key).or_default();
        *count += 1;
        self.all.push(Issue {
            description: description.to_owned(),
            check_name,
            fingerprint: format!("{key:016x}-{count}"),
            severity,
            location: Location {
                path,
                lines: Lines { begin: line + 1 },
            },
        });
    }
}

const fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "major",
        Severity::Warning => "minor",
        Severity::Information | Severity::Hint => "info",
    }
}

/// Returns a hash that is the same for every build and system: FNV-1a with 64 bits.
fn hash(parts: &[&str]) -> u64 {
    let bytes = parts.iter().flat_map(|part| part.bytes().chain([0]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_depends_on_the_parts_and_not_on_the_line() {
        let mut issues = Issues::default();
        issues.add("a.yaml", 3, "one", "minor", "m");
        issues.add("./a.yaml", 9, "one", "minor", "m");
        issues.add("a.yaml", 3, "two", "minor", "m");
        let prints: Vec<&str> = issues
            .all
            .iter()
            .map(|it| it.fingerprint.as_str())
            .collect();
        let first = format!("{:016x}", hash(&["a.yaml", "one", "m"]));
        assert_eq!(prints[0], format!("{first}-1"));
        assert_eq!(prints[1], format!("{first}-2"));
        assert!(!prints[2].starts_with(&first));
        assert_eq!(hash(&["a"]), 0x089b_e207_b544_f1e4);
    }
}
