//! Mutations of objects.

use crate::{CompiledPolicy, EvaluationLimits, Inputs, Request};
use cel::Value;
use expect_test::{Expect, expect};
use kubernetes::ServerVersion;
use kubernetes::object;
use kubernetes::openapi::Catalog;
use policy::recognize;
use std::sync::Arc;

const POD: &str = "{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: b}, spec: \
    {securityContext: {runAsUser: null}, containers: [{name: a, image: 'a:1'}, {name: b, image: 'b:1'}, {name: c, image: 'c:1'}]}}";

fn read(text: &str) -> Value {
    let stream = yaml::parse(text.into());
    let root = stream.documents().next().unwrap().root().unwrap();
    object(root).unwrap()
}

/// Returns the containers of [`POD`] after the mutations, or the error of one of them.
fn mutated(mutations: &[(&str, &str)]) -> String {
    let mut text = "apiVersion: admissionregistration.k8s.io/v1\nkind: \
        MutatingAdmissionPolicy\nmetadata: {name: p}\nspec:\n  mutations:\n"
        .to_owned();
    for (field, expression) in mutations {
        text.push_str(&format!(
            "  - {field}:\n      expression: >-\n        {expression}\n"
        ));
    }
    let recognition = recognize(&Arc::new(yaml::parse(text.as_str().into())));
    let document = recognition.policies.first().unwrap();
    let kinds = Catalog::built_in(ServerVersion(36));
    let inputs = Inputs {
        object: Some(read(POD)),
        ..Inputs::default()
    };
    let request = Request::new(inputs, &crate::Resources::default()).unwrap();
    let compiled = CompiledPolicy::new(document);
    let mutation = compiled.mutate(document, &request, &kinds, &EvaluationLimits::default());
    let failures = mutation.steps.into_iter().filter_map(|it| it.result.err());
    let failures: Vec<String> = failures.map(|error| error.to_string()).collect();
    if !failures.is_empty() {
        return failures.join("\n");
    }
    let object = mutation.object.unwrap();
    let spec = object.as_map().unwrap().get_str("spec").unwrap();
    let containers = spec.as_map().unwrap().get_str("containers").unwrap();
    let names = containers.as_list().unwrap().iter().map(|container| {
        let field = |name: &str| container.as_map().unwrap().get_str(name).cloned();
        format!("{}={}", field("name").unwrap(), field("image").unwrap())
    });
    names.collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check(field: &str, expression: &str, expected: &Expect) {
    expected.assert_eq(&mutated(&[(field, expression)]));
}

fn containers(list: &str) -> String {
    let typed = list.replace("C{", "Object.spec.containers{");
    format!("Object{{spec: Object.spec{{containers: {typed}}}}}")
}

#[test]
fn elements_of_a_list_are_merged_by_their_keys() {
    for (list, expected) in [
        ("[C{name: 'b', image: 'x:2'}]", expect!["a=a:1 b=x:2 c=c:1"]),
        (
            "[C{name: 'c', image: 'x:2'}, C{name: 'a', image: 'y:2'}]",
            expect!["b=b:1 c=x:2 a=y:2"],
        ),
        (
            "[C{name: 'n', image: 'n:1'}, C{name: 'b', image: 'x:2'}]",
            expect!["a=a:1 n=n:1 b=x:2 c=c:1"],
        ),
        (
            "[C{name: 'n', image: 'n:1'}]",
            expect!["a=a:1 b=b:1 c=c:1 n=n:1"],
        ),
    ] {
        check("applyConfiguration", &containers(list), &expected);
    }
}

#[test]
fn bytes_are_no_string() {
    check(
        "applyConfiguration",
        &containers("[C{name: 'a', image: b'ab'}]"),
        &expect![[
            r#"error applying patch: failed to convert patch object to typed object: .spec.containers[name="a"].image: expected string, got &value.valueUnstructured{Value:[]uint8{0x61, 0x62}}"#
        ]],
    );
}

#[test]
fn a_configuration_that_does_not_fit_is_refused() {
    for (list, expected) in [
        (
            "[C{name: 'a'}, C{name: 'a'}]",
            expect![[
                r#"error applying patch: failed to convert patch object to typed object: .spec.containers: duplicate entries for key [name="a"]"#
            ]],
        ),
        (
            "[C{name: 1}]",
            expect![
                "error applying patch: failed to convert patch object to typed object: .spec.containers[name=1].name: expected string, got &value.valueUnstructured{Value:1}"
            ],
        ),
        (
            "'x'",
            expect![
                "error applying patch: failed to convert patch object to typed object: .spec.containers: expected list, got &{x}"
            ],
        ),
        (
            "[C{name: 'a', image: 1, bogus: 2}]",
            expect![[r#"
            error applying patch: failed to convert patch object to typed object: errors:
              .spec.containers[name="a"].image: expected string, got &value.valueUnstructured{Value:1}
              .spec.containers[name="a"].bogus: field not declared in schema"#]],
        ),
        (
            "[C{name: 'a', command: ['x']}]",
            expect![
                "error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.containers[0].command"
            ],
        ),
    ] {
        check("applyConfiguration", &containers(list), &expected);
    }
}

#[test]
fn a_patch_is_applied_as_a_whole_or_not_at_all() {
    for (patch, expected) in [
        (
            "[JSONPatch{op: 'remove', path: '/spec/containers/-1'}, JSONPatch{op: 'replace', \
             path: '/spec/containers/0/image', value: 'z:9'}]",
            expect!["a=z:9 b=b:1"],
        ),
        (
            "[JSONPatch{op: 'move', from: '/spec/containers/0', path: '/spec/containers/-'}]",
            expect!["b=b:1 c=c:1 a=a:1"],
        ),
        (
            "[JSONPatch{op: 'remove', path: '/spec/containers/0'}, JSONPatch{op: 'test', path: \
             '/spec/containers/0/name', value: 'a'}]",
            expect!["a=a:1 b=b:1 c=c:1"],
        ),
        (
            "[JSONPatch{op: 'move', path: '/spec'}]",
            expect![
                "JSON Patch: move operation failed to decode from: operation, missing from field: missing value"
            ],
        ),
        (
            "[JSONPatch{op: 'add', path: '/spec/containers/x', value: 1}]",
            expect![[
                r#"JSON Patch: error in add for path: '/spec/containers/x': value was not a proper array index: 'x': strconv.Atoi: parsing "x": invalid syntax"#
            ]],
        ),
        (
            "[JSONPatch{op: 'add', path: '/spec/containers/0/image', value: 1}]",
            expect![
                "Internal error occurred: json: cannot unmarshal number into Go struct field Container.spec.containers.image of type string"
            ],
        ),
    ] {
        check("jsonPatch", patch, &expected);
    }
}

#[test]
fn each_mutation_sees_what_the_one_before_has_done() {
    let result = mutated(&[
        (
            "jsonPatch",
            "[JSONPatch{op: 'remove', path: '/spec/containers/0'}]",
        ),
        (
            "jsonPatch",
            "[JSONPatch{op: 'replace', path: '/spec/containers/0/image', value: \
             object.spec.containers[0].name + ':2'}]",
        ),
    ]);
    assert_eq!(result, "b=b:2 c=c:1");
}

/// Upstream: kubernetes/apiserver, pkg/cel/mutation/dynamic/objects.go, convertField;
/// kubernetes-sigs/structured-merge-diff, typed/helpers.go.
#[test]
fn lists_and_maps_of_expressions_are_read_one_level_deep() {
    for (list, expected) in [
        (
            "[{'name': 'n', 'image': 'n:1'}]",
            expect![
                "error applying patch: failed to convert patch object to typed object: .spec.containers: element 0: associative list with keys may not have non-map elements"
            ],
        ),
        (
            "object.spec.containers.map(c, {'name': c.name})",
            expect![
                "error applying patch: failed to convert patch object to typed object: .spec.containers: element 0: associative list with keys may not have non-map elements"
            ],
        ),
        (
            "[object.metadata.name == 'x' ? C{name: 'a'} : null]",
            expect![
                "error applying patch: failed to convert patch object to typed object: .spec.containers: element 0: associative list with keys may not have non-map elements"
            ],
        ),
        ("object.spec.containers", expect!["a=a:1 b=b:1 c=c:1"]),
        (
            "object.spec.containers, securityContext: object.spec.securityContext",
            expect!["a=a:1 b=b:1 c=c:1"],
        ),
        ("[object.spec.containers[0]]", expect!["a=a:1 b=b:1 c=c:1"]),
        (
            "object.spec.containers.filter(c, c.name == 'b')",
            expect!["a=a:1 b=b:1 c=c:1"],
        ),
    ] {
        check("applyConfiguration", &containers(list), &expected);
    }
}

/// Upstream: kubernetes-sigs/structured-merge-diff, typed/validate.go, validateScalar;
/// kubernetes/apimachinery, pkg/runtime/converter.go, fromUnstructured.
#[test]
#[expect(clippy::too_many_lines, reason = "the errors are long")]
fn numbers_fit_their_field() {
    for (fields, expected) in [
        (
            "spec: Object.spec{activeDeadlineSeconds: 5u}",
            expect![
                "error applying patch: failed to convert patch object to typed object: .spec.activeDeadlineSeconds: expected numeric (int or float), got uint64"
            ],
        ),
        (
            "spec: Object.spec{activeDeadlineSeconds: 2.5}",
            expect![
                "unable to convert unstructured object to /v1, Kind=Pod: cannot convert float64 to int64"
            ],
        ),
        (
            "spec: Object.spec{activeDeadlineSeconds: 3.0}",
            expect!["a=a:1 b=b:1 c=c:1"],
        ),
        (
            "metadata: Object.metadata{annotations: {'a': 5u}}",
            expect![
                "error applying patch: failed to convert patch object to typed object: .metadata.annotations.a: expected string, got &value.valueUnstructured{Value:0x5}"
            ],
        ),
        (
            "metadata: Object.metadata{annotations: {'a': 5.0}}",
            expect![
                "error applying patch: failed to convert patch object to typed object: .metadata.annotations.a: expected string, got &value.valueUnstructured{Value:5}"
            ],
        ),
        (
            "metadata: Object.metadata{annotations: {'a': null}}",
            expect![
                "error applying patch: failed to convert patch object to typed object: .metadata.annotations.a: expected string, got &value.valueUnstructured{Value:0}"
            ],
        ),
        (
            "metadata: Object.metadata{annotations: null}",
            expect![
                "error applying patch: failed to convert patch object to typed object: .metadata.annotations: expected map, got &{NULL_VALUE}"
            ],
        ),
        (
            "metadata: Object.metadata{finalizers: [null]}",
            expect![
                "error applying patch: failed to convert patch object to typed object: .metadata.finalizers[={{undefined}}]: expected string, got &value.valueUnstructured{Value:0}"
            ],
        ),
        (
            "spec: Object.spec{overhead: {'cpu': '1x'}}",
            expect![
                "unable to convert unstructured object to /v1, Kind=Pod: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
            ],
        ),
        (
            "spec: Object.spec{overhead: {'cpu': '0.5'}}",
            expect!["a=a:1 b=b:1 c=c:1"],
        ),
    ] {
        check(
            "applyConfiguration",
            &format!("Object{{{fields}}}"),
            &expected,
        );
    }
}

/// Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/mutating/patch/json_patch.go,
/// evaluatePatchExpression.
#[test]
#[expect(clippy::too_many_lines, reason = "the errors are long")]
fn a_value_that_json_does_not_have_is_refused() {
    for (value, expected) in [
        (
            "[Object.spec.containers{name: 'n'}]",
            expect![
                "Internal error occurred: This request caused apiserver to panic: the value of a JSON patch is a list or a map that holds an Object (reflect.Set: value of type *structpb.Struct is not assignable to type *structpb.Value)"
            ],
        ),
        (
            "{'a': Object.spec.containers{name: 'n'}}",
            expect![
                "Internal error occurred: This request caused apiserver to panic: the value of a JSON patch is a list or a map that holds an Object (reflect.Set: value of type *structpb.Struct is not assignable to type *structpb.Value)"
            ],
        ),
        (
            "Object.spec{containers: [{'name': 'n'}]}",
            expect![
                "JSONPath valueExpression evaluated to a type that could not marshal to JSON: proto: invalid type: map[ref.Val]ref.Val"
            ],
        ),
        (
            "Object.spec{containers: null}",
            expect![
                "JSONPath valueExpression evaluated to a type that could not marshal to JSON: proto: invalid type: structpb.NullValue"
            ],
        ),
        (
            "{1: 'a'}",
            expect![
                "JSONPath valueExpression evaluated to a type that could not marshal to JSON: unsupported type conversion from 'int' to string"
            ],
        ),
        (
            "{true: 'a'}",
            expect![
                "JSONPath valueExpression evaluated to a type that could not marshal to JSON: type conversion error from bool to 'string'"
            ],
        ),
        (
            "quantity('1Gi')",
            expect![
                "JSONPath valueExpression evaluated to a type that could not marshal to JSON: type conversion error from 'Quantity' to '*structpb.Value'"
            ],
        ),
        (
            "type(1)",
            expect![
                "JSONPath valueExpression evaluated to a type that could not marshal to JSON: type conversion not supported for 'type'"
            ],
        ),
        (
            "optional.none()",
            expect![
                "JSONPath valueExpression evaluated to a type that could not marshal to JSON: optional.none() dereference"
            ],
        ),
    ] {
        let patch = format!("[JSONPatch{{op: 'add', path: '/spec', value: {value}}}]");
        check("jsonPatch", &patch, &expected);
    }
    let patch = "[has(object.spec.x) ? JSONPatch{op: 'remove', path: '/spec/x'} : null]";
    check(
        "jsonPatch",
        patch,
        &expect![
            "type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch: type conversion error from 'null_type' to '*mutation.JSONPatchVal'"
        ],
    );
}

/// Upstream: evanphx/json-patch v4, patch.go, test.
#[test]
fn what_is_not_there_is_no_null() {
    let replace = "JSONPatch{op: 'replace', path: '/spec/containers/0/image', value: 'x:1'}";
    for (test, expected) in [
        (
            "path: '/spec/nope', value: null",
            expect!["a=a:1 b=b:1 c=c:1"],
        ),
        ("path: '/spec/nope'", expect!["a=x:1 b=b:1 c=c:1"]),
        (
            "path: '/spec/containers', value: null",
            expect!["a=a:1 b=b:1 c=c:1"],
        ),
        (
            "path: '/spec/containers/0', value: object.spec.containers[0]",
            expect!["a=x:1 b=b:1 c=c:1"],
        ),
    ] {
        let patch = format!("[JSONPatch{{op: 'test', {test}}}, {replace}]");
        check("jsonPatch", &patch, &expected);
    }
}

/// Upstream: Go, encoding/json/decode.go, literalStore.
#[test]
fn a_patch_puts_whole_numbers_in_their_fields() {
    for (value, expected) in [
        (
            "2.5",
            expect![
                "Internal error occurred: json: cannot unmarshal number 2.5 into Go struct field PodSpec.spec.priority of type int32"
            ],
        ),
        ("3.0", expect!["a=a:1 b=b:1 c=c:1"]),
        (
            "'x'",
            expect![
                "Internal error occurred: json: cannot unmarshal string into Go struct field PodSpec.spec.priority of type int32"
            ],
        ),
        ("null", expect!["a=a:1 b=b:1 c=c:1"]),
    ] {
        let patch = format!("[JSONPatch{{op: 'add', path: '/spec/priority', value: {value}}}]");
        check("jsonPatch", &patch, &expected);
    }
    let patch = "[JSONPatch{op: 'add', path: '/spec/priority', value: 3000000000}]";
    check(
        "jsonPatch",
        patch,
        &expect![
            "Internal error occurred: json: cannot unmarshal number 3000000000 into Go struct field PodSpec.spec.priority of type int32"
        ],
    );
}

/// Upstream: kubernetes/apimachinery, pkg/api/resource/quantity.go, ParseQuantity; and
/// pkg/util/intstr/intstr.go, UnmarshalJSON.
#[test]
fn a_patch_puts_quantities_and_ports_in_their_fields() {
    for (path, value, expected) in [
        (
            "overhead",
            "{'cpu': '1x'}",
            expect![
                "Internal error occurred: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
            ],
        ),
        (
            "overhead",
            "{'cpu': ' '}",
            expect![
                "Internal error occurred: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
            ],
        ),
        (
            "overhead",
            "{'cpu': true}",
            expect![
                "Internal error occurred: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
            ],
        ),
        ("overhead", "{'cpu': 1}", expect!["a=a:1 b=b:1 c=c:1"]),
        (
            "containers/0/livenessProbe",
            "{'httpGet': {'port': 1.5}}",
            expect![
                "Internal error occurred: json: cannot unmarshal number 1.5 into Go struct field HTTPGetAction.spec.containers.livenessProbe.ProbeHandler.httpGet.port of type int32"
            ],
        ),
    ] {
        let patch = format!("[JSONPatch{{op: 'add', path: '/spec/{path}', value: {value}}}]");
        check("jsonPatch", &patch, &expected);
    }
}
