//! Quantities that functions change, as in the server.

use crate::environment::{EnvironmentKind, NEWEST, env};
use cel::check::check;
use cel::eval::{Bindings, Limits, Program};
use cel::value::Value;

/// Returns whether an expression is true on a release of the server.
fn is_true(release: u8, expression: &str) -> bool {
    let parse = cel::parse(expression);
    let env = env(NEWEST, EnvironmentKind::Schema).with_release(release);
    let checked = check(&parse.ast, &env);
    let program = Program::new(&checked, &env).unwrap();
    let outcome = program.run(&Bindings::default(), &Limits::default());
    matches!(outcome.result.unwrap(), Value::Bool(true))
}

#[test]
fn a_decimal_quantity_is_changed_by_what_is_added_to_it_before_1_37() {
    for (expression, old, new) in [
        // The sum and the quantity share one number.
        (
            "[quantity('1.5Gi')].all(q, q.add(quantity('1Gi')).compareTo(q) == 0)",
            true,
            false,
        ),
        (
            "[quantity('1.5Gi')].all(q, q.sub(1).sub(1).compareTo(quantity('1.5Gi').sub(2)) == 0)",
            true,
            true,
        ),
        (
            "[quantity('1.5Gi')].all(q, q.add(q).compareTo(quantity('3Gi')) == 0 && q == quantity('3Gi'))",
            true,
            false,
        ),
        (
            "quantity('1.5Gi').add(1).compareTo(quantity('1.5Gi')) > 0",
            true,
            true,
        ),
        // In 64 bits, values are not shared.
        (
            "[quantity('1Gi')].all(q, q.add(quantity('1Gi')).compareTo(q) > 0)",
            true,
            true,
        ),
        (
            "[quantity('1Gi')].all(q, q.add(quantity('1.5Gi')).compareTo(q) > 0)",
            true,
            true,
        ),
    ] {
        assert_eq!(is_true(36, expression), old, "1.36: {expression}");
        assert_eq!(is_true(37, expression), new, "1.37: {expression}");
    }
}

#[test]
fn a_comparison_with_a_decimal_quantity_makes_a_decimal_quantity() {
    for release in [36, 37] {
        let is_true = |expression| is_true(release, expression);
        assert!(is_true(
            "[quantity('5')].all(q, q.isInteger() && q.isLessThan(quantity('1.5Gi')) && !q.isInteger())"
        ));
        assert!(is_true(
            "[quantity('5')].all(q, quantity('1.5Gi').isGreaterThan(q) && q.isInteger())"
        ));
        assert!(is_true(
            "[quantity('5')].all(q, q.isLessThan(quantity('6')) && q.isInteger())"
        ));
        assert!(is_true(
            "[quantity('5')].all(q, q != quantity('1.5Gi') && q.isInteger())"
        ));
        assert!(is_true("[quantity('1.5Gi')].all(q, q.compareTo(q) == 0)"));
    }
}

#[test]
fn quantities_at_the_limits_follow_the_server() {
    for (expression, old, new) in [
        ("quantity('9223372036854775807').isInteger()", false, true),
        ("quantity('-9223372036854775808').isInteger()", false, true),
        ("quantity('9223372036854775808').isInteger()", false, false),
        ("quantity('1234567890.123456789').isInteger()", false, false),
        ("isQuantity('1e2147483648')", true, false),
        ("isQuantity('1e-2147483648')", true, false),
        ("isQuantity('1e2147483647')", true, true),
        ("quantity('0e400').asApproximateFloat() == 0.0", false, true),
        (
            "sign(quantity('0').sub(-9223372036854775807 - 1)) == 1",
            false,
            true,
        ),
    ] {
        assert_eq!(is_true(37, expression), old, "1.37: {expression}");
        assert_eq!(is_true(38, expression), new, "1.38: {expression}");
    }
}
