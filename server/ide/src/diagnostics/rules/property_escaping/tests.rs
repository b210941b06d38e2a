//! Names of properties at admission and in CRD validation rules.

use crate::fixture::{changes, check_diagnostics, crd, findings, fixed, untyped_policy as policy};
use expect_test::expect;

#[test]
fn nothing_is_escaped_at_admission() {
    check_diagnostics(&policy(
        r#"
  validations:
    - expression: object.data.a__dot__b == 'x' || oldObject.x__dash__y.__namespace__ == 'é'
                             #^^^^^^^^^ warning[property-escaping]: Write `['a.b']`
                                                           #^^^^^^^^^^ warning[property-escaping]: Write `['x-y']`
                                                                      #^^^^^^^^^^^^^ warning[property-escaping]: Write `.namespace`
    - expression: "object.list.all(c, c.a__slash__b == \"\u00e9\")"
                                       #^^^^^^^^^^^ warning[property-escaping]
    - expression: >-
        has(object.metadata.labels) &&
        has(object.metadata.labels.a__dot__b)
                                  #^^^^^^^^^ warning[property-escaping]: Write `'a.b' in object.metadata.labels`
    - expression: object.__a == object.b__c && object.x_y == 1
"#,
    ));
}

#[test]
fn a_name_with_a_dash_is_a_calculation() {
    check_diagnostics(&policy(
        "
  validations:
    - expression: object.metadata.labels.app-name == 'x'
                                        #^^^^^^^^ error[property-escaping]: Write `['app-name']`
    - expression: object.metadata.labels.app.kubernetes.io/name != object.spec.a-b-c.d
                                        #^^^^^^^^^^^^^^^^^^^^^^ error[property-escaping]: Write `['app.kubernetes.io/name']`
                                                                              #^^^^^ error[property-escaping]: Write `['a-b-c']`
    - expression: object.metadata.labels.app-name.startsWith('x') && object.a-1 > object.b - c
                                        #^^^^^^^^ error[property-escaping]
                                                                                            #^ error[unknown-name]
",
    ));
}

#[test]
fn a_name_with_a_reserved_word_after_the_dash_is_not_one_of_several_errors() {
    let text = policy(
        "
  validations:
    - expression: object.metadata.labels.my-var == 'é' && !has(object.metadata.labels.for-while.a)
                                        #^^^^^^ error[property-escaping]: Write `['my-var']`
                                                                                     #^^^^^^^^^^^ error[property-escaping]: Write `('for-while.a' in object.metadata.labels)`
    - expression: has( object.metadata.labels.my-app ) || object.metadata.?labels.my-if-x.hasValue()
                                             #^^^^^^ error[property-escaping]: Write `('my-app' in object.metadata.labels)`
                                                                                 #^^^^^^^ error[property-escaping]: Write `['my-if-x']`
    - expression: object.metadata.labels.?a-b.orValue('') == '' && has(object.a)
                                         #^^^ error[property-escaping]: Write `[?'a-b']`
    - expression: object.a.b-1 > 2 && var == 1
                                     #^^^ error[cel-syntax]
    - expression: has(object.a - object.b)
                     #^^^^^^^^^^^^^^^^^^^ error[cel-syntax]
",
    );
    check_diagnostics(&text);
}

#[test]
fn a_name_with_an_operator_after_the_dash_is_not_one_of_several_errors() {
    let text = policy(
        "
  validations:
    - expression: object.metadata.labels.opt-in == 'é' || object.metadata.labels.a-in-b != 'x'
                                        #^^^^^^ error[property-escaping]: Write `['opt-in']`
                                                                                #^^^^^^ error[property-escaping]: Write `['a-in-b']`
    - expression: object.metadata.annotations.example.com/opt-in in ['a'] && 'a' in object.metadata.labels.log-in
                                             #^^^^^^^^^^^^^^^^^^ error[property-escaping]: Write `['example.com/opt-in']`
                                                                                                          #^^^^^^ error[property-escaping]: Write `['log-in']`
    - expression: has(object.metadata.labels.opt-in) && object.spec.replicas - in [1]
                                            #^^^^^^ error[property-escaping]: Write `('opt-in' in object.metadata.labels)`
                                                                              #^^ error[cel-syntax]
    - expression: 1 in || true
                      #^^ error[cel-syntax]
",
    );
    check_diagnostics(&text);
}

#[test]
fn the_fixes_of_names_with_reserved_words_and_tests() {
    let text = policy(
        "
  validations:
    - expression: object.labels.my-var == 'x' && !has(object.labels.for-while.a)
    - expression: has( object.labels.my-app ) || object.?labels.my-if-x.orValue('') == ''
    - expression: object.labels.?a-b.orValue('') == ''
",
    );
    let mut after = text.clone();
    for _ in 0..5 {
        after = fixed(&after, "property-escaping");
    }
    expect![[r#"
        -    - expression: object.labels.my-var == 'x' && !has(object.labels.for-while.a)
        -    - expression: has( object.labels.my-app ) || object.?labels.my-if-x.orValue('') == ''
        -    - expression: object.labels.?a-b.orValue('') == ''
        +    - expression: object.labels['my-var'] == 'x' && !('for-while.a' in object.labels)
        +    - expression: ('my-app' in object.labels) || object.?labels['my-if-x'].orValue('') == ''
        +    - expression: object.labels[?'a-b'].orValue('') == ''
    "#]].assert_eq(&changes(&text, &after));
}

#[test]
fn variables_are_named_after_a_dot() {
    let text = policy(
        "  variables: [{name: a, expression: '1'}]\n  validations:\n    - expression: \
         variables['a'] == 1\n",
    );
    expect![[r#"
        -    - expression: variables['a'] == 1
        +    - expression: variables.a == 1
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "property-escaping")));
}

#[test]
fn fixes_write_what_reaches_the_property() {
    let text = policy(
        "  validations:\n    - expression: 'has(object.a__dot__b) && object.?c__dash__d.hasValue()'\n    - \
         expression: >-\n        object.labels.a-b ==\n        object.__namespace__\n",
    );
    let mut after = text.clone();
    for _ in 0..4 {
        after = fixed(&after, "property-escaping");
    }
    assert_eq!(findings(&after), []);
    expect![[r#"
        -    - expression: 'has(object.a__dot__b) && object.?c__dash__d.hasValue()'
        -    - expression: >-
        -        object.labels.a-b ==
        -        object.__namespace__
        +    - expression: '''a.b'' in object && object[?''c-d''].hasValue()'
        +    - expression: >-
        +        object.labels['a-b'] ==
        +        object.namespace
    "#]]
    .assert_eq(&changes(&text, &after));
}

const SCHEMA: &str = "
        properties:
          spec:
            type: object
            required: [x-y, namespace]
            properties:
              x-y: {type: string}
              namespace: {type: string}
              $ref: {type: string}
            x-kubernetes-validations:
";

#[test]
fn rules_of_definitions_use_escaped_names() {
    check_diagnostics(&crd(&format!(
        "{SCHEMA}            - rule: self['x-y'] == 'a' && self.x__dash__y == 'a'
                        #^^^^^ error[property-escaping]: Write `.x__dash__y`
            - rule: self.x-y == 'a'
                        #^^^ error[property-escaping]
            - rule: self['$ref'] == 'a'
                        #^^^^^^ error[property-escaping]: Rules cannot access
            - rule: self.namespace == 'a' && self.__namespace__ == 'a'
"
    )));
    let rule = "            - rule: \"self['x-y'] == 'a'\"\n";
    let text = crd(&format!("{SCHEMA}{rule}"));
    expect![[r#"
        -            - rule: "self['x-y'] == 'a'"
        +            - rule: "self.x__dash__y == 'a'"
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "property-escaping")));
}

/// `disk` alone is not a field either, but this follows from the same error.
#[test]
fn a_name_with_a_slash_is_one_error() {
    check_diagnostics(&crd("
        properties:
          spec:
            type: object
            properties:
              disk/gb: {type: integer}
            x-kubernetes-validations:
            - rule: self.disk/gb > 0
                        #^^^^^^^ error[property-escaping]: Write `.disk__slash__gb`
"));
}
