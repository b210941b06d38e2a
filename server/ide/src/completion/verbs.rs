//! The verbs that an authorizer checks.
//!
//! Upstream: kubernetes/apiserver, pkg/endpoints/request/requestinfo.go, NewRequestInfo;
//! pkg/endpoints/filters/impersonation/mode.go; kubernetes/kubernetes,
//! pkg/registry/rbac/escalation_check.go, plugin/pkg/admission/certificates.

use kubernetes::openapi::{Catalog, Names};

/// A verb of resources.
struct Verb {
    name: &'static str,
    /// The only resources with the verb, separated by spaces. Empty if all have it.
    resources: &'static str,
    meaning: &'static str,
}

/// The verbs of resources, the most frequent first.
const VERBS: [Verb; 19] = [
    verb("get", "", "Reads an object."),
    verb("create", "", "Creates an object."),
    verb("update", "", "Replaces an object."),
    verb("delete", "", "Deletes an object."),
    verb("list", "", "Reads the objects of a collection."),
    verb("watch", "", "Follows the changes of objects."),
    verb("patch", "", "Changes a part of an object."),
    verb(
        "deletecollection",
        "",
        "Deletes the objects of a collection.",
    ),
    verb(
        "use",
        "",
        "Allows the use of an object, such as a SecurityContextConstraints of OpenShift. No request \
         has this verb: controllers and policies check it.",
    ),
    verb(
        "bind",
        "roles clusterroles",
        "Binds a role without having its permissions.",
    ),
    verb(
        "escalate",
        "roles clusterroles",
        "Gives a role permissions that the user does not have.",
    ),
    verb(
        "impersonate",
        "users groups serviceaccounts uids userextras",
        "Sends requests as another user.",
    ),
    verb(
        "impersonate:user-info",
        "users groups uids userextras",
        "Sends requests as another user that is neither a node nor a service account. The verb \
         of the request is checked as well, as `impersonate-on:user-info:VERB`. Since Kubernetes \
         1.35.",
    ),
    verb(
        "impersonate:serviceaccount",
        "serviceaccounts",
        "Sends requests as a service account. The verb of the request is checked as well, as \
         `impersonate-on:serviceaccount:VERB`. Since Kubernetes 1.35.",
    ),
    verb(
        "impersonate:arbitrary-node",
        "nodes",
        "Sends requests as a node. The verb of the request is checked as well, as \
         `impersonate-on:arbitrary-node:VERB`. Since Kubernetes 1.35.",
    ),
    verb(
        "impersonate:associated-node",
        "nodes",
        "Sends requests as the node on which the service account runs. The verb of the request is \
         checked as well, as `impersonate-on:associated-node:VERB`. Since Kubernetes 1.35.",
    ),
    verb(
        "approve",
        "signers",
        "Approves certificate signing requests for a signer.",
    ),
    verb("sign", "signers", "Issues certificates for a signer."),
    verb(
        "attest",
        "signers",
        "Writes ClusterTrustBundles of a signer.",
    ),
];

const fn verb(name: &'static str, resources: &'static str, meaning: &'static str) -> Verb {
    Verb {
        name,
        resources,
        meaning,
    }
}

/// Returns the possible verbs of a group, resource and subresource, or all verbs if the resource is
/// unknown.
pub(super) fn of_resource(
    catalog: &Catalog,
    (group, resource, below): (Option<&str>, Option<&str>, Option<&str>),
) -> impl Iterator<Item = &'static str> {
    let served = served(catalog, (group, resource.unwrap_or_default(), below));
    let verbs = VERBS.iter().filter(move |verb| {
        let mut only = verb.resources.split_whitespace();
        if verb.resources.is_empty() {
            served.is_empty() || served.contains(&verb.name)
        } else {
            resource.is_none_or(|it| only.any(|only| only == it))
        }
    });
    verbs.map(|verb| verb.name)
}

/// Returns the verbs of the requests for a resource of Kubernetes. Empty for other resources, for
/// which controllers check any verb.
fn served<'c>(
    catalog: &'c Catalog,
    (group, plural, below): (Option<&str>, &str, Option<&str>),
) -> Vec<&'c str> {
    let resources = catalog.resources_of_name(plural).filter(|it| {
        group.is_none_or(|group| group == it.group)
            && !catalog.is_added(it.group, it.version, it.kind)
    });
    let verbs = resources.filter_map(|it| match below {
        Some(below) => Some(it.subresource(below)?.verbs),
        None => Some(it.verbs),
    });
    verbs.flat_map(Names::iter).collect()
}

/// Returns the meaning of a verb of resources.
pub(crate) fn meaning_of_verb(name: &str) -> Option<&'static str> {
    let verb = VERBS.iter().find(|verb| verb.name == name);
    verb.map(|verb| verb.meaning)
}
