//! How the program ends.

use std::process::ExitCode;

/// The exit code of a program that Ctrl-C has ended: 128 and the number of the signal.
pub(crate) const INTERRUPTED: u8 = 130;

/// The end of a command, in the order of importance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Nothing to complain about.
    Clean,
    /// Findings of at least the level that counts.
    Findings,
    /// Something could not be done: wrong arguments, a file that cannot be read.
    Failed,
    /// Ctrl-C has ended it before all was done.
    Interrupted,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(match exit {
            Exit::Clean => 0,
            Exit::Findings => 1,
            Exit::Failed => 2,
            Exit::Interrupted => INTERRUPTED,
        })
    }
}
