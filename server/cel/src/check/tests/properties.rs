//! Properties of every input.

use super::{checked, env};
use crate::check::check;
use crate::types::Type;
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, prop_oneof, proptest};
use proptest::sample::select;
use std::time::{Duration, Instant};

const LEAVES: &[&str] = &[
    "object",
    "n",
    "u",
    "d",
    "s",
    "b",
    "list",
    "words",
    "map",
    "opt",
    "wrapped",
    "pod",
    "ip",
    "at",
    "any",
    "a.b",
    "x",
    ".x",
    "missing",
    "int",
    "1",
    "1u",
    "1.5",
    "'s'",
    "b'x'",
    "true",
    "null",
    "[]",
    "{}",
    "acme.Pod{}",
    "optional.none()",
    "'%s %d'",
];

/// Expressions with placeholders for expressions.
const FORMS: &[&str] = &[
    "(_ + _)",
    "(_ == _)",
    "(_ < _)",
    "(_ && _)",
    "(_ in _)",
    "(_ ? _ : _)",
    "!_",
    "-_",
    "_.name",
    "_.?a",
    "_[_]",
    "_[?_]",
    "[_, _]",
    "[?_]",
    "{_: _}",
    "{?_: _, _: _}",
    "has(_.name)",
    "_.all(x, _)",
    "_.map(x, _)",
    "_.map(x, _, _)",
    "_.filter(x, _)",
    "_.exists_one(x, _)",
    "_.exists(x, y, _)",
    "_.transformMap(x, y, _)",
    "_.transformMapEntry(x, y, _)",
    "_.sortBy(x, _)",
    "_.optMap(x, _)",
    "_.optFlatMap(x, _)",
    "size(_)",
    "_.size()",
    "string(_)",
    "type(_)",
    "dyn(_)",
    "_.format([_])",
    "sets.contains(_, _)",
    "optional.of(_)",
    "_.or(_)",
    "acme.Pod{name: _}",
    "duration(_)",
    "matches(_, _)",
    "_.first()",
];

fn expression() -> impl Strategy<Value = String> {
    let leaf = select(LEAVES).prop_map(str::to_owned);
    leaf.prop_recursive(5, 40, 4, |inner| {
        (select(FORMS), vec(inner, 4)).prop_map(|(form, parts)| {
            let mut parts = parts.into_iter().cycle();
            let fill = |part: &str| format!("{part}{}", parts.next().unwrap());
            let pieces: Vec<&str> = form.split('_').collect();
            let (last, first) = pieces.split_last().unwrap();
            first.iter().copied().map(fill).collect::<String>() + last
        })
    })
}

/// Returns whether a type has only what a checked expression can have.
fn is_final(ty: &Type) -> bool {
    match ty {
        Type::Var(_) | Type::Param(_) => false,
        Type::List(inner) | Type::Optional(inner) | Type::Type(Some(inner)) => is_final(inner),
        Type::Map(entry) => is_final(&entry.0) && is_final(&entry.1),
        _ => true,
    }
}

proptest! {
    #[test]
    fn every_text_is_checked(text in expression(), end in prop_oneof![Just(None), (0..200_usize).prop_map(Some)]) {
        let text: String = text.chars().take(end.unwrap_or(usize::MAX)).collect();
        let checked = checked(&text);
        let expansion = checked.expansion();
        for id in expansion.ids() {
            assert!(is_final(checked.type_of(id)), "{text}");
            expansion.kind(id).each_child(|child| assert!(child < id));
        }
        for error in checked.errors() {
            assert!(error.span.end() as usize <= text.len());
            assert!(!error.message().is_empty());
        }
        assert_eq!(checked.upstream_report().is_none(), checked.is_ok());
    }

    #[test]
    fn what_is_right_has_a_type(text in expression()) {
        let parse = crate::parse(&text);
        let checked = check(&parse.ast, &env());
        if parse.is_ok() && checked.is_ok() {
            assert!(!checked.output_type().is_error(), "{text}");
        }
    }
}

/// Checks an expression and returns how long it took.
fn time(text: &str) -> Duration {
    let (ast, env) = (crate::parse(text).ast, env());
    let start = Instant::now();
    let _ = check(&ast, &env).upstream_report();
    start.elapsed()
}

#[test]
fn no_text_takes_long() {
    let mut doubling = "y39".to_owned();
    for depth in (1..40).rev() {
        let outer = depth - 1;
        doubling = format!("[{{y{outer}: y{outer}}}].map(y{depth}, {doubling})");
    }
    let texts = [
        format!("opt{}", ".optMap(x, x)".repeat(60)),
        format!("list{}", ".map(x, [x])".repeat(9_000)),
        format!("[1].map(y0, {doubling})"),
        format!("[{}]", "[],".repeat(30_000)),
        format!("[{}]", "missing,".repeat(12_000)),
        format!("n{}", "+n".repeat(40_000)),
        format!("b{}", "&&b".repeat(30_000)),
        format!("object{}", ".a".repeat(40_000)),
        format!("a{}", ".b".repeat(40_000)),
        format!("{}1{}", "[".repeat(240), "]".repeat(240)),
        "(".repeat(50_000),
        "[1].map(x, ".repeat(5_000),
    ];
    for text in texts {
        let took = time(&text);
        assert!(
            took < Duration::from_secs(10),
            "{} took {took:?}",
            text.get(..20).unwrap_or_default()
        );
    }
}
