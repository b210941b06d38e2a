//! Generated expressions: none of them panics, and within the budget their results and costs
//! are the same with and without a watcher. Every program exists that is said to exist.

use super::{bindings, environment};
use crate::eval::{Coverage, Limits, Program};
use crate::value::Value;
use crate::{check, parse};
use proptest::prelude::{BoxedStrategy, Strategy, prop_oneof, proptest};

fn leaf() -> impl Strategy<Value = String> {
    let leaves = [
        "object",
        "numbers",
        "missing",
        "x",
        "y",
        "1",
        "-1",
        "0",
        "2u",
        "1.5",
        "true",
        "false",
        "null",
        "'a'",
        "'web'",
        "b'z'",
        "object.name",
        "object.replicas",
        "object.tags",
        "object.labels",
        "object.spec.on",
        "object.absent",
        "duration('1h')",
        "int",
        "[]",
        "{}",
        "optional.none()",
        "9223372036854775807",
        "timestamp(0)",
    ];
    proptest::sample::select(leaves.to_vec()).prop_map(str::to_owned)
}

const OPERATORS: [&str; 14] = [
    "+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "in", "&&", "||",
];

const METHODS: [&str; 12] = [
    "startsWith",
    "endsWith",
    "contains",
    "matches",
    "indexOf",
    "split",
    "join",
    "charAt",
    "orValue",
    "or",
    "format",
    "slice",
];

const FUNCTIONS: [&str; 16] = [
    "size",
    "type",
    "dyn",
    "int",
    "uint",
    "double",
    "string",
    "bytes",
    "bool",
    "duration",
    "timestamp",
    "optional.of",
    "!",
    "-",
    "lists.range",
    "optional.ofNonZeroValue",
];

/// Forms with two parts: the strings before, between and after them.
const PAIRS: [(&str, &str, &str); 16] = [
    ("", ".all(x, ", ")"),
    ("", ".exists(x, ", ")"),
    ("", ".exists_one(x, ", ")"),
    ("", ".map(x, ", ")"),
    ("", ".filter(x, ", ")"),
    ("", ".sortBy(x, ", ")"),
    ("", ".all(x, y, ", ")"),
    ("", ".exists(x, y, ", ")"),
    ("", ".transformList(x, y, ", ")"),
    ("", ".transformMap(x, y, ", ")"),
    ("", ".transformMapEntry(x, y, {x: ", "})"),
    ("", ".optMap(x, ", ")"),
    ("", "[", "]"),
    ("", "[?", "]"),
    ("[", ", ", "]"),
    ("{", ": ", "}"),
];

/// Forms with one part: the strings before and after it.
const FIELDS: [(&str, &str); 3] = [("", ".name"), ("has(", ".name)"), ("", ".?name")];

fn one_of<T: Copy + std::fmt::Debug + 'static>(all: &'static [T]) -> impl Strategy<Value = T> {
    proptest::sample::select(all)
}

fn expression() -> BoxedStrategy<String> {
    leaf()
        .prop_recursive(5, 40, 3, |inner| {
            let pair = (inner.clone(), inner.clone());
            prop_oneof![
                (pair.clone(), one_of(&OPERATORS))
                    .prop_map(|((a, b), op)| format!("({a} {op} {b})")),
                (pair.clone(), one_of(&METHODS)).prop_map(|((a, b), f)| format!("{a}.{f}({b})")),
                (pair.clone(), one_of(&PAIRS))
                    .prop_map(|((a, b), p)| [p.0, &a, p.1, &b, p.2].concat()),
                (pair, inner.clone()).prop_map(|((a, b), c)| format!("({a} ? {b} : {c})")),
                (inner.clone(), one_of(&FUNCTIONS)).prop_map(|(a, f)| format!("{f}({a})")),
                (inner, one_of(&FIELDS)).prop_map(|(a, f)| [f.0, &a, f.1].concat()),
            ]
        })
        .boxed()
}

proptest! {
    #[test]
    fn no_expression_panics(text in expression()) {
        let parsed = parse(&text);
        let env = environment();
        let checked = check::check(&parsed.ast, &env);
        if Program::always_exists(&checked, &env) {
            assert_eq!(Program::new(&checked, &env).err(), None);
        }
        if parsed.is_ok() && checked.is_ok() && let Ok(program) = Program::new(&checked, &env) {
            let limits = Limits { cost: Some(10_000), ..Limits::default() };
            let first = program.run(&bindings(), &limits);
            let (second, trace) = program.run_traced(&bindings(), &limits);
            let coverage = Coverage::new(&parsed.ast);
            let third = program.run_covered(&bindings(), &limits, &coverage);
            assert_eq!((first.cost, first.cost), (second.cost, third.cost));
            let shown = |outcome: &crate::eval::Outcome| format!("{:?}", outcome.result);
            assert_eq!(shown(&first), shown(&second));
            assert_eq!(shown(&first), shown(&third));
            // A trace has one turn of a loop, and a coverage has them all.
            for (expr, result) in trace.iter() {
                let seen = coverage.outcomes(expr);
                let is_in = match result {
                    Ok(Value::Bool(true)) => seen.true_once(),
                    Ok(Value::Bool(false)) => seen.false_once(),
                    Ok(_) => seen.value_once(),
                    Err(_) => seen.failed_once(),
                };
                assert!(is_in, "{result:?} is not in {seen:?}");
            }
        }
    }
}
