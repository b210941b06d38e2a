//! Arithmetic.
//!
//! A result that does not fit its type is an error.

use crate::library::{Context, Function, overloads};
use crate::value::{Duration, EvalError, Timestamp, Value};

/// `_+_`
pub(super) const ADD: Function = Function {
    doc: "Adds numbers, timestamps and durations; concatenates strings, bytes and lists.",
    example: "1 + 2 == 3 && 'a' + 'b' == 'ab' && [1] + [2] == [1, 2]",
    overloads: overloads![
        global "add_bytes": "bytes, bytes" -> "bytes";
        global "add_double": "double, double" -> "double";
        global "add_duration_duration":
            "google.protobuf.Duration, google.protobuf.Duration" -> "google.protobuf.Duration";
        global "add_duration_timestamp":
            "google.protobuf.Duration, google.protobuf.Timestamp" -> "google.protobuf.Timestamp";
        global "add_timestamp_duration":
            "google.protobuf.Timestamp, google.protobuf.Duration" -> "google.protobuf.Timestamp";
        global "add_int64": "int, int" -> "int";
        global "add_list": "list(<A>), list(<A>)" -> "list(<A>)";
        global "add_string": "string, string" -> "string";
        global "add_uint64": "uint, uint" -> "uint";
    ],
    implementation: Some(add),
    ..Function::named("_+_")
};

/// `_/_`
pub(super) const DIVIDE: Function = Function {
    doc: "Divides numbers. Integer division truncates toward zero; division by zero is an error.",
    example: "7 / 2 == 3 && 7.0 / 2.0 == 3.5",
    overloads: overloads![
        global "divide_double": "double, double" -> "double";
        global "divide_int64": "int, int" -> "int";
        global "divide_uint64": "uint, uint" -> "uint";
    ],
    implementation: Some(divide),
    ..Function::named("_/_")
};

/// `_%_`
pub(super) const MODULO: Function = Function {
    doc: "Returns the remainder of an integer division, with the sign of the first operand.",
    example: "7 % 3 == 1 && -7 % 3 == -1",
    overloads: overloads![
        global "modulo_int64": "int, int" -> "int";
        global "modulo_uint64": "uint, uint" -> "uint";
    ],
    implementation: Some(modulo),
    ..Function::named("_%_")
};

/// `_*_`
pub(super) const MULTIPLY: Function = Function {
    doc: "Multiplies numbers.",
    example: "6 * 7 == 42",
    overloads: overloads![
        global "multiply_double": "double, double" -> "double";
        global "multiply_int64": "int, int" -> "int";
        global "multiply_uint64": "uint, uint" -> "uint";
    ],
    implementation: Some(multiply),
    ..Function::named("_*_")
};

/// `-_`
pub(super) const NEGATE: Function = Function {
    doc: "Negates a number.",
    example: "-(1 - 3) == 2",
    overloads: overloads![
        global "negate_double": "double" -> "double";
        global "negate_int64": "int" -> "int";
    ],
    implementation: Some(negate),
    ..Function::named("-_")
};

/// `_-_`
pub(super) const SUBTRACT: Function = Function {
    doc: "Subtracts numbers, timestamps and durations.",
    example: "5 - 3 == 2 && duration('1h') - duration('1m') == duration('59m')",
    overloads: overloads![
        global "subtract_double": "double, double" -> "double";
        global "subtract_duration_duration":
            "google.protobuf.Duration, google.protobuf.Duration" -> "google.protobuf.Duration";
        global "subtract_int64": "int, int" -> "int";
        global "subtract_timestamp_duration":
            "google.protobuf.Timestamp, google.protobuf.Duration" -> "google.protobuf.Timestamp";
        global "subtract_timestamp_timestamp":
            "google.protobuf.Timestamp, google.protobuf.Timestamp" -> "google.protobuf.Duration";
        global "subtract_uint64": "uint, uint" -> "uint";
    ],
    implementation: Some(subtract),
    ..Function::named("_-_")
};

const INT_OVERFLOW: &str = "integer overflow";
const UINT_OVERFLOW: &str = "unsigned integer overflow";
const TIMESTAMP_OVERFLOW: &str = "timestamp overflow";
const DIVISION_BY_ZERO: &str = "division by zero";
const MODULUS_BY_ZERO: &str = "modulus by zero";

/// Returns `a + b`.
///
/// # Errors
/// The result does not fit, or the values cannot be added.
pub fn add(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let [a, b] = args else {
        return Err(EvalError::no_such_overload());
    };
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => int(a.checked_add(*b)),
        (Value::Uint(a), Value::Uint(b)) => uint(a.checked_add(*b)),
        (Value::Double(a), Value::Double(b)) => Ok(Value::Double(a + b)),
        (Value::String(a), Value::String(b)) => Ok(Value::String([&**a, &**b].concat().into())),
        (Value::Bytes(a), Value::Bytes(b)) => Ok(Value::Bytes([&**a, &**b].concat().into())),
        (Value::List(a), Value::List(b)) => Ok(Value::List(a.plus(b))),
        (Value::Duration(a), Value::Duration(b)) => duration(a.nanos.checked_add(b.nanos)),
        (Value::Duration(a), Value::Timestamp(b)) => timestamp(b.checked_add(*a)),
        (Value::Timestamp(a), Value::Duration(b)) => timestamp(a.checked_add(*b)),
        (
            Value::Int(_)
            | Value::Uint(_)
            | Value::Double(_)
            | Value::String(_)
            | Value::Bytes(_)
            | Value::List(_)
            | Value::Duration(_)
            | Value::Timestamp(_),
            _,
        ) => Err(EvalError::no_such_overload()),
        _ => Err(unsupported("_+_", a)),
    }
}

/// Returns `a - b`.
///
/// # Errors
/// The result does not fit, or the values cannot be subtracted.
pub(crate) fn subtract(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let [a, b] = args else {
        return Err(EvalError::no_such_overload());
    };
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => int(a.checked_sub(*b)),
        (Value::Uint(a), Value::Uint(b)) => uint(a.checked_sub(*b)),
        (Value::Double(a), Value::Double(b)) => Ok(Value::Double(a - b)),
        (Value::Duration(a), Value::Duration(b)) => duration(a.nanos.checked_sub(b.nanos)),
        (Value::Timestamp(a), Value::Timestamp(b)) => match a.checked_since(*b) {
            Some(span) => Ok(Value::Duration(span)),
            None => Err(EvalError::out_of_range(INT_OVERFLOW)),
        },
        (Value::Timestamp(a), Value::Duration(b)) => match b.nanos.checked_neg() {
            Some(nanos) => timestamp(a.checked_add(Duration { nanos })),
            None => Err(EvalError::out_of_range(INT_OVERFLOW)),
        },
        (
            Value::Int(_)
            | Value::Uint(_)
            | Value::Double(_)
            | Value::Duration(_)
            | Value::Timestamp(_),
            _,
        ) => Err(EvalError::no_such_overload()),
        _ => Err(unsupported("_-_", a)),
    }
}

/// Returns `a * b`.
///
/// # Errors
/// The result does not fit, or the values are not numbers of one type.
pub fn multiply(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [Value::Int(a), Value::Int(b)] => int(a.checked_mul(*b)),
        [Value::Uint(a), Value::Uint(b)] => uint(a.checked_mul(*b)),
        [Value::Double(a), Value::Double(b)] => Ok(Value::Double(a * b)),
        [Value::Int(_) | Value::Uint(_) | Value::Double(_), _] => {
            Err(EvalError::no_such_overload())
        }
        _ => Err(unsupported_first("_*_", args)),
    }
}

/// Returns `a / b`.
///
/// # Errors
/// The divisor is the integer 0, the result does not fit, or the values are not numbers of
/// one type.
pub(crate) fn divide(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [Value::Int(_), Value::Int(0)] | [Value::Uint(_), Value::Uint(0)] => {
            Err(EvalError::message(DIVISION_BY_ZERO))
        }
        [Value::Int(a), Value::Int(b)] => int(a.checked_div(*b)),
        [Value::Uint(a), Value::Uint(b)] => uint(a.checked_div(*b)),
        [Value::Double(a), Value::Double(b)] => Ok(Value::Double(a / b)),
        [Value::Int(_) | Value::Uint(_) | Value::Double(_), _] => {
            Err(EvalError::no_such_overload())
        }
        _ => Err(unsupported_first("_/_", args)),
    }
}

/// Returns `a % b`.
///
/// # Errors
/// The divisor is 0, the result does not fit, or the values are not integers of one type.
pub(crate) fn modulo(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [Value::Int(_), Value::Int(0)] | [Value::Uint(_), Value::Uint(0)] => {
            Err(EvalError::message(MODULUS_BY_ZERO))
        }
        [Value::Int(a), Value::Int(b)] => int(a.checked_rem(*b)),
        [Value::Uint(a), Value::Uint(b)] => uint(a.checked_rem(*b)),
        [Value::Int(_) | Value::Uint(_), _] => Err(EvalError::no_such_overload()),
        _ => Err(unsupported_first("_%_", args)),
    }
}

/// Returns `-a`.
///
/// # Errors
/// The result does not fit, or the value has no sign.
pub(crate) fn negate(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [Value::Int(a)] => int(a.checked_neg()),
        [Value::Double(a)] => Ok(Value::Double(-a)),
        [Value::Duration(a)] => duration(a.nanos.checked_neg()),
        [Value::Bool(_)] => Err(EvalError::no_such_overload()),
        _ => Err(unsupported_first("-_", args)),
    }
}

fn int(result: Option<i64>) -> Result<Value, EvalError> {
    let result = result.ok_or_else(|| EvalError::out_of_range(INT_OVERFLOW))?;
    Ok(Value::Int(result))
}

fn uint(result: Option<u64>) -> Result<Value, EvalError> {
    let result = result.ok_or_else(|| EvalError::out_of_range(UINT_OVERFLOW))?;
    Ok(Value::Uint(result))
}

// A duration overflows like its integer.
fn duration(nanos: Option<i64>) -> Result<Value, EvalError> {
    let nanos = nanos.ok_or_else(|| EvalError::out_of_range(INT_OVERFLOW))?;
    Ok(Value::Duration(Duration { nanos }))
}

fn timestamp(result: Option<Timestamp>) -> Result<Value, EvalError> {
    let result = result.ok_or_else(|| EvalError::out_of_range(TIMESTAMP_OVERFLOW))?;
    Ok(Value::Timestamp(result))
}

/// Returns the failure of an operator on a first operand that has no such operator at all.
///
/// Upstream: cel-go, interpreter/interpretable.go, `evalBinary.Eval`: types that receive
/// calls answer themselves, all others are answered with the name of the operator.
pub(crate) fn unsupported(operator: &'static str, first: &Value) -> EvalError {
    match first {
        Value::String(_) | Value::Duration(_) | Value::Timestamp(_) => {
            EvalError::no_such_overload()
        }
        _ => EvalError::no_such_call(operator),
    }
}

/// Returns the failure for the first of the arguments.
pub(crate) fn unsupported_first(operator: &'static str, args: &[Value]) -> EvalError {
    match args.first() {
        Some(first) => unsupported(operator, first),
        None => EvalError::no_such_overload(),
    }
}
