//! A table of decisions, for a policy that uses the authorizer.
//!
//! The permissions of users live in a cluster. An evaluation without one takes what its author
//! writes down.

mod standard;

use kubernetes::ServerVersion;
use policy::library::{Answer, AuthorizationRequest, Authorizer, Decision, Target};

/// A table of decisions: the first row that matches a check decides it. Without one the
/// rights that every cluster has decide, unless the table is complete: then the decision is "no
/// opinion", which does not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorizerTable {
    /// The rows in their order.
    pub rows: Vec<AuthorizerRow>,
    /// Whether there are no other rights.
    pub is_complete: bool,
    /// The server whose default roles are used.
    pub server: ServerVersion,
}

/// A row of the table. A condition that is empty or `*` fits everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuthorizerRow {
    /// The name of the user.
    pub user: String,
    /// The verb.
    pub verb: String,
    /// The API group.
    pub group: String,
    /// The plural name of the resource.
    pub resource: String,
    /// The subresource.
    pub subresource: String,
    /// The namespace.
    pub namespace: String,
    /// The name of the object.
    pub name: String,
    /// The path, of a question that is about no resource.
    pub path: String,
    /// The answer.
    pub answer: RowAnswer,
    /// Why, or what went wrong.
    pub reason: String,
}

/// The answer of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowAnswer {
    /// Yes.
    Allow,
    /// No.
    Deny,
    /// No opinion.
    #[default]
    NoOpinion,
    /// The authorizer fails.
    Error,
}

impl Default for AuthorizerTable {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            is_complete: false,
            server: ServerVersion::NEWEST,
        }
    }
}

impl AuthorizerTable {
    /// Returns the table with the default roles of a server.
    #[must_use]
    pub fn on(&self, server: ServerVersion) -> Self {
        Self {
            server,
            ..self.clone()
        }
    }
}

impl AuthorizerRow {
    fn fits(&self, request: &AuthorizationRequest<'_>) -> bool {
        let empty = || "";
        let (group, resource, subresource, namespace, name, path) = match request.target {
            Target::Path(path) => (empty(), empty(), empty(), empty(), empty(), path),
            Target::Resource(target) => (
                &*target.group,
                &*target.resource,
                &*target.subresource,
                &*target.namespace,
                &*target.name,
                empty(),
            ),
        };
        [
            (&self.user, &*request.user.name),
            (&self.verb, request.verb),
            (&self.group, group),
            (&self.resource, resource),
            (&self.subresource, subresource),
            (&self.namespace, namespace),
            (&self.name, name),
            (&self.path, path),
        ]
        .into_iter()
        .all(|(wanted, found)| wanted.is_empty() || wanted == "*" || wanted == found)
    }

    fn answer(&self) -> Answer {
        let decision = match self.answer {
            RowAnswer::Allow => Decision::Allow,
            RowAnswer::Deny => Decision::Deny,
            RowAnswer::NoOpinion => Decision::NoOpinion,
            RowAnswer::Error => {
                return Answer {
                    error: Some(self.reason.as_str().into()),
                    ..Answer::default()
                };
            }
        };
        Answer {
            decision,
            reason: self.reason.as_str().into(),
            error: None,
        }
    }
}

impl Authorizer for AuthorizerTable {
    fn authorize(&self, request: &AuthorizationRequest<'_>) -> Answer {
        let row = self.rows.iter().find(|row| row.fits(request));
        match row {
            Some(row) => row.answer(),
            None if self.is_complete => Answer::default(),
            None => standard::answer(request, self.server),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use policy::library::{Resource, User};

    fn reason(user: &User, verb: &str, target: Target<'_>) -> Option<String> {
        let request = AuthorizationRequest { user, verb, target };
        let answer = AuthorizerTable::default().authorize(&request);
        let is_allowed = answer.decision == Decision::Allow;
        is_allowed.then(|| answer.reason.to_string())
    }

    fn user(group: &str) -> User {
        User {
            name: "jane".into(),
            groups: vec!["others".into(), group.into()],
        }
    }

    #[test]
    fn every_cluster_has_default_roles() {
        let path = |group: &str, verb: &str, path: &str| {
            reason(&user(group), verb, Target::Path(path)).unwrap_or_else(|| "no".to_owned())
        };
        let by = |role: &str, group: &str| {
            format!(
                "RBAC: allowed by ClusterRoleBinding \"{role}\" of ClusterRole \"{role}\" to Group \
                 \"{group}\""
            )
        };
        let [known, unknown] = ["system:authenticated", "system:unauthenticated"];
        assert_eq!(
            path(known, "get", "/healthz"),
            by("system:discovery", known)
        );
        assert_eq!(
            path(known, "get", "/apis/apps"),
            by("system:discovery", known)
        );
        assert_eq!(
            path(unknown, "get", "/healthz"),
            by("system:public-info-viewer", unknown)
        );
        for (group, verb, name) in [
            (known, "post", "/healthz"),
            (known, "get", "/healthz/etcd"),
            (known, "get", "/metrics"),
            (unknown, "get", "/apis"),
            ("x", "get", "/healthz"),
        ] {
            assert_eq!(path(group, verb, name), "no", "{group} {verb} {name}");
        }
        assert_eq!(path("system:masters", "post", "/x"), "");
        let account = User::service_account("a", "b");
        let keys = reason(&account, "get", Target::Path("/openid/v1/jwks"));
        let role = "system:service-account-issuer-discovery";
        assert_eq!(keys, Some(by(role, "system:serviceaccounts")));
    }

    #[test]
    fn debugging_pages_are_monitored_from_a_version_on() {
        let is_allowed = |server: u8, group: &str, path: &str| {
            let table = AuthorizerTable::default().on(ServerVersion(server));
            let request = AuthorizationRequest {
                user: &user(group),
                verb: "get",
                target: Target::Path(path),
            };
            table.authorize(&request).decision == Decision::Allow
        };
        for path in ["/flagz", "/statusz"] {
            assert!(is_allowed(36, "system:monitoring", path));
            assert!(!is_allowed(35, "system:monitoring", path));
            assert!(!is_allowed(36, "system:authenticated", path));
        }
        assert!(is_allowed(35, "system:monitoring", "/metrics/slis"));
    }

    #[test]
    fn a_user_can_ask_for_its_own_rights() {
        let resource = |name: &str| Resource {
            group: "authorization.k8s.io".into(),
            resource: name.into(),
            ..Resource::default()
        };
        let is_allowed = |verb: &str, resource: &Resource| {
            let user = user("system:authenticated");
            reason(&user, verb, Target::Resource(resource)).is_some()
        };
        let own = resource("selfsubjectaccessreviews");
        assert!(is_allowed("create", &own) && !is_allowed("get", &own));
        assert!(!is_allowed("create", &resource("subjectaccessreviews")));
    }

    #[test]
    fn a_complete_table_has_all_rights() {
        let table = AuthorizerTable {
            is_complete: true,
            ..AuthorizerTable::default()
        };
        let request = AuthorizationRequest {
            user: &user("system:masters"),
            verb: "get",
            target: Target::Path("/healthz"),
        };
        assert_eq!(table.authorize(&request), Answer::default());
    }
}
