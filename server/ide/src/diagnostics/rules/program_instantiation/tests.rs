//! Constants that fail when the program of an expression is created.

use crate::fixture::{findings, report, slice, untyped_policy as policy};
use expect_test::expect;

#[test]
fn each_failure_is_shown_at_its_part() {
    let text = policy(
        "
  variables:
    - {name: span, expression: \"type(object.x) == duration\"}
    - {name: wrapper, expression: google.protobuf.BoolValue}
    - {name: nested, expression: \"[1].exists(t, t > 0 && bool('q'))\"}
    - {name: types, expression: \"[type(1)].filter(t, type(object.x) == t)\"}
  validations:
    - expression: \"variables.span && variables.wrapper && variables.nested && variables.types\"
    - expression: \"'🙂' == object.a || object.b == int('0x1F')\"
    - expression: \"object.metadata.name.find('(') == string(b'\\xff')\"
    - expression: \"object.labels[null] == 'a'\"
    - expression: \"object.c ? uint(-1) == 1u : double('x') > 1.0\"
    - expression: >-
        object.metadata.name == 'a' &&
        object.metadata.name.findAll('[').size() == 0
",
    );
    expect![[r#"
        10:51-10:59 "duration" Error[program-instantiation]: `duration` is a function, not a type. Write `google.protobuf.Duration` for the type.
          Kubernetes: program instantiation failed: reference to undefined type: duration
          fix: Change to `google.protobuf.Duration`
        11:35-11:60 "google.protobuf.BoolValue" Error[program-instantiation]: The type `google.protobuf.BoolValue` cannot be used as a value.
          Kubernetes: program instantiation failed: reference to undefined type: google.protobuf.BoolValue
        12:58-12:67 "bool('q')" Error[program-instantiation]: `bool` cannot convert `'q'`. Write `'true'` or `'false'`.
          Kubernetes: program instantiation failed: type conversion error from 'string' to 'bool'
        13:72-13:73 "t" Error[program-instantiation]: The value of `t` is a type, but Kubernetes looks for a type named `t`. Name the type itself, such as `string`.
          Kubernetes: program instantiation failed: reference to undefined type: t
        16:51-16:62 "int('0x1F')" Error[program-instantiation]: `int` cannot convert `'0x1F'`. Write a 64-bit decimal integer.
          Kubernetes: program instantiation failed: type conversion error from 'string' to 'int'
        17:46-17:49 "'('" Error[program-instantiation]: This is not a valid RE2 regular expression: missing closing ): `(`.
          Kubernetes: program instantiation failed: error parsing regexp: missing closing ): `(`
        18:34-18:38 "null" Error[program-instantiation]: `null` cannot be an index or a key. Use a string, a number or a boolean.
          Kubernetes: program instantiation failed: invalid qualifier type: types.Null
        19:31-19:39 "uint(-1)" Error[program-instantiation]: `uint` cannot convert `-1`. The value is out of range.
          Kubernetes: program instantiation failed: unsigned integer overflow
        22:38-22:41 "'['" Error[program-instantiation]: This is not a valid RE2 regular expression: missing closing ]: `[`.
          Kubernetes: program instantiation failed: error parsing regexp: missing closing ]: `[`
    "#]].assert_eq(&report(&text));
}

#[test]
fn constants_that_have_a_value_are_not_reported() {
    let text = policy(
        "
  validations:
    - expression: \"object.a == int('-1') && type(object.b) == google.protobuf.Duration\"
    - expression: \"object.a.find('[a-z]') == '' && type(object.b) == net.IP\"
    - expression: \"int(object.a) == 1 && object.labels[object.a] == null\"
",
    );
    assert_eq!(report(&text), "");
}

#[test]
fn a_literal_that_is_found_when_it_compiles_is_one_finding() {
    let text = policy(
        "
  validations:
    - expression: \"object.a.matches('(')\"
",
    );
    let codes: Vec<&str> = findings(&text).iter().map(|it| it.code).collect();
    assert_eq!(codes, ["invalid-literal"]);
}

#[test]
fn line_ends_of_windows_do_not_move_it() {
    let text = policy(
        "
  validations:
    - expression: >-
        object.a == '🙂' &&
        object.b == int('a')
",
    )
    .replace('\n', "\r\n");
    let found = findings(&text);
    let places: Vec<&str> = found.iter().map(|it| slice(&text, it.range)).collect();
    assert_eq!(places, ["int('a')"]);
}
