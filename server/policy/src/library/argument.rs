//! The arguments of a call, converted to their types.

use cel::value::{EvalError, Value};

/// Returns a string.
///
/// # Errors
/// The argument is missing or has another type.
pub(super) fn string(args: &[Value], at: usize) -> Result<&str, EvalError> {
    let found = args.get(at).and_then(Value::as_str);
    found.ok_or_else(EvalError::no_such_overload)
}

/// Returns an `int`.
///
/// # Errors
/// The argument is missing or has another type.
pub(super) fn int(args: &[Value], at: usize) -> Result<i64, EvalError> {
    let found = args.get(at).and_then(Value::as_int);
    found.ok_or_else(EvalError::no_such_overload)
}

/// Returns a list.
///
/// # Errors
/// The argument is missing or has another type.
pub(super) fn list(args: &[Value], at: usize) -> Result<&[Value], EvalError> {
    let found = args.get(at).and_then(Value::as_list);
    found.ok_or_else(EvalError::no_such_overload)
}

/// Returns a value of a library.
///
/// # Errors
/// The argument is missing or has another type.
pub(super) fn opaque<T: 'static>(args: &[Value], at: usize) -> Result<&T, EvalError> {
    let found = args.get(at).and_then(Value::downcast);
    found.ok_or_else(EvalError::no_such_overload)
}
