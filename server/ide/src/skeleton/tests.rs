//! The content of a new input.

use super::*;
use crate::file::SourceFile;
use crate::project::{FileSummary, Project};
use admission::{ApiServer, EvaluationLimits};
use evaluation::run::{PolicyServer, Programs};
use evaluation::samples::resources;
use expect_test::{Expect, expect};
use similar::TextDiff;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Returns a policy with a rule and the rest of its `spec`.
fn policy(rule: &str, rest: &str) -> String {
    format!(
        "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {{name: p}}\nspec:\n  matchConstraints:\n    resourceRules:\n    - {rule}\n{rest}\n"
    )
}

#[track_caller]
fn check(rule: &str, rest: &str, expected: &Expect) {
    check_policy(&policy(rule, rest), expected);
}

/// Compares the inputs for a policy: the first one, and the difference of each other one from it.
#[track_caller]
fn check_policy(text: &str, expected: &Expect) {
    let text = written(text, 0).unwrap_or_else(|| "none".to_owned());
    let (first, others) = text.split_once("---\n").unwrap_or((&text, ""));
    let mut shown = first.to_owned();
    for other in others.split("---\n").filter(|it| !it.is_empty()) {
        shown.push_str("---\n");
        let diff = TextDiff::from_lines(first, other);
        shown.push_str(&diff.unified_diff().context_radius(0).to_string());
    }
    expected.assert_eq(&shown);
}

/// Returns the inputs for a policy of a file without a project.
fn written(text: &str, policy: usize) -> Option<String> {
    let summary = FileSummary::read(&Arc::from(Path::new("p.yaml")), text);
    let project = Project::default().with_files([Arc::new(summary)]);
    let file = SourceFile::in_project(text, Arc::new(project));
    let programs = Programs::new(file.policies());
    let kinds = file.project().kinds();
    let api_server = ApiServer::new(Arc::clone(kinds), resources(text)).evaluating_unbound();
    let server = PolicyServer::new(file.policies(), &programs, &api_server);
    let evaluator = Evaluator {
        policies: file.policies(),
        programs: &programs,
        server: &server,
        inputs: &[],
        limits: &EvaluationLimits::default(),
    };
    skeleton(&file, &evaluator, policy)
}

mod crd;
mod met;
mod valid;

const DEPLOYMENTS: &str = "{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}";

const CONFIG_MAPS: &str =
    "{apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [configmaps]}";

#[test]
#[expect(clippy::too_many_lines, reason = "the expected input is long")]
fn the_object_has_what_is_read_and_required() {
    check(
        DEPLOYMENTS,
        "  variables:\n  - name: spec\n    expression: object.spec.template.spec\n  validations:\n  - expression: variables.spec.containers.all(c, c.image != '' && c.securityContext.privileged == false)\n  - expression: object.spec.replicas > 1 && object.metadata.annotations['owner'] == 'é🦊'",
        &expect![[r#"
            name: allowed by p
            object:
              apiVersion: apps/v1
              kind: Deployment
              metadata:
                annotations:
                  owner: é🦊
                name: example
                namespace: default
              spec:
                replicas: 2
                selector:
                  matchLabels:
                    app: example
                template:
                  metadata:
                    labels:
                      app: example
                  spec:
                    containers:
                    - image: registry.example.com/app:1.0
                      name: example
                      securityContext:
                        privileged: false
            request:
              operation: CREATE
            expect:
              decision: allow
            ---
            @@ -1 +1 @@
            -name: allowed by p
            +name: denied by p
            @@ -24 +24 @@
            -            privileged: false
            +            privileged: true
            @@ -28 +28,2 @@
            -  decision: allow
            +  decision: deny
            +  message: "failed expression: variables.spec.containers.all(c, c.image != '' && c.securityContext.privileged == false)"
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
            name: allowed by p
            object:
              apiVersion: v1
              kind: ConfigMap
              metadata:
                name: example
                namespace: default
              data:
                a: example
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
                labels:
                  env: prod
                name: default
            request:
              operation: UPDATE
              userInfo:
                groups:
                - system:authenticated
                username: x
            authorizer:
            - decision: allow
              verb: "*"
            expect:
              decision: allow
            ---
            @@ -1 +1 @@
            -name: allowed by p
            +name: denied by p
            @@ -30 +30 @@
            -      env: prod
            +      env: example
            @@ -42 +42,2 @@
            -  decision: allow
            +  decision: deny
            +  message: "failed expression: oldObject.data.a == params.data.b && namespaceObject.metadata.labels.env == 'prod'"
        "#]],
    );
}

#[test]
fn a_connection_has_its_options() {
    check(
        "{apiGroups: [''], apiVersions: [v1], operations: [CONNECT], resources: [pods/exec]}",
        "  validations:\n  - expression: object.container != ''",
        &expect![[r#"
            name: allowed by p
            object:
              apiVersion: v1
              kind: PodExecOptions
              command:
              - example
              container: example
            request:
              name: example
              namespace: default
              operation: CONNECT
              resource:
                group: ""
                resource: pods
                version: v1
              subResource: exec
            expect:
              decision: allow
            # No input that the policy denies was found.
        "#]],
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "the expected input is long")]
fn a_subresource_has_its_own_kind() {
    check(
        "{apiGroups: [apps], apiVersions: [v1], operations: [UPDATE], resources: [deployments/scale]}",
        "  validations:\n  - expression: object.spec.replicas < 3",
        &expect![[r#"
            name: allowed by p
            object:
              apiVersion: autoscaling/v1
              kind: Scale
              metadata:
                name: example
                namespace: default
              spec:
                replicas: 1
            oldObject:
              apiVersion: autoscaling/v1
              kind: Scale
              metadata:
                name: example
                namespace: default
              spec:
                replicas: 1
            request:
              name: example
              namespace: default
              operation: UPDATE
              resource:
                group: apps
                resource: deployments
                version: v1
              subResource: scale
            expect:
              decision: allow
            ---
            @@ -1 +1 @@
            -name: allowed by p
            +name: denied by p
            @@ -9 +9 @@
            -    replicas: 1
            +    replicas: 3
            @@ -28 +28,2 @@
            -  decision: allow
            +  decision: deny
            +  message: "failed expression: object.spec.replicas < 3"
        "#]],
    );
}

#[test]
fn a_name_in_a_rule_is_taken() {
    check(
        "{apiGroups: [''], apiVersions: [v1], operations: [DELETE], resources: [namespaces], resourceNames: [prod]}",
        "  validations:\n  - expression: 'true'",
        &expect![[r#"
            name: allowed by p
            oldObject:
              apiVersion: v1
              kind: Namespace
              metadata:
                name: prod
            request:
              operation: DELETE
            expect:
              decision: allow
            # No input that the policy denies was found.
        "#]],
    );
}

#[test]
fn selectors_are_satisfied() {
    check(
        DEPLOYMENTS,
        "    objectSelector:\n      matchLabels: {tier: web}\n      matchExpressions: [{key: stage, operator: In, values: ['1', b]}, {key: x, operator: Exists}]\n  validations:\n  - expression: 'true'",
        &expect![[r#"
            name: allowed by p
            object:
              apiVersion: apps/v1
              kind: Deployment
              metadata:
                labels:
                  stage: "1"
                  tier: web
                  x: example
                name: example
                namespace: default
              spec:
                selector:
                  matchLabels:
                    app: example
                template:
                  metadata:
                    labels:
                      app: example
                  spec:
                    containers:
                    - image: registry.example.com/app:1.0
                      name: example
            request:
              operation: CREATE
            expect:
              decision: allow
            # No input that the policy denies was found.
        "#]],
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "the expected input is long")]
fn wildcards_and_unknown_kinds_have_an_example() {
    check(
        "{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*']}",
        "  validations:\n  - expression: 'true'",
        &expect![[r#"
            name: allowed by p
            object:
              apiVersion: v1
              kind: Pod
              metadata:
                name: example
                namespace: default
              spec:
                containers:
                - image: registry.example.com/app:1.0
                  name: example
            request:
              operation: CREATE
            expect:
              decision: allow
            # No input that the policy denies was found.
        "#]],
    );
    check(
        "{apiGroups: [x.io], apiVersions: [v1], operations: [CREATE], resources: [widgets]}",
        "  validations:\n  - expression: object.spec.sizes.all(s, s.width > 1)",
        &expect![[r#"
            name: allowed by p
            object:
              apiVersion: x.io/v1
              kind: Widget
              metadata:
                name: example
                namespace: default
              spec:
                sizes:
                - width: 2
            request:
              operation: CREATE
              resource:
                group: x.io
                resource: widgets
                version: v1
            expect:
              decision: allow
            ---
            @@ -1 +1 @@
            -name: allowed by p
            +name: denied by p
            @@ -10 +10 @@
            -    - width: 2
            +    - width: 1
            @@ -18 +18,2 @@
            -  decision: allow
            +  decision: deny
            +  message: "failed expression: object.spec.sizes.all(s, s.width > 1)"
        "#]],
    );
}

#[test]
fn other_documents_have_none() {
    let binding = "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nmetadata: {name: b}\n";
    assert_eq!(written(binding, 0), None);
    check(
        "{apiGroups: [''], apiVersions: [v1], operations: [], resources: [pods]}",
        "",
        &expect!["none"],
    );
}

/// Every policy of the examples has an input that it matches, even if its expressions have errors.
#[test]
fn the_policies_of_the_examples_have_inputs_that_they_match() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/examples");
    let mut count = 0;
    for folder in ["good", "bad"] {
        for entry in fs::read_dir(examples.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let text = fs::read_to_string(&path).unwrap();
            let file = SourceFile::new(text.as_str());
            for (index, document) in file.policies().iter().enumerate() {
                let has_rules = document.policy().is_some_and(|it| !it.rules().is_empty());
                if !document.kind().is_policy() || !has_rules {
                    continue;
                }
                let text = written(&text, index);
                assert!(text.is_some(), "{} {:?}", path.display(), document.name());
                count += 1;
            }
        }
    }
    assert!(count >= 13, "{count} policies");
}

#[test]
fn what_is_never_allowed_expects_what_comes_out() {
    check(
        DEPLOYMENTS,
        "  validations:\n  - expression: object.spec.none == 1",
        &expect![[r#"
            name: fails in p
            object:
              apiVersion: apps/v1
              kind: Deployment
              metadata:
                name: example
                namespace: default
              spec:
                selector:
                  matchLabels:
                    app: example
                template:
                  metadata:
                    labels:
                      app: example
                  spec:
                    containers:
                    - image: registry.example.com/app:1.0
                      name: example
            request:
              operation: CREATE
            # Found no request that the policy allows: deployments.apps "example" is forbidden: ValidatingAdmissionPolicy 'p' denied request: expression 'object.spec.none == 1' resulted in error: no such key: none
            # Change the values, then run `admissible test --update`.
            expect:
              decision: error
        "#]],
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "the expected input is long")]
fn a_mutation_expects_what_it_changes() {
    let text = policy(
        DEPLOYMENTS,
        "  matchConditions:\n  - {name: few, expression: object.spec.replicas < 2}\n  failurePolicy: Fail\n  reinvocationPolicy: Never\n  mutations:\n  - patchType: ApplyConfiguration\n    applyConfiguration:\n      expression: 'Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: object.spec.template.spec.containers.map(c, Object.spec.template.spec.containers{name: c.name, imagePullPolicy: \"Always\"})}}}}'\n  - patchType: JSONPatch\n    jsonPatch: {expression: \"[JSONPatch{op: 'add', path: '/metadata/labels/a~1b', value: 'e'}]\"}",
    );
    check_policy(
        &text.replace("Validating", "Mutating"),
        &expect![[r#"
            name: allowed by p
            object:
              apiVersion: apps/v1
              kind: Deployment
              metadata:
                labels:
                  example: example
                name: example
                namespace: default
              spec:
                selector:
                  matchLabels:
                    app: example
                template:
                  metadata:
                    labels:
                      app: example
                  spec:
                    containers:
                    - image: registry.example.com/app:1.0
                      name: example
            request:
              operation: CREATE
            expect:
              decision: allow
              object:
                metadata:
                  labels:
                    a/b: e
                spec:
                  template:
                    spec:
                      containers:
                      - imagePullPolicy: Always
                        name: example
            ---
            @@ -1 +1 @@
            -name: allowed by p
            +name: skipped by p
            @@ -10,0 +11 @@
            +    replicas: 2
            @@ -25,11 +26 @@
            -  decision: allow
            -  object:
            -    metadata:
            -      labels:
            -        a/b: e
            -    spec:
            -      template:
            -        spec:
            -          containers:
            -          - imagePullPolicy: Always
            -            name: example
            +  decision: skip
        "#]],
    );
}
