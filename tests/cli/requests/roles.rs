//! `eval` and `test`: the roles and bindings of the project decide what the authorizer allows.

use super::*;

const RIGHT: &str =
    "authorizer.group('').resource('configmaps').namespace('shop').check('approve')";

const ROLES: &str = "\
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: approver}
rules: [{apiGroups: [''], resources: [configmaps], verbs: [approve]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: approvers, namespace: shop}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: approver}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: leads}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: lost, namespace: shop}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: gone}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: joe}]
";

fn guard() -> String {
    policy(&format!(
        "  validations:\n  - {{expression: \"{RIGHT}.reason() == object.data.why\", message: another \
         reason}}\n  - {{expression: \"{RIGHT}.allowed()\", message: ask a lead}}\n"
    ))
}

const INPUTS: &str = "\
name: a lead
object:
  apiVersion: v1
  kind: ConfigMap
  metadata: {name: settings, namespace: shop}
  data:
    why: 'RBAC: allowed by RoleBinding \"approvers/shop\" of ClusterRole \"approver\" to Group \"leads\"'
request: {userInfo: {username: jane, groups: [leads]}}
authorizer: RBAC
expect: allow
---
name: a role is missing
object:
  apiVersion: v1
  kind: ConfigMap
  metadata: {name: settings, namespace: shop}
  data: {why: 'RBAC: role.rbac.authorization.k8s.io \"gone\" not found'}
request: {userInfo: {username: joe}}
authorizer: RBAC
expect: {decision: deny, message: ask a lead}
---
name: without the roles of the project
object:
  apiVersion: v1
  kind: ConfigMap
  metadata: {name: settings, namespace: shop}
  data: {why: ''}
request: {userInfo: {username: jane, groups: [leads]}}
expect: {decision: deny, message: ask a lead}
";

#[test]
fn manifests_of_the_project_are_the_authorizer() {
    let guard = guard();
    let files = [
        ("admissible.toml", ""),
        ("policies/p.yaml", &guard),
        ("policies/p.inputs.yaml", INPUTS),
        ("access/roles.yaml", ROLES),
    ];
    let project = Project::new(&files);
    let run = project.run(["test", "policies"]);
    run.prints("3 passed");
    assert_eq!(run.code, 0);
    let run = project.run(["eval", "policies/p.yaml"]);
    let codes: Vec<&str> = run
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("HTTP "))
        .filter_map(|line| line.split([':', ' ']).next())
        .collect();
    assert_eq!(codes, ["201", "422", "422"]);
}

#[test]
fn another_word_is_an_error() {
    inputs(
        &guard(),
        "object: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\nauthorizer: Rbac\n",
        2,
        &expect![[r#"
            error: `Rbac` is not a valid value of `authorizer`. Did you mean `RBAC`?
             --> i.yaml:2:13
              |
            2 | authorizer: Rbac
              |             ^^^^

        "#]],
    );
}
