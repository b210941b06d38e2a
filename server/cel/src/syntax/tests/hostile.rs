//! Hostile sources.

use super::parse;
use crate::format::{Lines, format};
use crate::syntax::tokens;
use std::time::{Duration, Instant};

const TEN_MEGABYTES: usize = 10_000_000;

/// Far more than is needed, far less than quadratic time.
const PATIENCE: Duration = Duration::from_secs(10);

#[track_caller]
fn survives(text: &str) {
    let start = Instant::now();
    let parse = parse(text);
    let _ = format(&parse, &Lines::with_width(80));
    let _ = parse.ast.idents(parse.ast.root(), &[]);
    let _ = parse
        .ast
        .bindings_at(u32::try_from(text.len() / 2).unwrap());
    let _ = parse.upstream_report();
    assert!(
        start.elapsed() < PATIENCE,
        "{:?}…",
        &text.chars().take(9).collect::<String>()
    );
}

const PIECES: &[&str] = &[
    "(", "[", "{", "{{", "${", "!", "-", "!-", "a.", "'", "\"\"\"", "'''", "1+", "\0", "a&&",
    "a ? ", "a ? b : ", "f(", "f(a,", "T{a:", "x.map(y,", "if(", "if,", "`", "`a`.", "=", "= ",
    "a = ", "#", "#\n", "// c\n", "/*", "“", "„", "'it's ", "'\n", "\"\n'\n", "\\", "é", "😀 ",
    "\u{a0} ", ",", ".", ":", "?", "a b ", "a(b c ", "not ", "not !", "a and ", "1.", "1_", "a[",
    "a[?", "a]", ")", "}", "x=>", "->", "a.b{", "has(", "'\\z'", "'\\u12' ",
];

#[test]
fn repetition_is_bounded_just_below_the_size_limit() {
    for piece in PIECES {
        survives(&piece.repeat(99_999 / piece.chars().count()));
    }
}

#[test]
fn ten_megabytes_are_refused_at_once() {
    for piece in ["(", "'", "a.", "1+", "\0", "é"] {
        let text = piece.repeat(TEN_MEGABYTES / piece.len());
        survives(&text);
        assert_eq!(parse(&text).errors.len(), 1);
    }
}

#[test]
fn ten_megabytes_are_cut_into_tokens() {
    for piece in ["(", "'", "'\n", "a.", "é", "`", "“ ", "\"\"\"a"] {
        let text = piece.repeat(TEN_MEGABYTES / piece.len());
        let start = Instant::now();
        let len: u64 = tokens(&text).map(|token| u64::from(token.span.len())).sum();
        assert_eq!(len, text.len() as u64);
        assert!(start.elapsed() < PATIENCE, "{piece}");
    }
}
