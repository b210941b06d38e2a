//! The result of a step of the tests.

mod counts;

use crate::error::Error;
pub(crate) use counts::Counts;
use std::io::Write;

/// The result of a step.
pub(crate) enum Outcome {
    /// It counts its tests itself.
    Ran(Counts),
    /// It could not be run here: why, and what to do.
    Missing(String),
}

impl Outcome {
    /// Prints the counts of a command.
    ///
    /// # Errors
    /// If a test failed, or the command could not run.
    pub(crate) fn report(&self, out: &mut dyn Write) -> Result<(), Error> {
        match self {
            Self::Ran(counts) if counts.failed == 0 => Ok(writeln!(out, "{counts}")?),
            Self::Ran(counts) => Err(Error::Failed(counts.to_string())),
            Self::Missing(why) => Err(Error::Failed(why.clone())),
        }
    }
}
