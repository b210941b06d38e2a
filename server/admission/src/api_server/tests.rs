//! Answers of a server with several policies and bindings.

mod built_in;
mod custom;
mod kinds;
mod merging;
mod metadata;
mod mutations;
mod namespaces;
mod plugins;
mod pod_security;
mod schemas;
mod storage;
mod versions;
mod warnings;

use super::params::NO_PARAMS;
use super::{ApiServer, PolicyResultKind, Response};
use crate::{EvaluationLimits, Inputs, Request, Resources};
use cel::Value;
use expect_test::{Expect, expect};
use kubernetes::ServerVersion;
use kubernetes::Target;
use kubernetes::object;
use kubernetes::openapi::{Catalog, Definitions};
use policy::recognize_for;
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

fn read(text: &str) -> Value {
    let stream = yaml::parse(text.into());
    object(stream.documents().next().unwrap().root().unwrap()).unwrap()
}

/// Returns a server with these documents and objects.
fn api_server(documents: &str, objects: &[String]) -> ApiServer {
    cluster_for(Target::default(), documents, objects)
}

/// Returns a server with these documents of a target and objects.
fn cluster_for(target: Target, documents: &str, objects: &[String]) -> ApiServer {
    let documents = recognize_for(&Arc::new(yaml::parse(documents.into())), target).policies;
    let mut resources = Resources::default();
    documents.iter().for_each(|it| resources.add(it));
    let definitions = documents
        .iter()
        .filter_map(|it| Definitions::from_crd(it.root()));
    let kinds = Catalog::built_in(ServerVersion(36)).with_definitions(definitions.map(Arc::new));
    let mut api_server = ApiServer::new(Arc::new(kinds), resources);
    documents.into_iter().for_each(|it| api_server.add(it));
    for object in objects {
        api_server.add_object(read(object));
    }
    api_server
}

/// Returns the answer to the creation, update or deletion of an object.
fn answer(api_server: &ApiServer, object: Option<&str>, old: Option<&str>) -> Response {
    let inputs = Inputs {
        object: object.map(read),
        old_object: old.map(read),
        ..Inputs::default()
    };
    let request = Request::new(inputs, api_server.resources()).unwrap();
    api_server.admit(&request, &EvaluationLimits::default())
}

const SECRET: &str = "{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: a}}";

#[track_caller]
fn check(documents: &str, objects: &[String], expected: &Expect) {
    let response = answer(&api_server(documents, objects), Some(SECRET), None);
    let warnings: Vec<&str> = response
        .warnings
        .iter()
        .map(|it| it.message.as_str())
        .collect();
    let lines = [
        format!("{} {} {}", response.code, response.reason, response.message),
        format!("warnings: {warnings:?}"),
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

/// Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/validating/dispatcher.go,
/// publishValidationFailureAnnotations.
#[test]
fn the_audit_log_says_which_validations_do_not_hold() {
    let binding = binding(
        "  validationActions: [Audit, Warn]\n  paramRef: {selector: {matchLabels: {of: p}}}",
    );
    let policy = POLICY.replace("'no by '", "'no & <never> by '");
    check(
        &format!("{policy}{binding}"),
        &[
            config("one", "no"),
            config("two", "yes"),
            config("three", "no"),
        ],
        &expect![[r#"
            201  
            warnings: ["Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': no & <never> by one", "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': no & <never> by three"]
            audit: [("p/k", "one, two, three"), ("validation.policy.admission.k8s.io/validation_failure", "[{\"message\":\"no \\u0026 \\u003cnever\\u003e by one\",\"policy\":\"p\",\"binding\":\"b\",\"expressionIndex\":0,\"validationActions\":[\"Audit\",\"Warn\"]}]")]"#]],
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

/// Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/validating/dispatcher.go,
/// Dispatch, which goes through the bindings in their order.
#[test]
fn the_first_binding_that_denies_gives_the_message() {
    let of = |name: &str, param: &str| {
        let rest = format!(
            "  validationActions: [Deny]\n  paramRef: {{name: {param}, parameterNotFoundAction: Deny}}"
        );
        binding(&rest).replace("name: b}", &format!("name: {name}}}"))
    };
    check(
        &format!("{POLICY}{}{}", of("first", "one"), of("second", "missing")),
        &[config("one", "no")],
        &expect![[r#"
            403 Forbidden secrets "s" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'first' denied request: no by one
            warnings: []
            audit: [("p/k", "one")]"#]],
    );
}

/// Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/generic/policy_source.go,
/// ensureParamsForPolicyLocked.
#[test]
fn a_kind_of_parameters_that_is_not_there_denies() {
    let binding = binding("  validationActions: [Warn]\n  paramRef: {name: x}");
    let policy = POLICY.replace("kind: ConfigMap", "kind: Configmap");
    check(
        &format!("{policy}{binding}"),
        &[],
        &expect![[r#"
            422 Invalid secrets "s" is forbidden: ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: failed to find resource referenced by paramKind: '/v1, Kind=Configmap'
            warnings: []
            audit: []"#]],
    );
    let foreign = POLICY.replace(
        "apiVersion: v1, kind: ConfigMap",
        "apiVersion: x.io/v1, kind: L",
    );
    let foreign = format!("{foreign}{binding}");
    let allowed = expect![[r#"
        422 Invalid secrets "s" is forbidden: ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: failed to find resource referenced by paramKind: 'x.io/v1, Kind=L'
        warnings: []
        audit: []"#]];
    check(&foreign, &[], &allowed);
    let definition = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n\
        metadata: {name: ms.x.io}\nspec: {group: x.io, scope: Cluster, names: {kind: M, plural: ms}}\n---\n";
    check(
        &format!("{definition}{foreign}"),
        &[],
        &expect![[r#"
            422 Invalid secrets "s" is forbidden: ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: failed to find resource referenced by paramKind: 'x.io/v1, Kind=L'
            warnings: []
            audit: []"#]],
    );
}

/// An assumed binding binds the policy to everything.
#[test]
fn a_kind_of_parameters_that_is_not_there_denies_without_a_binding() {
    let reads_none = POLICY
        .replace("params.data.allow == 'yes'", "true")
        .replace("params.metadata.name + ''", "\"'x'\"");
    let message = |policy: &str, secret: &str, given: Option<Value>| {
        let server = api_server(policy, &[]).evaluating_unbound();
        let inputs = Inputs {
            object: Some(read(secret)),
            ..Inputs::default()
        };
        let mut request = Request::new(inputs, server.resources()).unwrap();
        request.params = given.map(|it| vec![it]);
        server.admit(&request, &EvaluationLimits::default()).message
    };
    let unknown = reads_none.replace("kind: ConfigMap", "kind: Configmap");
    let denied = message(&unknown, SECRET, None);
    assert!(
        denied.ends_with("paramKind: '/v1, Kind=Configmap'"),
        "{denied}"
    );
    assert_eq!(
        message(&unknown, &SECRET.replace("Secret", "Pod"), None),
        ""
    );
    assert_eq!(message(&reads_none, SECRET, None), "");
    assert_eq!(
        message(&unknown, SECRET, Some(read(&config("x", "no")))),
        ""
    );
}

#[test]
fn a_kind_that_nothing_describes_does_not_exist() {
    let policy = POLICY.replace(
        "apiVersion: v1, kind: ConfigMap",
        "apiVersion: x.io/v1, kind: L",
    );
    let binding = binding("  validationActions: [Deny]\n  paramRef: {name: x}");
    let documents = format!("{policy}{binding}");
    check(
        &documents,
        &[],
        &expect![[r#"
        422 Invalid secrets "s" is forbidden: ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: failed to find resource referenced by paramKind: 'x.io/v1, Kind=L'
        warnings: []
        audit: []"#]],
    );
}

#[test]
fn an_object_shows_the_scope_of_parameters_that_no_definition_brings() {
    let policy = POLICY.replace(
        "apiVersion: v1, kind: ConfigMap",
        "apiVersion: x.io/v1, kind: L",
    );
    let object = |metadata: &str| {
        format!("{{apiVersion: x.io/v1, kind: L, metadata: {{{metadata}}}, data: {{allow: 'no'}}}}")
    };
    let inputs = Inputs {
        object: Some(read(SECRET)),
        ..Inputs::default()
    };
    let request = Request::new(inputs, &Resources::default()).unwrap();
    let outcome = |namespace: &str, object: Option<&str>| {
        let binding = binding(&format!(
            "  validationActions: [Deny]\n  paramRef: {{name: x{namespace}, \
             parameterNotFoundAction: Deny}}"
        ));
        let objects: Vec<String> = object.into_iter().map(str::to_owned).collect();
        let server = api_server(&format!("{policy}{binding}"), &objects).assuming_kinds();
        let answer = server.evaluate(&request, &EvaluationLimits::default());
        match &answer.results.first().unwrap().outcome {
            PolicyResultKind::Unknown(_) => "unknown".to_owned(),
            _ => answer.response.message,
        }
    };
    let (cluster_scoped, here, elsewhere) = (
        object("name: x"),
        object("name: x, namespace: a"),
        object("name: x, namespace: other"),
    );
    let denied = "secrets \"s\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: ";
    let not_found = format!("{denied}failed to configure binding: {NO_PARAMS}");
    let by_x = format!("{denied}no by x");
    assert_eq!(outcome("", None), "unknown");
    assert_eq!(outcome("", Some(&cluster_scoped)), by_x);
    assert_eq!(outcome("", Some(&here)), by_x);
    assert_eq!(outcome("", Some(&elsewhere)), not_found);
    assert_eq!(outcome(", namespace: other", Some(&elsewhere)), by_x);
    // The manifest may leave its namespace to the command that applies it.
    assert_eq!(outcome(", namespace: a", Some(&cluster_scoped)), "unknown");
}

/// Upstream: kubernetes/apiserver, pkg/admission/plugin/webhook/matchconditions/matcher.go,
/// Match, which makes a request of its own.
#[test]
fn a_match_condition_sees_the_resource_of_the_request() {
    let policy = "apiVersion: admissionregistration.k8s.io/v1\n\
        kind: ValidatingAdmissionPolicy\nmetadata: {name: p}\nspec:\n  matchConstraints:\n    \
        resourceRules:\n    - {apiGroups: [autoscaling], apiVersions: [v2], operations: [CREATE], \
        resources: [horizontalpodautoscalers]}\n  matchConditions:\n  - {name: v, expression: \
        \"request.resource.version == 'v1' && request.kind.version == 'v2'\"}\n  validations:\n  \
        - expression: request.resource.version == 'v1'\n---\n";
    let scaler = "{apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, metadata: {name: s, \
        namespace: a}, spec: {maxReplicas: 3}}";
    let binding = binding("  validationActions: [Deny]");
    let api_server = api_server(&format!("{policy}{binding}"), &[]);
    assert!(!answer(&api_server, Some(scaler), None).allowed);
}
