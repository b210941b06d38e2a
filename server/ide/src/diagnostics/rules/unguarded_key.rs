#![doc = include_str!("unguarded_key.md")]

use crate::diagnostics::failing_reads::part;
use crate::diagnostics::{Finding, RuleContext};

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for (facts, read) in context.failing_reads() {
        if !read.is_key {
            continue;
        }
        let Some(expression) = read.expression(facts).filter(|it| facts.is_read(it)) else {
            continue;
        };
        let Some((key, span)) = part(expression.ast(), read.place.site.id) else {
            continue;
        };
        let fails = if read.can_be_absorbed(facts) {
            "can fail"
        } else {
            "fails"
        };
        let message = format!(
            "The key `{key}` can be missing from the map, in which case the expression {fails} at \
             admission. Test for the key with `in` first, or provide a default with `[?…]` and \
             `orValue()`."
        );
        let finding = Finding::new(facts.document.range(expression, span), message)
            .upstream(format!("no such key: {}", key.trim_matches(['\'', '"'])));
        found.extend(read.complete(finding, facts));
    }
}

#[cfg(test)]
mod tests;
