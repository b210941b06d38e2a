//! The syntax of CEL.
//!
//! [`parse`] turns any string into a tree and a list of errors. It accepts exactly what the API
//! server accepts, and it gives every node, operator and name its range, even in a half-written
//! expression.

mod ast;
mod error;
mod expansion;
mod foreign;
mod lexer;
mod limits;
mod literal;
mod macros;
mod message;
mod parser;
mod reserved;
mod scope;
mod token;
mod upstream;
mod walk;

pub use ast::{
    Ast, BinaryOperator, Element, Entry, Expr, ExprId, ExprKind, Field, Literal, Name, Precedence,
    UnaryOperator,
};
pub use error::{Bracket, EscapedPlace, Related, SyntaxError, SyntaxErrorKind};
pub use lexer::{Tokens, tokens};
pub(crate) use limits::MAX_CODE_POINTS;
pub use limits::MAX_ERRORS;
pub use literal::EscapeError;
pub use macros::{MacroCall, MacroKind};
pub use reserved::{has_identifier_form, is_identifier, is_reserved};
pub use scope::{Binding, IdentRole, IdentUse};
pub use token::{Token, TokenKind};
pub use upstream::{UpstreamLocation, upstream_display, upstream_location};
pub use walk::{Children, QualifiedName};

use text::Span;

/// A parsed expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Parse {
    /// The tree, complete where the source is valid.
    pub ast: Ast,
    /// The errors, ordered by position.
    pub errors: Vec<SyntaxError>,
    /// The errors that cel-go also reports, although they only follow from another one. They do not
    /// help users.
    pub consequences: Vec<SyntaxError>,
    /// The comments, with their `//`, without the end of the line.
    pub comments: Vec<Span>,
}

impl Parse {
    /// Returns whether the API server accepts the syntax.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.errors.is_empty()
    }

    /// Returns the errors that cel-go reports, in no particular order, including those that follow
    /// from others but none after the position where it stops.
    pub fn upstream_errors(&self) -> impl Iterator<Item = &SyntaxError> {
        let gives_up = |error: &&SyntaxError| error.kind == SyntaxErrorKind::SkippedTooMuch;
        let end = self.consequences.iter().find(gives_up);
        let is_read = move |error: &&SyntaxError| {
            end.is_none_or(|end| {
                error.upstream_offset.is_some() && error.span.start() <= end.span.start()
                    || *error == end
            })
        };
        self.errors.iter().chain(&self.consequences).filter(is_read)
    }

    /// Returns cel-go's report of the errors, in its order. `None` if there are none, or if one
    /// of them comes from its generated parser.
    #[must_use]
    pub fn upstream_report(&self) -> Option<String> {
        let text = self.ast.text();
        let mut errors = Vec::with_capacity(self.errors.len());
        for error in self.upstream_errors() {
            let offset = error.upstream_offset();
            errors.push((
                upstream_location(text, offset),
                offset,
                error.upstream_message()?,
            ));
        }
        errors.sort_by_cached_key(|(location, ..)| *location);
        let lines: Vec<String> = errors
            .iter()
            .map(|(_, offset, message)| upstream_display(text, *offset, message))
            .collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }

    /// Returns the line, from 1, of the first error that cel-go prints; -1 if it has no position.
    /// `None` if there is no error.
    #[cfg(test)]
    fn upstream_line(&self) -> Option<i64> {
        let place =
            |error: &SyntaxError| upstream_location(self.ast.text(), error.upstream_offset());
        let errors = self.upstream_errors();
        errors.map(place).min().map(|first| first.line)
    }
}

/// The syntax that an API server accepts, which depends on its version.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ParseOptions {
    /// Whether a field name can be written in backticks, as in ``object.`a-b` ``: not up to cel-go
    /// 0.27 and so not up to Kubernetes 1.36, but in the specification of CEL.
    pub escaped_names: bool,
}

/// Parses an expression as Kubernetes 1.36 does. Never fails: the errors are in [`Parse::errors`].
#[must_use]
pub fn parse(text: &str) -> Parse {
    parse_with(text, ParseOptions::default())
}

/// Parses an expression as an API server of another version does.
#[must_use]
pub fn parse_with(text: &str, options: ParseOptions) -> Parse {
    let parsed = parser::parse(text, options);
    let mut errors = parsed.errors;
    if !parsed.stopped {
        errors.extend(expansion::check(&parsed.ast, parsed.faults, options));
    }
    errors.sort_by_cached_key(|error| error.span.start());
    errors.truncate(MAX_ERRORS);
    Parse {
        ast: parsed.ast,
        errors,
        consequences: parsed.consequences,
        comments: parsed.comments,
    }
}

#[cfg(test)]
pub(crate) mod tests;
