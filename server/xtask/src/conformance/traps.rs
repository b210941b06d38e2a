//! `cel-traps.jsonl` and the `cel-spec` files: expressions without a policy around them.
//!
//! An answer of Kubernetes (`k8s_1_36`) names the step that refused: `parse_error` is
//! syntax. The specification's own answers know no syntax errors; where Kubernetes answered
//! the same case, its verdict is the one to follow.

use super::case::{Case, Outcome};
use super::compilation::verdict;
use super::known::{Beside, unbuilt};
use super::refusal::{Refusal, compare};

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
pub(super) fn check_syntax(case: &Case, _: &Beside) -> Option<Outcome> {
    Some(verdict(case, !is_refused(case)))
}

/// The same for a case with the specification's own answer.
pub(super) fn check_specification(case: &Case, beside: &Beside) -> Option<Outcome> {
    let refused = beside.refused.get(&case.id);
    if refused.is_none() && case.id.starts_with(BLOCK) {
        return None;
    }
    Some(verdict(case, refused != Some(&true)))
}

/// Whether Kubernetes refuses the expression for its syntax.
pub(super) fn is_refused(case: &Case) -> bool {
    case.get(&["k8s_1_36", "parse_error"]).is_some()
}
