#![doc = include_str!("invalid_input.md")]

use crate::diagnostics::{Finding, RuleContext};
use evaluation::input::{Hint, InputError, InputErrorKind};
use text::TextEdit;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    let errors = context.file.inputs().errors.iter();
    // A policy can be the object of an input.
    let errors = errors.filter(|error| !context.is_found_by(&["yaml-syntax"], error.range));
    found.extend(errors.map(|error| finding(context, error)));
}

fn finding(context: &RuleContext<'_>, error: &InputError) -> Finding {
    let finding = Finding::new(error.range, error.kind.to_string());
    match &error.kind {
        InputErrorKind::UnknownKey {
            key,
            hint: Hint::Nearest(nearest),
        } if context.file.slice(error.range) == key => finding.fix(
            format!("Change to `{nearest}`"),
            vec![TextEdit::replace(error.range, *nearest)],
        ),
        _ => finding,
    }
}

#[cfg(test)]
mod tests;
