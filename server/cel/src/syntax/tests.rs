//! Guarantees of the parser, by topic.

mod errors;
mod hostile;
mod limits;
mod literals;
mod meaning;
mod names;
mod properties;
mod samples;
mod tree;
mod upstream;

use super::{Ast, Parse, parse};
pub(crate) use meaning::meaning;
use std::fmt::Write;
use text::Span;

/// Returns each error under its line: `^` under the bytes, `-` where something is missing, then the
/// message, and in parentheses the second position.
fn render(parse: &Parse) -> String {
    let text = parse.ast.text();
    let mut out = String::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let _ = writeln!(out, "{}", line.trim_end_matches('\n'));
        for error in &parse.errors {
            let at = error.span.start() as usize;
            let is_last = end == text.len();
            if !(start <= at && (at < end || (is_last && at == end))) {
                continue;
            }
            let part = |from: usize, to: usize| {
                let offset = |at: usize| u32::try_from(at).unwrap();
                Span::new(offset(from), offset(to)).slice(text)
            };
            let column = part(start, at).chars().count();
            let width = part(at, (error.span.end() as usize).min(end)).trim_end();
            let mark = match width.chars().count() {
                0 => "-".to_owned(),
                count => "^".repeat(count),
            };
            let _ = write!(out, "{}{mark} {}", " ".repeat(column), error.message());
            if let Some(related) = error.related {
                let _ = write!(out, " ({} {:?})", related.message, related.span);
            }
            out.push('\n');
        }
        start = end;
    }
    if text.is_empty() {
        for error in &parse.errors {
            let _ = writeln!(out, "- {}", error.message());
        }
    }
    out
}

/// Returns the tree of an expression without errors.
#[track_caller]
fn right(text: &str) -> Ast {
    let parse = parse(text);
    assert!(parse.is_ok(), "{}", render(&parse));
    parse.ast
}
