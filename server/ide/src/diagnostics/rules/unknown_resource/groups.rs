//! API groups that no server has.

use super::search::best;
use super::{named, with_fix};
use crate::diagnostics::Finding;
use crate::diagnostics::match_rules::Servers;
use crate::kind_fields::only;
use kubernetes::names::ResourcePattern;
use kubernetes::openapi::Resource;
use policy::PolicyDocument;
use policy::manifest::{Rule, StringField};
use text::nearest;

/// Returns whether a CustomResourceDefinition or an API server extension may define the group, with
/// unknown kinds.
///
/// Upstream: kubernetes/apiextensions-apiserver,
/// pkg/apis/apiextensions/validation/validation.go, `should be a domain with at least one
/// dot`.
pub(super) fn is_custom(servers: &Servers, group: &str) -> bool {
    group.contains('.') && !group.contains('/') && !servers.has_group(group)
}

/// Returns findings about unknown groups of a rule.
pub(super) fn check(
    (document, servers): (&PolicyDocument, &Servers),
    rule: &Rule,
    served: &[Resource<'_>],
) -> Vec<Finding> {
    let groups = rule.groups.iter();
    let unknown: Vec<&StringField> = groups
        .filter(|group| *group.text != *"*" && !servers.has_group(&group.text))
        .collect();
    let findings = unknown.into_iter().filter_map(|group| {
        let right = intended_group(servers, &group.text)
            .or_else(|| group_of_resources(servers, rule, group));
        let is_sure = group.text.contains('/') || !group.text.contains('.');
        // Older servers may still serve a removed group.
        if right.is_none() && (!is_sure || covers(rule, served)) {
            return None;
        }
        Some(finding(document, rule, group, right.as_deref()))
    });
    findings.collect()
}

fn finding(
    document: &PolicyDocument,
    rule: &Rule,
    group: &StringField,
    right: Option<&str>,
) -> Finding {
    let message = match right {
        Some(right) => format!(
            "There is no API group `{}`, so it matches nothing. Did you mean `{}`?",
            group.text,
            named(right)
        ),
        None => format!(
            "There is no API group `{}`, so it matches nothing.",
            group.text
        ),
    };
    let finding = Finding::new(group.at.range, message);
    let is_there = |right: &str| rule.groups.iter().any(|other| *other.text == *right);
    match right.filter(|right| !is_there(right)) {
        Some(right) => with_fix(document, finding, &[(group, right)]),
        None => finding,
    }
}

/// Returns whether the other groups have every resource of the rule.
fn covers(rule: &Rule, served: &[Resource<'_>]) -> bool {
    rule.resources.iter().all(|word| {
        let plural = ResourcePattern::parse(&word.text).resource;
        plural == "*" || served.iter().any(|resource| resource.plural == plural)
    })
}

/// Returns the group that serves all resources of a rule with a single unknown group. `None` if that
/// may be a custom group, which contains a dot. Kubernetes once served several kinds in the group
/// `extensions`.
fn group_of_resources(servers: &Servers, rule: &Rule, group: &StringField) -> Option<String> {
    if group.text.contains('.') || rule.groups.len() > 1 {
        return None;
    }
    let groups = rule.resources.iter().map(|word| {
        let plural = ResourcePattern::parse(&word.text).resource;
        let all = servers.newest().resources();
        Some(best(all.filter(|it| it.plural == plural))?.group)
    });
    only(groups)?.map(str::to_owned)
}

/// Returns the group that is probably meant.
fn intended_group(servers: &Servers, group: &str) -> Option<String> {
    let is_known = |group: &&str| servers.has_group(group);
    if let Some((before, version)) = group.split_once('/') {
        let core = if before == "core" { "" } else { before };
        let is_version = version.starts_with('v');
        return Some(core)
            .filter(is_known)
            .filter(|_| is_version)
            .map(str::to_owned);
    }
    if group == "core" || group == "v1" {
        return Some(String::new());
    }
    let known: Vec<&str> = servers
        .newest()
        .resources()
        .map(|resource| resource.group)
        .filter(|known| !known.is_empty())
        .collect();
    let lower = group.to_lowercase();
    let beginning = format!("{lower}.");
    let same = known.iter().find(|known| **known == lower);
    let longer = || known.iter().find(|known| known.starts_with(&beginning));
    if let Some(found) = same.or_else(longer) {
        return Some((*found).to_owned());
    }
    // A short name is similar to many groups, a custom group to none.
    let ours = group.ends_with(".k8s.io");
    let candidates = known.iter().copied().filter(|_| group.len() > 2);
    let found = nearest(group, candidates)?;
    let is_near = found.len().abs_diff(group.len()) <= 3 && (ours || !group.contains('.'));
    is_near.then(|| found.to_owned())
}
