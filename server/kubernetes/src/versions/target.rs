//! The Kubernetes versions that a policy is written for.
//!
//! A target is one version or a range: an expression is compiled for the newest, and features
//! that the oldest lacks are reported in addition.

use super::changes::Change;
use super::version::{EnvironmentVersion, ServerVersion};
use std::fmt;

/// The versions of the API server that a policy is for, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    oldest: ServerVersion,
    newest: ServerVersion,
    is_chosen: bool,
}

/// Why a string is not a target. It is shown as a sentence with the expected form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetError {
    /// It is not of the form `1.30` or `1.30..1.36`.
    Form,
    /// An unknown version.
    Unknown(u8),
    /// The first version is above the second.
    Reversed,
}

impl Target {
    /// Returns a range of servers. `None` if one is unknown, or the first is above the second.
    #[must_use]
    pub fn new(oldest: ServerVersion, newest: ServerVersion) -> Option<Self> {
        let known =
            ServerVersion::OLDEST <= oldest && oldest <= newest && newest <= ServerVersion::NEWEST;
        known.then_some(Self {
            oldest,
            newest,
            is_chosen: true,
        })
    }

    /// Parses `1.30` or `1.30..1.36`.
    ///
    /// # Errors
    /// The string has another form, or unknown versions.
    pub fn parse(text: &str) -> Result<Self, TargetError> {
        let (oldest, newest) = match text.split_once("..") {
            Some((oldest, newest)) => (version(oldest)?, version(newest)?),
            None => (version(text)?, version(text)?),
        };
        Self::new(oldest, newest).ok_or(TargetError::Reversed)
    }

    /// Returns the oldest server.
    #[must_use]
    pub fn oldest(self) -> ServerVersion {
        self.oldest
    }

    /// Returns the newest server.
    #[must_use]
    pub fn newest(self) -> ServerVersion {
        self.newest
    }

    /// Returns the server whose behavior evaluations follow: the newest.
    #[must_use]
    pub fn server(self) -> ServerVersion {
        if self.is_chosen {
            self.newest
        } else {
            ServerVersion::COMPARED
        }
    }

    /// Returns whether every server of the target does something.
    #[must_use]
    pub fn all_do(self, change: &Change) -> bool {
        let oldest = self.oldest.min(self.server());
        change.applies(oldest)
    }

    /// Returns whether the target is chosen. If not, no findings about other versions are
    /// reported.
    #[must_use]
    pub fn is_chosen(self) -> bool {
        self.is_chosen
    }

    /// Returns whether it is more than one version.
    #[must_use]
    pub fn is_range(self) -> bool {
        self.oldest < self.newest
    }

    /// Returns the servers, the oldest first.
    pub fn servers(self) -> impl DoubleEndedIterator<Item = ServerVersion> + Clone {
        self.oldest.up_to(self.newest)
    }

    /// Returns the environment of the newest server, in which new expressions are compiled.
    #[must_use]
    pub fn environment(self) -> EnvironmentVersion {
        self.newest.environment()
    }

    /// Returns the environment of the oldest server.
    #[must_use]
    pub fn oldest_environment(self) -> EnvironmentVersion {
        self.oldest.environment()
    }
}

impl Default for Target {
    fn default() -> Self {
        Self {
            oldest: ServerVersion::NEWEST_KINDS,
            newest: ServerVersion::NEWEST_KINDS,
            is_chosen: false,
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_range() {
            write!(f, "{}..{}", self.oldest, self.newest)
        } else {
            write!(f, "{}", self.newest)
        }
    }
}

impl fmt::Display for TargetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (oldest, newest) = (ServerVersion::OLDEST, ServerVersion::NEWEST);
        match self {
            TargetError::Form => f.write_str(
                "Write the minor version, such as `1.33`, or a range, such as `1.30..1.36`.",
            ),
            TargetError::Unknown(minor) => write!(
                f,
                "Kubernetes 1.{minor} is not supported. Write a version from {oldest} to {newest}."
            ),
            TargetError::Reversed => {
                f.write_str("The range goes backward. Write the older version first.")
            }
        }
    }
}

impl std::error::Error for TargetError {}

fn version(text: &str) -> Result<ServerVersion, TargetError> {
    let text = text.trim();
    let text = text.strip_prefix('v').unwrap_or(text);
    let minor = text.strip_prefix("1.").ok_or(TargetError::Form)?;
    let is_number = !minor.is_empty() && minor.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number {
        return Err(TargetError::Form);
    }
    let minor: u8 = minor.parse().map_err(|_| TargetError::Form)?;
    if (ServerVersion::OLDEST.0..=ServerVersion::NEWEST.0).contains(&minor) {
        Ok(ServerVersion(minor))
    } else {
        Err(TargetError::Unknown(minor))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_version_and_a_range() {
        let text = |text: &str| Target::parse(text).map(|target| target.to_string());
        assert_eq!(text("1.30"), Ok("1.30".to_owned()));
        assert_eq!(text(" v1.30 .. 1.36 "), Ok("1.30..1.36".to_owned()));
        assert_eq!(text("1.36..1.30"), Err(TargetError::Reversed));
        assert_eq!(text("1.12"), Err(TargetError::Unknown(12)));
        assert_eq!(text("1.999"), Err(TargetError::Form));
        assert_eq!(text("1.+30"), Err(TargetError::Form));
        assert_eq!(text(""), Err(TargetError::Form));
        assert_eq!(text("1.30.2"), Err(TargetError::Form));
    }

    #[test]
    fn a_target_knows_whether_somebody_chose_it() {
        assert!(!Target::default().is_chosen());
        assert!(Target::parse("1.37").unwrap().is_chosen());
        assert_eq!(
            Target::parse("1.38").unwrap().environment(),
            EnvironmentVersion(37)
        );
        assert_eq!(Target::parse("1.39"), Err(TargetError::Unknown(39)));
    }

    #[test]
    fn the_newest_of_a_range_is_evaluated() {
        assert_eq!(
            Target::parse("1.30..1.37").unwrap().server(),
            ServerVersion(37)
        );
        assert_eq!(Target::parse("1.30").unwrap().server(), ServerVersion(30));
        assert_eq!(Target::default().server(), ServerVersion(36));
        assert_eq!(Target::default().environment(), EnvironmentVersion(36));
    }
}
