#![doc = include_str!("matching_surprise.md")]

use crate::diagnostics::match_rules::{Servers, is_small, matchings};
use crate::diagnostics::{Finding, RuleContext};
use kubernetes::entries;
use kubernetes::names::ResourcePattern;
use kubernetes::openapi::Resource;
use policy::PolicyDocument;
use policy::manifest::{MatchResources, Rule, has, has_wildcard};
use yaml::edit::replace_word;

/// The match policy that matches all versions of a resource.
const EQUIVALENT: &str = "Equivalent";

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    let servers = Servers::new(context.file);
    for facts in context.policies() {
        for matching in matchings(facts.document) {
            let is_whole = |rule: &Rule| rule.is_complete() && is_small(rule);
            if matching.rules.is_empty() || !matching.rules.iter().all(is_whole) {
                continue;
            }
            found.extend(selector(&servers, facts.document, matching));
            found.extend(versions(&servers, facts.document, matching));
        }
        found.truncate(context.max_findings());
    }
}

/// Reports a `namespaceSelector` for cluster-scoped resources.
fn selector(
    servers: &Servers,
    document: &PolicyDocument,
    matching: &MatchResources,
) -> Option<Finding> {
    let [selector, of_objects] = matching.selectors();
    let selector = selector?;
    let mut rules = matching.rules.iter();
    if !rules.all(|rule| is_cluster_scoped(servers, rule)) {
        return None;
    }
    let finding = Finding::new(
        selector.at.range,
        "`namespaceSelector` has no effect: the rules name only cluster-scoped resources, which \
         always match.",
    );
    let fields = document.node(matching.at.node).as_mapping();
    let mut fields = fields.into_iter().flat_map(entries);
    let selector = fields.find(|it| it.key.text() == "namespaceSelector");
    let edit = selector.and_then(|it| replace_word(it.key, "objectSelector"));
    Some(match edit.filter(|_| of_objects.is_none()) {
        Some(edit) => finding.unsafe_fix("Change to `objectSelector`", vec![edit]),
        None => finding,
    })
}

/// Returns whether a rule matches only cluster-scoped resources. For a Namespace, its own labels
/// are matched.
///
/// Upstream: kubernetes/apiserver, pkg/admission/plugin/webhook/predicates/namespace/matcher.go,
/// MatchNamespaceSelector.
fn is_cluster_scoped(servers: &Servers, rule: &Rule) -> bool {
    let mut names = rule.resources.iter().map(|word| plural(&word.text));
    !has_wildcard(&rule.groups)
        && names.all(|plural| {
            let found = servers.served_as(plural, rule);
            plural != "namespaces" && !found.is_empty() && found.iter().all(|it| !it.namespaced)
        })
}

/// Reports stable versions of a resource that `matchPolicy: Exact` excludes.
fn versions(
    servers: &Servers,
    document: &PolicyDocument,
    matching: &MatchResources,
) -> Vec<Finding> {
    let policy = matching.match_policy.as_ref();
    let Some(policy) = policy.filter(|_| matching.is_exact()) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for rule in &matching.rules {
        for word in &rule.resources {
            let Some(other) = left_out(servers, matching, rule, plural(&word.text)) else {
                continue;
            };
            let message = format!(
                "With `matchPolicy: Exact`, requests for `{}` in version `{}` do not match. Add the \
                 version, or use `Equivalent`.",
                word.text, other.version
            );
            let finding =
                Finding::new(word.at.range, message).related(policy.at.range, "`matchPolicy`");
            let edit = replace_word(document.node(policy.at.node), EQUIVALENT);
            found.push(match edit {
                Some(edit) => finding.unsafe_fix(format!("Use `{EQUIVALENT}`"), vec![edit]),
                None => finding,
            });
        }
    }
    found
}

/// Returns a stable version of a resource that no rule matches, although a rule matches another
/// version.
fn left_out<'s>(
    servers: &'s Servers,
    matching: &MatchResources,
    rule: &Rule,
    plural: &str,
) -> Option<Resource<'s>> {
    let is_stable = |version: &str| {
        let digits = version.strip_prefix('v');
        digits.is_some_and(|it| it.bytes().all(|byte| byte.is_ascii_digit()))
    };
    if servers.served_as(plural, rule).is_empty() {
        return None;
    }
    let taken = |it: &Resource<'_>| {
        let mut rules = matching.rules.iter();
        rules.any(|rule| rule.has_version(it.group, it.version))
    };
    let resources = servers.newest().resources_of_name(plural);
    let mut others = resources.filter(|it| has(&rule.groups, it.group));
    others.find(|it| is_stable(it.version) && it.served_by_default && !taken(it))
}

fn plural(entry: &str) -> &str {
    ResourcePattern::parse(entry).resource
}

#[cfg(test)]
mod tests;
