//! Custom resources are validated, and findings are at the fields of the errors.

use crate::fixture::{check_diagnostics, check_project, crd, project, report};
use expect_test::expect;

/// Returns a definition with each kind of check, followed by an object.
fn with_object(object: &str) -> String {
    let crd = crd(
        "
        properties:
          spec:
            type: object
            required: [mode]
            x-kubernetes-validations:
            - {rule: 'self.min <= self.max', message: min must not exceed max}
            properties:
              mode: {type: string, enum: [a, b]}
              min: {type: integer, default: 0}
              max: {type: integer, default: 9, maximum: 99}
              when: {type: string, format: date-time}
              name: {type: string, maxLength: 3, pattern: '^x'}
              labels: {type: object, additionalProperties: {type: string}}
              set: {type: array, x-kubernetes-list-type: set, items: {type: string}}
              inner: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
",
    );
    format!("{crd}---\n{}", object.trim_start_matches('\n'))
}

#[test]
fn errors_are_at_their_fields() {
    let object = "
apiVersion: example.com/v1
kind: Demo
metadata: {name: Wrong}
spec:
  mode: c
  max: 100
  when: today
  name: yyyy
  labels:
    a.b: 1
  set: [x, x]
  inner:
    apiVersion: v1
  extra: 1
";
    expect![[r#"
        33:18-33:23 "Wrong" Error[invalid-object]: metadata.name: Invalid value: "Wrong": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')
        35:9-35:10 "c" Error[invalid-object]: spec.mode: Unsupported value: "c": supported values: "a", "b"
        36:8-36:11 "100" Error[invalid-object]: spec.max: Invalid value: 100: spec.max in body should be less than or equal to 99
        37:9-37:14 "today" Error[invalid-object]: spec.when: Invalid value: "today": spec.when in body must be of type date-time: "today"
        38:9-38:13 "yyyy" Error[invalid-object]: spec.name: Too long: may not be more than 3 bytes
        40:10-40:11 "1" Error[invalid-object]: spec.labels.a.b: Invalid value: "integer": spec.labels.a.b in body must be of type string: "integer"
        41:12-41:13 "x" Error[invalid-object]: spec.set[1]: Duplicate value: "x"
        42:3-42:8 "inner" Error[invalid-object]: spec.inner.kind: Required value
        44:3-44:8 "extra" Warning[invalid-object]: unknown field "spec.extra"
    "#]].assert_eq(&report(&with_object(object)));
}

#[test]
fn a_missing_field_is_reported_at_the_value_around_it() {
    check_diagnostics(&with_object(
        "
apiVersion: example.com/v1
kind: Demo
metadata: {name: a}
spec:
#<^^ error[invalid-object]: spec.mode: Required value
  max: 1
",
    ));
}

#[test]
fn rules_see_the_defaults() {
    check_diagnostics(&with_object(
        "
apiVersion: example.com/v1
kind: Demo
metadata: {name: a}
spec:
#<^^ error[invalid-object]: spec: Invalid value: min must not exceed max
  mode: a
  min: 10
",
    ));
}

#[test]
fn rules_that_are_stopped_are_reported() {
    let doubled = ".map(it, it + it)".repeat(24);
    let rule = format!("[[1, 2]]{doubled}[0].size() > 0");
    let crd = crd(&format!(
        "\n        x-kubernetes-validations:\n        - rule: \"{rule}\"\n"
    ));
    let object = "apiVersion: example.com/v1\nkind: Demo\nmetadata: {name: a}\n";
    let found = report(&format!("{crd}---\n{object}"));
    let expected = "\"Demo\" Information[invalid-object]: Not all validation rules are checked: \
                    stopped: the values need more than 64 MiB of memory";
    assert!(found.contains(expected), "{found}");
}

#[test]
fn objects_beyond_the_limit_are_reported() {
    let object =
        "---\napiVersion: example.com/v1\nkind: Demo\nmetadata: {name: a}\nspec: {mode: a}\n";
    let found = |count| report(&format!("{}{}", with_object(""), object.repeat(count)));
    assert!(!found(2_000).contains("invalid-object"));
    let found = found(2_001);
    let expected = "Information[invalid-object]: Not all objects are checked.";
    assert!(found.contains(expected), "{found}");
}

#[test]
fn the_items_of_a_list_are_objects() {
    check_diagnostics(&with_object(
        "
apiVersion: v1
kind: List
items:
- apiVersion: example.com/v1
  kind: Demo
  metadata: {name: a}
  spec: {mode: a, max: 1}
- apiVersion: example.com/v1
  kind: Demo
  metadata: {name: b}
  spec: {mode: a, max: '1'}
                      #^^^ error[invalid-object]: spec.max: Invalid value: \"string\"
",
    ));
}

#[test]
fn versions_that_are_not_served_are_named() {
    check_diagnostics(&with_object(
        "
apiVersion: example.com/v2
           #^^^^^^^^^^^^^^ error[invalid-object]: does not serve version `v2` of `Demo`. It serves `v1`.
kind: Demo
metadata: {name: a}
",
    ));
}

#[test]
fn templates_and_other_kinds_are_not_checked() {
    for object in [
        "apiVersion: example.com/v1\nkind: Other\nspec: {mode: c}\n",
        "apiVersion: other.com/v1\nkind: Demo\nspec: {mode: c}\n",
        "apiVersion: example.com/v1\nkind: Demo\nspec: {mode: {{ .mode }}}\n",
        "apiVersion: example.com/v1\nkind: Demo\nmetadata: {name: a}\nspec: {mode: '{{ x }}'}\n",
    ] {
        let found = report(&with_object(object));
        assert!(!found.contains("invalid-object"), "{object}: {found}");
    }
}

#[test]
fn definitions_are_anywhere_in_the_project() {
    let crd = with_object("");
    check_project(&project([
        ("crds/demo.yaml", crd.as_str()),
        (
            "demo.json",
            "\
{\"apiVersion\": \"example.com/v1\", \"kind\": \"Demo\", \"metadata\": {\"name\": \"a\"},
 \"spec\": {\"mode\": \"c\"}}
                 #^^^ error[invalid-object]: spec.mode: Unsupported value
",
        ),
    ]));
}

#[test]
fn metadata_has_to_decode() {
    check_diagnostics(&with_object(
        "
apiVersion: example.com/v1
kind: Demo
     #^^^^ error[invalid-object]: Demo in version \"v1\" cannot be handled as a Demo: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type map[string]string
metadata: {name: a, labels: 5}
spec: {mode: a}
",
    ));
}

/// The warning is about the version, regardless of its text.
#[test]
fn a_warning_about_a_version_is_at_the_kind() {
    let file = with_object(
        "
apiVersion: example.com/v1
kind: Demo
metadata: {name: a}
spec: {mode: a}
",
    );
    let deprecated = "    deprecated: true\n    deprecationWarning: 'spec.mode: use v2'\n";
    let file = file.replace(
        "    served: true\n",
        &format!("    served: true\n{deprecated}"),
    );
    assert!(file.contains(deprecated), "{file}");
    expect![[r#"
        34:7-34:11 "Demo" Warning[invalid-object]: spec.mode: use v2
    "#]]
    .assert_eq(&report(&file));
}
