//! Points in time.

/// A point in time: seconds since 1970 in UTC, and nanoseconds after that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timestamp {
    /// The seconds, from year 1 to year 9999.
    pub seconds: i64,
    /// Less than 1,000,000,000.
    pub nanos: u32,
}
