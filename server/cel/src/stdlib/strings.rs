//! Strings.

use crate::library::{Context, Function, overloads};
use crate::value::{EvalError, Value};

/// `contains`
pub(super) const CONTAINS: Function = Function {
    doc: "Returns true if the string contains the other string.",
    example: "'kubernetes'.contains('bern')",
    overloads: overloads![
        member "contains_string": "string, string" -> "bool";
    ],
    implementation: Some(contains),
    ..Function::named("contains")
};

/// `endsWith`
pub(super) const ENDS_WITH: Function = Function {
    doc: "Returns true if the string ends with the other string.",
    example: "'image:latest'.endsWith(':latest')",
    overloads: overloads![
        member "ends_with_string": "string, string" -> "bool";
    ],
    implementation: Some(ends_with),
    ..Function::named("endsWith")
};

/// `startsWith`
pub(super) const STARTS_WITH: Function = Function {
    doc: "Returns true if the string starts with the other string.",
    example: "'team-a'.startsWith('team-')",
    overloads: overloads![
        member "starts_with_string": "string, string" -> "bool";
    ],
    implementation: Some(starts_with),
    ..Function::named("startsWith")
};

fn contains(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [Value::String(text), Value::String(part)] => Ok(Value::Bool(text.contains(&**part))),
        _ => Err(EvalError::no_such_overload()),
    }
}

fn ends_with(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [Value::String(text), Value::String(end)] => Ok(Value::Bool(text.ends_with(&**end))),
        _ => Err(EvalError::no_such_overload()),
    }
}

fn starts_with(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [Value::String(text), Value::String(start)] => Ok(Value::Bool(text.starts_with(&**start))),
        _ => Err(EvalError::no_such_overload()),
    }
}
