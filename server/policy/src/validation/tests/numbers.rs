//! Numbers as JSON has them.

use super::{check, definition, verdict};
use expect_test::expect;

/// Returns a definition whose schema has the properties, which are indented.
pub(super) fn with_properties(properties: &str) -> String {
    definition(&format!(
        "        type: object\n        properties:\n{properties}"
    ))
}

#[test]
fn defaults_are_of_the_type_and_the_format_of_their_number() {
    let properties = "          whole: {type: integer, default: 443.0, maximum: 1e3}
          half: {type: integer, default: .5}
          big: {type: integer, default: 18446744073709551616}
          text: {type: string, default: 18446744073709551616}
          short: {type: integer, format: int32, default: 2147483648}
          narrow: {type: number, format: float, default: 1e300}
          bound: {type: integer, format: int64, default: 1, maximum: 1.5}
          unknown: {type: strange, format: int32, default: 1}
          object: {type: object, format: int32, default: text}
          flag: {type: string, format: date, default: true}
          nested: {type: object, properties: {m: {type: integer}}, default: {m: 1e30}}
";
    check(
        &with_properties(properties),
        &expect![[r#"
        TypeInvalid spec.validation.openAPIV3Schema.properties[half].default " in body must be of type integer: \"number\"" at ".5"
        Invalid spec.validation.openAPIV3Schema.properties[half].default "Checked value must be of type integer (default format) in " at ".5"
        TypeInvalid spec.validation.openAPIV3Schema.properties[big].default " in body must be of type integer: \"number\"" at "18446744073709551616"
        Invalid spec.validation.openAPIV3Schema.properties[big].default "Checked value must be of type integer (default format) in " at "18446744073709551616"
        TypeInvalid spec.validation.openAPIV3Schema.properties[text].default " in body must be of type string: \"number\"" at "18446744073709551616"
        Invalid spec.validation.openAPIV3Schema.properties[short].default "Checked value must be of type integer with format int32 in " at "2147483648"
        Invalid spec.validation.openAPIV3Schema.properties[narrow].default "Checked value must be of type number with format float in " at "1e300"
        Invalid spec.validation.openAPIV3Schema.properties[bound].default "Maximum boundary value must be of type integer with format int64 in " at "1"
        NotSupported spec.validation.openAPIV3Schema.properties[unknown].type "supported values: \"array\", \"boolean\", \"integer\", \"number\", \"object\", \"string\"" at "strange"
        TypeInvalid spec.validation.openAPIV3Schema.properties[unknown].default " in body must be of type int32: \"int64\"" at "1"
        TypeInvalid spec.validation.openAPIV3Schema.properties[flag].default " in body must be of type date: \"\"" at "true"
        TypeInvalid spec.validation.openAPIV3Schema.properties[nested].default.m "m in body must be of type integer: \"number\"" at "1e30"
        Invalid spec.validation.openAPIV3Schema.properties[nested].default "Checked value must be of type integer (default format) in m" at "1e30"
    "#]],
    );
}

#[test]
fn a_number_without_json_is_not_decoded() {
    let decoded = |rest: &str| {
        let head = "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: a}\n";
        let fields = verdict(&format!("{head}{rest}")).decode;
        fields.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let hook = |seconds: &str| format!("webhooks: [{{name: a.b.c, timeoutSeconds: {seconds}}}]\n");
    assert_eq!(decoded(&hook("443.0")), [""; 0]);
    assert_eq!(decoded(&hook("0.")), [""; 0]);
    assert_eq!(decoded(&hook("-.Inf")), [""]);
    assert_eq!(
        decoded(&hook("9223372036854775808")),
        ["webhooks[0].timeoutSeconds"]
    );
}

#[test]
fn a_whole_number_with_a_fraction_is_checked_as_an_integer() {
    check(
        "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: h}
webhooks:
- {name: a.example.com, clientConfig: {url: 'https://a.example.com/x'}, sideEffects: None, admissionReviewVersions: [v1], timeoutSeconds: 0e0}
- {name: b.example.com, clientConfig: {url: 'https://a.example.com/x'}, sideEffects: None, admissionReviewVersions: [v1], timeoutSeconds: 443.0}
- {name: c.example.com, clientConfig: {url: 'https://a.example.com/x'}, sideEffects: None, admissionReviewVersions: [v1], timeoutSeconds: 1e1}
",
        &expect![[r#"
            Invalid webhooks[0].timeoutSeconds "the timeout value must be between 1 and 30 seconds" at "0e0"
            Invalid webhooks[1].timeoutSeconds "the timeout value must be between 1 and 30 seconds" at "443.0"
        "#]],
    );
}

#[test]
fn a_key_that_is_merged_as_well_fails_strict_decoding() {
    let text = "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: b}
spec:
  <<: {policyName: p, validationActions: [Warn]}
  validationActions: [Deny]
";
    let strict = verdict(text).strict;
    let fields: Vec<String> = strict.iter().map(ToString::to_string).collect();
    assert_eq!(fields, ["spec.validationActions"]);
    let without = text.replace(", validationActions: [Warn]", "");
    assert!(verdict(&without).strict.is_empty());
}

#[test]
fn a_selectable_field_that_is_null_lacks_its_path_even_without_a_schema() {
    check(
        "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {plural: widgets, kind: Widget}
  versions: [{name: v1, storage: true, schema: {}, selectableFields: [null, {jsonPath: .spec.x}]}]
",
        &expect![[r#"
            Required spec.versions[0].schema.openAPIV3Schema "" at "schema"
            Required spec.selectableFields[0].jsonPath "" at "null"
        "#]],
    );
}
