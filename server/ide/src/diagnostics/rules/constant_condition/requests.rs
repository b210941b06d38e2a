//! What the requests that reach an expression can hold.

use crate::diagnostics::match_rules::{self, MatchRule, Matching, has_wildcard};
use kubernetes::openapi::Catalog;
use policy::{Expression, Kind, PolicyDocument, Role};
use std::sync::Arc;

/// The values of `request.operation`.
const OPERATIONS: [&str; 4] = ["CREATE", "UPDATE", "DELETE", "CONNECT"];

/// What is known of the requests, from the rules around an expression. `None` where any
/// value can come.
#[derive(Debug, Default)]
pub(super) struct Requests {
    catalog: Option<Arc<Catalog>>,
    /// Whether there is a `request` at all.
    exists: bool,
    operations: Option<Vec<String>>,
    groups: Option<Vec<String>>,
    resources: Option<Vec<String>>,
    kinds: Option<Vec<String>>,
}

/// The values that a field of the request can have.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Values<'r> {
    /// In any request.
    pub(super) any: Option<&'static [&'static str]>,
    /// In those that the rules match.
    pub(super) matched: Option<&'r [String]>,
}

impl Requests {
    /// The requests that an expression of the document sees.
    pub(super) fn of(
        document: &PolicyDocument,
        expression: &Expression,
        catalog: &Arc<Catalog>,
    ) -> Self {
        match document.kind() {
            Kind::ValidatingAdmissionPolicy | Kind::MutatingAdmissionPolicy => {
                let matchings = match_rules::matchings(document);
                let mutates = document.kind() == Kind::MutatingAdmissionPolicy;
                Self::matched(matchings.first(), mutates, catalog)
            }
            Kind::ValidatingWebhookConfiguration | Kind::MutatingWebhookConfiguration => {
                let condition = document.node(expression.owner);
                let webhook = condition.parent().and_then(yaml::Node::parent);
                let matching = webhook.map(match_rules::webhook);
                Self::matched(matching.as_ref(), false, catalog)
            }
            Kind::CustomResourceDefinition
            | Kind::ValidatingAdmissionPolicyBinding
            | Kind::MutatingAdmissionPolicyBinding => Self::default(),
        }
    }

    fn matched(matching: Option<&Matching<'_>>, mutates: bool, catalog: &Arc<Catalog>) -> Self {
        let rules = matching.map_or(&[][..], |matching| &matching.rules);
        let any = Self {
            exists: true,
            catalog: Some(Arc::clone(catalog)),
            ..Self::default()
        };
        if rules.is_empty() || !rules.iter().all(MatchRule::is_whole) {
            return any;
        }
        let of_rules = |operation: &&&str| rules.iter().any(|rule| rule.has_operation(operation));
        let operations = OPERATIONS
            .iter()
            .filter(of_rules)
            .filter(|operation| !mutates || **operation != "DELETE");
        let kinds: Option<Vec<Vec<String>>> =
            rules.iter().map(|rule| kinds(rule, catalog)).collect();
        Self {
            operations: Some(operations.map(|text| (*text).to_owned()).collect()),
            groups: groups(rules),
            resources: resources(rules),
            kinds: kinds.map(|kinds| kinds.into_iter().flatten().collect()),
            ..any
        }
    }

    /// Whether a word is a kind, however it is written.
    pub(super) fn is_kind(&self, word: &str) -> bool {
        let mut resources = self.catalog.iter().flat_map(|catalog| catalog.resources());
        resources.any(|it| it.kind.eq_ignore_ascii_case(word) || it.plural == word)
    }

    /// The values of a field of the request, or of the object, by its path.
    pub(super) fn values(&self, path: &str, role: Role) -> Values<'_> {
        if !self.exists || role.schema().is_some() {
            return Values::default();
        }
        let (any, matched) = match path {
            "request.operation" => (Some(OPERATIONS.as_slice()), &self.operations),
            "request.resource.resource" => (None, &self.resources),
            "request.resource.group" => (None, &self.groups),
            "request.kind.kind" | "object.kind" => (None, &self.kinds),
            _ => return Values::default(),
        };
        Values {
            any,
            matched: matched.as_deref(),
        }
    }
}

fn groups(rules: &[MatchRule<'_>]) -> Option<Vec<String>> {
    let open = rules.iter().any(|rule| has_wildcard(&rule.groups));
    let words = rules.iter().flat_map(|rule| &rule.groups);
    (!open).then(|| words.map(|word| word.text.to_owned()).collect())
}

/// The resources that the rules name, without their subresources.
fn resources(rules: &[MatchRule<'_>]) -> Option<Vec<String>> {
    let words = rules.iter().flat_map(|rule| &rule.resources);
    let resources = words.map(|word| {
        let (resource, _) = word.text.split_once('/').unwrap_or((word.text, ""));
        (resource != "*").then(|| resource.to_owned())
    });
    resources.collect()
}

/// The kinds of the objects that a rule matches. `None` where one is not known.
fn kinds(rule: &MatchRule<'_>, catalog: &Catalog) -> Option<Vec<String>> {
    if has_wildcard(&rule.groups) || has_wildcard(&rule.versions) {
        return None;
    }
    let mut kinds = Vec::new();
    for word in &rule.resources {
        let (plural, subresource) = word.text.split_once('/').unwrap_or((word.text, ""));
        if plural == "*" || subresource == "*" {
            return None;
        }
        let before = kinds.len();
        for group in &rule.groups {
            for version in &rule.versions {
                let found = catalog.resource(group.text, version.text, plural);
                let kind = found.and_then(|found| match subresource {
                    "" => Some(found.kind),
                    name => Some(found.subresource(name)?.kind),
                });
                kinds.extend(kind.map(str::to_owned));
            }
        }
        if kinds.len() == before {
            return None;
        }
    }
    Some(kinds)
}
