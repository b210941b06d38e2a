#![doc = include_str!("unavailable_root.md")]

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::{Finding, RuleContext};
use policy::ProblemKind;
use policy::environment::Absence;
use yaml::edit::replace_part;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        for (expression, problem) in facts.problems() {
            let (ProblemKind::UndeclaredName {
                name,
                absence: Some(absence),
                ..
            }
            | ProblemKind::UndeclaredType {
                name,
                absence: Some(absence),
            }) = &problem.kind
            else {
                continue;
            };
            let finding = Finding::new(
                facts.document.range(expression, problem.span),
                message(name, *absence),
            )
            .upstream(DocumentFacts::undeclared(name));
            let right = replacement(name, *absence);
            let scalar = facts.document.node(expression.node).as_scalar();
            let edit = right.and_then(|right| replace_part(scalar?, problem.span, right));
            found.push(match (right, edit) {
                (Some(right), Some(edit)) => {
                    finding.unsafe_fix(format!("Change to `{right}`"), vec![edit])
                }
                _ => finding,
            });
        }
    }
}

fn message(name: &str, absence: Absence) -> String {
    match absence {
        Absence::VariablesInMatchCondition => {
            "`variables` is not available in match conditions, which are evaluated before the \
             variables. Write the expression of the variable here."
                .to_owned()
        }
        Absence::NoVariables => {
            "This policy has no variables. Define them in `spec.variables`.".to_owned()
        }
        Absence::NoParamKind => {
            "`params` is available only in a policy with `spec.paramKind`. Add it to set the kind \
             of the parameters."
                .to_owned()
        }
        Absence::AuthorizerInMessage => {
            "`authorizer` is not available in message expressions. Use it in the `expression` of \
             the validation."
                .to_owned()
        }
        Absence::NotInWebhook => {
            format!(
                "`{name}` is available only in policies, not in the match conditions of a \
                     webhook."
            )
        }
        Absence::NotInCrd => not_in_definition(name, replacement(name, absence)),
        Absence::OnlyInCrd => format!(
            "`{name}` is available only in the rules of a CustomResourceDefinition. Use `{}` \
             here.",
            replacement(name, absence).unwrap_or("object")
        ),
        Absence::OnlyInMutation => {
            format!("`{name}` is available only in the expressions of `spec.mutations`.")
        }
    }
}

fn not_in_definition(name: &str, replacement: Option<&str>) -> String {
    let place = format!("`{name}` is not available in the rules of a CustomResourceDefinition");
    match replacement {
        Some(right) => {
            format!("{place}. Use `{right}`, the value of the schema that holds the rule.")
        }
        None => format!("{place}, which have only `self` and `oldSelf`. Use a policy instead."),
    }
}

/// Returns the equivalent name in this kind of expression.
fn replacement(name: &str, absence: Absence) -> Option<&'static str> {
    match (absence, name) {
        (Absence::NotInCrd, "object") => Some("self"),
        (Absence::NotInCrd, "oldObject") => Some("oldSelf"),
        (Absence::OnlyInCrd, "self") => Some("object"),
        (Absence::OnlyInCrd, "oldSelf") => Some("oldObject"),
        (
            Absence::VariablesInMatchCondition
            | Absence::NoVariables
            | Absence::NoParamKind
            | Absence::AuthorizerInMessage
            | Absence::NotInWebhook
            | Absence::NotInCrd
            | Absence::OnlyInCrd
            | Absence::OnlyInMutation,
            _,
        ) => None,
    }
}

#[cfg(test)]
mod tests;
