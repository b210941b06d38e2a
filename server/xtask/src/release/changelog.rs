//! The changelog, by release: `## Unreleased`, then `## VERSION - DATE`, the newest first.

use crate::error::Error;
use semver::Version;

/// The changelog, from the root of the repository.
pub(super) const FILE: &str = "server/CHANGELOG.md";

/// The heading of unreleased changes.
const UNRELEASED: &str = "## Unreleased";

/// Returns the newest release.
pub(super) fn last(text: &str) -> Option<Version> {
    text.lines().find_map(version)
}

/// Returns the text with the unreleased changes as a release.
///
/// # Errors
/// When there are none.
pub(super) fn release(text: &str, version: &Version, date: &str) -> Result<String, Error> {
    let start = format!("{UNRELEASED}\n");
    let Some((before, after)) = text.split_once(&start) else {
        return Err(Error::Failed(format!("{FILE} has no line `{UNRELEASED}`")));
    };
    let changes = after.split("\n## ").next().unwrap_or(after);
    if changes.trim().is_empty() {
        return Err(Error::Failed(format!("{FILE} has no unreleased change")));
    }
    Ok(format!("{before}{start}\n## {version} - {date}\n{after}"))
}

/// Returns the changes of a release, without its heading.
///
/// # Errors
/// When the release is missing.
pub(super) fn section(text: &str, wanted: &Version) -> Result<String, Error> {
    let mut lines = text.lines();
    if !lines.any(|line| version(line).as_ref() == Some(wanted)) {
        return Err(Error::Failed(format!("{FILE} has no release {wanted}")));
    }
    let lines: Vec<&str> = lines.take_while(|line| !line.starts_with("## ")).collect();
    Ok(format!("{}\n", lines.join("\n").trim()))
}

/// Returns the version of a heading.
fn version(line: &str) -> Option<Version> {
    let heading = line.strip_prefix("## ")?;
    Version::parse(heading.split(' ').next()?).ok()
}
