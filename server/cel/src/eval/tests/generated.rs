//! Expressions that nobody wrote: none of them panics, and what the budget lets run twice
//! gives the same twice.

use super::{bindings, environment};
use crate::eval::{Limits, Program};
use crate::{check, parse};
use proptest::prelude::{BoxedStrategy, Just, Strategy, prop_oneof, proptest};

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

pub(super) fn expression() -> BoxedStrategy<String> {
    leaf()
        .prop_recursive(5, 40, 3, |inner| {
            let operator = proptest::sample::select(vec![
                "+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "in", "&&", "||",
            ]);
            let method = proptest::sample::select(vec![
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
            ]);
            let function = proptest::sample::select(vec![
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
            ]);
            let loops = proptest::sample::select(vec![
                "all",
                "exists",
                "exists_one",
                "map",
                "filter",
                "sortBy",
            ]);
            let pairs = proptest::sample::select(vec![
                "all",
                "exists",
                "transformList",
                "transformMap",
                "transformMapEntry",
            ]);
            prop_oneof![
                (inner.clone(), operator, inner.clone())
                    .prop_map(|(a, op, b)| format!("({a} {op} {b})")),
                (inner.clone(), method, inner.clone())
                    .prop_map(|(a, f, b)| format!("{a}.{f}({b})")),
                (function, inner.clone()).prop_map(|(f, a)| format!("{f}({a})")),
                (inner.clone(), loops, inner.clone())
                    .prop_map(|(a, f, p)| format!("{a}.{f}(x, {p})")),
                (inner.clone(), pairs, inner.clone())
                    .prop_map(|(a, f, p)| format!("{a}.{f}(x, y, {p})")),
                (inner.clone(), inner.clone(), inner.clone())
                    .prop_map(|(a, b, c)| format!("({a} ? {b} : {c})")),
                (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a}[{b}]")),
                (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a}[?{b}]")),
                (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("[{a}, {b}]")),
                (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{{{a}: {b}}}")),
                inner.clone().prop_map(|a| format!("{a}.name")),
                inner.clone().prop_map(|a| format!("has({a}.name)")),
                inner.clone().prop_map(|a| format!("{a}.?name")),
                inner.clone().prop_map(|a| format!("{a}.optMap(x, x)")),
                Just("object".to_owned()),
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
        if parsed.is_ok() && checked.is_ok() && let Ok(program) = Program::new(&checked, &env) {
            let limits = Limits { cost: Some(10_000), ..Limits::default() };
            let first = program.run(&bindings(), &limits);
            let (second, _) = program.run_traced(&bindings(), &limits);
            assert_eq!(first.cost, second.cost);
            let shown = |outcome: &crate::eval::Outcome| format!("{:?}", outcome.result);
            assert_eq!(shown(&first), shown(&second));
        }
    }
}
