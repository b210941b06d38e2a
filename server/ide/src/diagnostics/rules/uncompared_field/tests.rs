//! Comparisons with an old value that has undeclared fields.

use crate::fixture::{check_diagnostics, crd, creation, findings, report};
use expect_test::expect;

/// Returns a definition whose `spec.config` has the schema.
fn config(schema: &str) -> String {
    crd(&format!(
        "
        properties:
          spec:
            type: object
            properties:
              config: {{type: object, {schema}}}
"
    ))
}

const IMMUTABLE: &str = "x-kubernetes-preserve-unknown-fields: true, \
                         x-kubernetes-validations: [{rule: self == oldSelf}]";

/// Returns the message of the server about a changed `spec.config`, empty if it accepts it.
fn update(text: &str, new: &str, old: &str) -> String {
    let object = |config: &str| {
        format!(
            "{{apiVersion: example.com/v1, kind: Demo, metadata: {{name: a, namespace: b}}, spec: \
             {{config: {config}}}}}"
        )
    };
    creation(text, &object(new), &object(old))
}

fn is_found(text: &str) -> bool {
    findings(text)
        .iter()
        .any(|it| it.code == "uncompared-field")
}

#[test]
fn a_field_can_be_replaced_by_another() {
    let text = config(IMMUTABLE);
    expect![[r#"
        19:116-19:131 "self == oldSelf" Warning[uncompared-field]: This comparison ignores a field that the schema does not declare if only one of the objects has it: `{a: 1}` equals `{b: 2}`. Declare the fields that must not change, or compare `object` with `oldObject` in a ValidatingAdmissionPolicy.
          19:76-19:80 "true" undeclared fields are possible here
    "#]]
    .assert_eq(&report(&text));
    assert_eq!(update(&text, "{size: 1}", "{color: red}"), "");
    let message = update(&text, "{color: blue}", "{color: red}");
    assert!(
        message.contains("failed rule: self == oldSelf"),
        "{message}"
    );
}

#[test]
fn every_form_of_the_comparison_is_found() {
    for (rule, found) in [
        ("oldSelf.config == self.config", true),
        ("!(self.config != oldSelf.config)", true),
        ("self.config in [oldSelf.config]", true),
        ("self == oldSelf", true),
        ("has(self.config) && self.config == oldSelf.config", true),
        ("self.list.all(x, x in oldSelf.list)", true),
        ("self.list.all(x, oldSelf.list.exists(y, y == x))", true),
        ("self.map.all(k, self.map[k] == oldSelf.map[k])", true),
        ("self.map.all(k, k in oldSelf.map)", false),
        ("self.map.all(k, oldSelf.map.exists(o, o == k))", false),
        ("self.name == oldSelf.name", false),
        ("self.config == self.config", false),
        ("has(self.config) == has(oldSelf.config)", false),
        ("self.list.size() == oldSelf.list.size()", false),
    ] {
        let text = crd(&format!(
            "
        properties:
          spec:
            type: object
            required: [name, list, map]
            x-kubernetes-validations: [{{rule: \"{rule}\"}}]
            properties:
              name: {{type: string, maxLength: 5}}
              config: &open {{type: object, x-kubernetes-preserve-unknown-fields: true}}
              list: {{type: array, maxItems: 3, items: *open}}
              map: {{type: object, maxProperties: 3, additionalProperties: *open}}
"
        ));
        assert_eq!(is_found(&text), found, "{rule}");
    }
}

#[test]
fn an_optional_old_value_never_equals_an_object_with_undeclared_fields() {
    for rule in ["self == oldSelf.value()", "oldSelf.value() == self"] {
        let text = config(&format!(
            "x-kubernetes-preserve-unknown-fields: true, x-kubernetes-validations: \
             [{{rule: '!oldSelf.hasValue() || {rule}', optionalOldSelf: true}}]"
        ));
        let message = report(&text);
        assert!(
            message.contains("even if it is unchanged"),
            "{rule}: {message}"
        );
        assert_ne!(update(&text, "{size: 1}", "{size: 1}"), "", "{rule}");
    }
}

#[test]
fn embedded_resources_have_undeclared_metadata() {
    let rule = "x-kubernetes-validations: [{rule: self == oldSelf}]";
    let embedded = "x-kubernetes-embedded-resource: true";
    assert!(is_found(&config(&format!(
        "{embedded}, properties: {{spec: {{type: object}}}}, {rule}"
    ))));
}

#[test]
fn declared_fields_are_silent() {
    let rule = "x-kubernetes-validations: [{rule: self == oldSelf}]";
    check_diagnostics(&config(&format!(
        "properties: {{a: {{type: integer}}}}, {rule}"
    )));
    // Data of any type is compared as a whole.
    let any = "properties: {a: {x-kubernetes-preserve-unknown-fields: true}}";
    check_diagnostics(&config(&format!("{any}, {rule}")));
}
