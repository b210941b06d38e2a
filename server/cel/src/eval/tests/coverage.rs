//! Coverage of the parts of an expression.

use super::{bindings, checked, environment};
use crate::Ast;
use crate::eval::{Bindings, Coverage, Limits, Program};
use crate::value::Value;
use expect_test::{Expect, expect};

/// Returns the coverage of evaluations with these values of `missing`.
#[track_caller]
fn covered(text: &str, runs: &[Value]) -> (Ast, Coverage) {
    let (ast, checked) = checked(text);
    let program = Program::new(&checked, &environment()).unwrap();
    let coverage = Coverage::new(&ast);
    for value in runs {
        let bindings = bindings().with("missing", value.clone());
        let limits = Limits::default();
        let recorded = program.run_covered(&bindings, &limits, &coverage);
        let plain = program.run(&bindings, &limits);
        assert_eq!(
            (&recorded.result, recorded.cost),
            (&plain.result, plain.cost)
        );
    }
    (ast, coverage)
}

/// Prints every part except names and constants, with its outcomes.
#[track_caller]
fn check(text: &str, runs: &[Value], expected: &Expect) {
    use crate::syntax::ExprKind;
    let (ast, coverage) = covered(text, runs);
    let says_something =
        |kind: &ExprKind| !matches!(kind, ExprKind::Ident { .. } | ExprKind::Literal(_));
    let ids = ast.ids().filter(|id| says_something(ast.kind(*id)));
    let line = |id| {
        format!(
            "{} => {:?}\n",
            ast.slice(ast.span(id)),
            coverage.outcomes(id)
        )
    };
    expected.assert_eq(&ids.map(line).collect::<String>());
}

const ONCE: [Value; 1] = [Value::Null];

fn numbers<const N: usize>(numbers: [i64; N]) -> [Value; N] {
    numbers.map(Value::Int)
}

#[test]
fn what_a_side_that_decides_keeps_from_running() {
    check(
        "missing > 1 && missing > 2 || missing > 3",
        &numbers([0]),
        &expect![[r#"
            missing > 1 => {false}
            missing > 2 => {}
            missing > 1 && missing > 2 => {false}
            missing > 3 => {false}
            missing > 1 && missing > 2 || missing > 3 => {false}
        "#]],
    );
}

#[test]
fn all_runs_count() {
    check(
        "missing > 1 && missing < 3",
        &numbers([1, 2, 3]),
        &expect![[r#"
            missing > 1 => {true, false}
            missing < 3 => {true, false}
            missing > 1 && missing < 3 => {true, false}
        "#]],
    );
}

#[test]
fn a_failure_that_the_other_side_makes_up_for() {
    check(
        "object.absent == 1 || true",
        &ONCE,
        &expect![[r#"
            object.absent => {failure}
            object.absent == 1 => {failure}
            object.absent == 1 || true => {true}
        "#]],
    );
}

#[test]
fn the_branches_of_a_condition() {
    check(
        "(missing > 1 ? object.spec.on : object.absent) && (missing > 2 ? true : false)",
        &numbers([1, 2]),
        &expect![[r#"
            missing > 1 => {true, false}
            object.spec => {other}
            object.spec.on => {true}
            object.absent => {}
            missing > 1 ? object.spec.on : object.absent => {true, failure}
            (missing > 1 ? object.spec.on : object.absent) => {}
            missing > 2 => {false}
            missing > 2 ? true : false => {false}
            (missing > 2 ? true : false) => {}
            (missing > 1 ? object.spec.on : object.absent) && (missing > 2 ? true : false) => {false}
        "#]],
    );
}

#[test]
fn every_turn_of_every_loop() {
    for (text, condition) in [
        ("numbers.all(n, n > 1 || n < 9)", "n > 1"),
        ("numbers.exists(n, n > 1 && n == 2)", "n == 2"),
        ("numbers.exists_one(n, n > 1 || n == 9)", "n > 1"),
        ("numbers.map(n, n > 1 || n == 1)", "n > 1"),
        ("numbers.map(n, n > 1 || n == 9, n)", "n > 1"),
        ("numbers.filter(n, n > 1 || n == 9)", "n > 1"),
        ("numbers.sortBy(n, n > 1 ? n : -n)", "n > 1"),
        ("numbers.all(i, n, n > 1 || i < 9)", "n > 1"),
        ("numbers.exists(i, n, n > 1 && n == 2)", "n == 2"),
        ("numbers.exists_one(i, n, n > 1 || n == 9)", "n > 1"),
        ("numbers.transformList(i, n, n > 1 || i < 9)", "n > 1"),
        (
            "numbers.transformList(i, n, n > 1 || n == 9, n + i)",
            "n > 1",
        ),
        ("numbers.transformMap(i, n, n > 1 || i < 9)", "n > 1"),
        (
            "numbers.transformMapEntry(i, n, {n: n > 1 || i < 9})",
            "n > 1",
        ),
        ("[[3, 1], []].all(x, x.all(n, n > 1 || n < 9))", "n > 1"),
    ] {
        let (ast, coverage) = covered(text, &ONCE);
        let mut ids = ast.ids();
        let condition = ids.find(|id| ast.slice(ast.span(*id)) == condition);
        let seen = coverage.outcomes(condition.unwrap());
        assert!(seen.true_once() && seen.false_once(), "{text}: {seen:?}");
    }
}

#[test]
fn the_macros_of_optionals() {
    check(
        "optional.ofNonZeroValue(missing).optMap(x, x > 1 || x < 0).orValue(false)",
        &numbers([0, 1, 2]),
        &expect![[r#"
            optional.ofNonZeroValue(missing) => {other}
            x > 1 => {true, false}
            x < 0 => {false}
            x > 1 || x < 0 => {true, false}
            optional.ofNonZeroValue(missing).optMap(x, x > 1 || x < 0) => {true, false, other}
            optional.ofNonZeroValue(missing).optMap(x, x > 1 || x < 0).orValue(false) => {true, false}
        "#]],
    );
    check(
        "object.?spec.?on.orValue(missing > 1) && object.?absent.orValue(missing > 1)",
        &numbers([1, 2]),
        &expect![[r#"
            object.?spec => {other}
            object.?spec.?on => {true, other}
            missing > 1 => {}
            object.?spec.?on.orValue(missing > 1) => {true}
            object.?absent => {other}
            missing > 1 => {true, false}
            object.?absent.orValue(missing > 1) => {true, false}
            object.?spec.?on.orValue(missing > 1) && object.?absent.orValue(missing > 1) => {true, false}
        "#]],
    );
}

#[test]
fn what_is_computed_before_it_runs() {
    check(
        "(1 + 1 == 2 || missing in []) && missing in [1, 2]",
        &numbers([1, 3]),
        &expect![[r#"
            1 + 1 => {other}
            1 + 1 == 2 => {true}
            [] => {}
            missing in [] => {}
            1 + 1 == 2 || missing in [] => {true}
            (1 + 1 == 2 || missing in []) => {}
            [1, 2] => {}
            missing in [1, 2] => {true, false}
            (1 + 1 == 2 || missing in []) && missing in [1, 2] => {true, false}
        "#]],
    );
    check(
        "!!true",
        &ONCE,
        &expect![[r#"
        !!true => {}
    "#]],
    );
}

#[test]
fn a_coverage_is_shared_and_merged() {
    let (ast, checked) = checked("numbers.exists(n, n == missing)");
    let program = Program::new(&checked, &environment()).unwrap();
    let (one, other) = (Coverage::new(&ast), Coverage::new(&ast));
    std::thread::scope(|scope| {
        for (coverage, value) in [(&one, 2), (&one, 3), (&other, 9)] {
            let program = &program;
            scope.spawn(move || {
                let bindings: Bindings = bindings().with("missing", Value::Int(value));
                let limits = Limits::default();
                let outcome = program.run_covered(&bindings, &limits, coverage);
                assert!(outcome.result.is_ok());
            });
        }
    });
    assert_eq!(format!("{:?}", one.outcomes(ast.root())), "{true}");
    one.merge(&other);
    assert_eq!(format!("{:?}", one.outcomes(ast.root())), "{true, false}");
    assert_eq!(format!("{:?}", other.outcomes(ast.root())), "{false}");
}

#[test]
fn the_coverage_of_another_expression_is_left_alone() {
    let small = Coverage::new(&crate::parse("1").ast);
    let (_, checked) = checked("numbers.all(n, n > 0)");
    let program = Program::new(&checked, &environment()).unwrap();
    let outcome = program.run_covered(&bindings(), &Limits::default(), &small);
    assert_eq!(outcome.result, Ok(Value::Bool(true)));
}
