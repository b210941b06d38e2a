//! The changes of a mutating policy, as a unified diff.

use crate::terminal::printable;
use cel::Value;
use evaluation::run::yaml::to_yaml;
use similar::TextDiff;
use std::io::{self, Write};

const RED: &str = "\x1b[31m";
const GREEN: &str = "\x1b[32m";
const RESET: &str = "\x1b[0m";

/// Limit: lines of context around a change.
const CONTEXT: usize = 3;

/// Returns the changes between two objects as a unified diff of YAML; empty if they are
/// equal.
pub(crate) fn diff(before: Option<&Value>, after: Option<&Value>) -> String {
    let yaml = |object: Option<&Value>| object.map(to_yaml).unwrap_or_default();
    let (before, after) = (yaml(before), yaml(after));
    let diff = TextDiff::from_lines(&before, &after);
    let mut unified = diff.unified_diff();
    unified
        .context_radius(CONTEXT)
        .header("before", "after")
        .to_string()
}

/// Writes a diff with an indentation, removed lines in red and added lines in green.
pub(crate) fn write(diff: &str, indent: &str, out: &mut dyn Write) -> io::Result<()> {
    for line in diff.lines() {
        let color = match line.as_bytes().first() {
            Some(b'-') => RED,
            Some(b'+') => GREEN,
            _ => "",
        };
        let reset = if color.is_empty() { "" } else { RESET };
        writeln!(out, "{indent}{color}{}{reset}", printable(line))?;
    }
    Ok(())
}
