//! Validation rules of CustomResourceDefinitions.

mod limits;
mod metadata;
mod sums;
mod views;

use super::structural::Subject;
use super::{CrdValidator, Findings};
use crate::EvaluationLimits;
use cel::Value;
use expect_test::{Expect, expect};
use kubernetes::{Target, object};
use policy::{recognize, recognize_for};
use std::sync::Arc;

/// Validates an object without the metadata that the server sets.
fn validate(
    validator: &CrdValidator,
    object: &Value,
    old: Option<&Value>,
    limits: &EvaluationLimits,
) -> Findings {
    let subject = Subject {
        version: "v1",
        object,
        old,
        is_status: false,
        is_namespaced: None,
        is_filled_in: false,
    };
    validator.validate(&subject, limits)
}

/// Returns the definition of a kind with the schema.
fn definition(schema: &str) -> String {
    format!(
        "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: widgets.x.io}}
spec:
  group: x.io
  scope: Namespaced
  names: {{kind: Widget, plural: widgets}}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
{schema}"
    )
}

/// Returns a definition whose `spec` has a rule and the properties.
fn with_rule(rule: &str, properties: &str) -> String {
    let rules = format!("x-kubernetes-validations: [{{rule: \"{rule}\"}}]");
    definition(&format!(
        "        type: object
        properties:
          spec:
            type: object
            {rules}
            properties:
{properties}"
    ))
}

/// Properties with lists of all kinds.
const LISTS: &str = "              set: &set
                type: array
                maxItems: 5
                x-kubernetes-list-type: set
                items: {type: string, maxLength: 5}
              other: *set
              list: {type: array, maxItems: 5, items: {type: string, maxLength: 5}}
              sets: {type: array, maxItems: 5, items: *set}
              note: {type: string, nullable: true}
              routes: &routes
                type: array
                maxItems: 5
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [host, port]
                items:
                  type: object
                  required: [host, port]
                  properties:
                    host: {type: string, maxLength: 5}
                    port: {type: integer}
                    ways: *set
              more: *routes
              refs:
                type: array
                maxItems: 5
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [namespace]
                items:
                  type: object
                  required: [namespace]
                  properties: {namespace: {type: string, maxLength: 5}, num: {type: integer}}
              times: {type: array, maxItems: 5, items: {type: string, format: date-time}}
              days: {type: array, maxItems: 5, items: {type: string, format: date}}
              waits: {type: array, maxItems: 5, items: {type: string, format: duration}}
              data: {type: array, maxItems: 5, items: {type: string, format: byte, maxLength: 9}}
              maps:
                type: array
                maxItems: 5
                items: {type: object, maxProperties: 2, additionalProperties: {type: string, maxLength: 5}}
              lists:
                type: array
                maxItems: 5
                items: {type: array, maxItems: 5, items: {type: string, maxLength: 5}}
              moments:
                type: array
                maxItems: 5
                x-kubernetes-list-type: set
                items: {type: string, format: date-time}
";

/// A schema with rules at several fields.
const DEFINITION: &str = "        type: object
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
              note:
                type: string
                x-kubernetes-validations:
                - {rule: self != 'a', reason: FieldValueDuplicate, message: not again}
              count:
                type: integer
                x-kubernetes-validations:
                - rule: oldSelf.orValue(self) == self
                  optionalOldSelf: true
                  messageExpression: \"'was ' + string(oldSelf.value())\"
                - rule: self != 7
                  messageExpression: \"oldSelf == 7 ? 'still' : 'now'\"
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

/// Returns whether a rule holds for a `spec` with lists.
#[track_caller]
fn holds(rule: &str, spec: &str, old: &str) -> bool {
    holds_in(LISTS, rule, spec, old)
}

/// Returns whether a rule holds for a `spec` with the properties.
#[track_caller]
fn holds_in(properties: &str, rule: &str, spec: &str, old: &str) -> bool {
    errors_on("1.36", (properties, rule), spec, old).is_empty()
}

/// Returns the errors of a rule on a server.
#[track_caller]
fn errors_on(server: &str, (properties, rule): (&str, &str), spec: &str, old: &str) -> Vec<String> {
    let text = with_rule(rule, properties);
    let stream = Arc::new(yaml::parse(text.as_str().into()));
    let target = Target::parse(server).unwrap();
    let document = recognize_for(&stream, target).policies.remove(0);
    let validator = CrdValidator::new(document);
    assert_eq!(validator.rules.len(), 1, "{rule}");
    let [new, old] = [spec, old].map(|spec| {
        read(&format!(
            "{{apiVersion: x.io/v1, kind: Widget, metadata: {{name: w}}, spec: {spec}}}"
        ))
    });
    let limits = EvaluationLimits::default();
    let findings = validate(&validator, &new, Some(&old), &limits);
    let errors = findings.errors.into_iter().map(|it| it.message);
    let warnings = findings.warnings.into_iter().map(|it| it.message);
    errors.chain(warnings).collect()
}

#[test]
fn sets_of_objects_have_no_order() {
    let spec = "{set: [b, a], other: [a, b], list: [b, a], sets: [[a, b]]}";
    let old = "{set: [a, b], list: [a, b]}";
    for (rule, expected) in [
        ("self.set == ['a', 'b']", true),
        ("['a', 'b'] == self.set", false),
        ("self.set == ['a', 'b', 'c']", false),
        ("self.set != ['a', 'b']", false),
        ("self.set == self.other", true),
        ("self.set == self.list", true),
        ("self.list == self.other", false),
        ("self.set == oldSelf.set", true),
        ("self.list == oldSelf.list", false),
        ("self.set in self.sets && ['b', 'a'] in self.sets", true),
        ("self.set + ['a', 'c'] == ['c', 'b', 'a']", true),
        ("(self.set + self.other).size() == 2", true),
        ("(['a'] + self.set).size() == 3", true),
        (
            "self.set[0] == 'b' && self.set.map(x, x) == ['b', 'a']",
            true,
        ),
    ] {
        assert_eq!(holds(rule, spec, old), expected, "{rule}");
    }
}

#[test]
fn lists_of_objects_are_compared_by_their_keys() {
    let spec = "{routes: [{host: a, port: 1, ways: [x, 'y']}, {host: b, port: 2}], \
                 more: [{host: b, port: 2, ways: [z]}, {host: c, port: 3}]}";
    let old = "{routes: [{host: b, port: 2}, {host: a, port: 1, ways: ['y', x]}], \
                more: [{host: b, port: 2}, {host: c, port: 4}]}";
    for (rule, expected) in [
        ("self.routes == oldSelf.routes", true),
        ("self.more == oldSelf.more", false),
        ("self.routes == dyn(self.more)", false),
        ("(self.routes + dyn(self.more)).size() == 3", true),
        ("(self.routes + dyn(self.more))[1].ways == ['z']", true),
        (
            "dyn(self.routes + dyn(self.more)) == self.more + dyn(self.routes)",
            false,
        ),
        ("self.routes + self.routes == oldSelf.routes", true),
        ("self.routes[0] == oldSelf.routes[1]", true),
    ] {
        assert_eq!(holds(rule, spec, old), expected, "{rule}");
    }
}

#[test]
fn a_key_that_needs_an_escape_tells_nothing_apart() {
    let spec = "{refs: [{namespace: a}, {namespace: b}]}";
    let old = "{refs: [{namespace: b}, {namespace: a}]}";
    assert!(!holds("self.refs == oldSelf.refs", spec, old));
    let one = "{refs: [{namespace: a}]}";
    assert!(holds("self.refs == oldSelf.refs", one, one));
}

/// Properties with names that CEL reserves, and nested objects.
const NAMES: &str = "              namespace: {type: string}
              if: {type: string}
              x-y: {type: string}
              $ref: {type: string}
              map: {type: object, additionalProperties: {type: string}}
              pod: &pod
                type: object
                x-kubernetes-embedded-resource: true
                properties:
                  metadata: {type: object, properties: {namespace: {type: string}}}
                  spec: {type: object, properties: {for: {type: string}}}
              pods: {type: array, maxItems: 3, items: *pod}
              by: {type: object, maxProperties: 3, additionalProperties: *pod}
";

/// Upstream: kubernetes/apiserver, pkg/cel/common/valuesunstructured.go, unstructuredMap.Find;
/// kubernetes/apiextensions-apiserver, pkg/apiserver/schema/cel/model/schemas.go,
/// WithTypeAndObjectMeta.
#[test]
fn fields_have_their_escaped_names_and_reserved_words_both() {
    let pod = "{apiVersion: v1, kind: Pod, metadata: {name: one, labels: {a: b}}, spec: {for: f}}";
    let spec = format!(
        "{{namespace: one, if: i, x-y: x, $ref: r, map: {{namespace: m}}, pod: {pod}, \
         pods: [{pod}], by: {{one: {pod}}}}}"
    );
    let old = spec.replace("$ref: r", "$ref: s");
    for (rule, expected) in [
        (
            "self.namespace == 'one' && self.__namespace__ == 'one'",
            true,
        ),
        (
            "has(self.if) && has(self.__if__) && !has(self.map.if)",
            true,
        ),
        ("self.?namespace.orValue('') == 'one'", true),
        ("self.x__dash__y == 'x' && dyn(self)['x-y'] == 'x'", true),
        (
            "self.map.namespace == 'm' && !('__namespace__' in self.map)",
            true,
        ),
        (
            "self.pod.metadata.name == 'one' && self.pod.kind == 'Pod'",
            true,
        ),
        (
            "self.pods.all(p, p.metadata.name == 'one' && p.apiVersion == 'v1')",
            true,
        ),
        ("self.by.all(k, self.by[k].metadata.name == 'one')", true),
        (
            "self.pod.spec.for == 'f' && self.pod.spec.__for__ == 'f'",
            true,
        ),
        ("has(self.pod.metadata.generateName)", false),
        ("self == oldSelf", false),
        ("self.pod == oldSelf.pod", true),
    ] {
        assert_eq!(holds_in(NAMES, rule, &spec, &old), expected, "{rule}");
    }
}

#[track_caller]
fn embedded(spec: &str, expected: &Expect) {
    embedded_on("1.36", spec, expected);
}

fn embedded_on(server: &str, spec: &str, expected: &Expect) {
    let target = Target::parse(server).unwrap();
    let text = with_rule("false", NAMES);
    let stream = Arc::new(yaml::parse(text.as_str().into()));
    let validator = CrdValidator::new(recognize_for(&stream, target).policies.remove(0));
    let limits = EvaluationLimits::default();
    let errors: Vec<_> = validate(
        &validator,
        &read(&format!("{{spec: {spec}}}")),
        None,
        &limits,
    )
    .errors
    .iter()
    .map(|it| format!("{}: {}", it.field, it.message))
    .collect();
    expected.assert_eq(&errors.join("\n"));
}

#[test]
fn embedded_resources_are_checked_before_the_rules() {
    embedded(
        "{pod: {kind: Pod}, pods: [{apiVersion: v1, kind: Pod}]}",
        &expect![[r#"
            spec.pod.apiVersion: Required value
            <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation"#]],
    );
    embedded(
        "{by: {one: {apiVersion: a/b/c, kind: '', metadata: {name: a/b, generateName: '..', \
         namespace: X, labels: {a b: -}, annotations: {A: x, -: x}}}}}",
        &expect![[r#"
            spec.by[one].apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c
            spec.by[one].kind: Invalid value: "": must not be empty
            spec.by[one].metadata.name: Invalid value: "a/b": may not contain '/'
            spec.by[one].metadata.namespace: Invalid value: "X": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')
            spec.by[one].metadata.labels: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')
            spec.by[one].metadata.labels: Invalid value: "-": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')
            spec.by[one].metadata.annotations: Invalid value: "-": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')
            spec: Invalid value: failed rule: false"#]],
    );
}

#[test]
fn a_field_that_is_null_is_not_there() {
    assert!(holds("!has(self.note)", "{note: ~}", "{}"));
}

#[track_caller]
fn check(spec: &str, old: Option<&str>, expected: &Expect) {
    let stream = Arc::new(yaml::parse(definition(DEFINITION).as_str().into()));
    let document = recognize(&stream).policies.remove(0);
    let validator = CrdValidator::new(document);
    assert!(validator.is_of("x.io", "Widget"));
    let widget = |spec: &str| {
        read(&format!(
            "{{apiVersion: x.io/v1, kind: Widget, metadata: {{name: w}}, spec: {spec}}}"
        ))
    };
    let old = old.map(widget);
    let limits = EvaluationLimits::default();
    let findings = validate(&validator, &widget(spec), old.as_ref(), &limits);
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
fn the_field_of_a_rule_is_written_as_the_server_writes_it() {
    let spec = "{x-y: 2, ratio: 1}";
    for (path, expected) in [
        ("\"['x-y']\"", "spec.x-y"),
        ("\".labels['a.b']\"", "spec.labels[a.b]"),
        (".labels.a", "spec.labels[a]"),
        (".nope", "spec"),
    ] {
        let labels = "x-y: {type: integer}\n              labels: {type: object, additionalProperties: {type: string}}";
        let crd = definition(DEFINITION)
            .replace("fieldPath: .x-y", &format!("fieldPath: {path}"))
            .replace("x-y: {type: integer}", labels);
        let stream = Arc::new(yaml::parse(crd.as_str().into()));
        let document = recognize(&stream).policies.remove(0);
        let object = read(&format!(
            "{{apiVersion: x.io/v1, kind: Widget, metadata: {{name: w}}, spec: {spec}}}"
        ));
        let limits = EvaluationLimits::default();
        let findings = validate(&CrdValidator::new(document), &object, None, &limits);
        let fields: Vec<&str> = findings.errors.iter().map(|it| &*it.field).collect();
        assert_eq!(fields, [expected], "{path}");
    }
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

#[test]
fn elements_with_keys_may_change_places_and_stay_wrong() {
    let old = "{x-y: 1, ratio: 3, ports: [{name: a, port: 200}, {name: b, port: 80}]}";
    let new = "{x-y: 1, ratio: 3, ports: [{name: b, port: 80}, {name: a, port: 200}]}";
    check(
        new,
        Some(old),
        &expect!["warning: spec.ports[1].port: Invalid value: 200: failed rule: self < 100"],
    );
}

/// Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/schema/cel/validation.go,
/// fieldErrorForReason.
#[test]
fn a_duplicate_has_no_words() {
    check(
        "{x-y: 1, ratio: 1, note: a}",
        None,
        &expect![[r#"spec.note: Duplicate value: "a""#]],
    );
}

/// Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/schema/cel/validation.go,
/// validateExpressions, which gives a message the values of a rule without optional ones.
#[test]
fn a_message_sees_the_old_value_only_where_there_is_one() {
    check(
        "{x-y: 1, ratio: 1, count: 2}",
        Some("{x-y: 1, ratio: 1, count: 1}"),
        &expect!["spec.count: Invalid value: 2: failed rule: oldSelf.orValue(self) == self"],
    );
    check(
        "{x-y: 1, ratio: 1, count: 7}",
        None,
        &expect!["spec.count: Invalid value: 7: failed rule: self != 7"],
    );
}
