//! The exit codes of the program.

use std::process::ExitCode;

/// The exit code after Ctrl-C: 128 plus the number of the signal.
pub(crate) const INTERRUPTED: u8 = 130;

/// The outcome of a command, by increasing importance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// No findings that count.
    Clean,
    /// Findings of at least the fail level.
    Findings,
    /// Something could not be done: invalid arguments, a file that cannot be read.
    Failed,
    /// Interrupted by Ctrl-C.
    Interrupted,
}

impl Exit {
    /// Returns the code.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Exit::Clean => 0,
            Exit::Findings => 1,
            Exit::Failed => 2,
            Exit::Interrupted => INTERRUPTED,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit.code())
    }
}
