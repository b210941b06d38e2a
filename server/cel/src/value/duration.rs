//! Spans of time.

/// A span of time in nanoseconds, as Go has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Duration {
    /// The nanoseconds.
    pub nanos: i64,
}
