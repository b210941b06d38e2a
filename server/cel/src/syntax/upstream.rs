//! The messages of cel-go.
//!
//! The API server returns the messages of cel-go. People search for them, and other tools print
//! them, so the message of each error that cel-go describes itself is here. The messages of its
//! generated parser, which begin with `Syntax error:`, are not reproduced: only that there is
//! such an error, and its line.

use super::error::{EscapedPlace, SyntaxError, SyntaxErrorKind};
use super::limits::{MAX_CODE_POINTS, MAX_NESTING, MAX_SKIPPED};
use super::literal::EscapeError;
use super::macros::MacroKind;
use SyntaxErrorKind as Kind;
use std::fmt::Write;

impl SyntaxError {
    /// Returns cel-go's message for this error. `None` if it comes from the generated parser, which
    /// begins with `Syntax error:`.
    #[must_use]
    pub fn upstream_message(&self) -> Option<String> {
        Some(match &self.kind {
            Kind::TooLong { code_points } => format!(
                "expression code point size exceeds limit: size: {code_points}, limit {MAX_CODE_POINTS}"
            ),
            Kind::NestedTooDeep => format!("expression recursion limit exceeded: {MAX_NESTING}"),
            Kind::SkippedTooMuch => {
                format!("error recovery token lookahead limit exceeded: {MAX_SKIPPED}")
            }
            Kind::ChainTooLong => "max recursion depth exceeded".to_owned(),
            Kind::Reserved { word } => format!("reserved identifier: {word}"),
            Kind::IntRange { .. } => "invalid int literal".to_owned(),
            Kind::UintRange => "invalid uint literal".to_owned(),
            Kind::DoubleRange => "invalid double literal".to_owned(),
            Kind::BadEscape(EscapeError::CodePoint(_)) => "invalid unicode code point".to_owned(),
            Kind::BadEscape(EscapeError::UnicodeInBytes) => "unable to unescape string".to_owned(),
            Kind::Backticks {
                place: EscapedPlace::Selection | EscapedPlace::Literal,
                ..
            } => "unsupported syntax: '`'".to_owned(),
            Kind::HasArgument => "invalid argument to has() macro".to_owned(),
            Kind::MacroVariable(kind) => macro_variable(*kind).to_owned(),
            Kind::DuplicateVariable { name } => format!("duplicate variable name: {name}"),
            Kind::AccumulatorVariable => {
                "iteration variable overwrites accumulator variable".to_owned()
            }
            Kind::SortByTarget => "sortBy can only be applied to a list, identifier, comprehension, call or select expression".to_owned(),
            _ => return None,
        })
    }
}

const fn macro_variable(kind: MacroKind) -> &'static str {
    match kind {
        MacroKind::Map | MacroKind::Filter | MacroKind::SortBy => "argument is not an identifier",
        MacroKind::OptMap => "optMap() variable name must be a simple identifier",
        MacroKind::OptFlatMap => "optFlatMap() variable name must be a simple identifier",
        MacroKind::Has
        | MacroKind::All
        | MacroKind::Exists
        | MacroKind::ExistsOne
        | MacroKind::TransformList
        | MacroKind::TransformMap
        | MacroKind::TransformMapEntry => "argument must be a simple name",
    }
}

/// A position in an expression as cel-go counts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UpstreamLocation {
    /// The line, from 1. Only `\n` ends a line. -1 if there is no position.
    pub line: i64,
    /// The column in code points, from 1. 0 if there is no position.
    pub column: i64,
}

/// Returns the location of an offset, in bytes, in `text`; no location for `None`.
#[must_use]
pub fn upstream_location(text: &str, offset: Option<u32>) -> UpstreamLocation {
    let Some(offset) = offset else {
        return UpstreamLocation {
            line: -1,
            column: 0,
        };
    };
    let before = text.get(..offset as usize).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let lines = before.bytes().filter(|byte| *byte == b'\n').count();
    let column = before.get(line_start..).unwrap_or("").chars().count();
    UpstreamLocation {
        line: i64::try_from(lines + 1).unwrap_or(i64::MAX),
        column: i64::try_from(column + 1).unwrap_or(i64::MAX),
    }
}

/// Returns a message with its location and its line of the expression, as cel-go prints it.
///
/// Upstream: cel-go, common/error.go, `ToDisplayString`.
#[must_use]
pub fn upstream_display(text: &str, offset: Option<u32>, message: &str) -> String {
    /// Limit: the longest line that is shown. cel-go, common/error.go, `maxSnippetLength`.
    const MAX_SNIPPET: usize = 16_384;
    let UpstreamLocation { line, column } = upstream_location(text, offset);
    let mut out = format!("ERROR: <input>:{line}:{column}: {message}");
    let snippet = usize::try_from(line - 1)
        .ok()
        .and_then(|index| text.split('\n').nth(index));
    let Some(snippet) = snippet.filter(|it| it.len() <= MAX_SNIPPET && !text.is_empty()) else {
        return out;
    };
    let _ = write!(out, "\n | {}\n | ", snippet.replace('\t', " "));
    let mut chars = snippet.chars();
    for _ in 1..column {
        match chars.next() {
            Some(c) if c.is_ascii() => out.push('.'),
            Some(_) => out.push('．'),
            None => break,
        }
    }
    out.push(match chars.next() {
        Some(c) if !c.is_ascii() => '＾',
        _ => '^',
    });
    out
}
