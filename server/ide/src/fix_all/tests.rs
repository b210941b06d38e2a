//! Fixes are applied together if possible, otherwise one by one, and never add an error.

use super::{FixAll, Fixed};
use crate::diagnostics::{RULES, diagnose};
use crate::file::SourceFile;
use crate::fixture::{all_rules, changes, policy, source_file};
use crate::report::{Diagnostic, Safety, Severity};
use crate::settings::Settings;
use expect_test::expect;

fn fix_all(text: &str, safety: Safety) -> Option<Fixed> {
    let fix = FixAll {
        settings: &Settings::default(),
        safety,
        code: None,
    };
    fix.apply(&SourceFile::new(text), SourceFile::new)
}

const SEVERAL: &str = "  failurePolicy: fail
  variables:
    - name: unused
      expression: objct.spec
  validations:
    - expression: objct.spec.replicas > 1 and objct.spec.paused
      mesage: 'é 😀'
";

#[test]
fn safe_fixes_are_applied_in_rounds() {
    let text = policy(SEVERAL);
    let fixed = fix_all(&text, Safety::Safe).unwrap();
    assert_eq!(fixed.count, 6);
    expect![[r#"
        -  failurePolicy: fail
        -  variables:
        -    - name: unused
        -      expression: objct.spec
        -  validations:
        -    - expression: objct.spec.replicas > 1 and objct.spec.paused
        -      mesage: 'é 😀'
        +  failurePolicy: Fail
        +  variables:
        +    - name: unused
        +      expression: object.spec
        +  validations:
        +    - expression: object.spec.replicas > 1 && object.spec.paused
        +      message: 'é 😀'
    "#]]
    .assert_eq(&changes(&text, &fixed.text));
}

#[test]
fn unsafe_fixes_are_applied_on_request() {
    let text = policy(SEVERAL);
    let safe = fix_all(&text, Safety::Safe).unwrap().text;
    assert_eq!(fix_all(&safe, Safety::Safe), None);
    let fixed = fix_all(&safe, Safety::Unsafe).unwrap();
    expect![[r#"
        -  variables:
        -    - name: unused
        -      expression: object.spec
        -  validations:
        -    - expression: object.spec.replicas > 1 && object.spec.paused
        +  validations:
        +    - expression: object.spec.replicas > 1 && has(object.spec.paused) && object.spec.paused
    "#]]
    .assert_eq(&changes(&safe, &fixed.text));
    assert_eq!(fixed.remaining, []);
}

#[test]
fn a_fix_that_uncovers_another_error_is_left_out() {
    let text = policy(
        "  failurePolicy: fail
  validations:
    - expression: object.spec.paused and missing
    - expression: objct.spec.replicas > 1
",
    );
    let fixed = fix_all(&text, Safety::Safe).unwrap();
    assert_eq!(fixed.count, 2);
    let codes: Vec<_> = fixed.remaining.iter().map(|it| it.code).collect();
    assert!(
        codes.contains(&"cel-syntax") && fixed.text.contains(" and missing"),
        "{codes:?}"
    );
}

#[test]
fn any_number_of_like_findings_is_fixed() {
    let many = "    - expression: objct.spec.replicas > 1\n      mesage: 'é 😀'\n".repeat(600);
    let text = policy(&format!("  validations:\n{many}"));
    let fixed = fix_all(&text, Safety::Safe).unwrap();
    assert_eq!(fixed.count, 1200);
    let expected = text.replace("objct", "object").replace("mesage", "message");
    assert_eq!(fixed.text, expected);
}

#[test]
fn a_fix_that_is_left_out_does_not_affect_like_ones() {
    let text = policy(
        "  validations:
    - expression: has(object.spec.paused) and missing
    - expression: has(object.spec.paused) and true
",
    );
    let fixed = fix_all(&text, Safety::Safe).unwrap();
    assert_eq!(fixed.text, text.replace("and true", "&& true"));
}

#[test]
fn the_findings_of_one_rule_can_be_fixed() {
    let text = policy(SEVERAL);
    let fix = FixAll {
        settings: &Settings::default(),
        safety: Safety::Safe,
        code: Some("unsupported-value"),
    };
    let fixed = fix
        .apply(&SourceFile::new(&*text), SourceFile::new)
        .unwrap();
    assert_eq!(fixed.text, text.replace("fail\n", "Fail\n"));
}

#[test]
fn the_fixes_of_every_page_leave_no_new_error() {
    for rule in RULES {
        let (_, bad) = rule.page.split_once("\n## Bad\n\n```yaml\n").unwrap();
        let (text, _) = bad.split_once("```").unwrap();
        let settings = all_rules();
        for safety in [Safety::Safe, Safety::Unsafe] {
            let fix = FixAll {
                settings: &settings,
                safety,
                code: None,
            };
            let file = source_file(text);
            let errors = |all: &[Diagnostic]| {
                all.iter()
                    .filter(|it| it.severity == Severity::Error)
                    .count()
            };
            let before = diagnose(&file, &settings);
            let can = before.iter().any(|it| fix.fixes(it).next().is_some());
            let fixed = fix.apply(&file, |text| source_file(&text));
            assert_eq!(fixed.is_some(), can, "{}", rule.code);
            let Some(fixed) = fixed else { continue };
            let of_rule = |all: &[Diagnostic]| all.iter().filter(|it| it.code == rule.code).count();
            assert!(
                of_rule(&fixed.remaining) < of_rule(&before),
                "{}",
                rule.code
            );
            assert!(errors(&fixed.remaining) <= errors(&before), "{}", rule.code);
            assert_eq!(
                fix.apply(&source_file(&fixed.text), |text| source_file(&text)),
                None
            );
        }
    }
}
