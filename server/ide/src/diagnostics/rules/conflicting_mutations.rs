#![doc = include_str!("conflicting_mutations.md")]

mod read_fields;

use crate::diagnostics::{Finding, RuleContext};
use crate::project::{PolicySummary, Surroundings, constant_writes};
use policy::Kind;
use policy::manifest::{MatchResources, ReinvocationPolicy, Rule, StringField, has, has_wildcard};

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    let surroundings = context.file.surroundings();
    for facts in context.policies() {
        let document = facts.document;
        let policy = surroundings.policy(document);
        let kind = Kind::MutatingAdmissionPolicy;
        let policy = policy.filter(|it| it.kind == kind && is_bound(it, surroundings));
        let Some(policy) = policy else { continue };
        let others = surroundings.policies_of(kind).filter(|other| {
            surroundings.is_beside(&other.location)
                && other.name != policy.name
                && !other.constants.is_empty()
                && share_objects(policy, other)
                && is_bound(other, surroundings)
        });
        let others: Vec<&PolicySummary> = others.collect();
        if others.is_empty() {
            continue;
        }
        let mut report = |other: &PolicySummary, expression, span, message| {
            let finding = Finding::new(document.range(expression, span), message);
            let label = format!("`{}`", other.name.as_deref().unwrap_or_default());
            found.push(finding.related_location(&other.location, context.file, label));
        };
        for (write, constant) in constant_writes(document) {
            let conflicts = |other: &&&PolicySummary| {
                let mut writes = other.constants.iter();
                has_random_order(policy, other)
                    && writes.any(|it| it.field == constant.field && it.value != constant.value)
            };
            if let Some(other) = others.iter().find(conflicts) {
                let span = write.expression.ast().span(write.value);
                report(other, write.expression, span, message(other, &write.field));
            }
        }
        // A reinvoked policy reads the final value of the other policy.
        if policy.spec.reinvocation_policy == ReinvocationPolicy::Never {
            for (other, read) in read_fields::depending(document, &others) {
                report(other, read.expression, read.span, read.message(other));
            }
        }
    }
}

fn message(other: &PolicySummary, field: &str) -> String {
    let field = dotted(field);
    let name = other.name.as_deref().unwrap_or_default();
    format!(
        "Policy `{name}` sets `{field}` of the same objects to a different value, and policies are \
         evaluated in random order. Set the field in one policy, or let their `matchConstraints` \
         match different objects."
    )
}

/// Returns a JSON pointer as the path of a field.
fn dotted(field: &str) -> String {
    let field = field.trim_start_matches('/').replace('/', ".");
    field.replace("~1", "/").replace("~0", "~")
}

/// Returns whether a policy is certainly applied to all objects that its own rules match.
fn is_bound(policy: &PolicySummary, surroundings: Surroundings<'_>) -> bool {
    let Some(name) = policy.name.as_deref().filter(|_| !policy.is_template) else {
        return false;
    };
    let bindings = surroundings.bindings_of(policy.kind, Some(name));
    bindings.iter().any(|binding| {
        surroundings.is_beside(&binding.location)
            && !binding.is_template
            && binding.spec.match_resources.is_none()
    })
}

/// Returns whether either of two policies may be evaluated last. If only one is reinvoked, it is
/// always the last.
fn has_random_order(policy: &PolicySummary, other: &PolicySummary) -> bool {
    policy.spec.reinvocation_policy == other.spec.reinvocation_policy
}

/// Returns whether the rules of two policies share some objects.
fn share_objects(policy: &PolicySummary, other: &PolicySummary) -> bool {
    let constraints = |it: &PolicySummary| it.spec.match_constraints.clone();
    let (Some(own), Some(others)) = (constraints(policy), constraints(other)) else {
        return false;
    };
    let overlap = |rule: &Rule| others.rules.iter().any(|other| overlaps(rule, other));
    is_plain(&own) && is_plain(&others) && own.rules.iter().any(overlap)
}

/// Returns whether only the rules determine the matching objects.
fn is_plain(constraints: &MatchResources) -> bool {
    constraints.excluded.is_empty()
        && constraints.namespace_selector.is_none()
        && constraints.object_selector.is_none()
}

fn overlaps(rule: &Rule, other: &Rule) -> bool {
    let share = |words: &[StringField], others: &[StringField]| {
        has_wildcard(words) || words.iter().any(|it| has(others, &it.text))
    };
    rule.names.is_empty()
        && other.names.is_empty()
        && rule.scope == other.scope
        && share(&rule.groups, &other.groups)
        && share(&rule.versions, &other.versions)
        && share(&rule.operations, &other.operations)
        && share(&rule.resources, &other.resources)
}

#[cfg(test)]
mod tests;
