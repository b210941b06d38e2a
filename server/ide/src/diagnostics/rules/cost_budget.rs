#![doc = include_str!("cost_budget.md")]

mod crd;
mod rewrite;

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::{Finding, RuleContext, Severity};
use crate::units::{bound, number};
pub(super) use crd::{follows, is_cost};
use policy::cost::{MATCH_CONDITIONS, PER_CALL, TYPICAL, VALIDATIONS, estimate, least, typical};
use policy::{Expression, Role};

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let expressions = facts.document.expressions().iter();
        for expression in expressions.filter(|it| it.role.schema().is_none()) {
            found.extend(finding(facts, expression));
        }
        if facts.document.kind().is_policy() {
            let name = "match conditions";
            found.extend(sum(facts, Role::MatchCondition, MATCH_CONDITIONS, name));
            found.extend(sum(facts, Role::Validation, VALIDATIONS, "validations"));
        }
        crd::check(context.file, facts, found);
        found.truncate(context.max_findings());
    }
}

/// Reports an expression of a policy that exceeds the budget of one evaluation.
fn finding(facts: &DocumentFacts<'_>, expression: &Expression) -> Option<Finding> {
    let least = least(facts.document, expression)?;
    if least > PER_CALL {
        let message = format!(
            "This expression costs {} cost units, which exceeds the limit of {}. It always fails.",
            bound("at least", least),
            number(PER_CALL)
        );
        return Some(at(facts, expression, message).severity(Severity::Error));
    }
    let usual = typical(facts.document, expression)?.max;
    if usual <= PER_CALL {
        return None;
    }
    let estimate = estimate(facts.document, expression)?;
    let limit = number(PER_CALL);
    let message = if estimate.is_bounded() {
        format!(
            "This expression costs {} cost units, which exceeds the limit of {limit}.",
            bound("up to", estimate.max)
        )
    } else {
        format!(
            "With {TYPICAL} elements in each list, this expression costs {} cost units, which \
             exceeds the limit of {limit}. Avoid nested loops, and authorizer checks in loops.",
            bound("up to", usual)
        )
    };
    Some(at(facts, expression, message))
}

/// Reports the first expression that exceeds a shared budget.
fn sum(facts: &DocumentFacts<'_>, role: Role, budget: u64, name: &str) -> Option<Finding> {
    let mut sum: u64 = 0;
    let expressions = facts.document.expressions().iter();
    let over = expressions
        .filter(|it| it.role == role)
        .find(|expression| {
            let least = least(facts.document, expression).unwrap_or(0);
            // An expression that exceeds its own limit has a separate finding.
            let least = least.min(PER_CALL);
            sum = sum.saturating_add(least);
            sum > budget
        })?;
    let message = format!(
        "The {name} up to this one cost {} cost units, which exceeds the limit of {}.",
        bound("at least", sum),
        number(budget)
    );
    Some(at(facts, over, message))
}

fn at(facts: &DocumentFacts<'_>, expression: &Expression, message: String) -> Finding {
    let ast = expression.ast();
    let range = facts.document.range(expression, ast.span(ast.root()));
    Finding::new(range, message).upstream(STOPPED)
}

/// Kubernetes' error for an expression that exceeds its budget.
const STOPPED: &str = "operation cancelled: actual cost limit exceeded";

#[cfg(test)]
mod tests;
