//! The users and groups that send requests and that RBAC binds to roles.
//!
//! Upstream: kubernetes/apiserver, pkg/authentication/user/user.go and
//! pkg/authentication/serviceaccount/util.go.

use super::well_known::words;
use cel::Value;
use evaluation::samples::Sample;
use std::collections::BTreeSet;

/// The groups of Kubernetes.
const GROUPS: &str = "system:masters system:nodes system:serviceaccounts system:authenticated \
    system:unauthenticated";

/// The users of the components, and the prefixes of the names of service accounts and nodes.
const USERS: &str = "system:serviceaccount: system:node: system:apiserver \
    system:kube-controller-manager system:kube-scheduler system:kube-proxy system:anonymous";

/// The keys of the extra attributes of service accounts, whose values name the pod and the node
/// that a token is bound to.
pub(super) const EXTRA: &str = "authentication.kubernetes.io/pod-name \
    authentication.kubernetes.io/pod-uid authentication.kubernetes.io/node-name \
    authentication.kubernetes.io/node-uid authentication.kubernetes.io/credential-id";

/// Returns the groups of Kubernetes, then those that bindings of the samples name.
pub(super) fn groups(samples: &[Sample]) -> Vec<String> {
    let mut groups = words(GROUPS);
    groups.extend(named(samples, "Group"));
    groups
}

/// Returns the users of Kubernetes, then those that bindings of the samples name, and their service
/// accounts.
pub(super) fn users(samples: &[Sample]) -> Vec<String> {
    let mut users = words(USERS);
    users.extend(named(samples, "User"));
    let accounts = samples.iter().filter(|it| it.kind == "ServiceAccount");
    users.extend(accounts.map(|it| format!("system:serviceaccount:{}:{}", it.namespace, it.name)));
    users
}

/// Returns the names of the subjects of a kind in the role bindings of the samples, except those of
/// Kubernetes.
fn named(samples: &[Sample], kind: &str) -> BTreeSet<String> {
    let bindings = samples.iter().filter(|it| it.kind.ends_with("RoleBinding"));
    let lists = bindings.filter_map(|it| it.value.as_map()?.get_str("subjects")?.as_list());
    let text = |subject: &Value, key: &str| {
        let value = subject.as_map()?.get_str(key)?;
        value.as_str().map(str::to_owned)
    };
    let subjects = lists.flatten();
    let subjects = subjects.filter(|it| text(it, "kind").as_deref() == Some(kind));
    let known = GROUPS.split(' ').chain(USERS.split(' '));
    let names = subjects.filter_map(|it| text(it, "name"));
    names
        .filter(|name| !known.clone().any(|it| it == name))
        .collect()
}
