//! Whether a policy looks at a request at all.
//!
//! A rule that never matches is a mistake that nobody sees in a cluster, so the answer names
//! the reason and the place in the policy that says it.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/matching/matching.go, Matches;
//! pkg/admission/plugin/webhook/predicates/rules/rules.go, Matcher.

mod constraints;
mod selector;

pub(super) use constraints::Constraints;

use super::request::{Operation, Request};
use super::resource::Resource;
use crate::availability::changes::{REVIEWS_SKIP_POLICIES, REVIEWS_SKIP_WEBHOOKS};
use crate::document::{Kind, PolicyDocument};
use crate::openapi::Catalog;
use crate::target::Target;
use cel::Value;
use cel::library::Version;
use cel::value::Map;
use constraints::Rule;
pub use selector::NAMESPACE_NAME;
use selector::Selector;
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
    /// Of a deletion there is no object to change.
    Deletion,
    /// The same for webhooks.
    NoWebhook,
    /// Reviews of users and rights are not sent to webhooks.
    Review,
}

impl fmt::Display for MismatchKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MismatchKind::NoPolicy => write!(out, "the document is no policy"),
            MismatchKind::NoWebhook => write!(
                out,
                "Kubernetes calls no webhook about policies, their bindings and configurations of webhooks"
            ),
            MismatchKind::Review => write!(
                out,
                "Kubernetes calls no webhook about the reviews of users and rights from {} on",
                REVIEWS_SKIP_WEBHOOKS.since
            ),
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
            MismatchKind::Deletion => write!(out, "a deletion is not mutated"),
        }
    }
}

/// Whether the policy looks at the request.
///
/// Of a namespace that is not known the name counts, and no other label.
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
    if is_exempt(request, document.target().server()) {
        return at(name, MismatchKind::Admission);
    }
    if is_not_mutated(document.kind(), request) {
        return at(name, MismatchKind::Deletion);
    }
    let constraints = root
        .get("spec")
        .and_then(|spec| spec.get("matchConstraints"));
    let Some(constraints) = constraints else {
        return at(name, MismatchKind::NoRules);
    };
    Constraints::read(constraints).check(request)
}

/// Whether the webhook that holds a match condition is called for the request.
///
/// # Errors
/// Why it is not.
pub fn webhook_matches(webhook: Node<'_>, request: &Request) -> Result<(), Mismatch> {
    Constraints::of_webhook(webhook).check(request)
}

/// Whether a webhook looks at the request by its rules and selectors, with other versions of
/// the kind where its match policy allows them. Gives the resource as the rule names it, where
/// that is another one than the request has.
///
/// # Errors
/// Why it does not.
pub(super) fn match_webhook(
    webhook: Node<'_>,
    request: &Request,
    kinds: &Catalog,
) -> Result<Option<Resource>, Mismatch> {
    match_resources(
        Some(&Constraints::of_webhook(webhook)),
        true,
        request,
        kinds,
    )
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
    items(rules).any(|rule| Rule::read(rule).names_resource(resource, ""))
}

/// Whether a policy or a binding looks at the request by what one of its fields says, with
/// other versions of the kind where the match policy allows them. Gives the resource as the
/// rule names it, where that is another one than the request has.
///
/// # Errors
/// Why it does not.
pub(super) fn match_resources(
    constraints: Option<&Constraints>,
    is_policy: bool,
    request: &Request,
    kinds: &Catalog,
) -> Result<Option<Resource>, Mismatch> {
    let Some(constraints) = constraints else {
        return Ok(None);
    };
    constraints.selectors(request)?;
    if let Some((rule, _)) = constraints.matched(&constraints.excluded, request, kinds) {
        return Err(Mismatch::excluded(rule, request));
    }
    if !is_policy && constraints.rules.is_empty() {
        return Ok(None);
    }
    match constraints.matched(&constraints.rules, request, kinds) {
        Some((_, resource)) => Ok(resource),
        None => Err(constraints.no_rule(request)),
    }
}

impl Mismatch {
    fn excluded(rule: &Rule, request: &Request) -> Self {
        let request = request.to_string();
        Self {
            kind: MismatchKind::Excluded { request },
            range: rule.range,
        }
    }
}

impl Constraints {
    fn no_rule(&self, request: &Request) -> Mismatch {
        let request = request.to_string();
        Mismatch {
            kind: MismatchKind::Rules { request },
            range: self.rules_range.unwrap_or(self.range),
        }
    }

    /// The rule that matches a request, and the other resource with which it does. A rule for
    /// the resource itself goes before all others.
    fn matched<'a>(
        &self,
        rules: &'a [Rule],
        request: &Request,
        kinds: &Catalog,
    ) -> Option<(&'a Rule, Option<Resource>)> {
        let own = &request.resource;
        if let Some(rule) = rules.iter().find(|rule| rule.matches(request, own)) {
            return Some((rule, None));
        }
        if self.is_exact || rules.is_empty() {
            return None;
        }
        let others = equivalents(request, kinds);
        rules.iter().find_map(|rule| {
            let mut others = others.iter();
            let other = others.find(|other| rule.matches(request, other))?;
            Some((rule, Some(other.clone())))
        })
    }

    /// Upstream: kubernetes/apiserver,
    /// pkg/admission/plugin/webhook/predicates/namespace/matcher.go, MatchNamespaceSelector;
    /// predicates/object/matcher.go, MatchObjectSelector.
    fn selectors(&self, request: &Request) -> Result<(), Mismatch> {
        let at = |selector: &Selector, kind| {
            Err(Mismatch {
                kind,
                range: selector.range,
            })
        };
        if let Some(selector) = &self.namespaces {
            let matches = match namespace_labels(request) {
                Some(namespace) => selector.matches(namespace),
                None if request.namespace.is_empty() => true,
                None => selector.may_match_namespace(&request.namespace),
            };
            if !matches {
                return at(selector, MismatchKind::NamespaceSelector);
            }
        }
        if let Some(selector) = &self.objects
            && !selector.is_empty()
        {
            let objects = [&request.inputs.object, &request.inputs.old_object];
            // The options of a stream have no metadata, so nothing selects them.
            let has_labels = request.operation != Operation::Connect;
            let mut objects = objects.into_iter().flatten().filter(|_| has_labels);
            if !objects.any(|object| selector.matches(Request::labels(Some(object)))) {
                return at(selector, MismatchKind::ObjectSelector);
            }
        }
        Ok(())
    }

    fn check(&self, request: &Request) -> Result<(), Mismatch> {
        self.selectors(request)?;
        let own = &request.resource;
        let mut excluded = self.excluded.iter();
        if let Some(rule) = excluded.find(|rule| rule.matches(request, own)) {
            return Err(Mismatch::excluded(rule, request));
        }
        if self.rules.is_empty() {
            return Err(Mismatch {
                kind: MismatchKind::NoRules,
                range: self.range,
            });
        }
        match self.rules.iter().any(|rule| rule.matches(request, own)) {
            true => Ok(()),
            false => Err(self.no_rule(request)),
        }
    }
}

/// The same resource in other versions, with what is below it.
///
/// Upstream: kubernetes/apimachinery, pkg/runtime/mapper.go, EquivalentResourcesFor.
fn equivalents(request: &Request, kinds: &Catalog) -> Vec<Resource> {
    let own = &request.resource;
    let below = &request.subresource;
    let others = kinds.resources_of_name(&own.plural).filter(|other| {
        let is_same = other.group == own.group || is_event(other.group) && is_event(&own.group);
        is_same
            && (other.group, other.version) != (own.group.as_str(), own.version.as_str())
            && (below.is_empty() || other.subresource(below).is_some())
    });
    others
        .map(|other| Resource {
            group: other.group.to_owned(),
            version: other.version.to_owned(),
            kind: other.kind.to_owned(),
            plural: other.plural.to_owned(),
            namespaced: Some(other.namespaced),
        })
        .collect()
}

/// Events are in two groups.
fn is_event(group: &str) -> bool {
    matches!(group, "" | "events.k8s.io")
}

/// The labels by which a namespace is chosen: of a namespace its own. `None` where nothing is
/// to be chosen, or the namespace is not known.
fn namespace_labels(request: &Request) -> Option<Option<&Map>> {
    if request.is_namespace() {
        let inputs = &request.inputs;
        let (new, old) = (inputs.object.as_ref(), inputs.old_object.as_ref());
        let namespace = match request.subresource.is_empty() {
            true => new.or(old),
            // What is below a namespace is chosen by the namespace as it is.
            false => old.or(new),
        };
        return Some(Request::labels(namespace));
    }
    let namespace = request.inputs.namespace_object.as_ref()?;
    Some(Request::labels(Some(namespace)))
}

/// Whether labels fit the selector in a field.
pub(super) fn selects(selector: Node<'_>, object: &Value) -> bool {
    Selector::read(selector).matches(Request::labels(Some(object)))
}

/// Reviews that no policy, and on newer servers no webhook sees, by group and resource: the cluster depends on them.
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

/// Whether no policy of a server sees a request, whatever its rules say.
///
/// Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/generic/plugin.go, Dispatch.
fn is_exempt(request: &Request, server: Version) -> bool {
    let resource = &request.resource;
    let of_policies = Kind::parse(&resource.kind).is_some_and(|kind| {
        let is_webhook = matches!(
            kind,
            Kind::ValidatingWebhookConfiguration | Kind::MutatingWebhookConfiguration
        );
        kind.group() == resource.group && kind != Kind::CustomResourceDefinition && !is_webhook
    });
    of_policies || REVIEWS_SKIP_POLICIES.applies(server) && is_review(request)
}

/// Whether a request is one of the [`REVIEWS`].
pub(super) fn is_review(request: &Request) -> bool {
    let resource = &request.resource;
    REVIEWS.contains(&(&resource.group, &resource.plural))
}

/// Whether no policy of a kind sees a request on the newest server, whatever its rules say. On
/// the server of a policy [`matches`] decides.
pub(super) fn is_never_asked(kind: Kind, request: &Request) -> bool {
    is_not_mutated(kind, request) || is_exempt(request, Target::NEWEST)
}

/// Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/mutating/plugin.go, NewPlugin.
fn is_not_mutated(kind: Kind, request: &Request) -> bool {
    kind == Kind::MutatingAdmissionPolicy && request.operation == Operation::Delete
}

/// Whether no webhook is called about a request, whatever its rules say.
///
/// Upstream: kubernetes/apiserver, pkg/admission/plugin/webhook/predicates/rules/rules.go,
/// IsExemptAdmissionConfigurationResource.
pub(super) fn is_of_admission(request: &Request) -> bool {
    let resource = &request.resource;
    Kind::parse(&resource.kind).is_some_and(|kind| {
        kind.group() == resource.group && kind != Kind::CustomResourceDefinition
    })
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
