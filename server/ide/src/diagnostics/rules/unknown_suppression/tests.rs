//! Comments that suppress findings, and comments that do not.

use crate::fixture::{changes, check_diagnostics, findings, fixed, untyped_policy as policy};
use expect_test::expect;

#[test]
fn a_comment_silences_its_line_or_the_next() {
    check_diagnostics(&policy(
        "
  variables:
    - name: a # admissible: ignore[unused-variable] for later
      expression: '1'
    # admissible: ignore[unused-variable]
    # It is for later as well.
    - {name: b, expression: '1'}
    - {name: c, expression: '1'}
            #^ warning[unused-variable]
  validations:
    - expression: 'true'
",
    ));
}

#[test]
fn comments_of_cel_work_inside_of_a_block() {
    check_diagnostics(&policy(
        "
  validations:
    - expression: |
        // admissible: ignore[unknown-name]
        objct.a == 1 &&
        objct.b == 1 // admissible: ignore[unknown-name, wrong-type]
                                                        #^^^^^^^^^^ information[unknown-suppression]: no `wrong-type` finding
",
    ));
}

#[test]
fn a_comment_above_a_value_of_several_lines_silences_all_of_it() {
    check_diagnostics(&policy(
        "
  validations:
    # admissible: ignore[unknown-name] a test
    - expression: >-
        object.a == 1 &&
        objct.b == 1
    - expression: >-  # admissible: ignore[unknown-name]
        object.a == 1 &&
        objct.b == 1
",
    ));
}

#[test]
fn a_whole_file_is_silenced_at_its_top() {
    let rest =
        policy("  validations: [{expression: 'objct.a == 1'}, {expression: 'objct.b == 1'}]\n");
    check_diagnostics(&format!(
        "# A header\n\n# admissible: ignore-file[unknown-name] generated\n---\n{rest}"
    ));
    check_diagnostics(&format!(
        "{}# admissible: ignore-file[unknown-name]\n #^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ \
         information[unknown-suppression]: top of the file\n",
        policy("  validations: [{expression: 'true'}]\n")
    ));
}

#[test]
fn a_comment_that_does_nothing_is_reported() {
    check_diagnostics(&policy(
        "
  # admissible: ignore[unused-variable, unused-varable]
                      #^^^^^^^^^^^^^^^ information[unknown-suppression]: no `unused-variable` finding
                                       #^^^^^^^^^^^^^^ information[unknown-suppression]: Did you mean `unused-variable`?
  # admissible: ignore
   #^^^^^^^^^^^^^^^^^^ information[unknown-suppression]: does not name a rule
  # admissible: is the name of a program
  validations: # admissible: ignore[]
                #^^^^^^^^^^^^^^^^^^^^ information[unknown-suppression]
    - expression: 'true' # admissible: ignore[unknown-suppression]
    # admissible: ignore[unknown-suppression]
    - expression: 'true' # admissible: ignore[cel-syntax]
",
    ));
}

#[test]
fn a_comment_that_does_nothing_is_removed() {
    let text = policy(
        "  # admissible: ignore[unused-variable]\r\n  validations: # admissible: ignore[cel-syntax] x\r\n    \
         - expression: 'true'\r\n",
    );
    let once = fixed(&text, "unknown-suppression");
    expect![[r#"
        -  # admissible: ignore[unused-variable]
        -  validations: # admissible: ignore[cel-syntax] x
        +  validations:
    "#]]
    .assert_eq(&changes(&text, &fixed(&once, "unknown-suppression")));
}

#[test]
fn files_of_others_are_left_alone() {
    assert_eq!(
        findings("# admissible: ignore-file[nothing]\nkind: ConfigMap\n"),
        []
    );
}
