//! `null` as a result of an apply configuration, which the API server does not accept.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/mutating/patch/smd.go.

use crate::diagnostics::Finding;
use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::guard::edits;
use cel::syntax::{Ast, ExprId, ExprKind, Literal};
use policy::Expression;

/// Returns the findings about the branches that are `null`.
pub(super) fn findings(facts: &DocumentFacts<'_>, expression: &Expression) -> Vec<Finding> {
    let ast = expression.ast();
    let mut branches = Vec::new();
    add_null_branches(ast, ast.root(), &mut branches);
    let branches = branches.into_iter().map(|id| {
        let span = ast.span(id);
        let message =
            "An apply configuration cannot be `null`. Write `Object{}` to change nothing.";
        let finding = Finding::new(facts.document.range(expression, span), message)
            .upstream("unsupported return type from ApplyConfiguration expression: null_type");
        match edits(facts, expression, &[(span, "Object{}".to_owned())]) {
            Some(edits) => finding.fix("Write `Object{}`", edits),
            None => finding,
        }
    });
    branches.collect()
}

/// Adds the results of conditionals that are `null`.
fn add_null_branches(ast: &Ast, id: ExprId, found: &mut Vec<ExprId>) {
    let id = ast.unparenthesized(id);
    let ExprKind::Conditional {
        then, otherwise, ..
    } = ast.kind(id)
    else {
        return;
    };
    for branch in [*then, *otherwise] {
        match ast.kind(ast.unparenthesized(branch)) {
            ExprKind::Literal(Literal::Null) => found.push(branch),
            _ => add_null_branches(ast, branch, found),
        }
    }
}
