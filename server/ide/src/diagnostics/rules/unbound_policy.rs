#![doc = include_str!("unbound_policy.md")]

use crate::diagnostics::{Finding, RuleContext};

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    let surroundings = context.file.surroundings();
    if !surroundings.project().is_whole() {
        return;
    }
    for facts in context.policies() {
        let Some(policy) = surroundings.policy(facts.document) else {
            continue;
        };
        let Some(name) = policy.name.as_deref() else {
            continue;
        };
        let is_bound = !surroundings.bindings_of(policy.kind, Some(name)).is_empty()
            // A template may bind this policy.
            || !surroundings.bindings_of(policy.kind, None).is_empty();
        if !is_bound
            && surroundings.has_bindings_of(policy.kind)
            // A binding that misspells the name is the error.
            && !surroundings.is_misspelled(policy.kind, name)
        {
            let message = format!(
                "No {} in the project binds `{name}`. A policy has no effect without a binding.",
                policy.binding_kind()
            );
            found.push(Finding::new(facts.document.name_range(), message));
        }
    }
}

#[cfg(test)]
mod tests;
