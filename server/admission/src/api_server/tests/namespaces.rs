//! Namespaces of requests: those that are unknown, and those of cluster-scoped objects.

use super::built_in::created;
use super::{api_server, read};
use crate::api_server::{ApiServer, PolicyResultKind};
use crate::{EvaluationLimits, Inputs, Request, UNKNOWN_NAMESPACE};

/// Returns a policy for ConfigMaps with an expression and further match constraints.
fn policy(expression: &str, constraints: &str) -> String {
    format!(
        "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n\
         metadata: {{name: p}}\nspec:\n  matchConstraints:\n    resourceRules:\n    - {{apiGroups: ['*'], \
         apiVersions: ['*'], operations: ['*'], resources: ['*']}}\n{constraints}\n  validations:\n  - \
         expression: \"{expression}\"\n    message: rejected\n"
    )
}

fn request(server: &ApiServer) -> Request {
    let inputs = Inputs {
        object: Some(read(
            "{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: foo}}",
        )),
        ..Inputs::default()
    };
    Request::new(inputs, server.resources()).unwrap()
}

/// Returns the outcome for an object in a namespace that is not among the objects.
fn outcome(expression: &str, constraints: &str) -> &'static str {
    let server = api_server(&policy(expression, constraints), &[]).evaluating_unbound();
    let answer = server.evaluate(&request(&server), &EvaluationLimits::default());
    match &answer.results[0].outcome {
        PolicyResultKind::Stopped(reason) => {
            assert_eq!(*reason, UNKNOWN_NAMESPACE);
            "unknown"
        }
        PolicyResultKind::Mismatch(_) => "not matched",
        PolicyResultKind::Validated(_) if answer.response.allowed => "allowed",
        PolicyResultKind::Validated(_) => "denied",
        other => panic!("{other:?}"),
    }
}

#[test]
fn name_of_missing_namespace_is_known() {
    for (expression, expected) in [
        ("namespaceObject.metadata.name == 'foo'", "allowed"),
        ("namespaceObject.metadata.name != 'foo'", "denied"),
        (
            "namespaceObject.metadata.labels['kubernetes.io/metadata.name'] == 'foo'",
            "allowed",
        ),
        ("has(namespaceObject.metadata.labels)", "allowed"),
        ("namespaceObject != null", "allowed"),
        (
            "namespaceObject.metadata.labels['env'] == 'prod'",
            "unknown",
        ),
        ("has(namespaceObject.metadata.labels.env)", "unknown"),
        ("!('env' in namespaceObject.metadata.labels)", "unknown"),
        (
            "namespaceObject.metadata.labels.all(k, k != 'env')",
            "unknown",
        ),
        ("namespaceObject.metadata.labels.size() == 1", "unknown"),
        (
            "namespaceObject.metadata.?annotations['a'].orValue('') == ''",
            "unknown",
        ),
        (
            "!has(namespaceObject.metadata.deletionTimestamp)",
            "unknown",
        ),
        (
            "namespaceObject.metadata.name == 'foo' || has(namespaceObject.status)",
            "allowed",
        ),
        (
            "object.metadata.name != 'c' && has(namespaceObject.status)",
            "denied",
        ),
    ] {
        assert_eq!(outcome(expression, ""), expected, "{expression}");
    }
}

#[test]
fn selector_of_missing_namespace_decides_only_by_name() {
    let selected = |selector: &str, expression: &str| {
        outcome(expression, &format!("    namespaceSelector: {selector}"))
    };
    let by_name = |operator: &str| {
        format!(
            "{{matchExpressions: [{{key: kubernetes.io/metadata.name, operator: {operator}, values: [foo]}}]}}"
        )
    };
    assert_eq!(selected(&by_name("In"), "false"), "denied");
    assert_eq!(selected(&by_name("NotIn"), "false"), "not matched");
    assert_eq!(selected("{matchLabels: {env: prod}}", "false"), "unknown");
    assert_eq!(selected("{matchLabels: {env: prod}}", "true"), "allowed");
}

#[test]
fn cluster_scoped_object_has_no_namespace() {
    let documents = policy("!has(object.metadata.namespace)", "")
        + "---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\n\
           metadata: {name: b}\nspec: {policyName: p, validationActions: [Deny]}\n---\n\
           apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n\
           metadata: {name: ws.x.io}\nspec:\n  group: x.io\n  scope: Cluster\n  names: {kind: W, plural: ws}\n  \
           versions:\n  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}\n";
    for object in [
        "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: r, namespace: x}}",
        "{apiVersion: x.io/v1, kind: W, metadata: {name: w, namespace: x}}",
    ] {
        assert_eq!(created(&documents, &[], object).message, "");
    }
    let config = "{apiVersion: v1, kind: ConfigMap, metadata: {name: r, namespace: x}}";
    assert!(
        created(&documents, &[], config)
            .message
            .ends_with("denied request: rejected")
    );
}
