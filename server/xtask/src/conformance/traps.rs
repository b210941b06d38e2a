//! `cel-traps.jsonl` and the `cel-spec` files: expressions without a policy around them.
//!
//! A result of Kubernetes (`k8s_1_36`) names the step that failed: `parse_error` is
//! syntax. The specification's own results have no syntax errors: its parser accepts every
//! expression.

use super::case::{Case, Outcome};
use super::compilation::{same, verdict, verdict_on};
use super::encode;
use super::engine::{Answer, answer, from_json};
use super::refusal::{Refusal, compare};
use cel::check::Checked;
use cel::env::Env;
use cel::eval::{self, Bindings};
use cel::syntax::{ParseOptions, parse_with};
use policy::environment::{EnvironmentKind, NEWEST, env};
use serde_json::Value as Json;

/// The part of the specification's suite that tests `cel.block`, a library of macros that
/// Kubernetes does not have. Whether such a call is a macro determines its arguments.
const BLOCK: &str = "block_ext:";

/// Checks the whole result of Kubernetes.
pub(super) fn check(case: &Case) -> Outcome {
    let expr = case.require(&["expr"])?;
    if let Some(errors) = case.get(&["k8s_1_36", "parse_error"]) {
        let expected = Refusal::parse_json(errors)?;
        return compare(&expected, &cel::parse(expr));
    }
    let expected = case.get(&["k8s_1_36", "check_error"]);
    match answer(
        expr,
        ParseOptions::default(),
        &environment(case)?,
        &bindings(case),
    ) {
        Answer::Unread => verdict(case, true),
        Answer::Refused { refusals, report } => match expected {
            None => Err(format!("we refuse it: {report}")),
            Some(errors) => same_refusals(&refusals, &Refusal::parse_json(errors)?),
        },
        Answer::Compiled { .. } if expected.is_some() => Err("we accept it".into()),
        Answer::Compiled { checked, outcome } => check_outcome(case, &checked, outcome),
    }
}

fn same_refusals(ours: &[Refusal], expected: &[Refusal]) -> Outcome {
    if ours == expected {
        return Ok(());
    }
    let text = |all: &[Refusal]| {
        let all: Vec<String> = all.iter().map(Refusal::to_string).collect();
        all.join(" | ")
    };
    let (ours, expected) = (text(ours), text(expected));
    Err(format!("we say [{ours}]; Kubernetes says [{expected}]"))
}

fn check_outcome(
    case: &Case,
    checked: &Checked,
    outcome: Result<eval::Outcome, String>,
) -> Outcome {
    let output = checked.output_type().to_string();
    same(
        "type",
        Some(output.as_str()),
        case.text(&["k8s_1_36", "type"]),
    )?;
    let refused = outcome.as_ref().err().map(String::as_str);
    same(
        "error of the program",
        refused,
        case.text(&["k8s_1_36", "program_error"]),
    )?;
    let Ok(outcome) = outcome else { return Ok(()) };
    let error = outcome.result.as_ref().err().map(ToString::to_string);
    same("error", error.as_deref(), case.text(&["k8s_1_36", "error"]))?;
    let Ok(value) = outcome.result else {
        return Ok(());
    };
    let ty = value.ty();
    same(
        "type of value",
        Some(ty.runtime_name()),
        case.text(&["k8s_1_36", "value_type"]),
    )?;
    same(
        "value",
        Some(&encode::printed(&value)),
        case.text(&["k8s_1_36", "value"]),
    )
}

/// Returns the environment of a policy's expression, with the variables of the case.
fn environment(case: &Case) -> Result<Env, String> {
    let kind = EnvironmentKind::Admission {
        params: false,
        authorizer: false,
        patch_types: false,
    };
    let variables = case.get(&["vars"]).and_then(Json::as_object);
    let mut env = env(NEWEST, kind);
    for (name, ty) in variables.into_iter().flatten() {
        let ty = ty
            .as_str()
            .map(|ty| ty.replace("optional(", "optional_type("));
        let ty = ty.and_then(|ty| ty.parse().ok());
        env = env.with_variable(name, ty.ok_or("malformed: no type of a variable")?);
    }
    Ok(env)
}

fn bindings(case: &Case) -> Bindings {
    let mut bindings = Bindings::new();
    let values = case.get(&["bindings"]).and_then(Json::as_object);
    for (name, value) in values.into_iter().flatten() {
        bindings.set(name.as_str(), from_json(value));
    }
    bindings
}

/// Checks that the expression is rejected for its syntax exactly if it should be.
pub(super) fn check_syntax(case: &Case) -> Option<Outcome> {
    let refused = case.get(&["k8s_1_36", "parse_error"]).is_some();
    Some(verdict(case, !refused))
}

/// Checks that the expression is accepted by the syntax of the specification, which has names in
/// backticks.
pub(super) fn check_specification(case: &Case) -> Option<Outcome> {
    if case.id.starts_with(BLOCK) {
        return None;
    }
    let options = ParseOptions {
        escaped_names: true,
    };
    let expr = case.require(&["expr"]);
    Some(expr.and_then(|expr| verdict_on(&parse_with(expr, options), true)))
}
