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
use crate::openapi::Catalog;
use cel::Value;
use cel::value::Map;
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
                "Kubernetes applies no policy to policies, their bindings, and the reviews of users and rights"
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
    if is_exempt(request) {
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

/// Whether a policy or a binding looks at the request by what one of its fields says, with
/// other versions of the kind where the match policy allows them. Gives the resource as the
/// rule names it, where that is another one than the request has.
///
/// # Errors
/// Why it does not.
pub(super) fn match_resources(
    resources: Option<Node<'_>>,
    is_policy: bool,
    request: &Request,
    kinds: &Catalog,
) -> Result<Option<Resource>, Mismatch> {
    let Some(owner) = resources else {
        return Ok(None);
    };
    selectors(owner, request)?;
    let own = &request.resource;
    let excluded = owner.get("excludeResourceRules");
    if let Some(rule) = first_rule(excluded, request, own).or_else(|| {
        let mut others = equivalents(owner, request, kinds).filter(|_| excluded.is_some());
        others.find_map(|resource| first_rule(excluded, request, &resource))
    }) {
        let request = request.to_string();
        return Err(Mismatch {
            kind: MismatchKind::Excluded { request },
            range: rule.range(),
        });
    }
    let rules = owner.get("resourceRules");
    let takes_all = !is_policy && items(rules).next().is_none();
    if takes_all || first_rule(rules, request, own).is_some() {
        return Ok(None);
    }
    let mut others = equivalents(owner, request, kinds);
    if let Some(resource) = others.find(|it| first_rule(rules, request, it).is_some()) {
        return Ok(Some(resource));
    }
    let request = request.to_string();
    Err(Mismatch {
        kind: MismatchKind::Rules { request },
        range: rules.unwrap_or(owner).range(),
    })
}

/// The first rule that matches the request, made of that resource.
fn first_rule<'a>(
    rules: Option<Node<'a>>,
    request: &Request,
    resource: &Resource,
) -> Option<Node<'a>> {
    items(rules).find(|rule| rule_matches_as(*rule, request, resource))
}

/// The same resource in other versions, where the match policy looks at them.
///
/// Upstream: kubernetes/apimachinery, pkg/runtime/mapper.go, EquivalentResourcesFor.
fn equivalents<'a>(
    owner: Node<'_>,
    request: &'a Request,
    kinds: &'a Catalog,
) -> impl Iterator<Item = Resource> + 'a {
    let is_exact = owner.get("matchPolicy").and_then(Node::as_str) == Some("Exact");
    let own = &request.resource;
    let alike = (!is_exact).then(|| kinds.resources_of_name(&own.plural));
    let others = alike.into_iter().flatten().filter(|other| {
        let is_same = other.group == own.group || is_event(other.group) && is_event(&own.group);
        is_same && (other.group, other.version) != (own.group.as_str(), own.version.as_str())
    });
    others.map(|other| Resource {
        group: other.group.to_owned(),
        version: other.version.to_owned(),
        kind: other.kind.to_owned(),
        plural: other.plural.to_owned(),
        namespaced: Some(other.namespaced),
    })
}

/// Events are in two groups.
fn is_event(group: &str) -> bool {
    matches!(group, "" | "events.k8s.io")
}

/// Upstream: kubernetes/apiserver, pkg/admission/plugin/webhook/predicates/namespace/matcher.go,
/// MatchNamespaceSelector; predicates/object/matcher.go, MatchObjectSelector.
fn selectors(owner: Node<'_>, request: &Request) -> Result<(), Mismatch> {
    let at = |node: Node<'_>, kind| {
        Err(Mismatch {
            kind,
            range: node.range(),
        })
    };
    if let Some(selector) = owner.get("namespaceSelector")
        && let Some(namespace) = namespace_labels(request)
        && !selector::matches(selector, namespace)
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
    Ok(())
}

/// The labels by which a namespace is chosen: of a namespace its own. `None` where nothing is
/// to be chosen, or the namespace is not known.
fn namespace_labels(request: &Request) -> Option<Option<&Map>> {
    if request.is_namespace() {
        let inputs = &request.inputs;
        let namespace = inputs.object.as_ref().or(inputs.old_object.as_ref());
        return Some(Request::labels(namespace));
    }
    let namespace = request.inputs.namespace_object.as_ref()?;
    Some(Request::labels(Some(namespace)))
}

/// Whether labels fit the selector in a field.
pub(super) fn selects(selector: Node<'_>, object: &Value) -> bool {
    selector::matches(selector, Request::labels(Some(object)))
}

fn check(owner: Node<'_>, [rules, excluded]: [&str; 2], request: &Request) -> Result<(), Mismatch> {
    let at = |node: Node<'_>, kind| {
        Err(Mismatch {
            kind,
            range: node.range(),
        })
    };
    selectors(owner, request)?;
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

/// Reviews that no policy sees, by group and resource: the cluster depends on them.
///
/// Upstream: kubernetes/kubernetes, pkg/kubeapiserver/admission/exclusion/resources.go,
/// excluded.
pub const REVIEWS: [(&str, &str); 6] = [
    ("authentication.k8s.io", "selfsubjectreviews"),
    ("authentication.k8s.io", "tokenreviews"),
    ("authorization.k8s.io", "localsubjectaccessreviews"),
    ("authorization.k8s.io", "selfsubjectaccessreviews"),
    ("authorization.k8s.io", "selfsubjectrulesreviews"),
    ("authorization.k8s.io", "subjectaccessreviews"),
];

/// Whether no policy sees a request, whatever its rules say.
///
/// Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/generic/plugin.go, Dispatch.
pub(super) fn is_exempt(request: &Request) -> bool {
    let resource = &request.resource;
    let of_policies = Kind::parse(&resource.kind).is_some_and(|kind| {
        let is_webhook = matches!(
            kind,
            Kind::ValidatingWebhookConfiguration | Kind::MutatingWebhookConfiguration
        );
        kind.group() == resource.group && kind != Kind::CustomResourceDefinition && !is_webhook
    });
    of_policies || REVIEWS.contains(&(&resource.group, &resource.plural))
}

fn rule_matches(rule: Node<'_>, request: &Request) -> bool {
    rule_matches_as(rule, request, &request.resource)
}

fn rule_matches_as(rule: Node<'_>, request: &Request, resource: &Resource) -> bool {
    let scope = match rule.get("scope").and_then(Node::as_str) {
        Some("Namespaced") => !is_cluster_wide(request),
        Some("Cluster") => is_cluster_wide(request),
        _ => true,
    };
    let names = rule.get("resourceNames");
    scope
        && contains(rule.get("operations"), request.operation.as_str())
        && rule_names_below(rule, resource, &request.subresource)
        && (strings(names).next().is_none() || strings(names).any(|name| name == request.name))
}

fn rule_names(rule: Node<'_>, resource: &Resource) -> bool {
    rule_names_below(rule, resource, "")
}

fn rule_names_below(rule: Node<'_>, resource: &Resource, subresource: &str) -> bool {
    contains(rule.get("apiGroups"), &resource.group)
        && contains(rule.get("apiVersions"), &resource.version)
        && strings(rule.get("resources"))
            .any(|name| names_resource(name, &resource.plural, subresource))
}

fn is_cluster_wide(request: &Request) -> bool {
    match request.resource.namespaced {
        Some(namespaced) => !namespaced,
        None => request.namespace.is_empty(),
    }
}

/// Whether an entry of `resources` names a resource, or what stands below it.
fn names_resource(entry: &str, plural: &str, subresource: &str) -> bool {
    let (resource, below) = entry.split_once('/').unwrap_or((entry, ""));
    (resource == "*" || resource == plural) && (below == "*" || below == subresource)
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
