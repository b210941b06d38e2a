//! How the program ends.

use std::process::ExitCode;

/// The end of a command, in the order of importance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Nothing to complain about.
    Clean,
    /// Findings of at least the level that counts.
    Findings,
    /// Something could not be done: wrong arguments, a file that cannot be read.
    Failed,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(match exit {
            Exit::Clean => 0,
            Exit::Findings => 1,
            Exit::Failed => 2,
        })
    }
}
