//! Parts of timestamps and durations.

use super::zone;
use crate::library::{Context, Function, overloads};
use crate::value::{Calendar, EvalError, Timestamp, Value};

/// Returns why Go does not load the time zone of a name; `None` if it does.
#[must_use]
pub fn zone_error(name: &str) -> Option<String> {
    zone::name_error(name)
}

/// `getFullYear`
pub(super) const GET_FULL_YEAR: Function = Function {
    doc: "Returns the year. The time zone, such as `'Europe/Paris'` or `'-08:00'`, defaults to UTC.",
    example: "timestamp('2024-05-01T12:30:45Z').getFullYear() == 2024",
    overloads: overloads![
        member "timestamp_to_year": "google.protobuf.Timestamp" -> "int";
        member "timestamp_to_year_with_tz": "google.protobuf.Timestamp, string" -> "int";
    ],
    implementation: Some(full_year),
    ..Function::named("getFullYear")
};

/// `getMonth`
pub(super) const GET_MONTH: Function = Function {
    doc: "Returns the month, counted from 0. The time zone, such as `'Europe/Paris'` or `'-08:00'`, defaults to UTC.",
    example: "timestamp('2024-05-01T12:30:45Z').getMonth() == 4",
    overloads: overloads![
        member "timestamp_to_month": "google.protobuf.Timestamp" -> "int";
        member "timestamp_to_month_with_tz": "google.protobuf.Timestamp, string" -> "int";
    ],
    implementation: Some(month),
    ..Function::named("getMonth")
};

/// `getDayOfYear`
pub(super) const GET_DAY_OF_YEAR: Function = Function {
    doc: "Returns the day of the year, counted from 0. The time zone, such as `'Europe/Paris'` or `'-08:00'`, defaults to UTC.",
    example: "timestamp('2024-02-01T12:30:45Z').getDayOfYear() == 31",
    overloads: overloads![
        member "timestamp_to_day_of_year": "google.protobuf.Timestamp" -> "int";
        member "timestamp_to_day_of_year_with_tz": "google.protobuf.Timestamp, string" -> "int";
    ],
    implementation: Some(day_of_year),
    ..Function::named("getDayOfYear")
};

/// `getDayOfMonth`
pub(super) const GET_DAY_OF_MONTH: Function = Function {
    doc: "Returns the day of the month, counted from 0. The time zone, such as `'Europe/Paris'` or `'-08:00'`, defaults to UTC.",
    example: "timestamp('2024-05-01T12:30:45Z').getDayOfMonth() == 0",
    overloads: overloads![
        member "timestamp_to_day_of_month": "google.protobuf.Timestamp" -> "int";
        member "timestamp_to_day_of_month_with_tz": "google.protobuf.Timestamp, string" -> "int";
    ],
    implementation: Some(day_of_month),
    ..Function::named("getDayOfMonth")
};

/// `getDate`
pub(super) const GET_DATE: Function = Function {
    doc: "Returns the day of the month, counted from 1. The time zone, such as `'Europe/Paris'` or `'-08:00'`, defaults to UTC.",
    example: "timestamp('2024-05-01T12:30:45Z').getDate() == 1",
    overloads: overloads![
        member "timestamp_to_day_of_month_1_based": "google.protobuf.Timestamp" -> "int";
        member "timestamp_to_day_of_month_1_based_with_tz":
            "google.protobuf.Timestamp, string" -> "int";
    ],
    implementation: Some(date),
    ..Function::named("getDate")
};

/// `getDayOfWeek`
pub(super) const GET_DAY_OF_WEEK: Function = Function {
    doc: "Returns the day of the week, from 0 for Sunday. The time zone, such as `'Europe/Paris'` or `'-08:00'`, defaults to UTC.",
    example: "timestamp('2024-05-01T12:30:45Z').getDayOfWeek() == 3",
    overloads: overloads![
        member "timestamp_to_day_of_week": "google.protobuf.Timestamp" -> "int";
        member "timestamp_to_day_of_week_with_tz": "google.protobuf.Timestamp, string" -> "int";
    ],
    implementation: Some(day_of_week),
    ..Function::named("getDayOfWeek")
};

/// `getHours`
pub(super) const GET_HOURS: Function = Function {
    doc: "Returns the hour of a timestamp, or a duration in whole hours. The time zone, such as `'Europe/Paris'` or `'-08:00'`, defaults to UTC.",
    example: "timestamp('2024-05-01T12:30:45Z').getHours('+02:00') == 14 && duration('90m').getHours() == 1",
    overloads: overloads![
        member "timestamp_to_hours": "google.protobuf.Timestamp" -> "int";
        member "timestamp_to_hours_with_tz": "google.protobuf.Timestamp, string" -> "int";
        member "duration_to_hours": "google.protobuf.Duration" -> "int";
    ],
    implementation: Some(hours),
    ..Function::named("getHours")
};

/// `getMinutes`
pub(super) const GET_MINUTES: Function = Function {
    doc: "Returns the minute of a timestamp, or a duration in whole minutes. The time zone, such as `'Europe/Paris'` or `'-08:00'`, defaults to UTC.",
    example: "timestamp('2024-05-01T12:30:45Z').getMinutes() == 30 && duration('90m').getMinutes() == 90",
    overloads: overloads![
        member "timestamp_to_minutes": "google.protobuf.Timestamp" -> "int";
        member "timestamp_to_minutes_with_tz": "google.protobuf.Timestamp, string" -> "int";
        member "duration_to_minutes": "google.protobuf.Duration" -> "int";
    ],
    implementation: Some(minutes),
    ..Function::named("getMinutes")
};

/// `getSeconds`
pub(super) const GET_SECONDS: Function = Function {
    doc: "Returns the second of a timestamp, or a duration in whole seconds. The time zone, such as `'Europe/Paris'` or `'-08:00'`, defaults to UTC.",
    example: "timestamp('2024-05-01T12:30:45Z').getSeconds() == 45 && duration('2m').getSeconds() == 120",
    overloads: overloads![
        member "timestamp_to_seconds": "google.protobuf.Timestamp" -> "int";
        member "timestamp_to_seconds_tz": "google.protobuf.Timestamp, string" -> "int";
        member "duration_to_seconds": "google.protobuf.Duration" -> "int";
    ],
    implementation: Some(seconds),
    ..Function::named("getSeconds")
};

/// `getMilliseconds`
pub(super) const GET_MILLISECONDS: Function = Function {
    doc: "Returns the milliseconds of a timestamp, or a duration in milliseconds. The time zone, such as `'Europe/Paris'` or `'-08:00'`, defaults to UTC.",
    example: "timestamp('2024-05-01T12:30:45.678Z').getMilliseconds() == 678 && duration('2s').getMilliseconds() == 2000",
    overloads: overloads![
        member "timestamp_to_milliseconds": "google.protobuf.Timestamp" -> "int";
        member "timestamp_to_milliseconds_with_tz": "google.protobuf.Timestamp, string" -> "int";
        member "duration_to_milliseconds": "google.protobuf.Duration" -> "int";
    ],
    implementation: Some(milliseconds),
    ..Function::named("getMilliseconds")
};

/// Returns a part of a timestamp, in the time zone of the second argument or in UTC.
fn part(
    context: &Context<'_>,
    function: &str,
    args: &[Value],
    of: fn(Calendar, Timestamp) -> i64,
) -> Result<Value, EvalError> {
    let (time, offset) = match args {
        [Value::Timestamp(time)] => (*time, 0),
        [Value::Timestamp(time), Value::String(zone)] => {
            (*time, zone::offset(zone, *time, context.release())?)
        }
        _ => return Err(EvalError::no_such_overload_of(function, args)),
    };
    Ok(Value::Int(of(time.calendar(offset), time)))
}

fn full_year(context: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    part(context, "getFullYear", args, |at, _| at.year)
}

fn month(context: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    part(context, "getMonth", args, |at, _| i64::from(at.month) - 1)
}

fn day_of_year(context: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    part(context, "getDayOfYear", args, |at, _| {
        i64::from(at.day_of_year)
    })
}

fn day_of_month(context: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    part(context, "getDayOfMonth", args, |at, _| {
        i64::from(at.day) - 1
    })
}

fn date(context: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    part(context, "getDate", args, |at, _| i64::from(at.day))
}

fn day_of_week(context: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    part(context, "getDayOfWeek", args, |at, _| {
        i64::from(at.day_of_week)
    })
}

fn hours(context: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [Value::Duration(span)] => Ok(Value::Int(span.hours() as i64)),
        _ => part(context, "getHours", args, |at, _| i64::from(at.hour)),
    }
}

fn minutes(context: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [Value::Duration(span)] => Ok(Value::Int(span.minutes() as i64)),
        _ => part(context, "getMinutes", args, |at, _| i64::from(at.minute)),
    }
}

fn seconds(context: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [Value::Duration(span)] => Ok(Value::Int(span.seconds() as i64)),
        _ => part(context, "getSeconds", args, |at, _| i64::from(at.second)),
    }
}

fn milliseconds(context: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [Value::Duration(span)] => Ok(Value::Int(span.milliseconds())),
        _ => part(context, "getMilliseconds", args, |_, time| {
            i64::from(time.nanos() / 1_000_000)
        }),
    }
}
