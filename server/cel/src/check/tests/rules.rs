//! Rules of an environment, and declarations that it lacks.

use super::{answers_in, builder};
use crate::env::Rules;
use crate::library::Since;
use expect_test::expect;

fn answers(rules: Rules, texts: &str) -> String {
    answers_in(texts, &builder().rules(rules).build().unwrap())
}

#[test]
fn the_specification_mixes_types_and_reads_no_constants() {
    let texts = "[1, 'a']\n{1: 2, 'a': 'b'}\nduration('x')\n[1, 'a'][0] + 1";
    expect![[r#"
        [1, 'a']
            list(dyn)
        {1: 2, 'a': 'b'}
            map(dyn, dyn)
        duration('x')
            duration
        [1, 'a'][0] + 1
            int
    "#]]
    .assert_eq(&answers(Rules::SPECIFICATION, texts));
}

#[test]
fn a_strict_host_reads_constants() {
    let texts = "[1, 'a']\nduration('x')";
    let lenient = Rules {
        validates_constants: false,
        ..Rules::STRICT
    };
    expect![[r#"
        [1, 'a']
            4: expected type 'int' but found 'string'
        duration('x')
            duration
    "#]]
    .assert_eq(&answers(lenient, texts));
    expect![[r#"
        [1, 'a']
            4: expected type 'int' but found 'string'
        duration('x')
            9: invalid duration argument
    "#]]
    .assert_eq(&answers(Rules::STRICT, texts));
}

#[test]
fn optional_syntax_is_a_rule() {
    let without = Rules {
        optional_syntax: false,
        ..Rules::STRICT
    };
    let texts = "object.?a[?'b'] + missing\n[?object]\n{ ? 'a': 1}\nacme.Pod{?name: 1}";
    expect![[r#"
        object.?a[?'b'] + missing
            6: unsupported syntax '.?'
            9: unsupported syntax '[?'
        [?object]
            1: unsupported syntax '?'
        { ? 'a': 1}
            2: unsupported syntax '?'
        acme.Pod{?name: 1}
            9: unsupported syntax '?'
    "#]]
    .assert_eq(&answers(without, texts));
    expect![[r#"
        object.?a[?'b']
            optional_type(dyn)
    "#]]
    .assert_eq(&answers(Rules::STRICT, "object.?a[?'b']"));
}

#[test]
fn a_macro_that_is_not_there_is_a_call() {
    let answers = |latest: Since, texts| {
        let env = builder().up_to(latest).build().unwrap();
        answers_in(texts, &env)
    };
    let texts = "list.all(i, v, i == v)\nlist.all(v, v > 0)\nopt.optMap(x, x)";
    expect![[r#"
        list.all(i, v, i == v)
            8: undeclared reference to 'all' (in container '')
            9: undeclared reference to 'i' (in container '')
            12: undeclared reference to 'v' (in container '')
            15: undeclared reference to 'i' (in container '')
            20: undeclared reference to 'v' (in container '')
        list.all(v, v > 0)
            bool
        opt.optMap(x, x)
            10: undeclared reference to 'optMap' (in container '')
            11: undeclared reference to 'x' (in container '')
            14: undeclared reference to 'x' (in container '')
    "#]]
    .assert_eq(&answers(Since(27), texts));
    expect![[r#"
        list.all(i, v, i == v)
            bool
        list.all(v, v > 0)
            bool
        opt.optMap(x, x)
            optional_type(int)
    "#]]
    .assert_eq(&answers(Since(32), texts));
}
