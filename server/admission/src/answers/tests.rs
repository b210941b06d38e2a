//! Tables, and the default roles.

use super::*;
use policy::library::{Resource, User};

fn decided(table: AuthorizerTable, request: &AuthorizationRequest<'_>) -> Answer {
    let authorizer = RequestAuthorizer {
        table: Arc::new(table),
        roles: None,
    };
    authorizer.authorize(request)
}

fn reason(user: &User, verb: &str, target: Target<'_>) -> Option<String> {
    let request = AuthorizationRequest { user, verb, target };
    let answer = decided(AuthorizerTable::default(), &request);
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
        decided(table, &request).decision == Decision::Allow
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
        otherwise: Otherwise::NoOpinion,
        ..AuthorizerTable::default()
    };
    let request = AuthorizationRequest {
        user: &user("system:masters"),
        verb: "get",
        target: Target::Path("/healthz"),
    };
    assert_eq!(decided(table, &request), Answer::default());
}
