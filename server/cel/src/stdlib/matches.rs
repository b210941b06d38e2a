//! Regular expressions.

use super::arithmetic::unsupported_first;
use crate::library::{Context, Function, overloads};
use crate::value::{EvalError, Value};

/// `matches`
pub(super) const MATCHES: Function = Function {
    doc: "Returns true if the regular expression matches any part of the string. Use `^` and `$` to anchor it. The syntax is RE2, as in Go.",
    example: "'pod-17'.matches('^pod-[0-9]+$')",
    overloads: overloads![
        global "matches": "string, string" -> "bool";
        member "matches_string": "string, string" -> "bool";
    ],
    implementation: Some(matches),
    regex_argument: Some(1),
    ..Function::named("matches")
};

fn matches(context: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [Value::String(text), Value::String(pattern)] => match context.regex(pattern) {
            Ok(regex) => Ok(Value::Bool(regex.is_match(text))),
            Err(error) => Err(EvalError::message(error.to_string())),
        },
        [Value::String(_), _] => Err(EvalError::no_such_overload()),
        _ => Err(unsupported_first("matches", args)),
    }
}
