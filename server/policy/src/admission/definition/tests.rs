//! What the rules of a definition say of objects.

use super::Definition;
use crate::admission::{EvaluationLimits, object};
use crate::document::recognise;
use cel::Value;
use expect_test::{Expect, expect};
use std::sync::Arc;

const DEFINITION: &str = "
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.x.io}
spec:
  group: x.io
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        x-kubernetes-validations:
        - rule: self.metadata.name != 'no'
        properties:
          spec:
            type: object
            x-kubernetes-validations:
            - rule: self.x__dash__y <= self.ratio
              messageExpression: \"'at most ' + string(self.ratio)\"
              fieldPath: .x-y
              reason: FieldValueForbidden
            - {rule: self.ratio >= oldSelf.ratio, message: it grows only}
            properties:
              x-y: {type: integer}
              ratio: {type: number}
              ports:
                type: array
                maxItems: 3
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items:
                  type: object
                  required: [name]
                  properties:
                    name: {type: string, maxLength: 5}
                    port:
                      type: integer
                      x-kubernetes-validations:
                      - rule: self != 22 || self == oldSelf
                      - rule: self < 100
";

fn read(text: &str) -> Value {
    let stream = yaml::parse(text.into());
    object(stream.documents().next().unwrap().root().unwrap()).unwrap()
}

#[track_caller]
fn check(spec: &str, old: Option<&str>, expected: &Expect) {
    let stream = Arc::new(yaml::parse(DEFINITION.into()));
    let document = recognise(&stream).policies.remove(0);
    let definition = Definition::new(document);
    assert!(definition.is_of("x.io", "Widget"));
    let widget = |spec: &str| {
        read(&format!(
            "{{apiVersion: x.io/v1, kind: Widget, metadata: {{name: w}}, spec: {spec}}}"
        ))
    };
    let old = old.map(widget);
    let limits = EvaluationLimits::default();
    let findings = definition.check("v1", &widget(spec), old.as_ref(), &limits);
    let errors = findings.errors.iter();
    let errors = errors.map(|error| format!("{}: {}", error.field, error.message));
    let warnings = findings.warnings.iter().map(|it| format!("warning: {it}"));
    let lines: Vec<String> = errors.chain(warnings).collect();
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn a_rule_that_is_false_speaks_at_its_field() {
    check(
        "{x-y: 2, ratio: 1}",
        None,
        &expect!["spec.x-y: Forbidden: at most 1"],
    );
}

#[test]
fn a_field_that_is_missing_is_an_error() {
    check(
        "{x-y: 2}",
        None,
        &expect![[
            r#"spec: Invalid value: "object": no such key: ratio evaluating rule: self.x__dash__y <= self.ratio"#
        ]],
    );
}

#[test]
fn a_transition_is_looked_at_where_there_is_an_old_value() {
    check(
        "{x-y: 1, ratio: 1.5}",
        Some("{x-y: 1, ratio: 2}"),
        &expect!["spec: Invalid value: it grows only"],
    );
}

#[test]
fn elements_with_keys_have_an_old_value() {
    check(
        "{x-y: 1, ratio: 3, ports: [{name: b, port: 22}, {name: a, port: 200}]}",
        Some("{x-y: 1, ratio: 2, ports: [{name: a, port: 200}, {name: b, port: 80}]}"),
        &expect![[r#"
            spec.ports[0].port: Invalid value: 22: failed rule: self != 22 || self == oldSelf
            warning: spec.ports[1].port: Invalid value: 200: failed rule: self < 100"#]],
    );
}
