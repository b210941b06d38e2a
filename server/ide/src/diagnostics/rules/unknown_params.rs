#![doc = include_str!("unknown_params.md")]

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::{Finding, RuleContext};
use crate::project::BindingSummary;
use crate::project::Surroundings;
use yaml::edit::replace_word;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    let surroundings = context.file.surroundings();
    if !surroundings.project().is_whole() {
        return;
    }
    for facts in context.policies() {
        if let Some(binding) = surroundings.binding(facts.document) {
            found.extend(unknown(facts, binding, surroundings));
        }
    }
}

fn unknown(
    facts: &DocumentFacts<'_>,
    binding: &BindingSummary,
    surroundings: Surroundings<'_>,
) -> Option<Finding> {
    let reference = facts.document.binding()?.param_ref.as_ref()?;
    let name = reference.name.as_ref()?;
    let (node, name) = (facts.document.node(name.at.node), &*name.text);
    if name.contains(['{', '$']) {
        return None;
    }
    let policies = surroundings.bound_by(binding);
    let kind = policies.first()?.spec.param_kind.as_ref()?;
    let objects = surroundings.objects(kind.api_version(), kind.kind());
    if objects.is_empty() || objects.iter().any(|object| object.name == name) {
        return None;
    }
    let near = text::nearest(name, objects.iter().map(|object| object.name.as_str()));
    // A project has many ConfigMaps that are not parameters.
    if near.is_none() && kind.kind() == "ConfigMap" {
        return None;
    }
    let message = format!("The project has no {} `{name}`.", kind.kind());
    let Some(near) = near else {
        return Some(Finding::new(
            node.range(),
            format!("{message} Check the name."),
        ));
    };
    let finding = Finding::new(node.range(), format!("{message} Did you mean `{near}`?"));
    Some(match replace_word(node, near) {
        Some(edit) => finding.unsafe_fix(format!("Change to `{near}`"), vec![edit]),
        None => finding,
    })
}

#[cfg(test)]
mod tests;
