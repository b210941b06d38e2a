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
