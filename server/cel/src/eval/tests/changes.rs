//! Expressions before and since a change of cel-go.

use super::{bindings, environment, render};
use crate::changes::{self, Change};
use crate::check::check;
use crate::eval::{Limits, Program};
use crate::parse;
use crate::value::{Map, Value};

/// Returns the result and the cost on a release of the host, or the first error of the compiler.
fn answer(text: &str, release: u8) -> String {
    let env = environment().with_release(release);
    let checked = check(&parse(text).ast, &env);
    if let Some(error) = checked.errors().first() {
        return format!("rejected: {}", error.message());
    }
    match Program::new(&checked, &env) {
        Ok(program) => render(&program.run(&bindings(), &Limits::default())),
        Err(error) => format!("no program: {error}"),
    }
}

/// Compares an expression on the last release without a change, and on the first with it: the
/// result, and the cost if the expected answer has one.
fn changes(change: &Change, cases: &[[&str; 3]]) {
    for [text, before, since] in cases {
        for (expected, release) in [(before, change.since - 1), (since, change.since)] {
            let answer = answer(text, release);
            let result = answer
                .rsplit_once(" for ")
                .map_or(&*answer, |parts| parts.0);
            let is_same = answer == **expected || *result == **expected;
            assert!(
                is_same,
                "{text}: {answer} on release {release}, not {expected}"
            );
        }
    }
}

#[test]
fn a_dot_skips_the_variables_of_macros() {
    changes(
        &changes::NAMES_HAVE_SCOPES,
        &[
            ["['x'].exists(object, .object == 'x')", "true", "false"],
            [
                "[1].exists(x, .x == 1)",
                "true",
                "rejected: undeclared reference to '.x' (in container '')",
            ],
            [
                "[1].exists(google, google.protobuf.Timestamp == type(1))",
                "false",
                "rejected: type 'int' does not support field selection",
            ],
            [
                "object{}",
                "rejected: 'dyn' is not a type",
                "rejected: undeclared reference to 'object' (in container '')",
            ],
        ],
    );
}

#[test]
fn a_value_that_is_not_optional_has_no_default() {
    changes(
        &changes::ONLY_OPTIONALS_HAVE_DEFAULTS,
        &[
            [
                "dyn(object.name).orValue('x')",
                "web",
                "failed: no such overload",
            ],
            ["dyn(1).or(optional.of(2))", "1", "failed: no such overload"],
            ["object.?name.orValue('x')", "web", "web"],
        ],
    );
}

#[test]
fn an_optional_of_a_variable_keeps_its_content() {
    changes(
        &changes::CONTENT_OF_OPTIONALS_STAYS,
        &[
            [
                "dyn([optional.of(optional.of(1))]).all(x, x.value() == 1)",
                "true",
                "false",
            ],
            ["optional.of(1) == optional.of(1)", "true", "true"],
        ],
    );
}

#[test]
fn an_integer_is_no_duration() {
    changes(
        &changes::NO_INTEGER_DURATIONS,
        &[[
            "duration(numbers[0]) == duration('1s')",
            "failed: type conversion error from 'int' to 'google.protobuf.Duration'",
            "rejected: found no matching overload for 'duration' applied to '(int)'",
        ]],
    );
}

#[test]
fn minutes_of_a_time_zone_are_below_60() {
    let late = "timestamp('2024-01-01T00:00:00Z').getMinutes('+00:75')";
    changes(
        &changes::OFFSET_MINUTES_HAVE_A_RANGE,
        &[
            [
                late,
                "15",
                "failed: timezone offset minutes out of range [0, 59]: +00:75",
            ],
            [
                "timestamp('2024-01-01T00:00:00Z').getMinutes('-00:59')",
                "1",
                "1",
            ],
        ],
    );
}

#[test]
fn an_empty_string_is_found_within_the_string() {
    changes(
        &changes::EMPTY_STRINGS_HAVE_A_PLACE,
        &[
            ["'é'.indexOf('', 5)", "5", "1"],
            ["''.indexOf('', -1)", "-1", "failed: index out of range: -1"],
            ["'ab'.lastIndexOf('', 1)", "1", "1"],
            ["'ab'.lastIndexOf('', 7)", "7", "2"],
        ],
    );
}

#[test]
fn a_range_has_a_limit() {
    changes(
        &changes::RANGES_HAVE_A_LIMIT,
        &[
            [
                "lists.range(-1)",
                "[]",
                "failed: lists.range: size must be non-negative, got -1",
            ],
            [
                "size(lists.range(1000001))",
                "1000001",
                "failed: lists.range: size 1000001 exceeds maximum allowed (1000000)",
            ],
        ],
    );
}

#[test]
fn matches_costs_the_same_as_a_function() {
    changes(
        &changes::MATCHES_FUNCTION_HAS_COST,
        &[
            [
                "matches('0123456789012345678', '^[0-9]+$')",
                "true for 1",
                "true for 4",
            ],
            [
                "'0123456789012345678'.matches('^[0-9]+$')",
                "true for 4",
                "true for 4",
            ],
        ],
    );
}

#[test]
fn a_prefix_costs_as_much_as_it_is_long() {
    changes(
        &changes::AFFIXES_ARE_COUNTED,
        &[
            [
                "'0123456789012345678'.startsWith('0')",
                "true for 2",
                "true for 1",
            ],
            [
                "'0'.endsWith('0123456789012345678')",
                "false for 1",
                "false for 2",
            ],
        ],
    );
}

#[test]
fn nothing_equals_nan_as_a_key() {
    let Ok(Value::Map(map)) = super::run(
        "[1, 2].transformMapEntry(i, v, {double('NaN'): v})",
        &Limits::default(),
    )
    .result
    else {
        panic!("it fails");
    };
    assert_eq!(Map::len(&map), 2);
}
