#![doc = include_str!("unavailable_function.md")]

use crate::diagnostics::document_facts::{DocumentFacts, begin_of};
use crate::diagnostics::{Finding, RuleContext};
use crate::signature;
use kubernetes::names::escape;
use policy::Expression;
use policy::availability::{Feature, Unavailable};
use yaml::edit::replace_part;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let expressions = facts.document.unavailable();
        let expressions = expressions.filter(|(expression, _)| facts.is_read(expression));
        let findings = expressions.flat_map(|(expression, unavailable)| {
            let unavailable = unavailable.iter();
            unavailable.map(move |it| finding(facts, expression, it))
        });
        found.extend(findings.take(context.max_findings()));
    }
}

fn finding(
    facts: &DocumentFacts<'_>,
    expression: &Expression,
    unavailable: &Unavailable,
) -> Finding {
    let document = facts.document;
    let what = sentence_start(&unavailable.feature);
    let since = unavailable.since;
    let target = begin_of(document.target());
    let message = format!("{what} as of Kubernetes {since}. {target}");
    let range = document.range(expression, unavailable.span);
    let mut finding = Finding::new(range, message);
    if let Some(words) = &unavailable.upstream {
        finding = finding.upstream(words.clone());
    }
    let Feature::Keyword(property) = &unavailable.feature else {
        return finding;
    };
    let scalar = document.node(expression.node).as_scalar();
    let edit = escape(property).and_then(|right| {
        let edit = replace_part(scalar?, unavailable.span, &right)?;
        Some((right, edit))
    });
    match edit {
        Some((right, edit)) => finding.fix(format!("Change to `{right}`"), vec![edit]),
        None => finding,
    }
}

/// Returns the beginning of a sentence that continues with `as of Kubernetes …`.
fn sentence_start(feature: &Feature) -> String {
    match feature {
        Feature::Function {
            name,
            signature: Some(signature),
        } => {
            let call = signature::call(name, &signature.params, signature.member);
            format!("`{call}` is available in new expressions")
        }
        Feature::Function { name, .. } => {
            format!("`{name}` is available in new expressions")
        }
        Feature::Macro { kind, is_form, .. } => {
            let form = if *is_form { " with two variables" } else { "" };
            format!("`{}`{form} is available in new expressions", kind.name())
        }
        Feature::OptionalSyntax => {
            "Optional fields and elements (`?`) are available in new expressions".to_owned()
        }
        Feature::Keyword(property) => format!(
            "The property `{property}` is a reserved word in CEL, which needs no escaping in new \
             expressions"
        ),
        Feature::Other => "This compiles in new expressions".to_owned(),
    }
}

#[cfg(test)]
mod tests;
