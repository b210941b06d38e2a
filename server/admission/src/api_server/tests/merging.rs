//! Apply configurations that are merged into custom resources.

use super::built_in::{applied, patched, policy};
use super::{api_server, read};
use crate::{EvaluationLimits, Inputs, Request};
use expect_test::{Expect, expect};
use kubernetes::defaults;

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
        properties:
          spec:
            type: object
            properties:
              name: {type: string}
              int: {type: integer}
              free: {type: object, x-kubernetes-preserve-unknown-fields: true}
              set: {type: array, x-kubernetes-list-type: set, items: {type: string}}
              keyed:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [k]
                items: {type: object, required: [k], properties: {k: {type: string}, v: {type: integer}}}
---
";

/// Checks the response to the creation of a widget with this `spec`.
#[track_caller]
fn check(mutations: &[String], failure_policy: &str, spec: &str, expected: &Expect) {
    let mutations = mutations.join("\n  - ");
    let policy = policy("x.io/widgets", &mutations);
    let policy = policy.replace(
        "reinvocationPolicy: Never",
        &format!("reinvocationPolicy: Never\n  failurePolicy: {failure_policy}"),
    );
    let server = api_server(&format!("{DEFINITION}{policy}"), &[]);
    let mut object = read(&format!(
        "{{apiVersion: x.io/v1, kind: Widget, metadata: {{name: a, namespace: b}}, spec: {spec}}}"
    ));
    defaults::apply(server.kinds(), &mut object);
    let inputs = Inputs {
        object: Some(object),
        ..Inputs::default()
    };
    let mut request = Request::new(inputs, server.resources()).unwrap();
    request.fill_in();
    let response = server.admit(&request, &EvaluationLimits::default());
    let spec = response
        .object
        .and_then(|it| it.as_map()?.get_str("spec").cloned());
    let spec = spec.map_or_else(String::new, |it| it.to_string());
    let message = response.message;
    let message = message.strip_prefix("policy 'p' with binding 'b' denied request: ");
    let message = message.unwrap_or_default();
    expected.assert_eq(&format!("{} {message}{spec}", response.code));
}

#[test]
fn the_object_must_fit_its_schema() {
    let name = applied("spec: Object.spec{name: 'n'}");
    for (spec, expected) in [
        (
            "{int: x}",
            expect![
                "403 error applying patch: failed to convert original object to typed object: .spec.int: expected numeric (int or float), got string"
            ],
        ),
        (
            "{keyed: x}",
            expect![
                "403 error applying patch: failed to convert original object to typed object: .spec.keyed: expected list, got &{x}"
            ],
        ),
        (
            "{set: {}}",
            expect![
                "403 error applying patch: failed to convert original object to typed object: .spec.set: expected list, got &{map[]}"
            ],
        ),
        (
            "{keyed: [{v: 1}]}",
            expect![[
                r#"403 error applying patch: failed to convert original object to typed object: .spec.keyed: element 0: associative list with keys has an element that omits all key fields ["k"] (and doesn't have default values for any key fields)"#
            ]],
        ),
        (
            "{name: [1]}",
            expect![
                "403 error applying patch: failed to convert original object to typed object: .spec.name: expected string, got &value.valueUnstructured{Value:[]interface {}{1}}"
            ],
        ),
        (
            "{free: {a: null, b: [null, 1.5]}}",
            expect!["201 {free: {a: 0, b: [0, 1.5]}, name: n}"],
        ),
    ] {
        check(std::slice::from_ref(&name), "Fail", spec, &expected);
    }
}

#[test]
fn a_mutation_that_does_not_apply_is_left_out_if_its_failure_is_ignored() {
    let mutations = [
        patched("op: 'add', path: '/spec/int', value: 'x'"),
        applied("spec: Object.spec{name: 'n'}"),
        patched("op: 'add', path: '/spec/int', value: 4"),
    ];
    check(&mutations, "Ignore", "{}", &expect!["201 {int: 4}"]);
}

#[test]
fn an_unknown_field_is_there_until_the_object_is_stored() {
    let unknown = patched("op: 'add', path: '/spec/unknown', value: 'x'");
    check(
        std::slice::from_ref(&unknown),
        "Fail",
        "{int: 1}",
        &expect!["201 {int: 1}"],
    );
    let mutations = [unknown, applied("spec: Object.spec{name: 'n'}")];
    check(
        &mutations,
        "Fail",
        "{}",
        &expect![
            "403 error applying patch: failed to convert original object to typed object: .spec.unknown: field not declared in schema"
        ],
    );
}

#[test]
fn an_empty_list_of_a_configuration_is_null_in_json() {
    let empty = applied("spec: Object.spec{keyed: []}");
    check(
        std::slice::from_ref(&empty),
        "Fail",
        "{int: 1}",
        &expect!["201 {int: 1}"],
    );
    check(
        std::slice::from_ref(&empty),
        "Fail",
        "{keyed: [{k: a}]}",
        &expect!["201 {keyed: [{k: a}]}"],
    );
    let none =
        applied("spec: Object.spec{keyed: object.spec.keyed.map(e, Object.spec.keyed{k: e.k})}");
    check(&[none], "Fail", "{keyed: []}", &expect!["201 {}"]);
    let kept = applied("spec: Object.spec{keyed: object.spec.keyed}");
    check(&[kept], "Fail", "{keyed: []}", &expect!["201 {keyed: []}"]);
    let size = applied("spec: Object.spec{int: object.spec.keyed.size()}");
    check(
        &[empty.clone(), size],
        "Fail",
        "{}",
        &expect!["201 {int: 0}"],
    );
    let added = patched("op: 'add', path: '/spec/keyed/-', value: {'k': 'a'}");
    check(
        &[empty, added],
        "Fail",
        "{}",
        &expect![[
            r#"403 JSON Patch: add operation does not apply: doc is missing path: "/spec/keyed/-": missing value"#
        ]],
    );
}
