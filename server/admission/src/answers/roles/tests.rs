//! Roles and bindings in manifests, and the reasons.

use super::*;
use kubernetes::object;
use policy::library::{Resource, User};

const CLUSTER: &str = "
{kind: ClusterRole, metadata: {name: reader}, rules: [{apiGroups: [apps], resources: [deployments, '*/scale'], verbs: [get, list]}, {nonResourceURLs: [/logs, /debug/*], verbs: ['*']}]}
---
{kind: ClusterRole, metadata: {name: one}, rules: [{apiGroups: [''], resources: [secrets/x, secrets], resourceNames: [a], verbs: [get]}]}
---
{kind: Role, metadata: {name: writer, namespace: shop}, rules: [{apiGroups: ['*'], resources: ['*'], verbs: [create]}]}
---
{kind: Role, metadata: {name: nameless}, rules: [{apiGroups: ['*'], resources: ['*'], verbs: ['*']}]}
---
{kind: ClusterRoleBinding, metadata: {name: readers}, roleRef: {kind: ClusterRole, name: reader}, subjects: [{kind: Group, name: dev}, {kind: User, name: jane}]}
---
{kind: ClusterRoleBinding, metadata: {name: gone}, roleRef: {kind: ClusterRole, name: none}, subjects: [{kind: User, name: eve}]}
---
{kind: RoleBinding, metadata: {name: gone, namespace: shop}, roleRef: {kind: Role, name: none}, subjects: [{kind: User, name: eve}]}
---
{kind: RoleBinding, metadata: {name: gone-again, namespace: shop}, roleRef: {kind: Role, name: none}, subjects: [{kind: User, name: eve}]}
---
{kind: RoleBinding, metadata: {name: writers, namespace: shop}, roleRef: {kind: Role, name: writer}, subjects: [{kind: ServiceAccount, name: builder}, {kind: ServiceAccount, name: robot, namespace: ci}]}
---
{kind: RoleBinding, metadata: {name: secret, namespace: shop}, roleRef: {kind: ClusterRole, name: one}, subjects: [{kind: User, name: jane}]}
---
{kind: RoleBinding, metadata: {name: all}, roleRef: {kind: Role, name: nameless}, subjects: [{kind: User, name: jane}]}
---
{kind: RoleBinding, metadata: {name: editors, namespace: shop}, roleRef: {kind: ClusterRole, name: edit}, subjects: [{kind: User, name: joe}]}
";

fn read(text: &str) -> Vec<Value> {
    let stream = yaml::parse(text.into());
    let roots = stream.documents().filter_map(yaml::Document::root);
    let mut objects: Vec<Value> = roots.filter_map(object).collect();
    for object in &mut objects {
        if let Some(fields) = object.as_map_mut()
            && fields.get_str("apiVersion").is_none()
        {
            fields.set_str("apiVersion", Value::string("rbac.authorization.k8s.io/v1"));
        }
    }
    objects
}

fn user(name: &str) -> User {
    match name.split_once('/') {
        Some((namespace, name)) => User::service_account(namespace, name),
        None => User {
            name: name.into(),
            groups: vec![format!("{name}-group").into()],
        },
    }
}

/// Returns the reason, or `-`. A check is `USER VERB GROUP RESOURCE[/SUBRESOURCE] NAMESPACE NAME`,
/// or `USER VERB PATH`.
fn decide(roles: &Roles, check: &str) -> String {
    let words: Vec<&str> = check.split(' ').collect();
    let part = |place: usize| words[place].trim_matches('_');
    let resource = (words.len() > 3).then(|| {
        let (resource, subresource) = part(3).split_once('/').unwrap_or((part(3), ""));
        Resource {
            group: part(2).into(),
            resource: resource.into(),
            subresource: subresource.into(),
            namespace: part(4).into(),
            name: part(5).into(),
            ..Resource::default()
        }
    });
    let path = Target::Path(words[2]);
    let request = AuthorizationRequest {
        user: &user(words[0]),
        verb: words[1],
        target: resource.as_ref().map_or(path, Target::Resource),
    };
    let answer = roles.authorize(&request);
    assert_eq!(answer.error, None);
    match answer.decision {
        Decision::Allow => format!("+ {}", answer.reason),
        _ => format!("- {}", answer.reason),
    }
}

#[track_caller]
fn check(objects: &str, expected: &[(&str, &str)]) {
    let roles = Roles::new(&read(objects), ServerVersion::NEWEST);
    for (check, reason) in expected {
        assert_eq!(decide(&roles, check), *reason, "{check}");
    }
}

#[test]
fn rules_name_groups_resources_verbs_and_names() {
    let readers = "+ RBAC: allowed by ClusterRoleBinding \"readers\" of ClusterRole \"reader\" to User \"jane\"";
    let secret =
        "+ RBAC: allowed by RoleBinding \"secret/shop\" of ClusterRole \"one\" to User \"jane\"";
    check(
        CLUSTER,
        &[
            ("jane get apps deployments shop _", readers),
            ("jane list apps deployments _ web", readers),
            ("jane list apps statefulsets/scale shop _", readers),
            ("jane list apps deployments/scale shop _", readers),
            ("jane list apps deployments/status shop _", "- "),
            ("jane list apps statefulsets shop _", "- "),
            ("jane create apps deployments ops _", "- "),
            ("jane get _ deployments shop _", "- "),
            ("jane get _ secrets shop a", secret),
            ("jane get _ secrets/x shop a", secret),
            ("jane get _ secrets/y shop a", "- "),
            ("jane get _ secrets shop b", "- "),
            ("jane get _ secrets shop _", "- "),
            ("jane get _ secrets ops a", "- "),
            ("jane get /logs", readers),
            ("jane get /logs/x", "- "),
            ("jane put /debug/", readers),
            ("jane put /debug", "- "),
        ],
    );
}

#[test]
fn a_manifest_without_a_namespace_is_in_the_default_one() {
    let all =
        "+ RBAC: allowed by RoleBinding \"all/default\" of Role \"nameless\" to User \"jane\"";
    check(
        CLUSTER,
        &[
            ("jane delete x y default _", all),
            ("jane delete x y shop _", "- "),
        ],
    );
}

#[test]
fn a_service_account_is_in_the_namespace_of_the_binding_unless_it_names_one() {
    let to = |account: &str| {
        format!(
            "+ RBAC: allowed by RoleBinding \"writers/shop\" of Role \"writer\" to ServiceAccount \
             \"{account}\""
        )
    };
    check(
        CLUSTER,
        &[
            ("shop/builder create x y shop _", &to("builder/shop")),
            ("ci/robot create x y shop _", &to("robot/ci")),
            ("ci/builder create x y shop _", "- "),
            ("shop/robot create x y shop _", "- "),
            ("ci/robot create x y _ _", "- "),
        ],
    );
    let of_cluster = "{kind: ClusterRoleBinding, metadata: {name: a}, roleRef: {kind: ClusterRole, name: cluster-admin}, subjects: [{kind: ServiceAccount, name: x}, {kind: Thing, name: jane}]}";
    check(
        of_cluster,
        &[("/x get a b c _", "- "), ("jane get a b c _", "- ")],
    );
}

#[test]
fn a_role_that_is_missing_is_the_reason_unless_another_one_allows() {
    check(
        CLUSTER,
        &[
            (
                "eve get x y _ _",
                "- RBAC: clusterrole.rbac.authorization.k8s.io \"none\" not found",
            ),
            (
                "eve get x y shop _",
                "- RBAC: [clusterrole.rbac.authorization.k8s.io \"none\" not found, \
                 role.rbac.authorization.k8s.io \"none\" not found]",
            ),
        ],
    );
    let kind = "{kind: RoleBinding, metadata: {name: a, namespace: ns}, roleRef: {kind: X, name: m}, subjects: [{kind: User, name: jane}]}";
    check(
        kind,
        &[(
            "jane get a b ns _",
            "- RBAC: unsupported role reference kind: \"X\"",
        )],
    );
}

#[test]
fn bindings_of_the_cluster_come_first_and_each_by_name() {
    let objects = "
{kind: RoleBinding, metadata: {name: a, namespace: ns}, roleRef: {kind: ClusterRole, name: view}, subjects: [{kind: User, name: jane}, {kind: User, name: joe}]}
---
{kind: ClusterRoleBinding, metadata: {name: z}, roleRef: {kind: ClusterRole, name: view}, subjects: [{kind: User, name: eve}, {kind: User, name: jane}]}
---
{kind: ClusterRoleBinding, metadata: {name: m}, roleRef: {kind: ClusterRole, name: view}, subjects: [{kind: Group, name: jane-group}, {kind: User, name: jane}]}
";
    check(
        objects,
        &[
            (
                "jane get _ pods ns _",
                "+ RBAC: allowed by ClusterRoleBinding \"m\" of ClusterRole \"view\" to Group \"jane-group\"",
            ),
            (
                "joe get _ pods ns _",
                "+ RBAC: allowed by RoleBinding \"a/ns\" of ClusterRole \"view\" to User \"joe\"",
            ),
        ],
    );
}

#[test]
fn an_aggregated_role_has_the_rules_of_the_roles_that_it_selects() {
    let editors =
        "+ RBAC: allowed by RoleBinding \"editors/shop\" of ClusterRole \"edit\" to User \"joe\"";
    check(
        CLUSTER,
        &[
            ("joe create apps deployments shop _", editors),
            // That of `view`, which `edit` selects.
            ("joe list _ pods/log shop _", editors),
            ("joe create rbac.authorization.k8s.io roles shop _", "- "),
            ("joe get x.io gadgets shop _", "- "),
        ],
    );
    let gadgets = "\n---\n{kind: ClusterRole, metadata: {name: gadgets, labels: {rbac.authorization.k8s.io/aggregate-to-view: 'true'}}, rules: [{apiGroups: [x.io], resources: [gadgets], verbs: [get]}]}";
    check(
        &format!("{CLUSTER}{gadgets}"),
        &[("joe get x.io gadgets shop _", editors)],
    );
}

#[test]
fn the_rules_that_an_aggregated_role_has_itself_are_replaced() {
    let objects = "
{kind: ClusterRole, metadata: {name: a, labels: {of: b}}, aggregationRule: {clusterRoleSelectors: [{matchLabels: {of: a}}, {matchExpressions: [{key: also, operator: In, values: [x]}]}]}, rules: [{apiGroups: [''], resources: [own], verbs: ['*']}]}
---
{kind: ClusterRole, metadata: {name: b, labels: {of: a}}, aggregationRule: {clusterRoleSelectors: [{matchLabels: {of: b}}]}}
---
{kind: ClusterRole, metadata: {name: c, labels: {of: b}}, rules: [{apiGroups: [''], resources: [through-b], verbs: ['*']}]}
---
{kind: ClusterRole, metadata: {name: d, labels: {also: x}}, rules: [{apiGroups: [''], resources: [also], verbs: ['*']}]}
---
{kind: ClusterRoleBinding, metadata: {name: a}, roleRef: {kind: ClusterRole, name: a}, subjects: [{kind: User, name: jane}]}
";
    let by = "+ RBAC: allowed by ClusterRoleBinding \"a\" of ClusterRole \"a\" to User \"jane\"";
    check(
        objects,
        &[
            ("jane get _ through-b ns _", by),
            ("jane get _ also ns _", by),
            ("jane get _ own ns _", "- "),
        ],
    );
}

#[test]
fn objects_of_other_groups_and_versions_are_not_roles() {
    let objects = "
{apiVersion: rbac.authorization.k8s.io/v1beta1, kind: ClusterRoleBinding, metadata: {name: a}, roleRef: {kind: ClusterRole, name: view}, subjects: [{kind: User, name: jane}]}
---
{apiVersion: x.io/v1, kind: ClusterRoleBinding, metadata: {name: b}, roleRef: {kind: ClusterRole, name: view}, subjects: [{kind: User, name: jane}]}
---
{kind: ClusterRoleBinding, metadata: {}, roleRef: {kind: ClusterRole, name: view}, subjects: [{kind: User, name: jane}]}
";
    check(objects, &[("jane get _ pods ns _", "- ")]);
}

#[test]
fn a_role_of_the_project_replaces_a_default_one() {
    let objects = "
{kind: ClusterRole, metadata: {name: view}, rules: [{apiGroups: [''], resources: [pods], verbs: [get]}]}
---
{kind: ClusterRoleBinding, metadata: {name: a}, roleRef: {kind: ClusterRole, name: view}, subjects: [{kind: User, name: jane}]}
";
    let by = "+ RBAC: allowed by ClusterRoleBinding \"a\" of ClusterRole \"view\" to User \"jane\"";
    check(
        objects,
        &[
            ("jane get _ pods ns _", by),
            ("jane get _ services ns _", "- "),
        ],
    );
}

#[test]
fn default_roles_depend_on_the_version() {
    let binding = "{kind: ClusterRoleBinding, metadata: {name: a}, roleRef: {kind: ClusterRole, name: admin}, subjects: [{kind: User, name: jane}]}";
    let allows = |server: u8, check: &str| {
        let roles = Roles::new(&read(binding), ServerVersion(server));
        decide(&roles, check).starts_with('+')
    };
    let claims = "jane create resource.k8s.io resourceclaims ns _";
    assert!(allows(34, claims) && !allows(33, claims));
    assert!(allows(25, "jane create _ pods ns _"));
}
