//! Functions for regular expressions.
//!
//! The language itself has only `matches`.
use super::argument::{int, string};
use super::cost;
use cel::cost::calls;
use cel::library::{Context, Function, Library, overloads};
use cel::regex::Regex;
use cel::value::{EvalError, Value};
use std::sync::Arc;

/// Functions for regular expressions.
pub(crate) static REGEX: Library = Library {
    name: "regex",
    macros: &[],
    functions: &[
        Function {
            doc: "Returns the first match of a regular expression, or the empty string.",
            example: "'abc 123'.find('[0-9]+') == '123'",
            overloads: overloads![
                member "string_find_string" since 24: "string, string" -> "string";
            ],
            estimate: Some(calls::find),
            implementation: Some(find),
            cost: Some(cost::finds),
            regex_argument: Some(1),
            ..Function::named("find")
        },
        Function {
            doc: "Returns all matches of a regular expression, up to the given number.",
            example: "'1 22 333'.findAll('[0-9]+', 2) == ['1', '22']",
            overloads: overloads![
                member "string_find_all_string" since 24:
                    "string, string" -> "list(string)", runs find_all;
                member "string_find_all_string_int" since 24:
                    "string, string, int" -> "list(string)", runs find_all;
            ],
            estimate: Some(calls::find),
            cost: Some(cost::finds),
            regex_argument: Some(1),
            ..Function::named("findAll")
        },
    ],
};

fn pattern(context: &Context<'_>, args: &[Value]) -> Result<Arc<Regex>, EvalError> {
    let regex = context.regex(string(args, 1)?);
    regex.map_err(|error| EvalError::message(format!("Illegal regex: {error}")))
}

fn text(args: &[Value]) -> Result<&str, EvalError> {
    let text = args.first().and_then(Value::native_str);
    text.ok_or_else(EvalError::no_such_overload)
}

fn find(context: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let text = text(args)?;
    let regex = pattern(context, args)?;
    let found = regex.find_iter(text).next();
    Ok(Value::string(found.unwrap_or_default()))
}

/// Returns all matches, up to a limit. A negative limit means no limit.
fn find_all(context: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let text = text(args)?;
    let limit = if args.len() > 2 { int(args, 2)? } else { -1 };
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let regex = pattern(context, args)?;
    let found = regex.find_iter(text).take(limit);
    Ok(Value::list(found.map(Value::string).collect()))
}
