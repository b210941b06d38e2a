//! API groups and versions.

use std::fmt;

/// The parts of `apiVersion`: `apps/v1`, or `v1` in the core group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GroupVersion<'a> {
    /// The group, empty for the core group.
    pub group: &'a str,
    /// The version.
    pub version: &'a str,
}

impl<'a> GroupVersion<'a> {
    /// Parses an `apiVersion`.
    #[must_use]
    pub fn parse(api_version: &'a str) -> Self {
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        Self { group, version }
    }
}

/// As `apiVersion` has it.
impl fmt::Display for GroupVersion<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.group {
            "" => f.write_str(self.version),
            group => write!(f, "{group}/{}", self.version),
        }
    }
}
