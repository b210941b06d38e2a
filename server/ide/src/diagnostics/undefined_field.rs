#![doc = include_str!("undefined_field.md")]

use super::{Finding, RuleContext};
use policy::{ProblemKind, Receiver};

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        for (expression, problem) in facts.problems() {
            let ProblemKind::UndefinedField {
                name,
                receiver,
                nearest,
            } = &problem.kind
            else {
                continue;
            };
            let Some(owner) = owner(*receiver) else {
                continue;
            };
            let message = match nearest {
                Some(nearest) => {
                    format!("{owner} has no field `{name}`. Did you mean `{nearest}`?")
                }
                None => format!("{owner} has no field `{name}`."),
            };
            let finding = Finding::new(facts.document.range(expression, problem.span), message)
                .upstream(format!("undefined field '{name}'"));
            found.push(match nearest {
                Some(nearest) => facts.rename(finding, (expression, problem.span), nearest),
                None => finding,
            });
        }
    }
}

/// What has no such field. `None` for the variables, which have rules of their own.
fn owner(receiver: Receiver) -> Option<String> {
    Some(match receiver {
        Receiver::Variables => return None,
        Receiver::Object(object) => format!("`{}`", object.name),
        Receiver::Schema => "The schema here".to_owned(),
        Receiver::Metadata => {
            "`metadata` has only `name` and `generateName` in rules: it".to_owned()
        }
    })
}

#[cfg(test)]
mod tests;
