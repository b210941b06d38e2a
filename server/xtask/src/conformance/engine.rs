//! Compiling and running the expression of a case.
//!
//! All files of expressions have the same checks: the error messages, otherwise the type, the value
//! and the cost.

use super::refusal::Refusal;
use cel::Value;
use cel::check::{Checked, check};
use cel::env::Env;
use cel::eval::{Activation, Limits, Outcome, Program};
use cel::syntax::{ParseOptions, parse_with, upstream_location};
use cel::value::Key;
use serde_json::{Number, Value as Json};

/// Limit: the cost budget of an expression in Kubernetes.
///
/// Upstream: kubernetes/apiserver, pkg/apis/cel/config.go, `PerCallLimit`.
const BUDGET: u64 = 1_000_000;

/// The result of an expression.
pub(super) enum Answer {
    /// The syntax is wrong.
    Unread,
    /// The types are wrong.
    Refused {
        /// The errors one by one.
        refusals: Vec<Refusal>,
        /// All of them as cel-go prints them.
        report: String,
    },
    /// It compiles.
    Compiled {
        /// Its type.
        checked: Box<Checked>,
        /// The result of the evaluation, or why the program cannot be created.
        outcome: Result<Outcome, String>,
    },
}

/// Compiles an expression and runs it.
pub(super) fn answer(
    expr: &str,
    options: ParseOptions,
    env: &Env,
    activation: &dyn Activation,
) -> Answer {
    let parse = parse_with(expr, options);
    if !parse.is_ok() {
        return Answer::Unread;
    }
    let checked = check(&parse.ast, env);
    if let Some(report) = checked.upstream_report() {
        let refusals = checked.errors().iter();
        return Answer::Refused {
            refusals: refusals
                .map(|error| {
                    let place = upstream_location(expr, Some(error.offset));
                    Refusal::new(place.line, place.column, &error.message())
                })
                .collect(),
            report,
        };
    }
    let limits = Limits {
        cost: Some(BUDGET),
        ..Limits::default()
    };
    let outcome = Program::new(&checked, env)
        .map(|program| program.run(activation, &limits))
        .map_err(|error| error.to_string());
    Answer::Compiled {
        checked: Box::new(checked),
        outcome,
    }
}

/// Runs an expression without type checking, as the specification requires for some cases.
pub(super) fn run_unchecked(
    expr: &str,
    options: ParseOptions,
    env: &Env,
    activation: &dyn Activation,
) -> Result<Outcome, String> {
    let parse = parse_with(expr, options);
    if let Some(error) = parse.errors.first() {
        return Err(error.message());
    }
    Program::unchecked(&check(&parse.ast, env), env)
        .map(|program| program.run(activation, &Limits::default()))
        .map_err(|error| error.to_string())
}

/// Returns the value of JSON, as for an object of Kubernetes.
pub(super) fn from_json(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => self::number(number),
        Json::String(text) => Value::string(text.as_str()),
        Json::Array(elements) => Value::list(elements.iter().map(from_json).collect()),
        Json::Object(fields) => Value::Map(
            fields
                .iter()
                .map(|(key, value)| (Key::String(key.as_str().into()), from_json(value)))
                .collect(),
        ),
    }
}

/// Returns a number as Kubernetes received it: through a `float64`, which rounds large integers.
fn number(number: &Number) -> Value {
    let double = number.as_f64().unwrap_or(f64::NAN);
    if number.is_f64() {
        Value::Double(double)
    } else {
        Value::Int(double as i64)
    }
}
