//! Results of the standard library, as tables. They come from cel-go.

use crate::env::Env;
use crate::eval::{Bindings, Limits, Program};
use crate::library::Library;
use crate::{check, ext, parse};

/// Returns the result of an expression or its failure, as text.
pub(crate) fn answer(libraries: &[&'static Library], expression: &str) -> String {
    let builder = Env::builder();
    let builder = libraries
        .iter()
        .fold(builder, |builder, library| builder.library(library));
    let env = builder.build().expect("environment");
    let parsed = parse(expression);
    assert!(parsed.errors.is_empty(), "{expression}");
    let checked = check::check(&parsed.ast, &env);
    assert!(
        checked.is_ok(),
        "{expression}: {:?}",
        checked.upstream_report()
    );
    let program = match Program::new(&checked, &env) {
        Ok(program) => program,
        Err(error) => return format!("error: {error}"),
    };
    match program.run(&Bindings::new(), &Limits::default()).result {
        Ok(value) => value.to_string(),
        Err(error) => format!("error: {error}"),
    }
}

pub(crate) fn check_all(table: &[(&str, &str)]) {
    for (expression, expected) in table {
        let found = answer(&ext::PLAIN_CEL, expression);
        assert_eq!(found, *expected, "{expression}");
    }
}

#[test]
fn every_example_is_true() {
    for library in ext::PLAIN_CEL {
        for function in library.functions {
            assert_eq!(function.doc.is_empty(), function.example.is_empty());
            if function.example.is_empty() {
                let internal = function.name.starts_with('@') || function.name.contains(".@");
                assert!(internal, "{} has no example", function.name);
                continue;
            }
            let found = answer(&ext::PLAIN_CEL, function.example);
            assert_eq!(found, "true", "{}: {}", function.name, function.example);
        }
    }
}

#[test]
fn arithmetic() {
    check_all(&[
        ("9223372036854775807 + dyn(1)", "error: integer overflow"),
        ("dyn(-9223372036854775807) - 2", "error: integer overflow"),
        ("dyn(-9223372036854775808) / -1", "error: integer overflow"),
        ("dyn(-9223372036854775808) % -1", "error: integer overflow"),
        ("-dyn(-9223372036854775808)", "error: integer overflow"),
        ("dyn(1u) - 2u", "error: unsigned integer overflow"),
        ("dyn(1) / 0", "error: division by zero"),
        ("dyn(1u) % 0u", "error: modulus by zero"),
        ("dyn(1.0) / 0.0", "+Inf"),
        ("-7 / 2", "-3"),
        ("dyn(1) + 'a'", "error: no such overload"),
        ("dyn(true) + 1", "error: no such overload: _+_"),
        ("dyn('a') - 1", "error: no such overload"),
        ("-dyn('a')", "error: no such overload"),
        ("-dyn([])", "error: no such overload: -_"),
        ("-dyn(duration('1s'))", "-1s"),
        (
            "timestamp('9999-12-31T23:59:59Z') + duration('1s')",
            "error: timestamp overflow",
        ),
        (
            "timestamp('0001-01-01T00:00:00Z') - duration('1ns')",
            "error: timestamp overflow",
        ),
        (
            "timestamp('9999-12-31T23:59:59Z') - timestamp('0001-01-01T00:00:00Z')",
            "error: integer overflow",
        ),
        (
            "string(timestamp('2024-01-01T01:00:00+02:00') + duration('1h'))",
            "2024-01-01T02:00:00+02:00",
        ),
    ]);
}

#[test]
fn order_and_equality() {
    check_all(&[
        ("dyn(1) < dyn(1.5) && dyn(2u) > dyn(1)", "true"),
        ("dyn(-1) < dyn(18446744073709551615u)", "true"),
        ("dyn(1) < dyn('a')", "error: no such overload"),
        ("dyn(null) < dyn(1)", "error: no such overload: _<_"),
        ("double('NaN') < 1.0", "error: NaN values cannot be ordered"),
        ("double('NaN') == double('NaN')", "false"),
        ("dyn(1) == dyn(1u) && dyn(1u) == dyn(1.0)", "true"),
        ("dyn([1]) == dyn([1.0])", "true"),
        ("dyn('1') == dyn(1)", "false"),
        ("'é' < 'z'", "false"),
        ("b'\\x7f' < b'\\x80'", "true"),
    ]);
}

const CONVERSIONS: &[(&str, &str)] = &[
    ("string(1e6)", "1e+06"),
    ("string(100000.0)", "100000"),
    ("string(0.0001)", "0.0001"),
    ("string(0.00001)", "1e-05"),
    ("string(-0.0)", "-0"),
    ("string(double('-inf'))", "-Inf"),
    ("double('0x1p-2')", "0.25"),
    ("double('1_000.5')", "1000.5"),
    ("double('5e-324') > 0.0", "true"),
    ("int(1.9) + int(-1.9)", "0"),
    ("int(dyn(9223372036854775808.0))", "error: integer overflow"),
    ("uint(dyn(-1))", "error: unsigned integer overflow"),
    ("int('+5')", "5"),
    (
        "uint(dyn('+5'))",
        "error: type conversion error from 'string' to 'uint'",
    ),
    (
        "bool(dyn('tRue'))",
        "error: type conversion error from 'string' to 'bool'",
    ),
    ("duration(dyn(1))", "error: no such overload: duration(int)"),
    ("int(dyn([]))", "error: no such overload: int(list)"),
    (
        "string(b'\\xff')",
        "error: invalid UTF-8 in bytes, cannot convert to string",
    ),
    ("string(duration('1.5s'))", "1.5s"),
    ("duration('1h2m3.5s')", "1h2m3.5s"),
    ("duration('-100us')", "-100µs"),
    (
        "string(timestamp('2024-01-01T1:02:03,5Z'))",
        "2024-01-01T01:02:03.5Z",
    ),
    (
        "timestamp(253402300799 + int('1'))",
        "error: timestamp overflow",
    ),
    ("int(timestamp('1969-12-31T23:59:59.5Z'))", "-1"),
    ("type([]) == list && type(type(1)) == type", "true"),
];

#[test]
fn conversions() {
    check_all(CONVERSIONS);
}

#[test]
fn parts_of_times() {
    check_all(&[
        ("timestamp('2024-02-29T23:59:59Z').getDayOfYear()", "59"),
        (
            "timestamp('2024-03-10T07:30:00Z').getHours('America/New_York')",
            "3",
        ),
        (
            "timestamp('2024-01-01T00:00:00Z').getFullYear('-00:30')",
            "2023",
        ),
        (
            "timestamp('9999-12-31T23:59:59Z').getFullYear('Asia/Tokyo')",
            "10000",
        ),
        (
            "timestamp('2024-01-01T00:00:00Z').getHours('europe/paris')",
            "error: unknown time zone europe/paris",
        ),
        (
            "timestamp('2024-01-01T00:00:00Z').getHours('a:b')",
            "error: strconv.Atoi: parsing \"a\": invalid syntax",
        ),
        (
            "timestamp('2024-01-01T00:00:00Z').getHours('../x')",
            "error: time: invalid location name",
        ),
        (
            "dyn('a').getFullYear()",
            "error: no such overload: getFullYear(string)",
        ),
        ("duration('-90m').getHours()", "-1"),
    ]);
}
