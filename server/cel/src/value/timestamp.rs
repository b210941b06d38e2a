//! Timestamps.
//!
//! A timestamp keeps the offset with which it was written, since `string` writes it with this
//! offset. Comparisons ignore it.

mod calendar;
mod parse;

pub use calendar::Calendar;
pub use parse::TimestampError;

use super::Duration;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// A timestamp: seconds since 1970 in UTC, and nanoseconds after that.
#[derive(Clone, Copy, Debug)]
pub struct Timestamp {
    seconds: i64,
    nanos: u32,
    /// The offset from UTC in seconds with which it is written.
    offset: i32,
}

/// Seconds of the first moment of year 1.
const MIN_SECONDS: i64 = -62_135_596_800;
/// Seconds of the last moment of year 9999.
const MAX_SECONDS: i64 = 253_402_300_799;
const NANOS_OF_SECOND: i64 = 1_000_000_000;

impl Timestamp {
    /// Returns a timestamp in UTC. `None` before year 1 and after year 9999.
    #[must_use]
    pub fn from_unix(seconds: i64, nanos: u32) -> Option<Self> {
        let known = (MIN_SECONDS..=MAX_SECONDS).contains(&seconds);
        (known && i64::from(nanos) < NANOS_OF_SECOND).then_some(Self {
            seconds,
            nanos,
            offset: 0,
        })
    }

    /// Seconds since 1970.
    #[must_use]
    pub const fn seconds(self) -> i64 {
        self.seconds
    }

    /// Nanoseconds after the second.
    #[must_use]
    pub const fn nanos(self) -> u32 {
        self.nanos
    }

    /// Returns whether it is the first moment of year 1, which Go calls the zero time.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.seconds == MIN_SECONDS && self.nanos == 0
    }

    /// Returns the timestamp a duration later. `None` if it leaves the range.
    #[must_use]
    pub fn checked_add(self, span: Duration) -> Option<Self> {
        let nanos = i64::from(self.nanos) + span.nanos % NANOS_OF_SECOND;
        let seconds =
            self.seconds + span.nanos / NANOS_OF_SECOND + nanos.div_euclid(NANOS_OF_SECOND);
        let nanos = u32::try_from(nanos.rem_euclid(NANOS_OF_SECOND)).ok()?;
        Some(Self {
            offset: self.offset,
            ..Self::from_unix(seconds, nanos)?
        })
    }

    /// Returns the duration from another timestamp to this one. `None` if it is too long.
    #[must_use]
    pub(crate) fn checked_since(self, earlier: Self) -> Option<Duration> {
        let seconds = self.seconds.checked_sub(earlier.seconds)?;
        let nanos = i64::from(self.nanos) - i64::from(earlier.nanos);
        let nanos = seconds.checked_mul(NANOS_OF_SECOND)?.checked_add(nanos)?;
        Some(Duration { nanos })
    }

    /// Returns the same timestamp in UTC.
    #[must_use]
    pub const fn in_utc(mut self) -> Self {
        self.offset = 0;
        self
    }

    /// Returns the calendar at an offset from UTC in seconds.
    #[must_use]
    pub(crate) fn calendar(self, offset: i64) -> Calendar {
        Calendar::new(self.seconds.saturating_add(offset))
    }

    /// Formats the timestamp as Go prints it: `2024-05-01 12:00:00 +0000 UTC`.
    pub(crate) fn write_go(self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_date(out, ' ')?;
        let (sign, hours, minutes) = self.offset_parts();
        write!(out, " {sign}{hours:02}{minutes:02} ")?;
        if self.offset == 0 {
            return out.write_str("UTC");
        }
        write!(out, "{sign}{hours:02}{minutes:02}")
    }

    fn write_date(self, out: &mut fmt::Formatter<'_>, separator: char) -> fmt::Result {
        let at = self.calendar(i64::from(self.offset));
        write!(out, "{:04}-{:02}-{:02}", at.year, at.month, at.day)?;
        write!(
            out,
            "{separator}{:02}:{:02}:{:02}",
            at.hour, at.minute, at.second
        )?;
        if self.nanos == 0 {
            return Ok(());
        }
        let (mut rest, mut digits) = (self.nanos, 9);
        while rest % 10 == 0 {
            rest /= 10;
            digits -= 1;
        }
        write!(out, ".{rest:0digits$}")
    }

    const fn offset_parts(self) -> (char, u32, u32) {
        let sign = if self.offset < 0 { '-' } else { '+' };
        let minutes = self.offset.unsigned_abs() / 60;
        (sign, minutes / 60, minutes % 60)
    }
}

/// As RFC 3339 has it, with as many decimals as needed: `2024-05-01T12:00:00.5Z`.
impl fmt::Display for Timestamp {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_date(out, 'T')?;
        if self.offset == 0 {
            return out.write_str("Z");
        }
        let (sign, hours, minutes) = self.offset_parts();
        write!(out, "{sign}{hours:02}:{minutes:02}")
    }
}

impl PartialEq for Timestamp {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Timestamp {}

impl PartialOrd for Timestamp {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Timestamp {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.seconds, self.nanos).cmp(&(other.seconds, other.nanos))
    }
}

impl Hash for Timestamp {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.seconds, self.nanos).hash(state);
    }
}
