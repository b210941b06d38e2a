//! The tree and its spans.

use super::{meaning, parse, right};
use crate::syntax::{Ast, ExprId, ExprKind};
use expect_test::{Expect, expect};
use std::fmt::Write;

/// Prints every node on a line with its kind and the bytes that it covers.
#[track_caller]
fn check(text: &str, expected: &Expect) {
    fn print_node(ast: &Ast, id: ExprId, depth: usize, out: &mut String) {
        let kind = format!("{:?}", ast.kind(id));
        let name: String = kind.chars().take_while(char::is_ascii_alphabetic).collect();
        let _ = writeln!(
            out,
            "{}{name} `{}`",
            "  ".repeat(depth),
            ast.slice(ast.span(id))
        );
        for child in ast.children(id) {
            print_node(ast, child, depth + 1, out);
        }
    }
    let parse = parse(text);
    let mut out = String::new();
    print_node(&parse.ast, parse.ast.root(), 0, &mut out);
    expected.assert_eq(&out);
}

#[test]
fn operators_group_as_in_the_grammar() {
    for (text, expected) in [
        ("a + b * c - d", "(- (+ (a) (* (b) (c))) (d))"),
        ("a == b < c in d", "(in (< (== (a) (b)) (c)) (d))"),
        ("a || b && c", "(|| (a) (&& (b) (c)))"),
        ("!a.b == -c[0]", "(== (! (.b (a))) (- ([] (c) (Int(0)))))"),
        ("a ? b : c ? d : e", "(?: (a) (b) (?: (c) (d) (e)))"),
        ("-1.f()", "(f()@ (Int(-1)))"),
        ("--1", "(-- (Int(1)))"),
        ("a - -1", "(- (a) (Int(-1)))"),
        ("!-1", "(! (Int(-1)))"),
        ("-1u", "(- (Uint(1)))"),
        (".a.b{c: 1}", "(.a.b[\"c\"][-] (Int(1)))"),
        ("a.b.c", "(.c (.b (a)))"),
        ("a.?b[?c]", "([?] (.?b (a)) (c))"),
        (".f(.x)", "(.f() (.x))"),
        ("[,]", "(list[])"),
        ("{,}", "(map[])"),
        ("T{,}", "(T[][])"),
        ("[?a, b,]", "(list[?-] (a) (b))"),
        ("{?a: b, c: d,}", "(map[?-] (a) (b) (c) (d))"),
        ("if{let: 1}", "(if[\"let\"][-] (Int(1)))"),
        ("a.if.while()", "(while()@ (.if (a)))"),
    ] {
        assert_eq!(meaning(&right(text)), expected, "{text}");
    }
}

#[test]
fn logical_chains_are_balanced() {
    for (text, expected) in [
        ("a && b && c", "(&& (&& (a) (b)) (c))"),
        ("a && b && c && d", "(&& (&& (a) (b)) (&& (c) (d)))"),
        ("a||b||c||d||e", "(|| (|| (|| (a) (b)) (c)) (|| (d) (e)))"),
        ("a && (b && c)", "(&& (a) (&& (b) (c)))"),
    ] {
        assert_eq!(meaning(&right(text)), expected, "{text}");
    }
}

#[test]
fn spans_cover_what_a_person_would_point_at() {
    check(
        "l.all(c, has(c.x) && (c.?y[?0] == -1)) // end",
        &expect![[r#"
            Call `l.all(c, has(c.x) && (c.?y[?0] == -1))`
              Ident `l`
              Ident `c`
              Binary `has(c.x) && (c.?y[?0] == -1)`
                Call `has(c.x)`
                  Select `c.x`
                    Ident `c`
                Paren `(c.?y[?0] == -1)`
                  Binary `c.?y[?0] == -1`
                    Index `c.?y[?0]`
                      Select `c.?y`
                        Ident `c`
                      Literal `0`
                    Literal `-1`
        "#]],
    );
    check(
        "a.b{ c: [1, ?x], ?d: {k: .v} } ? !b'x' : f( )",
        &expect![[r#"
            Conditional `a.b{ c: [1, ?x], ?d: {k: .v} } ? !b'x' : f( )`
              Struct `a.b{ c: [1, ?x], ?d: {k: .v} }`
                List `[1, ?x]`
                  Literal `1`
                  Ident `x`
                Map `{k: .v}`
                  Ident `k`
                  Ident `.v`
              Unary `!b'x'`
                Literal `b'x'`
              Call `f( )`
        "#]],
    );
}

#[test]
fn a_text_that_is_being_written_keeps_what_is_there() {
    check(
        "object.spec.",
        &expect![[r#"
        Select `object.spec.`
          Select `object.spec`
            Ident `object`
    "#]],
    );
    check(
        "l.exists(c, c. && has(c.x)",
        &expect![[r#"
        Call `l.exists(c, c. && has(c.x)`
          Ident `l`
          Ident `c`
          Binary `c. && has(c.x)`
            Select `c.`
              Ident `c`
            Call `has(c.x)`
              Select `c.x`
                Ident `c`
    "#]],
    );
    check(
        "object.metadata.name = 'x' &&",
        &expect![[r#"
        Binary `object.metadata.name = 'x' &&`
          Binary `object.metadata.name = 'x'`
            Select `object.metadata.name`
              Select `object.metadata`
                Ident `object`
            Literal `'x'`
          Error ``
    "#]],
    );
}

#[test]
fn what_is_skipped_is_kept_as_parts() {
    check(
        "a b.c(d && e) f",
        &expect![[r#"
        Error `a b.c(d && e) f`
          Ident `a`
          Call `b.c(d && e)`
            Ident `b`
            Binary `d && e`
              Ident `d`
              Ident `e`
          Ident `f`
    "#]],
    );
    check(
        "T{a: b., c",
        &expect![[r#"
        Struct `T{a: b., c`
          Select `b.`
            Ident `b`
          Error ``
    "#]],
    );
}

#[test]
fn the_path_to_an_offset() {
    let parse = parse("a.b + f(😀'x', c.");
    let ast = &parse.ast;
    let innermost = |offset: u32| {
        let path = ast.path_at(offset);
        path.last().map(|id| ast.slice(ast.span(*id)))
    };
    assert_eq!(innermost(0), Some("a"));
    assert_eq!(innermost(1), Some("a"));
    assert_eq!(innermost(3), Some("a.b"));
    assert_eq!(innermost(4), Some("a.b + f(😀'x', c."));
    assert_eq!(innermost(13), Some("'x'"));
    assert_eq!(innermost(18), Some("c"));
    assert_eq!(innermost(19), Some("c."));
    assert_eq!(innermost(99), None);
}

#[test]
fn an_id_of_another_tree_is_harmless() {
    let long = right("a + b + c + d");
    let short = right("a");
    let foreign = long.root();
    assert_eq!(short.children(foreign).count(), 0);
    assert!(matches!(short.kind(foreign), ExprKind::Literal(_)));
    assert_eq!(short.descendants(foreign).count(), 1);
}

#[test]
fn comments_are_listed() {
    let parse = parse("// a\r\nb // 'c'\n+ '// d' //");
    let comments: Vec<&str> = parse
        .comments
        .iter()
        .map(|it| parse.ast.slice(*it))
        .collect();
    assert_eq!(comments, ["// a\r", "// 'c'", "//"]);
}
