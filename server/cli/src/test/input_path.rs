//! The path of an input as the reports show it.

use std::path::Path;

/// Returns the path of an input, relative to the policy as the arguments have it.
pub(super) fn shown_input(path: &Path) -> String {
    let path = path.strip_prefix("./").unwrap_or(path);
    crate::report::shown(path)
}
