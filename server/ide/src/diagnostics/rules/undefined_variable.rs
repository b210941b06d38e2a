#![doc = include_str!("undefined_variable.md")]

use crate::diagnostics::{Finding, RuleContext};
use policy::variables::UseForm;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        for (used, nearest) in facts
            .variables
            .undefined()
            .into_iter()
            .take(context.max_findings())
        {
            let name = used.name;
            // An index does not work on `variables`, regardless of its content.
            let is_elsewhere = used.form == UseForm::Index
                || facts.is_unusable(used.expression, used.span)
                || !facts.is_read(used.expression);
            if is_elsewhere {
                continue;
            }
            let message = match nearest {
                Some(nearest) => {
                    format!("The variable `{name}` is not defined. Did you mean `{nearest}`?")
                }
                None => {
                    format!("The variable `{name}` is not defined. Define it in `spec.variables`.")
                }
            };
            let range = facts.document.range(used.expression, used.span);
            let finding =
                Finding::new(range, message).upstream(format!("undefined field '{name}'"));
            found.push(match nearest {
                Some(nearest) => facts.rename(finding, (used.expression, used.span), nearest),
                None => finding,
            });
        }
    }
}

#[cfg(test)]
mod tests;
