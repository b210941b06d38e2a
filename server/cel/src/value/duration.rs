//! Spans of time.
//!
//! CEL has the durations of Go: 64 bits of nanoseconds, read and written as Go reads and
//! writes them.

use std::fmt;

/// A span of time in nanoseconds, as Go has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Duration {
    /// The nanoseconds.
    pub nanos: i64,
}

const NANOSECOND: u64 = 1;
const MICROSECOND: u64 = 1_000;
const MILLISECOND: u64 = 1_000_000;
const SECOND: u64 = 1_000_000_000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;

/// One more than the largest number of nanoseconds: the negative of the smallest.
const LIMIT: u64 = 1 << 63;

impl Duration {
    /// Returns a span of nanoseconds.
    #[must_use]
    pub const fn from_nanos(nanos: i64) -> Self {
        Self { nanos }
    }

    /// Parses a duration such as `1h30m`, `-1.5s`, `500ms` or `0`. `None` for anything else,
    /// including one that is too long.
    ///
    /// Upstream: Go, time/format.go, `ParseDuration`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (negative, mut rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        if rest == "0" {
            return Some(Self { nanos: 0 });
        }
        if rest.is_empty() {
            return None;
        }
        let mut total = 0_u64;
        while !rest.is_empty() {
            let (part, after) = parse_part(rest)?;
            total = total.checked_add(part).filter(|sum| *sum <= LIMIT)?;
            rest = after;
        }
        let nanos = if negative {
            0_i64.checked_sub_unsigned(total)?
        } else {
            i64::try_from(total).ok()?
        };
        Some(Self { nanos })
    }

    /// Returns the seconds, with a fraction.
    #[must_use]
    pub fn seconds(self) -> f64 {
        self.in_units(SECOND)
    }

    /// Returns the minutes, with a fraction.
    #[must_use]
    pub fn minutes(self) -> f64 {
        self.in_units(MINUTE)
    }

    /// Returns the hours, with a fraction.
    #[must_use]
    pub fn hours(self) -> f64 {
        self.in_units(HOUR)
    }

    /// Returns the whole milliseconds.
    #[must_use]
    pub const fn milliseconds(self) -> i64 {
        self.nanos / MILLISECOND as i64
    }

    // Upstream: Go, time/time.go: the whole units and the rest are divided apart, which
    // rounds in its own way.
    fn in_units(self, unit: u64) -> f64 {
        let unit = unit as i64;
        (self.nanos / unit) as f64 + (self.nanos % unit) as f64 / unit as f64
    }
}

/// Reads one number with its unit. Returns its nanoseconds and the string after it.
fn parse_part(text: &str) -> Option<(u64, &str)> {
    let (whole, after_whole) = take_digits(text);
    let mut rest = after_whole;
    let mut fraction = "";
    if let Some(after_point) = rest.strip_prefix('.') {
        (fraction, rest) = take_digits(after_point);
    }
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let unit_end = rest
        .find(|next: char| next == '.' || next.is_ascii_digit())
        .unwrap_or(rest.len());
    let (unit, rest) = rest.split_at_checked(unit_end)?;
    let unit = unit_nanos(unit)?;
    let whole = whole_number(whole)?;
    let mut nanos = whole.checked_mul(unit).filter(|nanos| *nanos <= LIMIT)?;
    let (digits, scale) = fraction_number(fraction);
    if digits > 0 {
        let part = digits as f64 * (unit as f64 / scale);
        nanos = nanos
            .checked_add(part as u64)
            .filter(|nanos| *nanos <= LIMIT)?;
    }
    Some((nanos, rest))
}

fn take_digits(text: &str) -> (&str, &str) {
    let end = text
        .find(|next: char| !next.is_ascii_digit())
        .unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

fn whole_number(digits: &str) -> Option<u64> {
    if digits.is_empty() {
        return Some(0);
    }
    digits.parse().ok().filter(|number| *number <= LIMIT)
}

/// Returns the digits of a fraction as a number and its divisor. Digits that no longer fit are
/// left out.
fn fraction_number(digits: &str) -> (u64, f64) {
    let (mut number, mut scale) = (0_u64, 1.0);
    for digit in digits.bytes() {
        let next = number
            .checked_mul(10)
            .and_then(|next| next.checked_add(u64::from(digit - b'0')))
            .filter(|next| *next <= LIMIT && number <= (LIMIT - 1) / 10);
        let Some(next) = next else {
            break;
        };
        number = next;
        scale *= 10.0;
    }
    (number, scale)
}

fn unit_nanos(unit: &str) -> Option<u64> {
    Some(match unit {
        "ns" => NANOSECOND,
        // The micro sign and the Greek letter.
        "us" | "\u{b5}s" | "\u{3bc}s" => MICROSECOND,
        "ms" => MILLISECOND,
        "s" => SECOND,
        "m" => MINUTE,
        "h" => HOUR,
        _ => return None,
    })
}

/// As Go prints it: `1h0m0s`, `1.5s`, `200ms`, `0s`.
///
/// Upstream: Go, time/time.go, `Duration.String`.
impl fmt::Display for Duration {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nanos = self.nanos.unsigned_abs();
        if self.nanos < 0 {
            out.write_str("-")?;
        }
        match nanos {
            0 => return out.write_str("0s"),
            1..MICROSECOND => return write!(out, "{nanos}ns"),
            MICROSECOND..MILLISECOND => return write_fraction(out, nanos, MICROSECOND, "µs"),
            MILLISECOND..SECOND => return write_fraction(out, nanos, MILLISECOND, "ms"),
            _ => {}
        }
        let (hours, minutes) = (nanos / HOUR, nanos % HOUR / MINUTE);
        if hours > 0 {
            write!(out, "{hours}h")?;
        }
        if hours > 0 || minutes > 0 {
            write!(out, "{minutes}m")?;
        }
        write_fraction(out, nanos % MINUTE, SECOND, "s")
    }
}

/// Returns a number of units with the decimals that it needs.
fn write_fraction(out: &mut fmt::Formatter<'_>, nanos: u64, unit: u64, name: &str) -> fmt::Result {
    write!(out, "{}", nanos / unit)?;
    let (mut rest, mut digits) = (nanos % unit, unit.ilog10() as usize);
    if rest > 0 {
        while rest % 10 == 0 {
            rest /= 10;
            digits -= 1;
        }
        write!(out, ".{rest:0digits$}")?;
    }
    out.write_str(name)
}
