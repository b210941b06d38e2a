//! The result of a step of the tests.

mod counts;

pub(crate) use counts::Counts;

/// The result of a step.
pub(crate) enum Outcome {
    /// It counts its tests itself.
    Ran(Counts),
    /// It could not be run here: why, and what to do.
    Missing(String),
}
