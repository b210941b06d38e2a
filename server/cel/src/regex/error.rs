//! The errors of regular expressions.
//!
//! Upstream: Go, regexp/syntax/parse.go, `ErrorCode`.

use std::fmt;
use std::sync::Arc;

/// A string that is not a regular expression of Go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegexError {
    code: Code,
    part: Arc<str>,
}

/// The kind of error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Code {
    CharRange,
    Escape,
    NamedCapture,
    PerlSyntax,
    RepeatOperator,
    RepeatSize,
    MissingBracket,
    MissingParen,
    MissingArgument,
    TrailingBackslash,
    UnexpectedParen,
    Nesting,
    Large,
}

impl RegexError {
    pub(super) fn new(code: Code, part: &str) -> Self {
        Self {
            code,
            part: part.into(),
        }
    }

    /// Returns the reason and the part of the string, without Go's prefix.
    #[must_use]
    pub fn reason(&self) -> String {
        format!("{}: `{}`", self.code.message(), self.part)
    }
}

impl Code {
    const fn message(self) -> &'static str {
        match self {
            Code::CharRange => "invalid character class range",
            Code::Escape => "invalid escape sequence",
            Code::NamedCapture => "invalid named capture",
            Code::PerlSyntax => "invalid or unsupported Perl syntax",
            Code::RepeatOperator => "invalid nested repetition operator",
            Code::RepeatSize => "invalid repeat count",
            Code::MissingBracket => "missing closing ]",
            Code::MissingParen => "missing closing )",
            Code::MissingArgument => "missing argument to repetition operator",
            Code::TrailingBackslash => "trailing backslash at end of expression",
            Code::UnexpectedParen => "unexpected )",
            Code::Nesting => "expression nests too deeply",
            Code::Large => "expression too large",
        }
    }
}

impl fmt::Display for RegexError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "error parsing regexp: {}", self.reason())
    }
}

impl std::error::Error for RegexError {}
