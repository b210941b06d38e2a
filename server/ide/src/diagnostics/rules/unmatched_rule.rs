#![doc = include_str!("unmatched_rule.md")]

mod exclusion;
mod requests;

use crate::diagnostics::match_rules::{Servers, is_small, matchings};
use crate::diagnostics::{Finding, RuleContext};
use crate::kind_fields::{OPERATIONS, is_connect, operations_of};
use kubernetes::names::ResourcePattern;
use kubernetes::openapi::Resource;
use policy::manifest::{MatchResources, Rule, StringField, has_wildcard};
use policy::{Kind, PolicyDocument};
use requests::Exempt;
use yaml::edit::replace_word;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    let servers = Servers::new(context.file);
    for facts in context.policies() {
        for matching in matchings(facts.document) {
            let check = Check {
                document: facts.document,
                servers: &servers,
            };
            found.extend(check.matching(matching));
            if found.len() >= context.max_findings() {
                return;
            }
        }
    }
}

/// Returns whether an operation such as `update` does not exist, which `unsupported-value` reports.
fn has_unknown_operation(rule: &Rule) -> bool {
    let mut operations = rule.operations.iter().map(|it| &*it.text);
    operations.any(|it| it != "*" && !OPERATIONS.contains(&it))
}

struct Check<'c> {
    document: &'c PolicyDocument,
    servers: &'c Servers,
}

/// A resource or subresource that an entry of a rule specifies.
#[derive(Clone, Copy)]
struct Named<'c> {
    resource: Resource<'c>,
    /// The subresource, empty for the resource itself.
    below: &'c str,
}

impl<'c> Check<'c> {
    fn matching(&self, matching: &'c MatchResources) -> Vec<Finding> {
        let rules = matching.rules.iter();
        let mut found: Vec<Finding> = rules
            .filter(|rule| rule.is_complete() && is_small(rule))
            .flat_map(|rule| self.rule(matching, rule))
            .collect();
        if found.is_empty() {
            found.extend(exclusion::check(matching));
        }
        found
    }

    /// Returns the resources that an entry of a rule specifies, of those that are served. `None` if
    /// one is custom or unknown.
    fn named(&self, rule: &Rule, entry: &'c str) -> Option<Vec<Named<'c>>> {
        let pattern = ResourcePattern::parse(entry);
        if pattern.is_wildcard() {
            return None;
        }
        let (plural, below) = (pattern.resource, pattern.subresource());
        let named: Vec<Named<'c>> = self
            .servers
            .served_as(plural, rule)
            .into_iter()
            .filter(|it| below.is_empty() || it.subresource(below).is_some())
            .map(|resource| Named { resource, below })
            .collect();
        let catalog = self.servers.newest();
        let is_built_in = named.iter().all(|it| {
            let it = &it.resource;
            !catalog.is_added(it.group, it.version, it.kind)
        });
        (!named.is_empty() && is_built_in).then_some(named)
    }

    fn rule(&self, matching: &MatchResources, rule: &'c Rule) -> Vec<Finding> {
        if has_wildcard(&rule.groups) {
            return Vec::new();
        }
        let entries: Vec<(&'c StringField, Vec<Named<'c>>)> = rule
            .resources
            .iter()
            .filter_map(|word| Some((word, self.named(rule, &word.text)?)))
            .collect();
        let findings = entries.iter().filter_map(|(word, named)| {
            self.exempt(word, named)
                .or_else(|| self.operations(rule, word, named))
                .or_else(|| scope(self.document, rule, word, named))
                .or_else(|| labels(matching, word, named))
        });
        findings.collect()
    }

    /// Reports resources that no policy or webhook ever receives.
    fn exempt(&self, word: &StringField, named: &[Named<'_>]) -> Option<Finding> {
        let exempt: Option<Vec<Exempt>> = named
            .iter()
            .map(|it| Exempt::find(self.document, &it.resource))
            .collect();
        let reason = exempt?.first()?.reason();
        let message = format!("`{}` matches nothing: {reason}.", word.text);
        Some(Finding::new(word.at.range, message))
    }

    /// Reports operations that the resource does not support.
    fn operations(&self, rule: &Rule, word: &StringField, named: &[Named<'_>]) -> Option<Finding> {
        let mut possible: Vec<&str> = Vec::new();
        for it in named {
            possible.extend(operations_of(&it.resource, it.below)?);
        }
        possible.sort_unstable();
        possible.dedup();
        if has_unknown_operation(rule) || possible.iter().any(|it| rule.has_operation(it)) {
            return None;
        }
        let text = &word.text;
        let listed: Vec<String> = possible.iter().map(|it| format!("`{it}`")).collect();
        let message = match listed.as_slice() {
            [] => format!(
                "`{text}` matches nothing: it can only be read, and reads do not go through \
                 admission."
            ),
            [only] => format!("`{text}` matches nothing: its only operation is {only}."),
            several => format!(
                "`{text}` matches nothing: its operations are {}.",
                several.join(", ")
            ),
        };
        let finding = Finding::new(word.at.range, message);
        let ([right], [operation], [_]) = (
            possible.as_slice(),
            rule.operations.as_slice(),
            rule.resources.as_slice(),
        ) else {
            return Some(finding);
        };
        Some(
            match replace_word(self.document.node(operation.at.node), right) {
                Some(edit) => finding.unsafe_fix(
                    format!("Change `{}` to `{right}`", operation.text),
                    vec![edit],
                ),
                None => finding,
            },
        )
    }
}

/// Reports a scope that the resource does not have.
fn scope(
    document: &PolicyDocument,
    rule: &Rule,
    word: &StringField,
    named: &[Named<'_>],
) -> Option<Finding> {
    let scope = rule.scope.as_ref()?;
    let (wants_namespace, right) = match &*scope.text {
        "Namespaced" => (true, "Cluster"),
        "Cluster" => (false, "Namespaced"),
        _ => return None,
    };
    if named
        .iter()
        .any(|it| it.resource.namespaced == wants_namespace)
    {
        return None;
    }
    let place = if wants_namespace {
        "is cluster-scoped"
    } else {
        "is namespaced"
    };
    let message = format!(
        "`{}` matches nothing: it {place}, but the scope of the rule is `{}`.",
        word.text, scope.text
    );
    let finding =
        Finding::new(word.at.range, message).related(scope.at.range, "the scope of the rule");
    if rule.resources.len() > 1 {
        return Some(finding);
    }
    Some(match replace_word(document.node(scope.at.node), right) {
        Some(edit) => finding.unsafe_fix(format!("Change the scope to `{right}`"), vec![edit]),
        None => finding,
    })
}

/// Reports a label selector for objects without labels.
fn labels(matching: &MatchResources, word: &StringField, named: &[Named<'_>]) -> Option<Finding> {
    let [_, selector] = matching.selectors();
    let selector = selector?;
    if !named.iter().all(|it| is_connect(&it.resource, it.below)) {
        return None;
    }
    let message = format!(
        "`{}` matches nothing: its requests have no labels, so `objectSelector` never matches.",
        word.text
    );
    let finding = Finding::new(word.at.range, message);
    Some(finding.related(selector.at.range, "the selector"))
}

/// Returns whether a document is a policy, not a webhook.
fn is_policy(document: &PolicyDocument) -> bool {
    match document.kind() {
        Kind::ValidatingAdmissionPolicy
        | Kind::ValidatingAdmissionPolicyBinding
        | Kind::MutatingAdmissionPolicy
        | Kind::MutatingAdmissionPolicyBinding => true,
        Kind::ValidatingWebhookConfiguration
        | Kind::MutatingWebhookConfiguration
        | Kind::CustomResourceDefinition => false,
    }
}

#[cfg(test)]
mod tests;
