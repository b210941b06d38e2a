#![doc = include_str!("unknown_resource.md")]

mod groups;
mod search;

use crate::diagnostics::match_rules::{Servers, is_small, matchings};
use crate::diagnostics::{Finding, RuleContext, Severity};
use kubernetes::openapi::Resource;
use policy::PolicyDocument;
use policy::manifest::{Rule, StringField, has, has_wildcard};
use search::{Miss, Search};
use text::TextEdit;
use yaml::edit::replace_word;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    let servers = Servers::new(context.file);
    for facts in context.policies() {
        for matching in matchings(facts.document) {
            let rules = matching.rules.iter().chain(&matching.excluded);
            for rule in rules.filter(|rule| rule.is_complete() && is_small(rule)) {
                found.extend(findings(facts.document, &servers, rule));
                if found.len() >= context.max_findings() {
                    return;
                }
            }
        }
    }
}

fn findings(document: &PolicyDocument, servers: &Servers, rule: &Rule) -> Vec<Finding> {
    let served = servers.served(rule);
    let mut found = groups::check((document, servers), rule, &served);
    found.extend(versions(document, rule));
    let is_open = has_wildcard(&rule.groups)
        || rule
            .groups
            .iter()
            .any(|group| groups::is_custom(servers, &group.text));
    let search = Search {
        servers,
        rule,
        served: &served,
        is_open,
        // An error in a group or a version is not reported again for its resources.
        is_explained: !found.is_empty(),
    };
    let misses: Vec<(&StringField, Miss<'_>)> = rule
        .resources
        .iter()
        .filter_map(|word| Some((word, search.miss(&word.text)?)))
        .collect();
    found.extend(
        misses
            .iter()
            .map(|(word, miss)| finding(document, rule, word, miss)),
    );
    found
}

/// Reports invalid versions.
fn versions(document: &PolicyDocument, rule: &Rule) -> Vec<Finding> {
    let wrong = rule.versions.iter().filter_map(|word| {
        let right = match word.text.rsplit_once('/') {
            Some((_, version)) => version.to_owned(),
            None => word.text.to_lowercase(),
        };
        (*right != *word.text).then_some((word, right))
    });
    wrong
        .map(|(word, right)| {
            let message = format!(
                "`{}` is not a version, so it matches nothing. Write `{right}`; the group belongs \
                 in `apiGroups`.",
                word.text
            );
            with_fix(
                document,
                Finding::new(word.at.range, message),
                &[(word, &right)],
            )
        })
        .collect()
}

fn finding(document: &PolicyDocument, rule: &Rule, word: &StringField, miss: &Miss<'_>) -> Finding {
    let (text, reason) = (&word.text, reason(rule, miss));
    let message = match miss {
        Miss::Undefined { .. } => format!("`{text}` may match nothing: {reason}."),
        _ => format!("`{text}` matches nothing: {reason}."),
    };
    let finding = Finding::new(word.at.range, message);
    let finding = match miss {
        // A definition outside the project may be in the cluster.
        Miss::Undefined { right: None } => finding.severity(Severity::Information),
        _ => finding,
    };
    with_fix(document, finding, &changes(rule, word, miss))
}

/// Returns the reason that an entry matches no resource.
fn reason(rule: &Rule, miss: &Miss<'_>) -> String {
    match miss {
        Miss::Form { .. } => "resource names are lowercase".to_owned(),
        Miss::Name { right, resource } => {
            format!("the resource of the kind `{}` is `{right}`", resource.kind)
        }
        Miss::Version { resource } => {
            let (group, version) = (named(resource.group), resource.version);
            format!("`{group}` serves it in version `{version}`")
        }
        Miss::Group { resource } => format!("it is in the API group `{}`", named(resource.group)),
        Miss::Subresource { parent, .. } => subresources(parent),
        Miss::NoParent { right } => {
            format!("write the subresource after its resource: `{right}`")
        }
        Miss::Gone { version, last } => {
            format!("Kubernetes {last} was the last version to serve it, in `{version}`")
        }
        Miss::Unknown { .. } => format!("no such resource exists in {}", groups_of(rule)),
        Miss::Undefined { .. } => format!(
            "no CustomResourceDefinition in the project defines it in {}",
            groups_of(rule)
        ),
    }
}

fn groups_of(rule: &Rule) -> String {
    let groups: Vec<String> = rule
        .groups
        .iter()
        .map(|group| format!("`{}`", named(&group.text)))
        .collect();
    groups.join(", ")
}

/// Returns the changes that correct an entry.
fn changes<'a>(
    rule: &'a Rule,
    word: &'a StringField,
    miss: &'a Miss<'a>,
) -> Vec<(&'a StringField, &'a str)> {
    match miss {
        Miss::Form { right } | Miss::NoParent { right } => vec![(word, right)],
        Miss::Name { right, resource } => std::iter::once((word, right.as_str()))
            .chain(other_group(rule, resource))
            .collect(),
        Miss::Version { resource } => match rule.versions.as_slice() {
            [version] => vec![(version, resource.version)],
            _ => Vec::new(),
        },
        Miss::Group { resource } => other_group(rule, resource),
        Miss::Subresource { right, .. } | Miss::Unknown { right } | Miss::Undefined { right } => {
            right.iter().map(|right| (word, right.as_str())).collect()
        }
        Miss::Gone { .. } => Vec::new(),
    }
}

/// Returns the changes of a rule with a single group and resource to another group.
fn other_group<'a>(rule: &'a Rule, resource: &Resource<'a>) -> Vec<(&'a StringField, &'a str)> {
    match (rule.groups.as_slice(), rule.resources.as_slice()) {
        ([group], [_]) if *group.text != *resource.group && *group.text != *"*" => {
            let version = match rule.versions.as_slice() {
                [version] if !has(&rule.versions, resource.version) => {
                    Some((version, resource.version))
                }
                _ => None,
            };
            std::iter::once((group, resource.group))
                .chain(version)
                .collect()
        }
        _ => Vec::new(),
    }
}

fn subresources(parent: &Resource<'_>) -> String {
    let names = parent.subresources.iter();
    let names: Vec<String> = names.map(|below| format!("`{}`", below.name)).collect();
    match names.as_slice() {
        [] => format!("`{}` has no subresources", parent.plural),
        names => format!(
            "the subresources of `{}` are {}",
            parent.plural,
            names.join(", ")
        ),
    }
}

/// Returns the name of a group for a message.
fn named(group: &str) -> &str {
    match group {
        "" => "\"\"",
        group => group,
    }
}

/// Returns the finding with a fix, if all of the strings can be changed.
fn with_fix(
    document: &PolicyDocument,
    finding: Finding,
    changes: &[(&StringField, &str)],
) -> Finding {
    let edits: Option<Vec<TextEdit>> = changes
        .iter()
        .map(|(word, right)| match *right {
            "" => Some(TextEdit::replace(word.at.range, "\"\"")),
            right => replace_word(document.node(word.at.node), right),
        })
        .collect();
    let edits = edits.filter(|edits| !edits.is_empty());
    let words: Vec<String> = changes
        .iter()
        .map(|(_, right)| format!("`{}`", named(right)))
        .collect();
    match edits {
        Some(edits) => finding.fix(format!("Change to {}", words.join(" and ")), edits),
        None => finding,
    }
}

#[cfg(test)]
mod tests;
