#![doc = include_str!("unguarded_field.md")]

use crate::diagnostics::failing_reads::part;
use crate::diagnostics::{Finding, RuleContext};

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for (facts, read) in context.failing_reads() {
        if read.is_key {
            continue;
        }
        let Some(expression) = read.expression(facts).filter(|it| facts.is_read(it)) else {
            continue;
        };
        let Some((name, span)) = part(expression.ast(), read.place.site.id) else {
            continue;
        };
        let fails = match (expression.role.schema(), read.can_be_absorbed(facts)) {
            (Some(_), false) => "rule fails and the API server rejects the object",
            (Some(_), true) => "rule can fail, and the API server then rejects the object",
            (None, false) => "expression fails at admission",
            (None, true) => "expression can fail at admission",
        };
        let message = format!(
            "The field `{name}` is optional{}. If it is missing, the {fails}. Guard it with \
             `has()`, or provide a default with `.?` and `orValue()`.",
            read.of_kinds()
        );
        let finding = Finding::new(facts.document.range(expression, span), message)
            .upstream(format!("no such key: {name}"));
        found.extend(read.complete(finding, facts));
    }
}

#[cfg(test)]
mod tests;
