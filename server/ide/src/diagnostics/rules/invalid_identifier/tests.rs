//! Variable names that no expression can use.

use crate::fixture::{changes, check_diagnostics, fixed, policy};
use crate::{FixAll, Safety, Settings, SourceFile, fixed_text};
use expect_test::expect;

#[test]
fn the_name_is_the_only_mistake() {
    check_diagnostics(&policy(
        "
  variables:
    - name: max-replicas
           #^^^^^^^^^^^^ error[invalid-identifier]: `max-replicas` is not a CEL identifier
      expression: '5'
    - name: \"größe😀\"
           #^^^^^^^^ error[invalid-identifier]
      expression: '5'
    - name: namespace
           #^^^^^^^^^ error[invalid-identifier]: reserved word
      expression: '5'
    - name: has
      expression: '5'
  validations:
    - expression: object.spec.replicas < variables.max-replicas + variables.has
",
    ));
}

#[test]
fn the_name_is_changed_where_it_is_used_too() {
    let text = policy(
        "  variables:\n    - name: max-replicas\n      expression: '5'\n  validations:\n    - \
         expression: object.spec.replicas < variables.max-replicas\n    - expression: \
         \"variables.max-replicas > 0\"\n",
    );
    expect![[r#"
        -    - name: max-replicas
        -      expression: '5'
        -  validations:
        -    - expression: object.spec.replicas < variables.max-replicas
        -    - expression: "variables.max-replicas > 0"
        +    - name: maxReplicas
        +      expression: '5'
        +  validations:
        +    - expression: object.spec.replicas < variables.maxReplicas
        +    - expression: "variables.maxReplicas > 0"
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "invalid-identifier")));
}

#[test]
fn any_number_of_names_is_changed() {
    let numbers = 0..120;
    let names = numbers
        .clone()
        .map(|it| format!("    - {{name: a-{it}, expression: '5'}}\n"));
    let uses = numbers.map(|it| format!("    - expression: variables.a-{it} > variables.a-1\n"));
    let (names, uses): (String, String) = (names.collect(), uses.collect());
    let text = policy(&format!("  variables:\n{names}  validations:\n{uses}"));
    let fix = FixAll {
        settings: &Settings::default(),
        safety: Safety::Safe,
        code: Some("invalid-identifier"),
    };
    let fixed = fixed_text(&SourceFile::new(text), fix).unwrap();
    assert!(!fixed.contains("a-"), "{fixed}");
    assert!(fixed.contains("variables.a119 > variables.a1\n"), "{fixed}");
}
