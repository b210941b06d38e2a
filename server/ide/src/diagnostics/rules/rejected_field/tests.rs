//! Errors of the API server that no other rule explains.

use crate::fixture::{check_diagnostics, untyped_policy as policy};

#[test]
fn names_before_a_method_are_reported() {
    check_diagnostics(&policy(
        r#"
  validations:
    - expression: name.startsWith('prod-') && image.matches('^reg/')
                 #^^^^ error[unknown-name]: Did you mean `request.name`?
                                             #^^^^^ error[unknown-name]: `image` is not defined
    - expression: "math.sign(1) == 1 && '😀' != lists.sum([1])"
                  #^^^^ error[unknown-name]: `math` is not defined
                                              #^^^^^ error[unknown-name]: `lists` is not defined
    - expression: >-
        object.name != '😀' &&
        regex.find('a', 'b') == ''
       #^^^^^ error[unknown-name]: `regex` is not defined
"#,
    ));
}

#[test]
fn fields_of_the_variables_are_reported_wherever_they_are_read() {
    check_diagnostics(
        &policy(
            r#"
  variables:
    - {name: one, expression: object.spec}
  validations:
    - expression: "object.a != '\u00e9😀' && variables.one && [variables].all(v, v.limit > 1)"
                                                                                 #^^^^^ error[rejected-field]: undefined field 'limit'
"#,
        )
        .replace('\n', "\r\n"),
    );
}

#[test]
fn an_error_is_reported_once() {
    check_diagnostics(&policy(
        "
  variables:
    - {name: a-b, expression: '1'}
            #^^^ error[invalid-identifier]
    - {name: a, expression: variables.b}
                                     #^ error[variable-cycle]
    - {name: b, expression: variables.c}
    - {name: c, expression: variables.a}
  validations:
    - expression: variables.a-b > 1 && variables.c > 1
    - expression: object.metadata.labels.app-name == 'a'
                                        #^^^^^^^^ error[property-escaping]
",
    ));
}

#[test]
fn a_misspelled_field_is_not_missing_as_well() {
    check_diagnostics(
        &policy("  validations:\n    - expression: 'true'\n").replace(
            "expression: 'true'",
            "expresion: object.a == 1\n     #^^^^^^^^^ error[unknown-field]",
        ),
    );
}
