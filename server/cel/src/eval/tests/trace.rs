//! The values of the parts of an expression.

use super::{bindings, checked, environment};
use crate::eval::{Limits, Program};
use crate::syntax::ExprId;
use crate::value::{EvalError, Value};
use expect_test::{Expect, expect};

/// Prints every part that was evaluated, with its value.
fn check(text: &str, expected: &Expect) {
    let (ast, checked) = checked(text);
    let program = Program::new(&checked, &environment()).unwrap();
    let (outcome, trace) = program.run_traced(&bindings(), &Limits::default());
    let plain = program.run(&bindings(), &Limits::default());
    assert_eq!((&outcome.result, outcome.cost), (&plain.result, plain.cost));
    let line = |(expr, result): (ExprId, &Result<Value, EvalError>)| {
        let part = ast.slice(ast.span(expr));
        match result {
            Ok(value) => format!("{part} => {value}\n"),
            Err(error) => format!("{part} => failed: {error}\n"),
        }
    };
    expected.assert_eq(&trace.iter().map(line).collect::<String>());
}

#[test]
fn every_part_that_ran() {
    check(
        "object.spec.on && (object.replicas + 1 > 9 || object.absent == 1 || true)",
        &expect![[r#"
            object => {name: web, replicas: 5, nothing: 0, tags: [b, a], labels: {app: web, tier: front}, spec: {on: true, deep: {x: 1}}}
            object.spec => {on: true, deep: {x: 1}}
            object.spec.on => true
            object => {name: web, replicas: 5, nothing: 0, tags: [b, a], labels: {app: web, tier: front}, spec: {on: true, deep: {x: 1}}}
            object.replicas => 5
            object.replicas + 1 => 6
            object.replicas + 1 > 9 => false
            object => {name: web, replicas: 5, nothing: 0, tags: [b, a], labels: {app: web, tier: front}, spec: {on: true, deep: {x: 1}}}
            object.absent => failed: no such key: absent
            1 => 1
            object.absent == 1 => failed: no such key: absent
            true => true
            object.replicas + 1 > 9 || object.absent == 1 => failed: no such key: absent
            object.replicas + 1 > 9 || object.absent == 1 || true => true
            object.spec.on && (object.replicas + 1 > 9 || object.absent == 1 || true) => true
        "#]],
    );
    check(
        "false && object.name == ''",
        &expect![[r#"
        false => false
        false && object.name == '' => false
    "#]],
    );
    check(
        "1 + 2 == 3",
        &expect![[r#"
        1 + 2 => 3
        1 + 2 == 3 => true
    "#]],
    );
}

#[test]
fn the_turn_that_decides() {
    check(
        "numbers.all(n, n > 1)",
        &expect![[r#"
        numbers => [3, 1, 2]
        n => 1
        n > 1 => false
        numbers.all(n, n > 1) => false
    "#]],
    );
    check(
        "numbers.exists(n, 6 / (n - 3) < 0)",
        &expect![[r#"
            numbers => [3, 1, 2]
            n => 1
            n - 3 => -2
            6 / (n - 3) => -3
            6 / (n - 3) < 0 => true
            numbers.exists(n, 6 / (n - 3) < 0) => true
        "#]],
    );
}

#[test]
fn the_turn_that_fails_and_the_last_turn() {
    check(
        "numbers.all(n, 6 / (n - 3) < 0)",
        &expect![[r#"
        numbers => [3, 1, 2]
        n => 3
        n - 3 => 0
        6 / (n - 3) => failed: division by zero
        0 => 0
        6 / (n - 3) < 0 => failed: division by zero
        numbers.all(n, 6 / (n - 3) < 0) => failed: division by zero
    "#]],
    );
    check(
        "numbers.map(n, n * 2)",
        &expect![[r#"
        numbers => [3, 1, 2]
        n => 2
        n * 2 => 4
        numbers.map(n, n * 2) => [6, 2, 4]
    "#]],
    );
}

#[test]
fn a_part_that_the_last_turn_skips_has_no_value() {
    check(
        "[[1], []].all(x, size(x) > 0 && x[0] > 0)",
        &expect![[r#"
            [[1], []] => [[1], []]
            x => []
            size(x) => 0
            size(x) > 0 => false
            size(x) > 0 && x[0] > 0 => false
            [[1], []].all(x, size(x) > 0 && x[0] > 0) => false
        "#]],
    );
}
