//! The versions of servers and of the environments that they compile expressions in.
//!
//! A server of version N compiles new expressions in the environment of version N-1, so that a
//! cluster can be downgraded by one version, and stored expressions in that of version N. The
//! versions of servers and environments are separate types, so that they cannot be confused.
//!
//! Upstream: kubernetes/apiserver, pkg/cel/environment/base.go, DefaultCompatibilityVersion;
//! environment.go, NewExpressions and StoredExpressions.

use super::changes::NEW_FUNCTIONS_HELD_BACK;
use cel::library::Since;
use std::fmt;

/// The minor version of an API server: 36 is 1.36.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ServerVersion(pub u8);

/// The minor version of an environment of expressions, which upstream calls the compatibility
/// version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EnvironmentVersion(pub u8);

impl ServerVersion {
    /// The oldest known server.
    pub const OLDEST: Self = Self(25);
    /// The newest known server.
    pub const NEWEST: Self = Self(38);
    /// The newest server whose kinds are built in. Later ones are assumed to have the same kinds.
    pub const NEWEST_KINDS: Self = Self(37);
    /// The newest server whose responses have been compared. It is the default for behavior if no
    /// target is chosen.
    pub const COMPARED: Self = Self(36);

    /// Returns the versions from this one to `newest`, both included.
    pub fn up_to(self, newest: Self) -> impl DoubleEndedIterator<Item = Self> + Clone {
        (self.0..=newest.0).map(Self)
    }

    /// Returns the environment of stored expressions, which includes everything that the server
    /// supports.
    #[must_use]
    pub fn stored_environment(self) -> EnvironmentVersion {
        EnvironmentVersion(self.0)
    }

    /// Returns the environment of new expressions.
    #[must_use]
    pub fn environment(self) -> EnvironmentVersion {
        EnvironmentVersion(self.0 - u8::from(NEW_FUNCTIONS_HELD_BACK.applies(self)))
    }
}

impl EnvironmentVersion {
    /// The oldest environment that is distinguished.
    pub const OLDEST: Self = Self(24);
    /// The newest environment.
    pub const NEWEST: Self = Self(37);
    /// The number of environments.
    pub const COUNT: usize = (Self::NEWEST.0 - Self::OLDEST.0) as usize + 1;

    /// Returns all environments, the oldest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        Self::OLDEST.up_to(Self::NEWEST)
    }

    /// Returns the versions from this one to `newest`, both included.
    pub fn up_to(self, newest: Self) -> impl DoubleEndedIterator<Item = Self> + Clone {
        (self.0..=newest.0).map(Self)
    }

    /// Returns the position among all environments.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0.saturating_sub(Self::OLDEST.0))
    }

    /// Returns the first server that compiles new expressions in this environment or a later one.
    #[must_use]
    pub fn first_server(self) -> ServerVersion {
        let mut servers = ServerVersion::OLDEST.up_to(ServerVersion::NEWEST);
        let first = servers.find(|server| server.environment() >= self);
        first.unwrap_or(ServerVersion(self.0.saturating_add(1)))
    }
}

impl From<EnvironmentVersion> for Since {
    fn from(version: EnvironmentVersion) -> Self {
        Self(version.0)
    }
}

impl From<Since> for EnvironmentVersion {
    fn from(since: Since) -> Self {
        Self(since.0)
    }
}

impl fmt::Display for ServerVersion {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "1.{}", self.0)
    }
}

impl fmt::Display for EnvironmentVersion {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "1.{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_offers_the_environment_before() {
        assert_eq!(ServerVersion(36).environment(), EnvironmentVersion(35));
        // The first servers had one environment for all expressions.
        assert_eq!(ServerVersion(27).environment(), EnvironmentVersion(27));
        assert_eq!(ServerVersion(28).environment(), EnvironmentVersion(27));
        assert_eq!(EnvironmentVersion(27).first_server(), ServerVersion(27));
        assert_eq!(EnvironmentVersion(30).first_server(), ServerVersion(31));
        let oldest = EnvironmentVersion::OLDEST.first_server();
        assert_eq!(oldest, ServerVersion::OLDEST);
    }
}
