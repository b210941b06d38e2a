//! Conversions between types.

use crate::changes::NO_INTEGER_DURATIONS;
use crate::library::{Context, Function, overloads};
use crate::types::Type;
use crate::value::{Duration, EvalError, EvalErrorKind, Timestamp, TimestampError, Value, number};
use std::sync::Arc;

/// `type`
pub(super) const TYPE: Function = Function {
    doc: "Returns the type of a value, to compare with a type name such as `int` or `string`.",
    example: "type(1) == int && type('a') == string",
    overloads: overloads![
        global "type": "<A>" -> "type(<A>)";
    ],
    implementation: Some(to_type),
    ..Function::named("type")
};

/// `bool`
pub(super) const BOOL: Function = Function {
    doc: "Converts a string to a bool: `'1'`, `'t'`, `'true'`, `'TRUE'`, `'True'` are true; `'0'`, `'f'`, `'false'`, `'FALSE'`, `'False'` are false.",
    example: "bool('true')",
    overloads: overloads![
        global "bool_to_bool": "bool" -> "bool";
        global "string_to_bool": "string" -> "bool";
    ],
    implementation: Some(to_bool),
    ..Function::named("bool")
};

/// `bytes`
pub(super) const BYTES: Function = Function {
    doc: "Converts a string to its UTF-8 bytes.",
    example: "bytes('abc') == b'abc'",
    overloads: overloads![
        global "bytes_to_bytes": "bytes" -> "bytes";
        global "string_to_bytes": "string" -> "bytes";
    ],
    implementation: Some(to_bytes),
    ..Function::named("bytes")
};

/// `double`
pub(super) const DOUBLE: Function = Function {
    doc: "Converts a number, or a string that contains one, to a double.",
    example: "double('1.5') == 1.5 && double(2) == 2.0",
    overloads: overloads![
        global "double_to_double": "double" -> "double";
        global "int64_to_double": "int" -> "double";
        global "string_to_double": "string" -> "double";
        global "uint64_to_double": "uint" -> "double";
    ],
    implementation: Some(to_double),
    ..Function::named("double")
};

/// `duration`
pub(super) const DURATION: Function = Function {
    doc: "Parses a duration such as `'1h30m'`, `'500ms'` or `'-2s'`.",
    example: "duration('1h30m') == duration('90m')",
    overloads: overloads![
        global "duration_to_duration": "google.protobuf.Duration" -> "google.protobuf.Duration";
        global "int64_to_duration" until NO_INTEGER_DURATIONS: "int" -> "google.protobuf.Duration";
        global "string_to_duration": "string" -> "google.protobuf.Duration";
    ],
    implementation: Some(to_duration),
    ..Function::named("duration")
};

/// `dyn`
pub(super) const DYN: Function = Function {
    doc: "Returns the value with the type `dyn`, so that its type is checked only when the expression runs.",
    example: "dyn(1) != 'a'",
    overloads: overloads![
        global "to_dyn": "<A>" -> "dyn";
    ],
    implementation: Some(to_dyn),
    ..Function::named("dyn")
};

/// `int`
pub(super) const INT: Function = Function {
    doc: "Converts a value to an int. A double is truncated toward zero, a string is parsed, a timestamp becomes seconds since 1970, and a duration becomes nanoseconds.",
    example: "int('42') == 42 && int(1.9) == 1 && int(timestamp('1970-01-01T00:01:00Z')) == 60",
    overloads: overloads![
        global "int64_to_int64": "int" -> "int";
        global "double_to_int64": "double" -> "int";
        global "duration_to_int64": "google.protobuf.Duration" -> "int";
        global "string_to_int64": "string" -> "int";
        global "timestamp_to_int64": "google.protobuf.Timestamp" -> "int";
        global "uint64_to_int64": "uint" -> "int";
    ],
    implementation: Some(to_int),
    ..Function::named("int")
};

/// `string`
pub(super) const STRING: Function = Function {
    doc: "Converts a value to a string.",
    example: "string(1.5) == '1.5' && string(duration('1m')) == '60s'",
    overloads: overloads![
        global "string_to_string": "string" -> "string";
        global "bool_to_string": "bool" -> "string";
        global "bytes_to_string": "bytes" -> "string";
        global "double_to_string": "double" -> "string";
        global "duration_to_string": "google.protobuf.Duration" -> "string";
        global "int64_to_string": "int" -> "string";
        global "timestamp_to_string": "google.protobuf.Timestamp" -> "string";
        global "uint64_to_string": "uint" -> "string";
    ],
    implementation: Some(to_string),
    ..Function::named("string")
};

/// `timestamp`
pub(super) const TIMESTAMP: Function = Function {
    doc: "Parses an RFC 3339 timestamp such as `'2024-05-01T12:00:00Z'`. An int is interpreted as seconds since 1970.",
    example: "timestamp('1970-01-01T00:00:05Z') == timestamp(5)",
    overloads: overloads![
        global "timestamp_to_timestamp": "google.protobuf.Timestamp" -> "google.protobuf.Timestamp";
        global "int64_to_timestamp": "int" -> "google.protobuf.Timestamp";
        global "string_to_timestamp": "string" -> "google.protobuf.Timestamp";
    ],
    implementation: Some(to_timestamp),
    ..Function::named("timestamp")
};

/// `uint`
pub(super) const UINT: Function = Function {
    doc: "Converts a number to a uint. A double is truncated toward zero, and a string is parsed.",
    example: "uint(3) == 3u && uint('7') == 7u",
    overloads: overloads![
        global "uint64_to_uint64": "uint" -> "uint";
        global "double_to_uint64": "double" -> "uint";
        global "int64_to_uint64": "int" -> "uint";
        global "string_to_uint64": "string" -> "uint";
    ],
    implementation: Some(to_uint),
    ..Function::named("uint")
};

const INT_OVERFLOW: &str = "integer overflow";
const UINT_OVERFLOW: &str = "unsigned integer overflow";
const TIMESTAMP_OVERFLOW: &str = "timestamp overflow";

/// 2 to the power of 63 and of 64, which no integer of that size reaches.
const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;
const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;

/// Returns the failure of a conversion.
fn unreadable(from: &Value, to: &Type) -> EvalError {
    EvalError::new(EvalErrorKind::Conversion {
        from: from.ty(),
        to: to.clone(),
    })
}

fn to_type(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [value] => Ok(Value::Type(Arc::new(value.ty()))),
        _ => Err(EvalError::no_such_overload()),
    }
}

fn to_dyn(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [value] => Ok(value.clone()),
        _ => Err(EvalError::no_such_overload()),
    }
}

fn to_bool(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [value @ Value::Bool(_)] => Ok(value.clone()),
        [value @ Value::String(text)] => number::parse_bool(text)
            .map(Value::Bool)
            .ok_or_else(|| unreadable(value, &Type::Bool)),
        _ => Err(EvalError::no_such_overload_of("bool", args)),
    }
}

fn to_bytes(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [value @ Value::Bytes(_)] => Ok(value.clone()),
        [Value::String(text)] => Ok(Value::bytes(text.as_bytes())),
        _ => Err(EvalError::no_such_overload_of("bytes", args)),
    }
}

fn to_double(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [value @ Value::Double(_)] => Ok(value.clone()),
        [Value::Int(number)] => Ok(Value::Double(*number as f64)),
        [Value::Uint(number)] => Ok(Value::Double(*number as f64)),
        [value @ Value::String(text)] => number::parse_double(text)
            .map(Value::Double)
            .ok_or_else(|| unreadable(value, &Type::Double)),
        _ => Err(EvalError::no_such_overload_of("double", args)),
    }
}

fn to_duration(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [value @ Value::Duration(_)] => Ok(value.clone()),
        [value @ Value::String(text)] => Duration::parse(text)
            .map(Value::Duration)
            .ok_or_else(|| unreadable(value, &Type::Duration)),
        // Declared, but never filled in upstream.
        [value @ Value::Int(_)] => Err(unreadable(value, &Type::Duration)),
        _ => Err(EvalError::no_such_overload_of("duration", args)),
    }
}

fn to_int(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [value @ Value::Int(_)] => Ok(value.clone()),
        [Value::Uint(number)] => int_or_overflow(i64::try_from(*number).ok()),
        [Value::Double(number)] => {
            // The smallest integer is rejected as well.
            let fits = *number > -TWO_TO_63 && *number < TWO_TO_63;
            int_or_overflow(fits.then_some(*number as i64))
        }
        [Value::Duration(span)] => Ok(Value::Int(span.nanos)),
        [Value::Timestamp(time)] => Ok(Value::Int(time.seconds())),
        [value @ Value::String(text)] => number::parse_int(text)
            .map(Value::Int)
            .ok_or_else(|| unreadable(value, &Type::Int)),
        _ => Err(EvalError::no_such_overload_of("int", args)),
    }
}

fn int_or_overflow(number: Option<i64>) -> Result<Value, EvalError> {
    number
        .map(Value::Int)
        .ok_or_else(|| EvalError::out_of_range(INT_OVERFLOW))
}

fn to_string(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let text = match args {
        [value @ Value::String(_)] => return Ok(value.clone()),
        [Value::Bool(value)] => value.to_string(),
        [Value::Int(number)] => number.to_string(),
        [Value::Uint(number)] => number.to_string(),
        [Value::Double(number)] => number::shortest(*number),
        [Value::Bytes(bytes)] => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => return Err(EvalError::new(EvalErrorKind::InvalidUtf8)),
        },
        [Value::Duration(span)] => format!("{}s", span.seconds()),
        [Value::Timestamp(time)] => time.to_string(),
        _ => return Err(EvalError::no_such_overload_of("string", args)),
    };
    Ok(Value::string(text))
}

fn to_timestamp(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [value @ Value::Timestamp(_)] => Ok(value.clone()),
        [Value::Int(seconds)] => Timestamp::from_unix(*seconds, 0)
            .map(Value::Timestamp)
            .ok_or_else(|| EvalError::out_of_range(TIMESTAMP_OVERFLOW)),
        [value @ Value::String(text)] => match Timestamp::parse(text) {
            Ok(time) => Ok(Value::Timestamp(time)),
            Err(TimestampError::Range) => Err(EvalError::out_of_range(TIMESTAMP_OVERFLOW)),
            Err(TimestampError::Syntax) => Err(unreadable(value, &Type::Timestamp)),
        },
        _ => Err(EvalError::no_such_overload_of("timestamp", args)),
    }
}

fn to_uint(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let number = match args {
        [Value::Uint(number)] => Some(*number),
        [Value::Int(number)] => u64::try_from(*number).ok(),
        [Value::Double(number)] => {
            (*number >= 0.0 && *number < TWO_TO_64).then_some(*number as u64)
        }
        [value @ Value::String(text)] => {
            return number::parse_uint(text)
                .map(Value::Uint)
                .ok_or_else(|| unreadable(value, &Type::Uint));
        }
        _ => return Err(EvalError::no_such_overload_of("uint", args)),
    };
    number
        .map(Value::Uint)
        .ok_or_else(|| EvalError::out_of_range(UINT_OVERFLOW))
}
