//! Whether a policy matches a request by its rules and selectors.
//!
//! A rule that never matches goes unnoticed in a cluster, so the result has the reason and the
//! position in the policy.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/matching/matching.go, Matches;
//! pkg/admission/plugin/webhook/predicates/rules/rules.go, Matcher.

mod namespace_selector;

use super::request::{Operation, Request};
use super::resource::Resource;
use cel::Value;
use cel::value::Map;
use kubernetes::ServerVersion;
use kubernetes::openapi::Catalog;
use kubernetes::versions::changes::{REVIEWS_SKIP_POLICIES, REVIEWS_SKIP_WEBHOOKS};
use policy::Kind;
use policy::PolicyDocument;
use policy::manifest::{MatchResources, NodeRange, Rule, Selector};
use std::fmt;
use text::TextRange;

/// Why a policy does not match a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The reason.
    pub kind: MismatchKind,
    /// The range in the file of the policy.
    pub range: TextRange,
}

/// The reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MismatchKind {
    /// The document is not a policy.
    NoPolicy,
    /// The policy has no rule.
    NoRules,
    /// No rule has this operation, group, version, resource, scope and name.
    Rules {
        /// The request: `CREATE of deployments (apps/v1)`.
        request: String,
    },
    /// A rule excludes it.
    Excluded {
        /// The request.
        request: String,
    },
    /// The labels of the object do not fit.
    ObjectSelector,
    /// The labels of the namespace do not fit.
    NamespaceSelector,
    /// The kinds of admission itself are exempt, so that a policy cannot prevent its own removal.
    Admission,
    /// A deletion has no object to mutate.
    Deletion,
    /// The same for webhooks.
    NoWebhook,
    /// Authentication and authorization reviews are not sent to webhooks.
    Review,
}

impl MismatchKind {
    /// Returns whether the rules match the request, and a selector or an exclusion takes it out.
    #[must_use]
    pub const fn is_exclusion(&self) -> bool {
        matches!(
            self,
            Self::Excluded { .. } | Self::ObjectSelector | Self::NamespaceSelector
        )
    }
}

impl fmt::Display for MismatchKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MismatchKind::NoPolicy => write!(out, "the document is not a policy"),
            MismatchKind::NoWebhook => write!(
                out,
                "Kubernetes never calls webhooks for policies, bindings and webhook configurations"
            ),
            MismatchKind::Review => write!(
                out,
                "Kubernetes does not call webhooks for authentication and authorization reviews since {}",
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
                "Kubernetes never evaluates policies for policies, bindings, and authentication and authorization reviews"
            ),
            MismatchKind::Deletion => {
                write!(out, "mutating policies do not apply to DELETE requests")
            }
        }
    }
}

/// Checks whether the policy matches the request.
///
/// For an unknown namespace, only the label `kubernetes.io/metadata.name` is known.
///
/// # Errors
/// Why it does not match.
pub fn matches(document: &PolicyDocument, request: &Request) -> Result<(), Mismatch> {
    let (range, policy) = (document.kind_range(), document.policy());
    let constraints = policy.map(|policy| policy.match_constraints.as_ref());
    let kind = match constraints {
        None => MismatchKind::NoPolicy,
        Some(_) if is_exempt(request, document.target().server()) => MismatchKind::Admission,
        Some(_) if is_not_mutated(document.kind(), request) => MismatchKind::Deletion,
        Some(None) => MismatchKind::NoRules,
        Some(Some(constraints)) => return resources_match(constraints, request),
    };
    Err(Mismatch { kind, range })
}

/// Returns whether the rules of a policy or a webhook include the resource, regardless of the
/// operation: a quick check for many objects.
#[must_use]
pub fn may_match(resources: &MatchResources, resource: &Resource) -> bool {
    let mut rules = resources.rules.iter();
    rules.any(|rule| has_resource(rule, resource, ""))
}

/// Checks whether the match resources of a policy or a binding match the request, with other
/// versions of the kind if the match policy is Equivalent. Returns the resource in the rule, if it
/// differs from that of the request.
///
/// # Errors
/// Why it does not match.
pub(super) fn match_resources(
    resources: Option<&MatchResources>,
    is_policy: bool,
    request: &Request,
    kinds: &Catalog,
) -> Result<Option<Resource>, Mismatch> {
    let Some(resources) = resources else {
        return Ok(None);
    };
    check_selectors(resources, request)?;
    let is_exact = resources.is_exact();
    if let Some((rule, _)) = matched(&resources.excluded, is_exact, request, kinds) {
        return Err(Mismatch::excluded(rule, request));
    }
    if !is_policy && resources.rules.is_empty() {
        return Ok(None);
    }
    match matched(&resources.rules, is_exact, request, kinds) {
        Some((_, resource)) => Ok(resource),
        None => Err(Mismatch::no_rule(resources, request)),
    }
}

/// Returns whether match resources only match a request if the labels of its namespace, which are
/// unknown, fit.
pub(super) fn assumes_labels(resources: Option<&MatchResources>, request: &Request) -> bool {
    let selector = resources.and_then(|it| it.namespace_selector.as_ref());
    selector.is_some_and(|selector| namespace_selector::is_assumed(selector, request))
}

impl Mismatch {
    fn at(at: NodeRange, kind: MismatchKind) -> Self {
        let range = at.range;
        Self { kind, range }
    }

    fn excluded(rule: &Rule, request: &Request) -> Self {
        let request = request.to_string();
        Self::at(rule.at, MismatchKind::Excluded { request })
    }

    fn no_rule(resources: &MatchResources, request: &Request) -> Self {
        let request = request.to_string();
        let at = resources.rules_at.unwrap_or(resources.at);
        Self::at(at, MismatchKind::Rules { request })
    }
}

/// Returns the rule that matches a request, and the other resource if it matches with one. A rule
/// for the resource itself takes precedence.
fn matched<'a>(
    rules: &'a [Rule],
    is_exact: bool,
    request: &Request,
    kinds: &Catalog,
) -> Option<(&'a Rule, Option<Resource>)> {
    let own = &request.resource;
    if let Some(rule) = rules.iter().find(|rule| rule_matches(rule, request, own)) {
        return Some((rule, None));
    }
    if is_exact || rules.is_empty() {
        return None;
    }
    let others = equivalents(request, kinds);
    rules.iter().find_map(|rule| {
        let mut others = others.iter();
        let other = others.find(|other| rule_matches(rule, request, other))?;
        Some((rule, Some(other.clone())))
    })
}

/// Upstream: kubernetes/apiserver,
/// pkg/admission/plugin/webhook/predicates/object/matcher.go, MatchObjectSelector.
fn check_selectors(resources: &MatchResources, request: &Request) -> Result<(), Mismatch> {
    if let Some(selector) = &resources.namespace_selector
        && !namespace_selector::matches(selector, request)
    {
        return Err(Mismatch::at(selector.at, MismatchKind::NamespaceSelector));
    }
    if let Some(selector) = &resources.object_selector
        && !selector.is_empty()
    {
        let objects = [&request.inputs.object, &request.inputs.old_object];
        // The options of a stream have no metadata, so selectors never match them.
        let has_labels = request.operation != Operation::Connect;
        let mut objects = objects.into_iter().flatten().filter(|_| has_labels);
        if !objects.any(|object| selects(selector, Request::labels(Some(object)))) {
            return Err(Mismatch::at(selector.at, MismatchKind::ObjectSelector));
        }
    }
    Ok(())
}

/// Checks whether a policy or a webhook matches the request by its rules and selectors, ignoring
/// other versions of the kind.
///
/// # Errors
/// Why it does not match.
pub fn resources_match(resources: &MatchResources, request: &Request) -> Result<(), Mismatch> {
    check_selectors(resources, request)?;
    let own = &request.resource;
    let mut excluded = resources.excluded.iter();
    if let Some(rule) = excluded.find(|rule| rule_matches(rule, request, own)) {
        return Err(Mismatch::excluded(rule, request));
    }
    if resources.rules.is_empty() {
        return Err(Mismatch::at(resources.at, MismatchKind::NoRules));
    }
    let mut rules = resources.rules.iter();
    if rules.any(|rule| rule_matches(rule, request, own)) {
        Ok(())
    } else {
        Err(Mismatch::no_rule(resources, request))
    }
}

/// Returns whether a rule matches a request as if it were for that resource.
fn rule_matches(rule: &Rule, request: &Request, resource: &Resource) -> bool {
    let mut names = rule.names.iter();
    let is_namespaced = || match request.resource.namespaced {
        Some(namespaced) => namespaced,
        None => !request.namespace.is_empty(),
    };
    rule.has_operation(request.operation.as_str())
        && has_resource(rule, resource, &request.subresource)
        && rule.namespaced().is_none_or(|it| it == is_namespaced())
        && (rule.names.is_empty() || names.any(|name| *name.text == *request.name))
}

fn has_resource(rule: &Rule, resource: &Resource, subresource: &str) -> bool {
    rule.has_version(&resource.group, &resource.version)
        && rule.has_resource(&resource.plural, subresource)
}

/// Returns the same resource in other versions, with its subresource.
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

/// Returns whether a selector matches labels.
pub(super) fn selects(selector: &Selector, labels: Option<&Map>) -> bool {
    selector.matches(|key| labels?.get_str(key).and_then(Value::as_str))
}

/// Reviews that are exempt from policies, and on newer servers from webhooks, by group and
/// resource: the cluster depends on them.
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

/// Returns whether a request is exempt from all policies, regardless of their rules.
///
/// Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/generic/plugin.go, Dispatch.
fn is_exempt(request: &Request, server: ServerVersion) -> bool {
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

/// Returns whether a request is one of the [`REVIEWS`].
pub(super) fn is_review(request: &Request) -> bool {
    let resource = &request.resource;
    REVIEWS.contains(&(&resource.group, &resource.plural))
}

/// Returns whether a request is exempt from all policies of a kind on the newest server, regardless
/// of their rules. For the server of a policy [`matches`] decides.
pub(super) fn is_never_evaluated(kind: Kind, request: &Request) -> bool {
    is_not_mutated(kind, request) || is_exempt(request, ServerVersion::NEWEST)
}

/// Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/mutating/plugin.go, NewPlugin.
fn is_not_mutated(kind: Kind, request: &Request) -> bool {
    kind == Kind::MutatingAdmissionPolicy && request.operation == Operation::Delete
}

/// Returns whether no webhook is called for a request, regardless of its rules.
///
/// Upstream: kubernetes/apiserver, pkg/admission/plugin/webhook/predicates/rules/rules.go,
/// IsExemptAdmissionConfigurationResource.
pub(super) fn is_of_admission(request: &Request) -> bool {
    let resource = &request.resource;
    Kind::parse(&resource.kind).is_some_and(|kind| {
        kind.group() == resource.group && kind != Kind::CustomResourceDefinition
    })
}

#[cfg(test)]
mod tests;
