//! The messages and positions of cel-go, which the API server returns.

use super::parse;
use crate::syntax::{ParseOptions, SyntaxError, parse_with, upstream_display};

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let report = parse(text).upstream_report().unwrap_or_default();
    assert_eq!(report, expected.join("\n"), "{text}");
}

#[test]
fn values() {
    check(
        "9223372036854775808",
        &[
            "ERROR: <input>:1:1: invalid int literal",
            " | 9223372036854775808",
            " | ^",
        ],
    );
    check(
        "1 == - 99999999999999999999",
        &[
            "ERROR: <input>:1:6: invalid int literal",
            " | 1 == - 99999999999999999999",
            " | .....^",
        ],
    );
    check(
        "'é' + \n'\\ud800'",
        &[
            "ERROR: <input>:2:1: invalid unicode code point",
            " | '\\ud800'",
            " | ^",
        ],
    );
    check(
        "b'\\u00ff'",
        &[
            "ERROR: <input>:1:1: unable to unescape string",
            " | b'\\u00ff'",
            " | ^",
        ],
    );
}

#[test]
fn names() {
    check(
        "if == 1",
        &[
            "ERROR: <input>:1:1: reserved identifier: if",
            " | if == 1",
            " | ^",
        ],
    );
    check(
        "'é' == .let(1)",
        &[
            "ERROR: <input>:1:8: reserved identifier: let",
            " | 'é' == .let(1)",
            " | .．.....^",
        ],
    );
    check(
        "object.`a-b`",
        &[
            "ERROR: <input>:1:8: unsupported syntax: '`'",
            " | object.`a-b`",
            " | .......^",
        ],
    );
    check(
        "T{a: 1, `b`: has(x), `c`: 2}",
        &[
            "ERROR: <input>:1:3: unsupported syntax: '`'",
            " | T{a: 1, `b`: has(x), `c`: 2}",
            " | ..^",
            "ERROR: <input>:1:3: unsupported syntax: '`'",
            " | T{a: 1, `b`: has(x), `c`: 2}",
            " | ..^",
        ],
    );
}

/// Macros, the column that cel-go names, and its message.
const MACROS: &[(&str, usize, &str)] = &[
    ("has(x)", 5, "invalid argument to has() macro"),
    ("has(x['a'])", 6, "invalid argument to has() macro"),
    ("has(x.?a)", 6, "invalid argument to has() macro"),
    (
        "has(a && b && c && d)",
        12,
        "invalid argument to has() macro",
    ),
    ("has(a + b)", 7, "invalid argument to has() macro"),
    ("has(a ? b : c)", 7, "invalid argument to has() macro"),
    ("has(-a)", 5, "invalid argument to has() macro"),
    ("has((f(a)))", 7, "invalid argument to has() macro"),
    ("has(T{a: 1})", 6, "invalid argument to has() macro"),
    ("x.exists(a.b, true)", 11, "argument must be a simple name"),
    ("x.map(1, true)", 7, "argument is not an identifier"),
    ("x.filter('a', true)", 10, "argument is not an identifier"),
    (
        "x.optMap(1, 1)",
        10,
        "optMap() variable name must be a simple identifier",
    ),
    (
        "x.optFlatMap(1, 1)",
        14,
        "optFlatMap() variable name must be a simple identifier",
    ),
    ("x.all(i, i, true)", 10, "duplicate variable name: i"),
    (
        "x.transformMap(1, v, v)",
        16,
        "argument must be a simple name",
    ),
    (
        "x.all(__result__, true)",
        7,
        "iteration variable overwrites accumulator variable",
    ),
    (
        "1.sortBy(x, x)",
        1,
        "sortBy can only be applied to a list, identifier, comprehension, call or select expression",
    ),
];

#[test]
fn macros_are_located_by_their_argument() {
    for (text, column, message) in MACROS {
        let snippet = format!(" | {text}\n | {}^", ".".repeat(column - 1));
        check(
            text,
            &[&format!("ERROR: <input>:1:{column}: {message}"), &snippet],
        );
    }
}

#[test]
fn what_macros_accept() {
    for text in [
        "has((a.b))",
        "has(has(a.b))",
        "has(!!a.b)",
        "has(a.b, c)",
        ".has(x)",
        "x.has(x)",
        "[1].all((x), x > 0)",
        "[1].all(.x, true)",
        "[].existsOne(1, true)",
        "x.optMap(__result__, 1)",
        "T{a: 1}.f().sortBy(x, x)",
    ] {
        assert!(parse(text).is_ok(), "{text}");
    }
}

#[test]
fn what_is_not_visited_is_not_reported() {
    let one = |text: &str| parse(text).errors.len();
    assert_eq!(one("if(has(x))"), 1);
    assert_eq!(one("has(has(x))"), 2);
    assert_eq!(one("has(if)"), 2);
}

#[test]
fn generated_messages_are_not_repeated() {
    for text in ["1 +", "a b", "'\\z'", "`a`", "x.in", "size(x,)"] {
        let parse = parse(text);
        assert!(!parse.is_ok());
        assert_eq!(parse.upstream_report(), None, "{text}");
    }
    assert_eq!(parse("1").upstream_report(), None);
}

#[test]
fn a_generated_mistake_keeps_its_line() {
    for (text, line) in [
        ("1 +\n\n", 3),
        ("f(a,\n)", 2),
        ("(a\n\n] + 1", 3),
        ("'''a\n\\z'''", 1),
        ("a ? b\n\n", 3),
        ("object.\nin", 2),
        ("a\n= b", 2),
        ("", 1),
    ] {
        assert_eq!(parse(text).upstream_line(), Some(line), "{text:?}");
    }
    assert_eq!(parse("1").upstream_line(), None);
}

#[test]
fn later_servers_read_escaped_names() {
    let options = ParseOptions {
        escaped_names: true,
    };
    for text in ["a.`b-c`", "T{`a-b`: 1}", "has(a.`b/c`)", "a.?`b`"] {
        let parse = parse_with(text, options);
        assert!(parse.is_ok(), "{text}");
    }
    let parse = parse_with("a.`b-c`", options);
    let name = parse.ast.qualified_name(parse.ast.root()).unwrap();
    assert_eq!(name.join(&parse.ast), "a.b-c");
    assert!(!parse_with("`a`", options).is_ok());
    assert!(!parse_with("a.`b`(c)", options).is_ok());
}

#[test]
fn a_place_is_shown_as_cel_go_shows_it() {
    assert_eq!(
        upstream_display("a\n\t'é' é", Some(8), "m"),
        "ERROR: <input>:2:6: m\n |  'é' é\n | ..．..＾"
    );
    assert_eq!(upstream_display("a", None, "m"), "ERROR: <input>:-1:0: m");
    assert_eq!(upstream_display("", Some(0), "m"), "ERROR: <input>:1:1: m");
}

fn upstream(text: &str) -> Vec<Option<String>> {
    let parse = parse(text);
    let errors = parse.upstream_errors();
    errors.map(SyntaxError::upstream_message).collect()
}

#[test]
fn what_follows_a_reserved_word_is_a_mistake_for_cel_go_alone() {
    let parse = parse("let x = 1");
    assert_eq!(parse.errors.len(), 1);
    let reserved = Some("reserved identifier: let".to_owned());
    assert_eq!(upstream("let x = 1"), [reserved.clone(), None]);
    assert_eq!(upstream("let"), [reserved]);
}

#[test]
fn cel_go_gives_up_where_it_would_skip_too_much() {
    let tail = |count: usize| format!("a ? b ? c : d{}", " + 1".repeat(count));
    let limit = Some("error recovery token lookahead limit exceeded: 256".to_owned());
    assert_eq!(upstream(&tail(100)).len(), 2);
    assert_eq!(upstream(&tail(130)), [None, limit.clone()]);
    // Within brackets, the parser can continue.
    assert!(!upstream(&format!("({})", tail(130))).contains(&limit));
}
