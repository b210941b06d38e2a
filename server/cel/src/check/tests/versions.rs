//! Differences between environment versions.

use super::{answers_in, builder};
use crate::library::Since;
use expect_test::expect;

fn answers(version: Since, texts: &str) -> String {
    answers_in(texts, &builder(version).build().unwrap())
}

#[test]
fn plain_cel_mixes_types_and_reads_no_constants() {
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
    .assert_eq(&answers(Since::PLAIN_CEL, texts));
}

#[test]
fn constants_are_read_from_1_29_on() {
    let texts = "[1, 'a']\nduration('x')";
    expect![[r#"
        [1, 'a']
            4: expected type 'int' but found 'string'
        duration('x')
            duration
    "#]]
    .assert_eq(&answers(Since(28), texts));
    expect![[r#"
        [1, 'a']
            4: expected type 'int' but found 'string'
        duration('x')
            9: invalid duration argument
    "#]]
    .assert_eq(&answers(Since(29), texts));
}

#[test]
fn optional_syntax_came_with_1_28() {
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
    .assert_eq(&answers(Since(27), texts));
    expect![[r#"
        object.?a[?'b']
            optional_type(dyn)
    "#]]
    .assert_eq(&answers(Since(28), "object.?a[?'b']"));
}

#[test]
fn a_macro_that_is_not_there_is_a_call() {
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
