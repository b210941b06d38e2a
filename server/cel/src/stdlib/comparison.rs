//! Order.

use crate::library::{Context, Function, overloads};
use crate::value::{EvalError, Value};
use std::cmp::Ordering;

/// `_<_`
pub(super) const LESS: Function = Function {
    doc: "Returns true if the first value is less than the second. Strings are compared by code point; false is less than true.",
    example: "1 < 2 && 'a' < 'b' && duration('1s') < duration('1m')",
    overloads: overloads![
        global "less_bool": "bool, bool" -> "bool";
        global "less_int64": "int, int" -> "bool";
        global "less_int64_double" since 28: "int, double" -> "bool";
        global "less_int64_uint64" since 28: "int, uint" -> "bool";
        global "less_uint64": "uint, uint" -> "bool";
        global "less_uint64_double" since 28: "uint, double" -> "bool";
        global "less_uint64_int64" since 28: "uint, int" -> "bool";
        global "less_double": "double, double" -> "bool";
        global "less_double_int64" since 28: "double, int" -> "bool";
        global "less_double_uint64" since 28: "double, uint" -> "bool";
        global "less_string": "string, string" -> "bool";
        global "less_bytes": "bytes, bytes" -> "bool";
        global "less_timestamp": "google.protobuf.Timestamp, google.protobuf.Timestamp" -> "bool";
        global "less_duration": "google.protobuf.Duration, google.protobuf.Duration" -> "bool";
    ],
    implementation: Some(less),
    ..Function::named("_<_")
};

/// `_<=_`
pub(super) const LESS_EQUALS: Function = Function {
    doc: "Returns true if the first value is less than or equal to the second.",
    example: "1 <= 1 && 1 <= 1.5",
    overloads: overloads![
        global "less_equals_bool": "bool, bool" -> "bool";
        global "less_equals_int64": "int, int" -> "bool";
        global "less_equals_int64_double" since 28: "int, double" -> "bool";
        global "less_equals_int64_uint64" since 28: "int, uint" -> "bool";
        global "less_equals_uint64": "uint, uint" -> "bool";
        global "less_equals_uint64_double" since 28: "uint, double" -> "bool";
        global "less_equals_uint64_int64" since 28: "uint, int" -> "bool";
        global "less_equals_double": "double, double" -> "bool";
        global "less_equals_double_int64" since 28: "double, int" -> "bool";
        global "less_equals_double_uint64" since 28: "double, uint" -> "bool";
        global "less_equals_string": "string, string" -> "bool";
        global "less_equals_bytes": "bytes, bytes" -> "bool";
        global "less_equals_timestamp":
            "google.protobuf.Timestamp, google.protobuf.Timestamp" -> "bool";
        global "less_equals_duration":
            "google.protobuf.Duration, google.protobuf.Duration" -> "bool";
    ],
    implementation: Some(less_equals),
    ..Function::named("_<=_")
};

/// `_>_`
pub(super) const GREATER: Function = Function {
    doc: "Returns true if the first value is greater than the second.",
    example: "2 > 1 && timestamp('2024-01-02T00:00:00Z') > timestamp('2024-01-01T00:00:00Z')",
    overloads: overloads![
        global "greater_bool": "bool, bool" -> "bool";
        global "greater_int64": "int, int" -> "bool";
        global "greater_int64_double" since 28: "int, double" -> "bool";
        global "greater_int64_uint64" since 28: "int, uint" -> "bool";
        global "greater_uint64": "uint, uint" -> "bool";
        global "greater_uint64_double" since 28: "uint, double" -> "bool";
        global "greater_uint64_int64" since 28: "uint, int" -> "bool";
        global "greater_double": "double, double" -> "bool";
        global "greater_double_int64" since 28: "double, int" -> "bool";
        global "greater_double_uint64" since 28: "double, uint" -> "bool";
        global "greater_string": "string, string" -> "bool";
        global "greater_bytes": "bytes, bytes" -> "bool";
        global "greater_timestamp":
            "google.protobuf.Timestamp, google.protobuf.Timestamp" -> "bool";
        global "greater_duration": "google.protobuf.Duration, google.protobuf.Duration" -> "bool";
    ],
    implementation: Some(greater),
    ..Function::named("_>_")
};

/// `_>=_`
pub(super) const GREATER_EQUALS: Function = Function {
    doc: "Returns true if the first value is greater than or equal to the second.",
    example: "2 >= 2",
    overloads: overloads![
        global "greater_equals_bool": "bool, bool" -> "bool";
        global "greater_equals_int64": "int, int" -> "bool";
        global "greater_equals_int64_double" since 28: "int, double" -> "bool";
        global "greater_equals_int64_uint64" since 28: "int, uint" -> "bool";
        global "greater_equals_uint64": "uint, uint" -> "bool";
        global "greater_equals_uint64_double" since 28: "uint, double" -> "bool";
        global "greater_equals_uint64_int64" since 28: "uint, int" -> "bool";
        global "greater_equals_double": "double, double" -> "bool";
        global "greater_equals_double_int64" since 28: "double, int" -> "bool";
        global "greater_equals_double_uint64" since 28: "double, uint" -> "bool";
        global "greater_equals_string": "string, string" -> "bool";
        global "greater_equals_bytes": "bytes, bytes" -> "bool";
        global "greater_equals_timestamp":
            "google.protobuf.Timestamp, google.protobuf.Timestamp" -> "bool";
        global "greater_equals_duration":
            "google.protobuf.Duration, google.protobuf.Duration" -> "bool";
    ],
    implementation: Some(greater_equals),
    ..Function::named("_>=_")
};

/// Returns whether values of this type have an order.
#[must_use]
pub fn is_ordered(value: &Value) -> bool {
    matches!(
        value,
        Value::Bool(_)
            | Value::Int(_)
            | Value::Uint(_)
            | Value::Double(_)
            | Value::String(_)
            | Value::Bytes(_)
            | Value::Duration(_)
            | Value::Timestamp(_)
    )
}

/// Returns the order of two values.
///
/// # Errors
/// They are not ordered: one is not a number, or their types differ. The string names the operator
/// where cel-go does so.
pub fn compare(operator: &'static str, a: &Value, b: &Value) -> Result<Ordering, EvalError> {
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => Ok(a.cmp(b)),
        (Value::String(a), Value::String(b)) => Ok(a.cmp(b)),
        (Value::Bytes(a), Value::Bytes(b)) => Ok(a.cmp(b)),
        (Value::Duration(a), Value::Duration(b)) => Ok(a.cmp(b)),
        (Value::Timestamp(a), Value::Timestamp(b)) => Ok(a.cmp(b)),
        (Value::Double(number), _)
        | (Value::Int(_) | Value::Uint(_) | Value::Double(_), Value::Double(number))
            if number.is_nan() =>
        {
            Err(EvalError::message(NAN))
        }
        _ if is_ordered(a) => a.compare_numbers(b).ok_or_else(EvalError::no_such_overload),
        _ => Err(EvalError::no_such_call(operator)),
    }
}

const NAN: &str = "NaN values cannot be ordered";

fn ordered(
    operator: &'static str,
    args: &[Value],
    accepted: fn(Ordering) -> bool,
) -> Result<Value, EvalError> {
    match args {
        [a, b] => compare(operator, a, b).map(|order| Value::Bool(accepted(order))),
        _ => Err(EvalError::no_such_overload()),
    }
}

fn less(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    ordered("_<_", args, Ordering::is_lt)
}

fn less_equals(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    ordered("_<=_", args, Ordering::is_le)
}

fn greater(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    ordered("_>_", args, Ordering::is_gt)
}

fn greater_equals(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    ordered("_>=_", args, Ordering::is_ge)
}
