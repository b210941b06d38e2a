#![doc = include_str!("unknown_policy.md")]

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::{Finding, RuleContext, Severity};
use crate::project::BindingSummary;
use crate::project::Surroundings;
use kubernetes::names::format::dns_subdomain;
use policy::Kind;
use yaml::Node;
use yaml::edit::replace_word;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    let surroundings = context.file.surroundings();
    for facts in context.policies() {
        let Some(binding) = surroundings.binding(facts.document) else {
            continue;
        };
        found.extend(unknown(context, facts, binding, surroundings));
    }
}

fn unknown(
    context: &RuleContext<'_>,
    facts: &DocumentFacts<'_>,
    binding: &BindingSummary,
    surroundings: Surroundings<'_>,
) -> Option<Finding> {
    let (kind, name) = (binding.policy_kind(), binding.policy.as_deref()?);
    let node = facts.document.binding()?.policy_name.as_ref()?.at.node;
    let node = facts.document.node(node);
    if !surroundings.policies(kind, Some(name)).is_empty() {
        return None;
    }
    let other = other(kind);
    if let Some(policy) = surroundings.policies(other, Some(name)).first() {
        let message = format!(
            "`{name}` is a {other}, and a {} binds only a {kind}. Change one of the kinds.",
            binding.kind
        );
        let finding = Finding::new(node.range(), message);
        return Some(finding.related_location(&policy.location, context.file, "the policy"));
    }
    let is_known = surroundings.project().is_whole()
        && surroundings.has_policies(kind)
        // A template may define this policy.
        && surroundings.policies(kind, None).is_empty();
    is_known.then(|| missing(context, (kind, name), node, surroundings))
}

fn missing(
    context: &RuleContext<'_>,
    (kind, name): (Kind, &str),
    node: Node<'_>,
    surroundings: Surroundings<'_>,
) -> Finding {
    // A policy with another binding is probably not the intended one.
    let unbound = |name: &&str| surroundings.bindings_of(kind, Some(name)).is_empty();
    let is_valid = |name: &&str| dns_subdomain(name).is_empty();
    let names = surroundings.policy_names(kind).filter(is_valid);
    let names = names.filter(unbound);
    let Some(near) = text::nearest(name, names) else {
        let message =
            format!("The project has no {kind} `{name}`. The binding has no effect without it.");
        return Finding::new(node.range(), message).severity(Severity::Information);
    };
    let message = format!("The project has no {kind} `{name}`. Did you mean `{near}`?");
    let mut finding = Finding::new(node.range(), message);
    if let Some(policy) = surroundings.policies(kind, Some(near)).first() {
        finding = finding.related_location(&policy.location, context.file, format!("`{near}`"));
    }
    match replace_word(node, near) {
        Some(edit) => finding.unsafe_fix(format!("Change to `{near}`"), vec![edit]),
        None => finding,
    }
}

fn other(kind: Kind) -> Kind {
    match kind {
        Kind::MutatingAdmissionPolicy => Kind::ValidatingAdmissionPolicy,
        _ => Kind::MutatingAdmissionPolicy,
    }
}

#[cfg(test)]
mod tests;
