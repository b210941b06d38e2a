#![doc = include_str!("cost_budget.md")]

mod definition;
mod rewrite;

use crate::diagnostics::facts::Facts;
use crate::diagnostics::{Finding, MAX_FINDINGS, RuleContext, Severity};
use crate::units::number;
pub(super) use definition::{follows, is_cost};
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
        definition::check(context.file, facts, found);
        found.truncate(MAX_FINDINGS);
    }
}

/// An expression of a policy that uses up the budget of one evaluation.
fn finding(facts: &Facts<'_>, expression: &Expression) -> Option<Finding> {
    let limit = number(PER_CALL);
    let least = least(facts.document, expression)?;
    if least > PER_CALL {
        let message = format!(
            "This expression costs {} cost units or more, and Kubernetes stops it at {limit}. It \
             always fails.",
            number(least)
        );
        return Some(at(facts, expression, message).severity(Severity::Error));
    }
    let usual = typical(facts.document, expression)?.max;
    if usual <= PER_CALL {
        return None;
    }
    let estimate = estimate(facts.document, expression)?;
    let message = if estimate.is_bounded() {
        format!(
            "This expression costs up to {} cost units, and Kubernetes stops it at {limit}.",
            number(estimate.max)
        )
    } else {
        format!(
            "With {TYPICAL} entries in each list this expression costs up to {} cost units, and \
             Kubernetes stops it at {limit}. Avoid a loop within a loop, and ask the authorizer \
             outside of loops.",
            number(usual)
        )
    };
    Some(at(facts, expression, message))
}

/// Expressions that use up a common budget together.
fn sum(facts: &Facts<'_>, role: Role, budget: u64, name: &str) -> Option<Finding> {
    let mut sum: u64 = 0;
    let expressions = facts.document.expressions().iter();
    let over = expressions
        .filter(|it| it.role == role)
        .find(|expression| {
            let least = least(facts.document, expression).unwrap_or(0);
            // One that is stopped by itself is reported by itself.
            let least = least.min(PER_CALL);
            sum = sum.saturating_add(least);
            sum > budget
        })?;
    let message = format!(
        "The {name} up to here cost {} cost units or more, and Kubernetes stops them at {}.",
        number(sum),
        number(budget)
    );
    Some(at(facts, over, message))
}

fn at(facts: &Facts<'_>, expression: &Expression, message: String) -> Finding {
    let ast = expression.ast();
    let range = facts.document.range(expression, ast.span(ast.root()));
    Finding::new(range, message).upstream(STOPPED)
}

/// What the server says of an expression that it stops.
const STOPPED: &str = "operation cancelled: actual cost limit exceeded";

#[cfg(test)]
mod tests;
