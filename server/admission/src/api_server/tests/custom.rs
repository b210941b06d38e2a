//! Mutations of custom resources.

use super::{answer, api_server};
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
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              parts:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items:
                  type: object
                  properties: {name: {type: string}, size: {type: integer}}
              tags: {type: array, x-kubernetes-list-type: set, items: {type: string}}
              list: {type: array, items: {type: string}}
              fixed: {type: object, x-kubernetes-map-type: atomic, properties: {a: {type: string}}}
              open: {type: object, x-kubernetes-preserve-unknown-fields: true}
              any: {x-kubernetes-preserve-unknown-fields: true}
              count: {type: integer, default: 3}
              ratio: {type: number}
              port: {x-kubernetes-int-or-string: true}
              map: {type: object, additionalProperties: {type: string}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: b}
spec: {policyName: p}
---
";

const WIDGET: &str = "{apiVersion: x.io/v1, kind: Widget, metadata: {name: w, namespace: a}, spec: \
    {parts: [{name: a, size: 1}], tags: [x], list: [l], open: {z: 2}, any: {z: 2}, map: {k: v}}}";

/// Returns the `spec` of [`WIDGET`] after a mutation, or the error.
fn mutated(mutation: &str) -> String {
    let policy = format!(
        "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicy\nmetadata: \
         {{name: p}}\nspec:\n  reinvocationPolicy: Never\n  matchConstraints:\n    resourceRules:\n    \
         - {{apiGroups: [x.io], apiVersions: [v1], operations: ['*'], resources: [widgets]}}\n  \
         mutations:\n  - {mutation}\n---\n"
    );
    let response = answer(
        &api_server(&format!("{policy}{DEFINITION}"), &[]),
        Some(WIDGET),
        None,
    );
    let Some(object) = response.object else {
        let prefix = "policy 'p' with binding 'b' denied request: ";
        let message = response.message;
        return message.strip_prefix(prefix).unwrap_or(&message).to_owned();
    };
    let field = |name: &str| object.as_map()?.get_str(name).map(ToString::to_string);
    format!("{} {}", field("metadata").unwrap(), field("spec").unwrap())
}

#[track_caller]
fn applied(fields: &str, expected: &Expect) {
    let mutation =
        format!("applyConfiguration: {{expression: \"Object{{spec: Object.spec{{{fields}}}}}\"}}");
    expected.assert_eq(&mutated(&mutation));
}

/// Upstream: kubernetes/kube-openapi, pkg/schemaconv/openapi.go, parseSchema;
/// kubernetes-sigs/structured-merge-diff, typed/merge.go.
#[test]
fn a_configuration_follows_the_schema_of_the_definition() {
    applied(
        "parts: [Object.spec.parts{name: 'a', size: 2}, Object.spec.parts{name: 'b'}]",
        &expect![
            "{name: w, namespace: a} {parts: [{name: a, size: 2}, {name: b}], tags: [x], list: [l], open: {z: 2}, any: {z: 2}, map: {k: v}, count: 3}"
        ],
    );
    applied(
        "tags: ['y', 'x']",
        &expect![
            "{name: w, namespace: a} {parts: [{name: a, size: 1}], tags: [y, x], list: [l], open: {z: 2}, any: {z: 2}, map: {k: v}, count: 3}"
        ],
    );
    applied(
        "open: Object.spec.open{x: Object.spec.open.x{a: 1}}",
        &expect![
            "{name: w, namespace: a} {parts: [{name: a, size: 1}], tags: [x], list: [l], open: {z: 2, x: {a: 1}}, any: {z: 2}, map: {k: v}, count: 3}"
        ],
    );
    applied(
        "any: Object.spec.any{x: 1}",
        &expect![
            "{name: w, namespace: a} {parts: [{name: a, size: 1}], tags: [x], list: [l], open: {z: 2}, any: {z: 2, x: 1}, map: {k: v}, count: 3}"
        ],
    );
    applied(
        "map: {'l': 'w'}",
        &expect![
            "{name: w, namespace: a} {parts: [{name: a, size: 1}], tags: [x], list: [l], open: {z: 2}, any: {z: 2}, map: {k: v, l: w}, count: 3}"
        ],
    );
    applied(
        "port: 'http', ratio: 1, count: 2.0",
        &expect![
            "{name: w, namespace: a} {parts: [{name: a, size: 1}], tags: [x], list: [l], open: {z: 2}, any: {z: 2}, map: {k: v}, port: http, ratio: 1, count: 2}"
        ],
    );
}

/// Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/mutating/patch/smd.go,
/// findAtomics; kubernetes-sigs/structured-merge-diff, typed/validate.go.
#[test]
#[expect(clippy::too_many_lines, reason = "the errors are long")]
fn a_configuration_against_the_schema_of_the_definition_is_refused() {
    applied(
        "list: ['m']",
        &expect![
            "error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.list"
        ],
    );
    applied(
        "fixed: Object.spec.fixed{a: 'b'}",
        &expect![
            "error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.fixed"
        ],
    );
    applied(
        "any: ['m']",
        &expect![
            "error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.any"
        ],
    );
    applied(
        "any: null",
        &expect![
            "error applying patch: failed to convert patch object to typed object: .spec.any: expected map, got &{NULL_VALUE}"
        ],
    );
    applied(
        "open: Object.spec.open{x: null}",
        &expect![
            "error applying patch: failed to convert patch object to typed object: .spec.open.x: expected map, got &{NULL_VALUE}"
        ],
    );
    applied(
        "nope: 1",
        &expect![
            "error applying patch: failed to convert patch object to typed object: .spec.nope: field not declared in schema"
        ],
    );
    applied(
        "parts: [Object.spec.parts{size: 2}]",
        &expect![[
            r#"error applying patch: failed to convert patch object to typed object: .spec.parts: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn't have default values for any key fields)"#
        ]],
    );
    applied(
        "count: '2'",
        &expect![
            "error applying patch: failed to convert patch object to typed object: .spec.count: expected numeric (int or float), got string"
        ],
    );
    applied(
        "port: [1]",
        &expect![
            "error applying patch: failed to convert patch object to typed object: .spec.port: expected any scalar, got &{[1]}"
        ],
    );
}

#[test]
fn metadata_is_merged_and_what_is_not_described_is_pruned() {
    let metadata = "applyConfiguration: {expression: \"Object{metadata: Object.metadata{labels: {'a': 'b'}, finalizers: ['x.io/f']}}\"}";
    expect!["{name: w, namespace: a, labels: {a: b}, finalizers: [x.io/f]} {parts: [{name: a, size: 1}], tags: [x], list: [l], open: {z: 2}, any: {z: 2}, map: {k: v}, count: 3}"].assert_eq(&mutated(metadata));
    let patch = "jsonPatch: {expression: \"[JSONPatch{op: 'add', path: '/spec/nope', value: 1}]\"}";
    expect!["{name: w, namespace: a} {parts: [{name: a, size: 1}], tags: [x], list: [l], open: {z: 2}, any: {z: 2}, map: {k: v}, count: 3}"].assert_eq(&mutated(patch));
    let wrong = "applyConfiguration: {expression: \"Object{metadata: Object.metadata{label: {'a': 'b'}}}\"}";
    expect!["error applying patch: failed to convert patch object to typed object: .metadata.label: field not declared in schema"].assert_eq(&mutated(wrong));
}

/// Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/matching/matching.go,
/// matchesResourceRules.
#[test]
fn another_version_of_a_definition_is_the_same_resource() {
    let more = "  - name: v2\n    served: true\n    storage: false\n    schema: {openAPIV3Schema: \
        {type: object, x-kubernetes-preserve-unknown-fields: true}}\n---\n";
    let definition = DEFINITION
        .replacen("---\n", more, 1)
        .replace("MutatingAdmission", "ValidatingAdmission");
    let definition =
        definition.replace("policyName: p", "policyName: p, validationActions: [Deny]");
    let policy = "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n\
        metadata: {name: p}\nspec:\n  matchConstraints:\n    resourceRules:\n    - {apiGroups: \
        [x.io], apiVersions: [v2], operations: ['*'], resources: [widgets]}\n  validations:\n  \
        - expression: \"false\"\n    messageExpression: object.apiVersion + ' ' + request.kind.version \
        + ' ' + request.requestKind.version\n---\n";
    let response = answer(
        &api_server(&format!("{policy}{definition}"), &[]),
        Some(WIDGET),
        None,
    );
    let message = response.message;
    assert!(
        message.ends_with("denied request: x.io/v2 v2 v1"),
        "{message}"
    );
}
