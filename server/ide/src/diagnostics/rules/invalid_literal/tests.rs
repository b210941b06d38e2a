//! Constants that are not valid.

use crate::fixture::{
    changes, check_diagnostics, findings, fixed, report, untyped_policy as policy,
};
use expect_test::expect;

#[test]
fn what_is_certain_is_found() {
    let text = policy(
        "
  validations:
    - expression: \"object.name.matches('(') && duration('1x') == timestamp('x') - timestamp('2025-01-31T08:00:00Z')\"
    - expression: \"'%d'.format(['a']) == object.name\"
    - expression: \"object.name.matches(object.pattern) && duration(object.x) == duration('1h')\"
",
    );
    expect![[r#"
        10:40-10:43 "'('" Error[invalid-literal]: `'('` is not a regular expression in RE2 syntax.
          Kubernetes: invalid matches argument
        10:57-10:61 "'1x'" Error[invalid-literal]: `'1x'` is not a duration. Use numbers with the units `ns`, `us`, `ms`, `s`, `m` and `h`, such as `'1h30m'`.
          Kubernetes: invalid duration argument
        10:76-10:79 "'x'" Error[invalid-literal]: `'x'` is not a timestamp. Use a date, time and zone as in RFC 3339, such as `'2025-01-31T08:00:00Z'`.
          Kubernetes: invalid timestamp argument
        11:33-11:36 "'a'" Error[invalid-literal]: The format string does not match its arguments: decimal clause can only be used on integers, was given string.
          Kubernetes: error during formatting: decimal clause can only be used on integers, was given string
    "#]].assert_eq(&report(&text));
}

#[test]
fn a_quantity_has_a_suffix_of_kubernetes() {
    let with = |text: &str| {
        policy(&format!(
            "  validations:\n    - expression: quantity(object.a).isLessThan(quantity('{text}'))\n"
        ))
    };
    for (text, expected) in [
        ("1GB", "1G"),
        ("10 MiB", "10Mi"),
        ("512mb", "512M"),
        ("2gi", "2Gi"),
        ("64KB", "64k"),
        ("100B", "100"),
        ("5 m", "5m"),
    ] {
        let fixed = fixed(&with(text), "invalid-literal");
        assert_eq!(fixed, with(expected));
    }
    let found = findings(&with("much"));
    assert_eq!(found.len(), 1);
    assert!(found.iter().all(|it| it.fixes.is_empty()));
    for text in ["1Gi", "250m", "0.5", "1e3"] {
        assert_eq!(report(&with(text)), "");
    }
}

#[test]
fn other_libraries_parse_constants_too() {
    check_diagnostics(&policy(
        "
  validations:
    - expression: url('a b').getHost() == ''
                     #^^^^^ warning[invalid-literal]: `url('a b')` always fails
    - expression: ip('10.0.0').family() == 4
                    #^^^^^^^^ warning[invalid-literal]: `ip('10.0.0')` always fails
    - expression: cidr('10.0.0.0/8').prefixLength() == int(object.a)
",
    ));
}

#[test]
fn a_fix_keeps_the_quotes() {
    let text = policy(
        "  validations:\n    - expression: duration(\"1 day\") > duration('2 days') || quantity(\"1GB\").isInteger()\n",
    );
    let mut after = text.clone();
    for _ in 0..3 {
        after = fixed(&after, "invalid-literal");
    }
    expect![[r#"
        -    - expression: duration("1 day") > duration('2 days') || quantity("1GB").isInteger()
        +    - expression: duration("24h") > duration('48h') || quantity("1G").isInteger()
    "#]]
    .assert_eq(&changes(&text, &after));
}
