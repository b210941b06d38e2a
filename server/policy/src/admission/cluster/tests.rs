//! Answers of a server with several policies and bindings.

use super::Cluster;
use crate::admission::{EvaluationLimits, Inputs, Request, Resources, object};
use crate::document::recognise;
use crate::openapi::Catalog;
use cel::library::Version;
use expect_test::{Expect, expect};
use std::sync::Arc;

const POLICY: &str = "
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints:
    resourceRules:
    - {apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [secrets]}
  validations:
  - expression: params.data.allow == 'yes'
    messageExpression: \"'no by ' + params.metadata.name\"
    reason: Forbidden
  auditAnnotations:
  - {key: k, valueExpression: params.metadata.name + ''}
---
";

fn binding(rest: &str) -> String {
    format!(
        "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\n\
         metadata: {{name: b}}\nspec:\n  policyName: p\n{rest}\n---\n"
    )
}

fn config(name: &str, allow: &str) -> String {
    format!(
        "{{apiVersion: v1, kind: ConfigMap, metadata: {{name: {name}, namespace: a, labels: \
         {{of: p}}}}, data: {{allow: {allow:?}}}}}"
    )
}

#[track_caller]
fn check(documents: &str, objects: &[String], expected: &Expect) {
    let mut cluster = Cluster::new(Catalog::built_in(Version(36)), Resources::default());
    for document in recognise(&Arc::new(yaml::parse(documents.into()))).policies {
        cluster.add(document);
    }
    let read = |text: &str| {
        let stream = yaml::parse(text.into());
        object(stream.documents().next().unwrap().root().unwrap()).unwrap()
    };
    for object in objects {
        cluster.add_object(read(object));
    }
    let inputs = Inputs {
        object: Some(read(
            "{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: a}}",
        )),
        ..Inputs::default()
    };
    let request = Request::new(inputs, cluster.resources()).unwrap();
    let response = cluster.admit(&request, &EvaluationLimits::default());
    let lines = [
        format!("{} {} {}", response.code, response.reason, response.message),
        format!("warnings: {:?}", response.warnings),
        format!("audit: {:?}", response.audit_annotations),
    ];
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn a_policy_is_asked_once_for_each_parameter() {
    let binding = binding(
        "  validationActions: [Deny, Warn]\n  paramRef: {selector: {matchLabels: {of: p}}}",
    );
    check(
        &format!("{POLICY}{binding}"),
        &[config("one", "yes"), config("two", "no")],
        &expect![[r#"
            403 Forbidden secrets "s" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no by two
            warnings: ["Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': no by two"]
            audit: [("p/k", "one, two")]"#]],
    );
}

#[test]
fn a_parameter_that_is_missing_denies_or_lets_pass() {
    for (action, expected) in [
        (
            "Deny",
            expect![[r#"
        422 Invalid secrets "s" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction
        warnings: []
        audit: []"#]],
        ),
        (
            "Allow",
            expect![[r#"
        201  
        warnings: []
        audit: []"#]],
        ),
    ] {
        let binding = binding(&format!(
            "  validationActions: [Deny]\n  paramRef: {{name: x, parameterNotFoundAction: {action}}}"
        ));
        check(&format!("{POLICY}{binding}"), &[], &expected);
    }
}

#[test]
fn a_policy_without_a_binding_says_nothing() {
    check(
        POLICY,
        &[],
        &expect![[r#"
        201  
        warnings: []
        audit: []"#]],
    );
}
