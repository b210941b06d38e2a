#![doc = include_str!("invalid_input.md")]

mod kinds;

use crate::diagnostics::{Finding, RuleContext};
use evaluation::input::InputError;
use text::TextEdit;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    let errors = context.file.inputs().errors.iter();
    // A policy can be the object of an input.
    let errors = errors.filter(|error| !context.is_found_by(&["yaml-syntax"], error.range));
    found.extend(errors.map(|error| finding(context, error)));
    kinds::check(context, found);
}

fn finding(context: &RuleContext<'_>, error: &InputError) -> Finding {
    let finding = Finding::new(error.range, error.kind.to_string());
    let Some((wrong, right)) = error.kind.correction() else {
        return finding;
    };
    let written = context.file.slice(error.range);
    let quote = ["'", "\""].into_iter().find(|it| written.starts_with(it));
    let quote = quote.unwrap_or_default();
    if written != format!("{quote}{wrong}{quote}") {
        return finding;
    }
    let edit = TextEdit::replace(error.range, format!("{quote}{right}{quote}"));
    finding.fix(format!("Change to `{right}`"), vec![edit])
}

#[cfg(test)]
mod tests;
