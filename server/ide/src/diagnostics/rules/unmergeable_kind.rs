#![doc = include_str!("unmergeable_kind.md")]

use crate::diagnostics::match_rules::{Servers, is_small, matchings};
use crate::diagnostics::{Finding, RuleContext, Severity};
use kubernetes::mutation::has_merge_type;
use kubernetes::openapi::{Catalog, Resource};
use policy::manifest::{Rule, StringField, has};
use policy::{Kind, PolicyDocument, Role};

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    let servers = Servers::new(context.file);
    for facts in context.policies() {
        let document = facts.document;
        if document.kind() != Kind::MutatingAdmissionPolicy {
            continue;
        }
        let mut expressions = document.expressions().iter();
        let merges = expressions.any(|it| it.role == Role::ApplyConfiguration);
        for matching in matchings(document) {
            let rules = matching.rules.iter().filter(|it| is_small(it));
            for rule in rules {
                let served = servers.served(rule);
                if merges {
                    let words = rule.resources.iter();
                    found.extend(words.filter_map(|word| unmergeable(&servers, &served, word)));
                }
                if is_equivalent(document) {
                    let catalog = servers.newest();
                    let others = served.iter();
                    found.extend(
                        others.filter_map(|it| converted(catalog, &matching.rules, rule, it)),
                    );
                }
                if found.len() >= context.max_findings() {
                    return;
                }
            }
        }
    }
}

/// Reports a subresource whose objects have no type for merging.
fn unmergeable(servers: &Servers, served: &[Resource<'_>], word: &StringField) -> Option<Finding> {
    let (plural, below) = word.text.split_once('/')?;
    let mut resources = served.iter().filter(|it| it.plural == plural);
    let sub = resources.find_map(|it| it.subresource(below))?;
    if has_merge_type(servers.newest(), sub.group, sub.version, sub.kind) {
        return None;
    }
    let message = format!(
        "The API server has no type for merging the `{}` of `{}`, so every `applyConfiguration` \
         fails. Use a JSON patch.",
        sub.kind, word.text
    );
    let (group, version, kind) = (sub.group, sub.version, sub.kind);
    let finding = Finding::new(word.at.range, message);
    Some(finding.upstream(format!(
        "error applying patch: failed to convert patch object to typed object: no corresponding type for {group}/{version}, Kind={kind}"
    )))
}

/// Returns whether a policy also matches other versions of the resources in its rules.
fn is_equivalent(document: &PolicyDocument) -> bool {
    let constraints = document
        .policy()
        .and_then(|it| it.match_constraints.as_ref());
    let policy = constraints.and_then(|it| it.match_policy.as_ref());
    policy.is_none_or(|policy| *policy.text == *"Equivalent")
}

/// Reports a version that only matches as another version: the mutated object cannot be converted
/// back.
///
/// Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/mutating/dispatcher.go,
/// dispatchOne; kubernetes/apimachinery, pkg/runtime/scheme.go, convertToVersion.
fn converted(
    catalog: &Catalog,
    rules: &[Rule],
    rule: &Rule,
    named: &Resource<'_>,
) -> Option<Finding> {
    let word = rule
        .resources
        .iter()
        .find(|word| *word.text == *named.plural)?;
    let version = rule
        .versions
        .iter()
        .find(|word| *word.text == *named.version)?;
    let is_built_in = !catalog.is_added(named.group, named.version, named.kind);
    let mut others = catalog.resources().filter(|it| {
        it.group == named.group
            && it.plural == named.plural
            && it.version != named.version
            && it.served_by_default
    });
    let is_seen = |other: &Resource<'_>| {
        rules.iter().any(|rule| {
            rule.has_version(other.group, other.version) && has(&rule.resources, other.plural)
        })
    };
    let other = others.find(|other| is_built_in && !is_seen(other))?;
    let (group, kind) = (named.group, named.kind);
    let message = format!(
        "Requests for `{}` in `{group}/{}` match too, but the API server cannot convert the \
         mutated object back to that version, so the mutation fails. Add `{}` to `apiVersions`, \
         or set `matchPolicy: Exact`.",
        word.text, other.version, other.version
    );
    let finding = Finding::new(version.at.range, message).severity(Severity::Warning);
    Some(finding.upstream(format!(
        "converting ({}.{kind}) to ({}.{kind}): unknown conversion",
        named.version, other.version
    )))
}

#[cfg(test)]
mod tests;
