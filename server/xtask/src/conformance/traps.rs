//! `cel-traps.jsonl` and the `cel-spec` files: expressions without a policy around them.
//!
//! An answer of Kubernetes (`k8s_1_36`) names the step that refused: `parse_error` is
//! syntax. The specification's own answers know no syntax errors: its parser takes every
//! expression.

use super::case::{Case, Outcome};
use super::compilation::{verdict, verdict_on};
use super::known::unbuilt;
use super::refusal::{Refusal, compare};
use cel::syntax::{ParseOptions, parse_with};

/// The part of the specification's suite that tests `cel.block`, a library of macros that
/// Kubernetes does not have. Whether such a call is a macro decides what may stand in it.
const BLOCK: &str = "block_ext:";

/// The whole answer of Kubernetes.
pub(super) fn check(case: &Case) -> Outcome {
    let Some(errors) = case.get(&["k8s_1_36", "parse_error"]) else {
        verdict(case, true)?;
        return unbuilt("types and values");
    };
    let expr = case.require(&["expr"])?;
    let expected = Refusal::all_of_json(errors)?;
    compare(&expected, &cel::parse(expr).errors, expr)
}

/// Whether the expression is refused by its syntax, and only then.
pub(super) fn check_syntax(case: &Case) -> Option<Outcome> {
    let refused = case.get(&["k8s_1_36", "parse_error"]).is_some();
    Some(verdict(case, !refused))
}

/// Whether the expression is accepted by the syntax of the specification, which has names in
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
