//! The ranges and titles of code lenses.

use super::*;
use crate::file::SourceFile;
use admission::{EvaluationLimits, Resources};
use evaluation::input::Input;
use evaluation::run::{PolicyServer, Programs, related_server_with};
use evaluation::samples;
use expect_test::{Expect, expect};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

const POLICY: &str = "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [configmaps]}
  variables:
  - {name: a, expression: object.data.a}
  validations:
  - expression: \"variables.a != '😀'\"
    messageExpression: string(variables.a)
";

const WEBHOOK: &str = "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
webhooks:
- name: a.example.com
  rules:
  - {apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [pods]}
  matchConditions:
  - {name: a, expression: object.metadata.name == 'a'}
- name: b.example.com
  rules:
  - {apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [configmaps]}
  matchConditions:
  - {name: b, expression: object.metadata.name == 'b'}
";

#[track_caller]
fn check(policy: &str, objects: &str, expected: &Expect) {
    let file = SourceFile::new(policy);
    let programs = Programs::new(file.policies());
    let samples = samples::read(Path::new("objects.yaml"), objects);
    let kinds = file.project().kinds();
    let related = related_server_with(kinds, Resources::default(), [], &samples);
    let input = |sample| {
        let input = Arc::new(Input::from_sample(sample));
        Arc::new(PreparedInput::new(input, kinds, &Resources::default()))
    };
    let inputs: Vec<_> = samples.iter().map(input).collect();
    let evaluator = Evaluator {
        policies: file.policies(),
        programs: &programs,
        server: &PolicyServer::new(file.policies(), &programs, &related),
        inputs: &inputs,
        limits: &EvaluationLimits::default(),
    };
    let shown = |lens: CodeLens| {
        let line = file.line_index().line(lens.range.start());
        let key = policy.get(Range::<usize>::from(lens.range)).unwrap();
        let title = lens_title(&evaluator, lens.target, None);
        format!("{line} {key}: {}", title.as_deref().unwrap_or(NO_INPUT))
    };
    let lines: Vec<String> = code_lenses(&evaluator).into_iter().map(shown).collect();
    expected.assert_eq(&lines.join("\n"));
}

const OBJECTS: &str = "\
{apiVersion: v1, kind: ConfigMap, metadata: {name: b}, data: {a: '😀'}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {a: x}}
---
{apiVersion: v1, kind: Pod, metadata: {name: a}}
";

#[test]
fn every_expression_and_the_validations_have_one() {
    check(
        POLICY,
        OBJECTS,
        &expect![[r#"
            7 expression: evaluate: "😀" · ConfigMap b
            8 validations: inputs: 1 allowed, 1 denied
            9 expression: evaluate: false · ConfigMap b
            10 messageExpression: evaluate: "😀" · ConfigMap b"#]],
    );
}

#[test]
fn without_a_sample_one_says_what_to_do() {
    check(
        POLICY,
        "",
        &expect!["8 validations: no input: add a manifest that the policy matches"],
    );
}

#[test]
fn a_match_condition_of_a_webhook_is_tried_on_what_its_webhook_is_called_for() {
    check(
        WEBHOOK,
        OBJECTS,
        &expect![[r#"
            7 expression: evaluate: true · Pod a
            12 expression: evaluate: true · ConfigMap b"#]],
    );
}

const DEFINITION: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  group: x.io
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              sizes: {type: array, items: {type: integer, x-kubernetes-validations: [{rule: self < 5}]}}
            x-kubernetes-validations:
            - rule: \"'😀' != '' && self.sizes.size() < 3\"
            - rule: self == oldSelf
";

#[test]
fn rules_of_a_definition_are_evaluated_on_objects_of_its_kind() {
    let objects = "{apiVersion: x.io/v1, kind: Widget, metadata: {name: small}, spec: {sizes: [1]}}\n---\n{apiVersion: x.io/v1, kind: Widget, metadata: {name: large}, spec: {sizes: [2, 7]}}\n---\n{apiVersion: x.io/v2, kind: Widget, metadata: {name: other}}\n";
    check(
        DEFINITION,
        objects,
        &expect![[r#"
            6 versions: inputs: 1 allowed, 1 denied
            15 rule: evaluate: true · Widget small
            17 rule: evaluate: true · Widget small
            18 rule: not evaluated · Widget small"#]],
    );
    check(
        DEFINITION,
        OBJECTS,
        &expect!["6 versions: no input: add a manifest that the policy matches"],
    );
}

#[test]
fn the_schema_of_a_definition_without_rules_is_evaluated() {
    let (plain, _) = DEFINITION.split_once("        properties:").unwrap();
    let plain = format!("{plain}        properties: {{spec: {{type: object}}}}\n");
    let objects = "{apiVersion: x.io/v1, kind: Widget, metadata: {name: good}, spec: {}}\n---\n{apiVersion: x.io/v1, kind: Widget, metadata: {name: wrong}, spec: 1}\n";
    check(
        &plain,
        objects,
        &expect!["6 versions: inputs: 1 allowed, 1 denied"],
    );
}

#[test]
fn mutations_have_one_for_the_decision_and_one_for_the_change() {
    let policy = "\
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration: {expression: 'Object{immutable: true}'}
";
    check(
        policy,
        OBJECTS,
        &expect![[r#"
            6 mutations: inputs: 2 allowed
            6 mutations: show changes
            8 expression: evaluate: Object{immutable: true} · ConfigMap b"#]],
    );
}
