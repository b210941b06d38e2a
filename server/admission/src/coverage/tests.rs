//! Coverage of the expressions of a policy.

use crate::{
    ApiServer, CompiledPolicy, EvaluationLimits, Inputs, PolicyCoverage, Request, Resources,
};
use cel::Value;
use expect_test::{Expect, expect};
use kubernetes::ServerVersion;
use kubernetes::object;
use kubernetes::openapi::Catalog;
use policy::PolicyDocument;
use policy::recognize;
use std::sync::Arc;

const VALIDATING: &str = "
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}
  matchConditions:
  - {name: a, expression: object.metadata.name != 'skipped'}
  variables:
  - {name: read, expression: object.data.read == 'yes'}
  - {name: unread, expression: object.data.read == 'no'}
  validations:
  - expression: object.metadata.name == 'good' || variables.read
    messageExpression: \"'not ' + object.data.words\"
  auditAnnotations:
  - {key: k, valueExpression: object.metadata.name}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: b}
spec: {policyName: p, validationActions: [Deny]}
";

const MUTATING: &str = "
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: p}
spec:
  matchConditions:
  - {name: a, expression: object.metadata.name != 'skipped'}
  variables:
  - {name: words, expression: object.metadata.name}
  mutations:
  - jsonPatch:
      expression: \"[JSONPatch{op: 'add', path: '/data', value: {'words': variables.words}}]\"
  - applyConfiguration:
      expression: \"Object{data: {'more': object.data.words}}\"
";

fn documents(text: &str) -> Vec<Arc<PolicyDocument>> {
    recognize(&Arc::new(yaml::parse(text.into()))).policies
}

fn config(name: &str, data: &str) -> Value {
    let text =
        format!("{{apiVersion: v1, kind: ConfigMap, metadata: {{name: {name}}}, data: {data}}}");
    let stream = yaml::parse(text.as_str().into());
    object(stream.documents().next().unwrap().root().unwrap()).unwrap()
}

fn request(object: Value) -> Request {
    let inputs = Inputs {
        object: Some(object),
        ..Inputs::default()
    };
    Request::new(inputs, &Resources::default()).unwrap()
}

#[track_caller]
fn check(document: &PolicyDocument, coverage: &PolicyCoverage, expected: &Expect) {
    let line = |(index, expression): (usize, &policy::Expression)| {
        let coverage = coverage.expression(index).unwrap();
        let ast = expression.ast();
        let seen = coverage.outcomes(ast.bare(ast.root()));
        format!("{}: {seen:?}\n", expression.path)
    };
    let lines = document.expressions().iter().enumerate().map(line);
    expected.assert_eq(&lines.collect::<String>());
}

fn api_server(coverage: &PolicyCoverage) -> ApiServer {
    let mut api_server = ApiServer::new(Catalog::built_in(ServerVersion(36)), Resources::default());
    for document in documents(VALIDATING) {
        if document.kind().is_policy() {
            let compiled = CompiledPolicy::recorded(&document, coverage);
            api_server.add_policy(document, Arc::new(compiled));
        } else {
            api_server.add(document);
        }
    }
    api_server
}

fn admit(api_server: &ApiServer, name: &str, data: &str) {
    let request = request(config(name, data));
    let limits = EvaluationLimits::default();
    let _ = api_server.admit(&request, &limits);
}

#[test]
fn a_match_condition_that_is_false_keeps_the_rest_from_running() {
    let document = &documents(VALIDATING)[0];
    let coverage = PolicyCoverage::new(document);
    let api_server = api_server(&coverage);
    admit(&api_server, "skipped", "{}");
    check(
        document,
        &coverage,
        &expect![[r#"
            spec.matchConditions[0].expression: {false}
            spec.variables[0].expression: {}
            spec.variables[1].expression: {}
            spec.validations[0].expression: {}
            spec.validations[0].messageExpression: {}
            spec.auditAnnotations[0].valueExpression: {}
        "#]],
    );
}

#[test]
fn a_variable_counts_where_it_is_read_and_a_message_always() {
    let document = &documents(VALIDATING)[0];
    let coverage = PolicyCoverage::new(document);
    let api_server = api_server(&coverage);
    admit(&api_server, "good", "{}");
    check(
        document,
        &coverage,
        &expect![[r#"
            spec.matchConditions[0].expression: {true}
            spec.variables[0].expression: {}
            spec.variables[1].expression: {}
            spec.validations[0].expression: {true}
            spec.validations[0].messageExpression: {failure}
            spec.auditAnnotations[0].valueExpression: {}
        "#]],
    );
    admit(&api_server, "other", "{read: never, words: good}");
    check(
        document,
        &coverage,
        &expect![[r#"
            spec.matchConditions[0].expression: {true}
            spec.variables[0].expression: {false}
            spec.variables[1].expression: {}
            spec.validations[0].expression: {true, false}
            spec.validations[0].messageExpression: {other, failure}
            spec.auditAnnotations[0].valueExpression: {}
        "#]],
    );
}

#[test]
fn servers_share_a_coverage_and_coverages_are_merged() {
    let document = &documents(VALIDATING)[0];
    let (one, other) = (PolicyCoverage::new(document), PolicyCoverage::new(document));
    admit(&api_server(&one), "good", "{words: good}");
    admit(&api_server(&one), "other", "{read: 'yes', words: good}");
    admit(&api_server(&other), "other", "{read: 'no'}");
    one.merge(&other);
    check(
        document,
        &one,
        &expect![[r#"
            spec.matchConditions[0].expression: {true}
            spec.variables[0].expression: {true, false}
            spec.variables[1].expression: {}
            spec.validations[0].expression: {true, false}
            spec.validations[0].messageExpression: {other, failure}
            spec.auditAnnotations[0].valueExpression: {}
        "#]],
    );
}

#[test]
fn mutations_are_recorded_and_the_answer_is_the_same() {
    let document = &documents(MUTATING)[0];
    let coverage = PolicyCoverage::new(document);
    let kinds = Catalog::built_in(ServerVersion(36));
    let limits = EvaluationLimits::default();
    let request = request(config("good", "{}"));
    let [plain, recorded] = [
        CompiledPolicy::new(document),
        CompiledPolicy::recorded(document, &coverage),
    ]
    .map(|compiled| compiled.mutate(document, &request, &kinds, &limits));
    assert_eq!(plain.object, recorded.object);
    assert_eq!(plain.cost, recorded.cost);
    check(
        document,
        &coverage,
        &expect![[r#"
            spec.matchConditions[0].expression: {true}
            spec.variables[0].expression: {other}
            spec.mutations[0].jsonPatch.expression: {other}
            spec.mutations[1].applyConfiguration.expression: {other}
        "#]],
    );
}
