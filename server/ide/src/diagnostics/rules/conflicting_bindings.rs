#![doc = include_str!("conflicting_bindings.md")]

use crate::diagnostics::{Finding, RuleContext};
use crate::project::BindingSummary;
use policy::Kind;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    let surroundings = context.file.surroundings();
    for facts in context.policies() {
        let Some(binding) = surroundings.binding(facts.document) else {
            continue;
        };
        let policy = Kind::ValidatingAdmissionPolicy;
        let Some(name) = binding.policy.as_deref() else {
            continue;
        };
        // Other directories contain variants for other clusters.
        let others = surroundings.bindings_of(policy, Some(name)).into_iter();
        let mut others = others.filter(|other| surroundings.is_beside(&other.location));
        let Some(other) = others.find(|other| contradicts(binding, other)) else {
            continue;
        };
        let Some(actions) = facts.document.binding().and_then(|it| it.actions_at) else {
            continue;
        };
        let name = other.name.as_deref();
        let name = name.map_or_else(|| "another one".to_owned(), |name| format!("`{name}`"));
        let message = format!(
            "This binding does not deny requests, but {name} denies them for the same objects. \
             Remove one of the bindings, or narrow it with `matchResources`."
        );
        let finding = Finding::new(actions.range, message);
        found.push(finding.related_location(&other.location, context.file, "the other binding"));
    }
}

/// Returns whether the other binding denies the objects that this one allows.
fn contradicts(binding: &BindingSummary, other: &BindingSummary) -> bool {
    let denies = |it: &BindingSummary| {
        let mut actions = it.spec.validation_actions.iter();
        actions.any(|action| *action.text == *"Deny")
    };
    // With different parameters, they may set different limits.
    let is_comparable = |it: &BindingSummary| {
        let spec = &it.spec;
        spec.param_ref.is_none() && !it.is_template && !spec.validation_actions.is_empty()
    };
    binding.name != other.name
        && is_comparable(binding)
        && is_comparable(other)
        && !denies(binding)
        && denies(other)
        && binding.spec.rules() == other.spec.rules()
        && binding.spec.exclusions() == other.spec.exclusions()
}

#[cfg(test)]
mod tests;
