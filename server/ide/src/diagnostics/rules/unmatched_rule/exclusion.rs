//! Exclusions of everything that the rules match.

use crate::diagnostics::Finding;
use kubernetes::names::ResourcePattern;
use policy::manifest::{MatchResources, Rule, StringField, has};

/// Returns a finding if every rule is excluded as a whole.
pub(super) fn check(matching: &MatchResources) -> Option<Finding> {
    let excluding: Option<Vec<&Rule>> = matching
        .rules
        .iter()
        .map(|rule| {
            let mut excluded = matching.excluded.iter();
            excluded.find(|excluded| rule.is_complete() && covers(excluded, rule))
        })
        .collect();
    let first = *excluding?.first()?;
    let message = "The policy matches nothing: `excludeResourceRules` excludes everything that \
                   `resourceRules` matches.";
    Some(Finding::new(first.at.range, message))
}

/// Returns whether `excluded` matches every request that `rule` matches.
fn covers(excluded: &Rule, rule: &Rule) -> bool {
    let each = |list: &[StringField], other: &[StringField]| {
        list.iter().all(|word| has(other, &word.text))
    };
    let scope = excluded.scope.as_ref().map_or("*", |scope| &scope.text);
    let names = excluded.names.is_empty();
    let resources = rule.resources.iter().all(|word| {
        let mut others = excluded.resources.iter();
        others.any(|other| covers_resource(&other.text, &word.text))
    });
    names
        && resources
        && (scope == "*" || rule.scope.as_ref().is_some_and(|it| *it.text == *scope))
        && each(&rule.groups, &excluded.groups)
        && each(&rule.versions, &excluded.versions)
        && each(&rule.operations, &excluded.operations)
}

/// Returns whether an entry of `resources` includes everything that another entry matches.
///
/// Upstream: kubernetes/apiserver, pkg/admission/plugin/webhook/predicates/rules/rules.go,
/// Matcher.resource.
fn covers_resource(outer: &str, inner: &str) -> bool {
    let inner = ResourcePattern::parse(inner);
    ResourcePattern::parse(outer).matches(inner.resource, inner.subresource())
}
