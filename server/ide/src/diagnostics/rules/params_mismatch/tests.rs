//! Bindings and policies with different parameters.

use crate::fixture::{
    binding, check_project, findings, fixed, named_policy, params_policy, project,
};
use admission::{ApiServer, EvaluationLimits, Inputs, Request, Resources, Response};
use kubernetes::ServerVersion;
use kubernetes::object;
use kubernetes::openapi::Catalog;
use policy::recognize;
use std::sync::Arc;

/// Returns a project with a policy and its binding, with more fields in the binding's `spec`.
fn files(policy: &str, spec: &str) -> String {
    let binding = binding("b", &format!("policyName: demo{spec}"));
    project([("policy.yaml", policy), ("binding.yaml", &binding)])
}

const READS_DATA: &str = "params.data.a == object.metadata.name";

#[test]
fn a_reference_without_a_kind_is_ignored() {
    check_project(&files(
        &named_policy("demo"),
        "
  paramRef: {name: limits, parameterNotFoundAction: Deny}
 #^^^^^^^^ warning[params-mismatch]: ignored",
    ));
}

#[test]
fn a_policy_that_reads_params_needs_a_reference() {
    let policy = params_policy("ConfigMap", READS_DATA);
    let label = "\n             #^^^^ warning[params-mismatch]: null";
    check_project(&files(&policy, label));
    let policy = policy.replace("params.data.a", "params == null || params.data.a");
    check_project(&files(&policy, ""));
}

#[test]
fn a_kind_in_no_namespace_takes_none() {
    let source = files(
        &params_policy("Namespace", READS),
        "
  paramRef: {name: limits, namespace: a, parameterNotFoundAction: Deny}
                          #^^^^^^^^^ error[params-mismatch]: `Namespace` is cluster-scoped",
    );
    check_project(&source);
    let text = source
        .replace("//- policy.yaml\n", "")
        .replace("//- binding.yaml\n", "---\n");
    let text = fixed(&text, "params-mismatch");
    assert!(
        text.contains("paramRef: {name: limits, parameterNotFoundAction: Deny}"),
        "{text}"
    );
}

#[test]
fn objects_in_no_namespace_need_one_for_the_parameters() {
    let files = |resources: &str, label: &str| {
        let policy = params_policy("ConfigMap", READS_DATA)
            .replace("[apps]", "[apps, '']")
            .replace("[deployments]", resources);
        let reference = "paramRef: {name: limits, parameterNotFoundAction: Deny}";
        files(&policy, &format!("\n  {reference}{label}"))
    };
    check_project(&files(
        "[nodes]",
        "\n #^^^^^^^^ error[params-mismatch]: `nodes` are cluster-scoped",
    ));
    check_project(&files(
        "[pods, nodes]",
        "\n #^^^^^^^^ warning[params-mismatch]",
    ));
    check_project(&files("[pods, deployments]", ""));
    // The namespace of a Namespace is its own name.
    check_project(&files("[namespaces]", ""));
}

/// Returns a policy with parameters and its binding. Each argument is a part of one of them.
fn documents(param_kind: &str, resource: &str, expression: &str, reference: &str) -> String {
    format!(
        "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {{name: p}}
spec:
{param_kind}
  matchConstraints:
    resourceRules: [{{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [{resource}]}}]
  validations:
  - expression: {expression}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {{name: b}}
spec:
  policyName: p
{reference}
  validationActions: [Deny]
"
    )
}

/// Returns the response of a server with the documents to the creation of the object.
fn admit(documents: &str, text: &str) -> Response {
    let mut api_server = ApiServer::new(
        Catalog::built_in(ServerVersion::NEWEST),
        Resources::default(),
    );
    for document in recognize(&Arc::new(yaml::parse(documents.into()))).policies {
        api_server.add(document);
    }
    let stream = yaml::parse(text.into());
    let root = stream.documents().next().unwrap().root().unwrap();
    let inputs = Inputs {
        object: object(root),
        ..Inputs::default()
    };
    let request = Request::new(inputs, api_server.resources()).unwrap();
    api_server.admit(&request, &EvaluationLimits::default())
}

const SECRET: &str = "{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: a}}";
const NODE: &str = "{apiVersion: v1, kind: Node, metadata: {name: n}}";
const CONFIG_MAP: &str = "  paramKind: {apiVersion: v1, kind: ConfigMap}";
const READS: &str = "params.metadata.name == object.metadata.name";

#[track_caller]
fn fails(documents: &str, object: &str, words: &str) {
    let found = findings(documents);
    assert!(
        found.iter().any(|it| it.code == "params-mismatch"),
        "{found:#?}"
    );
    let response = admit(documents, object);
    assert!(response.message.contains(words), "{}", response.message);
}

#[test]
fn it_fails_at_admission() {
    let without = documents(CONFIG_MAP, "secrets", READS, "");
    fails(&without, SECRET, "resulted in error: no such key: metadata");
    let reference = "  paramRef: {name: x, namespace: a, parameterNotFoundAction: Deny}";
    let api_server = "  paramKind: {apiVersion: v1, kind: Namespace}";
    let needless = documents(api_server, "secrets", READS, reference);
    fails(&needless, SECRET, super::NO_NAMESPACE);
    let reference = "  paramRef: {name: x, parameterNotFoundAction: Deny}";
    let missing = documents(CONFIG_MAP, "nodes", READS, reference);
    fails(&missing, NODE, super::NEEDS_NAMESPACE);
}

#[test]
fn a_reference_without_a_kind_changes_nothing() {
    let reference = "  paramRef: {name: x, parameterNotFoundAction: Deny}";
    let ignored = documents("", "secrets", "object.metadata.name == 's'", reference);
    assert_eq!(admit(&ignored, SECRET).code, 201);
}
