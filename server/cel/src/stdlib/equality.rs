//! Equality.

use crate::library::{Context, Function, overloads};
use crate::value::{EvalError, Value};

/// `_==_`
pub(super) const EQUALS: Function = Function {
    doc: "Returns true if both values are equal. Numbers are compared across numeric types; other values of different types are not equal.",
    example: "1 == 1 && [1, 2] == [1, 2] && dyn(1) == 1.0",
    overloads: overloads![
        global "equals": "<A>, <A>" -> "bool";
    ],
    implementation: Some(equals),
    ..Function::named("_==_")
};

/// `_!=_`
pub(super) const NOT_EQUALS: Function = Function {
    doc: "Returns true if the values are not equal.",
    example: "1 != 2",
    overloads: overloads![
        global "not_equals": "<A>, <A>" -> "bool";
    ],
    implementation: Some(not_equals),
    ..Function::named("_!=_")
};

fn equals(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [a, b] => a.equals(b).map(Value::Bool),
        _ => Err(EvalError::no_such_overload()),
    }
}

fn not_equals(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [a, b] => match a.equals(b) {
            Err(error) if error.is_fatal() => Err(error),
            equal => Ok(Value::Bool(equal != Ok(true))),
        },
        _ => Err(EvalError::no_such_overload()),
    }
}
