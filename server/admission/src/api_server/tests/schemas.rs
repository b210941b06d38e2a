//! Custom resources that break the schema of their definition.

use super::{api_server, read};
use crate::{EvaluationLimits, Inputs, Request};
use expect_test::{Expect, expect};

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
    subresources:
      status: {}
      scale: {specReplicasPath: .spec.count, statusReplicasPath: .status.count, labelSelectorPath: .status.selector}
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            x-kubernetes-validations: [{rule: '!has(self.name) || self.name != \"no\"'}]
            properties:
              name: {type: string, pattern: '^[a-z]*$', maxLength: 5}
              count: {type: integer, minimum: -5}
              other: {x-kubernetes-preserve-unknown-fields: true}
              tags: {type: array, x-kubernetes-list-type: set, items: {type: string}}
              owner: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
          status:
            type: object
            properties:
              count: {type: integer}
              phase: {type: string, enum: [Ready, Failed]}
              selector: {x-kubernetes-preserve-unknown-fields: true}
";

fn widget(metadata: &str, rest: &str) -> String {
    format!("{{apiVersion: x.io/v1, kind: Widget, metadata: {{{metadata}}}, {rest}}}")
}

/// Checks the answer to the creation of an object, or to an update.
fn check(object: &str, old: Option<&str>, subresource: &str, expected: &Expect) {
    expected.assert_eq(&answer("Warn", object, old, subresource));
}

fn answer(field_validation: &str, object: &str, old: Option<&str>, subresource: &str) -> String {
    let server = api_server(DEFINITION, &[]);
    let object = read(object);
    let unknown_fields = kubernetes::defaults::unknown_fields(server.kinds(), &object);
    let inputs = Inputs {
        object: Some(object),
        old_object: old.map(read),
        ..Inputs::default()
    };
    let mut request = Request::new(inputs, server.resources()).unwrap();
    request.subresource = subresource.to_owned();
    request.unknown_fields = unknown_fields;
    request.set_field_validation(field_validation);
    request.fill_in();
    let response = server.admit(&request, &EvaluationLimits::default());
    let mut lines = vec![format!("{} {}", response.code, response.message)];
    lines.extend(response.warnings.iter().map(|it| format!("warning: {it}")));
    lines.extend(response.object.iter().map(ToString::to_string));
    lines.join("\n")
}

fn check_new(metadata: &str, rest: &str, expected: &Expect) {
    check(&widget(metadata, rest), None, "", expected);
}

#[test]
fn rules_follow_errors_that_do_not_block_them() {
    check_new(
        "name: w",
        "spec: {name: 'no', count: -6}",
        &expect![[
            r#"422 Widget.x.io "w" is invalid: [spec.count: Invalid value: -6: spec.count in body should be greater than or equal to -5, .spec.count: Invalid value: -6: should be a non-negative integer, spec: Invalid value: failed rule: !has(self.name) || self.name != "no"]"#
        ]],
    );
    check_new(
        "name: w",
        "spec: {name: 1}",
        &expect![[
            r#"422 Widget.x.io "w" is invalid: [spec.name: Invalid value: "integer": spec.name in body must be of type string: "integer", <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]"#
        ]],
    );
    check_new(
        "name: w",
        "status: {}",
        &expect![[
            r#"422 Widget.x.io "w" is invalid: [spec: Required value, <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]"#
        ]],
    );
}

#[test]
fn metadata_embedded_resources_and_lists_are_checked_in_this_order() {
    check_new(
        "name: W_, labels: {a: '!'}",
        "spec: {name: 'NO', tags: [a, a], owner: {kind: A}}",
        &expect![[
            r#"422 Widget.x.io "W_" is invalid: [metadata.name: Invalid value: "W_": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'), metadata.labels: Invalid value: "!": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?'), spec.name: Invalid value: "NO": spec.name in body should match '^[a-z]*$', spec.owner.apiVersion: Required value, spec.tags[1]: Duplicate value: "a", <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]"#
        ]],
    );
    check_new(
        "",
        "spec: {}",
        &expect![[
            r#"422 Widget.x.io "" is invalid: [metadata.name: Required value: name or generateName is required, <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]"#
        ]],
    );
}

#[test]
fn the_fields_of_the_scale_subresource_are_checked() {
    check_new(
        "name: w",
        "spec: {count: -1}",
        &expect![[
            r#"422 Widget.x.io "w" is invalid: .spec.count: Invalid value: -1: should be a non-negative integer"#
        ]],
    );
    check_new(
        "name: w",
        "spec: {count: 3000000000}",
        &expect![[
            r#"422 Widget.x.io "w" is invalid: .spec.count: Invalid value: 3000000000: should be less than or equal to 2147483647"#
        ]],
    );
    check_new(
        "name: w",
        "spec: {count: [x]}",
        &expect![[
            r#"422 Widget.x.io "w" is invalid: [spec.count: Invalid value: "array": spec.count in body must be of type integer: "array", .spec.count: Invalid value: 0: .spec.count accessor error: [x] is of the type []interface {}, expected int64, <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]"#
        ]],
    );
}

#[test]
fn what_was_invalid_may_stay() {
    let old = widget("name: w", "spec: {name: LONGER, tags: [a, a]}");
    let new = widget("name: w", "spec: {name: LONGER, tags: [a, a, b], count: 1}");
    check(
        &new,
        Some(&old),
        "",
        &expect![[r#"
            200 
            {apiVersion: x.io/v1, kind: Widget, metadata: {name: w, namespace: default, uid: 6d1f9a52-3c1e-4b87-9a40-2f5c8e7d1b36, creationTimestamp: 2024-01-01T00:00:00Z, resourceVersion: 5731, managedFields: [{manager: kubectl-create, operation: Update, apiVersion: x.io/v1, time: 2024-01-01T00:00:00Z, fieldsType: FieldsV1, fieldsV1: {}}], generation: 2}, spec: {name: LONGER, tags: [a, a, b], count: 1}}"#]],
    );
    let new = widget("name: w", "spec: {name: LONGEST, tags: [a]}");
    check(
        &new,
        Some(&old),
        "",
        &expect![[
            r#"422 Widget.x.io "w" is invalid: [spec.name: Too long: may not be more than 5 bytes, <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]"#
        ]],
    );
}

#[test]
fn the_status_is_validated_by_its_own_schema() {
    let old = widget("name: w", "spec: {name: LONGER}, status: {phase: Ready}");
    let new = widget(
        "name: w",
        "spec: {name: other}, status: {phase: Done, selector: [1]}",
    );
    check(
        &new,
        Some(&old),
        "status",
        &expect![[
            r#"422 Widget.x.io "w" is invalid: [status.phase: Unsupported value: "Done": supported values: "Ready", "Failed", .status.selector: Invalid value: "": .status.selector accessor error: [1] is of the type []interface {}, expected string, <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]"#
        ]],
    );
}

#[test]
fn new_finalizers_without_a_path_are_warned_of() {
    let old = widget("name: w, finalizers: [old]", "spec: {}");
    let new = widget(
        "name: w, finalizers: [old, a, x.io, x.io/a, orphan]",
        "spec: {}",
    );
    check(
        &new,
        Some(&old),
        "",
        &expect![[r#"
            200 
            warning: metadata.finalizers: "a": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers
            warning: metadata.finalizers: "x.io": prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers
            {apiVersion: x.io/v1, kind: Widget, metadata: {name: w, finalizers: [old, a, x.io, x.io/a, orphan], namespace: default, uid: 6d1f9a52-3c1e-4b87-9a40-2f5c8e7d1b36, creationTimestamp: 2024-01-01T00:00:00Z, resourceVersion: 5731, managedFields: [{manager: kubectl-create, operation: Update, apiVersion: x.io/v1, time: 2024-01-01T00:00:00Z, fieldsType: FieldsV1, fieldsV1: {}}], generation: 1}, spec: {}}"#]],
    );
}

#[test]
fn fields_that_the_schema_does_not_have_are_warned_of() {
    check_new(
        "name: w, foo: 1",
        "foo: 1, spec: {count: many, foo: {x: 1}, other: {x: 1}, owner: {apiVersion: v1, kind: A, b: 1}, name: {x: 1}, tags: [{x: 1}]}",
        &expect![[r#"
            422 Widget.x.io "w" is invalid: [spec.name: Invalid value: "object": spec.name in body must be of type string: "object", spec.count: Invalid value: "string": spec.count in body must be of type integer: "string", spec.tags[0]: Invalid value: "object": spec.tags[0] in body must be of type string: "object", .spec.count: Invalid value: 0: .spec.count accessor error: many is of the type string, expected int64, <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]
            warning: unknown field "foo"
            warning: unknown field "spec.foo"
            warning: unknown field "spec.name.x"
            warning: unknown field "spec.tags[0].x""#]],
    );
}

#[test]
fn a_client_chooses_what_happens_to_unknown_fields() {
    let object = widget("name: w, foo: 1", "spec: {foo: 1}");
    let first = |validation: &str| {
        let answer = answer(validation, &object, None, "");
        let lines = answer.lines().filter(|line| !line.starts_with('{'));
        lines.collect::<Vec<_>>().join("; ")
    };
    let strict = "400 Widget in version \"v1\" cannot be handled as a Widget: strict decoding \
                  error: unknown field \"spec.foo\"";
    assert_eq!(first("Strict"), strict);
    assert_eq!(first("Warn"), "201 ; warning: unknown field \"spec.foo\"");
    assert_eq!(first("Ignore"), "201 ");
}

#[test]
fn an_update_of_the_status_changes_nothing_else() {
    let old = widget("name: w", "spec: {name: a}, status: {phase: Ready}");
    let new = widget("name: w", "spec: {name: b}, status: {phase: Failed}");
    check(
        &new,
        Some(&old),
        "status",
        &expect![[r#"
            200 
            {apiVersion: x.io/v1, kind: Widget, metadata: {name: w, namespace: default, managedFields: [{manager: kubectl-create, operation: Update, apiVersion: x.io/v1, time: 2024-01-01T00:00:00Z, fieldsType: FieldsV1, fieldsV1: {}}], uid: 6d1f9a52-3c1e-4b87-9a40-2f5c8e7d1b36, creationTimestamp: 2024-01-01T00:00:00Z, generation: 1, resourceVersion: 5731}, spec: {name: a}, status: {phase: Failed}}"#]],
    );
}

#[test]
fn versions_can_be_deprecated_and_not_served() {
    let versions = "  versions:
  - {name: v1alpha1, served: false, storage: false}
  - {name: v1beta1, served: true, storage: false, deprecated: true}
  - {name: v1beta2, served: true, storage: false, deprecated: true, deprecationWarning: 'not: this'}
  - {name: v1, served: true, storage: true}
  - {name: v2alpha1, served: true, storage: false}
";
    let (start, _) = DEFINITION.split_once("  versions:").unwrap();
    let server = api_server(&format!("{start}{versions}"), &[]);
    let answer = |version: &str| {
        let object = format!("{{apiVersion: x.io/{version}, kind: Widget, metadata: {{name: a}}}}");
        let inputs = Inputs {
            object: Some(read(&object)),
            ..Inputs::default()
        };
        let request = Request::new(inputs, server.resources()).unwrap();
        let response = server.admit(&request, &EvaluationLimits::default());
        let warnings: Vec<String> = response
            .warnings
            .iter()
            .map(|it| it.message.clone())
            .collect();
        (response.code, response.message, warnings.join(" "))
    };
    let created = |warning: &str| (201, String::new(), warning.to_owned());
    let advice = "x.io/v1beta1 Widget is deprecated; use x.io/v1 Widget";
    assert_eq!(answer("v1beta1"), created(advice));
    assert_eq!(answer("v1beta2"), created("not: this"));
    assert_eq!(answer("v1"), created(""));
    let missing = (
        404,
        "the server could not find the requested resource".to_owned(),
        String::new(),
    );
    assert_eq!(answer("v1alpha1"), missing);
    assert_eq!(answer("v3"), missing);
}
