#![doc = include_str!("matching_surprise.md")]

use crate::diagnostics::match_rules::{self, MatchRule, Matching, Servers};
use crate::diagnostics::{Finding, MAX_FINDINGS, RuleContext};
use policy::openapi::Resource;
use yaml::Node;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    let servers = Servers::of(context.file);
    for facts in context.policies() {
        for matching in match_rules::matchings(facts.document) {
            let is_whole = |rule: &MatchRule<'_>| rule.is_whole() && rule.is_small();
            if matching.rules.is_empty() || !matching.rules.iter().all(is_whole) {
                continue;
            }
            found.extend(selector(&servers, &matching));
            found.extend(versions(&servers, &matching));
        }
        found.truncate(MAX_FINDINGS);
    }
}

/// A selector of namespaces for what is in none.
fn selector(servers: &Servers, matching: &Matching<'_>) -> Option<Finding> {
    let selector = matching.node.get("namespaceSelector")?;
    let is_set = ["matchLabels", "matchExpressions"].iter().any(|field| {
        let node = selector.get(field);
        let items = node.and_then(Node::as_sequence).map(|it| it.items().len());
        let entries = node.and_then(Node::as_mapping).map(|it| it.entries().len());
        items.or(entries).unwrap_or(0) > 0
    });
    let mut rules = matching.rules.iter();
    if !is_set || !rules.all(|rule| is_outside_of_namespaces(servers, rule)) {
        return None;
    }
    Some(Finding::new(
        selector.range(),
        "`namespaceSelector` has no effect here: what the rules name is in no namespace, and such \
         objects always match.",
    ))
}

/// Whether a rule names nothing but resources that are in no namespace. A namespace itself is
/// looked at by its own labels.
///
/// Upstream: kubernetes/apiserver, pkg/admission/plugin/webhook/predicates/namespace/matcher.go,
/// MatchNamespaceSelector.
fn is_outside_of_namespaces(servers: &Servers, rule: &MatchRule<'_>) -> bool {
    let served = servers.served(rule);
    rule.resources.iter().all(|word| {
        let plural = plural(word.text);
        let mut found = served.iter().filter(|it| it.plural == plural).peekable();
        plural != "namespaces"
            && !match_rules::has_wildcard(&rule.groups)
            && found.peek().is_some()
            && found.all(|it| !it.namespaced)
    })
}

/// Stable versions of a resource that `matchPolicy: Exact` leaves out.
fn versions(servers: &Servers, matching: &Matching<'_>) -> Vec<Finding> {
    let policy = matching.node.get("matchPolicy");
    let Some(policy) = policy.filter(|policy| policy.as_str() == Some("Exact")) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for rule in &matching.rules {
        for word in &rule.resources {
            let Some(other) = left_out(servers, matching, rule, plural(word.text)) else {
                continue;
            };
            let message = format!(
                "`matchPolicy: Exact` lets requests for `{}` in the version `{}` pass without a \
                 look. Add the version, or use `Equivalent`.",
                word.text, other.version
            );
            let finding = Finding::new(word.node.range(), message);
            found.push(finding.related(policy.range(), "The policy"));
        }
    }
    found
}

/// A stable version of a resource that no rule takes, though one takes another version.
fn left_out<'s>(
    servers: &'s Servers,
    matching: &Matching<'_>,
    rule: &MatchRule<'_>,
    plural: &str,
) -> Option<Resource<'s>> {
    let is_stable = |version: &str| {
        let digits = version.strip_prefix('v');
        digits.is_some_and(|it| it.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let names = |it: &Resource<'_>| it.plural == plural && match_rules::has(&rule.groups, it.group);
    let is_known = servers.served(rule).iter().any(names);
    let taken = |it: &Resource<'_>| {
        matching.rules.iter().any(|rule| {
            match_rules::has(&rule.groups, it.group) && match_rules::has(&rule.versions, it.version)
        })
    };
    let mut resources = servers.newest().resources().filter(names);
    resources.find(|it| is_known && is_stable(it.version) && it.served_by_default && !taken(it))
}

fn plural(entry: &str) -> &str {
    entry.split_once('/').map_or(entry, |(plural, _)| plural)
}

#[cfg(test)]
mod tests;
