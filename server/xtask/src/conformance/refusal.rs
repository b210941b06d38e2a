//! An error of an expression, as Kubernetes reports it.

use super::case::Outcome;
use cel::syntax::upstream_location;
use cel::{Parse, SyntaxError};
use serde_json::Value;
use std::fmt;

/// The prefix of messages of cel-go's generated parser.
const GENERATED: &str = "Syntax error: ";

/// Syntax errors that cel-go writes itself. Whether an error is one of syntax determines whether
/// types are checked.
const WRITTEN: &[&str] = &[
    "argument is not an identifier",
    "argument must be a simple name",
    "duplicate variable name",
    "error recovery token lookahead limit exceeded",
    "expression code point size exceeds limit",
    "expression recursion limit exceeded",
    "invalid argument to has() macro",
    "invalid double literal",
    "invalid int literal",
    "invalid uint literal",
    "invalid unicode code point",
    "iteration variable overwrites accumulator variable",
    "max recursion depth exceeded",
    "optFlatMap() variable name must be a simple identifier",
    "optMap() variable name must be a simple identifier",
    "reserved identifier",
    "sortBy can only be applied to",
    "unable to unescape",
    "unsupported syntax",
];

/// An error: its position, from 1 (line -1 and column 0 are no position), and its message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    line: i64,
    column: i64,
    message: String,
}

impl Refusal {
    /// Returns an error.
    pub(super) fn new(line: i64, column: i64, message: &str) -> Self {
        Self {
            line,
            column,
            message: message.into(),
        }
    }

    /// Parses the errors in a message like `ERROR: <input>:1:3: words
    ///  | source
    ///  | ..^`.
    ///
    /// # Errors
    /// If it contains none.
    pub(super) fn parse_text(text: &str) -> Result<Vec<Self>, String> {
        let starts = text
            .lines()
            .filter_map(|line| line.strip_prefix("ERROR: <input>:"));
        let refusals: Option<Vec<Self>> = starts.map(Self::from_line).collect();
        refusals
            .filter(|refusals| !refusals.is_empty())
            .ok_or_else(|| format!("malformed: no error in {text:?}"))
    }

    fn from_line(line: &str) -> Option<Self> {
        let (line, rest) = line.split_once(':')?;
        let (column, message) = rest.split_once(": ")?;
        Some(Self {
            line: line.parse().ok()?,
            column: column.parse().ok()?,
            message: message.into(),
        })
    }

    /// Reads the errors in a list of `{"line": 1, "col": 0, "msg": "words"}`.
    ///
    /// # Errors
    /// If it is not such a list.
    pub(super) fn parse_json(list: &Value) -> Result<Vec<Self>, String> {
        let list = list.as_array().map_or(&[][..], Vec::as_slice);
        let refusals: Option<Vec<Self>> = list.iter().map(Self::from_json).collect();
        refusals
            .filter(|refusals| !refusals.is_empty())
            .ok_or_else(|| "malformed: no error in the result".into())
    }

    fn from_json(value: &Value) -> Option<Self> {
        Some(Self {
            line: value.get("line")?.as_i64()?,
            column: value.get("col")?.as_i64()? + 1,
            message: value.get("msg")?.as_str()?.into(),
        })
    }

    /// Returns the error of cel-go for one of ours; without a message if its generated parser
    /// writes it.
    fn from_ours(error: &SyntaxError, expr: &str) -> Self {
        let place = upstream_location(expr, error.upstream_offset());
        Self {
            line: place.line,
            column: place.column,
            message: error.upstream_message().unwrap_or_else(|| GENERATED.into()),
        }
    }

    /// Returns whether the message is that of the generated parser.
    fn is_generated(&self) -> bool {
        self.message.starts_with(GENERATED)
    }

    /// Returns whether this is found before types are checked.
    pub(super) fn is_of_syntax(&self) -> bool {
        self.is_generated() || WRITTEN.iter().any(|text| self.message.starts_with(text))
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl Refusal {
    /// Returns whether other errors precede those of the generated parser.
    pub(super) fn is_guess(refusals: &[Self]) -> bool {
        let generated = refusals.iter().position(Self::is_generated);
        generated.is_some_and(|at| at > 0)
    }

    /// Compares the line of the generated parser's first error with that of ours.
    pub(super) fn compare_first_line(expected: &[Self], parse: &Parse) -> Outcome {
        let guesses = parts(expected).0;
        compare(&guesses, parse)
    }
}

/// Compares Kubernetes' syntax errors with ours.
///
/// If the generated parser reports first, only the presence of an error and its line are compared.
/// Otherwise every other error is compared exactly, and only the first of the generated ones, which
/// are then guesses, by its line.
pub(super) fn compare(expected: &[Refusal], parse: &Parse) -> Outcome {
    let text = parse.ast.text();
    let ours = parse.upstream_errors();
    let mut ours: Vec<Refusal> = ours.map(|it| Refusal::from_ours(it, text)).collect();
    ours.sort_by_key(|it| (it.line, it.column));
    let same = if expected.first().is_some_and(Refusal::is_generated) {
        line_of_first(expected) == line_of_first(&ours)
    } else {
        let (guesses, known) = parts(expected);
        let (our_guesses, our_known) = parts(&ours);
        known == our_known && line_of_first(&guesses) == line_of_first(&our_guesses)
    };
    if same {
        return Ok(());
    }
    let (ours, expected) = (list(&ours), list(expected));
    Err(format!("we say {ours}; Kubernetes says {expected}"))
}

/// Returns the errors of the generated parser, and all others.
fn parts(refusals: &[Refusal]) -> (Vec<Refusal>, Vec<Refusal>) {
    refusals.iter().cloned().partition(Refusal::is_generated)
}

fn line_of_first(refusals: &[Refusal]) -> Option<i64> {
    refusals.first().map(|it| it.line)
}

/// Returns a description of the first errors, to show the difference.
fn list(refusals: &[Refusal]) -> String {
    const SHOWN: usize = 4;
    let texts: Vec<String> = refusals
        .iter()
        .take(SHOWN)
        .map(Refusal::to_string)
        .collect();
    let rest = match refusals.len().saturating_sub(SHOWN) {
        0 => String::new(),
        rest => format!(" and {rest} more"),
    };
    format!("[{}]{rest}", texts.join(" | "))
}
