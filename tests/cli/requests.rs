//! `eval`: every form of a request, from files to what the API server answers.

mod mutations;
mod roles;
mod several;
mod webhooks;

use crate::project::Project;
use expect_test::{Expect, expect};

const EVERYTHING: &str = "resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*', '*/*']}]";

/// A validating policy about everything, with these fields of its `spec`.
fn policy(spec: &str) -> String {
    format!(
        "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: \
         {{name: guard}}\nspec:\n  matchConstraints: {{{EVERYTHING}}}\n{spec}"
    )
}

#[track_caller]
fn check(files: &[(&str, &str)], arguments: &[&str], code: i32, expected: &Expect) {
    let project = Project::new(files);
    let arguments = ["eval", "p.yaml"].iter().chain(arguments);
    let run = project.run(arguments);
    expected.assert_eq(&format!("{}{}", run.stdout, run.stderr));
    assert_eq!(run.code, code);
}

/// The inputs of a file on a policy.
#[track_caller]
fn inputs(policy: &str, inputs: &str, code: i32, expected: &Expect) {
    let files = [("p.yaml", policy), ("i.yaml", inputs)];
    check(&files, &["--input", "i.yaml"], code, expected);
}

#[test]
#[expect(clippy::too_many_lines, reason = "files and the whole output")]
fn each_operation_has_its_objects() {
    let policy = policy(
        "  validations:
    - expression: \"request.operation in ['DELETE', 'CONNECT'] || has(object.data)\"
      message: data is missing
    - expression: \"request.operation != 'DELETE' || (object == null && oldObject.data.keep != 'yes')\"
      messageExpression: \"request.userInfo.username + ' must not delete ' + oldObject.metadata.name\"
      reason: Forbidden
    - expression: \"request.operation != 'UPDATE' || oldObject.data.a == object.data.a\"
    - expression: \"request.operation != 'CONNECT' || (request.subResource == 'exec' && object.command == ['ls'])\"
",
    );
    inputs(
        &policy,
        "name: a creation
object: {apiVersion: v1, kind: ConfigMap, metadata: {name: settings}}
---
name: an update
object: {apiVersion: v1, kind: ConfigMap, metadata: {name: settings}, data: {a: new 😀}}
oldObject: {apiVersion: v1, kind: ConfigMap, metadata: {name: settings}, data: {a: old}}
---
name: a deletion
oldObject: {apiVersion: v1, kind: ConfigMap, metadata: {name: settings}, data: {keep: 'yes'}}
request: {userInfo: {username: jane}}
---
name: a command in a pod
request:
  operation: CONNECT
  subResource: exec
  name: web
  namespace: shop
  options: {command: [ls]}
",
        1,
        &expect![[r#"
            a creation (i.yaml)
            error: denied: data is missing
             --> p.yaml:7:19
              |
            7 |     - expression: "request.operation in ['DELETE', 'CONNECT'] || has(object.data)"
              |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

            Denied: CREATE of configmaps (v1) by guard (no binding found, assuming Deny; cost 25)
            HTTP 422 Invalid: configmaps "settings" is forbidden: ValidatingAdmissionPolicy 'guard' denied request: data is missing

            an update (i.yaml)
            error: denied: failed expression: request.operation != 'UPDATE' || oldObject.data.a == object.data.a
              --> p.yaml:12:19
               |
            12 |     - expression: "request.operation != 'UPDATE' || oldObject.data.a == object.data.a"
               |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

            Denied: UPDATE of configmaps (v1) by guard (no binding found, assuming Deny; cost 34)
            HTTP 422 Invalid: configmaps "settings" is forbidden: ValidatingAdmissionPolicy 'guard' denied request: failed expression: request.operation != 'UPDATE' || oldObject.data.a == object.data.a

            a deletion (i.yaml)
            error: denied: jane must not delete settings
             --> p.yaml:9:19
              |
            9 |     - expression: "request.operation != 'DELETE' || (object == null && oldObject.data.keep != 'yes')"
              |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

            Denied: DELETE of configmaps (v1) by guard (no binding found, assuming Deny; cost 29)
            HTTP 403 Forbidden: configmaps "settings" is forbidden: ValidatingAdmissionPolicy 'guard' denied request: jane must not delete settings

            a command in a pod (i.yaml)
            Allowed: CONNECT of pods (v1) by guard (no binding found, assuming Deny; cost 30)
            HTTP 200: allowed
        "#]],
    );
}

#[test]
fn a_scale_has_a_subresource() {
    let policy = policy(
        "  validations:
    - expression: \"request.subResource == 'scale' && request.resource.resource == 'deployments'\"
    - expression: object.spec.replicas <= oldObject.spec.replicas * 2
      messageExpression: \"'at most ' + string(oldObject.spec.replicas * 2)\"
",
    );
    inputs(
        &policy,
        "object: &scale
  apiVersion: autoscaling/v1
  kind: Scale
  metadata: {name: web, namespace: shop}
  spec: {replicas: 9}
oldObject:
  <<: *scale
  spec: {replicas: 3}
request:
  subResource: scale
  resource: {group: apps, version: v1, resource: deployments}
",
        1,
        &expect![[r#"
            i (i.yaml)
            error: denied: at most 6
             --> p.yaml:8:19
              |
            8 |     - expression: object.spec.replicas <= oldObject.spec.replicas * 2
              |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

            Denied: UPDATE of deployments (apps/v1) by guard (no binding found, assuming Deny; cost 22)
            HTTP 422 Invalid: deployments.apps "web" is forbidden: ValidatingAdmissionPolicy 'guard' denied request: at most 6
        "#]],
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "files and the whole output")]
fn users_and_their_rights_come_from_the_input() {
    let policy = policy(
        "  validations:
    - expression: >-
        'admins' in request.userInfo.groups ||
        authorizer.group('').resource('configmaps').namespace('shop').check('approve').allowed()
      message: ask somebody who may approve
",
    );
    inputs(
        &policy,
        "name: someone
object: {apiVersion: v1, kind: ConfigMap, metadata: {name: settings, namespace: shop}}
request: {userInfo: {username: jane, groups: [staff]}}
---
name: an approver
object: {apiVersion: v1, kind: ConfigMap, metadata: {name: settings, namespace: shop}}
request: {userInfo: {username: jane, groups: [staff]}}
authorizer:
  - {user: jane, verb: approve, resource: configmaps, decision: allow}
",
        1,
        &expect![[r#"
            someone (i.yaml)
            error: denied: ask somebody who may approve
             --> p.yaml:7:19
              |
            7 |       - expression: >-
              |  ___________________^
            8 | |         'admins' in request.userInfo.groups ||
            9 | |         authorizer.group('').resource('configmaps').namespace('shop').check('approve').allowed()
              | |________________________________________________________________________________________________^

            Denied: CREATE of configmaps (v1) by guard (no binding found, assuming Deny; cost 350009, 3.5% of 10000000)
            HTTP 422 Invalid: configmaps "settings" is forbidden: ValidatingAdmissionPolicy 'guard' denied request: ask somebody who may approve

            an approver (i.yaml)
            Allowed: CREATE of configmaps (v1) by guard (no binding found, assuming Deny; cost 350009, 3.5% of 10000000)
            HTTP 201: allowed
            note: not validated here: the total size
        "#]],
    );
    let files = [
        ("p.yaml", policy.as_str()),
        (
            "o.yaml",
            "{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}}",
        ),
    ];
    let arguments = [
        "--object", "o.yaml", "--user", "joe", "--group", "admins", "--group", "staff",
    ];
    check(
        &files,
        &arguments,
        0,
        &expect![[r#"
            Allowed: CREATE of configmaps (v1) by guard (no binding found, assuming Deny; cost 6)
            HTTP 201: allowed
            note: not validated here: the total size
        "#]],
    );
    check(
        &files,
        &["--object", "o.yaml", "--user", "joe"],
        1,
        &expect![[r#"
            error: denied: ask somebody who may approve
             --> p.yaml:7:19
              |
            7 |       - expression: >-
              |  ___________________^
            8 | |         'admins' in request.userInfo.groups ||
            9 | |         authorizer.group('').resource('configmaps').namespace('shop').check('approve').allowed()
              | |________________________________________________________________________________________________^

            Denied: CREATE of configmaps (v1) by guard (no binding found, assuming Deny; cost 350009, 3.5% of 10000000)
            HTTP 422 Invalid: configmaps "settings" is forbidden: ValidatingAdmissionPolicy 'guard' denied request: ask somebody who may approve
        "#]],
    );
}

const BINDING: &str = "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: NAME}
spec:
  policyName: guard
  validationActions: [ACTIONS]
";

fn binding(name: &str, actions: &str, spec: &str) -> String {
    BINDING.replace("NAME", name).replace("ACTIONS", actions) + spec
}

#[test]
#[expect(clippy::too_many_lines, reason = "files and the whole output")]
fn bindings_of_the_project_say_what_becomes_of_a_denial() {
    let policy = policy(
        "  auditAnnotations:
    - {key: owner, valueExpression: \"'owner: ' + object.metadata.name\"}
  validations:
    - {expression: has(object.data), message: data is missing}
",
    );
    let bindings = [
        binding("loud", "Warn", ""),
        binding(
            "quiet",
            "Audit",
            "  matchResources:\n    namespaceSelector: {matchLabels: {team: a}}\n",
        ),
        binding(
            "strict",
            "Deny",
            "  matchResources:\n    namespaceSelector: {matchLabels: {team: b}}\n",
        ),
    ];
    let bindings = bindings.join("---\n");
    let files = [
        ("p.yaml", policy.as_str()),
        ("bindings.yaml", bindings.as_str()),
        (
            "namespaces.yaml",
            "{apiVersion: v1, kind: Namespace, metadata: {name: shop, labels: {team: a}}}\n---\n{apiVersion: v1, kind: Namespace, metadata: {name: bank, labels: {team: b}}}",
        ),
        (
            "i.yaml",
            "name: in the shop\nobject: {apiVersion: v1, kind: ConfigMap, metadata: {name: x, namespace: shop}}\n---\nname: in the bank\nobject: {apiVersion: v1, kind: ConfigMap, metadata: {name: x, namespace: bank}}\n",
        ),
    ];
    check(
        &files,
        &["--input", "i.yaml"],
        1,
        &expect![[r#"
            in the shop (i.yaml)
            warning: warned about: data is missing
             --> p.yaml:9:20
              |
            9 |     - {expression: has(object.data), message: data is missing}
              |                    ^^^^^^^^^^^^^^^^

            note: written to the audit log: data is missing
             --> p.yaml:9:20
              |
            9 |     - {expression: has(object.data), message: data is missing}
              |                    ^^^^^^^^^^^^^^^^

            Allowed with a warning: CREATE of configmaps (v1) by guard with binding loud (cost 5)
            Allowed with an audit annotation: CREATE of configmaps (v1) by guard with binding quiet (cost 5)
            Not matched: policy guard, binding strict: the labels of the namespace do not match `namespaceSelector`
            audit annotation guard/owner: owner: x
            audit annotation validation.policy.admission.k8s.io/validation_failure: [{"message":"data is missing","policy":"guard","binding":"quiet","expressionIndex":0,"validationActions":["Audit"]}]
            Warning: Validation failed for ValidatingAdmissionPolicy 'guard' with binding 'loud': data is missing
            HTTP 201: allowed
            note: not validated here: the total size

            in the bank (i.yaml)
            warning: warned about: data is missing
             --> p.yaml:9:20
              |
            9 |     - {expression: has(object.data), message: data is missing}
              |                    ^^^^^^^^^^^^^^^^

            error: denied: data is missing
             --> p.yaml:9:20
              |
            9 |     - {expression: has(object.data), message: data is missing}
              |                    ^^^^^^^^^^^^^^^^

            Allowed with a warning: CREATE of configmaps (v1) by guard with binding loud (cost 5)
            Denied: CREATE of configmaps (v1) by guard with binding strict (cost 5)
            Not matched: policy guard, binding quiet: the labels of the namespace do not match `namespaceSelector`
            audit annotation guard/owner: owner: x
            Warning: Validation failed for ValidatingAdmissionPolicy 'guard' with binding 'loud': data is missing
            HTTP 422 Invalid: configmaps "x" is forbidden: ValidatingAdmissionPolicy 'guard' with binding 'strict' denied request: data is missing
        "#]],
    );
    check(
        &files,
        &["--input", "i.yaml", "--name", "in the shop"],
        0,
        &expect![[r#"
            in the shop (i.yaml)
            warning: warned about: data is missing
             --> p.yaml:9:20
              |
            9 |     - {expression: has(object.data), message: data is missing}
              |                    ^^^^^^^^^^^^^^^^

            note: written to the audit log: data is missing
             --> p.yaml:9:20
              |
            9 |     - {expression: has(object.data), message: data is missing}
              |                    ^^^^^^^^^^^^^^^^

            Allowed with a warning: CREATE of configmaps (v1) by guard with binding loud (cost 5)
            Allowed with an audit annotation: CREATE of configmaps (v1) by guard with binding quiet (cost 5)
            Not matched: policy guard, binding strict: the labels of the namespace do not match `namespaceSelector`
            audit annotation guard/owner: owner: x
            audit annotation validation.policy.admission.k8s.io/validation_failure: [{"message":"data is missing","policy":"guard","binding":"quiet","expressionIndex":0,"validationActions":["Audit"]}]
            Warning: Validation failed for ValidatingAdmissionPolicy 'guard' with binding 'loud': data is missing
            HTTP 201: allowed
            note: not validated here: the total size
        "#]],
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "files and the whole output")]
fn parameters_are_those_of_the_binding_or_of_the_input() {
    let policy = policy(
        "  paramKind: {apiVersion: v1, kind: ConfigMap}
  validations:
    - expression: int(params.data.max) > size(object.metadata.name)
      messageExpression: \"'at most ' + params.data.max + ' by ' + params.metadata.name\"
",
    );
    let binding = binding(
        "strict",
        "Deny",
        "  paramRef: {selector: {matchLabels: {limits: 'true'}}, parameterNotFoundAction: Deny}\n",
    );
    let params = "{apiVersion: v1, kind: ConfigMap, metadata: {name: wide, namespace: default, labels: {limits: 'true'}}, data: {max: '90'}}\n---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: narrow, namespace: default, labels: {limits: 'true'}}, data: {max: '3'}}";
    let files = [
        ("p.yaml", policy.as_str()),
        ("b.yaml", binding.as_str()),
        ("params.yaml", params),
        (
            "i.yaml",
            "name: of the binding\nobject: {apiVersion: v1, kind: ConfigMap, metadata: {name: long}}\n---\nname: of the input\nobject: {apiVersion: v1, kind: ConfigMap, metadata: {name: long}}\nparams: {apiVersion: v1, kind: ConfigMap, metadata: {name: own}, data: {max: '9'}}\n---\nname: elsewhere\nobject: {apiVersion: v1, kind: ConfigMap, metadata: {name: long, namespace: other}}\n",
        ),
    ];
    check(
        &files,
        &["--input", "i.yaml"],
        1,
        &expect![[r#"
            of the binding (i.yaml)
            error: denied: at most 3 by narrow
             --> p.yaml:8:19
              |
            8 |     - expression: int(params.data.max) > size(object.metadata.name)
              |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

            Allowed: CREATE of configmaps (v1) by guard with binding strict and ConfigMap default/wide (cost 20)
            Denied: CREATE of configmaps (v1) by guard with binding strict and ConfigMap default/narrow (cost 20)
            HTTP 422 Invalid: configmaps "long" is forbidden: ValidatingAdmissionPolicy 'guard' with binding 'strict' denied request: at most 3 by narrow

            of the input (i.yaml)
            Allowed: CREATE of configmaps (v1) by guard with binding strict and ConfigMap own (cost 20)
            HTTP 201: allowed
            note: not validated here: the total size

            elsewhere (i.yaml)
            error: cannot be evaluated: failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction
             --> p.yaml:2:7
              |
            2 | kind: ValidatingAdmissionPolicy
              |       ^^^^^^^^^^^^^^^^^^^^^^^^^

            Cannot be evaluated: policy guard, binding strict
            HTTP 422 Invalid: configmaps "long" is forbidden: ValidatingAdmissionPolicy 'guard' with binding 'strict' denied request: failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction
        "#]],
    );
}

#[test]
fn a_kind_of_parameters_that_does_not_exist_is_an_error() {
    let policy = policy(
        "  paramKind: {apiVersion: x.io/v1, kind: Limit}\n  validations:\n    - expression: params.max > 1\n",
    );
    let binding = binding(
        "strict",
        "Deny",
        "  paramRef: {name: wide, parameterNotFoundAction: Deny}\n",
    );
    let files = [
        ("p.yaml", policy.as_str()),
        ("b.yaml", binding.as_str()),
        (
            "p.inputs.yaml",
            "object: {apiVersion: v1, kind: ConfigMap, metadata: {name: long}}\nexpect: error\n",
        ),
    ];
    check(
        &files,
        &["--input", "p.inputs.yaml"],
        1,
        &expect![[r#"
            ConfigMap long (p.inputs.yaml)
            error: cannot be evaluated: failed to configure policy: failed to find resource referenced by paramKind: 'x.io/v1, Kind=Limit'
             --> p.yaml:2:7
              |
            2 | kind: ValidatingAdmissionPolicy
              |       ^^^^^^^^^^^^^^^^^^^^^^^^^

            Cannot be evaluated: policy guard
            HTTP 422 Invalid: configmaps "long" is forbidden: ValidatingAdmissionPolicy 'guard' denied request: failed to configure policy: failed to find resource referenced by paramKind: 'x.io/v1, Kind=Limit'
        "#]],
    );
    let run = Project::new(&files).run(["test", "."]);
    assert_eq!(run.code, 0, "{}", run.stdout);
}

#[test]
#[expect(clippy::too_many_lines, reason = "files and the whole output")]
fn a_mistake_in_an_input_is_shown_at_its_place() {
    let policy = policy("  validations: [{expression: 'true'}]\n");
    inputs(
        &policy,
        "name: 😀\nobjekt: {apiVersion: v1, kind: ConfigMap}\n---\nobject:\n  - apiVersion: v1\n",
        2,
        &expect![[r#"
            error: Unknown key `objekt`. Did you mean `object`?
             --> i.yaml:2:1
              |
            2 | objekt: {apiVersion: v1, kind: ConfigMap}
              | ^^^^^^

            error: `object` must be a single object, not a list. Write one document per object, separated by `---`.
             --> i.yaml:5:3
              |
            5 |   - apiVersion: v1
              |   ^^^^^^^^^^^^^^^^

        "#]],
    );
    let files = [
        ("p.yaml", policy.as_str()),
        (
            "i.yaml",
            "name: one\nobject: {apiVersion: v1, kind: ConfigMap}",
        ),
    ];
    let arguments = ["--input", "i.yaml", "--name", "on"];
    check(
        &files,
        &arguments,
        2,
        &expect![[r#"
            error: no input is named `on`; available: one
        "#]],
    );
    let arguments = ["--old-object", "i.yaml", "--operation", "update"];
    check(
        &files,
        &arguments,
        2,
        &expect![[r#"
        error: UPDATE requires --object and --old-object
    "#]],
    );
}
