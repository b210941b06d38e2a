//! Time zones.
//!
//! The zones are built in, so that an expression has the same result on every machine.
//!
//! Upstream: cel-go, common/stdlib/standard.go, `inTimeZone`; Go, time/zoneinfo.go,
//! `LoadLocation`.

use crate::changes::OFFSET_MINUTES_HAVE_A_RANGE;
use crate::value::{EvalError, Timestamp, number, quoted};
use jiff::tz::TimeZoneDatabase;
use std::sync::LazyLock;

static ZONES: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);

/// Returns the seconds by which the clocks of a zone are ahead of UTC. A zone with a colon is
/// an offset of hours and minutes, `-08:00`; anything else is a name, `Europe/Paris`.
pub(super) fn offset(zone: &str, time: Timestamp, release: u8) -> Result<i64, EvalError> {
    match zone.split_once(':') {
        Some((hours, minutes)) => fixed(zone, hours, minutes, release),
        None => named(zone, time),
    }
}

/// Returns why Go does not load the time zone of a name.
pub(super) fn name_error(name: &str) -> Option<String> {
    let epoch = Timestamp::from_unix(0, 0)?;
    let error = named(name, epoch).err()?;
    Some(error.to_string())
}

fn fixed(zone: &str, hours: &str, minutes: &str, release: u8) -> Result<i64, EvalError> {
    let (hours, minutes) = (integer(hours)?, integer(minutes)?);
    if OFFSET_MINUTES_HAVE_A_RANGE.applies(release) && !(0..60).contains(&minutes) {
        return Err(EvalError::message(format!(
            "timezone offset minutes out of range [0, 59]: {zone}"
        )));
    }
    let minutes = if zone.starts_with('-') {
        hours.wrapping_mul(60).wrapping_sub(minutes)
    } else {
        hours.wrapping_mul(60).wrapping_add(minutes)
    };
    // Go computes with nanoseconds.
    Ok(minutes.wrapping_mul(60_000_000_000) / 1_000_000_000)
}

fn integer(text: &str) -> Result<i64, EvalError> {
    number::parse_int(text).ok_or_else(|| {
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let reason = if is_number {
            "value out of range"
        } else {
            "invalid syntax"
        };
        let quoted = quoted(text);
        EvalError::message(format!("strconv.Atoi: parsing {quoted}: {reason}"))
    })
}

fn named(zone: &str, time: Timestamp) -> Result<i64, EvalError> {
    // An API server runs in UTC.
    if matches!(zone, "" | "UTC" | "Local") {
        return Ok(0);
    }
    if zone.contains("..") || zone.starts_with(['/', '\\']) {
        return Err(EvalError::message("time: invalid location name"));
    }
    // No time zone has such a name.
    if zone.contains('\0') {
        return Err(EvalError::message("invalid argument"));
    }
    let unknown = || EvalError::message(format!("unknown time zone {zone}"));
    let found = ZONES.get(zone).map_err(|_| unknown())?;
    // Go looks up a zone as a file, so case matters.
    if found.iana_name() != Some(zone) {
        return Err(unknown());
    }
    // The last day of year 9999 is outside the range of the crate. No zone changes there.
    let seconds = time.seconds().min(jiff::Timestamp::MAX.as_second());
    let time = jiff::Timestamp::from_second(seconds).map_err(|_| unknown())?;
    Ok(i64::from(found.to_offset(time).seconds()))
}
