//! Unknown functions.

use crate::fixture::{
    changes, check_diagnostics, corrected, findings, fixed, untyped_policy as policy,
};
use expect_test::expect;

#[test]
fn functions_and_methods_are_looked_up() {
    check_diagnostics(&policy(
        "
  validations:
    - expression: object.name.endWith('a') || len(object.list) > 0
                             #^^^^^^^ error[unknown-function]: Did you mean `endsWith`?
                                             #^^^ error[unknown-function]: no function `len`
    - expression: math.greatest(1, 2) == 2 && objct.size() == 1
                 #^^^^^^^^^^^^^ error[unknown-function]: no function `math.greatest`
                                             #^^^^^ error[unknown-name]
    - expression: sets.contain([1], [1])
                 #^^^^^^^^^^^^ error[unknown-function]: Did you mean `sets.contains`?
",
    ));
}

#[test]
fn what_is_no_macro_has_no_variables() {
    check_diagnostics(&policy(
        "
  variables: [{name: c, expression: object.spec}]
  validations:
    - expression: object.list.any(c, c.name != '😀' && c.image != '') && variables.c != null
                             #^^^ error[unknown-function]: Did you mean `exists`?
    - expression: object.list.every(i, c, i > 0 && c != nope) && d == 1
                             #^^^^^ error[unknown-function]: Did you mean `all`?
                                                       #^^^^ error[unknown-name]
                                                                #^ error[unknown-name]
    - expression: any(object.list, c, c.name != '😀') && size(e, d) == 1
                 #^^^ error[unknown-function]: Did you mean `exists`?
                                                            #^ error[unknown-name]
                                                               #^ error[unknown-name]
    - expression: exists(object.list, i, i > 0)
                 #^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[unknown-function]
",
    ));
}

#[test]
fn functions_of_kubernetes_and_macros_are_known() {
    check_diagnostics(&policy(
        "
  validations:
    - expression: quantity('1Gi').isGreaterThan(quantity('1Mi')) && isURL('https://a.b')
    - expression: object.list.exists_one(x, has(x.y)) && [1, 2].sum() == 3 && 'a'.lowerAscii() == 'a'
    - expression: object.?a.optMap(x, x.b).orValue('c') == string(cidr('10.0.0.0/8').ip())
",
    ));
}

#[test]
fn the_nearest_is_offered() {
    let text = policy("  validations:\n    - expression: \"object.name.startWith('\\u00e9')\"\n");
    expect![[r#"
        -    - expression: "object.name.startWith('\u00e9')"
        +    - expression: "object.name.startsWith('\u00e9')"
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "unknown-function")));
}

#[test]
fn names_of_other_languages_are_corrected() {
    for (before, expected) in [
        (
            "len(object.metadata.name) > 1",
            "size(object.metadata.name) > 1",
        ),
        (
            "object.metadata.name.includes('a')",
            "object.metadata.name.contains('a')",
        ),
        (
            "object.spec.template.spec.containers.any(c, c.name == 'a')",
            "object.spec.template.spec.containers.exists(c, c.name == 'a')",
        ),
    ] {
        assert_eq!(corrected("unknown-function", before), expected);
    }
    // Methods need another form of the call.
    for expression in [
        "lower(object.metadata.name) == 'a'",
        "hasPrefix(object.metadata.name, 'a')",
    ] {
        let found = findings(&policy(&format!(
            "  validations:\n    - expression: {expression}\n"
        )));
        assert!(found[0].message.contains("Did you mean"), "{found:#?}");
        assert!(found[0].fixes.is_empty(), "{found:#?}");
    }
}

#[test]
fn a_macro_in_another_form_is_explained() {
    check_diagnostics(&policy(
        "
  validations:
    - expression: object.list.exists(c.image == 'a')
                             #^^^^^^^^^^^^^^^^^^^^^^ error[unknown-function]: `list.exists(x, condition)`
    - expression: all(object.list, c, c > 0)
                 #^^^^^^^^^^^^^^^^^^^^^^^^^^ error[unknown-function]: `list.all(x, condition)`
    - expression: object.labels.has('a')
                               #^^^^^^^^ error[unknown-function]: write `'a' in map`
    - expression: has(object.labels, 'a')
                 #^^^^^^^^^^^^^^^^^^^^^^^ error[unknown-function]: `has(object.field)`
",
    ));
}
