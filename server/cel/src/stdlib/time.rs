//! Parts of timestamps and durations.

use crate::library::{Function, Overload, Version};

const FIRST: Version = Version::FIRST;

/// `getFullYear`
pub(super) const GET_FULL_YEAR: Function = Function {
    doc: "The year. UTC if no time zone such as `'Europe/Paris'` or `'-08:00'` is given.",
    example: "timestamp('2024-05-01T12:30:45Z').getFullYear() == 2024",
    overloads: &[
        Overload::member(
            "timestamp_to_year",
            "google.protobuf.Timestamp",
            "int",
            FIRST,
        ),
        Overload::member(
            "timestamp_to_year_with_tz",
            "google.protobuf.Timestamp, string",
            "int",
            FIRST,
        ),
    ],
    ..Function::named("getFullYear")
};

/// `getMonth`
pub(super) const GET_MONTH: Function = Function {
    doc: "The month, counted from 0. UTC if no time zone such as `'Europe/Paris'` or `'-08:00'` is given.",
    example: "timestamp('2024-05-01T12:30:45Z').getMonth() == 4",
    overloads: &[
        Overload::member(
            "timestamp_to_month",
            "google.protobuf.Timestamp",
            "int",
            FIRST,
        ),
        Overload::member(
            "timestamp_to_month_with_tz",
            "google.protobuf.Timestamp, string",
            "int",
            FIRST,
        ),
    ],
    ..Function::named("getMonth")
};

/// `getDayOfYear`
pub(super) const GET_DAY_OF_YEAR: Function = Function {
    doc: "The day of the year, counted from 0. UTC if no time zone such as `'Europe/Paris'` or `'-08:00'` is given.",
    example: "timestamp('2024-02-01T12:30:45Z').getDayOfYear() == 31",
    overloads: &[
        Overload::member(
            "timestamp_to_day_of_year",
            "google.protobuf.Timestamp",
            "int",
            FIRST,
        ),
        Overload::member(
            "timestamp_to_day_of_year_with_tz",
            "google.protobuf.Timestamp, string",
            "int",
            FIRST,
        ),
    ],
    ..Function::named("getDayOfYear")
};

/// `getDayOfMonth`
pub(super) const GET_DAY_OF_MONTH: Function = Function {
    doc: "The day of the month, counted from 0. UTC if no time zone such as `'Europe/Paris'` or `'-08:00'` is given.",
    example: "timestamp('2024-05-01T12:30:45Z').getDayOfMonth() == 0",
    overloads: &[
        Overload::member(
            "timestamp_to_day_of_month",
            "google.protobuf.Timestamp",
            "int",
            FIRST,
        ),
        Overload::member(
            "timestamp_to_day_of_month_with_tz",
            "google.protobuf.Timestamp, string",
            "int",
            FIRST,
        ),
    ],
    ..Function::named("getDayOfMonth")
};

/// `getDate`
pub(super) const GET_DATE: Function = Function {
    doc: "The day of the month, counted from 1. UTC if no time zone such as `'Europe/Paris'` or `'-08:00'` is given.",
    example: "timestamp('2024-05-01T12:30:45Z').getDate() == 1",
    overloads: &[
        Overload::member(
            "timestamp_to_day_of_month_1_based",
            "google.protobuf.Timestamp",
            "int",
            FIRST,
        ),
        Overload::member(
            "timestamp_to_day_of_month_1_based_with_tz",
            "google.protobuf.Timestamp, string",
            "int",
            FIRST,
        ),
    ],
    ..Function::named("getDate")
};

/// `getDayOfWeek`
pub(super) const GET_DAY_OF_WEEK: Function = Function {
    doc: "The day of the week: 0 is Sunday. UTC if no time zone such as `'Europe/Paris'` or `'-08:00'` is given.",
    example: "timestamp('2024-05-01T12:30:45Z').getDayOfWeek() == 3",
    overloads: &[
        Overload::member(
            "timestamp_to_day_of_week",
            "google.protobuf.Timestamp",
            "int",
            FIRST,
        ),
        Overload::member(
            "timestamp_to_day_of_week_with_tz",
            "google.protobuf.Timestamp, string",
            "int",
            FIRST,
        ),
    ],
    ..Function::named("getDayOfWeek")
};

/// `getHours`
pub(super) const GET_HOURS: Function = Function {
    doc: "The hour of the day of a timestamp, or the whole hours of a duration. UTC if no time zone such as `'Europe/Paris'` or `'-08:00'` is given.",
    example: "timestamp('2024-05-01T12:30:45Z').getHours('+02:00') == 14 && duration('90m').getHours() == 1",
    overloads: &[
        Overload::member(
            "timestamp_to_hours",
            "google.protobuf.Timestamp",
            "int",
            FIRST,
        ),
        Overload::member(
            "timestamp_to_hours_with_tz",
            "google.protobuf.Timestamp, string",
            "int",
            FIRST,
        ),
        Overload::member(
            "duration_to_hours",
            "google.protobuf.Duration",
            "int",
            FIRST,
        ),
    ],
    ..Function::named("getHours")
};

/// `getMinutes`
pub(super) const GET_MINUTES: Function = Function {
    doc: "The minute of the hour of a timestamp, or all whole minutes of a duration. UTC if no time zone such as `'Europe/Paris'` or `'-08:00'` is given.",
    example: "timestamp('2024-05-01T12:30:45Z').getMinutes() == 30 && duration('90m').getMinutes() == 90",
    overloads: &[
        Overload::member(
            "timestamp_to_minutes",
            "google.protobuf.Timestamp",
            "int",
            FIRST,
        ),
        Overload::member(
            "timestamp_to_minutes_with_tz",
            "google.protobuf.Timestamp, string",
            "int",
            FIRST,
        ),
        Overload::member(
            "duration_to_minutes",
            "google.protobuf.Duration",
            "int",
            FIRST,
        ),
    ],
    ..Function::named("getMinutes")
};

/// `getSeconds`
pub(super) const GET_SECONDS: Function = Function {
    doc: "The second of the minute of a timestamp, or all whole seconds of a duration. UTC if no time zone such as `'Europe/Paris'` or `'-08:00'` is given.",
    example: "timestamp('2024-05-01T12:30:45Z').getSeconds() == 45 && duration('2m').getSeconds() == 120",
    overloads: &[
        Overload::member(
            "timestamp_to_seconds",
            "google.protobuf.Timestamp",
            "int",
            FIRST,
        ),
        Overload::member(
            "timestamp_to_seconds_tz",
            "google.protobuf.Timestamp, string",
            "int",
            FIRST,
        ),
        Overload::member(
            "duration_to_seconds",
            "google.protobuf.Duration",
            "int",
            FIRST,
        ),
    ],
    ..Function::named("getSeconds")
};

/// `getMilliseconds`
pub(super) const GET_MILLISECONDS: Function = Function {
    doc: "The milliseconds of the second of a timestamp, or all milliseconds of a duration. UTC if no time zone such as `'Europe/Paris'` or `'-08:00'` is given.",
    example: "timestamp('2024-05-01T12:30:45.678Z').getMilliseconds() == 678 && duration('2s').getMilliseconds() == 2000",
    overloads: &[
        Overload::member(
            "timestamp_to_milliseconds",
            "google.protobuf.Timestamp",
            "int",
            FIRST,
        ),
        Overload::member(
            "timestamp_to_milliseconds_with_tz",
            "google.protobuf.Timestamp, string",
            "int",
            FIRST,
        ),
        Overload::member(
            "duration_to_milliseconds",
            "google.protobuf.Duration",
            "int",
            FIRST,
        ),
    ],
    ..Function::named("getMilliseconds")
};
