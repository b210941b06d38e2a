//! Whether a policy looks at a request at all.
//!
//! A rule that never matches is a mistake that nobody sees in a cluster, so the answer names
//! the reason and the place in the policy that says it.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/matching/matching.go, Matches;
//! pkg/admission/plugin/webhook/predicates/rules/rules.go, Matcher.

mod selector;

use super::request::Request;
use super::resource::Resource;
use crate::document::{Kind, PolicyDocument};
use std::fmt;
use text::TextRange;
use yaml::{Node, Sequence};

/// Why a request is none of the policy's business.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// What does not fit.
    pub kind: MismatchKind,
    /// The place in the file of the policy that says so.
    pub range: TextRange,
}

/// What does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MismatchKind {
    /// The document is no policy, and matches nothing.
    NoPolicy,
    /// There is no rule.
    NoRules,
    /// No rule has this operation, group, version, resource, scope and name.
    Rules {
        /// The request in words: `CREATE of deployments (apps/v1)`.
        request: String,
    },
    /// A rule excludes it.
    Excluded {
        /// The request in words.
        request: String,
    },
    /// The labels of the object do not fit.
    ObjectSelector,
    /// The labels of the namespace do not fit.
    NamespaceSelector,
    /// The kinds of admission itself are not looked at, so that a policy cannot lock
    /// itself in.
    Admission,
}

impl fmt::Display for MismatchKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MismatchKind::NoPolicy => write!(out, "the document is no policy"),
            MismatchKind::NoRules => {
                write!(out, "the policy has no `matchConstraints.resourceRules`")
            }
            MismatchKind::Rules { request } => write!(out, "no rule matches {request}"),
            MismatchKind::Excluded { request } => write!(out, "a rule excludes {request}"),
            MismatchKind::ObjectSelector => {
                write!(
                    out,
                    "the labels of the object do not match `objectSelector`"
                )
            }
            MismatchKind::NamespaceSelector => write!(
                out,
                "the labels of the namespace do not match `namespaceSelector`"
            ),
            MismatchKind::Admission => write!(
                out,
                "Kubernetes applies no policy to policies, their bindings and webhook configurations"
            ),
        }
    }
}

/// Whether the policy looks at the request.
///
/// A selector of namespaces is only asked when the namespace is known.
///
/// # Errors
/// Why it does not.
pub fn matches(document: &PolicyDocument, request: &Request) -> Result<(), Mismatch> {
    let root = document.root();
    let at = |node: Node<'_>, kind| {
        Err(Mismatch {
            kind,
            range: node.range(),
        })
    };
    if !document.kind().is_policy() {
        return at(root, MismatchKind::NoPolicy);
    }
    let name = root.get("kind").unwrap_or(root);
    if is_admission(request) {
        return at(name, MismatchKind::Admission);
    }
    let constraints = root
        .get("spec")
        .and_then(|spec| spec.get("matchConstraints"));
    let Some(constraints) = constraints else {
        return at(name, MismatchKind::NoRules);
    };
    check(
        constraints,
        ["resourceRules", "excludeResourceRules"],
        request,
    )
}

/// Whether the webhook that holds a match condition is called for the request.
///
/// # Errors
/// Why it is not.
pub fn webhook_matches(webhook: Node<'_>, request: &Request) -> Result<(), Mismatch> {
    check(webhook, ["rules", ""], request)
}

/// Whether a rule names the resource at all, whatever is done with it: a quick question for
/// many objects. `document` is a policy; else `webhook` is one of its webhooks.
#[must_use]
pub fn may_match(document: &PolicyDocument, webhook: Node<'_>, resource: &Resource) -> bool {
    let rules = if document.kind().is_policy() {
        let spec = document.root().get("spec");
        spec.and_then(|spec| spec.get("matchConstraints")?.get("resourceRules"))
    } else {
        webhook.get("rules")
    };
    items(rules).any(|rule| rule_names(rule, resource))
}

fn check(owner: Node<'_>, [rules, excluded]: [&str; 2], request: &Request) -> Result<(), Mismatch> {
    let at = |node: Node<'_>, kind| {
        Err(Mismatch {
            kind,
            range: node.range(),
        })
    };
    let namespace = request.inputs.namespace_object.as_ref();
    if let Some(selector) = owner.get("namespaceSelector")
        && let Some(namespace) = namespace
        && !selector::matches(selector, Request::labels(Some(namespace)))
    {
        return at(selector, MismatchKind::NamespaceSelector);
    }
    if let Some(selector) = owner.get("objectSelector") {
        let objects = [&request.inputs.object, &request.inputs.old_object];
        let fits = objects.into_iter().flatten().any(|object| {
            let labels = Request::labels(Some(object));
            selector::matches(selector, labels)
        });
        if !fits {
            return at(selector, MismatchKind::ObjectSelector);
        }
    }
    let in_words = || request.to_string();
    if let Some(rule) = items(owner.get(excluded)).find(|rule| rule_matches(*rule, request)) {
        let request = in_words();
        return at(rule, MismatchKind::Excluded { request });
    }
    match owner
        .get(rules)
        .filter(|rules| items(Some(*rules)).count() > 0)
    {
        None => at(owner, MismatchKind::NoRules),
        Some(rules) if items(Some(rules)).any(|rule| rule_matches(rule, request)) => Ok(()),
        Some(rules) => {
            let request = in_words();
            at(rules, MismatchKind::Rules { request })
        }
    }
}

/// Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/generic/plugin.go, Dispatch.
fn is_admission(request: &Request) -> bool {
    let kind = Kind::parse(&request.resource.kind);
    kind.is_some_and(|kind| {
        kind.group() == request.resource.group && kind != Kind::CustomResourceDefinition
    })
}

fn rule_matches(rule: Node<'_>, request: &Request) -> bool {
    let resource = &request.resource;
    let scope = match rule.get("scope").and_then(Node::as_str) {
        Some("Namespaced") => !is_cluster_wide(request),
        Some("Cluster") => is_cluster_wide(request),
        _ => true,
    };
    let names = rule.get("resourceNames");
    scope
        && contains(rule.get("operations"), request.operation.as_str())
        && rule_names(rule, resource)
        && (strings(names).next().is_none() || strings(names).any(|name| name == request.name))
}

fn rule_names(rule: Node<'_>, resource: &Resource) -> bool {
    contains(rule.get("apiGroups"), &resource.group)
        && contains(rule.get("apiVersions"), &resource.version)
        && strings(rule.get("resources")).any(|name| names_resource(name, &resource.plural))
}

fn is_cluster_wide(request: &Request) -> bool {
    match request.resource.namespaced {
        Some(namespaced) => !namespaced,
        None => request.namespace.is_empty(),
    }
}

/// Whether an entry of `resources` names the resource itself, not a subresource.
fn names_resource(entry: &str, plural: &str) -> bool {
    let (resource, subresource) = entry.split_once('/').unwrap_or((entry, ""));
    (resource == "*" || resource == plural) && (subresource.is_empty() || subresource == "*")
}

fn contains(list: Option<Node<'_>>, word: &str) -> bool {
    strings(list).any(|entry| entry == "*" || entry == word)
}

fn items(list: Option<Node<'_>>) -> impl Iterator<Item = Node<'_>> {
    let list = list.and_then(Node::as_sequence);
    list.into_iter().flat_map(Sequence::items)
}

fn strings<'a>(list: Option<Node<'a>>) -> impl Iterator<Item = &'a str> {
    items(list).filter_map(Node::as_str)
}

#[cfg(test)]
mod tests;
