//! Validation of CustomResourceDefinitions, except for their CEL rules.

use super::{check, definition, errors};
use expect_test::expect;

/// Returns a definition with one version that has the schema.
fn schema(schema: &str) -> String {
    let lines = schema.lines().map(|line| format!("        {line}\n"));
    definition(&lines.collect::<String>())
}

/// Returns a definition with additional fields of `spec`.
fn spec(rest: &str) -> String {
    format!(
        "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: widgets.example.com}}
spec:
  group: example.com
  scope: Cluster
{rest}"
    )
}

#[test]
fn names_that_follow_from_a_wrong_kind_are_wrong_as_well() {
    check(
        &spec(
            "  names: {plural: widgets, kind: my_Widget}
  versions: [{name: v1, storage: true, schema: {openAPIV3Schema: {type: object}}}]
",
        ),
        &expect![[r#"
            Invalid spec.names.kind "may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')" at "my_Widget"
            Invalid spec.names.singular "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')" at "my_Widget"
            Invalid spec.names.listKind "may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')" at "my_Widget"
        "#]],
    );
}

#[test]
fn a_second_storage_version_is_not_stored() {
    check(
        &spec(
            "  names: {plural: widgets, kind: Widget}
  versions:
  - {name: v1, storage: true, schema: {openAPIV3Schema: {type: object}}}
  - {name: v2, storage: true, schema: {openAPIV3Schema: {type: object}}}
",
        ),
        &expect![[r#"
            Invalid spec.versions "must have exactly one version marked as storage version" at "versions"
            Invalid status.storedVersions "must have the storage version v2" at "true"
        "#]],
    );
}

#[test]
fn unknown_fields_cannot_be_kept_everywhere() {
    check(
        &spec(
            "  names: {plural: widgets, kind: Widget}
  preserveUnknownFields: true
  conversion:
    strategy: Webhook
    webhook: {conversionReviewVersions: [v1], clientConfig: {url: 'https://a.example.com'}}
  versions:
  - name: v1
    storage: true
    deprecated: true
    deprecationWarning: \"old\\u200b\"
    schema: {openAPIV3Schema: {type: object, properties: {a: {type: string, default: x}}}}
",
        ),
        &expect![[r#"
            Invalid spec.preserveUnknownFields "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead" at "true"
            Invalid spec.preserveUnknownFields "must be false in order to use defaults in the schema" at "true"
            Invalid spec.conversion.strategy "must be None if spec.preserveUnknownFields is true" at "Webhook"
            Invalid spec.versions[0].deprecationWarning "must only contain printable UTF-8 characters; non-printable character found at index 3" at "\"old\\u200b\""
        "#]],
    );
}

#[test]
fn a_group_of_kubernetes_needs_an_approval() {
    let definition = |annotations: &str| {
        let text = spec(
            "  names: {plural: widgets, kind: Widget}
  versions: [{name: v1, storage: true, schema: {openAPIV3Schema: {type: object}}}]
",
        )
        .replace("example.com", "x.k8s.io");
        text.replace(
            "{name: widgets.x.k8s.io}",
            &format!("{{name: widgets.x.k8s.io{annotations}}}"),
        )
    };
    check(
        &definition(""),
        &expect![[r#"
        Required metadata.annotations[api-approved.kubernetes.io] "protected groups must have approval annotation \"api-approved.kubernetes.io\", see https://github.com/kubernetes/enhancements/pull/1111" at "metadata"
    "#]],
    );
    check(
        &definition(", annotations: {api-approved.kubernetes.io: soon}"),
        &expect![[r#"
            Invalid metadata.annotations[api-approved.kubernetes.io] "protected groups must have approval annotation \"api-approved.kubernetes.io\" with either a URL or a reason starting with \"unapproved\", see https://github.com/kubernetes/enhancements/pull/1111" at "soon"
        "#]],
    );
    for right in [
        "unapproved, a test",
        "https://github.com/kubernetes/enhancements/pull/1",
    ] {
        let annotations = format!(", annotations: {{api-approved.kubernetes.io: '{right}'}}");
        check(&definition(&annotations), &expect![""]);
    }
}

#[test]
fn a_rule_names_a_field_that_exists() {
    check(
        &schema(
            "type: object
properties:
  spec:
    type: object
    properties:
      limits: {type: object, additionalProperties: {type: object, properties: {max: {type: integer}}}}
      a.b: {type: string}
    x-kubernetes-validations:
    - {rule: 'true', fieldPath: '.limits.cpu.max'}
    - {rule: 'true', fieldPath: \".limits['cpu'].max\"}
    - {rule: 'true', fieldPath: \"['a.b']\"}
    - {rule: 'true', fieldPath: '.nope'}
    - {rule: 'true', fieldPath: 'limits'}
    - {rule: 'true', fieldPath: '.limits.cpu.max.x'}
",
        ),
        &expect![[r#"
            Invalid spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[3].fieldPath "must be a valid path" at "'.nope'"
            Invalid spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[4].fieldPath "must be a valid path" at "'limits'"
            Invalid spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[5].fieldPath "must be a valid path" at "'.limits.cpu.max.x'"
        "#]],
    );
}

#[test]
fn selectable_fields_are_scalars_that_exist() {
    let fields = |fields: &str| {
        let text = schema(
            "type: object
properties:
  spec:
    type: object
    properties: {a: {type: string}, list: {type: array, items: {type: string}}}
",
        );
        format!("{text}    selectableFields: {fields}\n")
    };
    check(&fields("[{jsonPath: .spec.a}]"), &expect![""]);
    check(
        &fields(
            "[{}, {jsonPath: .spec.a}, {jsonPath: .spec.a}, {jsonPath: .spec.list}, \
             {jsonPath: spec.a}, {jsonPath: \".spec['a']\"}, {jsonPath: .metadata.name}]",
        ),
        &expect![[r#"
            Required spec.selectableFields[0].jsonPath "" at "{}"
            Duplicate spec.selectableFields[2].jsonPath "" at ".spec.a"
            Invalid spec.selectableFields[3].jsonPath "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed." at ".spec.list"
            Invalid spec.selectableFields[4].jsonPath "is an invalid path: expected [ or . but got: spec" at "spec.a"
            Invalid spec.selectableFields[5].jsonPath "is an invalid path: array notation is not allowed" at "\".spec['a']\""
            Invalid spec.selectableFields[6].jsonPath "is an invalid path: does not refer to a valid field" at ".metadata.name"
        "#]],
    );
    check(
        &spec(
            "  names: {plural: widgets, kind: Widget}
  versions: [{name: v1, storage: true, selectableFields: [{jsonPath: .spec.a}]}]
",
        ),
        &expect![[r#"
            Required spec.versions[0].schema.openAPIV3Schema "" at "name"
            Invalid spec.selectableFields "may only be set when validations.schema is included" at "selectableFields"
        "#]],
    );
}

#[test]
fn combined_schemas_speak_only_of_declared_fields() {
    check(
        &schema(
            "type: object
properties:
  a: {type: string, pattern: '('}
  list: {type: array, items: {type: string}}
  empty:
anyOf:
- properties: {a: {minLength: 1}, b: {minLength: 1}, list: {items: {minLength: 1}}}
- not: {items: {minLength: 1}}
- x-kubernetes-validations: [{rule: 'true'}]
- additionalProperties: true
",
        ),
        &expect![[r#"
            Required spec.validation.openAPIV3Schema.items "because it is defined in spec.validation.openAPIV3Schema.anyOf[1].not.items" at "openAPIV3Schema"
            Required spec.validation.openAPIV3Schema.properties[b] "because it is defined in spec.validation.openAPIV3Schema.anyOf[0].properties[b]" at "properties"
            Invalid spec.validation.openAPIV3Schema.properties[a].pattern "must be a valid regular expression, but isn't: error parsing regexp: missing closing ): `(`" at "'('"
            Required spec.validation.openAPIV3Schema.properties[empty].type "must not be empty for specified object fields" at "empty"
            Forbidden spec.validation.openAPIV3Schema.anyOf[2].x-kubernetes-validations "must be empty to be structural" at "x-kubernetes-validations"
            Forbidden spec.validation.openAPIV3Schema.anyOf[3].additionalProperties "must be undefined to be structural" at "true"
        "#]],
    );
}

#[test]
fn what_is_not_supported_hides_the_structure() {
    check(
        &schema(
            "type: object
properties:
  a: {}
  b: {type: array, items: [{type: string}]}
  c: {type: object, patternProperties: {x: {type: string}}, definitions: {}}
  d: {type: object, dependencies: {}, additionalItems: false, x-kubernetes-validations: [{rule: nope}]}
",
        ),
        &expect![[r#"
            Forbidden spec.validation.openAPIV3Schema.properties[b].items "items must be a schema object and not an array" at "items"
            Forbidden spec.validation.openAPIV3Schema.properties[c].patternProperties "patternProperties is not supported" at "patternProperties"
            Forbidden spec.validation.openAPIV3Schema.properties[d].dependencies "dependencies is not supported" at "dependencies"
            Forbidden spec.validation.openAPIV3Schema.properties[d].additionalItems "additionalItems is not supported" at "false"
        "#]],
    );
    check(
        &schema("type: object\n$schema: http://json-schema.org/schema#\n"),
        &expect![[r#"
            Invalid spec.validation.openAPIV3Schema "OpenAPIV3Schema 'schema' is not supported" at "openAPIV3Schema"
        "#]],
    );
}

#[test]
fn status_is_taken_out_of_a_plain_schema_only() {
    let text = schema("type: object\nadditionalProperties: false\nmaxProperties: 0\n");
    check(
        &format!("{text}    subresources: {{status: {{}}}}\n"),
        &expect![[r#"
            Invalid spec.validation.openAPIV3Schema "only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations] fields are allowed at the root of the schema if the status subresource is enabled" at "openAPIV3Schema"
            Forbidden spec.validation.openAPIV3Schema.additionalProperties "must not be used at the root" at "false"
        "#]],
    );
}

#[test]
fn defaults_fit_their_schema() {
    check(
        &schema(
            "type: object
properties:
  type: {type: integer, default: five}
  enum: {type: string, enum: [a, b], default: c}
  length: {type: string, minLength: 2, maxLength: 3, pattern: '^x', default: a}
  long: {type: string, maxLength: 3, default: abcd}
  range: {type: number, minimum: 1, maximum: 2, exclusiveMaximum: true, default: 2}
  unknown: {type: object, properties: {a: {type: string}}, default: {a: x, b: y}}
  inner:
    type: object
    required: [a]
    properties: {a: {type: string}, list: {type: array, maxItems: 1, items: {type: string}}}
    default: {list: [x, 1]}
  right:
    type: object
    x-kubernetes-preserve-unknown-fields: true
    properties: {port: {x-kubernetes-int-or-string: true}, num: {type: number}, null: {type: string, nullable: true}}
    default: {port: http, num: 1, null: null, more: true}
",
        ),
        &expect![[r#"
            TypeInvalid spec.validation.openAPIV3Schema.properties[type].default " in body must be of type integer: \"string\"" at "five"
            NotSupported spec.validation.openAPIV3Schema.properties[enum].default "supported values: \"a\", \"b\"" at "c"
            Invalid spec.validation.openAPIV3Schema.properties[length].default " in body should be at least 2 chars long" at "a"
            TooLong spec.validation.openAPIV3Schema.properties[long].default "may not be more than 3 bytes" at "abcd"
            Invalid spec.validation.openAPIV3Schema.properties[range].default " in body should be less than 2" at "2"
            Invalid spec.validation.openAPIV3Schema.properties[unknown].default "must not have unknown fields" at "default"
            Required spec.validation.openAPIV3Schema.properties[inner].default.a "" at "list"
            TooMany spec.validation.openAPIV3Schema.properties[inner].default.list "must have at most 1 item" at "["
            TypeInvalid spec.validation.openAPIV3Schema.properties[inner].default.list[1] "list[1] in body must be of type string: \"integer\"" at "1"
        "#]],
    );
}

#[test]
fn defaults_keep_the_rules_of_their_schema() {
    check(
        &schema(
            "type: object
properties:
  text:
    type: string
    default: nope
    x-kubernetes-validations:
    - {rule: self.startsWith('kube'), messageExpression: \"self + ' is wrong'\"}
    - {rule: self == oldSelf}
    - {rule: 'oldSelf.hasValue()', optionalOldSelf: true, message: needs an old value}
  range:
    type: object
    properties: {min: {type: integer}, x-max: {type: integer}}
    default: {min: 2, x-max: 1}
    x-kubernetes-validations: [{rule: self.min <= self.x__dash__max, fieldPath: .min, reason: FieldValueForbidden}]
  map:
    type: object
    additionalProperties: {type: integer, x-kubernetes-validations: [{rule: 10 / self > 1}]}
    default: {a: 1, b: 0, c: 5}
  right:
    type: object
    properties: {num: {type: number}, when: {type: string, format: date-time, default: '2026-01-01T00:00:00Z'}}
    default: {num: 1}
    x-kubernetes-validations: [{rule: 'self.num > 0.5 && !has(self.when)'}]
  forms:
    type: object
    properties: {raw: {type: string, format: byte}, day: {type: string, format: date}, span: {type: string, format: duration}}
    default: {raw: aGV5, day: '2026-01-02', span: 1h}
    x-kubernetes-validations: [{rule: \"self.raw == b'hey' && self.day.getDayOfMonth() == 1 && self.span == duration('60m')\"}]
",
        ),
        &expect![[r#"
            Invalid spec.validation.openAPIV3Schema.properties[text].default "nope is wrong" at "nope"
            Invalid spec.validation.openAPIV3Schema.properties[text].default "needs an old value" at "nope"
            Forbidden spec.validation.openAPIV3Schema.properties[range].default.min "failed rule: self.min <= self.x__dash__max" at "min"
            Invalid spec.validation.openAPIV3Schema.properties[map].default[b] "division by zero evaluating rule: 10 / self > 1" at "0"
        "#]],
    );
}

#[test]
fn a_default_shows_that_a_rule_does_not_compile() {
    check(
        &schema(
            "type: object
properties:
  text: {type: string, default: x, x-kubernetes-validations: [{rule: nope}]}
",
        ),
        &expect![[r#"
            Invalid spec.validation.openAPIV3Schema.properties[text].default "rule compile error: compilation failed: ERROR: <input>:1:1: undeclared reference to 'nope' (in container '')\n | nope\n | ^" at "x"
        "#]],
    );
}

#[test]
fn old_values_correspond_in_all_known_maps() {
    check(
        &schema(
            "type: object
properties:
  map:
    type: object
    x-kubernetes-map-type: atomic
    properties: {a: {type: string, x-kubernetes-validations: [{rule: self == oldSelf}]}}
",
        ),
        &expect![""],
    );
}

/// Fields of a version, and a part of the message for `deprecationWarning`.
const DEPRECATIONS: &[(&str, Option<&str>)] = &[
    (
        "deprecated: true, deprecationWarning: 'Iñtërnâtiônàlizætiøn,💝🐹🌇⛔'",
        None,
    ),
    (
        "deprecationWarning: ''",
        Some("can only be set for deprecated"),
    ),
    (
        "deprecated: false, deprecationWarning: old",
        Some("can only be set for deprecated"),
    ),
    (
        "deprecated: true, deprecationWarning: ''",
        Some("must not be an empty string"),
    ),
    (
        "deprecated: true, deprecationWarning: \"Test message\\nfoo\"",
        Some("found at index 12"),
    ),
    (
        "deprecated: true, deprecationWarning: \"Test message\\b\"",
        Some("found at index 12"),
    ),
    (
        "deprecated: true, deprecationWarning: \"Test message\\0\"",
        Some("found at index 12"),
    ),
];

#[track_caller]
fn check_deprecation(fields: &str, expected: Option<&str>) {
    let found = errors(&spec(&format!(
        "  names: {{plural: widgets, kind: Widget}}\n  versions: [{{name: v1, storage: true, \
         schema: {{openAPIV3Schema: {{type: object}}}}, {fields}}}]\n"
    )));
    let is_right = match (expected, found.as_slice()) {
        (None, []) => true,
        (Some(words), [(kind, field, detail)]) => {
            kind == "Invalid"
                && field == "spec.versions[0].deprecationWarning"
                && detail.contains(words)
        }
        _ => false,
    };
    assert!(is_right, "{fields}: {found:?}");
}

#[test]
fn a_deprecation_warning_is_short_and_can_be_printed() {
    for (fields, expected) in DEPRECATIONS {
        check_deprecation(fields, *expected);
    }
    for (length, expected) in [(256, None), (257, Some("must be <= 256 characters long"))] {
        let text = "x".repeat(length);
        let fields = format!("deprecated: true, deprecationWarning: {text}");
        check_deprecation(&fields, expected);
    }
}
