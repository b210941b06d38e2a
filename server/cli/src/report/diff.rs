//! Differences between two strings.

use crate::terminal::printable_name;
use similar::TextDiff;

/// Limit: lines of context around a change.
const CONTEXT: usize = 3;

/// Returns the changes of a file, as `diff -u` and `git` show them.
pub(crate) fn unified(path: &str, old: &str, new: &str) -> String {
    let diff = TextDiff::from_lines(old, new);
    let mut diff = diff.unified_diff();
    let path = printable_name(path);
    let diff = diff.context_radius(CONTEXT).header(&path, &path);
    diff.to_string()
}
