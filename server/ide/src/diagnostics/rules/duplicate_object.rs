#![doc = include_str!("duplicate_object.md")]

use crate::diagnostics::{Finding, RuleContext, Severity};
use crate::project::Location;
use crate::project::Surroundings;
use policy::PolicyDocument;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    let surroundings = context.file.surroundings();
    for facts in context.policies() {
        let Some((name, places)) = namesakes(facts.document, surroundings) else {
            continue;
        };
        let range = facts.document.name_range();
        let kind = facts.document.kind();
        let own = places.iter().filter(|place| surroundings.is_own(place));
        let mut before = own.filter(|place| place.range.start() < range.start());
        if let Some(first) = before.next() {
            let message = format!(
                "{kind} `{name}` is defined twice in this file, and the second one replaces the \
                 first. Rename or remove one of them."
            );
            let finding = Finding::new(range, message);
            found.push(finding.related(first.range, format!("the first `{name}`")));
            continue;
        }
        let mut elsewhere = places.iter().filter(|place| !surroundings.is_own(place));
        let neighbor = elsewhere.find(|place| surroundings.is_beside(place));
        if let Some(other) = neighbor.filter(|_| is_applied(facts.document, name, surroundings)) {
            let message = format!(
                "{kind} `{name}` is also defined in another file of this directory. If both are \
                 applied, one replaces the other."
            );
            let finding = Finding::new(range, message).severity(Severity::Information);
            found.push(finding.related_location(other, context.file, format!("`{name}`")));
        }
    }
}

/// Returns whether the directory of a document is certainly applied as a whole: a policy without a
/// binding may be one of many examples.
fn is_applied(document: &PolicyDocument, name: &str, surroundings: Surroundings<'_>) -> bool {
    let bindings = surroundings.bindings_of(document.kind(), Some(name));
    let is_bound = bindings
        .iter()
        .any(|it| surroundings.is_beside(&it.location));
    is_bound || !document.kind().is_policy()
}

/// Returns the name of a document, and the locations of all complete documents of its kind and
/// name, including itself.
fn namesakes<'a>(
    document: &PolicyDocument,
    surroundings: Surroundings<'a>,
) -> Option<(&'a str, Vec<&'a Location>)> {
    if let Some(policy) = surroundings.policy(document) {
        let name = policy.name.as_deref()?;
        let all = surroundings.policies(policy.kind, Some(name)).into_iter();
        // A policy without rules is a partial document that is merged with another one.
        let whole = all.filter(|it| !it.is_template && !it.spec.rules().is_empty());
        let is_whole = !policy.spec.rules().is_empty();
        return is_whole.then(|| (name, whole.map(|it| &it.location).collect()));
    }
    let binding = surroundings.binding(document)?;
    let name = binding.name.as_deref()?;
    binding.policy.as_deref()?;
    let all = surroundings.bindings(binding.kind, name).into_iter();
    let whole = all.filter(|it| !it.is_template && it.policy.is_some());
    Some((name, whole.map(|it| &it.location).collect()))
}

#[cfg(test)]
mod tests;
