//! Reading RFC 3339 as Go reads it.
//!
//! Go is more generous than the standard: the hour can have one digit, the decimals can come
//! after a comma, and decimals after the ninth are ignored.
//!
//! Upstream: Go, time/format.go, `Parse` with the layout `RFC3339`.

use super::Timestamp;
use super::calendar::{days_of_month, days_to};

/// A string that is not a timestamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimestampError {
    /// It does not follow RFC 3339, or its date or time does not exist.
    Syntax,
    /// It is before year 1 or after year 9999.
    Range,
}

impl Timestamp {
    /// Parses a timestamp such as `2024-05-01T12:00:00Z` or `2024-05-01T14:00:00.5+02:00`.
    ///
    /// # Errors
    /// The string is not a timestamp, or one that CEL does not have.
    pub fn parse(text: &str) -> Result<Self, TimestampError> {
        let (seconds, nanos, offset) = read(text).ok_or(TimestampError::Syntax)?;
        let mut timestamp = Self::from_unix(seconds, nanos).ok_or(TimestampError::Range)?;
        timestamp.offset = offset;
        Ok(timestamp)
    }
}

fn read(text: &str) -> Option<(i64, u32, i32)> {
    let (year, rest) = digits(text, 4)?;
    let (month, rest) = digits(rest.strip_prefix('-')?, 2)?;
    let (day, rest) = digits(rest.strip_prefix('-')?, 2)?;
    let rest = rest.strip_prefix('T')?;
    let (hour, rest) = digits(rest, 2).or_else(|| digits(rest, 1))?;
    let (minute, rest) = digits(rest.strip_prefix(':')?, 2)?;
    let (second, rest) = digits(rest.strip_prefix(':')?, 2)?;
    let (nanos, rest) = decimals(rest)?;
    let offset = zone(rest)?;
    let year = i64::from(year);
    let (month, day) = (u8::try_from(month).ok()?, u8::try_from(day).ok()?);
    let is_date = day >= 1 && day <= days_of_month(year, month);
    if !is_date || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let time = i64::from(hour * 3600 + minute * 60 + second);
    let seconds = days_to(year, month, day) * 86_400 + time - i64::from(offset);
    Some((seconds, nanos, offset))
}

/// Returns a number of that many digits, and the string after it.
fn digits(text: &str, count: usize) -> Option<(u32, &str)> {
    let (number, rest) = text.split_at_checked(count)?;
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| number.parse().ok())?.map(|it| (it, rest))
}

/// Returns the nanoseconds of the decimals, if there are any.
fn decimals(text: &str) -> Option<(u32, &str)> {
    let Some(fraction) = text.strip_prefix(['.', ',']) else {
        return Some((0, text));
    };
    let end = fraction
        .find(|next: char| !next.is_ascii_digit())
        .unwrap_or(fraction.len());
    let (fraction, rest) = fraction.split_at_checked(end)?;
    if fraction.is_empty() {
        return None;
    }
    let fraction = fraction.get(..9).unwrap_or(fraction);
    let scale = 10_u32.pow(9 - u32::try_from(fraction.len()).ok()?);
    Some((fraction.parse::<u32>().ok()? * scale, rest))
}

/// Returns the offset in seconds that ends the string.
fn zone(text: &str) -> Option<i32> {
    if text == "Z" {
        return Some(0);
    }
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+')?),
    };
    let (hours, rest) = digits(rest, 2)?;
    let (minutes, rest) = digits(rest.strip_prefix(':')?, 2)?;
    if !rest.is_empty() || hours > 24 || minutes > 60 {
        return None;
    }
    Some(sign * i32::try_from((hours * 60 + minutes) * 60).ok()?)
}
