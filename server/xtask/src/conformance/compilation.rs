//! `cel.jsonl`: an expression of a policy, and the result of compiling and evaluating it.
//!
//! The message of Kubernetes contains all errors. Those of its generated parser are not reproduced,
//! so an error that begins with `Syntax error:` is compared by its line; all others are compared
//! exactly.

use super::case::{Case, Outcome};
use super::encode;
use super::engine::{Answer, answer, from_json};
use super::refusal::{Refusal, compare};
use cel::Parse;
use cel::check::Checked;
use cel::eval::{self, Bindings};
use cel::syntax::ParseOptions;
use policy::environment::{EnvironmentKind, NEWEST, env};
use serde_json::Value as Json;
use std::sync::LazyLock;

/// The prefix of Kubernetes' compilation errors.
const PREFIX: &str = "compilation failed: ";

/// The prefix of Kubernetes' errors when a program cannot be created.
const PROGRAM: &str = "program instantiation failed: ";

/// The values of the variables, as `cel-vars.json` has them.
const VARIABLES: &str = include_str!("../../../../tests/conformance/cel-vars.json");

static BINDINGS: LazyLock<Bindings> = LazyLock::new(|| {
    let mut bindings = Bindings::new();
    let variables: Json = serde_json::from_str(VARIABLES).unwrap_or_default();
    for (name, value) in variables.as_object().into_iter().flatten() {
        bindings.set(name.as_str(), from_json(value));
    }
    bindings
});

/// Checks the whole result.
pub(super) fn check(case: &Case) -> Outcome {
    let expr = case.require(&["expr"])?;
    if let Some(error) = syntax_error(case) {
        return check_refused(expr, error);
    }
    let env = env(NEWEST, environment_kind(case.require(&["env"])?)?);
    let expected = case.text(&["expect", "error"]);
    match answer(expr, ParseOptions::default(), &env, &*BINDINGS) {
        Answer::Unread => verdict(case, true),
        Answer::Refused { report, .. } => {
            let expected = expected.map(|error| error.strip_prefix(PREFIX).unwrap_or(error));
            same("error", Some(report.as_str()), expected)
        }
        Answer::Compiled { checked, outcome } => match outcome {
            Ok(_) if expected.is_some() => Err(format!(
                "we accept it; Kubernetes says {}",
                expected.unwrap_or_default()
            )),
            Ok(outcome) => check_outcome(case, &checked, &outcome),
            Err(error) => same("error", Some(&format!("{PROGRAM}{error}")), expected),
        },
    }
}

fn check_refused(expr: &str, error: &str) -> Outcome {
    let parse = cel::parse(expr);
    compare(&Refusal::parse_text(error)?, &parse)?;
    if error.contains("Syntax error: ") {
        return Ok(());
    }
    let ours = parse.upstream_report().unwrap_or_default();
    same("error", Some(ours.as_str()), Some(error))
}

fn environment_kind(name: &str) -> Result<EnvironmentKind, String> {
    let (authorizer, patch_types) = match name {
        "vapParams" => (true, false),
        "message" => (false, false),
        "mutation" => (true, true),
        _ => return Err(format!("malformed: no environment `{name}`")),
    };
    Ok(EnvironmentKind::Admission {
        params: true,
        authorizer,
        patch_types,
    })
}

fn check_outcome(case: &Case, checked: &Checked, outcome: &eval::Outcome) -> Outcome {
    let output = checked.output_type().full_runtime_name();
    same(
        "type",
        Some(output.as_str()),
        case.text(&["expect", "outputType"]),
    )?;
    let error = outcome.result.as_ref().err().map(ToString::to_string);
    same(
        "error",
        error.as_deref(),
        case.text(&["expect", "evalError"]),
    )?;
    check_value_and_cost(case, outcome)
}

fn check_value_and_cost(case: &Case, outcome: &eval::Outcome) -> Outcome {
    if let Ok(value) = &outcome.result {
        let ty = value.ty();
        same(
            "type of value",
            Some(ty.runtime_name()),
            case.text(&["expect", "valueType"]),
        )?;
        let ours = encode::value(value);
        let expected = case.get(&["expect", "value"]);
        if Some(&ours) != expected {
            let expected = expected.cloned().unwrap_or_default();
            return Err(format!("value: we say {ours}; Kubernetes says {expected}"));
        }
    }
    let expected = case.get(&["expect", "cost"]).and_then(Json::as_u64);
    if Some(outcome.cost) == expected {
        return Ok(());
    }
    let ours = outcome.cost;
    Err(format!("cost: we say {ours}; Kubernetes says {expected:?}"))
}

/// Checks that the expression fails at the same cost, with any message.
pub(super) fn check_without_words(case: &Case) -> Outcome {
    let expr = case.require(&["expr"])?;
    let env = env(NEWEST, environment_kind(case.require(&["env"])?)?);
    match answer(expr, ParseOptions::default(), &env, &*BINDINGS) {
        Answer::Compiled {
            outcome: Ok(outcome),
            ..
        } if outcome.result.is_err() => check_value_and_cost(case, &outcome),
        _ => Err("we do not fail when the expression runs".into()),
    }
}

/// Returns whether Kubernetes' result begins with an error in a tree that its parser recovered.
pub(super) fn is_guessed(case: &Case) -> bool {
    let refusals = syntax_error(case).and_then(|error| Refusal::parse_text(error).ok());
    refusals.is_some_and(|all| Refusal::is_guess(&all))
}

/// Checks that there is an error on the line of the generated parser's first error.
pub(super) fn check_first_line(case: &Case) -> Outcome {
    let error = syntax_error(case).unwrap_or_default();
    Refusal::compare_first_line(
        &Refusal::parse_text(error)?,
        &cel::parse(case.require(&["expr"])?),
    )
}

/// Compares two optional strings.
pub(super) fn same(what: &str, ours: Option<&str>, expected: Option<&str>) -> Outcome {
    if ours == expected {
        return Ok(());
    }
    let word = |text: Option<&str>| match text {
        None => "nothing".into(),
        Some(text) if text.contains('\n') => format!("this:\n{text}"),
        Some(text) => format!("`{text}`"),
    };
    let (ours, expected) = (word(ours), word(expected));
    Err(format!("{what}: we say {ours}; Kubernetes says {expected}"))
}

/// Checks that the expression is rejected for its syntax exactly if it should be.
pub(super) fn check_syntax(case: &Case) -> Option<Outcome> {
    Some(verdict(case, syntax_error(case).is_none()))
}

/// Returns the expected error without its prefix, if the first error is a syntax error: then
/// Kubernetes does not check types, so all of them are.
fn syntax_error(case: &Case) -> Option<&str> {
    let error = case.text(&["expect", "error"])?.strip_prefix(PREFIX)?;
    let first = Refusal::parse_text(error).ok()?;
    first.first()?.is_of_syntax().then_some(error)
}

/// Compares whether the parser of Kubernetes accepts the expression of a case with the expected
/// result.
pub(super) fn verdict(case: &Case, accepted: bool) -> Outcome {
    verdict_on(&cel::parse(case.require(&["expr"])?), accepted)
}

/// Compares whether an expression was accepted with the expected result.
pub(super) fn verdict_on(parse: &Parse, accepted: bool) -> Outcome {
    match parse.errors.first() {
        None if !accepted => Err("we accept it and should not".into()),
        Some(error) if accepted => Err(format!("we refuse it: {}", error.message())),
        None | Some(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cel::estimate::minimum;

    /// The lower bound of the cost is never above the actual cost.
    #[test]
    fn the_least_cost_is_never_above_what_kubernetes_counts() {
        let cases = include_str!("../../../../tests/conformance/cel.jsonl").lines();
        let mut certain = 0;
        for (at, line) in cases.enumerate() {
            let case = Case::read(at + 1, line.as_bytes()).unwrap();
            let cost = case.get(&["expect", "cost"]).and_then(Json::as_u64);
            let (Some(cost), Some(_)) = (cost, case.get(&["expect", "value"])) else {
                continue;
            };
            let parse = cel::parse(case.require(&["expr"]).unwrap());
            let env = env(
                NEWEST,
                environment_kind(case.require(&["env"]).unwrap()).unwrap(),
            );
            let checked = cel::check::check(&parse.ast, &env);
            let least = minimum(&checked, &env);
            assert!(least <= cost, "{}: {least} > {cost}", case.id);
            certain += usize::from(least > 0);
        }
        assert!(certain > 20, "{certain}");
    }
}
