//! The possible values in the requests for an expression.

use kubernetes::openapi::Catalog;
use policy::manifest::{Rule, has_wildcard};
use policy::{Expression, Kind, PolicyDocument, Role};
use std::cell::OnceCell;
use std::sync::Arc;

/// The values of `request.operation`.
const OPERATIONS: [&str; 4] = ["CREATE", "UPDATE", "DELETE", "CONNECT"];

/// The requests for which an expression is evaluated.
#[derive(Debug, Default)]
pub(super) struct Requests<'d> {
    /// `None` if the expression cannot read `request`.
    catalog: Option<Arc<Catalog>>,
    rules: &'d [Rule],
    /// Whether the requests are those of a mutating policy.
    mutates: bool,
    /// Computed when the values of a field are first needed.
    matched: OnceCell<Matched>,
}

/// The possible values in the requests that the rules match. `None` means any value.
#[derive(Debug, Default)]
struct Matched {
    operations: Option<Vec<String>>,
    groups: Option<Vec<String>>,
    resources: Option<Vec<String>>,
    kinds: Option<Vec<String>>,
}

/// The possible values of a field of the request.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Values<'r> {
    /// The values in any request.
    pub(super) any: Option<&'static [&'static str]>,
    /// The values in the requests that the rules match.
    pub(super) matched: Option<&'r [String]>,
}

impl<'d> Requests<'d> {
    /// Returns the requests for which an expression is evaluated.
    pub(super) fn new(
        document: &'d PolicyDocument,
        expression: &Expression,
        catalog: &Arc<Catalog>,
    ) -> Self {
        let rules = match document.kind() {
            Kind::ValidatingAdmissionPolicy | Kind::MutatingAdmissionPolicy => {
                document.policy().map_or(&[][..], |it| it.rules())
            }
            Kind::ValidatingWebhookConfiguration | Kind::MutatingWebhookConfiguration => {
                let matching = document.webhook_of(expression).map(|it| &it.matching);
                matching.map_or(&[][..], |it| &it.rules)
            }
            Kind::CustomResourceDefinition
            | Kind::ValidatingAdmissionPolicyBinding
            | Kind::MutatingAdmissionPolicyBinding => return Self::default(),
        };
        Self {
            catalog: Some(Arc::clone(catalog)),
            rules,
            mutates: document.kind() == Kind::MutatingAdmissionPolicy,
            matched: OnceCell::new(),
        }
    }

    /// Returns whether a word is a kind or a plural, in any letter case.
    pub(super) fn is_kind(&self, word: &str) -> bool {
        let mut resources = self.catalog.iter().flat_map(|catalog| catalog.resources());
        resources.any(|it| it.kind.eq_ignore_ascii_case(word) || it.plural == word)
    }

    /// Returns the values of a field of the request or the object, by its path.
    pub(super) fn values(&self, path: &str, role: Role) -> Values<'_> {
        let Some(catalog) = self.catalog.as_ref().filter(|_| role.schema().is_none()) else {
            return Values::default();
        };
        let rules = || {
            let new = || Matched::new(self.rules, self.mutates, catalog);
            self.matched.get_or_init(new)
        };
        let (any, matched) = match path {
            "request.operation" => (Some(OPERATIONS.as_slice()), &rules().operations),
            "request.resource.resource" => (None, &rules().resources),
            "request.resource.group" => (None, &rules().groups),
            "request.kind.kind" | "object.kind" => (None, &rules().kinds),
            _ => return Values::default(),
        };
        Values {
            any,
            matched: matched.as_deref(),
        }
    }
}

impl Matched {
    fn new(rules: &[Rule], mutates: bool, catalog: &Catalog) -> Self {
        if rules.is_empty() || !rules.iter().all(Rule::is_complete) {
            return Self::default();
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
        }
    }
}

fn groups(rules: &[Rule]) -> Option<Vec<String>> {
    let open = rules.iter().any(|rule| has_wildcard(&rule.groups));
    let words = rules.iter().flat_map(|rule| &rule.groups);
    (!open).then(|| words.map(|word| word.text.to_string()).collect())
}

/// Returns the resources that the rules specify, without their subresources.
fn resources(rules: &[Rule]) -> Option<Vec<String>> {
    let patterns = rules.iter().flat_map(Rule::patterns);
    let resources = patterns.map(|it| (it.resource != "*").then(|| it.resource.to_owned()));
    resources.collect()
}

/// Returns the kinds of the objects that a rule matches. `None` if one is unknown.
fn kinds(rule: &Rule, catalog: &Catalog) -> Option<Vec<String>> {
    if has_wildcard(&rule.groups) || has_wildcard(&rule.versions) {
        return None;
    }
    let mut kinds = Vec::new();
    for pattern in rule.patterns() {
        if pattern.is_wildcard() {
            return None;
        }
        let before = kinds.len();
        for group in &rule.groups {
            for version in &rule.versions {
                let found = catalog.resource(&group.text, &version.text, pattern.resource);
                let kind = found.and_then(|found| match pattern.subresource() {
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
