//! The limits of cel-go, to the last level that it accepts.
//!
//! Its parser counts the depth of each grammar rule, and its tree walk counts operations on one
//! path, so every construct has its own boundary. The numbers are those that cel-go 0.27 itself
//! accepts and rejects.

use super::parse;
use crate::syntax::{MAX_CODE_POINTS, MAX_ERRORS, Parse, SyntaxError, SyntaxErrorKind};

const NESTED: &str = "expression recursion limit exceeded: 250";
const CHAIN: &str = "max recursion depth exceeded";

fn nested(open: &str, close: &str, depth: usize) -> Parse {
    parse(&format!("{}a{}", open.repeat(depth), close.repeat(depth)))
}

/// The strings to repeat before and after `a`, how often cel-go accepts them, and its error
/// for one more.
const BOUNDARIES: &[(&str, &str, usize, &str)] = &[
    ("(", ")", 249, NESTED),
    ("[", "]", 249, NESTED),
    ("{1:", "}", 249, NESTED),
    ("T{a:", "}", 249, NESTED),
    ("f(", ")", 249, NESTED),
    ("x.f(", ")", 249, NESTED),
    ("a[", "]", 249, NESTED),
    ("!(", ")", 249, NESTED),
    ("a&&(", ")", 249, NESTED),
    ("true?1:", "", 249, NESTED),
    ("true?(", "):2", 249, NESTED),
    ("1==(", ")", 124, NESTED),
    ("1+(", ")", 124, NESTED),
    ("1*(", ")", 124, NESTED),
    ("1+2*(", ")", 83, NESTED),
    ("1==1+2*(", ")", 83, NESTED),
    ("1+", "", 250, CHAIN),
    ("1*", "", 250, CHAIN),
    ("1==", "", 250, CHAIN),
    ("", ".b", 250, CHAIN),
    ("", ".?b", 250, CHAIN),
    ("", "[0]", 250, CHAIN),
    ("", ".f()", 250, CHAIN),
    ("", " in b", 250, CHAIN),
];

#[test]
fn each_construct_has_its_boundary() {
    for (open, close, most, message) in BOUNDARIES {
        let last = nested(open, close, *most);
        assert!(last.is_ok(), "{open}…{close} {most}: {:?}", last.errors);
        let first = nested(open, close, most + 1);
        let messages: Vec<_> = first
            .errors
            .iter()
            .map(SyntaxError::upstream_message)
            .collect();
        assert_eq!(messages, [Some((*message).to_owned())], "{open}…{close}");
        assert_eq!(first.upstream_line(), Some(-1));
    }
}

#[test]
fn some_chains_have_none() {
    for (open, times) in [("!", 9_999), ("-", 9_999), ("a&&", 9_999), ("a||", 9_999)] {
        let parse = nested(open, "", times);
        assert!(parse.is_ok(), "{open}: {:?}", parse.errors);
    }
    assert!(parse(&format!("[{}1]", "1,".repeat(9_999))).is_ok());
}

#[test]
fn the_size_counts_code_points() {
    let quoted = |count: usize| format!("'{}'", "é".repeat(count - 2));
    assert!(parse(&quoted(MAX_CODE_POINTS)).is_ok());
    let long = parse(&quoted(MAX_CODE_POINTS + 1));
    assert_eq!(
        long.upstream_report().unwrap(),
        "ERROR: <input>:-1:0: expression code point size exceeds limit: size: 100001, limit 100000"
    );
}

#[test]
fn mistakes_are_counted_out() {
    let parse = parse(&"a = 1 && ".repeat(1_000));
    assert_eq!(parse.errors.len(), MAX_ERRORS);
}

#[test]
fn too_deep_is_one_mistake_and_keeps_what_is_before() {
    let parse = parse(&format!("object.spec == {}", "(".repeat(1_000)));
    let kinds: Vec<_> = parse.errors.iter().map(|error| &error.kind).collect();
    assert_eq!(kinds, [&SyntaxErrorKind::NestedTooDeep]);
    let path = parse.ast.path_at(9);
    let name = parse.ast.qualified_name(*path.last().unwrap()).unwrap();
    assert_eq!(name.join(&parse.ast), "object.spec");
}

#[test]
fn no_tree_is_deep() {
    for (open, close) in [
        ("1+", ""),
        ("(a&&b&&c&&", ")"),
        ("", ".b"),
        ("a&&", ""),
        ("x?", ""),
    ] {
        let parse = nested(open, close, 20_000);
        let mut depths = vec![0_u32; parse.ast.len()];
        for id in parse.ast.ids() {
            let below = parse
                .ast
                .children(id)
                .map(|child| depths[child.index()])
                .max();
            depths[id.index()] = 1 + below.unwrap_or(0);
        }
        assert!(depths.iter().max() < Some(&5_000), "{open}…{close}");
    }
}
