//! What a new input has.

use super::*;
use expect_test::{Expect, expect};
use std::fs;

/// A policy with a rule and the rest of its `spec`.
fn policy(rule: &str, rest: &str) -> String {
    format!(
        "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {{name: p}}\nspec:\n  matchConstraints:\n    resourceRules:\n    - {rule}\n{rest}\n"
    )
}

#[track_caller]
fn check(rule: &str, rest: &str, expected: &Expect) {
    let file = SourceFile::new(policy(rule, rest));
    let text = skeleton(&file, 0);
    expected.assert_eq(&text.unwrap_or_else(|| "none".to_owned()));
}

const DEPLOYMENTS: &str = "{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}";

const CONFIG_MAPS: &str =
    "{apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [configmaps]}";

#[test]
fn the_object_has_what_is_read_and_required() {
    check(
        DEPLOYMENTS,
        "  variables:\n  - name: spec\n    expression: object.spec.template.spec\n  validations:\n  - expression: variables.spec.containers.all(c, c.image != '' && c.securityContext.privileged == false)\n  - expression: object.spec.replicas > 1 && object.metadata.labels['owner'] == 'é🦊'",
        &expect![[r#"
            object:
              apiVersion: apps/v1
              kind: Deployment
              metadata:
                name: example
                labels:
                  owner: example
                namespace: default
              spec:
                replicas: 1
                selector: {}
                template:
                  spec:
                    containers:
                    - name: example
                      image: example
                      securityContext:
                        privileged: false
            request:
              operation: CREATE
            expect:
              decision: allow
        "#]],
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "the expected input is long")]
fn all_that_is_read_is_there() {
    check(
        CONFIG_MAPS,
        "  paramKind: {apiVersion: v1, kind: ConfigMap}\n  validations:\n  - expression: oldObject.data.a == params.data.b && namespaceObject.metadata.labels.env == 'prod'\n  - expression: request.userInfo.username == 'x' && authorizer.path('/x').check('get').allowed()",
        &expect![[r#"
            object:
              apiVersion: v1
              kind: ConfigMap
              metadata:
                name: example
                namespace: default
            oldObject:
              apiVersion: v1
              kind: ConfigMap
              metadata:
                name: example
                namespace: default
              data:
                a: example
            params:
              apiVersion: v1
              kind: ConfigMap
              metadata:
                name: example
              data:
                b: example
            namespaceObject:
              apiVersion: v1
              kind: Namespace
              metadata:
                name: default
                labels:
                  env: example
            request:
              operation: UPDATE
              userInfo:
                username: jane
                groups:
                - 'system:authenticated'
            authorizer:
            - verb: '*'
              decision: allow
            expect:
              decision: allow
        "#]],
    );
}

#[test]
fn a_connection_has_its_options() {
    check(
        "{apiGroups: [''], apiVersions: [v1], operations: [CONNECT], resources: [pods/exec]}",
        "  validations:\n  - expression: object.container != ''",
        &expect![[r#"
            object:
              apiVersion: v1
              kind: PodExecOptions
              command:
              - example
              container: example
            request:
              operation: CONNECT
              subResource: exec
              name: example
              namespace: default
              resource:
                group: ''
                version: v1
                resource: pods
            expect:
              decision: allow
        "#]],
    );
}

#[test]
fn a_subresource_has_its_own_kind() {
    check(
        "{apiGroups: [apps], apiVersions: [v1], operations: [UPDATE], resources: [deployments/scale]}",
        "  validations:\n  - expression: object.spec.replicas < 3",
        &expect![[r#"
            object:
              apiVersion: autoscaling/v1
              kind: Scale
              metadata:
                name: example
                namespace: default
              spec:
                replicas: 0
            oldObject:
              apiVersion: autoscaling/v1
              kind: Scale
              metadata:
                name: example
                namespace: default
            request:
              operation: UPDATE
              subResource: scale
              name: example
              namespace: default
              resource:
                group: apps
                version: v1
                resource: deployments
            expect:
              decision: allow
        "#]],
    );
}

#[test]
fn a_name_in_a_rule_is_taken() {
    check(
        "{apiGroups: [''], apiVersions: [v1], operations: [DELETE], resources: [namespaces], resourceNames: [prod]}",
        "  validations:\n  - expression: 'true'",
        &expect![[r#"
            oldObject:
              apiVersion: v1
              kind: Namespace
              metadata:
                name: prod
            request:
              operation: DELETE
            expect:
              decision: allow
        "#]],
    );
}

#[test]
fn selectors_are_satisfied() {
    check(
        DEPLOYMENTS,
        "    objectSelector:\n      matchLabels: {tier: web}\n      matchExpressions: [{key: stage, operator: In, values: ['1', b]}, {key: x, operator: Exists}]\n  validations:\n  - expression: 'true'",
        &expect![[r#"
            object:
              apiVersion: apps/v1
              kind: Deployment
              metadata:
                name: example
                namespace: default
                labels:
                  tier: web
                  stage: '1'
                  x: example
              spec:
                selector: {}
                template: {}
            request:
              operation: CREATE
            expect:
              decision: allow
        "#]],
    );
}

#[test]
fn wildcards_and_unknown_kinds_have_an_example() {
    check(
        "{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*']}",
        "  validations:\n  - expression: 'true'",
        &expect![[r#"
            object:
              apiVersion: v1
              kind: Pod
              metadata:
                name: example
                namespace: default
            request:
              operation: CREATE
            expect:
              decision: allow
        "#]],
    );
    check(
        "{apiGroups: [x.io], apiVersions: [v1], operations: [CREATE], resources: [widgets]}",
        "  validations:\n  - expression: object.spec.sizes.all(s, s.width > 1)",
        &expect![[r#"
            object:
              apiVersion: x.io/v1
              kind: Widget
              metadata:
                name: example
                namespace: default
              spec:
                sizes:
                - width: example
            request:
              operation: CREATE
              resource:
                group: x.io
                version: v1
                resource: widgets
            expect:
              decision: allow
        "#]],
    );
}

#[test]
fn other_documents_have_none() {
    let binding = "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nmetadata: {name: b}\n";
    assert_eq!(skeleton(&SourceFile::new(binding), 0), None);
    check(
        "{apiGroups: [''], apiVersions: [v1], operations: [], resources: [pods]}",
        "",
        &expect!["none"],
    );
}

/// Every policy of the examples has an input that it looks at, also where its expressions are
/// wrong.
#[test]
fn the_policies_of_the_examples_have_inputs_that_they_match() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/examples");
    let mut count = 0;
    for folder in ["good", "bad"] {
        for entry in fs::read_dir(examples.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let file = SourceFile::new(fs::read_to_string(&path).unwrap());
            for (index, document) in file.policies().iter().enumerate() {
                let has_rules = !target::rules(document).is_empty();
                if !document.kind().is_policy() || !has_rules {
                    continue;
                }
                let text = skeleton(&file, index);
                assert!(text.is_some(), "{} {:?}", path.display(), document.name());
                count += 1;
            }
        }
    }
    assert!(count >= 13, "{count} policies");
}
