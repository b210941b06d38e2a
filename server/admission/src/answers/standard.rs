//! The rights that every cluster has: those of administrators, and those of the default roles for
//! all users.
//!
//! The binding and the role have one name. Roles that are bound to users of the system, such as
//! the scheduler, are not here.
//!
//! Upstream: kubernetes/kubernetes, plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go,
//! clusterRoles and clusterRoleBindings; rbac.go, Authorize; pkg/registry/rbac/validation/rule.go,
//! clusterRoleBindingDescriber; kubernetes/apiserver, pkg/authorization/authorizerfactory/
//! builtin.go, NewPrivilegedGroups.

use kubernetes::ServerVersion;
use kubernetes::versions::changes::{Change, DEBUGGING_PAGES_MONITORED};
use policy::library::{Answer, AuthorizationRequest, Decision, Target};

/// The group of administrators, who need no role.
const PRIVILEGED: &str = "system:masters";

/// A default role for paths or for the creation of reviews.
struct Role {
    name: &'static str,
    groups: &'static [&'static str],
    /// The paths that it allows users to read. A trailing asterisk matches any rest.
    paths: &'static [&'static str],
    /// The resources that it allows to create, with their groups.
    resources: &'static [(&'static str, &'static str)],
    /// The change that brought these rights. `None` if all servers have them.
    since: Option<&'static Change>,
}

const ROLES: [Role; 6] = [
    Role {
        name: "system:basic-user",
        groups: &["system:authenticated"],
        paths: &[],
        resources: &[
            ("authorization.k8s.io", "selfsubjectaccessreviews"),
            ("authorization.k8s.io", "selfsubjectrulesreviews"),
            ("authentication.k8s.io", "selfsubjectreviews"),
        ],
        since: None,
    },
    Role {
        name: "system:discovery",
        groups: &["system:authenticated"],
        paths: &[
            "/api",
            "/api/*",
            "/apis",
            "/apis/*",
            "/healthz",
            "/livez",
            "/openapi",
            "/openapi/*",
            "/readyz",
            "/version",
            "/version/",
        ],
        resources: &[],
        since: None,
    },
    Role {
        name: "system:monitoring",
        groups: &["system:monitoring"],
        paths: &[
            "/healthz",
            "/healthz/*",
            "/livez",
            "/livez/*",
            "/metrics",
            "/metrics/slis",
            "/readyz",
            "/readyz/*",
        ],
        resources: &[],
        since: None,
    },
    Role {
        name: "system:monitoring",
        groups: &["system:monitoring"],
        paths: &["/flagz", "/statusz"],
        resources: &[],
        since: Some(&DEBUGGING_PAGES_MONITORED),
    },
    Role {
        name: "system:public-info-viewer",
        groups: &["system:authenticated", "system:unauthenticated"],
        paths: &["/healthz", "/livez", "/readyz", "/version", "/version/"],
        resources: &[],
        since: None,
    },
    Role {
        name: "system:service-account-issuer-discovery",
        groups: &["system:serviceaccounts"],
        paths: &[
            "/.well-known/openid-configuration",
            "/.well-known/openid-configuration/",
            "/openid/v1/jwks",
            "/openid/v1/jwks/",
        ],
        resources: &[],
        since: None,
    },
];

/// Returns the answer of a cluster without any roles of its own.
pub(super) fn answer(request: &AuthorizationRequest<'_>, server: ServerVersion) -> Answer {
    let allowed = |reason: String| Answer {
        decision: Decision::Allow,
        reason: reason.into(),
        error: None,
    };
    let groups = &request.user.groups;
    let is_in = |group: &&&str| groups.iter().any(|known| **known == ***group);
    if is_in(&&PRIVILEGED) {
        return allowed(String::new());
    }
    let known = ROLES
        .iter()
        .filter(|role| role.since.is_none_or(|change| change.applies(server)));
    let mut roles = known.filter(|role| role.allows(request));
    let granted = roles.find_map(|role| Some((role.name, role.groups.iter().find(is_in)?)));
    granted.map_or_else(Answer::default, |(name, group)| {
        allowed(format!(
            "RBAC: allowed by ClusterRoleBinding \"{name}\" of ClusterRole \"{name}\" to Group \
             \"{group}\""
        ))
    })
}

impl Role {
    fn allows(&self, request: &AuthorizationRequest<'_>) -> bool {
        match request.target {
            Target::Path(path) => {
                let fits = |known: &&str| match known.strip_suffix('*') {
                    Some(start) => path.starts_with(start),
                    None => path == *known,
                };
                request.verb == "get" && self.paths.iter().any(fits)
            }
            Target::Resource(resource) => {
                let names = (&*resource.group, &*resource.resource);
                let is_whole = resource.subresource.is_empty();
                request.verb == "create" && is_whole && self.resources.contains(&names)
            }
        }
    }
}
