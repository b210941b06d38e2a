//! Defaults in the schemas of embedded resources.

use super::check;
use super::numbers::with_properties;
use expect_test::expect;

const PROPERTIES: &str = "          right:
            type: object
            x-kubernetes-embedded-resource: true
            x-kubernetes-preserve-unknown-fields: true
            default: {apiVersion: v1, kind: Pod, metadata: {name: a}}
          empty:
            type: object
            x-kubernetes-embedded-resource: true
            x-kubernetes-preserve-unknown-fields: true
            default: {kind: my_Pod, metadata: {name: a/b}}
          typed:
            type: object
            x-kubernetes-embedded-resource: true
            properties: {m: {type: integer}}
            default: {apiVersion: v1, kind: Pod, m: x}
          around:
            type: object
            default: {inner: {kind: Pod}}
            properties:
              inner:
                type: object
                x-kubernetes-embedded-resource: true
                properties:
                  kind: {type: string, default: a_b}
                  apiVersion: {type: string, default: v1}
                  metadata: {type: object, properties: {name: {type: string, default: a/b}}}
";

#[test]
fn the_metadata_in_a_default_and_around_it_is_checked() {
    check(
        &with_properties(PROPERTIES),
        &expect![[r#"
            Required spec.validation.openAPIV3Schema.properties[empty].default.apiVersion "" at "default"
            Invalid spec.validation.openAPIV3Schema.properties[empty].default.kind "may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')" at "default"
            Invalid spec.validation.openAPIV3Schema.properties[empty].default.metadata.name "may not contain '/'" at "default"
            TypeInvalid spec.validation.openAPIV3Schema.properties[typed].default.m "m in body must be of type integer: \"string\"" at "x"
            Required spec.validation.openAPIV3Schema.properties[around].default.inner.apiVersion "" at "default"
            Invalid spec.validation.openAPIV3Schema.properties[around].properties[inner].properties[kind].default "must result in valid metadata: kind: Invalid value: \"a_b\": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')" at "a_b"
            Invalid spec.validation.openAPIV3Schema.properties[around].properties[inner].properties[metadata].properties[name].default "must result in valid metadata: metadata.name: Invalid value: \"a/b\": may not contain '/'" at "a/b"
        "#]],
    );
}
