//! Answers and the expectations of tests.

use super::*;
use crate::run::{PolicyServer, PreparedInput, Programs, related_server_with};
use admission::{EvaluationLimits, Resources};
use expect_test::{Expect, expect};
use kubernetes::Target;
use kubernetes::openapi::Catalog;
use policy::ParsedFile;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

const HEAD: &str = "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: limit}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}
";

const LIMIT: &str = "  matchConditions:
  - {name: not-exempt, expression: object.metadata.name != 'exempt'}
  validations:
  - expression: object.spec.replicas <= 5
    messageExpression: \"'too many: ' + string(object.spec.replicas) + ' 😀'\"
    reason: Forbidden
  - {expression: object.spec.replicas != 0 || object.spec.none}
  auditAnnotations:
  - {key: replicas, valueExpression: string(object.spec.replicas)}
";

fn binding(actions: &str) -> String {
    format!(
        "---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {{name: all}}
spec: {{policyName: limit, validationActions: [{actions}]}}
"
    )
}

fn deployment(name: &str, replicas: i32) -> String {
    format!(
        "object: {{apiVersion: apps/v1, kind: Deployment, metadata: {{name: {name}}}, spec: {{replicas: {replicas}, \
         selector: {{matchLabels: {{a: b}}}}, \
         template: {{metadata: {{labels: {{a: b}}}}, spec: {{containers: [{{name: a, image: b}}]}}}}}}}}\n"
    )
}

fn assessed(policy: &str, input: Input) -> String {
    let file = ParsedFile::new(policy.into(), Target::default());
    let programs = Programs::new(file.policies());
    let kinds = &Catalog::built_in(Target::default().newest());
    let related = related_server_with(kinds, Resources::default(), [], []);
    let input = PreparedInput::new(Arc::new(input), kinds, &Resources::default());
    let evaluator = Evaluator {
        policies: file.policies(),
        programs: &programs,
        server: &PolicyServer::new(file.policies(), &programs, &related),
        inputs: &[],
        limits: &EvaluationLimits::default(),
    };
    let request = input.requests().unwrap().first().unwrap();
    let answer = evaluator.answer_to(request);
    let assessment = assess(&evaluator, input.input(), &answer);
    let mut out = format!("{}\n", assessment.outcome);
    for mismatch in &assessment.mismatches {
        let _ = writeln!(out, "! {:?}: {}", mismatch.field, mismatch.difference);
        if mismatch.field != ExpectField::Decision {
            let (expected, found) = mismatch.difference.expected_and_found();
            let _ = writeln!(out, "  - {expected:?}\n  + {found:?}");
        }
    }
    for decider in deciders(&evaluator, &answer) {
        let text = decider.range.map(|range| {
            let text = policy.get(std::ops::Range::<usize>::from(range));
            text.unwrap().to_owned()
        });
        let _ = writeln!(out, "@ {} {:?} {text:?}", decider.path, decider.kind);
    }
    out
}

#[track_caller]
fn check(policy: &str, input: &str, expected: &Expect) {
    let read = crate::input::read(Path::new("/w/a.yaml"), input);
    assert_eq!(read.errors, []);
    expected.assert_eq(&assessed(policy, read.inputs.into_iter().next().unwrap()));
}

/// Returns which expectations about one input pass.
#[track_caller]
fn passing(policy: &str, input: &str, expectations: &[&str]) -> Vec<bool> {
    let passes = |expect: &&str| {
        let read = crate::input::read(
            Path::new("/w/a.yaml"),
            &format!("{input}expect: {expect}\n"),
        );
        assert_eq!(read.errors, []);
        let input = read.inputs.into_iter().next().unwrap();
        !assessed(policy, input).contains("\n! ")
    };
    expectations.iter().map(passes).collect()
}

const DECISIONS: [&str; 6] = ["allow", "deny", "warn", "audit", "skip", "error"];

#[test]
fn a_decision_is_one_of_six() {
    let policy = |actions: &str| format!("{HEAD}{LIMIT}{}", binding(actions));
    let unbound = format!("{HEAD}{LIMIT}");
    let passes = |policy: &str, name: &str, replicas| {
        let passed = passing(policy, &deployment(name, replicas), &DECISIONS);
        let words = DECISIONS.into_iter().zip(passed).filter(|(_, it)| *it);
        words.map(|(word, _)| word).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(passes(&unbound, "web", 1), "allow");
    assert_eq!(passes(&unbound, "web", 9), "deny");
    assert_eq!(passes(&unbound, "exempt", 9), "allow skip");
    assert_eq!(passes(&unbound, "web", 0), "error");
    assert_eq!(passes(&policy("Deny, Audit"), "web", 9), "deny");
    assert_eq!(passes(&policy("Warn, Audit"), "web", 9), "allow warn audit");
    assert_eq!(passes(&policy("Audit"), "web", 9), "allow audit");
    assert_eq!(passes(&policy("Warn"), "web", 0), "error");
    let ignoring = unbound.replace("spec:\n", "spec:\n  failurePolicy: Ignore\n");
    assert_eq!(passes(&ignoring, "web", 0), "error");
}

#[test]
fn a_failure_is_a_denial_only_by_its_message() {
    let policy = format!("{HEAD}{LIMIT}");
    let input = deployment("web", 0);
    let expectations = [
        "{decision: deny, messageContains: 'no such key: none'}",
        "{decision: deny, messageContains: too many}",
        "{decision: error, messageContains: 'no such key: none'}",
    ];
    assert_eq!(passing(&policy, &input, &expectations), [true, false, true]);
    check(
        &policy,
        &format!("{input}expect: deny\n"),
        &expect![[r#"
            denied only because an expression fails
            ! Decision: expected decision `deny`, but the request is denied only because an expression fails. A failing expression is not a denial. To expect the failure, write `decision: error` or the message of the error
            @ spec.validations[1].expression Fails("expression 'object.spec.replicas != 0 || object.spec.none' resulted in error: no such key: none") Some("object.spec.replicas != 0 || object.spec.none")
        "#]],
    );
}

#[test]
fn what_differs_is_shown_with_what_decided() {
    let policy = format!("{HEAD}{LIMIT}");
    check(
        &policy,
        &format!("{}expect: allow\n", deployment("web", 9)),
        &expect![[r#"
            denied
            ! Decision: expected decision `allow`, but the request is denied
            @ spec.validations[0].expression Denies("too many: 9 😀") Some("object.spec.replicas <= 5")
        "#]],
    );
    check(
        &policy,
        &format!("{}expect: deny\n", deployment("web", 1)),
        &expect![[r#"
            allowed
            ! Decision: expected decision `deny`, but the request is allowed
            @ spec.validations[0].expression Holds Some("object.spec.replicas <= 5")
            @ spec.validations[1].expression Holds Some("object.spec.replicas != 0 || object.spec.none")
        "#]],
    );
    check(
        &policy,
        &format!("{}expect: deny\n", deployment("exempt", 9)),
        &expect![[r#"
            skipped: no policy matches it
            ! Decision: expected decision `deny`, but the request is skipped: no policy matches it
            @ spec.matchConditions[0].expression Skips Some("object.metadata.name != 'exempt'")
        "#]],
    );
}

#[test]
fn every_part_that_differs_is_named() {
    let policy = format!("{HEAD}{LIMIT}");
    check(
        &policy,
        &format!(
            "{}expect: {{message: 'too many: 8', reason: Invalid, code: 422, auditAnnotations: {{replicas: '8', other: x}}}}\n",
            deployment("web", 9)
        ),
        &expect![[r#"
            denied
            ! Message: the message differs
              - "too many: 8"
              + Some("too many: 9 😀")
            ! Reason: expected reason Invalid, found Forbidden
              - "Invalid"
              + Some("Forbidden")
            ! Code: expected status code 422, found 403
              - "422"
              + Some("403")
            ! AuditAnnotations: audit annotation replicas has a different value
              - "8"
              + Some("9")
            ! AuditAnnotations: audit annotation other is missing
              - "x"
              + None
            @ spec.validations[0].expression Denies("too many: 9 😀") Some("object.spec.replicas <= 5")
        "#]],
    );
}

#[test]
fn a_message_is_that_of_the_validation_or_of_the_server() {
    let policy = format!("{HEAD}{LIMIT}");
    let expectations = [
        "{decision: deny, message: 'too many: 9 😀', reason: Forbidden, code: 403}",
        "{message: \"ValidatingAdmissionPolicy 'limit' denied request: too many: 9 😀\"}",
        "{message: \"deployments.apps \\\"web\\\" is forbidden: ValidatingAdmissionPolicy 'limit' denied request: too many: 9 😀\"}",
        "{messageContains: 'denied request: too many'}",
        "{messageContains: '8'}",
        "{auditAnnotations: {limit/replicas: '9', replicas: '9'}}",
    ];
    assert_eq!(
        passing(&policy, &deployment("web", 9), &expectations),
        [true, true, true, true, false, true]
    );
}

#[test]
fn warnings_are_compared_with_or_without_the_policy() {
    let policy = format!("{HEAD}{LIMIT}{}", binding("Warn"));
    let full = "Validation failed for ValidatingAdmissionPolicy ''limit'' with binding ''all'': too many: 9 😀";
    let full = format!("{{warnings: ['{full}']}}");
    let expectations = [
        full.as_str(),
        "{decision: warn, warnings: ['too many: 9 😀'], message: 'too many: 9 😀'}",
        "{warnings: []}",
        "{warnings: ['too many: 9 😀', more]}",
    ];
    assert_eq!(
        passing(&policy, &deployment("web", 9), &expectations),
        [true, true, false, false]
    );
}

const MUTATING: &str = "\
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: owner}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods]}
  failurePolicy: Fail
  reinvocationPolicy: Never
  mutations:
  - patchType: JSONPatch
    jsonPatch:
      expression: >-
        [JSONPatch{op: 'add', path: '/metadata/labels', value: {'owner': object.metadata.name}}]
";

const POD: &str = "object: {apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [{name: a, image: b}]}}\n";

#[test]
fn an_object_needs_not_say_what_the_server_fills_in() {
    let expectations = [
        "{object: {apiVersion: v1, kind: Pod, metadata: {name: web, labels: {owner: web}}, spec: {containers: [{name: a, image: b}]}}}",
        "{object: {apiVersion: v1, kind: Pod, metadata: {name: web, namespace: default, labels: {owner: web}}, spec: {restartPolicy: Always, containers: [{name: a, image: b}]}}}",
        "{object: {apiVersion: v1, kind: Pod, metadata: {name: web, labels: {owner: web}, uid: other}, spec: {containers: [{name: a, image: b}]}}}",
        "{object: {apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [{name: a, image: b}]}}}",
    ];
    assert_eq!(
        passing(MUTATING, POD, &expectations),
        [true, true, false, true]
    );
    let raw = format!("raw: true\n{POD}");
    assert_eq!(
        passing(MUTATING, &raw, &expectations),
        [true, true, false, true]
    );
    let raw_untouched = format!(
        "raw: true\n{}",
        POD.replace("kind: Pod", "kind: PodTemplate")
    );
    let same = "{object: {apiVersion: v1, kind: PodTemplate, metadata: {name: web}, spec: {containers: [{name: a, image: b}]}}}";
    assert_eq!(passing(MUTATING, &raw_untouched, &[same]), [true]);
}

#[test]
fn an_object_needs_only_what_is_named() {
    let sidecar = MUTATING.replace(
        "[JSONPatch{op: 'add', path: '/metadata/labels', value: {'owner': object.metadata.name}}]",
        "[JSONPatch{op: 'add', path: '/spec/containers/0', value: Object.spec.containers{name: 'proxy', image: 'x', args: ['a', '😀']}}]",
    );
    let expectations = [
        "{object: {spec: {containers: [{name: proxy}]}}}",
        "{object: {spec: {containers: [{name: a, image: b}, {name: proxy, args: [a, 😀]}]}}}",
        "{object: {kind: Pod, metadata: {labels: null}}}",
        "{object: {spec: {restartPolicy: Always, hostNetwork: false}}}",
        "{object: {spec: {containers: [{name: other}]}}}",
        "{object: {spec: {containers: [{name: proxy, image: z}]}}}",
        "{object: {spec: {containers: [{name: proxy, args: [a]}]}}}",
        "{object: {metadata: {name: null}}}",
        "{object: {metadata: {labels: {a: b}}}}",
        "{object: {kind: Service, spec: {containers: [{name: proxy}]}}}",
    ];
    assert_eq!(
        passing(&sidecar, POD, &expectations),
        [
            true, true, true, true, false, false, false, false, false, false
        ]
    );
    check(
        &sidecar,
        &format!("{POD}expect:\n  object: {{spec: {{containers: [{{name: proxy, image: z}}]}}}}\n"),
        &expect![[r#"
            allowed
            ! Object: the object differs
              - "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - image: z\n    name: proxy\n"
              + Some("apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - image: x\n    name: proxy\n")
        "#]],
    );
}

#[test]
fn a_denied_request_has_no_object() {
    let policy = MUTATING.replace("'/metadata/labels'", "'/x/y'");
    check(
        &policy,
        &format!(
            "{POD}expect:\n  object: {{apiVersion: v1, kind: Pod, metadata: {{name: web}}, spec: {{containers: [{{name: a, image: b}}]}}}}\n"
        ),
        &expect![[r#"
            denied only because an expression fails
            ! Object: expected an object, but the request has none
              - "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n  containers:\n  - image: b\n    name: a\n"
              + None
            @ spec.mutations[0].jsonPatch.expression Fails("JSON Patch: add operation does not apply: doc is missing path: \"/x/y\": missing value") Some(">-\n        [JSONPatch{op: 'add', path: '/x/y', value: {'owner': object.metadata.name}}]")
        "#]],
    );
}

#[test]
fn for_kat_a_failure_is_never_a_decision() {
    let object = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 0, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: b}]}}}\n";
    let few = object.replace("replicas: 0", "replicas: 9");
    let policy = format!("{HEAD}{LIMIT}");
    let ignoring = policy.replace("spec:\n", "spec:\n  failurePolicy: Ignore\n");
    let warning = format!("{HEAD}{LIMIT}{}", binding("Warn"));
    let passes = |policy: &str, name: &str, object: &str, message: &str| {
        let files = [
            (
                format!("limit.{name}.object.yaml").into(),
                Arc::from(object),
            ),
            (
                format!("limit.{name}.message.txt").into(),
                Arc::from(message),
            ),
        ];
        let read = crate::input::kat(&files, &["limit"]);
        assert_eq!(read.errors, []);
        !assessed(policy, read.inputs.into_iter().next().unwrap()).contains("\n! ")
    };
    let failure = "expression 'object.spec.replicas != 0 || object.spec.none' resulted in error: no such key: none";
    assert!(!passes(&policy, "x.deny", object, ""));
    assert!(!passes(&policy, "x.deny", object, failure));
    assert!(!passes(&ignoring, "x.allow", object, ""));
    assert!(passes(&policy, "x.deny", &few, "too many: 9 😀"));
    assert!(!passes(&policy, "x.deny", &few, "too many"));
    assert!(passes(&warning, "x.warn", &few, ""));
}
