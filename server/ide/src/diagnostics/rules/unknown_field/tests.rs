//! Unknown fields.

use crate::fixture::{changes, check_diagnostics, check_places, crd, findings, fixed, policy};
use expect_test::expect;

#[test]
fn unknown_fields_are_found_at_every_depth() {
    check_diagnostics(&policy(
        "
  validation: []
  #<^^^^^^^^ error[unknown-field]: `spec` has no field `validation`.
  validations:
    - expression: 'true'
      timeout: 5
      #<^^^^^ error[unknown-field]: `spec.validations[0]` has no field `timeout`.
extra: true
#<^^^ error[unknown-field]: `ValidatingAdmissionPolicy` has no field `extra`.
",
    ));
}

#[test]
fn a_name_that_is_there_already_is_not_suggested() {
    let text = policy("  validations:\n    - expression: 'true'\n      expresion: 'true'\n");
    let found = findings(&text);
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0].message,
        "`spec.validations[0]` has no field `expresion`."
    );
    assert_eq!(found[0].fixes, []);
}

#[test]
fn a_misspelled_field_is_not_missing_as_well() {
    check_places(&policy(
        "
  validations:
    - \"expresion\": 😀
      #<^^^^^^^^^ error[unknown-field]: Did you mean `expression`?
",
    ));
}

#[test]
fn the_field_is_renamed_in_its_quotes() {
    let text = policy("  validations:\r\n    - {\"expresion\": 'true'}\r\n");
    expect![[r#"
        -    - {"expresion": 'true'}
        +    - {"expression": 'true'}
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "unknown-field")));
}

#[test]
fn fields_that_the_server_drops_inside_schemas_are_a_warning() {
    check_places(&crd("
        defaults: {}
        #<^^^^^^ error[unknown-field]: Did you mean `default`?
        properties:
          list: {type: array, items: {type: string, maxLenght: 5}}
                                                   #^^^^^^^^^ warning[unknown-field]: maxLength
"));
}

#[test]
fn a_key_that_is_being_typed_is_no_field_yet() {
    let text = policy("  validations:\n    - expression: 'true'\n      mess\n");
    assert!(
        findings(&text)
            .iter()
            .all(|found| found.code != "unknown-field")
    );
}

#[test]
fn the_expectation_of_a_test_is_no_whole_document() {
    check_diagnostics(
        "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: demo
spec:
  (matchConditions[?name == 'a']):
 #^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ information[not-checked]
    - expression: 'true'
",
    );
}

#[track_caller]
fn check_fix(text: &str, expected: &expect_test::Expect) {
    let found = findings(text);
    let codes: Vec<&str> = found.iter().map(|found| found.code).collect();
    assert_eq!(codes, ["unknown-field"], "{text}");
    expected.assert_eq(&format!(
        "{}\n{}",
        found[0].message,
        changes(text, &fixed(text, "unknown-field"))
    ));
}

#[test]
fn a_field_of_matching_belongs_below_the_constraints() {
    let text = RULES.replace("  matchConstraints:\n    resourceRules:", "  rules:");
    let text = format!("{text}  matchPolicy: Exact # é\n");
    let found = findings(&text);
    let messages: Vec<&str> = found.iter().map(|found| found.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "`spec` has no field `rules`. Did you mean `matchConstraints.resourceRules`?",
            "`spec` has no field `matchPolicy`. It belongs below `matchConstraints`.",
        ]
    );
    let once = fixed(&text, "unknown-field");
    let twice = fixed(&once, "unknown-field");
    assert_eq!(findings(&twice), []);
    expect![[r#"
        -  rules:
        -      - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}
        -  validations:
        -    - expression: object.spec.replicas < 5
        -  matchPolicy: Exact # é
        +  matchConstraints:
        +    resourceRules:
        +        - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}
        +    matchPolicy: Exact # é
        +  validations:
        +    - expression: object.spec.replicas < 5
    "#]].assert_eq(&changes(&text, &twice));
}

#[test]
fn a_field_that_is_indented_too_far_belongs_above() {
    let text = RULES.replace(
        "  validations:\n    - expression: object.spec.replicas < 5\n",
        "    # limit\n    validations:\n      - expression: >-\n          object.spec.replicas\n\n          < 5\n",
    );
    check_fix(
        &text,
        &expect![[r#"
        `spec.matchConstraints` has no field `validations`. It belongs in `spec`.
        -    # limit
        -    validations:
        -      - expression: >-
        -          object.spec.replicas
        -
        -          < 5
        +  # limit
        +  validations:
        +    - expression: >-
        +        object.spec.replicas
        +
        +        < 5
    "#]],
    );
}

#[test]
fn a_field_before_others_moves_behind_the_object() {
    let text = RULES.replace(
        "    resourceRules:",
        "    failurePolicy: Ignore\n    resourceRules:",
    );
    check_fix(
        &text,
        &expect![[r#"
        `spec.matchConstraints` has no field `failurePolicy`. It belongs in `spec`.
        -    failurePolicy: Ignore
        -    resourceRules:
        -      - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}
        -  validations:
        -    - expression: object.spec.replicas < 5
        +    resourceRules:
        +      - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}
        +  validations:
        +    - expression: object.spec.replicas < 5
        +  failurePolicy: Ignore
    "#]],
    );
}

#[test]
fn the_words_of_other_kinds_have_a_translation() {
    let text = RULES.replace("matchConstraints", "matchResources");
    check_fix(
        &text,
        &expect![[r#"
        `spec` has no field `matchResources`. Did you mean `matchConstraints`?
        -  matchResources:
        +  matchConstraints:
    "#]],
    );
    let text = crate::fixture::binding("b", "policyName: p\n  matchConstraints: {}");
    check_fix(
        &text,
        &expect![[r#"
        `spec` has no field `matchConstraints`. Did you mean `matchResources`?
        -  matchConstraints: {}
        +  matchResources: {}
    "#]],
    );
    let text = RULES.replace("    resourceRules:", "    rules:");
    check_fix(
        &text,
        &expect![[r#"
        `spec.matchConstraints` has no field `rules`. Did you mean `resourceRules`?
        -    rules:
        +    resourceRules:
    "#]],
    );
    let text = format!("{RULES}  validationActions: [Deny]\n");
    let messages = findings(&text).into_iter().map(|found| found.message);
    assert_eq!(
        messages.collect::<Vec<_>>(),
        [
            "`spec` has no field `validationActions`. A `ValidatingAdmissionPolicyBinding` has this field."
        ]
    );
}

#[test]
fn the_fields_of_a_schema_belong_in_it() {
    assert_eq!(findings(&definition(SCHEMA)), []);
    check_fix(
        &definition("      openAPIV3Schema:\n        type: object\n"),
        &expect![[r#"
            `spec.versions[0]` has no field `openAPIV3Schema`. It belongs below `schema`.
            -      openAPIV3Schema:
            -        type: object
            +      schema:
            +        openAPIV3Schema:
            +          type: object
        "#]],
    );
    check_fix(
        &definition("      schema:\n        type: object\n"),
        &expect![[r#"
            `spec.versions[0].schema` has no field `type`. It belongs below `openAPIV3Schema`.
            -        type: object
            +        openAPIV3Schema:
            +          type: object
        "#]],
    );
}

#[test]
fn the_properties_and_rules_of_a_schema() {
    check_fix(
        &definition(&format!(
            "{SCHEMA}          spec:\n            type: object\n"
        )),
        &expect![[r#"
            `spec.versions[0].schema.openAPIV3Schema` has no field `spec`. It belongs below `properties`.
            -          spec:
            -            type: object
            +          properties:
            +            spec:
            +              type: object
        "#]],
    );
    check_fix(
        &definition(&format!(
            "{SCHEMA}          x-kubernetes-validations:\n            - expression: 'true'\n"
        )),
        &expect![[r#"
            `spec.versions[0].schema.openAPIV3Schema.x-kubernetes-validations[0]` has no field `expression`. Did you mean `rule`?
            -            - expression: 'true'
            +            - rule: 'true'
        "#]],
    );
    check_fix(
        &definition(&format!(
            "{SCHEMA}      additionalPrinterColumns:\n        - name: a\n          type: string\n          \
             JSONPath: .spec.a\n"
        )),
        &expect![[r#"
            `spec.versions[0].additionalPrinterColumns[0]` has no field `JSONPath`. Did you mean `jsonPath`?
            -          JSONPath: .spec.a
            +          jsonPath: .spec.a
        "#]],
    );
}

const RULES: &str = "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: demo
spec:
  matchConstraints:
    resourceRules:
      - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}
  validations:
    - expression: object.spec.replicas < 5
";

const DEFINITION: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  names: {plural: widgets, kind: Widget}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
";

const SCHEMA: &str = "      schema:\n        openAPIV3Schema:\n          type: object\n";

fn definition(schema: &str) -> String {
    format!("{DEFINITION}{schema}")
}
